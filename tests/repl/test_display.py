from __future__ import annotations

from dataclasses import dataclass

import pytest

from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.errors import BeamtalkError
from repl.display import Screen, display_text, terminal_text
from repl.paint import COLOURED, PLAIN, palette_for, visible
from repl.suggestions import edits, near


@dataclass
class Printing:
    """Prints lists and Python's own values; a text that is given instead of all."""

    fixed: str | None = None

    def print_string(self, value: object) -> str:
        if self.fixed is not None:
            return self.fixed
        if isinstance(value, BtList):
            return f"#({', '.join(map(self.print_string, value))})"
        return f'"{value}"' if isinstance(value, str) else str(value)

    def class_name_of(self, value: object) -> str:
        return type(value).__name__


class Failing(Printing):
    def print_string(self, value: object) -> str:
        raise BeamtalkError("signal", "no plums")


NARROW = Screen(width=20, max_elements=5)


def test_a_top_level_string_is_its_text() -> None:
    assert display_text(Printing(), "plum") == "plum"


def test_a_block_tells_how_many_arguments_it_takes() -> None:
    assert display_text(Printing(), lambda a, b: None) == "Block/2"


def test_a_print_string_that_fails_is_said() -> None:
    assert display_text(Failing(), 3) == "int(printString failed: no plums)"


def test_strings_are_quoted_where_that_is_set() -> None:
    assert terminal_text(Printing(), "plum", Screen(quote=True)) == '"plum"'


def test_a_long_list_is_cut_at_the_setting() -> None:
    assert (
        terminal_text(Printing(), list_of(list(range(8))), NARROW)
        == "#(\n  0, 1, 2, 3, 4,\n  ... (3 more)\n)"
    )


def test_a_list_of_just_the_setting_is_whole() -> None:
    assert terminal_text(Printing(), list_of(list(range(5))), NARROW) == "#(0, 1, 2, 3, 4)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Coin(currency: 1, pence: 22)", "Coin(\n  currency: 1,\n  pence: 22\n)"),
        ('#("a, b", "(c", #(1, 2))', '#(\n  "a, b", "(c",\n  #(1, 2)\n)'),
        ("(1 to: 30) and more than that", "(1 to: 30) and more than that"),
        ("an object with a long name", "an object with a long name"),
        ("#(aaaaaaaaaaaaaaaaaaaaaaaaa)", "#(aaaaaaaaaaaaaaaaaaaaaaaaa)"),
        ("first line, of two\nsecond line, wide", "first line, of two\nsecond line, wide"),
    ],
)
def test_lines_break_after_top_level_commas(text: str, shown: str) -> None:
    assert terminal_text(Printing(text), object(), NARROW) == shown


def test_wide_letters_take_two_cells() -> None:
    assert terminal_text(Printing("#(漢字漢字, 漢字漢字)"), object(), NARROW).startswith("#(\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "␛[31mred"),
        ("a\tb\nc", "a\tb\nc"),
        ("\x07\x7f", "␇␡"),
        ("\x9b1m", "␛[1m"),
        ("ä漢", "ä漢"),
    ],
)
def test_control_characters_become_signs(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_diff_is_coloured_line_by_line() -> None:
    assert COLOURED.diff("-a\n+b") == "\x1b[31;1m-a\x1b[0m\n\x1b[32m+b\x1b[0m"
    assert PLAIN.diff("-a\n+b") == "-a\n+b"


class Screenlike:
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "is_coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colour_is_for_terminals_that_want_it(environment: dict[str, str], is_coloured: bool) -> None:
    stream = Screenlike()
    assert palette_for(stream, environment, forbidden=False).is_coloured is is_coloured  # type: ignore[arg-type]
    assert not palette_for(stream, environment, forbidden=True).is_coloured  # type: ignore[arg-type]


def test_exchanged_neighbours_are_one_edit() -> None:
    assert edits("rign:", "ring:") == 1
    assert edits("", "abc") == 3
    assert edits("abc", "abc") == 0


def test_near_words_come_nearest_first_and_never_the_word_itself() -> None:
    assert near("flsh", ["flush", "flash", "load", "flsh"]) == ("flash", "flush")
    assert near("x", ["y", "abc"], most=3) == ("y",)
    assert near("ab", ["cd"]) == ()
