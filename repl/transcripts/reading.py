"""The lines of a `.btscript` file (stdlib.md 7.1).

Comes in: the text of a file, and what tells complete inputs from incomplete ones.
Guarantees: loads, expected load failures and checks with their line numbers; what the
rules call a failure before anything runs is a `Malformed`. Leaves: running and matching.
"""

from __future__ import annotations

from collections.abc import Callable

from lang.dataclass import dataclass

EXPECTATION = "// =>"
_LOAD = "// @load "
_LOAD_ERROR = "// @load-error"

IsComplete = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Load:
    """A file to load before the first input; `path` is relative to the folder of the run."""

    line: int
    path: str


@dataclass(frozen=True, slots=True)
class LoadFailure:
    """A file whose load must fail with an error text that contains `text`."""

    line: int
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Check:
    """One input, the line on which it begins, and what it must answer."""

    line: int
    text: str
    expected: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """A line that fails the file without being run."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Script:
    """One transcript; each part is in the order of the file."""

    loads: tuple[Load, ...]
    load_failures: tuple[LoadFailure, ...]
    checks: tuple[Check, ...]
    malformed: tuple[Malformed, ...]


def read_script(text: str, is_complete: IsComplete) -> Script:
    """Read a transcript; never raises."""
    return _Reader(text.split("\n"), is_complete).script()


class _Reader:
    """One pass over the lines; `_at` is the index of the next one."""

    def __init__(self, lines: list[str], is_complete: IsComplete) -> None:
        self._lines = lines
        self._is_complete = is_complete
        self._at = 0
        self._loads: list[Load] = []
        self._load_failures: list[LoadFailure] = []
        self._checks: list[Check] = []
        self._malformed: list[Malformed] = []

    def script(self) -> Script:
        while self._at < len(self._lines):
            line = self._lines[self._at].strip()
            if line.startswith("//"):
                self._read_directive(line, self._at + 1)
                self._at += 1
            elif line:
                self._read_check()
            else:
                self._at += 1
        return Script(
            tuple(self._loads), tuple(self._load_failures), tuple(self._checks), tuple(self._malformed)
        )

    def _read_directive(self, line: str, number: int) -> None:
        if line.startswith(_LOAD_ERROR):
            path, arrow, text = line.removeprefix(_LOAD_ERROR).partition("=>")
            if path.strip() and arrow and text.strip():
                self._load_failures.append(LoadFailure(number, path.strip(), text.strip()))
            else:
                self._malformed.append(Malformed(number, "@load-error needs a path, => and a text"))
        elif line.startswith(_LOAD):
            self._loads.append(Load(number, line.removeprefix(_LOAD).strip()))

    def _read_check(self) -> None:
        number = self._at + 1
        text = self._input()
        following = self._lines[self._at].strip() if self._at < len(self._lines) else ""
        if not following.startswith(EXPECTATION):
            reason = "expression will not be executed (missing assertion)"
            self._malformed.append(Malformed(number, reason))
            return
        self._checks.append(Check(number, text, following.removeprefix(EXPECTATION).strip()))
        self._at += 1

    def _input(self) -> str:
        """The input that begins here: later lines belong to it while it is incomplete or a class definition.

        Lines keep their indentation, for columns separate the members of a class; the first begins at 0.
        """
        lines = [self._lines[self._at].strip()]
        self._at += 1
        is_class = " subclass: " in lines[0]
        while self._at < len(self._lines):
            line = self._lines[self._at].rstrip()
            if not line or line.lstrip().startswith("//"):
                break
            if not (is_class and line[0].isspace()) and self._is_complete("\n".join(lines)):
                break
            lines.append(line)
            self._at += 1
        return "\n".join(lines)
