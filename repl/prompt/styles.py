"""Colours of the prompt: sixteen, and no state is told by colour alone (workspace.md 3.8)."""

from __future__ import annotations

from typing import Final

from prompt_toolkit.styles import Style

STYLE: Final = Style.from_dict(
    {
        "prompt": "ansigreen",
        "continuation": "ansiyellow",
        "bottom-toolbar": "noreverse ansibrightblack",
        "syntax.comment": "ansibrightblack",
        "syntax.doc": "ansibrightblack italic",
        "syntax.class-name": "ansicyan",
        "syntax.pseudo": "ansimagenta",
        "syntax.keyword": "ansiblue",
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
    }
)
PLAIN_STYLE: Final = Style.from_dict({"bottom-toolbar": "noreverse"})
