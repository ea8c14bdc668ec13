"""What holds of every text that is formatted (workspace.md 6.8), and texts to ask it of."""

from __future__ import annotations

from random import Random

from lang.fmt.documents import WIDTH
from lang.fmt.files import Formatted, Unparsable, format_source
from lang.fmt.sameness import same_comments, same_trees
from lang.source import SourceText
from lang.syntax import parse_file
from lang.syntax.tokens import tokenize

_GAPS = (" ", "  ", "\n", "\n    ", "\n      ", "\t", "\r\n    ", "\n\n\n")
_COMMENTS = ("// a remark", "/* aside */", "/* over\n two lines */", "/// doc", "//", "//// not doc  ")


def formatted(text: str) -> str | None:
    """The text in canonical layout, when it has no mistakes; all laws are asserted."""
    outcome = format_source(SourceText(text))
    if isinstance(outcome, Unparsable):
        return None
    assert isinstance(outcome, Formatted), outcome
    result = outcome.text
    again = format_source(SourceText(result))
    assert again == outcome, "formatting twice is not the same as once"
    assert same_trees(parse_file(SourceText(text)), parse_file(SourceText(result)))
    assert same_comments(text, result)
    assert not result.removeprefix("\ufeff") or (result.endswith("\n") and not result.endswith("\n\n"))
    return result


def disturbed(random: Random, text: str) -> str:
    """The same tokens with other blanks, line ends and comments between some of them."""
    tokens = tokenize(text)
    pieces: list[str] = []
    behind = 0
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        between = text[behind:start]
        chance = random.random()
        if between and chance < 0.03:
            between = random.choice(_GAPS)
        elif between and chance < 0.06:
            comment = random.choice(_COMMENTS)
            line_end = "\n" if comment.startswith("//") else ""
            between = f"{between}{comment}{line_end or random.choice((' ', ''))}{between}"
        pieces += [between, text[start:end]]
        behind = end
    return "".join(pieces)


def longest_line(text: str) -> int:
    """How far the widest line is over the width that lines are broken at; 0 when none is."""
    return max(0, *(len(line) - WIDTH for line in text.splitlines()))
