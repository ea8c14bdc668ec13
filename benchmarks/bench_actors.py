"""What sends to actors cost, beside asyncio and, where it is installed, gevent (targets.md, Actors).

Each row is the best of several rounds, in seconds; the counterparts do the same work with the queues and tasks of
their library. Run: `python -m benchmarks.bench_actors`.
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
class Row:
    name: str
    seconds: float
    must: float | None = None
    aim: float | None = None

    def __str__(self) -> str:
        goal = f"must {self.must:.2f}  aim {self.aim:.2f}" if self.must and self.aim else ""
        return f"{self.name:44}{self.seconds * 1000:9.1f} ms   {goal}"


def best(work: Callable[[], object], rounds: int = 5) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def ours(image: Image, system: ActorSystem) -> list[Row]:
    def run(text: str) -> Callable[[], object]:
        return lambda: system.scheduler.run(lambda: image.run(text))

    run("c := Counter spawn")()
    rows = [
        Row("100k sync calls, idle actor", best(run(f"Work inline: c times: {CALLS}")), 0.15, 0.06),
        Row("100k sync calls that need a hand-off", best(run(f"Work handOff: c times: {CALLS}")), 0.30, 0.12),
        Row("100k casts, then one call", best(run(f"Work cast: c times: {CALLS}")), 0.30, 0.15),
        Row("spawn 10k actors", best(run(f"Work spawn: {SPAWNS}"), 2), 0.3, 0.1),
        Row("supervisor restart, kill to new child", best(run("Work restart: 100"), 2) / 100),
    ]
    run(f"Work spawn: {100_000 - SPAWNS * 2}")()
    alive = len(system.live_actors())
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{alive} actors alive: {megabytes} MB (goal: under 2000)")
    return rows


async def _asyncio_rows() -> list[Row]:
    value = 0

    async def serve(mailbox: asyncio.Queue[asyncio.Future[int] | None]) -> None:
        nonlocal value
        while True:
            reply = await mailbox.get()
            value += 1
            if reply is not None:
                reply.set_result(value)

    loop = asyncio.get_running_loop()
    mailbox: asyncio.Queue[asyncio.Future[int] | None] = asyncio.Queue()
    server = asyncio.ensure_future(serve(mailbox))

    start = time.perf_counter()
    for _ in range(CALLS):
        reply: asyncio.Future[int] = loop.create_future()
        mailbox.put_nowait(reply)
        await reply
    calls = time.perf_counter() - start

    start = time.perf_counter()
    for _ in range(CALLS):
        mailbox.put_nowait(None)
    reply = loop.create_future()
    mailbox.put_nowait(reply)
    await reply
    casts = time.perf_counter() - start

    start = time.perf_counter()
    tasks = [asyncio.ensure_future(serve(asyncio.Queue())) for _ in range(SPAWNS)]
    await asyncio.sleep(0)
    spawns = time.perf_counter() - start
    for task in (server, *tasks):
        task.cancel()
    return [
        Row("asyncio: 100k calls", calls),
        Row("asyncio: 100k casts", casts),
        Row("asyncio: spawn 10k", spawns),
    ]


def gevent_rows() -> list[Row]:
    if importlib.util.find_spec("gevent") is None:
        return []
    import gevent  # noqa: PLC0415 (only where it is installed)
    from gevent.event import AsyncResult  # noqa: PLC0415
    from gevent.queue import Queue  # noqa: PLC0415

    def serve(mailbox: Queue) -> None:
        value = 0
        while True:
            reply = mailbox.get()
            value += 1
            reply.set(value)

    mailbox = Queue()
    server = gevent.spawn(serve, mailbox)

    def calls() -> None:
        for _ in range(CALLS):
            reply = AsyncResult()
            mailbox.put(reply)
            reply.get()

    row = Row("gevent: 100k calls", best(calls, 3))
    server.kill()
    return [row]


def main() -> None:
    # The others first: 100,000 live actors make every garbage collection of this process slow.
    others = [*asyncio.run(_asyncio_rows()), *gevent_rows()]
    with tempfile.TemporaryDirectory() as cache:
        image = Image(Path(cache))
        image.load(CLASSES)
        system = actors_of(image.runtime)
        for row in (*ours(image, system), *others):
            print(row)
        system.scheduler.close()


if __name__ == "__main__":
    run_on_evaluator_stack(main)
