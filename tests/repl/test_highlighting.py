from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.token import Name

from repl.highlighting import Part, pieces
from repl.pygments_lexer import BeamtalkLexer

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def parts(text: str) -> list[tuple[Part, str]]:
    return [(p.part, text[p.start : p.end]) for p in pieces(text) if p.part is not Part.BLANK]


@given(st.text(alphabet='ab:=>"{}[]()#$/* \n\t.|^!1A@\x1b', max_size=60))
def test_the_pieces_are_the_text(text: str) -> None:
    found = list(pieces(text))
    assert "".join(text[p.start : p.end] for p in found) == text.removeprefix("\ufeff")


@pytest.mark.parametrize("file", sorted(EXAMPLES.rglob("*.bt")), ids=lambda file: file.stem)
def test_a_source_has_no_mistakes(file: Path) -> None:
    text = file.read_text("utf-8")
    found = list(pieces(text))
    assert "".join(text[p.start : p.end] for p in found) == text
    assert not [p for p in found if p.part is Part.MISTAKE]


def test_each_piece_is_what_it_is() -> None:
    assert parts('sealed Actor subclass: A // c\n  x => self at: #k put: "s{n}"') == [
        (Part.MODIFIER, "sealed"),
        (Part.CLASS_NAME, "Actor"),
        (Part.MODIFIER, "subclass:"),
        (Part.CLASS_NAME, "A"),
        (Part.COMMENT, "// c"),
        (Part.NAME, "x"),
        (Part.OPERATOR, "=>"),
        (Part.PSEUDO, "self"),
        (Part.KEYWORD, "at:"),
        (Part.SYMBOL, "#k"),
        (Part.KEYWORD, "put:"),
        (Part.STRING, '"s{'),
        (Part.NAME, "n"),
        (Part.STRING, '}"'),
    ]


def test_a_word_modifies_only_where_it_can() -> None:
    assert (Part.NAME, "class") in parts("x class")


def test_pygments_gets_the_same_pieces() -> None:
    assert (Name.Class, "Coin") in list(BeamtalkLexer().get_tokens("Coin new"))
