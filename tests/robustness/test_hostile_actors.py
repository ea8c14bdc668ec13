"""Actors in odd situations: whatever happens to one, the rest runs on, and nothing is left behind (actors.md 5-15, 21)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lang.runtime.processes.evaluator import Evaluation
from lang.runtime.processes.process import ProcessKind
from lang.runtime.processes.signals import Interrupted
from tests.workspace.lab import Lab, lab_with
from workspace.sessions import Outcome

FILES = {
    "src/Knot.bt": """Actor subclass: Knot
  state: n = 0
  state: kept = nil
  n => self.n
  add => self.n := self.n + 1
  deep: k => k == 0 ifTrue: [0] ifFalse: [1 + (self deep: k - 1)]
  endless => 1 + self endless
  nap: ms =>
    Timer sleep: ms
    #rested
  spin => [true] whileTrue: []
  addLater => [self add]
  plain => [6 * 7]
  leaving => [:x | ^x]
  viaClass: ms => Bench hold: ms
  echo: b => b when: Chime do: [:e | self add!. b announce: Chime new]
""",
    "src/Bench.bt": """Object subclass: Bench
  classState: held = 0
  class hold: ms =>
    self.held := self.held + 1
    Timer sleep: ms
    self.held
  class held => self.held
""",
    "src/Slow.bt": "Actor subclass: Slow\n  initialize => Timer sleep: 4000\n",
    "src/Fickle.bt": """Actor subclass: Fickle
  initialize => (Ets named: #fickle) at: #fails ifAbsent: [nil]
  fall => self kill
""",
    "src/Inner.bt": """Supervisor subclass: Inner
  class children => #(Knot supervisionSpec withName: #leaf withRestart: #permanent)
  class maxRestarts => 2
""",
    "src/Outer.bt": """Supervisor subclass: Outer
  class children => #(Inner)
  class maxRestarts => 2
""",
    "src/SlowYard.bt": "Supervisor subclass: SlowYard\n  class children => #(Slow)\n",
    "src/Chime.bt": "Announcement subclass: Chime\n",
}


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with lab_with(tmp_path, FILES) as made:
        yield made


def begin(lab: Lab, text: str) -> Evaluation:
    session = lab.workspace.sessions.open("other")
    return lab.workspace.evaluator.submit(lambda: session.evaluate(text), session.id)


def kinds(lab: Lab) -> list[ProcessKind]:
    """What lives, the workspace's own transcript left out."""
    live = lab.workspace.image.actors.scheduler.processes.live.values()
    return [process.kind for process in live if process.label != "TranscriptStream"]


def wait_until(lab: Lab, text: str, wanted: str) -> None:
    end = time.monotonic() + 5
    while (found := lab(text)) != wanted:
        assert time.monotonic() < end, (text, found)
        time.sleep(0.005)


def test_a_nested_tree_whose_leaf_keeps_dying_gives_up_from_within(lab: Lab) -> None:
    lab("top := (Outer supervise) unwrap")
    for _ in range(40):
        if lab("Outer current isNil") == "true":
            break
        lab("(Knot named: #leaf) map: [:k | k kill]")
        lab("Timer sleep: 2")
    wait_until(lab, "Outer current isNil", "true")
    assert lab("Inner current isNil") == "true"
    assert lab("(Knot named: #leaf) isError") == "true"
    assert lab("[top count] on: Error do: [:e | e kind]") == "#stale_handle"
    assert kinds(lab) == []
    assert lab("(Outer supervise) isOk") == "true"
    assert lab("((Knot named: #leaf) unwrap) add") == "1"


def test_a_kill_during_a_class_method_frees_the_class(lab: Lab) -> None:
    lab("k := Knot spawn. Workspace bind: k as: #knot")
    running = begin(lab, "[knot viaClass: 60000] on: Error do: [:e | e kind]")
    time.sleep(0.1)
    lab("knot kill")
    outcome = running.future.result(timeout=5)
    assert isinstance(outcome, Outcome)
    assert outcome.error is None
    started = time.monotonic()
    lab("Bench hold: 0")
    assert time.monotonic() - started < 2


@pytest.mark.parametrize("interrupt_first", [True, False])
def test_who_waits_for_a_class_gets_its_turn_when_the_one_before_goes(
    lab: Lab, interrupt_first: bool
) -> None:
    first = begin(lab, "Bench hold: 60000")
    time.sleep(0.05)
    second = begin(lab, "Bench hold: 60000")
    third = begin(lab, "Bench hold: 0")
    time.sleep(0.05)
    for each in (first, second) if interrupt_first else (second, first):
        lab.workspace.evaluator.interrupt(each)
        with pytest.raises(Interrupted):
            each.future.result(timeout=5)
    assert isinstance(third.future.result(timeout=5), Outcome)


def test_timers_without_delay(lab: Lab) -> None:
    lab("k := Knot spawn")
    assert lab("[Timer every: 0 do: [1]] on: Error do: [:e | e kind]") == "#type_error"
    lab("1 to: 3000 do: [:i | Timer after: 0 do: [k add!]]")
    wait_until(lab, "k n", "3000")
    lab("far := Timer after: (2 ** 70) do: [k add!]")
    assert lab("far cancel") == "true"
    lab("t := Timer every: 1 do: [k add!]. t cancel. t cancel")
    assert ProcessKind.TIMER not in kinds(lab)


def test_announcements_that_announce_themselves_keep_nobody_waiting(lab: Lab) -> None:
    lab("b := Announcer new. k := Knot spawn. k echo: b. b announce: Chime new")
    wait_until(lab, "k n > 50", "true")
    assert lab("3 + 4") == "7"
    assert len(kinds(lab)) < 20
    lab("b unsubscribe: k. Timer sleep: 20")
    before = lab("k n")
    lab("Timer sleep: 20")
    assert lab("k n") == before


def test_an_announcement_and_wait_in_a_circle_ends(lab: Lab) -> None:
    lab(
        "b := Announcer new. b when: Chime do: [:e | b announceAndWait: Chime new timeout: 50]. "
        "b announceAndWait: Chime new timeout: 100"
    )
    time.sleep(0.3)
    assert ProcessKind.HANDLER not in kinds(lab)


def test_deep_and_endless_recursion_in_an_actor(lab: Lab) -> None:
    lab("k := Knot spawn. k add")
    assert lab("k deep: 50000") == "50000"
    assert lab("[k endless] on: Error do: [:e | e kind]") == "#resource_error"
    assert lab("k add") == "2"


def test_blocks_of_an_actor_that_has_died(lab: Lab) -> None:
    lab("k := Knot spawn. late := k addLater. plain := k plain. leaving := k leaving. k kill")
    assert lab("plain value") == "42"
    assert lab("[late value] on: Error do: [:e | e kind]") == "#actor_dead"
    assert lab("[leaving value: 3] on: Error do: [:e | e class]") in ("ThrowError", "RuntimeError")
    assert lab("3 + 4") == "7"


WAITS = {
    "sleep": "Timer sleep: 60000",
    "sleep for ever": "Timer sleep: (2 ** 5000)",
    "sleep for centuries": "Timer sleep: 9223372036854775807",
    "loop": "[true] whileTrue: []",
    "busy actor": "k nap: 4900",
    "spinning actor": "k spin",
    "stop of a busy actor": "k nap: 4900!. k stop",
    "unlimited call": "(k withTimeout: #infinity) nap: 60000",
    "parallel": "Parallel all: #([Timer sleep: 60000], [[true] whileTrue: []])",
    "announcement": "b := Announcer new. b when: Chime do: [:e | Timer sleep: 60000]. "
    "b announceAndWait: Chime new timeout: 60000",
    "class method": "Bench hold: 60000",
    "slow start": "Slow spawn",
    "slow tree": "SlowYard supervise",
    "retry": "RetryPolicy new do: [:n | Error signal: 'no']".replace("'", '"'),
    "host": "Python time sleep: 60",
    "host in thread": 'Python subprocess inThread run: #("sleep", "60")',
    "stream": "(Stream from: 1 by: [:n | n + 1]) do: [:n | n]",
    "sort": "(1 to: 100000) asList sort: [:a :c | a >= c]. [true] whileTrue: []",
    "ensure": "[Timer sleep: 60000] ensure: [1]",
    "error in ensure": "[Timer sleep: 60000] ensure: [nil foo]",
}


@pytest.mark.parametrize("name", WAITS)
def test_an_interrupt_ends_every_kind_of_wait(lab: Lab, name: str) -> None:
    running = begin(lab, "k := Knot spawn. " + WAITS[name])
    time.sleep(0.15)
    assert not running.future.done()
    started = time.monotonic()
    lab.workspace.evaluator.interrupt(running)
    try:
        outcome = running.future.result(timeout=5)
        assert isinstance(outcome, Outcome)
        assert name == "error in ensure"
    except Interrupted:
        pass
    assert time.monotonic() - started < 1
    assert lab("3 + 4") == "7"
    lab("(Workspace actors reject: [:a | a class == TranscriptStream]) do: [:a | a kill]")
    lab("Workspace supervisors do: [:s | s stop]")
    left = set(kinds(lab)) - {ProcessKind.SUPERVISOR}
    assert left == set(), left
