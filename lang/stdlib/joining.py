"""Making one String of the elements of a collection (stdlib.md 3.9, 3.13)."""

from __future__ import annotations

from collections.abc import Iterable

from lang.stdlib import arguments as expect


def joined_text(elements: Iterable[object], separator: str, class_name: str, selector: str) -> str:
    """The Strings, joined; an Integer counts as a code point, anything else is a `type_error`."""
    return separator.join([text_of_piece(element, class_name, selector) for element in elements])


def text_of_piece(element: object, class_name: str, selector: str) -> str:
    """The text of one piece of a String."""
    if type(element) is str:
        return element
    if type(element) is int:
        return character_text(element, class_name, selector)
    raise expect.type_error(class_name, selector, "Expected Strings")


def character_text(code_point: int, class_name: str, selector: str) -> str:
    """The String of a code point; surrogates and what lies out of range are refused."""
    if 0 <= code_point <= 0x10FFFF and not 0xD800 <= code_point <= 0xDFFF:
        return chr(code_point)
    raise expect.type_error(class_name, selector, f"{code_point} is no Unicode code point")
