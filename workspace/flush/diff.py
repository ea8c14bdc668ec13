"""Unified diffs from edits, never by comparing whole files (changes.md 2.2, 4.2).

Comes in: LF text and the edits made in it. Guarantees: hunks with three lines of context,
as `diff -u` and git write them. The cost is that of the edited lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from lang.dataclass import dataclass
from lang.source import SourceText, Span, TextEdit

_CONTEXT = 3


@dataclass(frozen=True, slots=True)
class _Block:
    """Old lines [start, end), 0-based, and the lines that come in their place; lines keep their ends."""

    start: int
    end: int
    lines: tuple[str, ...]


def unified_diff(old_path: str | None, new_path: str | None, text: str, edits: Iterable[TextEdit]) -> str:
    """The diff of a text against itself with edits; empty when nothing differs. None is `/dev/null`.

    A file that only changes its path has a head without hunks.
    """
    old = text.splitlines(keepends=True) if not _has_odd_ends(text) else _lines(text)
    hunks = "".join(_hunks(old, _blocks(SourceText(text), old, sorted(edits, key=lambda e: e.span))))
    if not hunks and old_path == new_path:
        return ""
    return _head(old_path, new_path) + hunks


def created_diff(path: str, text: str) -> str:
    """The diff of a file that comes into being."""
    return unified_diff(None, path, "", [TextEdit(Span(0, 0), text)])


def deleted_diff(path: str, text: str) -> str:
    """The diff of a file that goes."""
    return unified_diff(path, None, text, [TextEdit(Span(0, len(text)), "")])


def _head(old_path: str | None, new_path: str | None) -> str:
    old = "/dev/null" if old_path is None else f"a/{old_path}"
    new = "/dev/null" if new_path is None else f"b/{new_path}"
    return f"--- {old}\n+++ {new}\n"


def _has_odd_ends(text: str) -> bool:
    """Whether `str.splitlines` would see line ends besides LF."""
    return any(sign in text for sign in "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


def _lines(text: str) -> list[str]:
    """The lines with their LF; only LF ends a line."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


# ------------------------------------------------------------------ blocks


def _blocks(source: SourceText, old: Sequence[str], edits: Sequence[TextEdit]) -> list[_Block]:
    """Changed lines; edits that touch the same lines are one block."""
    groups: list[list[TextEdit]] = []
    end = -1
    for edit in edits:
        if groups and source.position(edit.span.start).line <= end:
            groups[-1].append(edit)
        else:
            groups.append([edit])
        end = max(end, source.position(edit.span.end).line)
    blocks = [_trimmed(old, _block(source, old, group)) for group in groups]
    return [part for block in blocks for part in _parts(old, block)]


def _block(source: SourceText, old: Sequence[str], group: Sequence[TextEdit]) -> _Block:
    first = source.position(group[0].span.start).line - 1
    last = source.position(group[-1].span.end).line
    start = source.line_start(first + 1)
    pieces: list[str] = []
    at = start
    for edit in group:
        pieces += (source.text[at : edit.span.start], edit.replacement.replace("\r\n", "\n"))
        at = edit.span.end
    end = source.line_start(last + 1) if last < source.line_count else len(source.text)
    pieces.append(source.text[at:end])
    return _Block(first, min(last, len(old)), tuple(_lines("".join(pieces))))


def _trimmed(old: Sequence[str], block: _Block) -> _Block:
    """The block without the lines at its ends that stay."""
    lines = block.lines
    head = common_start(old[block.start : block.end], lines)
    left = block.end - block.start - head
    tail = min(common_start(old[block.start : block.end][::-1], lines[::-1]), left, len(lines) - head)
    return _Block(block.start + head, block.end - tail, lines[head : len(lines) - tail])


def _parts(old: Sequence[str], block: _Block) -> list[_Block]:
    """The runs of lines of a block that differ; lines between them that stay are left out.

    Only the lines of one edit are compared, never a file.
    """
    before = old[block.start : block.end]
    if len(before) < 2 or len(block.lines) < 2:
        return [block] if before or block.lines else []
    matcher = SequenceMatcher(None, before, block.lines, autojunk=False)
    return [
        _Block(block.start + start, block.start + end, block.lines[low:high])
        for tag, start, end, low, high in matcher.get_opcodes()
        if tag != "equal"
    ]


def common_start(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines both begin with."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


# ------------------------------------------------------------------ hunks


def _hunks(old: Sequence[str], blocks: Sequence[_Block]) -> Iterable[str]:
    shift = 0
    for group in _grouped(blocks):
        start = max(0, group[0].start - _CONTEXT)
        end = min(len(old), group[-1].end + _CONTEXT)
        body: list[str] = []
        at = start
        for block in group:
            body += (_marked(" ", line) for line in old[at : block.start])
            body += (_marked("-", line) for line in old[block.start : block.end])
            body += (_marked("+", line) for line in block.lines)
            at = block.end
        body += (_marked(" ", line) for line in old[at:end])
        grown = sum(len(block.lines) - block.end + block.start for block in group)
        length = end - start
        yield f"@@ -{_range(start, length)} +{_range(start + shift, length + grown)} @@\n"
        yield from body
        shift += grown


def _grouped(blocks: Sequence[_Block]) -> list[list[_Block]]:
    groups: list[list[_Block]] = []
    for block in blocks:
        if groups and block.start - groups[-1][-1].end <= 2 * _CONTEXT:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def _range(start: int, length: int) -> str:
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"


def _marked(sign: str, line: str) -> str:
    if line.endswith("\n"):
        return sign + line
    return f"{sign}{line}\n\\ No newline at end of file\n"
