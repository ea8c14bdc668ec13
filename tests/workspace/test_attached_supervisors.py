"""Supervisors of a workspace, and the events that it announces (workspace.md 2.4; actors.md 13.5, 15)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workspace.lab import Lab, lab_with

MANIFEST = '[package]\nname = "lab"\nversion = "0.1.0"\n\n[application]\nsupervisor = "Root"\n'

FILES = {
    "beamtalk.toml": MANIFEST,
    "src/Till.bt": "Actor subclass: Till\n  state: cash = 0\n  state: label = nil\n"
    "  put: n => self.cash := self.cash + n\n  cash => self.cash\n",
    "src/Root.bt": "Supervisor subclass: Root\n  class children => #(Till)\n",
    "src/Side.bt": "Supervisor subclass: Side\n"
    "  class children => #(Till supervisionSpec withRestart: #permanent)\n",
    "src/Slow.bt": "Actor subclass: Slow\n  initialize => Timer sleep: 250\n",
    "src/Dock.bt": "Supervisor subclass: Dock\n"
    "  class children => #(Slow supervisionSpec withRestart: #permanent)\n",
    "src/Book.bt": "Actor subclass: Book\n  state: lines = #()\n  note: x => self.lines := self.lines add: x\n"
    "  lines => self.lines\n"
    "  hear: aClass => SystemAnnouncer current when: aClass do: [:e | self note: e]\n",
}


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with lab_with(tmp_path, FILES) as made:
        yield made


def test_attaching_and_detaching(lab: Lab) -> None:
    assert [lab("Workspace supervisor"), lab("Workspace supervisors")] == ["nil", "#()"]
    side = lab("side := Workspace startSupervisor: Side")
    assert side.startswith("Supervisor(Side, 0.")
    assert lab("(Workspace startSupervisor: Side) =:= side") == "true"
    lab("root := Root supervise unwrap")
    assert lab("Workspace supervisor =:= root") == "true"
    assert lab("(Workspace supervisors collect: [:s | s class name asString])") == '#("Root", "Side")'
    assert lab("Workspace processes size") == "5"  # the Transcript is one
    assert lab("Workspace stopSupervisor: Side") == "nil"
    assert [lab("side isAlive"), lab("Workspace supervisors size")] == ["false", "1"]


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("Workspace startSupervisor: 7", "type_error", "Expected a Supervisor class"),
        (
            "Workspace startSupervisor: Till",
            "type_error",
            "Till is not a Supervisor or DynamicSupervisor subclass",
        ),
        (
            "Root supervise. Workspace startSupervisor: Root",
            "runtime_error",
            "Root is already running; stop it first, then attach to the workspace",
        ),
        ("Workspace stopSupervisor: Side", "runtime_error", "Side is not attached to the workspace"),
    ],
)
def test_refusals(lab: Lab, text: str, kind: str, message: str) -> None:
    error = lab.error(text)
    assert (error.kind, error.message) == (kind, message)


def test_a_child_that_restarts_is_listed_as_such(lab: Lab) -> None:
    lab("dock := (Dock supervise) unwrap. slow := (dock which: Slow) unwrap")
    text = (
        "slow kill. tree := (ProcessNavigation from: dock) unwrap tree. "
        "#(tree size, tree root childCount, (tree nodes at: 2) kind, (tree nodes at: 2) pid)"
    )
    assert lab(text) == "#(2, 1, #restarting, nil)"
    assert lab("(tree nodes at: 2) printString") == '"#SupervisionNode<#restarting Slow restarting>"'
    lab("Timer sleep: 600")
    assert lab("((ProcessNavigation from: dock) unwrap tree nodes at: 2) kind") == "#beamtalkActor"


def test_bindings_are_announced(lab: Lab) -> None:
    lab("book := Book spawn. book hear: BindingChanged")
    lab("x := 3")
    lab("Workspace bind: 9 as: #Nine")
    lab("Timer sleep: 10")
    assert lab("book lines collect: [:e | e name]") == "#(#x, #Nine)"
    assert lab("book lines collect: [:e | e value]") == "#(3, 9)"
    assert lab("book lines collect: [:e | e sessionId isNil]") == "#(false, true)"


def test_flushes_are_announced(lab: Lab) -> None:
    lab("book := Book spawn. book hear: FlushCompleted")
    lab("Workspace flush")
    lab("Till >> put: n => self.cash := self.cash + n + 0")
    lab("Workspace flush")
    lab("Timer sleep: 10")
    assert lab("book lines collect: [:e | e files]") == '#(#("src/Till.bt"))'


def test_state_of_actors_is_announced_while_somebody_asks(lab: Lab) -> None:
    lab("counter := AtomicCounter new: #changes. till := Till spawn")
    # Who wants everything does not make actors tell: its own note would be the next event.
    lab("book := Book spawn. book hear: Announcement. till put: 1. Timer sleep: 5")
    assert "ObjectStateChanged" not in lab("book lines printString")
    lab("book stop")
    # One turn: a subscription of the prompt ends with it.
    text = (
        "slots := #(). s := SystemAnnouncer current when: ObjectStateChanged do: [:e | "
        "e changedSlots =:= #(#cash) ifTrue: [counter increment]]. "
        "till put: 2. till cash. till put: 0. till put: 3!. till cash. Timer sleep: 10. s unsubscribe. till put: 1. "
        "Timer sleep: 5. counter value"
    )
    assert lab(text) == "2"
    lab("counter delete")


def test_a1_state_changed_through_self_is_kept(tmp_path: Path) -> None:
    till = (
        "Actor subclass: Till\n  state: cash = 0\n  put: n => self.cash := self.cash + n\n"
        "  putTwice: n =>\n    self put: n\n    self put: n\n    self.cash\n"
        "  early: n =>\n    self put: n\n    ^self put: n\n"
    )
    with lab_with(tmp_path, {"src/Till.bt": till}) as lab:
        lab("t := Till spawn")
        assert [lab("t putTwice: 5"), lab("t early: 1"), lab("t put: 0")] == ["10", "12", "12"]


def test_a2_a_failing_extension_leaves_the_actor_alive(tmp_path: Path) -> None:
    counter = (
        "Actor subclass: Counter\n  state: value = 0\n  increment => self.value := self.value + 1\n"
        "  getValue => self.value\n"
    )
    faults = (
        'Counter >> spoil => (Erlang erlang) hd: #()\n\nCounter >> check => self error: "boom"\n\n'
        "Counter >> open => self check\n"
    )
    with lab_with(tmp_path, {"src/Counter.bt": counter, "src/Faults.bt": faults}) as lab:
        lab("c := Counter spawn. c increment")
        error = lab.error("c spoil")
        assert "spoil" in f"{error.message} {error.selector}"
        assert lab("c getValue") == "1"
        assert "boom" in lab("[c open] on: Error do: [:e | e message]")
        assert lab("c isAlive") == "true"
