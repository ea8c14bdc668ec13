"""Colours of the terminal, and text that cannot drive it (workspace.md 3.5, 3.8).

Comes in: pieces of text and what they are. Guarantees: without colour the text is unchanged;
data that is shown holds no control character but newlines and tabs. Leaves: the colours of
the line that is being edited to the prompt.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TextIO

from lang.dataclass import dataclass
from lang.deferred import deferred
from lang.diagnostics import Severity

if TYPE_CHECKING:
    from lang.diagnostics import render
    from lang.diagnostics.render import Role
else:
    render = deferred("lang.diagnostics.render")


class Style(enum.Enum):
    """What a piece of text is; the value is the SGR parameter that shows it."""

    ERROR = "31"
    WARNING = "33"
    HINT = "36"
    LINT = "90"
    DIM = "2"
    ADDED = "32"
    REMOVED = "31;1"
    HUNK = "36;1"
    HEADING = "1"
    GOOD = "32;1"


_OF_SEVERITY: Final = {
    Severity.ERROR: Style.ERROR,
    Severity.WARNING: Style.WARNING,
    Severity.HINT: Style.HINT,
    Severity.LINT: Style.LINT,
}

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Palette:
    """Whether and how text is coloured."""

    is_coloured: bool

    def paint(self, text: str, style: Style) -> str:
        """The text in a style."""
        return f"\x1b[{style.value}m{text}\x1b[0m" if self.is_coloured and text else text

    def diagnostic(self, text: str, role: Role, severity: Severity) -> str:
        """The `Paint` of the renderer of diagnostics."""
        return self.paint(text, Style.LINT if role is render.Role.LINE_NUMBER else _OF_SEVERITY[severity])

    def diff(self, text: str) -> str:
        """A unified diff, line by line."""
        if not self.is_coloured:
            return text
        return "\n".join(self._diff_line(line) for line in text.split("\n"))

    def _diff_line(self, line: str) -> str:
        if line.startswith(("+++", "---", "diff ", "rename ", "similarity ")):
            return self.paint(line, Style.HEADING)
        match line[:1]:
            case "+":
                return self.paint(line, Style.ADDED)
            case "-":
                return self.paint(line, Style.REMOVED)
            case "@":
                return self.paint(line, Style.HUNK)
        return line


PLAIN: Final = Palette(is_coloured=False)
COLOURED: Final = Palette(is_coloured=True)


def palette_for(stream: TextIO, environment: Mapping[str, str], *, forbidden: bool) -> Palette:
    """Colour for a stream: none off a terminal, with `NO_COLOR`, on a dumb terminal, or when forbidden."""
    if forbidden or environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return PLAIN
    return COLOURED if stream.isatty() else PLAIN


def visible(text: str) -> str:
    """The text with its control characters as signs: `␛[31m` for a colour sequence."""
    return text if text.isascii() and text.isprintable() else _CONTROL.sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"␛{chr(code - 0x40)}"
