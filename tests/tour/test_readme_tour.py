"""The tour of the README happens as it is told: what is shown, and what stands in the files.

What the files must hold is computed here, from the sources of the example, by plain text rules.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.examples.copies import copy_of
from tests.tour.transcript import BEGIN, END, Answered, Shell, Step, Typed, matches, steps_of

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PLACE = "../bank"
"""Where the README puts its copy; the test puts it elsewhere."""

Tree = Mapping[str, bytes]


# ---------------------------------------------------------------- what the files must hold


def tree_of(root: Path) -> Tree:
    """Every file of a project by its path; the workspace's own folder is not one of them."""
    return {
        each.relative_to(root).as_posix(): each.read_bytes()
        for each in sorted(root.rglob("*"))
        if each.is_file() and ".beamtalk" not in each.parts
    }


def with_patch(tree: Tree) -> Tree:
    """The one line that the tour patches."""
    path = "src/products/CheckingAccount.bt"
    old, new = b'label -> String => "checking account"', b'label -> String => "current account"'
    assert tree[path].count(old) == 1
    return {**tree, path: tree[path].replace(old, new)}


def with_renames(tree: Tree) -> Tree:
    """Account is Ledger in code, not in comments; `enter:amount:` is `book:amount:`; the file has the new name."""
    changed = {path: _renamed(text) if path.endswith(".bt") else text for path, text in tree.items()}
    changed["src/Ledger.bt"] = changed.pop("src/Account.bt")
    return changed


def _renamed(text: bytes) -> bytes:
    lines = text.decode().split("\n")
    return "\n".join(
        line if line.lstrip().startswith("//") else _renamed_line(line) for line in lines
    ).encode()


def _renamed_line(line: str) -> str:
    return re.sub(r"\benter: (.*) amount: ", r"book: \1 amount: ", re.sub(r"\bAccount\b", "Ledger", line))


def states_of(original: Tree) -> Iterator[Tree]:
    """What the files hold after each flush of the tour, in order."""
    patched = with_patch(original)
    yield original  # --dry-run
    yield patched
    yield with_renames(patched)
    yield patched  # both renames undone
    yield original  # the patch undone


# ---------------------------------------------------------------- running it


class Tourist:
    """Runs the steps; each `make repl` is a process of its own."""

    def __init__(self, project: Path, environment: Mapping[str, str]) -> None:
        self._project = project
        self._environment = environment
        self._process: subprocess.Popen[str] | None = None
        self._question: str | None = None

    def run(self, step: Step) -> list[str]:
        """What the step shows."""
        match step:
            case Shell(command=command):
                return self._shell(command.replace(PLACE, str(self._project)))
            case Typed(text=text):
                assert self._question is None, f"the prompt asks: {self._question}"
                return self._say(text)
            case Answered(question=question, text=text):
                assert self._question == question
                return self._say(text)

    def _shell(self, command: str) -> list[str]:
        match command.split():
            case ["cp", "-r", source, target]:
                copy_of(source.removeprefix("examples/"), Path(target))
                return []
            case ["make", "repl", project]:
                self.leave()
                return self._start(project.removeprefix("PROJECT="))
            case [".venv/bin/beamtalk", *arguments]:
                return self._beamtalk(arguments)
        raise AssertionError(f"the tour does not know how to run: {command}")

    def _start(self, project: str) -> list[str]:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.tour.session_process", project],
            cwd=ROOT,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self._hear()

    def _say(self, text: str) -> list[str]:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(text) + "\n")
        self._process.stdin.flush()
        return self._hear()

    def _hear(self) -> list[str]:
        assert self._process is not None
        assert self._process.stdout is not None
        heard = json.loads(self._process.stdout.readline())
        self._question = heard["question"]
        if heard["is_over"]:
            assert self._process.wait(10) == 0
        return list(heard["lines"])

    def _beamtalk(self, arguments: list[str]) -> list[str]:
        ran = subprocess.run(
            [sys.executable, "-m", "repl.cli", *arguments],
            cwd=ROOT,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout
        return ran.stdout.rstrip("\n").split("\n")

    def leave(self) -> None:
        """End the process that runs, if any."""
        if self._process is not None:
            with self._process as process:
                assert process.stdin is not None
                process.stdin.close()
                process.wait(10)
        self._process = None


@pytest.fixture
def tourist(tmp_path: Path) -> Iterator[Tourist]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "NO_COLOR": "1"}
    found = Tourist(tmp_path / "bank", environment)
    yield found
    found.leave()


def test_the_tour_shows_and_writes_what_it_says(tourist: Tourist, tmp_path: Path) -> None:
    current = tree_of(ROOT / "examples" / "bank")
    states = states_of(current)
    steps = steps_of(README)
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        shown = tourist.run(step)
        place = f"README.md:{step.line}"
        assert matches(step.shown, shown), "\n".join([f"{place} shows something else:", *shown])
        if _writes(step) and not isinstance(following, Answered):
            current = next(states)
        assert tree_of(tmp_path / "bank") == current, f"{place}: the files hold something else"
    assert list(states) == [], "a flush is missing"


def _writes(step: Step) -> bool:
    """Whether files may change: at a flush, or at the answer to the question of one."""
    match step:
        case Typed(text=text):
            return text.startswith(":flush")
        case Answered(question=question):
            return question.startswith("Write ") and "operation" in question
        case _:
            return False


def test_the_renames_of_the_tour_reach_more_than_five_files() -> None:
    original = tree_of(ROOT / "examples" / "bank")
    renamed = with_renames(original)
    assert sum(renamed.get(path) != text for path, text in original.items()) > 6
    assert b"super book: " in renamed["src/products/ChildAccount.bt"]
    assert b"self book: " in renamed["src/products/SavingsAccount.bt"]


# ---------------------------------------------------------------- reading it


def test_steps_have_their_lines() -> None:
    tour = "```console|$ make repl|hello|bt> :flush x|Sure? [y/N] y|done|Now? [y/N]|```|prose"
    text = f"```console|bt> out|```|{BEGIN}|{tour}|{END}".replace("|", "\n")
    assert steps_of(text) == [
        Shell(6, "make repl", ["hello"]),
        Typed(8, ":flush x"),
        Answered(9, "Sure? [y/N] ", "y", ["done"]),
        Answered(11, "Now? [y/N] ", ""),
    ]


@pytest.mark.parametrize(
    ("pattern", "lines", "expected"),
    [
        (["a"], ["a"], True),
        (["a"], ["b"], False),
        (["a"], ["a", "b"], False),
        ([], ["a"], False),
        ([" "], [""], True),
        (["a … c"], ["a b b c"], True),
        (["a … c"], ["a b", "c"], False),
        (["…", "z"], ["a", "b", "z"], True),
        (["…", "z"], ["z"], True),
        (["…", "z"], ["a"], False),
        (["a.c"], ["abc"], False),
    ],
)
def test_what_matches(pattern: list[str], lines: list[str], *, expected: bool) -> None:
    assert matches(pattern, lines) == expected
