"""Leafing through a text that is longer than the screen (workspace.md 3.8).

Comes in: text that may hold colours. Guarantees: what fits is never paged; keys are those of `less`;
the screen before comes back. Leaves: what is worth it to the prompt.
"""

from __future__ import annotations

import re
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples, to_formatted_text
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import Output
from prompt_toolkit.styles import BaseStyle

from lang.dataclass import dataclass, field
from lang.diagnostics.render import display_width

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_PIECE: Final = re.compile(r"\x1b\[[0-9;]*m|[\s\S]")
HELP: Final = """Keys of the pager:
  space, PageDown   a page on          b, PageUp   a page back
  Enter, j, Down    a line on          k, Up       a line back
  g, Home           the beginning      G, End      the end
  /TEXT             search             n, N        next, previous match
  h                 these keys         q           back"""


def fits(text: str, rows: int, columns: int) -> bool:
    """Whether a text can be printed in so many rows; long lines take several."""
    count = 0
    for line in text.split("\n"):
        count += max(1, -(-display_width(_COLOUR.sub("", line)) // max(columns, 1)))
        if count > rows:
            return False
    return True


def wrapped(text: str, columns: int) -> list[str]:
    """The lines of a text, long ones broken; colours go on over a break."""
    lines: list[str] = []
    for line in text.split("\n"):
        if len(line) <= columns:
            lines.append(line)
        else:
            lines += _broken(line, max(columns, 1))
    return lines


def _broken(line: str, columns: int) -> list[str]:
    found, piece, width = [], "", 0
    for part in _PIECE.findall(line):
        cells = 0 if part.startswith("\x1b") else display_width(part)
        if width + cells > columns:
            found.append(piece)
            piece, width = "", 0
        piece += part
        width += cells
    return [*found, piece]


@dataclass(slots=True)
class Leaf:
    """Where somebody is in a text: pure, so that it can be tested without a screen."""

    text: str
    rows: int = 24
    columns: int = 0
    lines: list[str] = field(default_factory=list)
    top: int = 0
    wanted: str = ""
    typing: str | None = None
    """What has been typed of a search; None while none is typed."""

    def fit(self, rows: int, columns: int) -> None:
        """Take the size of the screen."""
        self.rows = max(1, rows)
        if columns != self.columns:
            self.columns = columns
            self.lines = wrapped(self.text, columns)
        self.move(0)

    def show(self, text: str) -> None:
        """Another text, from its beginning."""
        self.text, self.lines, self.top = text, wrapped(text, self.columns), 0

    def move(self, lines: int) -> None:
        """Go on or back, never over an end."""
        self.top = max(0, min(self.top + lines, len(self.lines) - self.rows))

    def find(self, step: int) -> bool:
        """Go to the next line (or the one before) that has what is wanted; whether there is one."""
        if not self.wanted:
            return False
        wanted = self.wanted.lower()
        places = range(self.top + step, len(self.lines) if step > 0 else -1, step)
        at = next((n for n in places if wanted in _COLOUR.sub("", self.lines[n]).lower()), None)
        if at is None:
            return False
        self.top = at
        self.move(0)
        return True

    @property
    def shown(self) -> list[str]:
        """The lines on the screen."""
        return self.lines[self.top : self.top + self.rows]

    @property
    def status(self) -> str:
        """The last line of the screen."""
        if self.typing is not None:
            return f"/{self.typing}"
        last = min(self.top + self.rows, len(self.lines))
        end = " (end)" if last == len(self.lines) else ""
        return f"lines {self.top + 1}-{last} of {len(self.lines)}{end}  q: back  h: keys"


async def leaf_through(text: str, source: Input | None, screen: Output | None, style: BaseStyle) -> None:
    """Show a text page by page, until the reader has enough."""
    leaf = Leaf(text)
    body = Window(FormattedTextControl(lambda: _body(leaf, app)), wrap_lines=False)
    status = Window(FormattedTextControl(lambda: [("class:pager.status", leaf.status)]), height=1)
    app: Application[None] = Application(
        Layout(HSplit([body, status])),
        key_bindings=_keys(leaf, text),
        full_screen=True,
        style=style,
        input=source,
        output=screen,
    )
    await app.run_async(handle_sigint=False)


def _body(leaf: Leaf, app: Application[None]) -> StyleAndTextTuples:
    size = app.output.get_size()
    leaf.fit(size.rows - 1, size.columns)
    return to_formatted_text(ANSI("\n".join(leaf.shown)))


def _keys(leaf: Leaf, text: str) -> KeyBindings:
    keys = KeyBindings()
    is_typing = Condition(lambda: leaf.typing is not None)
    for names, distance in (
        ((" ", "pagedown", "f"), lambda: leaf.rows),
        (("b", "pageup"), lambda: -leaf.rows),
        (("enter", "j", "down"), lambda: 1),
        (("k", "up"), lambda: -1),
        (("g", "home"), lambda: -len(leaf.lines)),
        (("G", "end"), lambda: len(leaf.lines)),
    ):
        for name in names:
            keys.add(name, filter=~is_typing)(lambda _event, distance=distance: leaf.move(distance()))
    keys.add("n", filter=~is_typing)(lambda _event: _ignore(leaf.find(1)))
    keys.add("N", filter=~is_typing)(lambda _event: _ignore(leaf.find(-1)))

    @keys.add("h", filter=~is_typing)
    def _help(_event: KeyPressEvent) -> None:
        leaf.show(text if leaf.text == HELP else HELP)

    @keys.add("/", filter=~is_typing)
    def _search(_event: KeyPressEvent) -> None:
        leaf.typing = ""

    @keys.add("q", filter=~is_typing)
    @keys.add("c-c")
    @keys.add("c-d")
    def _leave(event: KeyPressEvent) -> None:
        event.app.exit()

    _add_search_keys(keys, leaf, is_typing)
    return keys


def _add_search_keys(keys: KeyBindings, leaf: Leaf, is_typing: Condition) -> None:
    @keys.add(Keys.Any, filter=is_typing)
    def _letter(event: KeyPressEvent) -> None:
        leaf.typing = f"{leaf.typing or ''}{event.data}"

    @keys.add("backspace", filter=is_typing)
    def _back(_event: KeyPressEvent) -> None:
        leaf.typing = leaf.typing[:-1] if leaf.typing else None

    @keys.add("enter", filter=is_typing)
    def _go(_event: KeyPressEvent) -> None:
        leaf.wanted, leaf.typing = leaf.typing or leaf.wanted, None
        _ignore(leaf.find(1))


def _ignore(_found: object) -> None:
    """A key answers nothing."""
