from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from lang.runtime.processes.clock import MonotonicClock
from lang.runtime.processes.evaluator import Evaluator, EvaluatorClosed
from lang.runtime.processes.output import OutputQueue
from lang.runtime.processes.signals import Interrupted
from tests.lang.runtime.processes.ground import Ground


class Place:
    def __init__(self) -> None:
        self.ground = Ground(MonotonicClock())
        self.evaluator = Evaluator(self.ground.scheduler)
        self.evaluator.start()

    def spin(self) -> None:
        while True:
            self.ground.safe_point()


@pytest.fixture
def place() -> Iterator[Place]:
    made = Place()
    yield made
    made.evaluator.shutdown()
    assert not made.ground.scheduler.processes.live
    assert not made.ground.scheduler.stacks


def test_run_answers_the_value_from_the_other_thread(place: Place) -> None:
    name = place.evaluator.run(lambda: threading.current_thread().name)
    assert name == "beamtalk-evaluator"


def test_run_raises_the_error(place: Place) -> None:
    with pytest.raises(ZeroDivisionError):
        place.evaluator.run(lambda: 1 / 0)


def test_nearly_a_million_nested_calls(place: Place) -> None:
    def deep(n: int) -> int:
        return deep(n - 1) + 1 if n else 0

    assert place.evaluator.run(lambda: deep(990_000)) == 990_000


def test_endless_recursion_is_a_recursion_error(place: Place) -> None:
    def endless() -> object:
        return endless()

    with pytest.raises(RecursionError):
        place.evaluator.run(endless)
    assert place.evaluator.run(lambda: 1) == 1


def test_an_endless_loop_keeps_nobody_from_running(place: Place) -> None:
    busy = place.evaluator.submit(place.spin)
    start = time.monotonic()
    for _ in range(5):
        assert place.evaluator.run(lambda: 3) == 3
    assert time.monotonic() - start < 0.5
    place.evaluator.interrupt(busy)
    assert isinstance(busy.future.exception(timeout=1), Interrupted)


def test_an_endless_actor_does_not_stop_time_outs_and_timers(place: Place) -> None:
    ground = place.ground
    actor = ground.actor()
    actor.patience = 0.05
    fired: list[int] = []

    def main() -> None:
        ground.scheduler.after(0.01, lambda: fired.append(1))
        ground.call(actor, lambda p: place.spin())

    with pytest.raises(Exception, match="lambda"):
        place.evaluator.run(main)
    assert fired == [1]


def test_an_interrupt_before_the_start(place: Place) -> None:
    evaluation = place.evaluator.submit(place.spin)
    place.evaluator.interrupt(evaluation)
    assert isinstance(evaluation.future.exception(timeout=1), Interrupted)


def test_an_interrupt_after_the_end_does_nothing(place: Place) -> None:
    evaluation = place.evaluator.submit(lambda: 4)
    assert evaluation.future.result(timeout=1) == 4
    place.evaluator.interrupt(evaluation)
    assert place.evaluator.run(lambda: 5) == 5


def test_a_blocking_host_call_parks_only_its_caller(place: Place) -> None:
    release = threading.Event()
    parked = place.evaluator.submit(lambda: place.evaluator.run_blocking(lambda: release.wait(5)))
    assert place.evaluator.run(lambda: "free") == "free"
    release.set()
    assert parked.future.result(timeout=1) is True


def test_an_error_of_a_blocking_call_is_raised_in_the_process(place: Place) -> None:
    def fail() -> None:
        raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        place.evaluator.run(lambda: place.evaluator.run_blocking(fail))


def test_an_interrupted_blocking_call_is_left_behind(place: Place) -> None:
    release = threading.Event()
    parked = place.evaluator.submit(lambda: place.evaluator.run_blocking(lambda: release.wait(5)))
    place.evaluator.run(lambda: place.ground.sleep(0.01))
    place.evaluator.interrupt(parked)
    assert isinstance(parked.future.exception(timeout=1), Interrupted)
    release.set()
    assert place.evaluator.run(lambda: 1) == 1


def test_timers_go_on_while_nothing_is_evaluated(place: Place) -> None:
    fired = threading.Event()

    def set_a_timer() -> None:
        place.ground.scheduler.after(0.01, fired.set)

    place.evaluator.call_soon(set_a_timer)
    assert fired.wait(1)


def test_a_flooding_writer_waits_for_the_reader(place: Place) -> None:
    told: list[int] = []
    output = OutputQueue(place.ground.scheduler, lambda: told.append(1))

    def flood() -> int:
        for _ in range(30):
            output.write("x" * 100_000)
        return 30

    flooding = place.evaluator.submit(flood)
    place.evaluator.run(lambda: place.ground.sleep(0.02))
    assert not flooding.future.done()
    total = 0
    while not flooding.future.done():
        total += len(output.take())
        time.sleep(0.001)
    total += len(output.take())
    assert total == 3_000_000
    assert told


def test_nothing_is_taken_after_the_shutdown() -> None:
    place = Place()
    place.evaluator.shutdown()
    place.evaluator.shutdown()
    with pytest.raises(EvaluatorClosed):
        place.evaluator.submit(lambda: 1)


def test_a_shutdown_ends_a_running_evaluation() -> None:
    place = Place()
    running = place.evaluator.submit(place.spin)
    place.evaluator.run(lambda: 1)
    place.evaluator.shutdown()
    assert running.future.exception(timeout=1) is not None


def test_a_failing_action_is_noted_and_nothing_else(place: Place) -> None:
    def fail() -> None:
        raise ValueError("a defect")

    place.evaluator.call_soon(fail)
    assert place.evaluator.run(lambda: 1) == 1
    assert "a defect" in place.ground.log.notes[0]


def test_the_evaluator_does_not_wait_for_itself(place: Place) -> None:
    with pytest.raises(RuntimeError, match="cannot wait for itself"):
        place.evaluator.run(lambda: place.evaluator.run(lambda: 1))


def test_leaving_the_host_with_everything_alive() -> None:
    program = """
from tests.lang.runtime.processes.ground import Ground
from lang.runtime.processes.clock import MonotonicClock
from lang.runtime.processes.evaluator import Evaluator
ground = Ground(MonotonicClock())
evaluator = Evaluator(ground.scheduler)
evaluator.start()
actors = [ground.actor(str(i)) for i in range(50)]
def main():
    for actor in actors:
        ground.cast(actor, lambda p: ground.sleep(100))
    ground.sleep(0.01)
evaluator.run(main)
evaluator.submit(lambda: ground.sleep(100))
print("left")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=20, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "left\n", "")


def test_an_action_that_ends_the_work_is_seen_before_the_hub_sleeps() -> None:
    ground = Ground()  # its clock raises when everybody would wait for ever
    done: list[bool] = []
    ground.scheduler.call_soon(lambda: done.append(True))
    ground.scheduler.run_hub(lambda: bool(done))
    assert done == [True]
    ground.scheduler.close()
