"""Options of all commands mean the same before and behind the command (workspace.md 6.1)."""

from __future__ import annotations

import pytest

from repl.cli import _parsed


@pytest.mark.parametrize("command", ["repl", "test", "check", "build"])
def test_the_project_may_be_named_on_either_side(command: str) -> None:
    assert _parsed(["--project", "x", command]).project == "x"
    assert _parsed([command, "--project", "x"]).project == "x"
    assert _parsed([command]).project is None


def test_switches_count_on_either_side() -> None:
    for arguments in (["--no-color", "--debug", "test"], ["test", "--no-color", "--debug"]):
        options = _parsed(arguments)
        assert (options.no_color, options.debug, options.read_only) == (True, True, False)


def test_the_prompt_is_the_command_when_none_is_named() -> None:
    options = _parsed(["--project", "x", "-e", "1 + 1"])
    assert (options.command, options.project, options.expressions) == ("repl", "x", ["1 + 1"])
