"""The laws of the formatter, on every source there is and on sources that nobody would write."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lang.fmt.files import format_source
from lang.source import SourceText
from tests.fuzz.programs import Author
from tests.fuzz.texts import corpus, mutated_source
from tests.lang.fmt.laws import disturbed, formatted

ROOT = Path(__file__).parents[3]
SOURCES = sorted(
    path for folder in ("examples", "lang", "workspace", "tests") for path in (ROOT / folder).rglob("*.bt")
)
RANDOM = st.randoms(use_true_random=False)
SMALL = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True, scope="module")
def _deep() -> Iterator[None]:
    """The author of programs writes by recursion."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.parametrize("part", range(8))
def test_every_source_keeps_its_meaning_and_comments_and_is_formatted_once(part: int) -> None:
    known = 0
    for path in SOURCES[part::8]:
        text = path.read_bytes().decode("utf-8", "replace")
        known += formatted(text) is not None
    assert known > 10


@SMALL
@given(RANDOM)
def test_a_program_is_formatted(random: Random) -> None:
    assert formatted(Author(random).program()) is not None


@SMALL
@given(RANDOM)
def test_blanks_and_comments_anywhere_are_formatted(random: Random) -> None:
    formatted(disturbed(random, random.choice(corpus())))
    formatted(disturbed(random, Author(random).program()))


@SMALL
@given(RANDOM)
def test_a_damaged_source_is_refused_or_formatted(random: Random) -> None:
    formatted(mutated_source(random))


def test_formatting_costs_a_few_parses() -> None:
    """Two parses are in it: of what comes in, and of what goes out."""
    text = "\n".join(
        f"  m{n}: a =>\n    x := a foo: {n} bar: [:y | y + {n}]\n    self baz: x\n" for n in range(1500)
    )
    start = time.process_time()
    format_source(SourceText(f"Object subclass: A\n\n{text}"))
    assert time.process_time() - start < 6
