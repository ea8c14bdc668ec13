"""Documentation as a terminal shows it (workspace.md 4.1, end).

Comes in: the text of a help page, whose doc comments are Markdown. Guarantees: without colours the
text is unchanged; with them headings, lists, code and emphasis are styled, and no line is
lost. Leaves: what is in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from repl.highlighting import Part, pieces
from repl.paint import Palette, Style

_HEADING: Final = re.compile(r"#{1,6} +(.*)|(==+ .* ==+)")
_ITEM: Final = re.compile(r"(\s*)[-*] +")
_SPAN: Final = re.compile(
    r"`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<![\w*])[*_]([^\s*_](?:[^*_\n]*[^\s*_])?)[*_](?![\w*])"
)
_FENCE: Final = re.compile(r"\s*(```|~~~)")

_OF_PART: Final = {
    Part.COMMENT: Style.DIM,
    Part.DOC: Style.DIM,
    Part.CLASS_NAME: Style.HINT,
    Part.NUMBER: Style.WARNING,
    Part.STRING: Style.ADDED,
    Part.CHARACTER: Style.ADDED,
    Part.SYMBOL: Style.WARNING,
    Part.PSEUDO: Style.HINT,
    Part.MODIFIER: Style.HINT,
    Part.MISTAKE: Style.ERROR,
}


def rendered(text: str, palette: Palette) -> str:
    """A help page for a terminal."""
    return "\n".join(_lines(text, palette)) if palette.is_coloured else text


def _lines(text: str, palette: Palette) -> Iterator[str]:
    is_code = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            is_code = not is_code
        elif is_code:
            yield f"    {highlighted(line, palette)}"
        elif found := _HEADING.fullmatch(line):
            yield palette.paint(found[1] or found[2], Style.HEADING)
        else:
            yield _spans(_ITEM.sub(r"\1• ", line, count=1) if _ITEM.match(line) else line, palette)


def _spans(line: str, palette: Palette) -> str:
    def styled(found: re.Match[str]) -> str:
        code, strong, emphasis = found.groups()
        if code is not None:
            return palette.paint(code, Style.HINT)
        return palette.paint(strong or emphasis, Style.HEADING)

    # What stands far in is a signature or a listing, and no prose.
    return line if line.startswith("  ") else _SPAN.sub(styled, line)


def highlighted(source: str, palette: Palette) -> str:
    """Source text in the colours of its tokens."""
    if not palette.is_coloured:
        return source
    return "".join(
        palette.paint(source[each.start : each.end], _OF_PART[each.part])
        if each.part in _OF_PART
        else source[each.start : each.end]
        for each in pieces(source)
    )
