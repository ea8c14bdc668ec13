"""Laws of the flush over random histories (changes.md 4.2, 9, 11)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from changelog.entry import Intent
from changelog.indentation import same_text_but_indentation
from lang.syntax.units import Side, UnitKind, UnitName
from tests.workspace.flush.small_image import SmallImage, disk_texts, memory_texts, mentions
from workspace.flush.selection import EVERYTHING, Gesture, OfEntry

NAMES = ("Ash", "Birch", "Cedar", "Dogwood", "Elm")
FILES = {
    "src/Ash.bt": b"/// Ash.\nObject subclass: Ash\n  one => Birch new\n\n  two =>\n    self one\n  three => 3\n",
    "src/Birch.bt": b'Ash subclass: Birch\r\n  one => Ash new\r\n\r\n\r\n  four => "Ash"\r\n',
    "src/Cedar.bt": b"\xef\xbb\xbfObject subclass: Cedar\n\n  // A remark.\n\n  one => 1\n  five => Ash new: Birch new",
}
MEMBERS = ("one", "two", "three", "four", "five")

Step = Callable[[SmallImage], None]


def classes_on_disk(image: SmallImage) -> list[str]:
    return [name.owner for _path, name in disk_texts(image) if name.kind is UnitKind.HEADER]


def broken(texts: dict[tuple[str | None, UnitName], str]) -> set[str]:
    """Class names of the pool that a text uses and no header declares."""
    declared = {name.owner for _, name in texts if name.kind is UnitKind.HEADER}
    return {name for name in NAMES if name not in declared and any(mentions(t, name) for t in texts.values())}


def same(image: SmallImage) -> bool:
    memory, disk = memory_texts(image), disk_texts(image)
    return memory.keys() == disk.keys() and all(same_text_but_indentation(memory[k], disk[k]) for k in memory)


# ------------------------------------------------------------------ steps


@st.composite
def texts(draw: st.DrawFn, member: str) -> str:
    mention = draw(st.sampled_from((*NAMES, "nil")))
    shape = draw(
        st.sampled_from(("{m} => {c} new", "/// Doc {c}.\n  {m} =>\n    {c} new", '{m} =>\n    "a\n {c}"'))
    )
    return shape.format(m=member, c=mention)


@st.composite
def steps(draw: st.DrawFn) -> Step:
    owner, other = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
    member = draw(st.sampled_from(MEMBERS))
    new = draw(st.sampled_from(("six", "seven")))
    text = draw(texts(member))
    intent = draw(st.sampled_from((Intent.DURABLE, Intent.DURABLE, Intent.EPHEMERAL)))

    def known(image: SmallImage, text: str) -> bool:
        return all(not mentions(text, name) or name in image.classes() for name in NAMES)

    def patch(image: SmallImage) -> None:
        if image.header(owner) and known(image, text):
            image.patch(owner, member, text, intent=intent)

    def remove(image: SmallImage) -> None:
        if image.unit_at(owner, member):
            image.remove(owner, member)

    def rename(image: SmallImage) -> None:
        if image.header(owner) and other not in image.classes():
            image.rename_class(owner, other)

    def rename_method(image: SmallImage) -> None:
        if image.unit_at(owner, member) and not image.unit_at(owner, new):
            image.rename_method(owner, member, new)

    def new_class(image: SmallImage) -> None:
        if other not in image.classes() and known(image, text.replace(other, "nil")):
            image.new_class(f"src/{other}.bt", f"Object subclass: {other}\n  {text.replace(other, 'nil')}\n")

    def remove_class(image: SmallImage) -> None:
        if image.header(owner):
            image.remove_class(owner)

    return draw(st.sampled_from((patch, patch, remove, rename, rename_method, new_class, remove_class)))


histories = st.lists(steps(), min_size=1, max_size=8)
common = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def durable(image: SmallImage) -> bool:
    return all(entry.intent is Intent.DURABLE for entry in image.view().active)


# ------------------------------------------------------------------ laws


@common
@given(histories)
def test_a_full_flush_brings_the_disk_to_memory(history: list[Step]) -> None:
    image = SmallImage(dict(FILES))
    for step in history:
        step(image)
    made = image.flush_all()
    assert made.conflicts == ()
    if all(entry.intent is Intent.DURABLE for entry in image.log.entries):
        assert same(image)
        assert image.active() == []


@common
@given(histories, st.data())
def test_a_flush_of_a_part_breaks_nothing_and_the_rest_still_comes(
    history: list[Step], data: st.DataObject
) -> None:
    image = SmallImage(dict(FILES))
    for step in history:
        step(image)
    for _ in range(3):
        seqs = image.active()
        if not seqs:
            break
        before, in_memory = broken(disk_texts(image)), broken(memory_texts(image))
        chosen = OfEntry(data.draw(st.sampled_from(seqs)))
        gesture = data.draw(st.sampled_from((Gesture.PLAIN, Gesture.DESTRUCTIVE)))
        made = image.flush(chosen if data.draw(st.booleans()) else EVERYTHING, gesture)
        assert made.conflicts == ()
        on_disk = classes_on_disk(image)
        assert len(on_disk) == len(set(on_disk)), "two files declare one name"
        assert broken(disk_texts(image)) <= before | in_memory
    image.flush_all()
    if all(entry.intent is Intent.DURABLE for entry in image.log.entries):
        assert same(image)


@common
@given(histories, st.booleans())
def test_flush_undo_all_flush_restores_every_byte(history: list[Step], between: bool) -> None:
    image = SmallImage(dict(FILES))
    for number, step in enumerate(history):
        step(image)
        if between and number == len(history) // 2:
            image.flush_all()
    image.flush_all()
    for entry in reversed(list(image.log.entries)):
        image.undo(entry.seq)
    assert memory_texts(image) == memory_texts(SmallImage(dict(FILES)))
    made = image.flush_all()
    assert made.conflicts == ()
    assert image.active() == []
    assert same(image)
    if not between:
        assert image.files == FILES


@common
@given(histories)
def test_undoing_all_without_a_flush_leaves_nothing_to_write(history: list[Step]) -> None:
    image = SmallImage(dict(FILES))
    for step in history:
        step(image)
    for entry in reversed(list(image.log.entries)):
        image.undo(entry.seq)
    assert image.active() == []
    assert image.flush_all().rows == ()


# ------------------------------------------------------------------ every pair, in every order of flushing


def own(image: SmallImage) -> str:
    return "Aspen" if image.header("Aspen") else "Ash"


def used(image: SmallImage) -> str:
    return next((name for name in ("Birch", "Beech") if image.header(name)), "nil")


def rename_if_there(image: SmallImage, old: str, new: str) -> None:
    if image.header(old):
        image.rename_class(old, new)


KINDS: dict[str, Callable[[SmallImage], object]] = {
    "patch": lambda i: i.patch(own(i), "one", f"one => {used(i)} new: 2"),
    "patch again": lambda i: i.patch(own(i), "one", f"one => {used(i)} new: 3"),
    "patch doc": lambda i: i.patch(own(i), "two", f"/// Doc.\n  two =>\n    {own(i)} new"),
    "spike": lambda i: i.patch(own(i), "one", "one => 99", intent=Intent.EPHEMERAL),
    "new method": lambda i: i.patch(own(i), "fresh", f"fresh => {used(i)} new"),
    "class side": lambda i: i.patch(own(i), "make", f"class make => {used(i)} new", Side.CLASS),
    "remove method": lambda i: i.unit_at(own(i), "two") and i.remove(own(i), "two"),
    "rename method": lambda i: i.unit_at(own(i), "one") and i.rename_method(own(i), "one", "uno"),
    "rename used class": lambda i: rename_if_there(i, "Birch", "Beech"),
    "rename own class": lambda i: rename_if_there(i, "Ash", "Aspen"),
    "move": lambda i: i.move(own(i), f"src/deep{len(i.log.entries)}/{own(i)}.bt"),
    "new class": lambda i: (
        i.header("Elm") or i.new_class("src/Elm.bt", f"Object subclass: Elm\n  a => {own(i)} new\n")
    ),
    "remove class": lambda i: i.header(used(i)) and i.remove_class(used(i)),
}


@pytest.mark.parametrize("second", KINDS)
@pytest.mark.parametrize("first", KINDS)
def test_two_changes_flushed_one_by_one_in_either_order(first: str, second: str) -> None:
    for order in ((0, 1), (1, 0)):
        image = SmallImage(dict(FILES))
        KINDS[first](image)
        KINDS[second](image)
        entries = list(image.log.entries)
        before, in_memory = broken(disk_texts(image)), broken(memory_texts(image))
        for at in order:
            if at < len(entries):
                made = image.flush(OfEntry(entries[at].seq), Gesture.DESTRUCTIVE)
                assert made.conflicts == ()
                assert broken(disk_texts(image)) <= before | in_memory
        image.flush_all()
        if "spike" not in (first, second):
            assert same(image)
