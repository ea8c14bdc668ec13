"""Text: grapheme clusters, the text of numbers, quoting.

Comes in: strings and numbers of the host. Guarantees: what a program counts as one
character is a grapheme cluster (language.md 4.12); Float text reads back to the same
double (stdlib.md 2.3). Leaves: errors to the callers.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

# Integers are unbounded (language.md 6): the host's guard against long decimal text is lifted once.
sys.set_int_max_str_digits(0)

_ALWAYS_SCIENTIFIC: Final = 2.0**53
_FIRST_COMBINING: Final = "\u0300"


def graphemes(text: str) -> Sequence[str]:
    """The grapheme clusters of a text, in order; a plain text is its own sequence."""
    if is_plain(text):
        return text
    import regex  # noqa: PLC0415 (25 ms, and most programs never meet a combining mark)

    found: list[str] = regex.findall(r"\X", text)
    return found


def is_plain(text: str) -> bool:
    """Whether every code point is a grapheme cluster.

    Below U+0300 nothing combines but CR with LF.
    """
    return (text.isascii() or max(text) < _FIRST_COMBINING) and "\r" not in text


def grapheme_count(text: str) -> int:
    """How many grapheme clusters a text has."""
    return len(graphemes(text))


def joined(clusters: Sequence[str]) -> str:
    """The text of a slice of `graphemes`."""
    return clusters if isinstance(clusters, str) else "".join(clusters)


def quoted(text: str) -> str:
    """The printString of a String: in double quotes, inner ones doubled (stdlib.md 2.3)."""
    return '"' + text.replace('"', '""') + '"'


def float_text(number: float) -> str:
    """The shorter of plain and scientific notation, plain on a tie (stdlib.md 2.3)."""
    sign = "-" if repr(number).startswith("-") else ""
    if number == 0.0:
        return f"{sign}0.0"
    digits, exponent = _shortest_digits(abs(number))
    scientific = f"{digits[0]}.{digits[1:] or '0'}e{exponent}"
    if abs(number) >= _ALWAYS_SCIENTIFIC:
        return sign + scientific
    plain = _plain_text(digits, exponent)
    return sign + (plain if len(plain) <= len(scientific) else scientific)


def _shortest_digits(number: float) -> tuple[str, int]:
    """The significant digits of a positive number, and the decimal exponent of the first."""
    mantissa, _, power = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    leading_zeros = len(whole + fraction) - len(digits)
    exponent = len(whole) - 1 - leading_zeros + int(power or "0")
    return digits.rstrip("0"), exponent


def _plain_text(digits: str, exponent: int) -> str:
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + digits
    whole = digits[: exponent + 1].ljust(exponent + 1, "0")
    return f"{whole}.{digits[exponent + 1 :] or '0'}"


def binary_text(octets: bytes) -> str:
    """The printString of bytes that are no text: `<<FF 00>>`."""
    return "<<" + octets.hex(" ").upper() + ">>"
