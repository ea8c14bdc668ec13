"""A change that fails anywhere changes nothing (changes.md 6, "Memory is a transaction")."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workspace.lab import Lab, lab_with
from tests.workspace.laws import assert_unchanged, assert_whole, snapshot

USERS = 5

FILES = {
    "src/Counter.bt": (
        "Actor subclass: Counter\n  state: value = 0\n  increment => self.value := self.value + 1\n"
        "  twice => #(self increment, self increment)\n"
    ),
    "src/Extras.bt": "Counter >> shout => self increment\n",
    "src/Lone.bt": "Value subclass: Lone\n  field: x = 1\n  one => 1\n",
    "test/CounterTest.bt": "TestCase subclass: CounterTest\n  testOne => self assert: Counter spawn increment equals: 1\n",
    **{
        f"src/User{n}.bt": f"Counter subclass: User{n}\n  use => Counter spawn increment + self increment\n"
        for n in range(USERS)
    },
}

WISHES = {
    "patch": ("", "Counter >> increment => 7"),
    "new method": ("", "Counter class >> fresh => self spawn"),
    "class rename": ("", "Counter renameTo: #Accumulator"),
    "method rename": ("", "Counter renameSelector: #increment to: #bump"),
    "method removal": ("", "Counter removeSelector: #shout"),
    "class removal": ("", "Lone removeFromSystem"),
    "redefinition": ("", "Actor subclass: Counter\n  state: step = 2\n  increment => self.step\n"),
    "new class": ("", 'Workspace newClass: "Counter subclass: Fresh\n  one => 1\n" at: "src/Fresh.bt"'),
    "move": ("", 'Workspace moveClass: Counter to: "src/deep/Counter.bt"'),
    "undo of a patch": ("Counter >> increment => 7", "Workspace undo"),
    "undo of a class rename": ("Counter renameTo: #Accumulator", "Workspace undo"),
    "undo of a method rename": ("Counter renameSelector: #increment to: #bump", "Workspace undo"),
    "undo of a class removal": ("Lone removeFromSystem", "Workspace undo"),
    "redo": ("Counter renameTo: #Accumulator\nWorkspace undo", "Workspace redo"),
}


class Injected(Exception):
    """The fault of a test."""


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with lab_with(tmp_path, FILES) as lab:
        lab.workspace.evaluator.run(lab.workspace.loader.index_every_source)
        lab("c := Counter spawn")
        lab("u := User3 spawn")
        lab("u use")
        yield lab


def stores_of(lab: Lab, wish: str) -> int:
    """How many stores a change makes; it is carried out, and fails at the last."""
    seen: list[int] = []
    lab.workspace.transactions.before_store = seen.append
    assert lab.outcome(wish).error is None
    return len(seen)


def fail_at(lab: Lab, number: int) -> None:
    def check(at: int) -> None:
        if at == number:
            raise Injected(number)

    lab.workspace.transactions.before_store = check


@pytest.mark.parametrize("name", WISHES)
def test_a_fault_at_any_store_changes_nothing(lab: Lab, name: str) -> None:
    before_it, wish = WISHES[name]
    for step in filter(None, before_it.split("\n")):
        lab(step)
    before = snapshot(lab)
    number = 0
    while True:
        fail_at(lab, number)
        outcome = lab.outcome(wish)
        if outcome.error is None:
            break
        assert isinstance(outcome.error.__cause__, Injected), outcome.error
        assert_unchanged(lab, before)
        number += 1
    assert number >= 3
    assert_whole(lab)


def test_what_ran_before_a_fault_runs_after_it(lab: Lab) -> None:
    for number in range(6):
        fail_at(lab, number)
        lab.outcome("Counter renameTo: #Accumulator")
        lab.outcome("Counter renameSelector: #increment to: #bump")
    assert lab("c increment") == "1"
    assert lab("u use") == "3"
    assert lab("Counter spawn shout") == "1"
    assert lab("u class") == "User3"
    assert lab.error("c bump").kind == "does_not_understand"


# ---------------------------------------------------------------- the log


class BrokenLog:
    """Lets one call for the log file fail; `times` says how often."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, call: str, times: int = 1) -> None:
        real = getattr(os, call)
        left = [times]

        def fail(descriptor: int, *arguments: object) -> object:
            if left[0] and Path(f"/proc/self/fd/{descriptor}").readlink().name == "changes.jsonl":
                left[0] -= 1
                raise OSError(28, "No space left on device")
            return real(descriptor, *arguments)

        monkeypatch.setattr(os, call, fail)


@pytest.mark.parametrize("call", ["write", "fsync"])
@pytest.mark.parametrize("name", WISHES)
def test_a_log_that_cannot_be_written_changes_nothing(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, name: str, call: str
) -> None:
    before_it, wish = WISHES[name]
    for step in filter(None, before_it.split("\n")):
        lab(step)
    before = snapshot(lab)
    with monkeypatch.context() as patched:
        BrokenLog(patched, call)
        error = lab.error(wish)
    assert "space" in error.message, error
    assert_unchanged(lab, before)
    lab(wish)
    assert_whole(lab)


def test_a_log_that_cannot_be_cut_back_takes_no_more(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    before = snapshot(lab)
    with monkeypatch.context() as patched:
        BrokenLog(patched, "fsync", times=9)
        lab.error("Counter >> increment => 7")
    error = lab.error("Counter >> increment => 8")
    assert error.kind == "runtime_error"
    assert "read-only until the workspace is opened again" in error.message
    assert snapshot(lab).definitions == before.definitions
    lab.restart()
    lab("Counter >> increment => 9")
    assert lab("Counter spawn increment") == "9"


# ---------------------------------------------------------------- refusals

REFUSED = {
    "Counter renameTo: #Lone": "class_already_exists",
    "Counter renameTo: #CounterTest": "class_already_exists",
    "Counter renameTo: #Integer": "stdlib_shadowing",
    "Counter renameSelector: #increment to: #twice": "name_conflict",
    "Counter renameSelector: #increment to: #shout": "name_conflict",
    "Counter renameSelector: #increment to: #use": "name_conflict",
    "Counter renameSelector: #increment to: #class": "name_conflict",
    "Counter removeFromSystem": "runtime_error",
    "Counter removeSelector: #nosuch": "selector_not_found",
    "Counter >> increment => ) 3": "compile_error",
    'Counter compile: #increment source: "increment => )"': "compile_failed",
    'Counter compile: #increment source: "other => 1"': "compile_failed",
    'Workspace moveClass: Counter to: "src/Lone.bt"': "class_name_mismatch",
    'Workspace newClass: "Object subclass: Elm" at: "src/Elm.txt"': "class_name_mismatch",
    'Workspace moveClass: Counter to: "lib/Counter.bt"': "target_outside_project",
    'Workspace newClass: "Value subclass: Lone\n  one => 1\n" at: "src/deep/Lone.bt"': "class_already_loaded",
    "Workspace undo. Workspace undo. 1 foo": "does_not_understand",
}


@pytest.mark.parametrize("wish", REFUSED)
def test_what_is_refused_changes_nothing(lab: Lab, wish: str) -> None:
    before = snapshot(lab)
    assert lab.error(wish).kind == REFUSED[wish]
    assert_unchanged(lab, before)


def test_a_rename_whose_rewritten_code_does_not_compile_changes_nothing(tmp_path: Path) -> None:
    sealed = {
        "src/Base.bt": "Value subclass: Base\n  sealed fixed => 1\n",
        "src/Kid.bt": "Base subclass: Kid\n  free => 1\n  other => self free\n",
    }
    with lab_with(tmp_path, sealed) as lab:
        lab.workspace.evaluator.run(lab.workspace.loader.index_every_source)
        before = snapshot(lab)
        error = lab.error("Kid renameSelector: #free to: #fixed shadowing: true")
        assert error.kind == "compile_failed"
        assert "fixed" in error.message
        assert_unchanged(lab, before)
        assert lab("Kid new other") == "1"


def test_files_of_one_module_cannot_stand_together(tmp_path: Path) -> None:
    """A rename, a move or a new class that a load would refuse is refused at once (types.md M-8)."""
    files = {"src/Ash.bt": "Value subclass: Ash\n  x => 1\n", "src/Elm.bt": "Value subclass: Elm\n  x => 2\n"}
    with lab_with(tmp_path, files) as lab:
        lab.workspace.evaluator.run(lab.workspace.loader.index_every_source)
        before = snapshot(lab)
        new = 'Workspace newClass: "Value subclass: ASH\n  x => 1\n" at: "src/ASH.bt"'
        for wish in ("Elm renameTo: #ASH", new):
            assert lab.error(wish).kind == "target_exists"
            assert_unchanged(lab, before)
        lab("Ash renameTo: #Oak")
        lab("Elm renameTo: #ASH")
        lab.flush_all()
        lab.restart()
        assert lab("ASH new x") == "2"
        assert lab("Oak new x") == "1"
