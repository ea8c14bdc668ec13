"""Colours of the prompt: sixteen, and no state is told by colour alone (workspace.md 3.8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from prompt_toolkit.styles import Style

from repl.settings import Theme

_DARK: Final = {
    "prompt": "ansigreen",
    "continuation": "ansiyellow",
    "bottom-toolbar": "noreverse ansibrightblack",
    "syntax.comment": "ansibrightblack",
    "syntax.doc": "ansibrightblack italic",
    "syntax.class-name": "ansicyan",
    "syntax.pseudo": "ansimagenta",
    "syntax.keyword": "ansibrightblue",
    "syntax.modifier": "ansimagenta",
    "syntax.number": "ansiyellow",
    "syntax.string": "ansigreen",
    "syntax.character": "ansigreen",
    "syntax.symbol": "ansiyellow",
    "syntax.annotation": "ansibrightblack",
    "syntax.mistake": "ansired",
    "syntax.command": "bold",
    "matching-bracket.cursor": "bold",
    "matching-bracket.other": "bold",
    "auto-suggestion": "ansibrightblack",
    "pager.status": "reverse",
    "pager.match": "reverse",
}
_ON_WHITE: Final = {
    "continuation": "ansired",
    "syntax.class-name": "ansiblue",
    "syntax.keyword": "ansiblue",
    "syntax.number": "ansired",
    "syntax.symbol": "ansired",
}
_NO_COLOUR: Final = {
    "bottom-toolbar": "noreverse",
    "syntax.command": "bold",
    "matching-bracket.cursor": "bold",
    "matching-bracket.other": "bold",
    "pager.status": "reverse",
    "pager.match": "reverse",
}

DARK_STYLE: Final = Style.from_dict(_DARK)
LIGHT_STYLE: Final = Style.from_dict({**_DARK, **_ON_WHITE})
MONO_STYLE: Final = Style.from_dict(_NO_COLOUR)
PLAIN_STYLE: Final = Style.from_dict({"bottom-toolbar": "noreverse"})
"""For terminals that must show no styles at all, bold included."""


def style_of(theme: Theme, environment: Mapping[str, str]) -> Style:
    """The style of a theme; `auto` asks what the terminal says of its background, and takes dark."""
    match theme:
        case Theme.LIGHT:
            return LIGHT_STYLE
        case Theme.MONO:
            return MONO_STYLE
        case Theme.DARK:
            return DARK_STYLE
        case Theme.AUTO:
            return LIGHT_STYLE if _has_white_background(environment) else DARK_STYLE


def _has_white_background(environment: Mapping[str, str]) -> bool:
    """`COLORFGBG` as terminals of the rxvt family set it: foreground, then background, by number."""
    return environment.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")
