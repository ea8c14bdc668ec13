"""`match:` and destructuring as flat statements (language.md 2.9, 4.15, 4.16).

A match is a Python loop that never turns: an arm that matched breaks out of it. The
tests of an arm nest as `if`s, so that a value of another kind is a failed match.
"""

from __future__ import annotations

import ast as py
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from lang.ast import nodes as ast
from lang.codegen import arithmetic
from lang.codegen.destination import Destination, Into, Sink
from lang.codegen.literals import class_reference

if TYPE_CHECKING:
    from lang.codegen.lowering import Lowering

_NO_NAME: Final = "_"

_HOST_TYPES: Final[Mapping[str, str]] = {
    "Integer": "$int",
    "Float": "$float",
    "String": "$str",
    "Block": "$Block",
}


def match(lowering: Lowering, node: ast.Match, sink: Destination) -> None:
    """Lower `e match: [arms]`."""
    value = lowering.unfolded(lowering.fixed(lowering.value(node.subject)))
    lowering.locate(node.selector.span)

    def arms() -> None:
        for arm in node.arms:
            _arm(lowering, arm, value, sink)
        lowering.locate(node.selector.span)
        lowering.put(lowering.make.helper("$no_arm", value), Sink.EFFECT)

    lowering.emit(lowering.make.loop(lowering.make.constant(True), lowering.collect(arms)))


def _arm(lowering: Lowering, arm: ast.MatchArm, value: py.expr, sink: Destination) -> None:
    outer = lowering.statements
    lowering.variables.enter(lowering.variables.scope_of(arm), lowering.function)
    lowering.locate(arm.span)
    _Tests(lowering, allow_repeats=True).test(arm.pattern, value)
    if arm.guard is not None:
        _guard(lowering, arm.guard)
    lowering.deliver(arm.body, sink)
    lowering.locate(arm.span)
    lowering.emit(lowering.make.leave())
    lowering.variables.leave()
    lowering.statements = outer


def _guard(lowering: Lowering, guard: ast.Expression) -> None:
    """A guard that errors or is not `true` fails (language.md 4.15)."""
    make = lowering.make
    name = lowering.temporary()

    def evaluate() -> None:
        lowering.put(lowering.value(guard), Into(name))

    failed: list[py.stmt] = [make.assign(make.target(name), make.constant(False))]
    body = lowering.collect(evaluate)
    lowering.emit(make.protected(body, [make.handler("$Exception", None, failed)], []))
    _require(lowering, make.same(make.name(name), make.constant(True)))


def _require(lowering: Lowering, test: py.expr) -> None:
    """What is emitted from here on stands under a test."""
    body: list[py.stmt] = []
    lowering.emit(lowering.make.branch(test, body))
    lowering.statements = body


class _Tests:
    """The tests and bindings of one pattern."""

    def __init__(self, lowering: Lowering, *, allow_repeats: bool) -> None:
        self.lowering = lowering
        self.make = lowering.make
        self.allow_repeats = allow_repeats
        self.bound: set[str] = set()

    def test(self, pattern: ast.Pattern, value: py.expr) -> None:
        """Require that an atom matches a pattern, and bind the pattern's names."""
        make, lowering = self.make, self.lowering
        match pattern:
            case ast.WildcardPattern():
                pass
            case ast.VariablePattern(name=name) | ast.RestPattern(name=name):
                self.bind(name, value)
            case ast.LiteralPattern(literal=literal):
                _require(lowering, equals_literal(lowering, literal, value))
            case ast.TypePattern(name=name, ref=ref):
                _require(lowering, is_instance(lowering, ref, value))
                self.bind(name.name, value)
            case ast.ArrayPattern(elements=elements) | ast.ListPattern(elements=elements):
                self.sequence("$Array", elements, value)
            case ast.TuplePattern(elements=elements):
                self.sequence("$Tuple", elements, value)
            case ast.MapPattern(pairs=pairs):
                _require(lowering, make.is_type(value, "$Dictionary"))
                for key, element in pairs:
                    found = self.held(make.helper("$lookup", value, lowering.value(key)))
                    _require(lowering, make.compare(found, py.IsNot(), make.name("$absent")))
                    self.test(element, found)
            case ast.ConstructorPattern():
                self.constructor(pattern, value)
            case ast.BinaryPattern():
                self.binary(pattern, value)

    def held(self, value: py.expr) -> py.expr:
        name = self.lowering.temporary()
        self.lowering.emit(self.make.assign(self.make.target(name), value))
        return self.make.name(name)

    def bind(self, name: str, value: py.expr) -> None:
        if name == _NO_NAME:
            return
        if name in self.bound:
            place = self.lowering.place_of(name)
            _require(self.lowering, self.make.helper("$same", self.lowering.read(place), value))
            return
        self.bound.add(name)
        self.lowering.store(name, value)

    def sequence(self, type_name: str, elements: Sequence[ast.Pattern], value: py.expr) -> None:
        make = self.make
        size = make.compare(make.helper("$len", value), py.Eq(), make.constant(len(elements)))
        _require(self.lowering, make.all_of([make.is_type(value, type_name), size]))
        for index, element in enumerate(elements):
            if not isinstance(element, ast.WildcardPattern):
                self.test(element, self.held(make.item(value, make.constant(index))))

    def constructor(self, pattern: ast.ConstructorPattern, value: py.expr) -> None:
        """`Result ok: p`, `Result error: p`."""
        make = self.make
        is_ok = pattern.selector.text == "ok:"
        _require(self.lowering, is_instance(self.lowering, pattern.ref, value))
        state = make.same(make.attribute(value, "f_isOk"), make.constant(True))
        _require(self.lowering, state if is_ok else make.negation(state))
        slot = "f_okValue" if is_ok else "f_errReason"
        self.test(pattern.bindings[0], self.held(make.attribute(value, slot)))

    def binary(self, pattern: ast.BinaryPattern, value: py.expr) -> None:
        """`<<a:16, rest/binary>>`: one call takes it apart, and answers nil when it does not fit."""
        make, lowering = self.make, self.lowering
        specs = make.tuple([self.segment(s) for s in pattern.segments])
        parts = self.held(make.helper("$binary", value, specs))
        _require(lowering, make.compare(parts, py.IsNot(), make.constant(None)))
        for index, segment in enumerate(pattern.segments):
            self.bind(segment.name, make.item(parts, make.constant(index)))

    def segment(self, segment: ast.BinarySegment) -> py.expr:
        """(name, size, specifiers): a size that names an earlier segment is told by that name."""
        make = self.make
        size: py.expr = make.constant(segment.size)
        earlier = segment.size if isinstance(segment.size, str) else None
        if earlier is not None and self.lowering.variables.place(earlier) is not None:
            size = make.constant(earlier)
        return make.tuple([make.constant(segment.name), size, make.constant(segment.specifiers)])


def equals_literal(lowering: Lowering, literal: ast.Expression, value: py.expr) -> py.expr:
    """`value =:= literal` as a Python test."""
    wanted = lowering.value(literal)
    make = lowering.make
    if isinstance(wanted, py.Constant) and type(wanted.value) is int:
        return make.all_of([make.is_type(value, "$int"), make.compare(value, py.Eq(), wanted)])
    return arithmetic.computed(lowering, "=:=", value, wanted)


def is_instance(lowering: Lowering, ref: ast.ClassRef, value: py.expr) -> py.expr:
    """The test of `x :: C`."""
    make = lowering.make
    host = _HOST_TYPES.get(ref.name) if ref.package is None else None
    if host is not None:
        return make.is_type(value, host)
    match ref.name:
        case "Nil" | "UndefinedObject":
            return make.same(value, make.constant(None))
        case "True":
            return make.same(value, make.constant(True))
        case "False":
            return make.same(value, make.constant(False))
        case "Boolean":
            return make.is_type(value, "$bool")
        case _:
            return make.helper("$is_a", value, class_reference(lowering, ref))


# ---------------------------------------------------------------- destructuring


def destructuring(lowering: Lowering, node: ast.Destructuring) -> py.expr:
    """`pattern := e`; the value is that of `e`."""
    value = lowering.fixed(lowering.value(node.value))
    lowering.locate(node.span)
    _DESTRUCTURE[type(node.pattern)](lowering, node.pattern, value)
    return value


def _elements(lowering: Lowering, pattern: ast.Pattern, value: py.expr) -> None:
    make = lowering.make
    elements: tuple[ast.Pattern, ...] = getattr(pattern, "elements", ())
    plain = [e for e in elements if not isinstance(e, ast.RestPattern)]
    found = lowering.atom(make.helper("$elements", value, make.constant(len(plain))))
    for index, element in enumerate(plain):
        _take(lowering, element, make.item(found, make.constant(index)), value)
    for rest in elements:
        if isinstance(rest, ast.RestPattern) and rest.name != _NO_NAME:
            lowering.store(rest.name, make.helper("$rest", value, make.constant(len(plain))))


def _tuple(lowering: Lowering, pattern: ast.Pattern, value: py.expr) -> None:
    make = lowering.make
    elements = getattr(pattern, "elements", ())
    found = lowering.atom(make.helper("$tuple_elements", value, make.constant(len(elements))))
    for index, element in enumerate(elements):
        _take(lowering, element, make.item(found, make.constant(index)), value)


def _map(lowering: Lowering, pattern: ast.Pattern, value: py.expr) -> None:
    for key, element in getattr(pattern, "pairs", ()):
        found = lowering.make.helper("$key", value, lowering.value(key))
        _take(lowering, element, found, value)


def _take(lowering: Lowering, pattern: ast.Pattern, part: py.expr, whole: py.expr) -> None:
    """Bind one part, or require that it is the literal in the pattern."""
    make = lowering.make
    match pattern:
        case ast.VariablePattern(name=name) if name != _NO_NAME:
            lowering.store(name, part)
        case ast.LiteralPattern(literal=literal):
            held = lowering.atom(part)
            differs = make.negation(equals_literal(lowering, literal, held))
            lowering.emit(make.branch(differs, [make.effect(make.helper("$badmatch", whole))]))
        case _:
            # Evaluated for its error: a missing key is one even under `_`.
            lowering.emit(make.effect(part))


_DESTRUCTURE: Final[Mapping[type, Callable[[Lowering, ast.Pattern, py.expr], None]]] = {
    ast.ArrayPattern: _elements,
    ast.ListPattern: _elements,
    ast.TuplePattern: _tuple,
    ast.MapPattern: _map,
}
