"""The host code of a unit as text for people (workspace.md 3.12, `:show-codegen`).

Comes in: a unit that passed the checks. Guarantees: what is shown is the tree that is compiled; free
names, which no source can spell, stand in guillemets. Leaves: colours.
"""

from __future__ import annotations

import ast as py
import copy

from lang.ast import nodes as ast
from lang.codegen.compile import Lowered, lower_method_node, lower_statements_node
from lang.codegen.context import ClassContext
from lang.codegen.destination import Uncompilable
from lang.syntax.units import ParsedUnit


def listing(unit: ParsedUnit, context: ClassContext) -> str:
    """The code of a method, an extension or statements. Raises `Uncompilable` for other units."""
    lowered = _lowered(unit, context)
    tree = _Spelled().visit(copy.deepcopy(lowered.tree))
    return f"# {lowered.module} {lowered.selector}\n{py.unparse(py.fix_missing_locations(tree))}"


def _lowered(unit: ParsedUnit, context: ClassContext) -> Lowered:
    match unit.node:
        case ast.MethodDef() | ast.ExtensionDef():
            return lower_method_node(unit.node, unit.text, context)
        case ast.Statements():
            return lower_statements_node(unit.node, unit.text, context)
        case _:
            raise Uncompilable(f"{unit.name} has no code of its own")


class _Spelled(py.NodeTransformer):
    """Names that are no identifiers of the host, as something that a reader can tell apart."""

    def visit_Name(self, node: py.Name) -> py.Name:
        return py.Name(_spelled(node.id), node.ctx)

    def visit_FunctionDef(self, node: py.FunctionDef) -> py.FunctionDef:
        node.name = _spelled(node.name)
        for argument in node.args.args:
            argument.arg = _spelled(argument.arg)
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: py.Attribute) -> py.Attribute:
        node.attr = _spelled(node.attr)
        self.generic_visit(node)
        return node

    def visit_ExceptHandler(self, node: py.ExceptHandler) -> py.ExceptHandler:
        node.name = None if node.name is None else _spelled(node.name)
        self.generic_visit(node)
        return node


def _spelled(name: str) -> str:
    return name if name.isidentifier() else f"«{name}»"
