"""Rows on real paths: links, and files with two names (changes.md 5.2)."""

from __future__ import annotations

import pytest

from workspace.flush.arrange import arrange, resolve_rows
from workspace.flush.memory_disk import MemoryDisk
from workspace.flush.rows import ABSENT, Content, LinkTo, Row, UnitEdit

OLD, NEW = Content(b"old"), Content(b"new")
EDIT, OTHER = UnitEdit(None, "o", None, "n"), UnitEdit(None, "d", None, "w")


def disk_with(links: dict[str, str], *, ignores_case: bool = False) -> MemoryDisk:
    disk = MemoryDisk(ignores_case=ignores_case)
    for name in ("real/a.bt", "src/own.bt"):
        disk.put_file(f"/p/{name}", b"old")
    for name, text in links.items():
        disk.symlink(text, f"/p/{name}")
    return disk


def test_plain_rows_stay() -> None:
    rows = (Row("src/own.bt", OLD, NEW, "src/own.bt", (EDIT,)), Row("src/new.bt", ABSENT, NEW))
    assert resolve_rows(disk_with({}), "/p", rows) == rows


def test_links_to_links_are_followed() -> None:
    disk = disk_with({"src/x.bt": "y.bt", "src/y.bt": "/p/real/../real/a.bt"})
    rows = resolve_rows(disk, "/p", [Row("src/x.bt", OLD, NEW, "src/x.bt", (EDIT,))])
    assert rows == (Row("real/a.bt", OLD, NEW, "real/a.bt", (EDIT,)),)


def test_a_linked_folder_is_followed() -> None:
    rows = resolve_rows(
        disk_with({"lib": "real"}),
        "/p",
        [Row("lib/a.bt", OLD, NEW, "lib/a.bt"), Row("lib/n.bt", ABSENT, NEW)],
    )
    assert [row.path for row in rows] == ["real/a.bt", "real/n.bt"]
    assert rows[0].mode_from == "real/a.bt"


def test_a_path_outside_the_project_is_absolute() -> None:
    disk = disk_with({"out.bt": "../else/b.bt"})
    disk.put_file("/else/b.bt", b"old")
    assert [row.path for row in resolve_rows(disk, "/p", [Row("out.bt", OLD, NEW)])] == ["/else/b.bt"]


def test_a_file_with_two_names_is_one_row() -> None:
    disk = disk_with({"src/x.bt": "../real/a.bt"})
    rows = resolve_rows(
        disk,
        "/p",
        [
            Row("src/x.bt", OLD, NEW, "src/x.bt", (EDIT,)),
            Row("real/a.bt", OLD, NEW, "real/a.bt", (OTHER, EDIT)),
        ],
    )
    assert rows == (Row("real/a.bt", OLD, NEW, "real/a.bt", (EDIT, OTHER)),)


def test_two_names_that_disagree_are_refused() -> None:
    disk = disk_with({"src/x.bt": "../real/a.bt"})
    with pytest.raises(ValueError, match=r"real/a\.bt"):
        resolve_rows(disk, "/p", [Row("src/x.bt", OLD, NEW), Row("real/a.bt", OLD, Content(b"third"))])


def test_a_removed_link_takes_its_file_with_it() -> None:
    disk = disk_with({"src/x.bt": "../real/a.bt"})
    rows = resolve_rows(disk, "/p", [Row("src/x.bt", OLD, ABSENT)])
    assert rows == (Row("src/x.bt", LinkTo("../real/a.bt"), ABSENT), Row("real/a.bt", OLD, ABSENT))


def test_a_moved_link_points_to_the_same_file() -> None:
    disk = disk_with({"src/x.bt": "../real/a.bt"})
    rows = resolve_rows(
        disk, "/p", [Row("src/x.bt", OLD, ABSENT), Row("y.bt", ABSENT, NEW, "src/x.bt", (EDIT,))]
    )
    assert rows == (
        Row("src/x.bt", LinkTo("../real/a.bt"), ABSENT),
        Row("y.bt", ABSENT, LinkTo("real/a.bt")),
        Row("real/a.bt", OLD, NEW, "real/a.bt", (EDIT,)),
    )


def test_a_loop_of_links_is_an_error_of_the_system() -> None:
    disk = disk_with({"src/x.bt": "y.bt", "src/y.bt": "x.bt"})
    with pytest.raises(OSError, match="symbolic links"):
        resolve_rows(disk, "/p", [Row("src/x.bt", OLD, NEW)])


RESPELLED = (Row("src/Own.bt", OLD, ABSENT), Row("src/OWN.bt", ABSENT, NEW, "src/Own.bt"))


def test_one_entry_with_two_spellings_is_one_row() -> None:
    (row,) = arrange(disk_with({}, ignores_case=True), "/p", RESPELLED)
    # The spelling in force is that of the listing.
    assert (row.path, row.target) == ("/p/src/own.bt", "/p/src/OWN.bt")
    assert (row.before, row.after) == (OLD, NEW)


def test_two_hard_links_that_differ_by_case_are_two_rows() -> None:
    disk = disk_with({})
    disk.link("/p/src/own.bt", "/p/src/OWN.bt")
    rows = (Row("src/own.bt", OLD, ABSENT), Row("src/OWN.bt", ABSENT, NEW))
    assert [row.path for row in arrange(disk, "/p", rows)] == ["/p/src/own.bt", "/p/src/OWN.bt"]


def test_a_composed_name_is_the_same_name() -> None:
    disk = MemoryDisk(ignores_case=True)
    disk.put_file("/p/Cafe\u0301.bt", b"old")
    rows = (Row("Cafe\u0301.bt", OLD, ABSENT), Row("Caf\u00e9.bt", ABSENT, NEW))
    (row,) = arrange(disk, "/p", rows)
    assert row.is_respelled


def test_a_row_that_changes_nothing_is_dropped() -> None:
    assert arrange(disk_with({}), "/p", [Row("src/own.bt", OLD, OLD)]) == ()
