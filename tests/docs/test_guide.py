"""The guide is true: its blocks are typed into a session on a copy of `examples/bank`, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from repl.display import Screen
from repl.events import Failure, Leave, NilShown
from repl.paint import PLAIN
from repl.session_core import SessionCore, Turn
from tests.docs.pages import Example, page_steps
from tests.examples.copies import copy_of
from tests.tour.transcript import Answered, Shell, Typed, matches
from workspace.opening import Opening, open_workspace

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "guide").glob("*.md"))


class Collected:
    """A transcript whose lines are marked as at the prompt."""

    def __init__(self) -> None:
        self._text = ""

    def write(self, text: str) -> object:
        self._text += text
        return None

    def take(self) -> list[str]:
        lines = [f"│ {line}" for line in self._text.split("\n")[:-1]]
        self._text = ""
        return lines


class Reader:
    """Somebody who types a page."""

    def __init__(self, core: SessionCore, transcript: Collected) -> None:
        self._core = core
        self._transcript = transcript
        self.turn = Turn([])

    def type(self, text: str) -> list[str]:
        """The lines that come back."""
        core, before = self._core, self.turn
        if before.question is None:
            self.turn = core.workspace.evaluator.run(lambda: core.begin(text))
        else:
            self.turn = core.workspace.evaluator.run(lambda: core.go_on(before, text))
        shown = ["nil" if isinstance(each, NilShown) else each.text for each in self.turn.events]
        return [*self._transcript.take(), *(line for text in shown for line in text.split("\n"))]

    @property
    def has_failed(self) -> bool:
        """Whether the last input ended in an error."""
        return any(isinstance(each, Failure) for each in self.turn.events)

    @property
    def has_left(self) -> bool:
        """Whether the last input ended the session."""
        return any(isinstance(each, Leave) for each in self.turn.events)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def reader(tmp_path: Path, cache: Path) -> Iterator[Reader]:
    root = copy_of("bank", tmp_path / "bank")
    transcript = Collected()
    workspace = open_workspace(Opening(root, library_cache=cache, transcript=transcript))
    workspace.evaluator.run(workspace.loader.sync)
    yield Reader(SessionCore(workspace, workspace.sessions.open("repl"), PLAIN, Screen()), transcript)
    workspace.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_true(page: Path, reader: Reader) -> None:
    for step in page_steps(page.read_text("utf-8")):
        place = f"{page.name}:{step.line}"
        match step:
            case Shell():
                continue
            case Typed(text=text, shown=expected):
                assert reader.turn.question is None, f"{place}: {reader.turn.question}"
                check(place, expected, reader.type(text))
            case Answered(question=question, text=text, shown=expected):
                assert reader.turn.question is not None, f"{place}: nothing was asked"
                assert reader.turn.question.question == question
                check(place, expected, reader.type(text))
            case Example(text=text, shown=expected_text):
                run_example(place, text, expected_text, reader)
    assert reader.turn.question is None, "the page ends with an open question"


def run_example(place: str, text: str, expected: str | None, reader: Reader) -> None:
    """One input of a `beamtalk` block."""
    shown = reader.type(text)
    if expected is None:
        assert not reader.has_failed, "\n".join([place, *shown])
    else:
        check(place, [expected, *(["…"] if expected.startswith("Error: ") else [])], shown)


def check(place: str, expected: list[str], shown: list[str]) -> None:
    """What is shown is what the page says."""
    assert matches(expected, shown), "\n".join([f"{place} shows something else:", *shown])


def test_there_are_pages() -> None:
    assert len(PAGES) >= 7


def test_every_page_is_in_the_table_of_contents() -> None:
    contents = (ROOT / "docs" / "README.md").read_text("utf-8")
    for page in PAGES:
        assert f"(guide/{page.name})" in contents


# ---------------------------------------------------------------- reading pages


def test_blocks_are_cut_into_inputs() -> None:
    page = """
```beamtalk
// a remark
x := 3 +
  4
x // => 7
Value subclass: Pear
  field: size = 1

  big => self.size > 3
Pear new
// => Pear(size: 1)
```
```python
not read
```
"""
    assert page_steps(page) == [
        Example(4, "x := 3 +\n  4"),
        Example(6, "x", "7"),
        Example(7, "Value subclass: Pear\n  field: size = 1\n\n  big => self.size > 3"),
        Example(11, "Pear new", "Pear(size: 1)"),
    ]
