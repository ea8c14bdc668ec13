"""Language errors and warnings that need no type inference (language.md 5.2, 5.3).

Comes in: the tree of a unit, or the units of a file, and a `ClassView`. Guarantees:
all findings in source order, `@expect` applied, each once. Leaves: syntax errors to
the parser, types to the type checker, severities of a package table to whoever loads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from lang.ast import nodes as ast
from lang.dataclass import replace
from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.check.annotations import check_annotations
from lang.semantics.check.class_names import check_class_names
from lang.semantics.check.creation import check_creation
from lang.semantics.check.declarations import check_declarations
from lang.semantics.check.expects import JUDGED_WITH_TYPES, JUDGED_WITHOUT_TYPES, apply_expects
from lang.semantics.check.flow import check_flow
from lang.semantics.check.host import check_host
from lang.semantics.check.literals import check_literals
from lang.semantics.check.members import check_members
from lang.semantics.check.methods import check_methods
from lang.semantics.check.names import check_names
from lang.semantics.check.patterns import check_patterns
from lang.semantics.check.slots import check_slots
from lang.semantics.check.style import check_style
from lang.semantics.check.subject import Subject, subject_of
from lang.semantics.check.type_names import check_declared_names, check_type_names
from lang.semantics.check.visibility import check_visibility
from lang.semantics.hierarchy import ClassView, declared_names, without
from lang.semantics.scopes import resolve
from lang.syntax.units import ParsedFile, ParsedUnit

__all__ = [
    "TypeChecker",
    "check_among",
    "check_file",
    "check_unit",
    "findings",
    "findings_between",
    "judged_in",
    "settled",
]

_CHECKS: tuple[Callable[[Subject], Iterator[Diagnostic]], ...] = (
    check_names,
    check_flow,
    check_declarations,
    check_methods,
    check_slots,
    check_creation,
    check_literals,
    check_patterns,
    check_class_names,
    check_type_names,
    check_visibility,
    check_annotations,
    check_host,
)


def findings(node: ast.Declaration, owner: str, world: ClassView) -> tuple[Diagnostic, ...]:
    """What is wrong in one unit, before `@expect`; for whoever adds findings of its own."""
    subject = subject_of(node, owner, world)
    return tuple(found for check in _CHECKS for found in check(subject))


TypeChecker = Callable[[ast.Declaration, str], Iterable[Diagnostic]]
"""What types say about a unit that belongs to a class."""


def check_unit(
    node: ast.Declaration,
    owner: str,
    world: ClassView,
    more: Iterable[Diagnostic] = (),
    types: TypeChecker | None = None,
) -> tuple[Diagnostic, ...]:
    """What is wrong in one unit that belongs to the class `owner` (empty: module-level code).

    `more` are findings about the unit from elsewhere, such as those between units; `types` judges by types, where
    somebody wants to know.
    """
    if types is not None:
        more = (*more, *types(node, owner))
    subject = subject_of(node, owner, world)
    found = (*(each for check in _CHECKS for each in check(subject)), *more)
    if not subject.of(ast.Expect):
        return _in_order(found)
    judged = judged_in(world)
    return settled(node, found, judged if types is None else judged | JUDGED_WITH_TYPES)


def check_file(parsed: ParsedFile, world: ClassView, types: TypeChecker | None = None) -> ParsedFile:
    """The file with the findings of each unit added to the unit's own diagnostics.

    `world` need not know the names that the file declares, and should not know those that
    it declared before. A unit with syntax errors is not judged: what is not there would be
    reported as missing.
    """
    return _file_checked(parsed, world, world.with_file(parsed), (), _no_lints, types)


def check_among(
    parsed: ParsedFile,
    known: ClassView,
    more: Iterable[Diagnostic] = (),
    types: TypeChecker | None = None,
    shared: frozenset[str] = frozenset(),
) -> ParsedFile:
    """The same for a file of a project, with a view that knows all of its files, this one included.

    Lints are among the findings. `more` are findings about the file from elsewhere, with spans in its text;
    `types` as for `check_unit`; `shared` are the names that several files declare.
    """
    around = without(known, declared_names(parsed) - shared)
    return _file_checked(parsed, around, known, more, _lints, types)


_Lints = Callable[[ParsedUnit, ClassView], Iterable[Diagnostic]]
"""The lints of a sound unit."""


def _no_lints(_unit: ParsedUnit, _world: ClassView) -> Iterable[Diagnostic]:
    return ()


def _lints(unit: ParsedUnit, world: ClassView) -> Iterable[Diagnostic]:
    if unit.node is None or any(each.severity is Severity.ERROR for each in unit.diagnostics):
        return ()
    return check_style(subject_of(unit.node, unit.name.owner.rpartition("@")[2], world))


def _file_checked(
    parsed: ParsedFile,
    around: ClassView,
    known: ClassView,
    more: Iterable[Diagnostic],
    lints: _Lints,
    types: TypeChecker | None = None,
) -> ParsedFile:
    between = findings_between(parsed.units, around, known)
    units = []
    for at, unit in enumerate(parsed.units):
        units.append(_checked(unit, known, [*between.get(at, []), *lints(unit, known)], types))
        if isinstance(unit.node, ast.Statements):
            known = known.with_names(resolve(unit.node, known.names).declared)
    return replace(parsed, units=tuple(units), diagnostics=(*parsed.diagnostics, *more))


def findings_between(
    units: Sequence[ParsedUnit], around: ClassView, known: ClassView
) -> dict[int, list[Diagnostic]]:
    """What is wrong between the units of one file or class, by position of the unit.

    Methods and extensions that are there twice, fields that give one selector, names that are
    taken, aliases that lead back to themselves. `around` is the view without these units, `known`
    the view with them. Spans are relative to the unit; `@expect` is not applied.
    """
    found: dict[int, list[Diagnostic]] = {}
    for at, each in (*check_members(units, known), *check_declared_names(units, around, known)):
        found.setdefault(at, []).append(each)
    return found


def _checked(
    unit: ParsedUnit, world: ClassView, more: list[Diagnostic], types: TypeChecker | None
) -> ParsedUnit:
    if unit.node is None or any(each.severity is Severity.ERROR for each in unit.diagnostics):
        return replace(unit, diagnostics=(*unit.diagnostics, *more))
    owner = unit.name.owner.rpartition("@")[2]
    found = check_unit(unit.node, owner, world, more, types)
    return replace(unit, diagnostics=(*unit.diagnostics, *found))


def judged_in(world: ClassView) -> frozenset[Category]:
    """The categories that these checks look at as a whole; modules only when the view knows them."""
    if world.modules is None:
        return JUDGED_WITHOUT_TYPES
    return JUDGED_WITHOUT_TYPES | {Category.UNRESOLVED_FFI}


def settled(
    node: ast.Declaration, found: Iterable[Diagnostic], judged: frozenset[Category]
) -> tuple[Diagnostic, ...]:
    """The findings of a unit with `@expect` applied, each once, in source order.

    `judged` are the categories that have been looked at as a whole, whose directives may be stale.
    """
    return _in_order(apply_expects(node, found, judged))


def _in_order(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    once: dict[object, Diagnostic] = {}
    for each in found:
        once.setdefault((each.severity, each.category, each.span, each.message), each)
    return tuple(sorted(once.values(), key=lambda each: each.span))
