from __future__ import annotations

import gc
import sys

import greenlet
import pytest

from lang.runtime.processes.messages import Ended, Outcome, Raised, Returned
from lang.runtime.processes.process import Process, ProcessKind, link
from lang.runtime.processes.reasons import KILLED, NORMAL
from lang.runtime.processes.signals import Interrupted
from lang.runtime.symbols import symbol
from tests.lang.runtime.processes.ground import Dead, Deadlock, FakeClock, Ground, TimedOut


def test_a_call_answers_the_value(ground: Ground) -> None:
    actor = ground.actor()
    assert ground.run(lambda: ground.call(actor, lambda p, x: x + 1, 41)) == 42


def test_a_call_runs_in_the_actor_and_comes_back(ground: Ground) -> None:
    actor = ground.actor()
    seen: list[Process] = []

    def main() -> None:
        seen.append(ground.scheduler.current)
        ground.call(actor, lambda p: seen.append(ground.scheduler.current))
        seen.append(ground.scheduler.current)

    ground.run(main)
    assert seen[1] is actor
    assert seen[0] is seen[2] is not actor


def test_an_error_goes_to_the_caller_and_the_actor_lives(ground: Ground) -> None:
    actor = ground.actor()

    def fail(_: Process) -> None:
        raise KeyError("lost")

    def main() -> object:
        with pytest.raises(KeyError):
            ground.call(actor, fail)
        return ground.call(actor, lambda p: "alive")

    assert ground.run(main) == "alive"
    assert not actor.dead


def test_casts_and_calls_of_one_sender_keep_their_order(ground: Ground) -> None:
    actor, got = ground.actor(), []

    def main() -> None:
        for i in range(100):
            if i % 3:
                ground.cast(actor, lambda p, x: got.append(x), i)
            else:
                ground.call(actor, lambda p, x: got.append(x), i)
        ground.call(actor, lambda p: None)

    ground.run(main)
    assert got == list(range(100))


def test_a_failing_cast_is_logged_and_nothing_else(ground: Ground) -> None:
    actor = ground.actor()

    def burst(_: Process) -> None:
        raise ValueError("no")

    def main() -> object:
        ground.cast(actor, burst)
        return ground.call(actor, lambda p: 1)

    assert ground.run(main) == 1
    assert ground.log.failures == [("actor", "burst", "no")]


def test_messages_wait_while_the_actor_waits(ground: Ground) -> None:
    actor, got = ground.actor(), []

    def slow(_: Process) -> None:
        got.append("slow in")
        ground.sleep(1)
        got.append("slow out")

    def main() -> None:
        ground.cast(actor, slow)
        ground.sleep(0.5)
        ground.call(actor, lambda p: got.append("quick"))

    ground.run(main)
    assert got == ["slow in", "slow out", "quick"]


@pytest.mark.parametrize("wait", [True, False])
def test_a_late_answer_is_a_timeout_and_is_dropped(ground: Ground, wait: bool) -> None:
    actor, got = ground.actor(), []

    def slow(_: Process) -> str:
        ground.sleep(7)
        got.append("done")
        return "late"

    def main() -> object:
        if wait:
            ground.cast(actor, lambda p: ground.sleep(0.25))
        start = ground.clock.now()
        with pytest.raises(TimedOut):
            ground.call(actor, slow)
        assert ground.clock.now() - start == pytest.approx(5)
        assert not got
        ground.sleep(4)
        assert got == ["done"]
        return ground.call(actor, lambda p: "in time")

    assert ground.run(main) == "in time"
    assert not actor.dead


def test_time_outs_count_for_the_whole_chain(ground: Ground) -> None:
    outer, inner = ground.actor("outer"), ground.actor("inner")
    inner.patience = None

    def main() -> None:
        with pytest.raises(TimedOut, match="ask"):
            ground.call(outer, ask)

    def ask(_: Process) -> object:
        return ground.call(inner, lambda p: ground.sleep(30))

    ground.run(main)


def test_an_answer_in_time_leaves_no_deadline(ground: Ground) -> None:
    actor = ground.actor()

    def main() -> None:
        for _ in range(1000):
            ground.call(actor, lambda p: ground.sleep(0.001))

    ground.run(main)
    assert len(ground.scheduler.duties._heap) == 0
    assert len(ground.scheduler.duties._heap._entries) < 200


def test_a_cycle_of_three_is_told_at_once(ground: Ground) -> None:
    a, b, c = ground.actor("a"), ground.actor("b"), ground.actor("c")

    def ask_b(_: Process) -> object:
        return ground.call(b, ask_c)

    def ask_c(_: Process) -> object:
        return ground.call(c, ask_a)

    def ask_a(_: Process) -> object:
        return ground.call(a, lambda p: "never")

    def main() -> object:
        start = ground.clock.now()
        with pytest.raises(Deadlock) as caught:
            ground.call(a, ask_b)
        assert ground.clock.now() == start
        assert caught.value.args[1] == ["a", "b"]
        return ground.call(a, lambda p: "alive")

    assert ground.run(main) == "alive"


def test_waiting_for_a_busy_actor_is_no_deadlock(ground: Ground) -> None:
    a, b = ground.actor("a"), ground.actor("b")

    def main() -> object:
        ground.cast(b, lambda p: ground.sleep(1))
        ground.sleep(0)
        return ground.call(a, lambda p: ground.call(b, lambda q: "fine"))

    assert ground.run(main) == "fine"


def test_a_dead_actor_refuses(ground: Ground) -> None:
    actor = ground.actor()

    def main() -> None:
        ground.scheduler.ends.end(actor, KILLED)
        with pytest.raises(Dead):
            ground.call(actor, lambda p: 1)
        ground.cast(actor, lambda p: 1)

    ground.run(main)
    assert actor.exit_reason is KILLED


def test_kill_in_the_middle_answers_all_waiters(ground: Ground) -> None:
    actor, unwound, got = ground.actor(), [], []

    def slow(_: Process) -> None:
        try:
            ground.sleep(100)
        finally:
            unwound.append(True)

    def ask() -> None:
        with pytest.raises(Dead):
            ground.call(actor, slow)
        got.append(1)

    def main() -> None:
        for _ in range(3):
            ground.scheduler.start(ProcessKind.WORKER, "asker", ask, lambda outcome: None)
        ground.sleep(1)
        ground.scheduler.ends.end(actor, KILLED)
        assert actor.dead
        assert unwound == [True]
        assert actor.greenlet is None
        ground.sleep(1)
        assert got == [1, 1, 1]

    ground.run(main)


def test_an_actor_may_end_itself(ground: Ground) -> None:
    actor = ground.actor()

    def main() -> None:
        with pytest.raises(Dead):
            ground.call(actor, lambda p: ground.scheduler.ends.end(p, KILLED))

    ground.run(main)


def test_the_kill_of_a_caller_leaves_the_callee_alone(ground: Ground) -> None:
    caller, callee, got = ground.actor("caller"), ground.actor("callee"), []

    def slow(_: Process) -> None:
        ground.sleep(2)
        got.append("finished")

    def main() -> None:
        ground.cast(caller, lambda p: ground.call(callee, slow))
        ground.sleep(1)
        ground.scheduler.ends.end(caller, KILLED)
        ground.sleep(2)
        assert got == ["finished"]
        assert ground.call(callee, lambda p: 1) == 1

    ground.run(main)


def test_abnormal_ends_take_linked_processes_along(ground: Ground) -> None:
    a, b, c, d = (ground.actor(x) for x in "abcd")
    link(a, b)
    link(b, c)
    told: list[object] = []
    c.exit_watchers = {1: told.append}

    def main() -> None:
        ground.scheduler.ends.end(d, NORMAL)
        ground.scheduler.ends.end(a, symbol("weary"))

    ground.run(main)
    assert b.dead
    assert c.dead
    assert told == [symbol("weary")]


def test_a_normal_end_leaves_linked_processes_alone(ground: Ground) -> None:
    a, b = ground.actor("a"), ground.actor("b")
    link(a, b)
    ground.run(lambda: ground.scheduler.ends.end(a, NORMAL))
    assert not b.dead
    assert not b.links


def test_killing_the_linked_caller_unwinds_the_one_who_runs(ground: Ground) -> None:
    a, b, after = ground.actor("a"), ground.actor("b"), []
    link(a, b)

    def kill_b(_: Process) -> None:
        ground.scheduler.ends.end(b, KILLED)
        after.append("not reached")

    def main() -> None:
        with pytest.raises(Dead):
            ground.call(a, kill_b)

    ground.run(main)
    assert a.dead
    assert not after


def test_an_interrupt_cuts_a_wait_and_runs_cleanup(ground: Ground) -> None:
    cleaned: list[object] = []
    outcomes: list[Outcome] = []

    def turn() -> None:
        try:
            ground.sleep(1000)
        finally:
            ground.sleep(1)
            cleaned.append(True)

    def main() -> None:
        process = ground.scheduler.start(ProcessKind.TOP_LEVEL, "turn", turn, outcomes.append)
        ground.sleep(1)
        ground.scheduler.ends.interrupt(process)
        ground.sleep(2)

    ground.run(main)
    assert cleaned == [True]
    match outcomes:
        case [Raised(Interrupted())]:
            pass
        case _:
            pytest.fail(f"{outcomes}")


def test_a_second_interrupt_cuts_the_cleanup_short(ground: Ground) -> None:
    outcomes: list[Outcome] = []

    def turn() -> None:
        try:
            ground.sleep(1000)
        finally:
            ground.sleep(1000)

    def main() -> None:
        process = ground.scheduler.start(ProcessKind.TOP_LEVEL, "turn", turn, outcomes.append)
        for _ in range(2):
            ground.sleep(1)
            ground.scheduler.ends.interrupt(process)
        ground.sleep(1)

    ground.run(main)
    match outcomes:
        case [Ended(Interrupted())]:
            pass
        case _:
            pytest.fail(f"{outcomes}")


def test_an_interrupt_while_waiting_for_an_actor_leaves_the_actor(ground: Ground) -> None:
    actor, finished = ground.actor(), []

    def slow(_: Process) -> None:
        ground.sleep(3)
        finished.append(True)

    def main() -> None:
        process = ground.scheduler.start(
            ProcessKind.TOP_LEVEL, "turn", lambda: ground.call(actor, slow), lambda outcome: None
        )
        ground.sleep(1)
        ground.scheduler.ends.interrupt(process)
        ground.sleep(3)
        assert process.dead
        assert finished == [True]

    ground.run(main)


def test_no_service_inside_a_critical_section(ground: Ground) -> None:
    got: list[str] = []

    def main() -> None:
        ground.scheduler.start(ProcessKind.WORKER, "other", lambda: got.append("other"), lambda outcome: None)
        with ground.scheduler.critical():
            ground.points.request()
            ground.safe_point()
            got.append("critical")
            with pytest.raises(RuntimeError):
                ground.sleep(1)
        ground.safe_point()
        got.append("after")

    ground.run(main)
    assert got == ["critical", "other", "after"]


def test_a_preempted_process_gives_way(ground: Ground) -> None:
    got: list[str] = []

    def busy(name: str) -> None:
        for _ in range(3):
            got.append(name)
            ground.points.request()
            ground.safe_point()

    def main() -> None:
        for name in "ab":
            ground.scheduler.start(
                ProcessKind.WORKER, name, lambda name=name: busy(name), lambda outcome: None
            )
        ground.sleep(1)

    ground.run(main)
    assert got == ["a", "b"] * 3


def test_sleeps_end_in_the_order_of_their_deadlines(ground: Ground) -> None:
    got: list[float] = []

    def nap(seconds: float) -> None:
        ground.sleep(seconds)
        got.append(ground.clock.now() - 100)

    def main() -> None:
        for seconds in (3, 1, 2):
            ground.scheduler.start(ProcessKind.WORKER, "nap", lambda s=seconds: nap(s), lambda outcome: None)
        ground.sleep(5)

    ground.run(main)
    assert got == [1, 2, 3]


def test_pids_are_never_used_again(ground: Ground) -> None:
    first = ground.actor()
    ground.run(lambda: ground.scheduler.ends.end(first, NORMAL))
    assert ground.actor().pid.number > first.pid.number


def test_an_idle_actor_owns_no_stack(ground: Ground) -> None:
    actors = [ground.actor(str(i)) for i in range(500)]

    def main() -> None:
        for actor in actors:
            ground.call(actor, lambda p: None)

    ground.run(main)
    assert all(actor.greenlet is None and actor.idle for actor in actors)
    assert len(ground.scheduler.stacks) < 5


def test_a_chain_of_ten_thousand_actors(ground: Ground) -> None:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 200_000))
    actors = [ground.actor(str(i)) for i in range(10_000)]

    def ask(process: Process, rest: int) -> int:
        return 0 if rest < 0 else 1 + ground.call(actors[rest], ask, rest - 1)  # type: ignore[operator]

    assert ground.run(lambda: ground.call(actors[-1], ask, len(actors) - 2)) == len(actors) - 1


def test_calls_from_deep_recursion(ground: Ground) -> None:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 200_000))
    actor = ground.actor()

    def deep(n: int) -> object:
        return deep(n - 1) if n else ground.call(actor, lambda p: ground.sleep(0.01) or "bottom")

    assert ground.run(lambda: deep(50_000)) == "bottom"


def test_no_greenlet_is_left_behind() -> None:
    gc.collect()
    before = sum(isinstance(o, greenlet.greenlet) for o in gc.get_objects())
    for _ in range(20):
        ground = Ground()
        actors = [ground.actor(str(i)) for i in range(30)]

        def main(ground: Ground = ground, actors: list[Process] = actors) -> None:
            for actor in actors:
                ground.cast(actor, lambda p, ground=ground: ground.sleep(50))
            ground.sleep(1)

        ground.run(main)
        ground.scheduler.close()
    gc.collect()
    assert sum(isinstance(o, greenlet.greenlet) for o in gc.get_objects()) <= before


def test_a_computation_tells_its_outcome_once(ground: Ground) -> None:
    outcomes: list[Outcome] = []

    def main() -> None:
        ground.scheduler.start(ProcessKind.WORKER, "w", lambda: 5, outcomes.append)
        ground.sleep(1)

    ground.run(main)
    assert outcomes == [Returned(5)]


def test_a_send_from_host_code_gets_a_process_of_its_own(ground: Ground) -> None:
    actor = ground.actor()
    assert ground.call(actor, lambda p: 9) == 9
    assert ground.scheduler.current is ground.scheduler.host


def test_fake_time_does_not_stand_still() -> None:
    clock = FakeClock()
    ground = Ground(clock)
    ground.run(lambda: ground.sleep(10))
    assert clock.now() == 110
    ground.scheduler.close()
