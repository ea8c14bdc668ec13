"""Many actors, long mailboxes, timer storms (actors.md 21.10)."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lang.runtime.processes.actor_system import ActorSystem, actors_of
from tests.lang.codegen.image import Image

CLASSES = """Actor subclass: Tally
  state: total = 0
  state: peer = nil
  add: n => self.total := self.total + n
  total => self.total
  peer: p => self.peer := p
  deep: n => self.peer isNil ifTrue: [n] ifFalse: [self.peer deep: n + 1]
  slow => Timer sleep: 1

Object subclass: Load
  class spawn: n => (1 to: n) asList collect: [:i | Tally spawn]
  class cast: n to: t => n timesRepeat: [t add: 1!]
  class chain: n =>
    last := Tally spawn
    n timesRepeat: [
      next := Tally spawn
      next peer: last
      last := next
    ]
    last
  class storm: n for: t => 1 to: n do: [:i | Timer after: i % 20 do: [t add: 1!]]
  class waiters: n => Parallel all: ((1 to: n) asList collect: [:i | [Timer sleep: 5]])
"""


class Load:
    """An image that evaluates as processes."""

    def __init__(self, cache: Path) -> None:
        self.image = Image(cache)
        self.image.load(CLASSES)
        self.system: ActorSystem = actors_of(self.image.runtime)

    def __call__(self, text: str) -> object:
        return self.system.scheduler.run(lambda: self.image.run(text))


@pytest.fixture
def load(library_cache: Path) -> Iterator[Load]:
    made = Load(library_cache)
    yield made
    made.system.scheduler.close()
    gc.collect()


def test_stacks_are_given_back(load: Load) -> None:
    load("Load waiters: 500")
    load("Timer sleep: 1")
    assert load.system.scheduler.stack_count <= 70
    load("ts := Load spawn: 300. ts do: [:t | t slow!]")
    load("ts last slow")
    load("ts do: [:t | t stop]")
    assert load.system.scheduler.stack_count <= 70


def test_a_long_chain_of_calls(load: Load) -> None:
    assert load("(Load chain: 3000) deep: 0") == 3000


def test_a_storm_of_timers(load: Load) -> None:
    load("t := Tally spawn. Load storm: 5000 for: t")
    load("Timer sleep: 60")
    assert load("t total") == 5000
    assert len(load.system.scheduler.duties._heap) == 0


@pytest.mark.slow
def test_ten_thousand_timers_come_in_time(load: Load) -> None:
    load("t := Tally spawn")
    started = time.monotonic()
    load("1 to: 10000 do: [:i | Timer after: 60000 do: []]. Timer sleep: 20")
    assert time.monotonic() - started < 10


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_hundred_thousand_actors_live(load: Load) -> None:
    load("ts := Load spawn: 100000")
    assert len(load.system.live_actors()) >= 100_000
    assert (
        load("ts do: [:t | t add: 2!]. (ts collect: [:t | t total]) inject: 0 into: [:a :b | a + b]")
        == 200_000
    )
    assert load.system.scheduler.stack_count <= 70
    started = time.monotonic()
    load("ts first kill. ts last stop. (ts at: 50000) pid isAlive")
    assert time.monotonic() - started < 5


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_mailbox_of_a_million_messages(load: Load) -> None:
    load("t := Tally spawn")
    assert load("Load cast: 1000000 to: t. t withTimeout: 60000. (t withTimeout: 60000) total") == 1_000_000
