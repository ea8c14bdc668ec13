"""A send that the checker says is not understood is not understood when it runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lang.diagnostics import Category
from lang.semantics.types.analysis import analyse
from lang.syntax import parse_input
from tests.workspace.lab import Lab, lab_with

FILES = {
    "src/Gauge.bt": 'Value subclass: Gauge\n  field: unit :: String = "bar"\n  read -> Integer => 7\n  raw => self read\n'
    "  itself => self\n  maybe: n => n > 3 ifTrue: [#high] ifFalse: [nil]\n  class made => self new\n",
    "src/Dial.bt": "Gauge subclass: Dial\n  turn => #left\n  read -> Integer => super read + 1\n",
    "src/Mirror.bt": "Value subclass: Mirror\n  doesNotUnderstand: selector args: arguments => 3\n",
}
ATOMS = (
    "3",
    "2.5",
    '"abc"',
    "#on",
    "nil",
    "true",
    "#(1, 2)",
    "#[1]",
    "Gauge",
    "Dial",
    "Gauge new",
    "Dial made",
    "Mirror new",
)
SELECTORS = (
    "read", "raw", "turn", "unit", "itself", "made", "new", "size", "first", "abs", "printString", "uppercase", "isNil",
    "not", "frobnicate", "name", "reversed", "asString", "maybe: 5", "maybe: 1", "withUnit: \"psi\"", "+ 1",
)  # fmt: skip

expressions = st.tuples(
    st.sampled_from(ATOMS), st.lists(st.sampled_from(SELECTORS), min_size=1, max_size=4)
).map(lambda pair: _chain(pair[0], pair[1]))


def _chain(atom: str, selectors: list[str]) -> str:
    text = f"({atom})"
    for selector in selectors:
        text = f"({text} {selector})"
    return text


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with lab_with(tmp_path_factory.mktemp("lab"), FILES) as opened:
        opened.sync()
        yield opened


@given(expressions)
@settings(max_examples=300, deadline=None)
def test_what_is_said_not_to_be_understood_is_not(lab: Lab, text: str) -> None:
    node = parse_input(text).units[0].node
    assert node is not None
    world = lab.workspace.evaluator.run(lab.workspace.installer.world)
    found = analyse(node, "", world).diagnostics
    if any(each.category is Category.DNU for each in found):
        outcome = lab.outcome(text)
        assert outcome.error is not None, (text, [each.message for each in found])
