"""Cases from public bug reports that concern the prompt without its terminal: carets, pipes, incomplete input.

R1 to R3 need a terminal: `test_terminal.py`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.utils import get_cwidth

from lang.syntax import is_complete
from repl.display import Screen
from repl.events import NilShown
from repl.paint import PLAIN
from repl.session_core import SessionCore
from workspace.opening import Opening, open_workspace

ROOT = Path(__file__).parents[2]
MANIFEST = '[package]\nname = "lab"\nversion = "0.1.0"\n'


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def core(tmp_path: Path, cache: Path) -> Iterator[SessionCore]:
    (tmp_path / "src").mkdir()
    (tmp_path / "beamtalk.toml").write_text(MANIFEST, "utf-8")
    opening = Opening(tmp_path, library_cache=cache / "beamtalk")
    workspace = open_workspace(opening)
    yield SessionCore(workspace, workspace.sessions.open("repl"), PLAIN, Screen())
    workspace.close()


def shown(core: SessionCore, text: str) -> str:
    """What an input shows."""
    turn = core.workspace.evaluator.run(lambda: core.begin(text))
    return "\n".join("nil" if isinstance(each, NilShown) else each.text for each in turn.events)


def written(core: SessionCore, path: str, text: str) -> None:
    """Put a source into the project."""
    project = core.workspace.project
    assert project is not None
    (project.root / path).write_text(text, "utf-8")


# ---------------------------------------------------------------- P


@pytest.mark.parametrize("order", [("banner", "scale", "last"), ("banner", "last", "scale")])
def test_case_p1_a_cascade_does_not_swallow_the_next_keyword_method(
    core: SessionCore, order: tuple[str, ...]
) -> None:
    methods = {
        "banner": '  banner => Transcript show: "a"; show: "b"\n',
        "scale": "  scale: factor by: other => factor * other\n",
        "last": "  last => #end\n",
    }
    written(core, "src/Printer.bt", "Value subclass: Printer\n" + "".join(methods[each] for each in order))
    assert shown(core, ":load src/Printer.bt") == "Loaded: Printer"
    assert shown(core, "Printer new scale: 3 by: 4") == "12"
    assert shown(core, "Printer new last") == "#end"
    assert shown(core, "Printer includesSelector: #'scale:by:'") == "true"
    assert shown(core, "Printer new banner") == ""


@pytest.mark.parametrize(("text", "word"), [('"total { 3"', r"\{"), ('"{{x}}"', r"\{")])
def test_case_p2_an_unescaped_brace_is_an_error_at_once(core: SessionCore, text: str, word: str) -> None:
    assert is_complete(text)
    failure = shown(core, text)
    assert failure.startswith("Error: ")
    assert word in failure
    assert shown(core, "1 + 1") == "2"


def test_case_p2_doubled_braces_are_said_to_be_no_escape(core: SessionCore) -> None:
    assert "{{" in shown(core, '"{{x}}"')


def test_case_p2_an_open_string_asks_for_more() -> None:
    assert not is_complete('"abc')


def test_case_p3_an_open_comment_is_an_error_where_it_opens(core: SessionCore) -> None:
    source = "Object subclass: Half\n  class one => 1\n  /* two is disabled\n  class two => 2\n"
    written(core, "src/Half.bt", source)
    failure = shown(core, ":load src/Half.bt")
    assert "src/Half.bt:3:3" in failure
    assert "0 of 1 files loaded" in failure
    assert "not found" in shown(core, "Half one")


# ---------------------------------------------------------------- R


def piped(text: bytes, cache: Path, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Standard input as a script."""
    return subprocess.run(
        [sys.executable, "-m", "repl.cli", "repl"],
        input=text,
        capture_output=True,
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "XDG_CACHE_HOME": str(cache),
            "XDG_STATE_HOME": str(folder),
        },
        timeout=30,
        check=False,
    )


@pytest.mark.parametrize(
    ("text", "expected"), [(b"1 + 1\n2 + 2", b"2\n4\n"), (b"3 + 3\r\n4 + 4\r\n", b"6\n8\n")]
)
def test_case_r4_every_line_of_a_pipe_is_run(
    text: bytes, expected: bytes, cache: Path, tmp_path: Path
) -> None:
    ran = piped(text, cache, tmp_path)
    assert (ran.stdout, ran.stderr, ran.returncode) == (expected, b"", 0)


def test_case_r4_an_incomplete_end_is_an_error(cache: Path, tmp_path: Path) -> None:
    ran = piped(b"1 +\n", cache, tmp_path)
    assert ran.returncode == 1
    assert ran.stdout == b""
    assert b"not complete" in ran.stderr
    assert b"\x1b" not in ran.stderr


def cells_before(line: str, sign: str) -> int:
    """In how many cells of a terminal with tab stops at 8 the text before a sign stands."""
    return get_cwidth(line[: line.rindex(sign)].expandtabs(8))


@pytest.mark.parametrize("text", ['"日本" foo: )', '"e\u0301" foo: )'])
def test_case_r5_the_caret_stands_under_the_fault(core: SessionCore, text: str) -> None:
    lines = shown(core, text).split("\n")
    at = next(number for number, line in enumerate(lines) if "^" in line)
    assert lines[at].count("^") == 1
    assert cells_before(lines[at], "^") == cells_before(lines[at - 1], ")")


def test_case_r5_tabs_of_a_file_keep_the_caret(core: SessionCore) -> None:
    written(core, "src/Tab.bt", "Object subclass: Tab\n\tclass a => )\n")
    lines = shown(core, ":load src/Tab.bt").split("\n")
    at = next(number for number, line in enumerate(lines) if "^" in line)
    assert cells_before(lines[at], "^") == cells_before(lines[at - 1], ")")
