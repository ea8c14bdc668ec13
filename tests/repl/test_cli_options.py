"""Options of all commands mean the same before and behind the command (workspace.md 6.1)."""

from __future__ import annotations

import argparse
from importlib import import_module

import pytest

from repl.cli import COMMANDS, _parsed


def parsed(*arguments: str) -> argparse.Namespace:
    return _parsed(list(arguments))[1]


@pytest.mark.parametrize("command", ["repl", "test", "check", "build"])
def test_the_project_may_be_named_on_either_side(command: str) -> None:
    assert parsed("--project", "x", command).project == "x"
    assert parsed(command, "--project", "x").project == "x"
    assert parsed(command).project is None


def test_switches_count_on_either_side() -> None:
    for arguments in (("--no-color", "-vv", "test"), ("test", "--no-color", "-vv")):
        options = parsed(*arguments)
        assert (options.no_color, options.verbosity, options.read_only) == (True, 2, False)


def test_expressions_and_scripts_are_for_the_prompt_when_no_command_is_named() -> None:
    options = parsed("--project", "x", "-e", "1 + 1")
    assert (options.project, options.expressions) == ("x", ["1 + 1"])
    assert parsed("a.btscript").script == "a.btscript"


def test_options_behind_a_selector_are_the_programs() -> None:
    assert parsed("run", "Main", "go:", "--no-color", "-v").arguments == ["--no-color", "-v"]


@pytest.mark.parametrize("arguments", [[], ["--no-color"]])
def test_no_command_is_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        _parsed(arguments)
    assert leaving.value.code == 2
    assert capsys.readouterr().err.startswith("usage: beamtalk ")


def test_a_mistyped_command_is_told_its_neighbour(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        _parsed(["tset"])
    assert leaving.value.code == 2
    assert "unknown command 'tset'\nhint: did you mean 'test'?" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_tells_its_options(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        _parsed([name, "--help"])
    assert leaving.value.code == 0
    assert capsys.readouterr().out.startswith("usage: beamtalk ")


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        _parsed(["--help"])
    shown = capsys.readouterr().out
    assert all(f"\n  {name} " in shown for name in COMMANDS)


def test_every_command_has_its_module() -> None:
    for name in COMMANDS:
        if name != "fmt-check":
            module = import_module(f"repl.command_line.{name.replace('-', '_')}_command")
            assert callable(module.run)
