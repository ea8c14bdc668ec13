"""Colours of the prompt: sixteen, and no state is told by colour alone (workspace.md 3.8)."""

from __future__ import annotations

from typing import Final

from prompt_toolkit.styles import Style

STYLE: Final = Style.from_dict(
    {
        "prompt": "ansigreen",
        "continuation": "ansiyellow",
        "bottom-toolbar": "noreverse ansibrightblack",
        "bt.comment": "ansibrightblack",
        "bt.doc": "ansibrightblack italic",
        "bt.class-name": "ansicyan",
        "bt.pseudo": "ansimagenta",
        "bt.keyword": "ansiblue",
        "bt.modifier": "ansimagenta",
        "bt.number": "ansiyellow",
        "bt.string": "ansigreen",
        "bt.character": "ansigreen",
        "bt.symbol": "ansiyellow",
        "bt.annotation": "ansibrightblack",
        "bt.mistake": "ansired",
        "bt.command": "bold",
        "matching-bracket.cursor": "bold",
        "matching-bracket.other": "bold",
        "auto-suggestion": "ansibrightblack",
    }
)
PLAIN_STYLE: Final = Style.from_dict({"bottom-toolbar": "noreverse"})
