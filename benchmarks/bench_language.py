"""What running code costs, against plain CPython in the same process (targets.md, Language).

Each row is measured in turn with its counterpart, the best of several rounds, so that
the ratio is of one machine at one time. Run: `python -m benchmarks.bench_language`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lang.runtime.collections.lists import list_from
from lang.runtime.depth import run_on_evaluator_stack
from tests.lang.codegen.image import Image

FIB = """
    n < 2 ifTrue: [^n]
    (self fib: n - 1) + (self fib: n - 2)
"""

CLASSES = f"""Object subclass: FibClass
  class fib: n =>{FIB}

Value subclass: FibValue
  field: x = 0

  fib: n =>{FIB}

Actor subclass: FibActor
  state: x = 0

  fib: n =>{FIB}

Value subclass: Loops
  field: x = 0

  whileLoop: n =>
    i := 0
    [i < n] whileTrue: [i := i + 1]
    i

  times: n =>
    i := 0
    n timesRepeat: [i := i + 1]
    i

  toDo: n =>
    sum := 0
    1 to: n do: [:i | sum := sum + i]
    sum

  collect: aList => (aList collect: [:x | x * 2]) inject: 0 into: [:a :x | a + x]

  block: n =>
    b := [:x | x + 1]
    i := 0
    1 to: n do: [:k | i := b value: i]
    i

  put: n =>
    d := Dictionary new
    1 to: n do: [:i | d := d at: i put: i]
    d size

  add: n =>
    l := #()
    1 to: n do: [:i | l := l add: i]
    l size

  addFirst: n =>
    l := #()
    1 to: n do: [:i | l := l addFirst: i]
    l size

  text: n =>
    s := ""
    1 to: n do: [:i | s := s ++ "ab"]
    s byteSize

  deep: n => n < 1 ifTrue: [0] ifFalse: [1 + (self deep: n - 1)]

  plain: n => 1 to: n do: [:i | self yourself]

  find: v in: aList =>
    aList do: [:e | e =:= v ifTrue: [^e]]
    nil

  nonLocal: n => 1 to: n do: [:i | self find: 1 in: #(1)]

  caught: n => 1 to: n do: [:i | [self error: "x"] on: Error do: [:e | 1]]

  protected: n => 1 to: n do: [:i | [self yourself] ensure: [1]]

  performed: n => 1 to: n do: [:i | self perform: #yourself]

  kind: v =>
    v match: [
      nil -> 0;
      #a -> 1;
      5 -> 2;
      s :: String -> 3;
      n :: Integer when: [n < 0] -> 4;
      _ -> 5
    ]

  matched: n => 1 to: n do: [:i | self kind: i]

  dispatched: n => 1 to: n do: [:i | [self nope] on: Error do: [:e | 1]]
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: the work, its counterpart in CPython (or None), and the ratio that must hold."""

    name: str
    work: Callable[[], object]
    plain: Callable[[], object] | None
    must: float | None
    aim: float | None = None


class PlainFib:
    def fib(self, n: int) -> int:
        return n if n < 2 else self.fib(n - 1) + self.fib(n - 2)


def plain_while(n: int) -> int:
    i = 0
    while i < n:
        i = i + 1
    return i


def plain_for(n: int) -> int:
    total = 0
    for i in range(1, n + 1):
        total = total + i
    return total


def plain_collect(values: list[int]) -> int:
    total = 0
    for x in [x * 2 for x in values]:
        total = total + x
    return total


def plain_block(n: int) -> int:
    y = 1

    def block(x: int) -> int:
        return x + y

    i = 0
    for _ in range(n):
        i = block(i)
    return i


def plain_append(n: int) -> int:
    values: list[int] = []
    for i in range(n):
        values.append(i)  # noqa: PERF402
    return len(values)


def plain_map(n: int) -> int:
    from immutables import Map  # noqa: PLC0415

    d: Map[int, int] = Map()
    for i in range(n):
        d = d.set(i, i)
    return len(d)


def best_in_turn(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The shortest processor time of each, in seconds; they take turns, so that all see the same machine."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, taken in zip(works, times, strict=True):
            start = time.thread_time()
            work()
            taken.append(time.thread_time() - start)
    return [min(taken) for taken in times]


def rows(image: Image) -> list[Row]:
    runtime = image.runtime
    loops = image.run("Loops new")
    value = image.run("FibValue new")
    fib_class = image.run("FibClass")
    actor = image.run("FibActor spawn")
    values = list(range(1, 100_001))
    a_list = list_from(values)

    def of(selector: str, *arguments: object) -> Callable[[], object]:
        return lambda: runtime.send(loops, selector, *arguments)

    def fib() -> int:
        return PlainFib().fib(27)

    million = 1_000_000
    return [
        Row("fib 27, class side", lambda: runtime.send(fib_class, "fib:", 27), fib, 2.5, 1.7),
        Row("fib 27, value", lambda: runtime.send(value, "fib:", 27), fib, 2.5, 1.7),
        Row("fib 27, actor self-send", lambda: runtime.send(actor, "fib:", 27), fib, 2.5, 1.7),
        Row("whileTrue: 1e6", of("whileLoop:", million), lambda: plain_while(million), 3, 2.3),
        Row("timesRepeat: 1e6", of("times:", million), lambda: plain_for(million), 3, 2.3),
        Row("1 to: 1e6 do:", of("toDo:", million), lambda: plain_for(million), 3, 2.3),
        Row("collect: inject:into: 1e5", of("collect:", a_list), lambda: plain_collect(values), 3, 1.7),
        Row("block called 1e6", of("block:", million), lambda: plain_block(million), 5, 3),
        Row("Dictionary at:put: 1e5", of("put:", 100_000), lambda: plain_map(100_000), 3, 1.5),
        Row("List add: 1e5", of("add:", 100_000), lambda: plain_append(100_000), 10, 4),
        Row("List addFirst: 1e5", of("addFirst:", 100_000), lambda: plain_append(100_000), 10, 4),
        Row(
            "++ 1e5 (against 1e4 x 10)",
            of("text:", 100_000),
            lambda: [of("text:", 10_000)() for _ in range(10)],
            2,
        ),
        Row("recursion 100,000 deep", lambda: run_on_evaluator_stack(of("deep:", 100_000)), None, None),
        Row("plain send 1e5", of("plain:", 100_000), None, None),
        Row("non-local return 1e5 / plain send", of("nonLocal:", 100_000), of("plain:", 100_000), None),
        Row("on:do: caught 1e5 / plain send", of("caught:", 100_000), of("plain:", 100_000), None),
        Row("ensure: 1e5 / plain send", of("protected:", 100_000), of("plain:", 100_000), None),
        Row("perform: 1e5 / plain send", of("performed:", 100_000), of("plain:", 100_000), None),
        Row("match: 6 arms 1e5 / plain send", of("matched:", 100_000), of("plain:", 100_000), None),
        Row("DNU caught 1e5 / plain send", of("dispatched:", 100_000), of("plain:", 100_000), None),
    ]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        image = Image(Path(folder))
        image.load(CLASSES)
        print(f"{'work':40} {'ms':>9} {'plain ms':>9} {'ratio':>6} {'must':>5} {'aim':>5}")
        for row in rows(image):
            works = [row.work] if row.plain is None else [row.work, row.plain]
            taken, *others = best_in_turn(works, 7)
            plain = others[0] if others else None
            ratio = f"{taken / plain:6.2f}" if plain else ""
            print(
                f"{row.name:40} {taken * 1e3:9.1f} {plain * 1e3 if plain else 0:9.1f} {ratio:>6}"
                f" {row.must or '':>5} {row.aim or '':>5}"
            )


if __name__ == "__main__":
    main()
