"""Whole sessions at the prompt, as files: `tests/cases/repl/*.session` on a copy of a project beside them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from repl.display import Screen
from repl.events import Confirm, Failure, Steps
from repl.paint import PLAIN
from repl.session_core import SessionCore, Turn
from tests.repl.sessions_on_paper import Replay, masked, read_session, sessions
from tests.workspace.lab import library_cache
from workspace.opening import Opening, open_workspace

CASES = Path(__file__).parent.parent / "cases" / "repl"


class Collected:
    """A transcript that keeps what is written."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def write(self, text: str) -> object:
        self.pieces.append(text)
        return None


@pytest.fixture
def replay(tmp_path: Path) -> Iterator[Replay]:
    root = tmp_path / "orchard"
    shutil.copytree(CASES / "orchard", root)
    collected = Collected()
    workspace = open_workspace(Opening(root, library_cache=library_cache(), transcript=collected))
    workspace.evaluator.run(workspace.loader.sync)
    core = SessionCore(workspace, workspace.sessions.open("repl"), PLAIN, Screen())
    yield Replay(core, root, collected.pieces)
    workspace.close()


@pytest.mark.parametrize("file", list(sessions(CASES)), ids=lambda file: file.stem)
def test_a_session_reads_as_on_paper(file: Path, replay: Replay) -> None:
    wrong = []
    for exchange in read_session(file.read_text("utf-8")):
        shown = replay.play(exchange)
        wanted = masked("\n".join(line.rstrip() for line in exchange.expected).rstrip())
        found = masked("\n".join(line.rstrip() for line in shown).rstrip())
        if found != wanted and not exchange.is_awaited:
            wrong.append(
                f"{file.name}:{exchange.line}: {exchange.text}\n--- expected\n{wanted}\n--- got\n{found}"
            )
    assert not wrong, "\n\n".join(wrong)


def test_a_fault_behind_a_question_is_one_event(replay: Replay) -> None:
    def faulty() -> Steps:
        yield Confirm("Sure?", "y")
        raise OSError(5, "the disk is gone")

    turn = Turn([], steps=faulty())
    assert turn.steps is not None
    next(turn.steps)
    ended = replay.core.go_on(turn, "y")
    assert [type(event) for event in ended.events] == [Failure]
    assert "the disk is gone" in str(ended.events)
    assert ended.question is None
