"""The image of a prompt in a process of its own, driven line by line: what the tour of the README talks to.

Comes in: one JSON string a line on standard input, an input of the prompt or the answer to its
question. Guarantees: the image is opened, and inputs are run, by what the interactive prompt uses, what is told behind an input after it;
for each line one JSON object comes out, `{"lines": [...], "question": ..., "is_over": ...}`, the
first for the lines that the start prints. Leaves: the terminal itself to `tests/repl/test_terminal.py`.
"""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

from repl.command_line.opening import Place
from repl.events import Advice, Event, Failure, Leave, NilShown, OpenFile, Page, Refill, Shown, Value
from repl.paint import PLAIN
from repl.prompt.activity import Activity
from repl.prompt.image import LiveImage, open_live_image
from repl.prompt.outlet import Outlet
from repl.session_core import Turn


def main() -> None:
    """Serve inputs until the session is left or standard input ends."""
    outlet = Outlet(lambda: None)
    image = open_live_image(Place(Path(sys.argv[1])), PLAIN, outlet, Activity())
    try:
        _tell(outlet.take(), None, is_over=False)
        _serve(image, outlet)
    finally:
        image.close()


def _serve(image: LiveImage, outlet: Outlet) -> None:
    open_turn: Turn | None = None
    for line in sys.stdin:
        text = json.loads(line)
        if open_turn is None:
            action = partial(image.core.begin, text)
        else:
            action = partial(image.core.go_on, open_turn, text)
        turn = image.evaluator.run(action, "tour")
        image.flush_output()
        before = outlet.take()
        image.evaluator.run(image.workspace.rechecking.rounds.finish)
        is_over = any(isinstance(event, Leave) for event in turn.events)
        lines = [*before, *(each for event in turn.events for each in _lines(event)), *outlet.take()]
        open_turn = turn if turn.question is not None else None
        _tell(lines, turn.question.question if turn.question is not None else None, is_over=is_over)
        if is_over:
            return


def _lines(event: Event) -> list[str]:
    """What the prompt prints for an event."""
    match event:
        case Value(text) | Shown(text) | Page(text) | Advice(text) | Failure(text):
            return text.split("\n")
        case Leave(text):
            return [text] if text else []
        case Refill() | OpenFile():
            return []
        case NilShown():
            return ["nil"]


def _tell(lines: list[str], question: str | None, *, is_over: bool) -> None:
    sys.stdout.write(json.dumps({"lines": lines, "question": question, "is_over": is_over}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
