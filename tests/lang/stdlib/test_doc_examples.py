"""The examples in the doc comments of the library, run as programs (stdlib.md 6.5)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lang.stdlib.examples import DocumentedClass, Examples, documented_classes

CLASSES = documented_classes()


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Examples]:
    running = Examples(tmp_path_factory.mktemp("examples"))
    yield running
    running.close()


@pytest.mark.parametrize("documented", CLASSES, ids=lambda documented: documented.name)
def test_the_examples_of_a_class_answer_what_they_say(
    documented: DocumentedClass, examples: Examples, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert examples.failures(documented) == []


def test_there_are_examples() -> None:
    assert len(CLASSES) > 60
    assert sum(len(each.examples) for each in CLASSES) > 400
