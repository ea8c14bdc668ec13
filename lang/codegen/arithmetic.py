"""Operators: Integers in line, everything else through a slow path (language.md 4.10, 4.11).

`type(x) is int` excludes truth values. For numbers the operators are computed and
never dispatched, so a guard that fails is all that the fast case needs to ask.
"""

from __future__ import annotations

import ast as py
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from lang.ast import nodes as ast
from lang.codegen import unit as names

if TYPE_CHECKING:
    from lang.codegen.lowering import Lowering

_INTEGER_RESULTS: Final[Mapping[str, Callable[[], py.operator]]] = {"+": py.Add, "-": py.Sub, "*": py.Mult}
_COMPARISONS: Final[Mapping[str, Callable[[], py.cmpop]]] = {
    "<": py.Lt,
    "<=": py.LtE,
    ">": py.Gt,
    ">=": py.GtE,
}
_EQUALITIES: Final = frozenset({"==", "/=", "=:=", "=/="})
_NEGATED: Final = frozenset({"/=", "=/="})
INTEGER_FLAG: Final = "$int? "
"""Prefix of the local that tells whether a parameter is an Integer."""

_SLOW_ONLY: Final = frozenset({"/", "**"})

OPERATORS: Final = frozenset(_INTEGER_RESULTS) | frozenset(_COMPARISONS) | _EQUALITIES | _SLOW_ONLY | {"%"}
"""Operators that are compiled in; any other binary selector is an ordinary send."""

TESTS: Final = frozenset(_COMPARISONS) | _EQUALITIES


def operator(lowering: Lowering, node: ast.Send) -> py.expr:
    """A send of a computed operator, as a value."""
    one, two = lowering.operands([node.receiver, node.arguments[0]])
    lowering.locate(node.selector.span)
    return computed(lowering, node.selector.text, one, two)


def computed(lowering: Lowering, text: str, one: py.expr, two: py.expr) -> py.expr:
    """The value of an operator on lowered operands, `one` to be evaluated first."""
    if text in _COMPARISONS:
        return _comparison(lowering, text, one, two, None)
    if text in _EQUALITIES:
        return _equality(lowering, text, one, two)
    if text in _INTEGER_RESULTS:
        first, second, guards = _guarded(lowering, one, two)
        fast = lowering.make.binary(first, _INTEGER_RESULTS[text](), second)
        return _choice(lowering, guards, fast, _slow(lowering, text, first, second))
    if text == "%":
        return _remainder(lowering, one, two)
    return _slow(lowering, text, one, two)


def test(lowering: Lowering, node: ast.Send, selector: str) -> py.expr:
    """A comparison as a Python condition; `selector` is the conditional that asks."""
    text = node.selector.text
    one, two = lowering.operands([node.receiver, node.arguments[0]])
    lowering.locate(node.selector.span)
    if text in _COMPARISONS:
        return _comparison(lowering, text, one, two, selector)
    return _equality(lowering, text, one, two)


def _slow(lowering: Lowering, text: str, one: py.expr, two: py.expr) -> py.expr:
    return lowering.make.helper(f"$op {text}", one, two)


def _choice(lowering: Lowering, guards: Sequence[py.expr], fast: py.expr, slow: py.expr) -> py.expr:
    return lowering.make.choice(lowering.make.all_of(guards), fast, slow) if guards else fast


def _guarded(lowering: Lowering, one: py.expr, two: py.expr) -> tuple[py.expr, py.expr, list[py.expr]]:
    """Both operands as atoms, and the tests that they are Integers.

    The second operand is evaluated by the first test if it is not an atom, so that a
    test that fails leaves nothing unevaluated; the first then runs before.
    """
    make = lowering.make
    if lowering.is_atom(two):
        first, again = lowering.kept(one)
        return again, two, _integer_tests(lowering, [first, two])
    held = lowering.fixed(one) if _may_change(lowering, one) else lowering.atom(one)
    second, again = lowering.kept(two)
    tests = [make.is_type(second, "$int"), *_integer_tests(lowering, [held])]
    return held, again, tests


def _may_change(lowering: Lowering, value: py.expr) -> bool:
    return isinstance(value, py.Name) and lowering.is_volatile(value.id)


def _integer_tests(lowering: Lowering, values: Sequence[py.expr]) -> list[py.expr]:
    return [integer_test(lowering, value) for value in values if not is_integer(lowering, value)]


def integer_test(lowering: Lowering, value: py.expr) -> py.expr:
    """A Python test that a value is an Integer; for a parameter of the method the answer is at hand."""
    function = lowering.function
    if isinstance(value, py.Name) and value.id in function.steady:
        function.tested.add(value.id)
        return lowering.make.name(INTEGER_FLAG + value.id)
    return lowering.make.is_type(value, "$int")


def is_integer(lowering: Lowering, value: py.expr) -> bool:
    """Whether a lowered value is an Integer for sure."""
    if isinstance(value, py.Constant):
        return type(value.value) is int
    return isinstance(value, py.Name) and value.id in lowering.integers


def _comparison(lowering: Lowering, text: str, one: py.expr, two: py.expr, selector: str | None) -> py.expr:
    first, second, guards = _guarded(lowering, one, two)
    fast = lowering.make.compare(first, _COMPARISONS[text](), second)
    slow = _slow(lowering, text, first, second)
    if selector is not None:
        slow = lowering.make.helper("$truth", slow, lowering.make.constant(selector))
    return _choice(lowering, guards, fast, slow)


def _equality(lowering: Lowering, text: str, one: py.expr, two: py.expr) -> py.expr:
    make = lowering.make
    is_negated = text in _NEGATED
    if _is_singleton(two):
        one = lowering.unfolded(one)
        return make.compare(one, py.IsNot() if is_negated else py.Is(), two)
    if isinstance(two, py.Constant) and isinstance(two.value, str):
        first, again = lowering.kept(one)
        equal = make.all_of([make.is_type(first, "$str"), make.compare(again, py.Eq(), two)])
        return make.negation(equal) if is_negated else equal
    first, second, guards = _guarded(lowering, one, two)
    fast = make.compare(first, py.NotEq() if is_negated else py.Eq(), second)
    return _choice(lowering, guards, fast, _slow(lowering, text, first, second))


def _is_singleton(value: py.expr) -> bool:
    """Whether equality with this constant is identity: nil, truth values, symbols."""
    if isinstance(value, py.Constant):
        return value.value is None or isinstance(value.value, bool)
    return isinstance(value, py.Name) and value.id.startswith(names.SYMBOL)


def _remainder(lowering: Lowering, one: py.expr, two: py.expr) -> py.expr:
    """`%` by a positive literal: Python agrees where the dividend is not negative."""
    slow = "%"
    is_positive = isinstance(two, py.Constant) and type(two.value) is int and two.value > 0
    if not is_positive:
        return _slow(lowering, slow, one, two)
    make = lowering.make
    first, again = lowering.kept(one)
    guards = _integer_tests(lowering, [first])
    guards.append(make.compare(again if guards else first, py.GtE(), make.constant(0)))
    fast = make.binary(again, py.Mod(), two)
    return make.choice(make.all_of(guards), fast, _slow(lowering, slow, again, two))
