"""`:show-codegen` shows what is compiled and evaluates nothing (workspace.md 3.12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from repl.events import Failure, Shown
from repl.paint import PLAIN
from repl.session_core import SessionCore
from tests.workspace.lab import Lab, lab_with

Ask = Callable[[str], str]


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Ask]:
    with lab_with(tmp_path / "lab") as lab:
        yield _asking(lab)


def _asking(lab: Lab) -> Ask:
    core = SessionCore(lab.workspace, lab.session, PLAIN, None)

    def ask(text: str) -> str:
        turn = lab.workspace.evaluator.run(lambda: core.begin(text))
        (event,) = turn.events
        assert isinstance(event, Shown | Failure)
        return event.text

    return ask


def test_a_method_is_shown_as_the_function_that_it_becomes(ask: Ask) -> None:
    shown = ask(":show-codegen Counter increment")
    assert shown.startswith("# bt.lab.counter increment\ndef f(self):\n")
    assert "self.f_value" in shown
    assert "«$tick»" in shown
    assert ask(":sc Counter>>increment") == shown
    assert ask(":sc Meter class>>describe:").startswith("# bt.lab.meter describe:\n")


def test_an_expression_is_not_evaluated(ask: Ask) -> None:
    shown = ask(":show-codegen n := 3. Transcript show: n")
    assert shown.startswith("# prompt input\n")
    assert "«$locals»['n'] = 3" in shown
    assert "n" not in ask(":bindings").split()


def test_a_method_of_the_library(ask: Ask) -> None:
    assert ask(":sc Integer isZero").startswith("# bt.stdlib.integer isZero\n")
    assert "is a primitive" in ask(":sc Integer +")


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (":show-codegen", ":show-codegen EXPRESSION"),
        (":sc Counter>>nope", "does not understand 'nope'"),
        (":sc (", "expected ')'"),
        (":sc self foo", "'self' can only be used inside a method body"),
    ],
)
def test_what_cannot_be_shown_is_said(ask: Ask, text: str, fact: str) -> None:
    assert fact in ask(text)
