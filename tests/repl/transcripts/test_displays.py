"""The display texts of values (stdlib.md 7.4)."""

from __future__ import annotations

import pytest

from lang.runtime.collections.lists import list_from
from lang.runtime.errors import BeamtalkError
from lang.runtime.symbols import symbol
from repl.transcripts.display import displays


class PlainPrinter:
    """Prints what needs no image."""

    def print_string(self, value: object) -> str:
        if value is None:
            return "nil"
        if isinstance(value, str):
            return f'"{value}"'
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, BeamtalkError):
            return "an Error"
        return "#(…)" if hasattr(value, "__iter__") else repr(value)


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (7, ("7",)),
        (None, ("nil",)),
        (True, ("true",)),
        ("", ("",)),
        ("a b", ("a b",)),
        (symbol("ripe"), ("ripe", "#ripe")),
        (list_from([]), ("[]", "#(…)")),
        (list_from([1, 2.5, "é", symbol("k"), None, True]), ('[1,"2.5","é","k","nil",true]', "#(…)")),
        (list_from([list_from([1]), 'q"q']), ('[[1],"q\\"q"]', "#(…)")),
        (BeamtalkError("user_error", "odd", hint="even"), ("odd", "an Error", "odd\nHint: even")),
    ],
)
def test_accepted_texts(value: object, texts: tuple[str, ...]) -> None:
    assert displays(PlainPrinter(), value) == texts
