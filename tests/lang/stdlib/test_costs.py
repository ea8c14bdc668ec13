"""What operations of the library cost as sizes grow (design, Representation): ratios, never times.

A loop of n steps that is linear costs ten times as much for ten times as many; a quadratic one
a hundred times. The bound stands between, and the least of several runs is taken, for a machine
that does other things too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.lang.codegen.image import Image

GROWTH = 10
BOUND = 35
RUNS = 4

LOOPS = {
    "list_add": ("l := #(). 1 to: n do: [:i | l := l add: i]. l size", 2_000),
    "list_add_first": ("l := #(). 1 to: n do: [:i | l := l addFirst: i]. l size", 2_000),
    "list_both_ends": ("l := #(). 1 to: n do: [:i | l := (l add: i) addFirst: i]. l size", 1_000),
    "list_rest": ("l := (1 to: n) asList. [l isEmpty] whileFalse: [l := l rest]. 0", 2_000),
    "list_at": ("l := (1 to: n) asList. t := 0. 1 to: n do: [:i | t := t + (l at: i)]. t", 2_000),
    "list_concatenation": ("l := #(). 1 to: n do: [:i | l := l ++ #(i)]. l size", 1_000),
    "dictionary_put": ("d := #{}. 1 to: n do: [:i | d := d at: i put: i]. d size", 1_000),
    "dictionary_at": (
        "d := #{}. 1 to: n do: [:i | d := d at: i put: i]. 1 to: n do: [:i | d at: i]. d size",
        1_000,
    ),
    "dictionary_remove": (
        "d := #{}. 1 to: n do: [:i | d := d at: i put: i]. 1 to: n do: [:i | d := d removeKey: i]. d size",
        1_000,
    ),
    "set_add": ("s := Set new. 1 to: n do: [:i | s := s add: i]. s size", 1_000),
    "bag_add": ("b := Bag new. 1 to: n do: [:i | b := b add: i]. 0", 500),
    "string_building": ('s := "". 1 to: n do: [:i | s := s ++ "x"]. s byteSize', 5_000),
    "array_put": ("a := (1 to: 2000) asArray. 1 to: n do: [:i | a := a at: 7 put: i]. a size", 300),
    "queue": (
        "q := Queue new. 1 to: n do: [:i | q := q enqueue: i]. [q isEmpty] whileFalse: [q := q dequeue at: 2]. 0",
        1_000,
    ),
    "stream": ("((Stream from: 1) select: [:i | i isEven]) take: n", 1_000),
    "stream_of_list": (
        "((1 to: n) asList stream collect: [:i | i + 1]) inject: 0 into: [:a :b | a + b]",
        1_000,
    ),
    "sort": ("((1 to: n) asList collect: [:i | i * 7919 % 10007]) sort size", 1_000),
    "sort_floats": ("((1 to: n) asList collect: [:i | (i * 7919 % 10007) / 3]) sort size", 1_000),
    "hash": ("(1 to: n) asList hash", 3_000),
    "group": ("(((1 to: n) asList) groupBy: [:i | i % 7]) size", 1_000),
    "unique": ("((1 to: n) asList ++ (1 to: n) asList) unique size", 1_000),
    "join": ('((1 to: n) asList collect: [:i | "ab"]) join size', 1_000),
    "split": ('(("ab," repeat: n) split: ",") size', 1_000),
    "json": ("(Json parse: (Json generate: (1 to: n) asList)) unwrap size", 1_000),
    "zip": ("((1 to: n) asList zip: (1 to: n) asList) size", 1_000),
    "interval_inject": ("(1 to: n) inject: 0 into: [:a :b | a + b]", 2_000),
}


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    made = Image(Path(tmp_path_factory.mktemp("library")))
    for name, (body, _size) in LOOPS.items():
        selector = f"{name.replace('_', '')}: n"
        made.load(f"Object subclass: {_class_name(name)}\n  class {selector} => {body}\n")
    return made


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_costs_in_proportion(image: Image, name: str) -> None:
    owner = image.runtime.existing_class(_class_name(name))
    selector = f"{name.replace('_', '')}:"
    size = LOOPS[name][1]

    def run(count: int) -> None:
        image.runtime.send(owner, selector, count)

    run(size)
    assert _grows_at_most(
        BOUND, lambda: _least(lambda: run(size)), lambda: _least(lambda: run(size * GROWTH))
    )


@pytest.mark.parametrize(
    "source",
    [
        "(1 to: 1000000000) size",
        "(1 to: 1000000000) last",
        "(1 to: 1000000000) at: 999999999",
        "(1 to: 1000000000) detect: [:i | i > 3]",
        "(1 to: 1000000000) isEmpty",
        "(1 to: 1000000000) printString size",
        "(1 to: 1000000000) anySatisfy: [:i | i > 3]",
        "(1 to: 1000000000) anyOne",
        "((Stream from: 1) drop: 10) take: 3",
        "(1 to: 1000000000 by: 7) first",
    ],
)
def test_what_is_lazy_does_not_count_to_a_thousand_million(image: Image, source: str) -> None:
    began = time.process_time()
    image.run(source)
    assert time.process_time() - began < 1


def test_the_bound_tells_a_quadratic_loop_from_a_linear_one() -> None:
    def consume(rows: Iterable[object]) -> None:
        for _row in rows:
            pass

    def quadratic(count: int) -> float:
        return _least(lambda: consume(tuple(range(count)) for _ in range(count)))

    assert not _grows_at_most(BOUND, lambda: quadratic(100), lambda: quadratic(100 * GROWTH))


def _grows_at_most(bound: float, small: Callable[[], float], large: Callable[[], float]) -> bool:
    """Whether the ratio keeps to the bound in one of three attempts: noise only ever adds."""
    return any(large() <= bound * small() for _ in range(3))


def _least(run: Callable[[], None]) -> float:
    """The least time of several runs, of this thread's own work where the system can tell it apart."""
    least = float("inf")
    for _ in range(RUNS):
        began = time.thread_time()
        run()
        least = min(least, time.thread_time() - began)
    return least


def _class_name(name: str) -> str:
    return "Cost" + name.title().replace("_", "")
