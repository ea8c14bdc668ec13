from __future__ import annotations

from typing import Any

from lang.runtime.processes import ending
from lang.runtime.processes.alarms import Alarm, Repeats
from lang.runtime.processes.spawning import spawn
from tests.lang.runtime.processes.image import Image


def after(image: Image, seconds: float, block: Any) -> Alarm:
    return Alarm(image.system, seconds, block, Repeats.ONCE)


def every(image: Image, seconds: float, block: Any) -> Alarm:
    return Alarm(image.system, seconds, block, Repeats.FOR_EVER)


def test_a_single_run_comes_once_and_never_early(image: Image) -> None:
    got: list[float] = []

    def main() -> None:
        start = image.clock.now()
        alarm = after(image, 2, lambda: got.append(image.clock.now() - start))
        image.sleep(1)
        assert alarm.is_active
        image.sleep(5)
        assert got == [2]
        assert not alarm.is_active
        assert not alarm.cancel()

    image.run(main)


def test_a_cancelled_timer_does_not_run(image: Image) -> None:
    got: list[int] = []

    def main() -> None:
        alarm = after(image, 2, lambda: got.append(1))
        assert alarm.cancel()
        assert not alarm.cancel()
        image.sleep(3)
        assert got == []

    image.run(main)


def test_runs_of_a_repeating_timer_do_not_overlap_and_survive_errors(image: Image) -> None:
    got: list[float] = []

    def run() -> None:
        got.append(image.clock.now() - 100)
        image.sleep(3)
        raise ValueError("dropped")

    def main() -> None:
        alarm = every(image, 1, run)
        image.sleep(10)
        assert got == [1, 5, 9]
        assert not alarm.cancel()  # the run in progress takes longer than cancel waits
        image.sleep(20)
        assert got == [1, 5, 9]
        assert len(image.log.failures) == 3

    image.run(main)


def test_a_timer_may_cancel_itself(image: Image) -> None:
    alarms: list[Alarm] = []
    got: list[bool] = []

    def main() -> None:
        alarms.append(every(image, 1, lambda: got.append(alarms[0].cancel())))
        image.sleep(10)
        assert got == [True]

    image.run(main)


def test_timers_of_an_actor_end_with_it(image: Image) -> None:
    got: list[int] = []
    clock = image.define("Clock", image.actor, {"start": lambda self: every(image, 1, lambda: got.append(1))})

    def main() -> None:
        for end in (ending.stop, ending.kill):
            got.clear()
            actor = spawn(image.system, clock)
            alarm = image.send(actor, "start")
            image.sleep(2.5)
            assert got == [1, 1]
            end(image.system, actor)
            image.sleep(5)
            assert got == [1, 1]
            assert not alarm.is_active  # type: ignore[attr-defined]

    image.run(main)


def test_a_timer_outlives_the_turn_that_made_it(image: Image) -> None:
    got: list[int] = []
    image.run(lambda: after(image, 2, lambda: got.append(1)) and None)
    image.run(lambda: image.sleep(3))
    assert got == [1]


def test_a_block_of_a_timer_runs_in_a_process_of_its_own(image: Image) -> None:
    got: list[object] = []
    actor_class = image.define("Plain", image.actor, {"go": lambda self: after(image, 1, note)})

    def note() -> None:
        got.append(image.system.current_actor)

    def main() -> None:
        image.send(spawn(image.system, actor_class), "go")
        image.sleep(2)
        assert got == [None]

    image.run(main)
