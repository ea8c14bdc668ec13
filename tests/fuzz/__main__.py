"""A long run: `python -m tests.fuzz --count N [--seed S]` prints inputs a second, and each failing input.

Every input has a number; `--seed NUMBER --count 1` runs it again. Exit code 1 when a law was broken.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from random import Random

from lang.syntax.parse import forget_parses
from tests.fuzz.laws import Verdict, judge, judge_input
from tests.fuzz.programs import Author
from tests.fuzz.texts import mutated, mutated_source, random_bytes, random_tokens

_REPORT_EVERY = 5_000
_MOST_FAILURES = 20

KINDS: dict[str, Callable[[Random], tuple[str, Verdict]]] = {}


def _kind(
    write: Callable[[Random], str], law: Callable[[str], Verdict]
) -> Callable[[Random], tuple[str, Verdict]]:
    def run(random: Random) -> tuple[str, Verdict]:
        text = write(random)
        try:
            return text, law(text)
        except BaseException as fault:
            fault.add_note(f"input: {text!r}")
            raise

    return run


def _sound(text: str) -> Verdict:
    verdict = judge(text)
    assert verdict.syntax_errors == (), "a generated program has a syntax error"
    return verdict


KINDS["program"] = _kind(lambda random: Author(random).program(), _sound)
KINDS["program, mutated"] = _kind(lambda random: mutated(random, Author(random).program()), judge)
KINDS["prompt input"] = _kind(lambda random: Author(random).input(), judge_input)
KINDS["source, mutated"] = _kind(mutated_source, judge)
KINDS["tokens"] = _kind(random_tokens, judge)
KINDS["tokens at the prompt"] = _kind(random_tokens, judge_input)
KINDS["bytes"] = _kind(random_bytes, judge)


def run_one(number: int) -> tuple[str, Verdict]:
    """The input of a number; raises what a broken law raises, with the input as a note."""
    kinds = list(KINDS)
    kind = kinds[number % len(kinds)]
    return kind, KINDS[kind](Random(number))[1]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="inputs to run")
    parser.add_argument("--seed", type=int, default=0, help="number of the first input")
    options = parser.parse_args()
    sys.setrecursionlimit(20_000)
    start, failures = time.perf_counter(), 0
    compiled: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for done in range(1, options.count + 1):
        number = options.seed + done - 1
        try:
            kind, verdict = run_one(number)
            compiled[kind] += verdict.compiled
            refused[kind] += verdict.refused
        except Exception as fault:  # noqa: BLE001 - whatever it is, it is a finding
            failures += 1
            print(f"--- input {number} failed")
            traceback.print_exception(fault, limit=-8)
            if failures >= _MOST_FAILURES:
                break
        if done % _REPORT_EVERY == 0 or done == options.count:
            forget_parses()
            rate = done / (time.perf_counter() - start)
            print(f"{done} inputs, {rate:.0f} a second, {failures} failures", flush=True)
    for kind in KINDS:
        print(f"  {kind:<22} {compiled[kind]:>9} units compiled, {refused[kind]:>9} refused with findings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
