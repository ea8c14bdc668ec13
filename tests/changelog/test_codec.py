"""Entries and marks survive their documents, whatever is in them."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from changelog.codec import NotAnEntry, damaged_bodies, decode_entry, decode_mark, encode_entry, encode_mark
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

texts = st.text(max_size=5)
some = st.none() | texts
numbers = st.integers(0, 1 << 40)
sides = st.none() | st.sampled_from(Side)
spans = st.builds(Span, numbers, numbers)
names = st.builds(UnitName, st.sampled_from(UnitKind), texts, sides, texts, st.integers(0, 3))
addresses = st.builds(UnitAddress, some, names)
sites = st.builds(
    Site,
    addresses,
    spans,
    numbers,
    st.sampled_from(SiteKind),
    texts,
    some,
    sides,
    st.none() | st.sampled_from(Evidence),
    st.booleans(),
)
edits = st.builds(
    Edit,
    numbers,
    st.none() | addresses,
    st.none() | addresses,
    some,
    some,
    st.lists(sites, max_size=2).map(tuple),
    st.none() | st.integers(0, 9),
)
keys = st.frozensets(st.builds(NameKey, st.sampled_from(NameKind), numbers, texts, sides), max_size=3)
several_sites = st.lists(sites, max_size=2).map(tuple)
entries = st.builds(
    Entry,
    kind=st.sampled_from(ChangeKind),
    class_name=texts,
    selector=some,
    side=sides,
    old_class=some,
    old_selector=some,
    old_path=some,
    new_path=some,
    edits=st.lists(edits, max_size=2).map(tuple),
    files=st.lists(st.builds(FileMove, some, some, some), max_size=2).map(tuple),
    candidate_sites=several_sites,
    excluded_sites=several_sites,
    prose_sites=several_sites,
    source_file=some,
    span=st.none() | spans,
    snapshots=st.dictionaries(texts, st.builds(Snapshot, numbers, numbers, texts), max_size=2),
    intent=st.sampled_from(Intent),
    not_flushable_reason=some,
    author=texts,
    author_kind=st.sampled_from(AuthorKind),
    depends_on=st.lists(numbers, max_size=3).map(tuple),
    footprint=st.builds(Footprint, keys, keys, keys),
    reverts=st.none() | numbers,
    seq=numbers,
    epoch=numbers,
    timestamp=texts,
)
splices = st.builds(
    Splice,
    texts,
    numbers,
    st.binary(max_size=9),
    st.binary(max_size=9),
    st.none() | numbers,
    st.none() | numbers,
    texts,
    numbers,
    numbers,
    st.lists(numbers, max_size=2).map(tuple),
)
marks = st.builds(
    Mark,
    st.sampled_from(MarkKind),
    numbers,
    some,
    st.none() | numbers,
    some,
    st.lists(splices, max_size=2).map(tuple),
)


@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
@given(entries)
def test_an_entry_comes_back(entry: Entry) -> None:
    document = json.loads(json.dumps(encode_entry(entry)))
    assert damaged_bodies(document) == ()
    assert decode_entry(document) == entry


@given(marks)
def test_a_mark_comes_back(mark: Mark) -> None:
    assert decode_mark(json.loads(json.dumps(encode_mark(mark)))) == mark


@pytest.mark.parametrize(
    "document", [{}, {"kind": "x", "seq": 1}, {"mark": "flushed"}, {"mark": 3, "seq": []}]
)
def test_what_is_none_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(NotAnEntry):
        decode_entry(document)
    with pytest.raises(NotAnEntry):
        decode_mark(document)
