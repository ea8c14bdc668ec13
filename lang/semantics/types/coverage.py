"""How much of a unit has a type: the share of expressions that are not `Dynamic` (workspace.md 6.13).

Comes in: the tree of a unit and its facts. Guarantees: every expression counts once; one that is not known has its
reason. Leaves: adding up and showing.
"""

from __future__ import annotations

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.dataclass import dataclass
from lang.semantics.types.facts import Facts
from lang.semantics.types.lattice import UNKNOWN, Dynamic
from lang.source import Span

_COUNTED = (
    ast.IntegerLiteral,
    ast.FloatLiteral,
    ast.StringLiteral,
    ast.CharacterLiteral,
    ast.SymbolLiteral,
    ast.Interpolation,
    ast.Constant,
    ast.Variable,
    ast.SelfRef,
    ast.ClassRef,
    ast.FieldAccess,
    ast.Send,
    ast.Cascade,
    ast.Cast,
    ast.Block,
    ast.ListLiteral,
    ast.ArrayLiteral,
    ast.DictionaryLiteral,
    ast.Match,
)


@dataclass(frozen=True, slots=True)
class UnitCoverage:
    """The expressions of one unit; `unknown` are those without a type, with the reason."""

    total: int
    unknown: tuple[tuple[Span, str], ...]


def coverage_of(node: ast.Declaration, facts: Facts) -> UnitCoverage:
    """What is known of the expressions of a method; other units have none that count."""
    method = node.method if isinstance(node, ast.ExtensionDef) else node
    if not isinstance(method, ast.MethodDef):
        return UnitCoverage(0, ())
    spans = dict.fromkeys(
        each.span for statement in method.body for each in walk(statement) if isinstance(each, _COUNTED)
    )
    found = ((span, facts.types.get(span, UNKNOWN)) for span in spans)
    unknown = tuple((span, type_.reason.value) for span, type_ in found if isinstance(type_, Dynamic))
    return UnitCoverage(len(spans), unknown)
