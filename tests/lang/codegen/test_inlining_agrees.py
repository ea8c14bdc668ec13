"""What is inlined answers as the messages themselves do: random programs, each run both ways."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lang.runtime.errors import as_beamtalk_error
from tests.lang.codegen.image import Image

VALUES = st.sampled_from(
    ["0", "1", "2", "-3", "7", "2.5", "-0.5", '"a"', "#s", "nil", "true", "false", "#(1)"]
)
OPERATORS = ["+", "-", "*", "/", "<", "<=", ">", ">=", "==", "/=", "=:=", "=/="]


@pytest.fixture(scope="module")
def image(library_cache: Path) -> Image:
    image = Image(library_cache)
    image.load("Value subclass: Generated\n  field: a = 0\n\n  run => nil\n")
    return image


def outcome(image: Image, source: str) -> str:
    image.variables.clear()
    try:
        return image.show(source)
    except Exception as fault:  # noqa: BLE001 - any failure is the outcome
        error = as_beamtalk_error(fault)
        return f"!{error.kind}"


def expressions() -> st.SearchStrategy[str]:
    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.builds("({} {} {})".format, inner, st.sampled_from(OPERATORS), inner),
            st.builds("({} ifTrue: [{}] ifFalse: [{}])".format, inner, inner, inner),
            st.builds("({} ifNil: [{}])".format, inner, inner),
            st.builds("({} and: [{}])".format, inner, inner),
            st.builds("({} or: [{}])".format, inner, inner),
            st.builds("(a := {})".format, inner),
            st.builds("([:p | {}] value: {})".format, inner, inner),
            st.just("a"),
        )

    return st.recursive(VALUES, grow, max_leaves=8)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(source=expressions())
def test_blocks_in_variables_agree_with_blocks_in_place(image: Image, source: str) -> None:
    in_place = outcome(image, f"a := 1. {source}")
    in_block = outcome(image, f"a := 1. run := [{source}]. run value")
    in_method = outcome(image, f"a := 1. [:x | {source}] value: 0")
    assert in_place == in_block == in_method


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(one=VALUES, two=VALUES, operator=st.sampled_from(OPERATORS[:4]))
def test_operators_agree_with_performed_ones(image: Image, one: str, two: str, operator: str) -> None:
    computed = outcome(image, f"x := {one}. y := {two}. x {operator} y")
    performed = outcome(image, f"x := {one}. y := {two}. x perform: #{operator} withArguments: (#() add: y)")
    assert computed == performed


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    receiver=VALUES,
    argument=VALUES,
    selector=st.sampled_from(["ifTrue:", "ifFalse:", "and:", "or:", "ifNil:"]),
)
def test_conditionals_agree_with_stored_blocks(
    image: Image, receiver: str, argument: str, selector: str
) -> None:
    inlined = outcome(image, f"x := {receiver}. x {selector} [{argument}]")
    sent = outcome(image, f"x := {receiver}. b := [{argument}]. x {selector} b")
    assert inlined == sent


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(source=expressions(), other=expressions())
def test_methods_agree_with_inputs(image: Image, source: str, other: str) -> None:
    program = f"a := 1. b := [:v | a := v. {other}]. c := {source}. #() add: (b value: c)"
    image.patch("Generated", f"run => {program}")
    assert outcome(image, "Generated new run") == outcome(image, program)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(source=expressions(), count=st.integers(0, 3))
def test_loops_agree_with_sent_ones(image: Image, source: str, count: int) -> None:
    inlined = f"a := {count}. n := 0. 1 to: {count} do: [:i | t := {source}. n := n + i. a := t]. a"
    sent = f"a := {count}. n := 0. b := [:i | t := {source}. n := n + i. a := t]. 1 to: {count} do: b. a"
    image.patch("Generated", f"run => {inlined}")
    in_method = outcome(image, "Generated new run")
    image.patch("Generated", f"run => {sent}")
    assert in_method == outcome(image, "Generated new run") == outcome(image, inlined)
