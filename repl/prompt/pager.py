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

from lang.dataclass import dataclass

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
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
        count += max(1, -(-len(_COLOUR.sub("", line)) // max(columns, 1)))
        if count > rows:
            return False
    return True


@dataclass(slots=True)
class Leaf:
    """Where somebody is in a text: pure, so that it can be tested without a screen."""

    lines: list[str]
    rows: int
    top: int = 0
    wanted: str = ""
    typing: str | None = None
    """What has been typed of a search; None while none is typed."""

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
    leaf = Leaf(text.split("\n"), 24)
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
    leaf.rows = max(1, app.output.get_size().rows - 1)
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
        is_help = leaf.lines == HELP.split("\n")
        leaf.lines, leaf.top = (text if is_help else HELP).split("\n"), 0

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
