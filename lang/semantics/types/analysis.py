"""One unit judged by types: its facts and what is wrong in it (types.md 2, 3).

Comes in: the tree of a unit, the class that it belongs to, a `World`. Guarantees: findings before `@expect`, spans
in the unit's text; the facts stay for whoever asks about types (index, editors, sendability). Leaves: errors of the
language, `@expect` and order to `check`.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from lang.ast import nodes as ast
from lang.dataclass import dataclass
from lang.diagnostics import Diagnostic, Severity
from lang.semantics.hierarchy import side_of
from lang.semantics.scopes import resolve
from lang.semantics.types.boundaries import check_boundaries
from lang.semantics.types.checks import Judged, check_default, check_dynamics, check_sends, check_values
from lang.semantics.types.facts import Facts
from lang.semantics.types.infer import Inference, Setting, mutated_in
from lang.semantics.types.lattice import Type
from lang.semantics.types.method_checks import (
    check_matches,
    check_override,
    check_result,
    check_written_types,
)
from lang.semantics.types.methods import MethodType
from lang.semantics.types.returns import inferred_return, method_setting
from lang.semantics.types.visibility import check_visibility
from lang.semantics.types.world import World
from lang.syntax.units import Side

NOTHING_BOUND: Final[Mapping[str, Type]] = {}


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of a unit: its findings, and the facts that they were made from."""

    diagnostics: tuple[Diagnostic, ...]
    facts: Facts


def facts_of_unit(
    node: ast.Declaration, owner: str, world: World, variables: Mapping[str, Type] = NOTHING_BOUND
) -> Facts:
    """The types of a unit's expressions, receivers of its sends included; nothing is judged.

    `variables` are the types of the names that module-level code sees besides its own.
    """

    def return_of(method: MethodType, name: str) -> Type | None:
        return inferred_return(method, name, world)

    match node:
        case ast.MethodDef():
            setting = method_setting(node, owner, side_of(node), world)
            return Inference(world, setting, return_of).method(node)
        case ast.ExtensionDef(method=method):
            setting = method_setting(method, owner, side_of(method), world)
            return Inference(world, setting, return_of).method(method)
        case ast.Statements():
            mutated = mutated_in(resolve(node, variables))
            setting = Setting("", Side.INSTANCE, None, variables, mutated)
            return Inference(world, setting, return_of).top_level(node.body)
        case ast.DataDecl(default=default) if default is not None:
            setting = Setting(owner, Side.INSTANCE, None, {}, frozenset())
            return Inference(world, setting, return_of).top_level((default,))
    return Facts()


def analyse(
    node: ast.Declaration, owner: str, world: World, variables: Mapping[str, Type] = NOTHING_BOUND
) -> Analysis:
    """What is wrong in one unit, by types."""
    facts = facts_of_unit(node, owner, world, variables)
    is_typed = world.is_typed(owner) and not isinstance(node, ast.ExtensionDef)
    found = tuple(_findings(Judged(node, owner, facts, world, is_typed)))
    return Analysis(found, facts)


def errors_by_types(world: World) -> Callable[[ast.Declaration, str], tuple[Diagnostic, ...]]:
    """Judges units for what stops a load alone."""

    def check(node: ast.Declaration, owner: str) -> tuple[Diagnostic, ...]:
        found = analyse(node, owner, world).diagnostics
        return tuple(each for each in found if each.severity is Severity.ERROR)

    return check


class FileChecker:
    """Judges the units of one file in order: module-level code sees what the code before it left bound."""

    def __init__(self, world: World, variables: Mapping[str, Type] = NOTHING_BOUND) -> None:
        self._world = world
        self._variables: ChainMap[str, Type] = ChainMap({}, variables)  # type: ignore[arg-type]  # read only

    def __call__(self, node: ast.Declaration, owner: str) -> tuple[Diagnostic, ...]:
        """The findings of the next unit."""
        analysis = analyse(node, owner, self._world, self._variables)
        self._variables.update(analysis.facts.variables)
        return analysis.diagnostics


def _findings(unit: Judged) -> Iterator[Diagnostic]:
    yield from check_sends(unit)
    yield from check_values(unit)
    yield from check_matches(unit)
    yield from check_written_types(unit)
    yield from check_boundaries(unit.node, unit.facts, unit.world)
    yield from check_visibility(unit.facts, unit.world)
    match unit.node:
        case ast.MethodDef() as method:
            yield from check_result(unit, method)
            yield from check_override(unit, method)
            yield from check_dynamics(unit, method)
        case ast.ExtensionDef(method=method):
            yield from check_result(unit, method)
        case ast.ClassHeader(data=data):
            for declaration in data:
                facts = facts_of_unit(declaration, unit.owner, unit.world)
                yield from check_default(declaration, facts, unit.owner, unit.world)
        case ast.DataDecl() as declaration:
            yield from check_default(declaration, unit.facts, unit.owner, unit.world)
        case _:
            pass
