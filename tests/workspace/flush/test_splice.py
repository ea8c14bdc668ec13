"""Unit texts in and out of files: nothing else may change (changes.md 5.4, 9; cases F1, F2)."""

from __future__ import annotations

import pytest

from lang.source import SourceText
from lang.syntax import cut_file
from lang.syntax.units import Side, UnitKind, UnitName
from workspace.flush.outcome import ConflictReason
from workspace.flush.rows import UnitEdit
from workspace.flush.splice import FileProblem, Spliced, UnitChange, reapply, splice_file

COUNTER = """\
/// Counter.
Actor subclass: Counter
  state: value = 0

  /// Adds one.
  increment => self.value := self.value + 1

  getValue => self.value

  class make => self spawn
"""


def method(selector: str, side: Side = Side.INSTANCE, owner: str = "Counter") -> UnitName:
    return UnitName(UnitKind.METHOD, owner, side, selector)


def texts_of(data: bytes) -> dict[UnitName, str]:
    text = data.decode().removeprefix("\ufeff").replace("\r\n", "\n")
    return {each.name: text[each.span.start : each.span.end] for each in cut_file(SourceText(text))}


def spliced(data: bytes | str, *changes: UnitChange, numbered: bool = True) -> Spliced:
    data = data.encode() if isinstance(data, str) else data
    lineages = [(name, number) for number, name in enumerate(texts_of(data), 1)] if numbered else []
    made = splice_file("src/Counter.bt", data, lineages, changes, cut_file)
    assert isinstance(made, Spliced), made
    return made


def change(
    data: str, name: UnitName, after: str | None, column: int | None = None, **named: object
) -> UnitChange:
    texts = texts_of(data.encode())
    lineage = list(texts).index(name) + 1 if name in texts else 99
    before = texts.get(name)
    return UnitChange(lineage, name if before is not None else None, before, name, after, column, **named)  # type: ignore[arg-type]


def result(data: str, *changes: UnitChange) -> str:
    return spliced(data, *changes).data.decode()


# ------------------------------------------------------------------ replacing


def test_a_replaced_method_changes_its_own_lines_only() -> None:
    after = "/// Adds one.\n  increment => self.value := self.value + 2"
    made = result(COUNTER, change(COUNTER, method("increment"), after))
    assert made == COUNTER.replace("+ 1", "+ 2")


def test_a_patch_is_shifted_to_the_column_of_its_unit_but_not_inside_strings() -> None:
    after = '/// Doc.\nincrement =>\n  x := "one\n two {self\n value} three"\n\n  x'
    made = result(COUNTER, change(COUNTER, method("increment"), after, column=0))
    assert '  /// Doc.\n  increment =>\n    x := "one\n two {self\n value} three"\n\n    x\n' in made


def test_tabs_stay_tabs() -> None:
    data = "Object subclass: Tabbed\n\ta => 1\n\tb =>\n\t\t\t2\n"
    made = result(data, change(data, method("b", owner="Tabbed"), "b =>\n  3\n  4", column=0))
    assert made == "Object subclass: Tabbed\n\ta => 1\n\tb =>\n\t  3\n\t  4\n"
    added = result(data, change(data, method("c", owner="Tabbed"), "c =>\n    3", column=2))
    assert added == data + "\tc =>\n\t  3\n"


def test_crlf_stays_crlf_in_what_is_put_in_too() -> None:
    data = COUNTER.replace("\n", "\r\n")
    made = spliced(
        data,
        change(COUNTER, method("increment"), "increment =>\n    1\n    2"),
        change(COUNTER, method("twice"), "twice => 2"),
    ).data
    assert made.count(b"\n") == made.count(b"\r\n")
    assert made.replace(b"\r\n", b"\n").decode() == result(
        COUNTER,
        change(COUNTER, method("increment"), "increment =>\n    1\n    2"),
        change(COUNTER, method("twice"), "twice => 2"),
    )


def test_mixed_line_ends_stay_where_the_lines_stay() -> None:
    data = "Object subclass: A\r\n  m =>\n    one\r\n    two\n    three\r\n  n => 1\n"
    name = method("m", owner="A")
    made = spliced(data, change(data, name, "m =>\n    one\n    2\n    three")).data.decode()
    assert made == data.replace("two", "2")
    made = spliced(data, change(data, name, "m =>\n    one\n    two\n    more\n    three")).data.decode()
    assert made == data.replace("two\n", "two\n    more\n")


def test_a_mark_and_a_missing_final_newline_stay() -> None:
    data = b"\xef\xbb\xbf" + COUNTER.rstrip("\n").encode()
    made = spliced(data, change(COUNTER, method("make", Side.CLASS), "class make => 7")).data
    assert made == b"\xef\xbb\xbf" + COUNTER.replace("self spawn", "7").rstrip("\n").encode()
    made = spliced(data, change(COUNTER, method("other", Side.CLASS), "class other => 7")).data
    assert made == data + b"\n\n  class other => 7"


def test_what_stands_between_units_stays() -> None:
    data = COUNTER.replace("  getValue", "  // A remark of its own.\n\n  getValue") + "\n// The end."
    made = result(data, change(data, method("getValue"), "getValue => 2"))
    assert made == data.replace("getValue => self.value", "getValue => 2")


# ------------------------------------------------------------------ adding


def test_a_new_method_goes_behind_the_last_of_its_side() -> None:
    made = result(COUNTER, change(COUNTER, method("twice"), "twice => self.value * 2"))
    assert made == COUNTER.replace("  class make", "  twice => self.value * 2\n\n  class make")


def test_new_methods_keep_their_order() -> None:
    made = result(
        COUNTER,
        UnitChange(98, None, None, method("a", Side.CLASS), "class a => 1"),
        UnitChange(99, None, None, method("b", Side.CLASS), "class b => 2"),
    )
    assert made == COUNTER + "\n  class a => 1\n\n  class b => 2\n"


def test_no_blank_line_where_the_neighbours_have_none() -> None:
    data = "Object subclass: A\n  a => 1\n  b => 2\n"
    assert result(data, change(data, method("c", owner="A"), "c => 3")) == data + "  c => 3\n"


def test_the_first_method_goes_behind_the_header() -> None:
    data = "Value subclass: A\n    field: x = 1\n"
    assert result(data, change(data, method("c", owner="A"), "c => 3")) == data + "\n    c => 3\n"


def test_a_class_in_the_middle_of_a_file_grows_at_its_end() -> None:
    data = "type Small = Integer\n\nObject subclass: A\n  a => 1\n\nInteger >> half => self / 2\n"
    made = result(data, change(data, method("b", owner="A"), "b => 2"))
    assert made == data.replace("  a => 1\n", "  a => 1\n  b => 2\n")


def test_an_extension_goes_behind_the_last_of_its_class() -> None:
    data = "Integer >> a => 1\n\nFloat >> b => 2\n"
    name = UnitName(UnitKind.EXTENSION, "Integer", Side.INSTANCE, "c")
    made = result(data, UnitChange(99, None, None, name, "Integer >> c => 3"))
    assert made == "Integer >> a => 1\n\nInteger >> c => 3\n\nFloat >> b => 2\n"


# ------------------------------------------------------------------ removing


@pytest.mark.parametrize(
    ("selector", "side"),
    [("increment", Side.INSTANCE), ("getValue", Side.INSTANCE), ("make", Side.CLASS)],
)
def test_a_removed_method_takes_one_blank_line_with_it(selector: str, side: Side) -> None:
    made = result(COUNTER, change(COUNTER, method(selector, side), None))
    expected = {
        "increment": COUNTER.replace("  /// Adds one.\n  increment => self.value := self.value + 1\n\n", ""),
        "getValue": COUNTER.replace("  getValue => self.value\n\n", ""),
        "make": COUNTER.replace("\n  class make => self spawn\n", ""),
    }
    assert made == expected[selector]


def test_neighbours_removed_together() -> None:
    made = result(
        COUNTER, change(COUNTER, method("increment"), None), change(COUNTER, method("getValue"), None)
    )
    assert made == "/// Counter.\nActor subclass: Counter\n  state: value = 0\n\n  class make => self spawn\n"


def test_all_units_of_a_class_leave_a_file_that_it_shares() -> None:
    data = "type Small = Integer\n\n" + COUNTER + "\nInteger >> half => self / 2\n"
    changes = [change(data, name, None) for name in texts_of(data.encode()) if name.owner == "Counter"]
    assert result(data, *changes) == "type Small = Integer\n\nInteger >> half => self / 2\n"


# ------------------------------------------------------------------ conflicts


def problem(data: str, change: UnitChange) -> FileProblem:
    made = splice_file("src/Counter.bt", data.encode(), (), (change,), cut_file)
    assert isinstance(made, FileProblem)
    return made


def test_a_unit_that_was_edited_outside_is_a_conflict() -> None:
    wanted = change(COUNTER, method("getValue"), "getValue => 2")
    found = problem(COUNTER.replace("getValue => self.value", "getValue => 7"), wanted)
    assert (found.reason, found.lineage) == (ConflictReason.EXTERNAL_EDIT, wanted.lineage)
    assert "Counter>>getValue" in found.detail


def test_a_unit_that_is_gone_or_there_twice_is_not_found_once() -> None:
    wanted = change(COUNTER, method("getValue"), "getValue => 2")
    assert problem(COUNTER.replace("getValue", "other"), wanted).reason is ConflictReason.UNPARSABLE


def test_bytes_that_are_no_text_are_unreadable() -> None:
    made = splice_file("p", b"\xff\xfe", (), (), cut_file)
    assert isinstance(made, FileProblem)
    assert made.reason is ConflictReason.UNREADABLE


def test_an_outside_edit_of_other_units_is_kept() -> None:
    today = "// new\n" + COUNTER.replace("self spawn", "self spawn: 3")
    wanted = change(COUNTER, method("getValue"), "getValue => 2")
    assert result(today, wanted) == today.replace("getValue => self.value", "getValue => 2")


def test_a_unit_that_already_reads_as_wanted_is_left() -> None:
    today = COUNTER.replace("getValue => self.value", "getValue => 2")
    assert result(today, change(COUNTER, method("getValue"), "getValue => 2")) == today


def test_reapplying_edits_twice_changes_nothing() -> None:
    before = texts_of(COUNTER.encode())[method("getValue")]
    edits = (
        UnitEdit(method("getValue"), before, method("getValue"), "getValue => 2"),
        UnitEdit(None, None, method("twice"), "twice => 2"),
        UnitEdit(method("make", Side.CLASS), "class make => self spawn", None, None),
    )
    once = reapply(COUNTER.encode(), edits, cut_file)
    assert once is not None
    assert reapply(once, edits, cut_file) == once
    assert (
        reapply(COUNTER.replace("getValue => self.value", "getValue => 9").encode(), edits, cut_file) is None
    )


# ------------------------------------------------------------------ taking back


def there_and_back(data: str, *changes: UnitChange) -> str:
    first = spliced(data, *changes)
    history = {splice.lineage: (splice,) for splice in first.splices}
    names = {c.lineage: c.after_name for c in changes}
    now = texts_of(first.data)
    known = dict(enumerate(texts_of(data.encode()), 1)) | {
        lineage: name for lineage, name in names.items() if name is not None
    }
    back = [
        UnitChange(
            c.lineage,
            known[c.lineage] if c.after is not None else None,
            first.texts.get(c.lineage),
            known[c.lineage],
            c.before,
            None,
            history.get(c.lineage, ()),
        )
        for c in changes
    ]
    lineages = [(name, lineage) for lineage, name in known.items() if name in now]
    made = splice_file("p", first.data, lineages, back, cut_file)
    assert isinstance(made, Spliced), made
    return made.data.decode()


ODD = """\
/// Counter.
Actor subclass: Counter
  state: value = 0
  increment => self.value := self.value + 1


  getValue => self.value
  // Loose remark.

  other =>
    1

  class make => self spawn"""


@pytest.mark.parametrize("data", [COUNTER, ODD, ODD.replace("\n", "\r\n"), ODD.replace("\n\n", "\n \n")])
@pytest.mark.parametrize("names", ["increment", "getValue", "increment getValue", "other getValue increment"])
def test_a_removal_that_is_taken_back_restores_the_bytes(data: str, names: str) -> None:
    lf = data.replace("\r\n", "\n")
    changes = [
        change(lf, method(each), None) for each in names.split() if method(each) in texts_of(lf.encode())
    ]
    assert there_and_back(data, *changes) == data


@pytest.mark.parametrize("data", [COUNTER, ODD, ODD.replace("\n", "\r\n")])
def test_an_addition_that_is_taken_back_takes_its_blank_line_along(data: str) -> None:
    added = [
        UnitChange(98, None, None, method("a"), "a => 1"),
        UnitChange(99, None, None, method("b"), "b =>\n    2"),
        UnitChange(97, None, None, method("c", Side.CLASS), "class c =>\n    2"),
    ]
    assert there_and_back(data, *added) == data


def test_a_replacement_that_is_taken_back_restores_mixed_line_ends() -> None:
    data = "Object subclass: A\r\n  m =>\n    one\r\n    two\n  n => 1\n"
    wanted = change(data.replace("\r\n", "\n"), method("m", owner="A"), "m => 3")
    assert there_and_back(data, wanted) == data


def test_a_removal_comes_back_to_the_standard_place_when_its_neighbours_are_gone() -> None:
    first = spliced(COUNTER, change(COUNTER, method("increment"), None))
    today = first.data.decode().replace("  getValue => self.value\n\n", "")
    back = UnitChange(2, None, None, method("increment"), "increment => 1", None, first.splices)
    made = result(today, back)
    assert "increment => 1" in made
    assert made.replace("\n  increment => 1\n", "") == today
