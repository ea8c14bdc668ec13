"""Any set of rows, any system, any crash: all or nothing (changes.md 11)."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.faults.flush_scenes import (
    SYSTEMS,
    Scene,
    assert_whole,
    flush,
    killed_at,
    marked,
    recovered,
)
from workspace.flush.memory_disk import Feature
from workspace.flush.outcome import Committed
from workspace.flush.rows import ABSENT, Absent, Content, FileState, LinkTo, Row

PATHS = ("a.bt", "b.bt", "src/c.bt", "src/d.bt", "src/deep/e.bt", "Ä.bt")
states: st.SearchStrategy[FileState] = st.one_of(
    st.just(ABSENT),
    st.sampled_from([b"", b"\xef\xbb\xbfbom", b"x\r\ny\r\n", b"one", b"two", b"\xff not text"]).map(Content),
    st.sampled_from(["a.bt", "../nowhere"]).map(LinkTo),
)


def _shown(state: Content | LinkTo) -> bytes | str:
    return state.data if isinstance(state, Content) else state.text


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    before = {path: draw(states) for path in PATHS}
    after = {path: draw(st.one_of(st.just(state), states)) for path, state in before.items()}
    chosen = draw(st.permutations([path for path in PATHS if before[path] != after[path]]))
    return Scene(
        {path: state.data for path, state in before.items() if isinstance(state, Content)},
        tuple(Row(path, before[path], after[path]) for path in chosen),
        {path: _shown(state) for path, state in after.items() if not isinstance(state, Absent)},
        links={path: state.text for path, state in before.items() if isinstance(state, LinkTo)},
    )


systems = st.sampled_from(sorted(SYSTEMS)).map(SYSTEMS.__getitem__)


@given(scenes(), systems)
def test_any_rows_are_written(scene: Scene, system: frozenset[Feature]) -> None:
    disk = scene.disk(system)
    assert flush(disk, scene) == Committed("7f")
    assert marked(disk)
    assert_whole(disk, scene)


@settings(max_examples=300)
@given(scenes(), systems, st.integers(0, 250), st.integers(0, 200), st.integers(0, 9))
def test_any_rows_survive_a_crash_and_another_in_the_recovery(
    scene: Scene, system: frozenset[Feature], first: int, second: int, seed: int
) -> None:
    choose = random.Random(seed).randrange if seed else (lambda n: n - 1)
    disk = scene.disk(system)
    killed_at(disk, first, lambda watched: flush(watched, scene))
    disk = disk.crash(choose)
    killed_at(disk, second, recovered)
    disk = disk.crash(choose)
    report = recovered(disk)
    assert report.is_clear
    assert not any(each.left_alone or each.kept for each in report.recovered)
    assert_whole(disk, scene)
