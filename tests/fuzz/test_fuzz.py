"""A share of the fuzzing in every test run, a larger one among the slow tests.

`python -m tests.fuzz --count N` runs as many inputs as one likes, from numbers; here hypothesis
makes the choices, so that what fails is made small.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lang.syntax import is_complete
from tests.fuzz.__main__ import KINDS, run_one
from tests.fuzz.laws import judge, judge_input
from tests.fuzz.programs import Author
from tests.fuzz.texts import corpus, mutated_source, random_bytes, random_tokens

RANDOM = st.randoms(use_true_random=False)
SMALL = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True, scope="module")
def _deep() -> Iterator[None]:
    """Trees are walked by recursion; the product raises the limit on the thread that does it."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(limit)


@SMALL
@given(RANDOM)
def test_a_program_has_no_syntax_error_and_compiles_where_the_checks_pass(random: Random) -> None:
    assert judge(Author(random).program()).syntax_errors == ()


@SMALL
@given(RANDOM)
def test_a_prompt_input_is_judged(random: Random) -> None:
    judge_input(Author(random).input())


@SMALL
@given(RANDOM)
def test_a_damaged_source_is_judged(random: Random) -> None:
    judge(mutated_source(random))


@SMALL
@given(RANDOM)
def test_any_tokens_are_judged(random: Random) -> None:
    text = random_tokens(random)
    judge(text)
    judge_input(text)


@SMALL
@given(RANDOM)
def test_any_bytes_are_judged(random: Random) -> None:
    judge(random_bytes(random))


def test_numbered_inputs_of_the_long_run_obey_the_laws() -> None:
    for number in range(140):
        run_one(number)


SHARE = 1_000
"""Numbered inputs of each part; `python -m tests.fuzz --count N` tries as many as you like."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_many_numbered_inputs_obey_the_laws(part: int) -> None:
    for number in range(10_000 + part * SHARE, 10_000 + (part + 1) * SHARE):
        run_one(number)


def test_most_generated_programs_pass_the_checks() -> None:
    """The laws about code say little when everything is refused."""
    verdicts = [judge(Author(Random(seed)).program()) for seed in range(50)]
    assert sum(v.compiled for v in verdicts) > 10 * sum(v.refused for v in verdicts)
    assert set(KINDS) > {"program", "bytes"}


# ---------------------------------------------------------------- completeness


def _seconds(text: str) -> float:
    """Of the processor, without what the collector does about the other tests' objects: the machine may be busy."""
    best = float("inf")
    gc.disable()
    try:
        for _ in range(5):
            start = time.thread_time()
            is_complete(text)
            best = min(best, time.thread_time() - start)
    finally:
        gc.enable()
    return best


LONG = {
    "source": "\n".join(text for text in corpus() if '"' not in text)[:20_000],
    "open brackets": "(" * 20_000,
    "nested brackets": "[" * 10_000 + "]" * 10_000,
    "open strings": 'x "' * 7_000,
    "interpolations": '"a {b} c" ' * 2_000,
    "nested interpolations": '"{' * 10_000,
    "open comments": "/* " * 7_000,
    "keywords": "a at: 1 " * 2_500,
    "operators": "a + " * 5_000,
    "digits": "9" * 20_000,
    "methods": "Object subclass: A\n" + "  m: x => x\n" * 1_500,
    "signatures without end": "Object subclass: A\n  m: " + "a: b " * 4_000,
    "modifiers": "class " * 3_500,
    "types": "type T = " + "List(" * 4_000,
    "docs": "/// doc\n" * 2_500,
    "directives": "@expect " * 2_500,
    "blank": " \n" * 10_000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_completeness_is_told_in_linear_time(text: str) -> None:
    """Eight times the text takes eight times as long, with as much again for a busy machine."""
    eighth = text[: len(text) // 8]
    assert _seconds(text) < 8 * _seconds(eighth) * 3 + 0.02
