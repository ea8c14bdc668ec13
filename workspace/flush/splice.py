"""Putting unit texts into the text of a file, and nothing else (changes.md 5.4, 9).

Comes in: the bytes of a file today, the units in it, and what each is to become. Guarantees:
all outside the changed units is kept byte for byte; the new bytes, cut again, hold the
wanted units and the others as they were, else `SpliceDefect` is raised. Each change is
recorded so that it can be taken back to the very bytes. Leaves: which units change, and
files as such, to `plan`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from changelog.entry import Splice
from changelog.indentation import reindented, same_text_but_indentation
from lang.dataclass import dataclass, replace
from lang.source import SourceText, Span, TextEdit
from lang.spelling import method_name
from lang.syntax.units import UnitCut, UnitKind, UnitName
from workspace.flush.file_text import FileText, decoded, encoded, lf
from workspace.flush.layout import (
    Placement,
    Scene,
    fitted,
    placement_of_new,
    rebased,
    removal_ranges,
    restored_placement,
)
from workspace.flush.outcome import ConflictReason
from workspace.flush.rows import UnitEdit
from workspace.flush.view import Cut

__all__ = ["FileProblem", "Spliced", "UnitChange", "reapply", "reindented", "splice_file"]


@dataclass(frozen=True, slots=True)
class UnitChange:
    """What is to become of one unit of a file; texts are LF.

    `name` is None for a unit that is added, `after` None for one that is cut. `before` is
    the text that the file must still have. `column` is the column that `after` is written
    for; None: that of its place. `history` are earlier splices of the unit, newest first.
    """

    lineage: int
    name: UnitName | None
    before: str | None
    after_name: UnitName | None
    after: str | None
    column: int | None = None
    history: tuple[Splice, ...] = ()

    def as_unit_edit(self, texts: Mapping[int, str]) -> UnitEdit:
        """The same for a row of the flush, with the text that stands in the file."""
        after = None if self.after is None else texts.get(self.lineage, self.after)
        return UnitEdit(self.name, self.before, self.after_name, after)


@dataclass(frozen=True, slots=True)
class FileProblem:
    """Why a file cannot take its changes; `lineage` is the unit in the way, if it is one."""

    reason: ConflictReason
    detail: str
    lineage: int | None = None


@dataclass(frozen=True, slots=True)
class Spliced:
    """The new bytes; `edits` of the LF text `before`, in order, and what undo needs of them.

    `texts` are the LF texts of changed units as they stand in the file now, by lineage;
    `names` what the units of known lineage are called in it.
    """

    data: bytes
    before: FileText
    edits: tuple[TextEdit, ...]
    splices: tuple[Splice, ...]
    texts: Mapping[int, str]
    names: Mapping[int, UnitName]


class SpliceDefect(Exception):
    """The new text does not hold what it should: a defect of this module or of the cutter."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A change, and where its unit stands in the file (None for one that is added)."""

    change: UnitChange
    at: int | None


# ------------------------------------------------------------------ entry points


def splice_file(
    path: str, data: bytes, lineages: Sequence[tuple[UnitName, int]], changes: Sequence[UnitChange], cut: Cut
) -> Spliced | FileProblem:
    """Make changes in the bytes of a file.

    `lineages` say which unit of the file is which. A unit that already reads as wanted is
    left. The first unit that is not found once, or reads otherwise, is the problem.
    """
    try:
        file = decoded(data)
    except UnicodeDecodeError as error:
        return FileProblem(ConflictReason.UNREADABLE, f"{path} is not valid UTF-8: {error.reason}")
    cuts = tuple(cut(SourceText(file.text, path)))
    found: list[_Found] = []
    targets = frozenset(change.name for change in changes)
    places = _places(cuts)
    for change in changes:
        match _find(change, file, cuts, places, targets):
            case FileProblem() as problem:
                return problem
            case _Found() as one:
                found.append(one)
            case None:
                pass
    return _Splicing(path, file, cuts, dict(lineages)).make(found, cut)


def reapply(data: bytes, edits: Iterable[UnitEdit], cut: Cut) -> bytes | None:
    """The same unit edits on other bytes; None when a unit has neither its old nor its new text."""
    changes = tuple(
        UnitChange(-number, edit.name, edit.before, edit.after_name, edit.after)
        for number, edit in enumerate(edits, 1)
    )
    try:
        if _all_made(data, changes, cut):
            return data
        made = splice_file("", data, (), changes, cut)
    except (SpliceDefect, UnicodeDecodeError):
        return None
    return made.data if isinstance(made, Spliced) else None


def _all_made(data: bytes, changes: Sequence[UnitChange], cut: Cut) -> bool:
    """Whether every unit already is as wanted: names that change places would mislead one by one."""
    file = decoded(data)
    cuts = tuple(cut(SourceText(file.text)))
    wanted = {change.after_name for change in changes}
    there = {each.name for each in cuts}
    return all(
        _is_there_already(change, file, cuts)
        if change.after is not None
        else change.name in wanted or change.name not in there
        for change in changes
    )


def default_column(kind: UnitKind) -> int:
    """The column of a unit where nothing else says so (language.md 2.3)."""
    return 2 if kind in (UnitKind.METHOD, UnitKind.DATA) else 0


# ------------------------------------------------------------------ finding


def _places(cuts: Sequence[UnitCut]) -> dict[UnitName, list[int]]:
    """Where units stand, by name."""
    found: dict[UnitName, list[int]] = {}
    for number, each in enumerate(cuts):
        found.setdefault(each.name, []).append(number)
    return found


def _find(
    change: UnitChange,
    file: FileText,
    cuts: Sequence[UnitCut],
    by_name: Mapping[UnitName, list[int]],
    targets: AbstractSet[UnitName | None],
) -> _Found | FileProblem | None:
    """Where a change applies; None when the file already is as wanted. `targets` are all units to change."""
    if change.name is None:
        is_there = change.after_name not in targets and _is_there_already(change, file, cuts)
        return None if is_there else _Found(change, None)
    places = by_name.get(change.name, [])
    if len(places) != 1:
        if not places and change.after is None:
            return None
        if not places and _is_there_already(change, file, cuts):
            return None
        shown = "is not there" if not places else f"is there {len(places)} times"
        return FileProblem(ConflictReason.UNPARSABLE, f"{shown_unit(change.name)} {shown}", change.lineage)
    text = file.text[cuts[places[0]].span.start : cuts[places[0]].span.end]
    if change.before is None or same_text_but_indentation(text, change.before):
        return _Found(change, places[0])
    if change.after is not None and same_text_but_indentation(text, change.after):
        return None
    return FileProblem(
        ConflictReason.EXTERNAL_EDIT,
        f"{shown_unit(change.name)} was changed outside the workspace",
        change.lineage,
    )


def _is_there_already(change: UnitChange, file: FileText, cuts: Sequence[UnitCut]) -> bool:
    return change.after is not None and any(
        each.name == change.after_name
        and same_text_but_indentation(file.text[each.span.start : each.span.end], change.after)
        for each in cuts
    )


def shown_unit(name: UnitName) -> str:
    """A unit for people: `Counter class>>make`, `Counter`, `Counter.size`."""
    match name.kind:
        case UnitKind.METHOD | UnitKind.EXTENSION:
            return method_name(name.owner, name.side, name.member)
        case UnitKind.DATA:
            return f"{name.owner}.{name.member}"
        case UnitKind.STATEMENTS:
            return "module-level code"
        case _:
            return name.owner


# ------------------------------------------------------------------ making


@dataclass(frozen=True, slots=True)
class _Piece:
    """One edit of the text with its unit; `place` is the rank of the unit in the file."""

    edit: TextEdit
    lineage: int
    place: int
    is_inserted: bool


class _Splicing:
    """One file's changes on their way into its text."""

    def __init__(
        self, path: str, file: FileText, cuts: tuple[UnitCut, ...], lineages: dict[UnitName, int]
    ) -> None:
        self.path = path
        self.file = file
        self.cuts = cuts
        self.lineages = [lineages.get(each.name) for each in cuts]

    def make(self, found: Sequence[_Found], cut: Cut) -> Spliced:
        removed = {one.at: one.change for one in found if one.at is not None and one.change.after is None}
        replaced = {
            one.at: one.change for one in found if one.at is not None and one.change.after is not None
        }
        added = [one.change for one in found if one.at is None]
        kept = [number for number in range(len(self.cuts)) if number not in removed]
        pieces = [self._replaced(at, change) for at, change in replaced.items()]
        gone = self._removed(removed)
        scene = Scene(
            self.file.text, self.cuts, self.lineages, kept, sorted(piece.edit.span for piece in gone)
        )
        placed = _placed(added, scene, self._owner_here)
        pieces += gone + [self._added(change, placement) for change, placement in placed]
        edits = tuple(piece.edit for piece in sorted(pieces, key=lambda p: p.edit.span))
        data = self.file.edited(edits)
        wanted = self._wanted({p.place: p for p in pieces if not p.is_inserted}, removed, placed)
        cuts = check_holds(self.path, data, [text for _lineage, text in wanted], cut)
        splices = tuple(self._splice(piece, scene) for piece in sorted(pieces, key=lambda p: p.edit.span))
        texts = {piece.lineage: lf(piece.edit.replacement) for piece in pieces if piece.place in replaced}
        texts.update((c.lineage, rebased(c.after or "", c.column, p.prefix)) for c, p in placed)
        names = {
            lineage: each.name for (lineage, _), each in zip(wanted, cuts, strict=True) if lineage is not None
        }
        return Spliced(data, self.file, edits, splices, texts, names)

    # -------------------------------------------------------------- kinds of edit

    def _replaced(self, at: int, change: UnitChange) -> _Piece:
        span = self.cuts[at].span
        after = rebased(change.after or "", change.column, _line_prefix(self.file.text, span.start))
        raw = _as_it_was(change, after, self.file.bytes_of(span)) or fitted(self.file, span, after)
        return _Piece(TextEdit(span, raw), change.lineage, at, is_inserted=False)

    def _removed(self, removed: dict[int, UnitChange]) -> list[_Piece]:
        histories = {at: change.history for at, change in removed.items()}
        ranges = removal_ranges(self.file.text, self.cuts, histories)
        return [
            _Piece(TextEdit(span, ""), removed[at].lineage, at, is_inserted=False)
            for at, span in ranges.items()
        ]

    def _added(self, change: UnitChange, placement: Placement) -> _Piece:
        text = rebased(change.after or "", change.column, placement.prefix)
        whole = f"{placement.lead}{text}{placement.trail}"
        raw = _bytes_put_back(change, whole) or whole.replace("\n", self.file.newline)
        span = Span(placement.offset, placement.offset)
        return _Piece(TextEdit(span, raw), change.lineage, placement.after, is_inserted=True)

    def _owner_here(self, name: UnitName) -> str:
        """What the file calls the class of a member: a rename may come with it, or may have come before it."""
        headers = [each.name.owner for each in self.cuts if each.name.kind is UnitKind.HEADER]
        is_member = name.kind in (UnitKind.METHOD, UnitKind.DATA)
        return headers[0] if is_member and len(headers) == 1 else name.owner

    # -------------------------------------------------------------- law and record

    def _wanted(
        self,
        edited: dict[int, _Piece],
        removed: dict[int, UnitChange],
        placed: Sequence[tuple[UnitChange, Placement]],
    ) -> list[tuple[int | None, str]]:
        """The units, in order, that the new file must hold: lineages, where known, and texts."""
        behind: dict[int, list[tuple[int | None, str]]] = {}
        for change, placement in placed:
            text = rebased(change.after or "", change.column, placement.prefix)
            behind.setdefault(placement.after, []).append((change.lineage, text))
        wanted = behind.get(-1, [])
        for number, each in enumerate(self.cuts):
            if number not in removed:
                piece = edited.get(number)
                text = self.file.text[each.span.start : each.span.end]
                wanted.append((self.lineages[number], text if piece is None else lf(piece.edit.replacement)))
            wanted += behind.get(number, [])
        return wanted

    def _splice(self, piece: _Piece, scene: Scene) -> Splice:
        behind = piece.place + piece.is_inserted
        before, after = bisect_left(scene.kept, behind), bisect_right(scene.kept, piece.place)
        previous = scene.kept[before - 1] if before else None
        following = scene.kept[after] if after < len(scene.kept) else None
        between = scene.between(previous, following)
        return Splice(
            path=self.path,
            lineage=piece.lineage,
            removed=self.file.bytes_of(piece.edit.span),
            inserted=encoded(piece.edit.replacement),
            previous=None if previous is None else self.lineages[previous],
            following=None if following is None else self.lineages[following],
            gap=scene.gap(between),
            offset=scene.offset_in_gap(between, piece.edit.span.start),
            place=piece.place,
        )


def _placed(
    added: Sequence[UnitChange], scene: Scene, owner_here: Callable[[UnitName], str]
) -> list[tuple[UnitChange, Placement]]:
    """Where added units go, in the order of the file."""
    placed: list[tuple[UnitChange, Placement]] = []
    for change in sorted(added, key=_old_place):
        name = change.after_name or UnitName(UnitKind.STATEMENTS)
        name = replace(name, owner=owner_here(name))
        old = restored_placement(scene, change.history)
        placed.append((change, old or placement_of_new(scene.text, scene.cuts, scene.kept, name)))
    return sorted(placed, key=lambda each: each[1].offset)


def _as_it_was(change: UnitChange, after: str, today: bytes) -> str | None:
    """The very text that an earlier flush replaced, when this change brings it back."""
    for splice in change.history:
        old = splice.removed.decode("utf-8", "surrogateescape")
        if splice.inserted == today and lf(old) == after:
            return old
    return None


def _bytes_put_back(change: UnitChange, whole: str) -> str | None:
    """The very text that an earlier flush cut out, when this change brings it back."""
    for splice in change.history:
        old = splice.removed.decode("utf-8", "surrogateescape")
        if not splice.inserted and lf(old) == whole:
            return old
    return None


def _old_place(change: UnitChange) -> int:
    """Where a unit stood that comes back; new ones keep their order behind it."""
    cut_out = next((each for each in change.history if not each.inserted), None)
    return 1 << 60 if cut_out is None else cut_out.place


def _line_prefix(text: str, offset: int) -> str:
    start = text.rfind("\n", 0, offset) + 1
    prefix = text[start:offset]
    return prefix if not prefix.strip() else ""


def check_holds(path: str, data: bytes, wanted: Sequence[str], cut: Cut) -> Sequence[UnitCut]:
    """The units of the bytes. Raises `SpliceDefect` unless they are exactly the wanted texts, in order."""
    text = decoded(data).text
    cuts = tuple(cut(SourceText(text, path)))
    units = [text[each.span.start : each.span.end] for each in cuts]
    if units != list(wanted):
        differing = next((pair for pair in zip(units, wanted, strict=False) if pair[0] != pair[1]), None)
        raise SpliceDefect(f"{len(units)} units, {len(wanted)} wanted; first difference: {differing!r}")
    return cuts
