"""What sends to actors cost, beside asyncio and gevent (targets.md, Actors).

Each row is the best of several rounds, on the clock and in processor time of the thread (a machine that does other
things lengthens the first only); the counterparts do the same work with the queues and tasks of their library.
Run: `python -m benchmarks.bench_actors`.
"""

from __future__ import annotations

import asyncio
import importlib.util
import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lang.runtime.depth import run_on_evaluator_stack
from lang.runtime.processes.actor_system import ActorSystem, actors_of
from tests.lang.codegen.image import Image

CLASSES = """Actor subclass: Counter
  state: value = 0

  increment => self.value := self.value + 1
  viaSelf => self increment
  value => self.value

Supervisor subclass: Yard
  class children => #(Counter supervisionSpec withRestart: #permanent)
  class maxRestarts => 100000

Object subclass: Work
  class inline: c times: n => n timesRepeat: [c increment]

  class handOff: c times: n => n timesRepeat: [c viaSelf]

  class cast: c times: n =>
    n timesRepeat: [c increment!]
    c value

  class spawn: n => n timesRepeat: [Counter spawn]

  class restart: n =>
    yard := (Yard supervise) unwrap
    n timesRepeat: [
      (yard which: Counter) unwrap kill
      [(yard which: Counter) unwrap isNil] whileTrue: [Timer sleep: 0]
    ]
    yard stop
"""

CALLS = 100_000
SPAWNS = 10_000


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds on the clock, and of the processor."""

    clock: float
    processor: float

    def shared_by(self, count: int) -> Cost:
        """The cost of one of so many."""
        return Cost(self.clock / count, self.processor / count)


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    cost: Cost
    must: float | None = None
    aim: float | None = None

    def __str__(self) -> str:
        goal = f"must {self.must:.2f} s  aim {self.aim:.2f} s" if self.must and self.aim else ""
        clock, processor = self.cost.clock * 1000, self.cost.processor * 1000
        return f"{self.name:44}{clock:9.2f} ms{processor:9.2f} ms   {goal}"


def best(work: Callable[[], object], rounds: int = 5) -> Cost:
    costs = []
    for _ in range(rounds):
        clock, processor = time.perf_counter(), time.thread_time()
        work()
        costs.append(Cost(time.perf_counter() - clock, time.thread_time() - processor))
    return Cost(min(c.clock for c in costs), min(c.processor for c in costs))


def ours(image: Image, system: ActorSystem) -> list[Row]:
    def run(text: str) -> Callable[[], object]:
        return lambda: system.scheduler.run(lambda: image.run(text))

    run("c := Counter spawn")()
    rows = [
        Row("100k sync calls, idle actor", best(run(f"Work inline: c times: {CALLS}")), 0.15, 0.06),
        Row("100k sync calls that need a hand-off", best(run(f"Work handOff: c times: {CALLS}")), 0.30, 0.12),
        Row("100k casts, then one call", best(run(f"Work cast: c times: {CALLS}")), 0.30, 0.15),
        Row("spawn 10k actors", best(run(f"Work spawn: {SPAWNS}"), 2), 0.3, 0.1),
        Row("supervisor restart, kill to new child", best(run("Work restart: 200"), 3).shared_by(200)),
    ]
    run(f"Work spawn: {100_000 - SPAWNS * 2}")()
    alive = len(system.live_actors())
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{alive} actors alive: {megabytes} MB (goal: under 2000)")
    return rows


class Peers:
    """The same work with tasks and queues of asyncio."""

    def __init__(self) -> None:
        self._value = 0

    async def serve(self, mailbox: asyncio.Queue[asyncio.Future[int] | None]) -> None:
        while True:
            reply = await mailbox.get()
            self._value += 1
            if reply is not None:
                reply.set_result(self._value)

    async def calls(self) -> None:
        mailbox: asyncio.Queue[asyncio.Future[int] | None] = asyncio.Queue()
        server = asyncio.ensure_future(self.serve(mailbox))
        for _ in range(CALLS):
            reply = asyncio.get_running_loop().create_future()
            mailbox.put_nowait(reply)
            await reply
        server.cancel()

    async def casts(self) -> None:
        mailbox: asyncio.Queue[asyncio.Future[int] | None] = asyncio.Queue()
        server = asyncio.ensure_future(self.serve(mailbox))
        for _ in range(CALLS):
            mailbox.put_nowait(None)
        reply = asyncio.get_running_loop().create_future()
        mailbox.put_nowait(reply)
        await reply
        server.cancel()

    async def spawns(self) -> None:
        tasks = [asyncio.ensure_future(self.serve(asyncio.Queue())) for _ in range(SPAWNS)]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()


def asyncio_rows() -> list[Row]:
    peers = Peers()
    return [
        Row("asyncio: 100k calls", best(lambda: asyncio.run(peers.calls()), 2)),
        Row("asyncio: 100k casts, then one call", best(lambda: asyncio.run(peers.casts()), 2)),
        Row("asyncio: spawn 10k tasks", best(lambda: asyncio.run(peers.spawns()), 2)),
    ]


def gevent_rows() -> list[Row]:
    if importlib.util.find_spec("gevent") is None:
        return []
    import gevent  # noqa: PLC0415 (a dependency of development, which a reader may do without)
    from gevent.event import AsyncResult  # noqa: PLC0415
    from gevent.queue import Queue  # noqa: PLC0415

    def serve(mailbox: Queue) -> None:
        value = 0
        while True:
            reply = mailbox.get()
            value += 1
            if reply is not None:
                reply.set(value)

    def calls() -> None:
        mailbox = Queue()
        server = gevent.spawn(serve, mailbox)
        for _ in range(CALLS):
            reply = AsyncResult()
            mailbox.put(reply)
            reply.get()
        server.kill()

    def casts() -> None:
        mailbox = Queue()
        server = gevent.spawn(serve, mailbox)
        for _ in range(CALLS):
            mailbox.put(None)
        reply = AsyncResult()
        mailbox.put(reply)
        reply.get()
        server.kill()

    def spawns() -> None:
        tasks = [gevent.spawn(serve, Queue()) for _ in range(SPAWNS)]
        gevent.sleep(0)
        gevent.killall(tasks)

    return [
        Row("gevent: 100k calls", best(calls, 2)),
        Row("gevent: 100k casts, then one call", best(casts, 2)),
        Row("gevent: spawn 10k greenlets", best(spawns, 2)),
    ]


def main() -> None:
    # The others first: 100,000 live actors make every garbage collection of this process slow.
    others = [*asyncio_rows(), *gevent_rows()]
    with tempfile.TemporaryDirectory() as cache:
        image = Image(Path(cache))
        image.load(CLASSES)
        system = actors_of(image.runtime)
        rows = (*ours(image, system), *others)
        print(f"{'':44}{'clock':>12}{'processor':>12}")
        for row in rows:
            print(row)
        system.scheduler.close()


if __name__ == "__main__":
    run_on_evaluator_stack(main)
