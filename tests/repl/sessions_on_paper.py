"""Reading and replaying `.session` files: what is typed at the prompt and what must come back (workspace.md 9).

`bt> ` begins an input, `..> ` continues it; a comment `// 12 what it shows` at the end is not typed. All other lines
are output. A question stands with its answer on one line. `! edit FILE` appends a line to a file of the project,
`! write FILE` takes the `| ` lines that follow. `! awaits WHAT` says which other part still has to
bring the output of the next input; it is not compared. `// ` alone is a remark.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from repl.events import LEAVING, Failure, NilShown, OpenFile, Visit
from repl.session_core import SessionCore, Turn

_NUMBERED = re.compile(r"\s*// (\d+) [^\n]*$")
_MASKS = (
    (re.compile(r"\b0\.\d+\.0\b"), "0.N.0"),
    (re.compile(r"^#\d+ ", re.MULTILINE), "#N "),
    (re.compile(r"\(\d+\.\ds\)"), "(0.0s)"),
    (re.compile(r"\d+\.\d+ ms"), "N ms"),
)


@dataclass(slots=True)
class Exchange:
    """One input with its line and the output that must follow."""

    line: int
    text: str
    expected: list[str] = field(default_factory=list)
    edits: list[tuple[str, str]] = field(default_factory=list)
    is_awaited: bool = False


def read_session(text: str) -> list[Exchange]:
    """The exchanges of a file in order."""
    found: list[Exchange] = []
    edits: list[tuple[str, str]] = []
    is_awaited = False
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        if line.startswith("! edit "):
            edits.append((line.removeprefix("! edit ").strip(), "\n// edited\n"))
        elif line.startswith("! write "):
            edits.append((line.removeprefix("! write ").strip(), ""))
        elif edits and line.startswith("| "):
            edits[-1] = (edits[-1][0], edits[-1][1] + line[2:] + "\n")
        elif line.startswith("! awaits "):
            is_awaited = True
        elif line.startswith("bt> "):
            text = _NUMBERED.sub("", line.removeprefix("bt> "))
            found.append(Exchange(number, text, edits=edits, is_awaited=is_awaited))
            edits, is_awaited = [], False
        elif line.startswith("..>"):
            found[-1].text += "\n" + line[4:]
        elif not line.startswith("// "):
            found[-1].expected.append(line)
    return found


def masked(text: str) -> str:
    """The text without what differs from run to run."""
    for pattern, sign in _MASKS:
        text = pattern.sub(sign, text)
    return text


@dataclass(slots=True)
class Replay:
    """Types inputs into a session and collects its lines as a terminal would show them."""

    core: SessionCore
    root: Path
    transcript: list[str]

    def play(self, exchange: Exchange) -> list[str]:
        """The output of one exchange; answers to questions are taken from what is expected."""
        for path, text in exchange.edits:
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a") as opened:
                opened.write(text)
        if exchange.text.endswith("^C"):
            return []
        evaluator = self.core.workspace.evaluator
        if exchange.expected[:1] == ["^C"]:
            return self._interrupted(exchange.text)
        turn = evaluator.run(lambda: self.core.begin(exchange.text))
        shown = self._lines(turn)
        paper = iter(exchange.expected)
        while turn.question is not None:
            question = turn.question.question
            answer = _answer_to(question, paper, LEAVING if isinstance(turn.question, Visit) else "")
            shown.append(f"{question}{answer}".rstrip())
            turn = evaluator.run(lambda at=turn, said=answer: self.core.go_on(at, said))
            shown += self._lines(turn)
        return shown

    def _interrupted(self, text: str) -> list[str]:
        evaluator = self.core.workspace.evaluator
        evaluation = evaluator.submit(lambda: self.core.begin(text))
        time.sleep(0.05)
        evaluator.interrupt(evaluation)
        fault = evaluation.future.exception(5)
        return ["^C", type(fault).__name__]

    def _lines(self, turn: Turn) -> list[str]:
        lines = [f"│ {line}" for line in "".join(self.transcript).split("\n")[:-1]]
        self.transcript.clear()
        for event in turn.events:
            if isinstance(event, OpenFile):
                lines.append(f"(editor: {Path(event.path).relative_to(self.root)}:{event.line})")
                continue
            text = "nil" if isinstance(event, NilShown) else event.text
            if text or not isinstance(event, Failure):
                lines += text.split("\n")
        return lines


def _answer_to(question: str, paper: Iterator[str], nothing: str = "") -> str:
    """What stands behind the question in the expected output, further down than the answers before."""
    for line in paper:
        if line.startswith(question.rstrip()):
            return line.removeprefix(question.rstrip()).strip()
    return nothing


def sessions(folder: Path) -> Iterator[Path]:
    """The files of a folder."""
    yield from sorted(folder.glob("*.session"))
