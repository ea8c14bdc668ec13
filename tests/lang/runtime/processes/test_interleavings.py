"""Random scripts of many processes: whatever happens, nothing is lost, reordered, or left behind."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from lang.runtime.processes.process import Process, ProcessKind
from lang.runtime.processes.reasons import KILLED
from lang.runtime.processes.signals import Interrupted
from tests.lang.runtime.processes.ground import Dead, Deadlock, Ground, TimedOut

ACTORS = 4

Step = tuple[str, int, int]

steps: st.SearchStrategy[Step] = st.tuples(
    st.sampled_from(
        ["call", "call", "cast", "cast", "sleep", "yield", "kill", "interrupt", "forward", "fail"]
    ),
    st.integers(0, ACTORS - 1),
    st.integers(0, 7),
)
scripts = st.lists(st.lists(steps, max_size=12), min_size=1, max_size=4)


@dataclass
class World:
    ground: Ground
    actors: list[Process] = field(default_factory=list)
    seen: dict[tuple[int, int], list[int]] = field(default_factory=lambda: defaultdict(list))
    running: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    senders: list[Process] = field(default_factory=list)
    answers: list[tuple[int, object]] = field(default_factory=list)

    def take(self, process: Process, actor: int, sender: int, number: int, kind: str, extra: int) -> int:
        assert self.ground.scheduler.current is process
        assert not self.running[actor], "two messages of one actor at a time"
        self.running[actor] += 1
        try:
            self.seen[actor, sender].append(number)
            match kind:
                case "sleep":
                    self.ground.sleep(extra)
                case "yield":
                    self.ground.points.request()
                    self.ground.safe_point()
                case "forward":
                    target = extra % ACTORS
                    self.send(target, -1 - actor * 100 - sender, number, "call", 0)
                case "fail":
                    raise ValueError(number)
        finally:
            self.running[actor] -= 1
        return number

    def send(self, actor: int, sender: int, number: int, kind: str, extra: int) -> object:
        process = self.actors[actor]
        return self.ground.call(process, self.take, actor, sender, number, kind, extra)

    def run_script(self, sender: int, script: list[Step]) -> None:
        for number, (kind, actor, extra) in enumerate(script):
            try:
                match kind:
                    case "cast":
                        self.ground.cast(self.actors[actor], self.take, actor, sender, number, "yield", extra)
                    case "kill":
                        if extra == 7:
                            self.ground.scheduler.ends.end(self.actors[actor], KILLED)
                    case "interrupt":
                        if extra == 6:
                            self.ground.scheduler.ends.interrupt(self.senders[extra % len(self.senders)])
                    case _:
                        answer = self.send(actor, sender, number, kind, extra)
                        self.answers.append((number, answer))
            except (Dead, TimedOut, ValueError, Deadlock):
                continue


@given(scripts)
@settings(max_examples=250, deadline=None)
def test_any_script_keeps_the_promises(lists: list[list[Step]]) -> None:
    ground = Ground()
    world = World(ground)
    world.actors = [ground.actor(str(i)) for i in range(ACTORS)]
    scheduler = ground.scheduler
    for sender, script in enumerate(lists):
        world.senders.append(
            scheduler.start(
                ProcessKind.TOP_LEVEL,
                f"sender {sender}",
                lambda sender=sender, script=script: world.run_script(sender, script),
                lambda outcome: None,
            )
        )

    def wait() -> None:
        ground.sleep(1000)

    try:
        ground.run(wait)
    except Interrupted:
        raise AssertionError("an interrupt reached a process that it was not for") from None
    assert all(sender.dead for sender in world.senders)
    assert all(number == answer for number, answer in world.answers)
    for numbers in world.seen.values():
        assert numbers == sorted(numbers), "messages of one sender out of order"
    for index, actor in enumerate(world.actors):
        assert actor.dead or (actor.idle and not actor.mailbox and actor.greenlet is None)
        assert not world.running[index]
    assert not [process for process in scheduler.processes.live.values() if process not in world.actors]
    assert len(scheduler.duties._heap) == 0
    scheduler.close()
    assert not scheduler.stacks


@given(st.lists(st.booleans(), max_size=200))
@settings(max_examples=50, deadline=None)
def test_casts_and_calls_of_one_sender_stay_in_order(is_call: list[bool]) -> None:
    ground = Ground()
    actor, got = ground.actor(), []

    def main() -> None:
        for number, wait in enumerate(is_call):
            (ground.call if wait else ground.cast)(actor, lambda p, n: got.append(n), number)
        ground.call(actor, lambda p: None)

    ground.run(main)
    assert got == list(range(len(is_call)))
    ground.scheduler.close()
