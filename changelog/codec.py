"""Entries and marks as JSON documents, and back (changes.md 2.1).

Comes in: an `Entry` or a `Mark`. Guarantees: `decode_entry(encode_entry(e)) == e`, also
for texts that JSON does not like; every body stands beside its SHA-256. Leaves: lines and
files to `journal`. What is None, and an empty list, is left out.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from changelog.entry import (
    AuthorKind,
    ChangeKind,
    Edit,
    Entry,
    Evidence,
    FileMove,
    Footprint,
    Intent,
    Mark,
    MarkKind,
    NameKey,
    NameKind,
    Site,
    SiteKind,
    Snapshot,
    Splice,
    UnitAddress,
)
from lang.source import Span
from lang.syntax.units import Side, UnitKind, UnitName

Json = dict[str, Any]


class NotAnEntry(ValueError):
    """A document that does not say what an entry or a mark must say."""


def body_hash(text: str) -> str:
    """The SHA-256 of a body, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# ------------------------------------------------------------------ entries


def encode_entry(entry: Entry) -> Json:
    """The document of an entry."""
    return _without_nothing(
        {
            "seq": entry.seq,
            "epoch": entry.epoch,
            "ts": entry.timestamp,
            "kind": entry.kind.value,
            "class": entry.class_name,
            "selector": entry.selector,
            "side": _side(entry.side),
            "old_class": entry.old_class,
            "old_selector": entry.old_selector,
            "old_path": entry.old_path,
            "new_path": entry.new_path,
            "edits": [_edit(each) for each in entry.edits],
            "files": [_move(each) for each in entry.files],
            "candidate_sites": _sites(entry.candidate_sites),
            "excluded_sites": _sites(entry.excluded_sites),
            "prose_sites": _sites(entry.prose_sites),
            "source_file": entry.source_file,
            "span": None if entry.span is None else list(entry.span),
            "snapshot": {path: [s.mtime_ns, s.size, s.sha256] for path, s in entry.snapshots.items()},
            "intent": entry.intent.value,
            "not_flushable_reason": entry.not_flushable_reason,
            "author": entry.author,
            "author_kind": entry.author_kind.value,
            "depends_on": list(entry.depends_on),
            "introduces": _keys(entry.footprint.introduces),
            "retires": _keys(entry.footprint.retires),
            "uses": _keys(entry.footprint.uses),
            "reverts": entry.reverts,
        }
    )


def decode_entry(document: Mapping[str, Any]) -> Entry:
    """The entry of a document. Raises `NotAnEntry`."""
    try:
        return _entry_of(document)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotAnEntry(f"entry {document.get('seq', '?')}: {error!r}") from error


def _entry_of(d: Mapping[str, Any]) -> Entry:
    return Entry(
        kind=ChangeKind(d["kind"]),
        class_name=d.get("class", ""),
        selector=d.get("selector"),
        side=_side_of(d.get("side")),
        old_class=d.get("old_class"),
        old_selector=d.get("old_selector"),
        old_path=d.get("old_path"),
        new_path=d.get("new_path"),
        edits=tuple(_edit_of(each) for each in d.get("edits", ())),
        files=tuple(_move_of(each) for each in d.get("files", ())),
        candidate_sites=_sites_of(d.get("candidate_sites")),
        excluded_sites=_sites_of(d.get("excluded_sites")),
        prose_sites=_sites_of(d.get("prose_sites")),
        source_file=d.get("source_file"),
        span=None if d.get("span") is None else Span(*d["span"]),
        snapshots={path: Snapshot(*each) for path, each in d.get("snapshot", {}).items()},
        intent=Intent(d["intent"]),
        not_flushable_reason=d.get("not_flushable_reason"),
        author=d.get("author", ""),
        author_kind=AuthorKind(d["author_kind"]),
        depends_on=tuple(d.get("depends_on", ())),
        footprint=Footprint(
            _keys_of(d.get("introduces")), _keys_of(d.get("retires")), _keys_of(d.get("uses"))
        ),
        reverts=d.get("reverts"),
        seq=_number(d["seq"]),
        epoch=_number(d["epoch"]),
        timestamp=_text(d["ts"]),
    )


def damaged_bodies(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Which bodies of an entry's document differ from their hash, as `edit 0 before` (changes.md 2)."""
    found: list[str] = []
    for number, edit in enumerate(document.get("edits", ())):
        found.extend(f"edit {number} {role}" for role in ("before", "after") if _differs(edit.get(role)))
    for number, move in enumerate(document.get("files", ())):
        if _differs(move.get("text")):
            found.append(f"file {number}")
    return tuple(found)


def _differs(body: Mapping[str, Any] | None) -> bool:
    return body is not None and body_hash(body["text"]) != body.get("sha256")


# ------------------------------------------------------------------ parts of an entry


def _edit(edit: Edit) -> Json:
    return _without_nothing(
        {
            "lineage": edit.lineage,
            "unit_before": _address(edit.before_address),
            "unit_after": _address(edit.after_address),
            "before": _body(edit.before),
            "after": _body(edit.after),
            "sites": _sites(edit.sites),
            "column": edit.column,
        }
    )


def _edit_of(d: Mapping[str, Any]) -> Edit:
    return Edit(
        lineage=_number(d["lineage"]),
        before_address=_address_of(d.get("unit_before")),
        after_address=_address_of(d.get("unit_after")),
        before=_body_of(d.get("before")),
        after=_body_of(d.get("after")),
        sites=_sites_of(d.get("sites")),
        column=d.get("column"),
    )


def _body(text: str | None) -> Json | None:
    return None if text is None else {"text": text, "sha256": body_hash(text)}


def _body_of(body: Mapping[str, Any] | None) -> str | None:
    return None if body is None else _text(body["text"])


def _move(move: FileMove) -> Json:
    return _without_nothing({"old": move.old, "new": move.new, "text": _body(move.text)})


def _move_of(d: Mapping[str, Any]) -> FileMove:
    return FileMove(d.get("old"), d.get("new"), _body_of(d.get("text")))


def _address(address: UnitAddress | None) -> Json | None:
    if address is None:
        return None
    name = address.name
    return _without_nothing(
        {
            "path": address.path,
            "kind": name.kind.value,
            "owner": name.owner,
            "side": _side(name.side),
            "member": name.member,
            "ordinal": name.ordinal or None,
        }
    )


def _address_of(d: Mapping[str, Any] | None) -> UnitAddress | None:
    if d is None:
        return None
    name = UnitName(
        UnitKind(d["kind"]),
        d.get("owner", ""),
        _side_of(d.get("side")),
        d.get("member", ""),
        d.get("ordinal", 0),
    )
    return UnitAddress(d.get("path"), name)


def _sites(sites: Iterable[Site]) -> list[Json]:
    return [_site(each) for each in sites]


def _site(site: Site) -> Json:
    return _without_nothing(
        {
            "unit": _address(site.unit),
            "span": list(site.span),
            "line": site.line,
            "kind": site.kind.value,
            "class": site.class_name,
            "selector": site.selector,
            "side": _side(site.side),
            "evidence": None if site.evidence is None else site.evidence.value,
            "reflective": site.is_reflective or None,
        }
    )


def _sites_of(documents: Iterable[Mapping[str, Any]] | None) -> tuple[Site, ...]:
    return tuple(_site_of(each) for each in documents or ())


def _site_of(d: Mapping[str, Any]) -> Site:
    unit = _address_of(d["unit"])
    if unit is None:
        raise NotAnEntry("a site without a unit")
    return Site(
        unit=unit,
        span=Span(*d["span"]),
        line=_number(d["line"]),
        kind=SiteKind(d["kind"]),
        class_name=d.get("class", ""),
        selector=d.get("selector"),
        side=_side_of(d.get("side")),
        evidence=None if d.get("evidence") is None else Evidence(d["evidence"]),
        is_reflective=bool(d.get("reflective")),
    )


def _keys(keys: Iterable[NameKey]) -> list[list[object]]:
    listed: list[list[object]] = [[k.kind.value, k.denotes, k.spelling, _side(k.side)] for k in keys]
    return sorted(listed, key=str)


def _keys_of(listed: Iterable[tuple[str, int, str, str | None]] | None) -> frozenset[NameKey]:
    return frozenset(NameKey(NameKind(k), d, s, _side_of(side)) for k, d, s, side in listed or ())


def _side(side: Side | None) -> str | None:
    return None if side is None else side.value


def _side_of(text: str | None) -> Side | None:
    return None if text is None else Side(text)


# ------------------------------------------------------------------ marks


def encode_mark(mark: Mark) -> Json:
    """The document of a mark."""
    return _without_nothing(
        {
            "mark": mark.kind.value,
            "seq": mark.seq,
            "flush_id": mark.flush_id,
            "by": mark.by,
            "path": mark.path,
            "splices": [_splice(each) for each in mark.splices],
            "ts": mark.timestamp or None,
            "old_path": mark.old_path,
        }
    )


def decode_mark(document: Mapping[str, Any]) -> Mark:
    """The mark of a document. Raises `NotAnEntry`."""
    try:
        return Mark(
            kind=MarkKind(document["mark"]),
            seq=_number(document["seq"]),
            flush_id=document.get("flush_id"),
            by=document.get("by"),
            path=document.get("path"),
            splices=tuple(_splice_of(each) for each in document.get("splices", ())),
            timestamp=_text(document.get("ts", "")),
            old_path=document.get("old_path"),
        )
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error) as error:
        raise NotAnEntry(f"mark of {document.get('seq', '?')}: {error!r}") from error


def _splice(splice: Splice) -> Json:
    return _without_nothing(
        {
            "path": splice.path,
            "lineage": splice.lineage,
            "removed": base64.b64encode(splice.removed).decode(),
            "inserted": base64.b64encode(splice.inserted).decode(),
            "previous": splice.previous,
            "following": splice.following,
            "gap": splice.gap,
            "offset": splice.offset,
            "place": splice.place,
            "units": list(splice.units),
        }
    )


def _splice_of(d: Mapping[str, Any]) -> Splice:
    return Splice(
        path=_text(d["path"]),
        lineage=_number(d["lineage"]),
        removed=base64.b64decode(d.get("removed", "")),
        inserted=base64.b64decode(d.get("inserted", "")),
        previous=d.get("previous"),
        following=d.get("following"),
        gap=d.get("gap", ""),
        offset=d.get("offset", 0),
        place=d.get("place", 0),
        units=tuple(d.get("units", ())),
    )


# ------------------------------------------------------------------ plain JSON


def _without_nothing(document: Json) -> Json:
    return {key: value for key, value in document.items() if value is not None and value not in ([], {})}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise NotAnEntry(f"expected a text, got {value!r}")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise NotAnEntry(f"expected a number, got {value!r}")
    return value
