"""Does an answer match what a transcript expects (stdlib.md 7.3, 7.5; workspace.md 6.10)."""

from __future__ import annotations

import re

from lang.dataclass import dataclass

_WILDCARD = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")


@dataclass(frozen=True, slots=True)
class Answer:
    """What an input gave.

    `displays` are the accepted forms of its value, the one to show first; `error` is the
    error text (message, then a line `Hint: …`), None after a success; `error_kind` its kind.
    """

    displays: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    error: str | None = None
    error_kind: str | None = None


def mismatch(expected: str, answer: Answer) -> str | None:
    """Why an answer is not what was expected, None when it is."""
    keyword, colon, text = expected.partition(":")
    text = text.strip()
    if colon and keyword == "ERROR" and answer.error is not None:
        found = text in answer.error or text == answer.error_kind
        return None if found else f"expected an error with {text!r}, got {answer.error!r}"
    if answer.error is not None:
        return f"expected {expected!r}, got the error {answer.error!r}"
    match keyword if colon else "":
        case "WARNING":
            found = any(text in each for each in answer.warnings)
            return None if found else f"expected a warning with {text!r}, got {list(answer.warnings)}"
        case "NO-WARNING":
            found = any(text in each for each in answer.warnings)
            return f"expected no warning with {text!r}, got {list(answer.warnings)}" if found else None
        case "INCLUDES":
            pieces = {piece.strip() for each in answer.displays for piece in each.split(",")}
            return None if text in pieces else f"expected {text!r} among {sorted(pieces)}"
    if any(matches_text(expected, each) for each in answer.displays):
        return None
    return f"expected {expected!r}, got {answer.displays[0] if answer.displays else ''!r}"


def matches_text(pattern: str, text: str) -> bool:
    """Whether a display text matches: equal, or with each `_` that stands free for any run of characters."""
    pieces = _WILDCARD.split(pattern.strip())
    if len(pieces) == 1:
        return pattern.strip() == text.strip()
    return re.fullmatch(".*".join(map(re.escape, pieces)), text.strip(), re.DOTALL) is not None
