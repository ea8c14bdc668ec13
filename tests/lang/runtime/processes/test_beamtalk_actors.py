"""Actors, timers and tests as Beamtalk programs: the compiled code and the scheduler together."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lang.runtime.errors import BeamtalkError
from lang.runtime.processes.actor_system import actors_of
from lang.runtime.processes.evaluator import Evaluator
from lang.runtime.processes.migration import class_changed
from lang.runtime.processes.signals import Interrupted
from lang.stdlib.testing import run_side_by_side, run_tests
from tests.lang.codegen.image import Image

TILL = """Actor subclass: Till
  state: cash = 0

  put: n => self.cash := self.cash + n
  putTwice: n =>
    self put: n
    self put: n
    self.cash
  early: n =>
    self put: n
    ^self put: n
  cash => self.cash
"""

SLOW = """Actor subclass: Slow
  state: done = 0

  work =>
    Timer sleep: 100
    self.done := self.done + 1
  done => self.done
"""

COUNTER = """Actor subclass: Counter
  state: value = 0

  increment => self.value := self.value + 1
  getValue => self.value
  spin => [true] whileTrue: []
  ask: other =>
    self.value := 100
    other getValue + 1
  loopVia: other => other ask: self
  fails => 1 + nil
  ensuring: book => [Timer sleep: 5000] ensure: [book increment]
"""

CRATE_TEST = """TestCase subclass: CrateTest
  field: width = nil

  setUpOnce => #{#unit => "cm"}
  setUp => self.width := 3
  testWidth => self assert: self.width equals: 3
  testUnit => self assert: (self suiteFixture at: #unit) equals: "cm"
  testRaises => self should: [1 / 0] raise: #badarith
  testSkipped => ^self skip: "needs scales"
  testFails => self assert: 1 equals: 2
  testBroken => nil whistle
"""


@pytest.fixture
def image(library_cache: Path) -> Iterator[Image]:
    made = Image(library_cache)
    yield made
    actors_of(made.runtime).scheduler.close()


def test_self_sends_keep_the_state(image: Image) -> None:
    image.load(TILL)
    image.run("t := Till spawn")
    assert [image.run(x) for x in ("t putTwice: 5", "t early: 1", "t put: 0")] == [10, 12, 12]


def test_a_patch_does_not_harm_a_busy_actor(image: Image) -> None:
    image.load(SLOW)
    image.run("s := Slow spawn. s work!. Timer sleep: 10")
    for answer in (1, 2, 3):
        image.patch("Slow", f"ping => {answer}")
    assert image.run("s done") == 1
    assert image.run("s ping") == 3
    assert image.run("s isAlive") is True


def test_a_new_slot_reaches_live_actors(image: Image, library_cache: Path) -> None:
    image.load(COUNTER)
    image.run("c := Counter spawn. c increment. c increment")
    counter = image.runtime.existing_class("Counter")
    wider = Image(library_cache)
    wider.load("Actor subclass: Counter\n  state: value = 0\n  state: step = 5\n")
    counter.definition = type(counter.definition)(
        "Counter", counter.superclass, counter.kind, slots=wider.runtime.existing_class("Counter").definition.slots,
        methods=counter.definition.methods,
    )  # fmt: skip
    image.runtime.forget_all()
    class_changed(actors_of(image.runtime), counter)
    image.patch("Counter", "increment => self.value := self.value + self.step")
    assert [image.run(x) for x in ("c getValue", "c increment", "Counter spawn increment")] == [2, 7, 5]


def test_a_failing_extension_leaves_the_actor_alone(image: Image) -> None:
    image.load(COUNTER)
    image.load('Counter >> check => self error: "boom"\n\nCounter >> open => self check\n')
    image.run("c := Counter spawn. c increment")
    assert image.run("[c open] on: Error do: [:e | e message]") == "boom"
    assert str(image.run("[c fails] on: Error do: [:e | e message]")).startswith("Counter>>fails")
    assert image.run("c getValue") == 1


def test_a_cycle_of_actors_is_refused_and_rolled_back(image: Image) -> None:
    image.load(COUNTER)
    image.run("a := Counter spawn. b := Counter spawn")
    with pytest.raises(BeamtalkError) as caught:
        image.run("a loopVia: b")
    assert caught.value.kind == "deadlock_detected"
    assert image.run("a getValue + b getValue") == 0


@pytest.fixture
def evaluator(image: Image) -> Iterator[Evaluator]:
    image.load(COUNTER)
    made = Evaluator(actors_of(image.runtime).scheduler)
    made.start()
    yield made
    made.shutdown()


def test_compiled_loops_are_preempted_and_interrupted(image: Image, evaluator: Evaluator) -> None:
    evaluator.run(lambda: image.run("c := Counter spawn. d := Counter spawn. d spin!"))
    assert evaluator.run(lambda: image.run("c increment")) == 1
    turn = evaluator.submit(lambda: image.run("[true] whileTrue: [c increment]"))
    time.sleep(0.02)
    evaluator.interrupt(turn)
    assert isinstance(turn.future.exception(timeout=1), Interrupted)
    assert evaluator.run(lambda: image.run("c isAlive and: [d isAlive]")) is True
    assert evaluator.run(lambda: image.run("d kill. d isAlive")) is False


def test_an_interrupt_passes_handlers_and_runs_cleanup(image: Image, evaluator: Evaluator) -> None:
    evaluator.run(lambda: image.run("book := Counter spawn"))
    turn = evaluator.submit(
        lambda: image.run("[[Timer sleep: 5000] on: Exception do: [:e | #caught]] ensure: [book increment]")
    )
    time.sleep(0.02)
    evaluator.interrupt(turn)
    assert isinstance(turn.future.exception(timeout=1), Interrupted)
    assert evaluator.run(lambda: image.run("book getValue")) == 1


def test_a_kill_runs_no_cleanup(image: Image, evaluator: Evaluator) -> None:
    text = (
        "book := Counter spawn. w := Counter spawn. w ensuring: book!. Timer sleep: 10. w kill. book getValue"
    )
    assert evaluator.run(lambda: image.run(text)) == 0


def test_deep_recursion_through_actors(image: Image, evaluator: Evaluator) -> None:
    image.load("Actor subclass: Deep\n  down: n => n < 1 ifTrue: [0] ifFalse: [(self down: n - 1) + 1]\n")
    assert evaluator.run(lambda: image.run("Deep spawn down: 100000")) == 100_000


def test_the_frame_of_tests(image: Image) -> None:
    image.load(CRATE_TEST)
    report = run_tests(image.runtime, [image.runtime.existing_class("CrateTest")])
    assert (report.total, report.passed, report.skipped, report.failed) == (6, 3, 1, 2)
    messages = {failure.selector: failure.message for failure in report.failures}
    assert messages["testFails"] == "Expected 2, got 1"
    assert "does not understand 'whistle'" in messages["testBroken"]
    assert report.counts == "6 tests, 3 passed, 1 skipped, 2 failed"
    again = run_side_by_side(image.runtime, [image.runtime.existing_class("CrateTest")], 2)
    assert again.counts == report.counts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(TestRunner run: CrateTest) hasPassed", False),
        ("(TestRunner run: CrateTest method: #testWidth) passed", 1),
        ("(CrateTest run: #nothing)", "Method 'nothing' not found in CrateTest"),
        ("[TestRunner runAll: -1] on: Error do: [:e | e kind printString]", "#invalid_argument"),
        ("[TestRunner run: 3] on: Error do: [:e | e kind printString]", "#type_error"),
        (
            "[TestCase new should: [3] raise: #signal] on: Error do: [:e | e kind printString]",
            "#assertion_failed",
        ),
        ("TestCase new assertOk: (Result ok: 6)", 6),
        ("TestCase new assert: 2 equals: 2", None),
    ],
)
def test_runner_and_assertions(image: Image, text: str, expected: Any) -> None:
    image.load(CRATE_TEST)
    assert image.run(text) == expected


def test_failures_of_the_frame(image: Image) -> None:
    image.load('TestCase subclass: A\n  setUp => self error: "no ground"\n  testX => nil\n')
    image.load(
        'TestCase subclass: B\n  setUpOnce => self error: "no house"\n  testX => nil\n  testY => nil\n'
    )
    report = run_tests(image.runtime, [image.runtime.existing_class(name) for name in "AB"])
    assert [f.message for f in report.failures] == [
        "setUp failed: no ground",
        *["setUpOnce failed: no house"] * 2,
    ]


REGISTRAR = """Object subclass: Registrar
  classState: issued = 0

  class issue => self.issued := self.issued + 1
  class issued => self.issued
  class with: aBlock => aBlock value: self.issued
  class slowly: ms =>
    before := self.issued
    Timer sleep: ms
    self.issued := before + 1
  class each: aList =>
    step := [:x | self issue]
    aList do: step
    self.issued
"""


def test_class_methods_with_state_take_turns(image: Image) -> None:
    image.load(REGISTRAR)
    image.run("Parallel all: #([Registrar slowly: 20], [Registrar slowly: 20], [Registrar slowly: 5])")
    assert image.run("Registrar issued") == 3


def test_a_class_does_not_wait_for_itself(image: Image) -> None:
    image.load(REGISTRAR)
    with pytest.raises(BeamtalkError) as caught:
        image.run("Registrar with: [:x | Registrar issue]")
    assert (caught.value.kind, caught.value.selector) == ("dispatch_error", "issue")
    assert image.run("Registrar issued") == 0
    assert image.run("Registrar each: #(1, 2)") == 2


def test_an_ended_caller_gives_its_turn_back(image: Image) -> None:
    image.load(REGISTRAR)
    image.run("Parallel all: #([Registrar slowly: 5000]) timeout: 10")
    assert image.run("Registrar issue") == 1


def test_a_snapshot_of_the_supervision_tree(image: Image) -> None:
    image.load(COUNTER)
    image.load(
        "Supervisor subclass: Yard\n  class children => #(Counter, Counter supervisionSpec withId: #two)\n"
    )
    image.run(
        "yard := (Yard supervise) unwrap. lone := Counter spawn. tree := ProcessNavigation default tree"
    )
    assert image.run("tree size") == 4
    assert image.run("tree printString") == "#SupervisionTree<4 nodes, root: #Yard>"
    assert image.run("(tree findClass: Counter) size") == 3
    assert image.run("(tree nodesOfKind: #beamtalkSupervisor) first childCount") == 2
    assert image.run(
        "((ProcessNavigation from: yard) unwrap nodes collect: [:n | n isSupervisor]) printString"
    ) == ("#(true, false, false)")
    assert image.run("(tree root children first parentPid) =:= tree root pid") is True
    assert str(image.run("tree root printString")).startswith(
        "#SupervisionNode<#beamtalkSupervisor Yard #Pid<0."
    )
    image.run("yard stop")
    assert image.run("(ProcessNavigation from: yard) error kind printString") == "#stale_handle"
    assert image.run("tree size") == 4
    assert image.run("(ProcessNavigation from: lone pid) unwrap tree size") == 1


def test_the_end_of_the_program_stops_supervisors(image: Image) -> None:
    image.load("Actor subclass: Child\n  state: book = nil\n  book: b => self.book := b\n"
               "  terminate: reason => self.book note: reason\n")  # fmt: skip
    image.load("Actor subclass: Book\n  state: lines = #()\n  note: x => self.lines := self.lines add: x\n"
               "  lines => self.lines\n")  # fmt: skip
    image.load("Supervisor subclass: Yard\n  class children => #(Child)\n")
    image.run("book := Book spawn. yard := (Yard supervise) unwrap. (yard which: Child) unwrap book: book")
    actors_of(image.runtime).supervisors.stop_all()
    assert image.run("book lines printString") == "#(#shutdown)"
    assert image.run("yard isAlive") is False


def test_an_actor_that_its_own_timer_stops_takes_the_timer_along(image: Image) -> None:
    """The timer that asked for the end ends with its owner, so nobody is left to go on."""
    image.load("Actor subclass: Wick\n  state: lit = true\n  burn => Timer after: 1 do: [self stop]\n")
    image.run("w := Wick spawn. w burn. Timer sleep: 30")
    assert image.run("w isAlive") is False
    assert image.run("3 + 4") == 7
