"""A supervised tree under random load for a while: nothing is lost, stuck or piled up (actors.md 1.2, 8, 13, 19).

`BEAMTALK_SOAK_SECONDS` sets the length (60 by default), `BEAMTALK_SOAK_SEED` repeats a run.
"""

from __future__ import annotations

import gc
import os
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lang.runtime.processes.evaluator import Evaluation
from lang.runtime.processes.process import ProcessKind
from lang.runtime.processes.signals import Interrupted
from tests.workspace.lab import Lab, lab_with
from workspace.sessions import Outcome, ValueAnswer

SECONDS = float(os.environ.get("BEAMTALK_SOAK_SECONDS", "60"))
SEED = int(os.environ.get("BEAMTALK_SOAK_SEED", str(time.time_ns() % 1_000_000)))
PATIENCE = 30.0
"""Seconds after which an evaluation counts as stuck; no rule lets one wait so long."""

GROWTH_MB = 30
"""What the second half of a run may add to the process: the history of changes is kept."""

CELL = """Actor subclass: Cell
  state: hits = 0
{slots}
  hit => self.hits := self.hits + 1
  hits => self.hits
  slow: ms =>
    Timer sleep: ms
    self hit
  boom =>
    self.hits := 999
    [self error: "boom"] ensure: [self.hits := 998]
  round: other => other hit
{extra}
"""

FILES = {
    "src/Cell.bt": CELL.format(slots="  state: spare = nil", extra=""),
    "src/Farm.bt": """Supervisor subclass: Farm
  class children => #(
    self cell: #north, self cell: #south, self cell: #east, Herd
  )
  class cell: name => (Cell supervisionSpec withName: name withRestart: #permanent) withId: name
  class strategy => #restForOne
  class maxRestarts => 1000000
""",
    "src/Herd.bt": "DynamicSupervisor subclass: Herd\n  class childClass => Cell\n",
    "src/Ping.bt": "Announcement subclass: Ping\n",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One input; how many hits of the cell that nobody kills it makes; what it must answer, if that is known."""

    text: str
    hits: int = 0
    answer: str | None = None


Make = Callable[[random.Random], Step]


def name_of(chance: random.Random) -> str:
    return chance.choice(["north", "south", "east"])


def patch(chance: random.Random) -> Step:
    return Step(
        chance.choice(
            [
                "Cell >> hit => self.hits := self.hits + 1",
                "Cell >> hit => self.hits := 1 + self.hits",
                "Cell >> hit =>\n  before := self.hits\n  self.hits := before + 1\n  self.hits",
            ]
        )
    )


def redefine(chance: random.Random) -> Step:
    slots = "\n".join(f"  state: slot{n} = {n}" for n in range(chance.randrange(4)))
    return Step(CELL.format(slots=slots, extra=f"  extra => {chance.randrange(9)}\n"))


def spin(chance: random.Random) -> Step:
    return Step(
        chance.choice(["[true] whileTrue: []", "Timer sleep: 60000", "[Timer sleep: 1] ensure: [1 + 1]"])
    )


STEPS: tuple[tuple[int, Make], ...] = (
    (20, lambda _: Step("safe hit", 1)),
    (20, lambda _: Step("safe hit!", 1)),
    (6, lambda _: Step("1 to: 50 do: [:i | safe hit!]", 50)),
    (6, lambda _: Step("[safe boom] on: Error do: [:e | e kind]", 0, "#user_error")),
    (6, lambda _: Step("safe boom!")),
    (5, lambda _: Step("(Parallel all: ((1 to: 5) asList collect: [:i | [safe hit]])) size", 5, "5")),
    (4, lambda _: Step("Timer after: 1 do: [safe hit]", 1)),
    (4, lambda _: Step("p := safe withTimeout: 1. [p slow: 3] on: Error do: [:e | nil]. p stop", 1, "#ok")),
    (
        4,
        lambda _: Step(
            "b := Announcer new. b when: Ping do: [:e | safe hit]. b announceAndWait: Ping new", 1
        ),
    ),
    (4, lambda _: Step("c := Cell spawn. c round: safe. c stop. c isAlive", 1, "false")),
    (10, lambda c: Step(f"[((Cell named: #{name_of(c)}) unwrap) hit. 1] on: Error do: [:e | 1]", 0, "1")),
    (4, lambda c: Step(f"(Cell named: #{name_of(c)}) map: [:cell | cell kill]")),
    (2, lambda c: Step(f"[((Cell named: #{name_of(c)}) unwrap pid) exit: #storm] on: Error do: [:e | 1]")),
    (
        5,
        lambda _: Step(
            "w := Herd current startChild. (w map: [:x | x hit]). (w map: [:x | x stop]). 1", 0, "1"
        ),
    ),
    (3, lambda _: Step("w := Herd current startChild. (w map: [:x | x kill]). 1", 0, "1")),
    (2, lambda _: Step("Workspace processes size > 3")),
    (1, patch),
    (1, redefine),
    (2, spin),
)
WEIGHTS = [weight for weight, _ in STEPS]


class Crowd:
    """Several sessions that evaluate side by side."""

    def __init__(self, lab: Lab, chance: random.Random) -> None:
        self.lab = lab
        self.chance = chance
        self.hits = 0
        self.inputs = 0
        self._sessions = [lab.workspace.sessions.open(f"s{n}") for n in range(3)]

    def round(self) -> None:
        """One input in each session, at the same time; each comes to its end."""
        makers = self.chance.choices(STEPS, WEIGHTS, k=len(self._sessions))
        steps = [make(self.chance) for _, make in makers]
        running = [self._begin(n, step) for n, step in enumerate(steps)]
        for step, evaluation in zip(steps, running, strict=True):
            if "60000" in step.text or "[true]" in step.text:
                self.lab.workspace.evaluator.interrupt(evaluation)
            self._check(step, evaluation)
            self.hits += step.hits
            self.inputs += 1

    def _begin(self, number: int, step: Step) -> Evaluation:
        session = self._sessions[number]
        return self.lab.workspace.evaluator.submit(lambda: session.evaluate(step.text), session.id)

    def _check(self, step: Step, evaluation: Evaluation) -> None:
        try:
            outcome = evaluation.future.result(timeout=PATIENCE)
        except Interrupted:
            return
        assert isinstance(outcome, Outcome)
        error = outcome.error
        # Between a death and a restart there is no herd, and no cell of that name: nothing else may fail.
        assert error is None or "Herd current" in step.text or "named:" in step.text, (step.text, error)
        if step.answer is not None and error is None:
            answer = outcome.answers[-1]
            assert isinstance(answer, ValueAnswer)
            assert self.lab.workspace.runtime.print_string(answer.value) == step.answer, step.text


def megabytes() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with lab_with(tmp_path, FILES) as made:
        yield made


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 180)
def test_a_tree_under_load(lab: Lab) -> None:
    crowd = Crowd(lab, random.Random(SEED))
    lab("farm := (Farm supervise) unwrap. Workspace bind: Cell spawn as: #safe")
    start, half_way = time.monotonic(), 0.0
    while (elapsed := time.monotonic() - start) < SECONDS:
        crowd.round()
        if not half_way and elapsed > SECONDS / 2:
            lab("Tracing clear")
            half_way = megabytes()
    print(f"seed {SEED}: {crowd.inputs} inputs in {elapsed:.0f} s")
    lab("Timer sleep: 200")
    lab("Tracing clear")
    assert lab("safe hits") == str(crowd.hits), f"seed {SEED}"
    assert_at_rest(lab)
    assert megabytes() - half_way < GROWTH_MB


def assert_at_rest(lab: Lab) -> None:
    """Every process that is left is one that should be there, and has nothing to do."""
    scheduler = lab.workspace.image.actors.scheduler
    live = list(scheduler.processes.live.values())
    kinds = [process.kind for process in live]
    assert kinds.count(ProcessKind.SUPERVISOR) == 2
    assert set(kinds) <= {ProcessKind.SUPERVISOR, ProcessKind.ACTOR}, kinds
    cells = [process for process in live if process.label == "Cell"]
    assert len(cells) == 4
    assert all(process.idle and not process.mailbox and process.message is None for process in live)
    assert lab("farm children") == "#(#north, #south, #east, #Herd)"
    assert lab("Herd current count") == "0"
    assert scheduler.stack_count <= 70
