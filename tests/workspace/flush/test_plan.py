"""What a flush selects and writes (changes.md 4; cases F1 to F4, G1, G2, U1, U2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from changelog.entry import ChangeKind, Intent, Mark, MarkKind
from lang.syntax.units import Side
from tests.workspace.flush.small_image import SmallImage, disk_texts, memory_texts
from workspace.flush.closure import SkipReason
from workspace.flush.outcome import ConflictReason
from workspace.flush.plan import FlushRequest, OnConflict, plan
from workspace.flush.result import FileOperation, FlushResult
from workspace.flush.selection import EVERYTHING, Gesture, OfClass, OfEntry, OfFile, OfKinds, kinds_filter

COUNTER = b"""\
/// Counter.
Actor subclass: Counter
  state: value = 0

  /// Adds one.
  increment => self.value := self.value + 1

  getValue => self.value
"""
METER = b"""\
Object subclass: Meter
  class make => Counter spawn
  class both => #(Counter spawn, "Counter")
"""
FILES = {"src/Counter.bt": COUNTER, "src/Meter.bt": METER}


@pytest.fixture
def image() -> SmallImage:
    return SmallImage(dict(FILES))


# ------------------------------------------------------------------ the active view


def test_a_method_patched_twice_is_one_active_entry(image: SmallImage) -> None:
    image.patch("Counter", "getValue", "getValue => self.value + 1")
    image.patch("Counter", "getValue", "getValue => self.value + 2")
    view = image.view()
    assert ([e.seq for e in view.active], len(view.entries), view.shadowed) == ([2], 2, {1})
    image.flush()
    assert image.files["src/Counter.bt"] == COUNTER.replace(
        b"getValue => self.value", b"getValue => self.value + 2"
    )


def test_a_method_put_back_is_no_change(image: SmallImage) -> None:
    image.patch("Counter", "getValue", "getValue => self.value + 1")
    assert image.active() == [1]
    image.patch("Counter", "getValue", "getValue => self.value")
    assert image.active() == []
    assert image.flush().rows == ()


def test_indentation_as_a_whole_is_no_change(image: SmallImage) -> None:
    image.patch("Counter", "increment", "/// Adds one.\nincrement => self.value := self.value + 1")
    assert image.active() == []


def test_a_new_method_that_is_reverted_leaves_nothing(image: SmallImage) -> None:
    entry = image.patch("Counter", "twice", "twice => self.value * 2")
    image.undo(entry.seq)
    assert image.active() == []
    assert image.flush().rows == ()


def test_undo_brings_back_what_was_shadowed(image: SmallImage) -> None:
    image.patch("Counter", "getValue", "getValue => 1")
    second = image.patch("Counter", "getValue", "getValue => 2")
    image.undo(second.seq)
    assert image.active() == [1]


def test_an_older_patch_that_a_flush_overwrote_can_be_undone(image: SmallImage) -> None:
    first = image.patch("Counter", "getValue", "getValue => 1")
    second = image.patch("Counter", "getValue", "getValue => 2")
    assert image.flush().seqs == (1, 2)
    image.undo(second.seq)
    image.undo(first.seq)
    assert image.flush().entries[-1].reverts == first.seq
    assert image.files == FILES


def test_a_spike_is_shadowed_by_the_durable_patch(image: SmallImage) -> None:
    image.patch("Counter", "getValue", "getValue => 1", intent=Intent.EPHEMERAL)
    assert image.flush().rows == ()
    image.patch("Counter", "getValue", "getValue => 2")
    assert image.active() == [2]
    image.flush()
    assert b"getValue => 2" in image.files["src/Counter.bt"]


# ------------------------------------------------------------------ patches


def test_a_patch_with_its_doc_comment_changes_one_line(image: SmallImage) -> None:
    text = "/// Adds one.\nincrement => self.value := self.value + 2"
    image.patch("Counter", "increment", text, column=0)
    made = image.flush()
    assert image.files["src/Counter.bt"] == COUNTER.replace(b"+ 1", b"+ 2")
    assert [f.operation for f in made.files] == [FileOperation.EDIT]
    assert made.diff == (
        "--- a/src/Counter.bt\n+++ b/src/Counter.bt\n@@ -3,6 +3,6 @@\n   state: value = 0\n \n   /// Adds one.\n"
        "-  increment => self.value := self.value + 1\n+  increment => self.value := self.value + 2\n \n"
        "   getValue => self.value\n"
    )
    assert image.active() == []


def test_crlf_files_stay_crlf() -> None:
    crlf = {path: data.replace(b"\n", b"\r\n") for path, data in FILES.items()}
    image = SmallImage(crlf)
    image.patch("Counter", "increment", "/// Adds one.\n  increment => self.value := self.value + 2")
    image.flush()
    image.patch("Counter", "twice", "twice => self.value * 2")
    image.flush()
    image.rename_class("Counter", "Accumulator")
    image.flush_all()
    assert set(image.files) == {"src/Accumulator.bt", "src/Meter.bt"}
    for data in image.files.values():
        assert data.count(b"\n") == data.count(b"\r\n")
    assert b"  twice => self.value * 2\r\n" in image.files["src/Accumulator.bt"]


def test_an_outside_edit_of_the_same_unit_is_a_conflict_and_holds_everything(image: SmallImage) -> None:
    image.patch("Counter", "increment", "increment => 2")
    image.patch("Meter", "make", "class make => 3", Side.CLASS)
    edited = COUNTER.replace(b"+ 1", b"+ 7")
    image.files["src/Counter.bt"] = edited
    made = image.flush()
    assert [(c.file, c.reason, c.seqs) for c in made.conflicts] == [
        ("src/Counter.bt", ConflictReason.EXTERNAL_EDIT, (1,))
    ]
    assert made.rows == ()
    assert image.files == {"src/Counter.bt": edited, "src/Meter.bt": METER}
    assert image.active() == [1, 2]
    forced = plan(FlushRequest(OfEntry(1), on_conflict=OnConflict.OVERWRITE_UNIT), image.world())
    assert forced.conflicts == ()
    image.write(forced)
    assert b"increment => 2" in image.files["src/Counter.bt"]


def test_an_outside_edit_elsewhere_is_merged_and_read_again_later(image: SmallImage) -> None:
    image.patch("Counter", "increment", "/// Adds one.\n  increment => self.value := self.value + 2")
    edited = b"// top\n" + COUNTER.replace(b"getValue => self.value", b"getValue => 5")
    image.files["src/Counter.bt"] = edited
    image.flush()
    assert image.files["src/Counter.bt"] == edited.replace(b"+ 1", b"+ 2")
    assert image.disk["src/Counter.bt"].snapshot.sha256 == ""
    assert image.active() == []


def test_a_vanished_file_is_a_conflict(image: SmallImage) -> None:
    image.patch("Counter", "increment", "increment => 2")
    del image.files["src/Counter.bt"]
    assert image.flush().conflicts[0].reason is ConflictReason.RELOCATED_OR_DELETED


def test_a_class_side_patch_and_a_removal(image: SmallImage) -> None:
    image.remove("Meter", "both", Side.CLASS)
    image.patch("Meter", "none", "class none => nil", Side.CLASS)
    result = image.flush()
    assert image.files["src/Meter.bt"] == METER.replace(
        b'both => #(Counter spawn, "Counter")', b"none => nil"
    )
    assert len(result.entries) == 2


def test_a_removed_method_that_comes_back_anew_takes_its_old_place(image: SmallImage) -> None:
    image.remove("Counter", "increment")
    image.patch("Counter", "increment", "increment => 5")
    image.flush()
    assert image.files["src/Counter.bt"] == COUNTER.replace(
        b"/// Adds one.\n  increment => self.value := self.value + 1", b"increment => 5"
    )


def test_a_text_that_would_swallow_its_neighbours_is_never_written(image: SmallImage) -> None:
    image.patch("Counter", "increment", 'increment => "never closed')
    made = image.flush()
    assert made.conflicts[0].reason is ConflictReason.UNPARSABLE
    assert image.files == FILES


# ------------------------------------------------------------------ tiers, filters


def test_a_plain_flush_skips_what_destroys(image: SmallImage) -> None:
    image.rename_class("Counter", "Accumulator")
    made = image.flush()
    assert [(s.entry.seq, s.reason) for s in made.withheld] == [(1, SkipReason.DESTRUCTIVE)]
    assert image.files == FILES
    made = image.flush_all()
    assert image.files == {
        "src/Accumulator.bt": COUNTER.replace(b"subclass: Counter", b"subclass: Accumulator"),
        "src/Meter.bt": METER.replace(b"Counter spawn", b"Accumulator spawn"),
    }
    assert [(f.file, f.operation, f.target) for f in made.files] == [
        ("src/Counter.bt", FileOperation.RENAME, "src/Accumulator.bt"),
        ("src/Meter.bt", FileOperation.EDIT, None),
    ]
    assert image.active() == []
    assert memory_texts(image) == disk_texts(image)


def test_filters_select_by_class_kind_entry_and_file(image: SmallImage) -> None:
    image.patch("Counter", "increment", "increment => 2")
    image.patch("Meter", "make", "class make => 3", Side.CLASS)
    image.remove("Counter", "getValue")
    for chosen, seqs in (
        (OfClass("Counter"), [1, 3]),
        (OfKinds(frozenset({"class"})), [2]),
        (kinds_filter(["instance", "remove-method", "human"]), [1, 3]),
        (kinds_filter(["instance", "agent"]), []),
        (kinds_filter(["no-such-kind"]), []),
        (kinds_filter(["human"]), [1, 2, 3]),
        (OfEntry(2), [2]),
        (OfFile("src/Meter.bt"), [2]),
    ):
        assert [e.seq for e in image.plan(chosen).entries] == seqs


def test_a_new_class_and_its_rename_are_one_creation(image: SmallImage) -> None:
    image.new_class("src/Buoy.bt", "Actor subclass: Buoy\n  state: lit = false\n\n  lit => self.lit\n")
    image.rename_class("Buoy", "Float1")
    image.patch("Float1", "more", "more => 2")
    made = image.flush()
    assert made.withheld == ()
    assert image.files["src/Float1.bt"] == (
        b"Actor subclass: Float1\n  state: lit = false\n\n  lit => self.lit\n\n  more => 2\n"
    )
    assert [(f.file, f.operation) for f in made.files] == [("src/Float1.bt", FileOperation.CREATE)]
    assert "src/Buoy.bt" not in image.files


def test_a_new_class_that_is_removed_leaves_nothing(image: SmallImage) -> None:
    image.new_class("src/Buoy.bt", "Actor subclass: Buoy\n  lit => 1\n")
    image.patch("Buoy", "more", "more => 2")
    image.remove_class("Buoy")
    assert image.active() == []


def test_a_removed_class_takes_its_file(image: SmallImage) -> None:
    image.remove_class("Meter")
    assert image.flush().withheld[0].reason is SkipReason.DESTRUCTIVE
    made = image.flush_all()
    assert [(f.file, f.operation) for f in made.files] == [("src/Meter.bt", FileOperation.DELETE)]
    assert image.files == {"src/Counter.bt": COUNTER}


def test_a_file_that_was_edited_is_not_deleted(image: SmallImage) -> None:
    image.remove_class("Meter")
    image.files["src/Meter.bt"] = METER + b"// mine\n"
    assert image.flush_all().conflicts[0].reason is ConflictReason.EXTERNAL_EDIT
    image.files.pop("src/Meter.bt")
    made = image.flush_all()
    assert (made.conflicts, made.rows, len(made.entries)) == ((), (), 1)


def test_what_can_never_be_written_is_said(image: SmallImage) -> None:
    entry = image.patch("Counter", "increment", "increment => 2")
    image.log.cut_back(0)
    image.log.append(replace(entry, not_flushable_reason="stdlib"))
    assert [s.reason for s in image.flush().withheld] == [SkipReason.NOT_FLUSHABLE]


# ------------------------------------------------------------------ replay and closure


def test_a_patch_that_names_the_new_class_is_withheld_and_pulls_the_rename(image: SmallImage) -> None:
    image.rename_class("Counter", "Accumulator")
    image.patch("Meter", "make", "class make => Accumulator spawn: 3", Side.CLASS)
    image.patch("Meter", "free", "class free => 1", Side.CLASS)
    made = image.flush()
    assert [(s.entry.seq, s.reason, s.held_by) for s in made.withheld] == [
        (1, SkipReason.DESTRUCTIVE, None),
        (2, SkipReason.DEPENDS_ON, 1),
    ]
    assert image.files["src/Meter.bt"] == METER + b"  class free => 1\n"
    made = image.flush(OfEntry(2), Gesture.DESTRUCTIVE)
    assert ([e.seq for e in made.entries], [e.seq for e in made.pulled_in]) == ([1, 2], [1])
    assert b"class make => Accumulator spawn: 3" in image.files["src/Meter.bt"]


def test_a_patch_before_a_rename_is_flushed_without_it(image: SmallImage) -> None:
    image.patch("Meter", "make", "class make => Counter spawn: 3", Side.CLASS)
    image.rename_class("Counter", "Accumulator")
    image.flush()
    assert image.files["src/Meter.bt"] == METER.replace(b"make => Counter spawn", b"make => Counter spawn: 3")
    image.flush_all()
    assert memory_texts(image) == disk_texts(image)
    assert image.active() == []


def test_a_rename_does_not_carry_a_spike_to_disk(image: SmallImage) -> None:
    image.patch("Meter", "make", "class make => Counter spawn: 99", Side.CLASS, Intent.EPHEMERAL)
    image.patch("Meter", "both", "class both => nil", Side.CLASS, Intent.EPHEMERAL)
    image.rename_class("Counter", "Accumulator")
    image.flush_all()
    assert image.files["src/Meter.bt"] == METER.replace(b"Counter spawn", b"Accumulator spawn")


def test_a_patch_flushed_after_a_rename_went_to_disk_is_written_with_it(image: SmallImage) -> None:
    image.patch("Meter", "make", "class make => Counter spawn: 3", Side.CLASS)
    image.rename_class("Counter", "Accumulator")
    image.flush(OfEntry(2), Gesture.DESTRUCTIVE)
    assert b"class make => Accumulator spawn\n" in image.files["src/Meter.bt"]
    image.flush()
    assert b"class make => Accumulator spawn: 3\n" in image.files["src/Meter.bt"]
    assert memory_texts(image) == disk_texts(image)


def test_a_new_method_logged_before_a_rename_finds_its_file_after_it(image: SmallImage) -> None:
    image.patch("Counter", "twice", "twice => Counter spawn")
    image.rename_class("Counter", "Accumulator")
    image.flush(OfEntry(2), Gesture.DESTRUCTIVE)
    image.flush()
    assert b"twice => Accumulator spawn" in image.files["src/Accumulator.bt"]
    assert memory_texts(image) == disk_texts(image)


def test_two_renames_are_one_net_change(image: SmallImage) -> None:
    image.rename_class("Counter", "Accumulator")
    image.rename_class("Accumulator", "Tally")
    made = image.flush_all()
    assert set(image.files) == {"src/Tally.bt", "src/Meter.bt"}
    assert len(made.rows) == 3
    assert memory_texts(image) == disk_texts(image)


def test_a_rename_there_and_back_is_no_change(image: SmallImage) -> None:
    image.rename_class("Counter", "Accumulator")
    image.rename_class("Accumulator", "Counter")
    assert image.active() == []


def test_names_that_change_places(image: SmallImage) -> None:
    image.rename_class("Counter", "Other")
    image.rename_class("Meter", "Counter")
    image.rename_class("Other", "Meter")
    image.flush_all()
    assert image.files == {
        "src/Meter.bt": COUNTER.replace(b"subclass: Counter", b"subclass: Meter"),
        "src/Counter.bt": METER.replace(b"Counter spawn", b"Meter spawn").replace(b": Meter", b": Counter"),
    }
    assert memory_texts(image) == disk_texts(image)


def test_taking_a_name_again_waits_for_who_leaves_it(image: SmallImage) -> None:
    image.rename_class("Counter", "Accumulator")
    image.new_class("src/Counter.bt", "Object subclass: Counter\n  one => 1\n")
    assert [(s.entry.seq, s.held_by) for s in image.flush().withheld] == [(1, None), (2, 1)]
    made = image.flush_all()
    assert len(made.entries) == 2
    assert memory_texts(image) == disk_texts(image)


def test_a_removal_takes_those_along_that_cut_its_uses(image: SmallImage) -> None:
    image.patch("Meter", "make", "class make => nil", Side.CLASS)
    image.patch("Meter", "both", "class both => nil", Side.CLASS)
    image.patch("Meter", "more", "class more => nil", Side.CLASS)
    image.remove_class("Counter")
    made = image.flush(OfClass("Counter"), Gesture.DESTRUCTIVE)
    assert [e.seq for e in made.entries] == [1, 2, 4]


def test_a_method_rename_with_a_patch_on_top(image: SmallImage) -> None:
    image.patch("Counter", "again", "again => self increment")
    image.rename_method("Counter", "increment", "step")
    image.patch("Counter", "step", "step => self.value := 9")
    assert [(s.entry.seq, s.reason) for s in image.flush().withheld] == [
        (2, SkipReason.DESTRUCTIVE),
        (3, SkipReason.DEPENDS_ON),
    ]
    assert b"again => self increment" in image.files["src/Counter.bt"]
    image.flush_all()
    assert memory_texts(image) == disk_texts(image)


def test_a_move_and_a_patch_behind_it(image: SmallImage) -> None:
    image.move("Meter", "src/deep/Meter.bt")
    image.patch("Meter", "make", "class make => 4", Side.CLASS)
    assert [(s.entry.seq, s.held_by) for s in image.flush().withheld] == [(1, None), (2, 1)]
    made = image.flush_all()
    assert image.files["src/deep/Meter.bt"] == METER.replace(b"make => Counter spawn", b"make => 4")
    assert [f.target for f in made.files] == ["src/deep/Meter.bt"]


def test_a_file_in_the_way_and_new_references_are_conflicts(image: SmallImage) -> None:
    image.rename_class("Counter", "Accumulator")
    image.files["src/Accumulator.bt"] = b"// notes\n"
    image.new_references["Counter"] = ["src/New.bt"]
    made = image.flush_all()
    assert [(c.file, c.reason) for c in made.conflicts] == [
        ("src/Accumulator.bt", ConflictReason.TARGET_EXISTS),
        ("src/New.bt", ConflictReason.NEW_REFERENCE),
    ]


def test_a_rename_of_letter_case_only_is_left_to_the_commit(image: SmallImage) -> None:
    image.rename_class("Counter", "COunter")
    made = image.plan(EVERYTHING, Gesture.DESTRUCTIVE)
    assert made.conflicts == ()
    assert [row.path for row in made.rows] == ["src/COunter.bt", "src/Counter.bt", "src/Meter.bt"]


# ------------------------------------------------------------------ flush, undo, flush


def test_flush_undo_flush_restores_every_byte_and_path(image: SmallImage) -> None:
    files = {path: data.replace(b"\n\n", b"\n \n", 1) for path, data in FILES.items()}
    image = SmallImage(dict(files))
    seqs = [
        image.remove("Counter", "increment").seq,
        image.patch("Counter", "fresh", "fresh =>\n    1").seq,
        image.patch("Meter", "make", "class make =>\n    1", Side.CLASS).seq,
        image.rename_class("Counter", "Accumulator").seq,
        image.remove_class("Meter").seq,
    ]
    image.flush_all()
    assert set(image.files) == {"src/Accumulator.bt"}
    for seq in reversed(seqs):
        image.undo(seq)
    assert image.active()
    made = image.flush_all()
    assert made.conflicts == ()
    assert image.files == files
    assert image.active() == []


def test_undo_in_steps_with_flushes_between(image: SmallImage) -> None:
    removed = image.remove("Counter", "increment")
    image.flush()
    image.undo(removed.seq)
    assert image.active() == [2]
    image.flush()
    assert image.files == FILES
    image.undo(2)
    image.flush()
    image.undo(3)
    image.flush()
    assert image.files == FILES


def test_an_undone_rename_after_a_flush_needs_the_gesture_again(image: SmallImage) -> None:
    entry = image.rename_class("Counter", "Accumulator")
    image.flush_all()
    image.undo(entry.seq)
    assert image.flush().withheld[0].reason is SkipReason.DESTRUCTIVE
    image.flush_all()
    assert image.files == FILES


def test_cleared_entries_are_not_written(image: SmallImage) -> None:
    image.patch("Counter", "increment", "increment => 2")
    image.log.mark(Mark(MarkKind.CLEARED, 1))
    assert image.active() == []
    image.rename_class("Counter", "Accumulator")
    image.flush_all()
    assert b"self.value + 1" in image.files["src/Accumulator.bt"]


# ------------------------------------------------------------------ results


def test_the_print_string_of_a_result(image: SmallImage) -> None:
    one = image.patch("Counter", "increment", "increment => 2")
    two = image.patch("Counter", "getValue", "getValue => 2")
    image.rename_class("Counter", "Accumulator")
    made = image.plan(EVERYTHING, Gesture.DESTRUCTIVE)
    result = FlushResult(made.entries, ("a", "b", "c", "d", "e"), image.plan().withheld)
    assert result.print_string() == "flushed 2 methods + 1 rename across 5 files; skipped 1 (destructive)"
    assert (result.flushed, result.renamed, result.new_classes, result.is_clean) == (3, 1, 0, True)
    assert (
        FlushResult(skipped=image.plan().withheld).print_string()
        == "flushed nothing; skipped 1 (destructive)"
    )
    assert FlushResult((one,), ("a",)).print_string() == "flushed 1 method across 1 file"
    classes = tuple(replace(two, kind=ChangeKind.NEW_CLASS) for _ in range(2))
    assert FlushResult(classes, ("a",)).print_string() == "flushed 2 new classes across 1 file"
