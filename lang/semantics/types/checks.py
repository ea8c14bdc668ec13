"""What is wrong with the sends, values and results of a unit (types.md 3.3: D-1 to D-9, D-12 to D-14).

Comes in: the facts of a unit and the world. Guarantees: severities are those of the ladder and of the member count
rule; a suspicion where anything is unknown is none. Leaves: `@expect` and the package's table to `check` and `policy`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.class_kind import ClassKind
from lang.dataclass import dataclass
from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.nearest import nearest
from lang.semantics.references import bare
from lang.semantics.types.compatibility import Verdict, compatible, fit
from lang.semantics.types.display import display, structure
from lang.semantics.types.facts import Answer, Facts, Sent, Stored, Tested
from lang.semantics.types.ladder import Rung, Site, classify_send
from lang.semantics.types.lattice import (
    Dynamic,
    Intersection,
    Known,
    Meta,
    Never,
    Type,
    Union,
    is_nil,
    is_singleton,
    members_of,
)
from lang.semantics.types.narrowing import variable_key
from lang.semantics.types.sends import EQUALITIES
from lang.semantics.types.world import World
from lang.source import Span
from lang.syntax.units import Side

# Anything may be compared with anything, and an assertion is no message.
_UNCHECKED: Final = EQUALITIES | {"asType:"}
_NUMERIC: Final = frozenset({"+", "-", "*", "/", "<", ">", "<=", ">="})
_NUMBER: Final = Known("Number")
_TEXT: Final = Union((Known("String"), Known("Symbol")))


@dataclass(frozen=True, slots=True)
class Judged:
    """A unit whose facts are known, about to be judged."""

    node: ast.Declaration
    owner: str
    facts: Facts
    world: World
    is_typed: bool

    @property
    def is_abstract(self) -> bool:
        """Whether subclasses may supply what self-sends ask for (L-2 row 8)."""
        facts = self.world.facts(self.owner)
        return facts is not None and facts.is_abstract


def finding(
    severity: Severity, category: Category, span: Span, message: str, **facts: str | None
) -> Diagnostic:
    """A diagnostic with its facts; `hint` is its hint, `class_name` the fact `class`."""
    hint = facts.pop("hint", None)
    names = {"class_name": "class"}
    data = {names.get(key, key): value for key, value in facts.items() if value is not None}
    return Diagnostic(severity, message, span, category, hint, data=data)


def check_sends(unit: Judged) -> Iterator[Diagnostic]:
    """Selectors, arguments and what they mean for protocols."""
    for sent in unit.facts.sends:
        if sent.text not in _UNCHECKED:
            yield from _selector(unit, sent)
            yield from _arguments(unit, sent)
        yield from _initial_state(unit, sent)


# ---------------------------------------------------------------- selectors


def _selector(unit: Judged, sent: Sent) -> Iterator[Diagnostic]:
    if isinstance(sent.receiver, Intersection) or not sent.answers or _is_told_elsewhere(unit, sent):
        return
    answers = sent.answers
    if isinstance(sent.receiver, Union):
        answers = tuple(each for each in answers if not is_nil(each.member)) or answers
    missing = [each for each in answers if each.method is None]
    if not missing:
        return
    site = _site(unit, sent)
    proven = [
        a for a in missing if classify_send(a.member, sent.text, site, unit.world) is Rung.CLOSED_COMPLETE
    ]
    if not proven:
        return
    if isinstance(sent.receiver, Union):
        fails = len(proven) == len(answers)
        yield _union_finding(unit, sent, proven, Severity.WARNING if fails else Severity.HINT)
    else:
        yield _missing(unit, sent, proven[0])


def _is_told_elsewhere(unit: Judged, sent: Sent) -> bool:
    """A cast to a value class is an error by itself (L-8)."""
    return (
        sent.is_cast
        and isinstance(sent.receiver, Meta)
        and unit.world.kind_of(sent.receiver.name) is ClassKind.VALUE
    )


def _site(unit: Judged, sent: Sent) -> Site:
    is_self = isinstance(bare(sent.receiver_node), ast.SelfRef)
    return Site(is_self and unit.is_abstract, _reflected(unit, sent))


def _reflected(unit: Judged, sent: Sent) -> frozenset[str] | None:
    """The selectors that the same receiver is sent by `perform:`; None when one is computed (L-2 row 9)."""
    key = variable_key(sent.receiver_node)
    found: set[str] = set()
    for other in unit.facts.sends if key is not None else ():
        if other.text.startswith("perform") and variable_key(other.receiver_node) == key and other.arguments:
            selector = bare(other.arguments[0])
            if not isinstance(selector, ast.SymbolLiteral):
                return None
            found.add(selector.name)
    return frozenset(found)


def _missing(unit: Judged, sent: Sent, answer: Answer) -> Diagnostic:
    shown = _receiver_name(answer)
    suggestion = _suggestion(unit, sent.text, answer)
    return finding(
        Severity.HINT,
        Category.DNU,
        sent.span,
        f"{shown} does not understand '{sent.text}'",
        hint=None if suggestion is None else f"Did you mean `{suggestion}`?",
        class_name=shown,
        selector=sent.text,
        suggestion=suggestion,
    )


def _union_finding(unit: Judged, sent: Sent, missing: list[Answer], severity: Severity) -> Diagnostic:
    names = ", ".join(dict.fromkeys(map(_receiver_name, missing)))
    whole = display(sent.receiver)
    suggestion = _suggestion(unit, sent.text, missing[0]) if len(missing) == 1 else None
    verb = "does" if len(missing) == 1 else "do"
    return finding(
        severity,
        Category.DNU,
        sent.span,
        f"{names} {verb} not understand '{sent.text}' (the receiver is {whole}: it does not understand it as a whole)"
        if severity is Severity.WARNING
        else f"{names} {verb} not understand '{sent.text}' (the receiver is {whole})",
        hint=f"Did you mean `{suggestion}`?"
        if suggestion
        else f"Test it first: `respondsTo: #{sent.text}`, `isKindOf:` or `isNil`",
        class_name=names,
        selector=sent.text,
        actual=whole,
        suggestion=suggestion,
    )


def _receiver_name(answer: Answer) -> str:
    member = answer.member
    return structure(member) if isinstance(member, Meta) or is_nil(member) else member.name


def _suggestion(unit: Judged, selector: str, answer: Answer) -> str | None:
    world, member = unit.world, answer.member
    if isinstance(member, Meta):
        return nearest(selector, world.selectors(member.name, Side.CLASS))
    if world.is_protocol(member.name):
        return nearest(selector, world.requirements(member.name).instance)
    name = "Symbol" if is_singleton(member) else member.name
    return nearest(selector, world.selectors(name, Side.INSTANCE))


# ---------------------------------------------------------------- arguments


def _arguments(unit: Judged, sent: Sent) -> Iterator[Diagnostic]:
    if len(sent.answers) != 1 or sent.answers[0].method is None:
        return
    answer = sent.answers[0]
    operand = _operand(unit, sent, answer)
    if operand is not None:
        yield from _operator(unit, sent, answer, operand)
        return
    for at, expected in enumerate(answer.parameters):
        if expected is not None:
            yield from _argument(unit, sent, answer, at, expected)


def _operand(unit: Judged, sent: Sent, answer: Answer) -> Type | None:
    """What a dedicated rule demands of the operand of an operator (D-5); None when there is no such rule."""
    if isinstance(answer.member, Meta):
        return None
    if sent.text in _NUMERIC and unit.world.is_below(answer.member.name, "Number"):
        return _NUMBER
    return _TEXT if sent.text == "++" and answer.member.name == "String" else None


def _operator(unit: Judged, sent: Sent, answer: Answer, expected: Type) -> Iterator[Diagnostic]:
    found = fit(sent.given[0], expected, unit.world)
    if found.verdict is Verdict.FITS or found.unfit is None:
        return
    actual = display(found.unfit)
    yield finding(
        _SEVERITY[found.verdict],
        Category.TYPE,
        sent.arguments[0].span,
        f"`{sent.text}` on {_receiver_name(answer)} expects {display(expected)}, got {actual}",
        selector=sent.text,
        class_name=_receiver_name(answer),
        actual=actual,
    )


_SEVERITY: Final = {Verdict.NOT: Severity.WARNING, Verdict.PARTLY: Severity.HINT}


def _argument(unit: Judged, sent: Sent, answer: Answer, at: int, expected: Type) -> Iterator[Diagnostic]:
    given = sent.given[at]
    where = {"position": str(at + 1), "selector": sent.text, "class_name": _owner_name(answer)}
    span = sent.arguments[at].span
    parts = expected.members if isinstance(expected, Intersection) else (expected,)
    if unit.is_typed and isinstance(given, Dynamic):
        for part in parts:
            if isinstance(part, Known) and unit.world.is_protocol(part.name):
                yield _unknown_witness(span, part, where)
        return
    for part in parts:
        found = fit(given, part, unit.world)
        if found.verdict is not Verdict.FITS and found.unfit is not None:
            actual = display(found.unfit)
            lack = _lack(unit.world, found.unfit, part)
            yield finding(
                _SEVERITY[found.verdict],
                Category.TYPE,
                span,
                f"Argument {at + 1} of `{sent.text}` ({_owner_name(answer)}) expects {display(part)}, got {actual}{lack[0]}",
                expected=display(part),
                actual=actual,
                missing=lack[1],
                **where,
            )


def _owner_name(answer: Answer) -> str:
    return _receiver_name(answer)


def _unknown_witness(span: Span, protocol: Known, where: dict[str, str]) -> Diagnostic:
    message = f"An unknown value is given where `{protocol.name}` is asked: nobody checks that it conforms"
    return finding(Severity.WARNING, Category.TYPE, span, message, expected=protocol.name, **where)


def _lack(world: World, actual: Type, expected: Type) -> tuple[str, str | None]:
    """What a type lacks of a protocol, in words and as a fact."""
    member = members_of(actual)[0]
    if isinstance(expected, Known) and world.is_protocol(expected.name) and isinstance(member, Known | Meta):
        missing = world.missing_of(member, expected.name)
        if missing:
            return f", which lacks {', '.join(missing)}", ", ".join(missing)
    return "", None


def _initial_state(unit: Judged, sent: Sent) -> Iterator[Diagnostic]:
    """Values of a literal map that `spawnWith:` puts into typed slots (D-7)."""
    if sent.text != "spawnWith:" or not isinstance(sent.receiver, Meta):
        return
    literal = bare(sent.arguments[0])
    for key, value in literal.pairs if isinstance(literal, ast.DictionaryLiteral) else ():
        symbol = bare(key)
        if isinstance(symbol, ast.SymbolLiteral):
            declared = unit.world.slot_type(Known(sent.receiver.name), symbol.name)
            actual = unit.facts.types.get(value.span)
            if declared is not None and actual is not None:
                yield from _misfit(
                    unit.world, value.span, f"Slot `{symbol.name}`", symbol.name, declared, actual
                )


# ---------------------------------------------------------------- values


def check_values(unit: Judged) -> Iterator[Diagnostic]:
    """Typed locals, slots, tails of lists, and tests that can end one way only."""
    for stored in unit.facts.stored:
        if stored.declared is not None:
            yield from _slot(unit, stored) if stored.is_slot else _local(unit, stored)
    for tail in unit.facts.tails:
        actual = display(tail.found)
        message = f"The tail of a list must be a List, got {actual}"
        name = tail.found.name if isinstance(tail.found, Known) else actual
        yield finding(Severity.WARNING, Category.TYPE, tail.span, message, actual=name)
    yield from map(_one_way, unit.facts.tested)


def _slot(unit: Judged, stored: Stored) -> Iterator[Diagnostic]:
    if stored.declared is not None:
        what = f"Slot `{stored.name}`"
        yield from _misfit(unit.world, stored.span, what, stored.name, stored.declared, stored.actual)


def _local(unit: Judged, stored: Stored) -> Iterator[Diagnostic]:
    """A more specific type is an assertion; a redundant one is told by the lint command (I-5, D-17l)."""
    declared, actual = stored.declared, stored.actual
    if declared is None or isinstance(actual, Dynamic | Never):
        return
    if declared == actual:
        message = f"The type of `{stored.name}` is inferred as {display(actual)} anyway"
        yield finding(Severity.LINT, Category.TYPE_ANNOTATION, stored.span, message, name=stored.name)
    elif not compatible(actual, declared, unit.world) and not compatible(declared, actual, unit.world):
        shown = display(declared)
        message = f"`{stored.name}` is declared {shown}, got {display(actual)}"
        data = {"name": stored.name, "expected": shown, "actual": display(actual)}
        yield finding(Severity.WARNING, Category.TYPE, stored.span, message, **data)


def _misfit(
    world: World, span: Span, what: str, name: str, declared: Type, actual: Type
) -> Iterator[Diagnostic]:
    found = fit(actual, declared, world)
    if found.verdict is not Verdict.FITS and found.unfit is not None:
        shown, got = display(declared), display(found.unfit)
        message = f"{what} is declared {shown}, got {got}"
        yield finding(
            _SEVERITY[found.verdict], Category.TYPE, span, message, name=name, expected=shown, actual=got
        )


def check_default(declaration: ast.DataDecl, facts: Facts, owner: str, world: World) -> Iterator[Diagnostic]:
    """The default of a slot against its type (D-7)."""
    if declaration.annotation is not None and declaration.default is not None:
        declared = world.declared(declaration.annotation, owner)
        name = declaration.name.name
        yield from _misfit(world, declaration.span, f"Slot `{name}`", name, declared, facts.body)


def _one_way(told: Tested) -> Diagnostic:
    tested, found = display(told.tested), display(told.found)
    if told.is_kind:
        message = f"This test never holds: {found} is no {tested}"
        return finding(Severity.HINT, Category.TYPE, told.span, message, class_name=tested, actual=found)
    always = "true" if told.is_negated else "false"
    message = f"This test is always {always}: {found} is never {tested}"
    symbols = [structure(each) for each in members_of(told.found) if is_singleton(each)]
    near = None if told.is_negated else nearest(tested, symbols)
    hint = None if near is None else f"Did you mean `{near}`?"
    data = {"actual": tested, "expected": found, "suggestion": near, "hint": hint}
    return finding(Severity.HINT, Category.TYPE, told.span, message, **data)


# ---------------------------------------------------------------- typed classes


def check_dynamics(unit: Judged, method: ast.MethodDef) -> Iterator[Diagnostic]:
    """Expressions of a typed class of which nothing is known, at the root of the cause (D-18)."""
    if not unit.is_typed:
        return
    trusted = _trusted(method)
    for node in walk(method):
        if not isinstance(node, ast.Variable | ast.Send | ast.Match):
            continue
        found = unit.facts.types.get(node.span)
        if isinstance(found, Dynamic) and found.reason.is_root_cause:
            if found.reason.is_foreign and node.span in trusted:
                continue
            reason = found.reason.value
            message = f"In typed class `{unit.owner}` this is Dynamic ({reason})"
            yield finding(
                Severity.WARNING, Category.TYPE, node.span, message, class_name=unit.owner, reason=reason
            )


def _trusted(method: ast.MethodDef) -> frozenset[Span]:
    """Values that get a declared type at once: of typed locals, and the last of a method with a result type."""
    found = {bare(n.value).span for n in walk(method) if isinstance(n, ast.Assignment) and n.annotation}
    if method.signature.return_type is not None and method.body:
        last = method.body[-1]
        found.add(bare(last.value if isinstance(last, ast.Return) else last).span)
    return frozenset(found)
