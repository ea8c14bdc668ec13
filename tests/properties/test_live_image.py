"""Laws of the live image over random histories (changes.md 11)."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from lang.runtime.errors import BeamtalkError
from lang.syntax.units import UnitKind
from tests.workspace.lab import Lab, project
from tests.workspace.laws import (
    Texts,
    assert_whole,
    classes_on_disk,
    differences,
    is_whole_in_memory,
    texts_of,
    texts_on_disk,
    uses_of,
)
from workspace.flush.selection import Gesture
from workspace.invariants import broken_laws

NAMES = ("Ash", "Birch", "Cedar", "Dogwood", "Elm", "ASH")
SELECTORS = ("one", "two", "three", "four")
FOLDERS = ("src", "src/deep")

FILES: dict[str, str | bytes] = {
    "src/Ash.bt": "/// Ash.\nValue subclass: Ash\n  field: x = 1\n  one => Birch new\n\n  two =>\n    self one\n  class three => 3\n",
    "src/birch.bt": b'Ash subclass: Birch\r\n  one => super one\r\n\r\n\r\n  four => "Ash {Ash three}"\r\n',
    "src/Cedar.bt": b"\xef\xbb\xbfActor subclass: Cedar\n\n  // A remark.\n  state: y = 2\n  one => 1\n  two => #(Ash three, Birch)",
    "src/Extras.bt": "type Tree = Ash | Cedar\n\nAsh >> extra => Birch new one\n\nBirch class >> extra: t :: Tree => t one\n",
    "src/Shady.bt": "Protocol define: Shady\n  one -> Ash\n",
    "test/AshTest.bt": "TestCase subclass: AshTest\n  testOne => self assert: Ash new two equals: Birch three\n",
    "src/deep/Broken.bt": "Object subclass: Broken\n  one => Ash new\n  two => ) Ash\n",
}

names = st.sampled_from(NAMES)
selectors = st.sampled_from(SELECTORS)
sides = st.sampled_from(("", " class"))
bodies = st.sampled_from(
    (
        "1",
        "self one",
        "Ash new one",
        "#(Birch, Cedar spawn two)",
        '"Ash {Birch three}"',
        "Dogwood new two; three",
        "// Elm\n    Elm new",
        "x := ASH new\n    x two",
        "#Ash",
    )
)

REFUSALS = {
    "class_already_exists",
    "class_not_found",
    "class_kind_changed",
    "compile_failed",
    "compile_error",
    "name_conflict",
    "runtime_error",
    "selector_not_found",
    "target_exists",
    "class_already_loaded",
    "class_name_mismatch",
    "no_source_file",
    "does_not_understand",
}


class LiveImage(RuleBasedStateMachine):
    """Random work on one project. `before` are the texts before each change that undo can reach."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="beamtalk-live-"))
        self.lab = Lab(project(self.root, FILES))
        self.lab.sync()
        self.before: list[Texts] = []
        self.undone: list[Texts] = []
        self.disk_is_ours = True
        self.is_for_disk = True
        self.spikes_are_allowed = False
        self.trace: list[str] = []

    def teardown(self) -> None:
        try:
            if self.disk_is_ours and self.is_for_disk and sys.exc_info()[1] is None:
                self.ends_as_the_files_say()
        finally:
            self.lab.close()
            shutil.rmtree(self.root)

    # ------------------------------------------------------------ steps

    def tried(self, text: str) -> bool:
        """Try a change; a refusal changes nothing, a success is one step for undo."""
        lab = self.lab
        self.index()
        state, texts = lab.state, texts_of(lab.state)
        logged = len(lab.workspace.log.entries)
        error = lab.outcome(text).error
        if error is not None:
            assert error.kind in REFUSALS, error
            assert not _is_fault(error), error
            assert len(lab.workspace.log.entries) == logged
            assert texts_of(lab.state) == texts or lab.state is state
            return False
        if len(lab.workspace.log.entries) > logged:
            self.before.append(texts)
            self.undone.clear()
        return True

    def index(self) -> None:
        """Take in the sources that are not loaded, as a rename would."""
        self.lab.workspace.evaluator.run(self.lab.workspace.loader.index_every_source)

    @rule(name=names, side=sides, selector=selectors, body=bodies)
    def patch(self, name: str, side: str, selector: str, body: str) -> None:
        self.tried(f"{name}{side} >> {selector} => {body}")

    @rule(name=names, selector=selectors, body=bodies)
    def patch_with_doc(self, name: str, selector: str, body: str) -> None:
        self.tried(f'{name} compile: #{selector} source: "/// Doc.\n{selector} =>\n  {_quoted(body)}"')

    @rule(name=names, selector=selectors, body=bodies)
    def try_out(self, name: str, selector: str, body: str) -> None:
        """Spikes never reach the disk: from then on memory is not what the files say."""
        if self.spikes_are_allowed:
            text = f'{name} tryCompile: #{selector} source: "{selector} => {_quoted(body)}"'
            self.is_for_disk = not self.tried(text) and self.is_for_disk

    @initialize(allowed=st.sampled_from((False, False, True)))
    def decide_on_spikes(self, allowed: bool) -> None:
        self.spikes_are_allowed = allowed

    @rule(name=st.sampled_from(("Integer", "String")), selector=selectors, body=bodies)
    def patch_library(self, name: str, selector: str, body: str) -> None:
        self.tried(f"{name} >> {selector} => {body}")

    @rule(name=names, side=sides, selector=selectors)
    def remove_method(self, name: str, side: str, selector: str) -> None:
        self.tried(f"{name}{side} removeSelector: #{selector}")

    @rule(name=names)
    def remove_class(self, name: str) -> None:
        self.tried(f"{name} removeFromSystem")

    @rule(old=names, new=names)
    def rename_class(self, old: str, new: str) -> None:
        self.tried(f"{old} renameTo: #{new}")

    @rule(name=names, side=sides, old=selectors, new=selectors)
    def rename_method(self, name: str, side: str, old: str, new: str) -> None:
        self.tried(f"{name}{side} renameSelector: #{old} to: #{new}")

    @rule(name=names, old=selectors, new=selectors)
    def rename_method_with_all_senders(self, name: str, old: str, new: str) -> None:
        self.tried(f"{name} renameSelector: #{old} to: #{new} accepting: [:s | true]")

    @rule(name=names, folder=st.sampled_from(FOLDERS))
    def move(self, name: str, folder: str) -> None:
        self.tried(f'Workspace moveClass: {name} to: "{folder}/{name}.bt"')

    @rule(name=names, folder=st.sampled_from(FOLDERS), body=bodies)
    def new_class(self, name: str, folder: str, body: str) -> None:
        text = f"Value subclass: {name}\n  one => {_quoted(body)}\n"
        self.tried(f'Workspace newClass: "{text}" at: "{folder}/{name}.bt"')

    @rule(name=names, above=st.sampled_from(("Value", "Ash", "Birch")), body=bodies)
    def redefine(self, name: str, above: str, body: str) -> None:
        if name in self.lab.state.classes:
            self.tried(f"{above} subclass: {name}\n  field: z = nil\n  one => {body}\n  class two => self\n")

    @rule(name=names, above=st.sampled_from(("Value", "Ash")), body=bodies)
    def define_at_the_prompt(self, name: str, above: str, body: str) -> None:
        """A class without a file: what uses it waits with it until it is saved."""
        if self.spikes_are_allowed and name not in self.lab.state.classes:
            self.is_for_disk = (
                not self.tried(f"{above} subclass: {name}\n  one => {body}\n") and self.is_for_disk
            )

    @rule(name=names, folder=st.sampled_from(FOLDERS))
    def save(self, name: str, folder: str) -> None:
        self.tried(f'Workspace save: {name} at: "{folder}/{name}.bt"')

    # ------------------------------------------------------------ back and forth

    @precondition(lambda self: self.before)
    @rule()
    def undo(self) -> None:
        now = texts_of(self.lab.state)
        error = self.lab.outcome("Workspace undo").error
        if error is not None:
            assert not _is_fault(error), error
            assert not self.disk_is_ours, error
            return
        expected = self.before.pop()
        self.undone.append(now)
        if self.disk_is_ours:
            assert differences(texts_of(self.lab.state), expected) == []

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        now = texts_of(self.lab.state)
        error = self.lab.outcome("Workspace redo").error
        if error is not None:
            assert not _is_fault(error), error
            assert not self.disk_is_ours, error
            return
        expected = self.undone.pop()
        self.before.append(now)
        if self.disk_is_ours:
            assert differences(texts_of(self.lab.state), expected) == []

    @rule(pick=st.integers(0, 30), how=st.sampled_from(("", " cascade: true")))
    def revert(self, pick: int, how: str) -> None:
        entries = self.lab.workspace.log.current_entries()
        taken_back = {entry.reverts for entry in entries}
        left = [
            n for n, e in enumerate(self.lab.workspace.log.entries, 1) if e in entries and e.reverts is None
        ]
        left = [n for n in left if self.lab.workspace.log.entries[n - 1].seq not in taken_back]
        if left:
            number = left[pick % len(left)]
            if self.tried(f"Workspace changes revert: (Workspace changes allEntries at: {number}){how}"):
                self.before.clear()
                self.undone.clear()

    # ------------------------------------------------------------ disk

    @rule(name=names)
    def flush_one_class(self, name: str) -> None:
        self.index()
        now = texts_of(self.lab.state)
        error = self.lab.outcome(f"Workspace flush: {name} confirmDestructive: true").error
        assert error is None or error.kind == "class_not_found", error
        assert texts_of(self.lab.state) == now

    @rule(gesture=st.sampled_from(Gesture))
    def flush(self, gesture: Gesture) -> None:
        self.index()
        now = texts_of(self.lab.state)
        result = self.lab.flush(gesture)
        assert result.failure is None
        if self.disk_is_ours:
            assert result.conflicts == ()
        assert texts_of(self.lab.state) == now
        if result.conflicts == () and gesture is Gesture.DESTRUCTIVE and self.is_all_for_disk():
            assert differences(texts_on_disk(self.lab), _in_files(now)) == []
            left = [each for each in self.lab.workspace.pending.view().active if each.is_flushable]
            assert left == []

    @rule(pick=st.integers(0, 30))
    def flush_one_entry(self, pick: int) -> None:
        """After any flush the law of changes.md 4.2 holds."""
        self.index()
        active = self.lab.workspace.pending.view().active
        if active:
            seq = active[pick % len(active)].seq
            wish = f"(Workspace changes between: {seq} and: {seq}) first"
            whole = self.whole_names()
            assert self.lab.outcome(f"Workspace flush: ({wish}) confirmDestructive: true").error is None
            self.no_name_was_broken(whole)

    @rule(
        kinds=st.sampled_from(
            ("#instance", "#class #extension", "#'rename-class'", "#'remove-method' #human")
        )
    )
    def flush_kinds(self, kinds: str) -> None:
        self.index()
        whole = self.whole_names()
        wish = f"#({', '.join(kinds.split())})"
        assert (
            self.lab.outcome(f"Workspace changes flushKinds: {wish} confirmDestructive: true").error is None
        )
        self.no_name_was_broken(whole)

    def is_all_for_disk(self) -> bool:
        """Whether nothing else than this image's durable changes is in memory or on disk."""
        return self.disk_is_ours and self.is_for_disk

    def whole_names(self) -> frozenset[str]:
        """The class names that files use and declare."""
        declared, used = classes_on_disk(self.lab)
        return used & declared

    def no_name_was_broken(self, whole: frozenset[str]) -> None:
        """No use is broken that was whole on disk, and is whole or gone in memory (changes.md 4.2)."""
        declared, _used = classes_on_disk(self.lab)
        state = self.lab.state
        broken = [
            (path, unit.name, name)
            for path, file in state.disk.items()
            for unit in file.units
            for name in uses_of(unit.text, unit.name.kind) & (whole - declared)
            if is_whole_in_memory(state, unit.lineage)
        ]
        assert broken == [] or not self.disk_is_ours, broken

    @rule()
    def restart_and_restore(self) -> None:
        self.index()
        now = _in_files(texts_of(self.lab.state))
        self.lab.restart()
        restored = self.lab.workspace.evaluator.run(self.lab.workspace.history.restore)
        self.before.clear()
        self.undone.clear()
        is_as_before, self.is_for_disk = self.is_all_for_disk(), True
        if is_as_before:
            assert [(each.entry, each.reason) for each in restored.skipped] == []
            assert differences(_in_files(texts_of(self.lab.state)), now) == []

    @rule(pick=st.integers(0, 39), change=st.sampled_from(("top", "method", "gone", "new")))
    def edit_outside(self, pick: int, change: str) -> None:
        if pick > 9:
            return  # rare: most laws hold only while nobody else writes
        paths = self.lab.workspace.list_sources()
        path = self.lab.path(paths[pick % len(paths)])
        data = path.read_bytes()
        match change:
            case "top":
                path.write_bytes(b"// Outside.\n" + data.removeprefix(b"\xef\xbb\xbf"))
            case "method":
                path.write_bytes(data.replace(b"one =>", b"one => 7 +", 1))
            case "gone":
                path.unlink()
            case _:
                path.with_name("Fern.bt").write_text("Ash subclass: Fern\n  four => Birch\n")
        self.disk_is_ours = False

    @rule()
    def sync(self) -> None:
        error = self.lab.outcome("Workspace sync").error
        assert error is None, error
        self.undone.clear() if not self.disk_is_ours else None

    # ------------------------------------------------------------ laws

    @invariant()
    def is_whole(self) -> None:
        assert_whole(self.lab)
        broken = self.lab.workspace.evaluator.run(lambda: list(broken_laws(self.lab.workspace)))
        assert broken == [] or not self.disk_is_ours, broken

    def ends_as_the_files_say(self) -> None:
        """After a full flush a fresh workspace that loads the files equals the live one."""
        live = self.lab
        live.flush_all()
        live.sync()
        self.index()
        texts, registry = _in_files(texts_of(live.state)), _modules(live)
        live.restart()
        self.index()
        assert differences(_in_files(texts_of(live.state)), texts) == []
        assert _modules(live) == registry
        assert_whole(live)


def _is_fault(error: BeamtalkError) -> bool:
    """Whether the workspace itself failed, rather than saying no."""
    return error.__cause__ is not None and error.kind != "class_not_found"


def _quoted(text: str) -> str:
    return text.replace('"', '""').replace("{", "\\{")


def _in_files(texts: Texts) -> Texts:
    return {key: text for key, text in texts.items() if key[0] is not None}


def _modules(lab: Lab) -> dict[str, str]:
    state = lab.state
    found = {}
    for unit in state.units.values():
        if unit.kind is UnitKind.HEADER and unit.path is not None:
            class_object = lab.workspace.runtime.class_named(unit.owner)
            found[unit.owner] = "" if class_object is None else class_object.definition.name
    return found


LONG_HISTORIES = int(os.environ.get("LONG_HISTORIES", "25"))
"""How many long ones, of up to 40 steps; the full 10,000: `LONG_HISTORIES=250 HYPOTHESIS_PROFILE=search`."""


def _run(examples: int, steps: int) -> None:
    run_state_machine_as_test(
        LiveImage,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            phases=(Phase.generate,),  # shrinking takes minutes; the histories are short
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.fixture
def deep_stack(tmp_path: Path) -> None:
    """The first evaluator of a process raises its limits, which hypothesis would take for a mistake."""
    Lab(project(tmp_path, {})).close()


@pytest.mark.usefixtures("deep_stack")
def test_short_histories() -> None:
    _run(16, 9)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("deep_stack")
def test_long_histories() -> None:
    _run(LONG_HISTORIES, 40)
