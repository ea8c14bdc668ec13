"""Where in a file a unit goes, what goes with it when it leaves, and how it is indented (changes.md 5.4, 9).

Comes in: LF text, the units in it, and texts. Guarantees: pure; ranges and places lie
outside of all other units. Leaves: finding the units and making the edits to `splice`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from changelog.entry import Splice
from changelog.indentation import lines_inside_strings
from lang.dataclass import dataclass
from lang.source import Span
from lang.syntax.units import UnitCut, UnitKind, UnitName
from workspace.flush.diff import common_start
from workspace.flush.file_text import FileText, lf, with_line_ends

_MEMBERS = (UnitKind.HEADER, UnitKind.METHOD, UnitKind.DATA)


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a unit is put: behind unit `after` (-1: before all), at `offset`.

    `lead` and `trail` are the blank text that comes with it; `prefix` is its indentation.
    """

    after: int
    offset: int
    lead: str
    trail: str
    prefix: str


# ------------------------------------------------------------------ indentation and line ends


def rebased(text: str, from_column: int | None, prefix: str) -> str:
    """A unit's text that was written for a column, at the place whose line begins with `prefix`.

    Shifted as a whole; lines that begin inside a string literal are not. `from_column`
    None: the text has the indentation of its place.
    """
    if from_column is None or "\n" not in text or prefix == " " * from_column:
        return text
    fixed = lines_inside_strings(text)
    first, *others = text.split("\n")
    shifted = [
        line if number in fixed or not line.strip() else _moved(line, from_column, prefix)
        for number, line in enumerate(others, 1)
    ]
    return "\n".join((first, *shifted))


def _moved(line: str, from_column: int, prefix: str) -> str:
    if len(prefix) == from_column and line.startswith(prefix):
        return line
    body = line.lstrip(" \t")
    indentation = line[: len(line) - len(body)]
    if len(indentation) >= from_column:
        return prefix + indentation[from_column:] + body
    return prefix[: max(0, len(prefix) - from_column + len(indentation))] + body


def fitted(file: FileText, span: Span, after: str) -> str:
    """LF text that replaces a span, with the file's line ends; lines that stay keep their own."""
    if not file.returns:
        return after
    before = file.text[span.start : span.end]
    ends = [
        "\r\n" if file.has_return(span.start + at) else "\n" for at, sign in enumerate(before) if sign == "\n"
    ]
    old, new = before.split("\n"), after.split("\n")
    if len(old) == len(new):
        return with_line_ends(after, ends, file.newline)
    same = common_start(old, new)
    tail = common_start(old[same:][::-1], new[same:][::-1])
    middle = max(0, len(new) - 1 - same - max(0, tail - 1))
    model = [*ends[:same], *(file.newline,) * middle, *(ends[len(ends) - tail + 1 :] if tail > 1 else ())]
    return with_line_ends(after, model, file.newline)


# ------------------------------------------------------------------ where a unit comes in


@dataclass(frozen=True, slots=True)
class Scene:
    """A file that units are put into: its units, their lineages, which of them stay, what is cut out."""

    text: str
    cuts: Sequence[UnitCut]
    lineages: Sequence[int | None]
    kept: Sequence[int]
    cut_out: Sequence[Span]

    def between(self, before: int | None, after: int | None) -> Span:
        """The range between two units; None stands for the ends of the file."""
        start = 0 if before is None else self.cuts[before].span.end
        return Span(start, len(self.text) if after is None else self.cuts[after].span.start)

    def gap(self, between: Span) -> str:
        """The text of a range without what is cut out."""
        within = [each for each in self.cut_out if between.covers(each)]
        starts = [between.start, *(each.end for each in within)]
        ends = [*(each.start for each in within), between.end]
        return "".join(self.text[a:b] for a, b in zip(starts, ends, strict=True))

    def offset_in_gap(self, between: Span, offset: int) -> int:
        """An offset of the text as one in the gap."""
        gone = sum(c.end - c.start for c in self.cut_out if between.covers(c) and c.end <= offset)
        return offset - between.start - gone

    def offset_in_text(self, between: Span, offset: int) -> int:
        """The first offset of the text that is a given one in the gap."""
        at = between.start + offset
        for each in self.cut_out:
            if between.covers(each) and each.start < at:
                at += each.end - each.start
        return at


def restored_placement(scene: Scene, history: Sequence[Splice]) -> Placement | None:
    """The old place of a unit that a flush cut out, as long as its neighbours are there (changes.md 9)."""
    for splice in history:
        if not splice.inserted:
            return _old_placement(scene, splice)
    return None


def _old_placement(scene: Scene, splice: Splice) -> Placement | None:
    previous = None if splice.previous is None else _index(scene, splice.previous)
    following = None if splice.following is None else _index(scene, splice.following)
    if (previous is None) != (splice.previous is None) or (following is None) != (splice.following is None):
        return None
    between = scene.between(previous, following)
    stays_between = any(between.covers(scene.cuts[number].span) for number in scene.kept)
    if stays_between or between.start > between.end or scene.gap(between) != splice.gap:
        return None
    lead, trail = _blank_ends(lf(splice.removed.decode("utf-8", "surrogateescape")))
    offset = scene.offset_in_text(between, splice.offset)
    prefix = lead.rpartition("\n")[2]
    if "\n" not in lead and not _begins_line(scene.text, offset):
        prefix = ""
    return Placement(-1 if previous is None else previous, offset, lead, trail, prefix)


def _begins_line(text: str, offset: int) -> bool:
    return offset == 0 or text[offset - 1] == "\n"


def _index(scene: Scene, lineage: int) -> int | None:
    """The unit of a lineage, if it is there and stays."""
    number = scene.lineages.index(lineage) if lineage in scene.lineages else -1
    return number if number in scene.kept else None


def _blank_ends(text: str) -> tuple[str, str]:
    """The blank text before and after what is not blank."""
    body = text.lstrip(" \t\n")
    lead = text[: len(text) - len(body)]
    return lead, body[len(body.rstrip(" \t\n")) :]


def placement_of_new(text: str, cuts: Sequence[UnitCut], kept: Sequence[int], name: UnitName) -> Placement:
    """Where a new unit goes: behind the last method of its side, else to the end of the class body.

    Extensions go behind the last one of their class; what belongs to no class, to the
    end of the file. A blank line comes before it where the neighbours have one.
    """
    anchor = _anchor(cuts, kept, name)
    if anchor is None:
        lead = "" if not text or text.endswith("\n") else "\n"
        return Placement(len(cuts) - 1, len(text), lead, "\n" if not lead else "", "")
    blank = "\n" if _has_blank_before(text, cuts, anchor) else ""
    prefix = _prefix(text, cuts, kept, anchor, name)
    end = text.find("\n", cuts[anchor].span.end)
    return Placement(anchor, len(text) if end < 0 else end, f"\n{blank}{prefix}", "", prefix)


def _anchor(cuts: Sequence[UnitCut], kept: Sequence[int], name: UnitName) -> int | None:
    if name.kind in (UnitKind.METHOD, UnitKind.DATA):
        body = [n for n in kept if cuts[n].name.owner == name.owner and cuts[n].name.kind in _MEMBERS]
        alike = [n for n in body if cuts[n].name.kind is name.kind and cuts[n].name.side is name.side]
    else:
        body = list(kept)
        alike = [n for n in body if cuts[n].name.kind is name.kind and cuts[n].name.owner == name.owner]
    found = alike or body or list(kept)
    return found[-1] if found else None


def _has_blank_before(text: str, cuts: Sequence[UnitCut], anchor: int) -> bool:
    """Whether a unit behind `anchor` is to be set off by a blank line."""
    name = cuts[anchor].name
    if name.kind is UnitKind.HEADER or anchor == 0:
        following = _gap(text, cuts, anchor)
        return anchor + 1 == len(cuts) or "\n\n" in following
    return "\n\n" in _gap(text, cuts, anchor - 1).replace(" ", "")


def _gap(text: str, cuts: Sequence[UnitCut], number: int) -> str:
    end = cuts[number + 1].span.start if number + 1 < len(cuts) else len(text)
    return text[cuts[number].span.end : end]


def _prefix(text: str, cuts: Sequence[UnitCut], kept: Sequence[int], anchor: int, name: UnitName) -> str:
    """The indentation of a new unit: that of the class's other members."""
    if name.kind not in (UnitKind.METHOD, UnitKind.DATA):
        return ""
    members = [n for n in kept if cuts[n].name.owner == name.owner and cuts[n].name.kind in _MEMBERS[1:]]
    if members:
        nearest = max((n for n in members if n <= anchor), default=members[0])
        start = cuts[nearest].span.start
        return _blank_only(text[text.rfind("\n", 0, start) + 1 : start])
    header = text[cuts[anchor].span.start : cuts[anchor].span.end].split("\n")
    declared = [line for line in header[1:] if line[:1] in (" ", "\t") and line.strip()]
    return declared[-1][: len(declared[-1]) - len(declared[-1].lstrip(" \t"))] if declared else "  "


def _blank_only(text: str) -> str:
    return text if not text.strip() else ""


# ------------------------------------------------------------------ what goes with a unit that leaves


def removal_ranges(
    text: str, cuts: Sequence[UnitCut], histories: Mapping[int, Sequence[Splice]]
) -> dict[int, Span]:
    """What to cut out for each removed unit (the keys of `histories`).

    A unit that a flush has put in leaves with the blank text that came with it; any other
    takes its lines and, of the blank lines around it, as many as leave the wider side.
    """
    ranges: dict[int, Span] = {}
    blocks: list[list[int]] = []
    for number in sorted(histories):
        exact = _as_it_came(text, cuts[number].span, histories[number])
        if exact is not None:
            ranges[number] = exact
        elif blocks and blocks[-1][-1] == number - 1 and not _gap(text, cuts, number - 1).strip():
            blocks[-1].append(number)
        else:
            blocks.append([number])
    for block in blocks:
        ranges.update(_block_ranges(text, cuts, block))
    return ranges


def _as_it_came(text: str, span: Span, history: Sequence[Splice]) -> Span | None:
    for splice in history:
        if splice.removed:
            continue
        lead, trail = _blank_ends(lf(splice.inserted.decode("utf-8", "surrogateescape")))
        around = Span(max(0, span.start - len(lead)), span.end + len(trail))
        if text[around.start : span.start] == lead and text[span.end : around.end] == trail:
            return around
        return None
    return None


def _block_ranges(text: str, cuts: Sequence[UnitCut], block: Sequence[int]) -> dict[int, Span]:
    """The ranges of units that stand together, one behind the other without a gap."""
    first, last = cuts[block[0]].span, cuts[block[-1]].span
    start = text.rfind("\n", 0, first.start) + 1
    end = _line_end(text, last.end)
    if text[start : first.start].strip() or text[last.end : end].strip():
        return {number: cuts[number].span for number in block}
    whole = _with_blank_lines(text, start, end)
    borders = [whole.start, *(text.rfind("\n", 0, cuts[n].span.start) + 1 for n in block[1:]), whole.end]
    return {number: Span(borders[i], borders[i + 1]) for i, number in enumerate(block)}


def _with_blank_lines(text: str, start: int, end: int) -> Span:
    """Whole lines from `start` to the line end `end`, with the blank lines that go along."""
    above = text[:start]
    kept_above = above.rstrip(" \t\n")
    if not text[end:].strip():
        return Span(len(kept_above), end) if kept_above else Span(0, len(text))
    below = text[end + 1 :]
    blank_below = _blank_lines(below)
    count = blank_below if not kept_above else min(above.count("\n", len(kept_above)) - 1, blank_below)
    stop = end + 1
    for _ in range(count):
        stop = text.index("\n", stop) + 1
    return Span(start, stop)


def _blank_lines(text: str) -> int:
    """How many blank lines a text begins with."""
    body = text.lstrip(" \t\n")
    return text.count("\n", 0, len(text) - len(body))


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end
