"""The examples of language.md 7, run as they stand there."""

from __future__ import annotations

from pathlib import Path

import pytest

from lang.runtime.errors import as_beamtalk_error
from tests.lang.codegen.image import Image

CASES = Path(__file__).parents[2] / "cases" / "language"
EXAMPLES = [line.split("// => ") for line in (CASES / "examples.txt").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def image(library_cache: Path) -> Image:
    image = Image(library_cache)
    image.load((CASES / "examples.bt").read_text("utf-8"))
    return image


@pytest.mark.parametrize(("source", "expected"), EXAMPLES)
def test_example(image: Image, source: str, expected: str) -> None:
    image.variables.clear()
    try:
        shown = image.show(source)
    except Exception as fault:  # noqa: BLE001 - any failure is the outcome
        shown = "!" + as_beamtalk_error(fault).kind
    assert shown in {expected, f'"{expected.strip(chr(34))}"'}


def test_all_examples_are_there() -> None:
    assert len(EXAMPLES) > 90
