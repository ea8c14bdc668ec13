"""Making Python `ast` nodes, each with the present position.

A `Maker` is told where the source stands (`at`) and gives that position to all that
it makes, so that a traceback leads back to line and column of the unit.
"""

from __future__ import annotations

import ast as py
from collections.abc import Sequence
from typing import Final

LOAD: Final = py.Load()
STORE: Final = py.Store()


class Maker:
    """Factory of Python nodes at one place of a unit's text."""

    __slots__ = ("column", "line")

    def __init__(self) -> None:
        self.line = 1
        self.column = 0

    def name(self, identifier: str) -> py.Name:
        """Read a Python name."""
        return py.Name(identifier, LOAD, lineno=self.line, col_offset=self.column)

    def target(self, identifier: str) -> py.Name:
        """Assign a Python name."""
        return py.Name(identifier, STORE, lineno=self.line, col_offset=self.column)

    def constant(self, value: object) -> py.Constant:
        """A constant."""
        return py.Constant(value, lineno=self.line, col_offset=self.column)  # type: ignore[arg-type]

    def call(self, function: py.expr, arguments: Sequence[py.expr] = ()) -> py.Call:
        """A call."""
        return py.Call(function, list(arguments), [], lineno=self.line, col_offset=self.column)

    def helper(self, name: str, *arguments: py.expr) -> py.Call:
        """A call of something in the shared builtins."""
        return self.call(self.name(name), arguments)

    def attribute(self, value: py.expr, name: str) -> py.Attribute:
        """Read an attribute."""
        return py.Attribute(value, name, LOAD, lineno=self.line, col_offset=self.column)

    def attribute_target(self, value: py.expr, name: str) -> py.Attribute:
        """Assign an attribute."""
        return py.Attribute(value, name, STORE, lineno=self.line, col_offset=self.column)

    def item(self, value: py.expr, index: py.expr) -> py.Subscript:
        """Read an item."""
        return py.Subscript(value, index, LOAD, lineno=self.line, col_offset=self.column)

    def item_target(self, value: py.expr, index: py.expr) -> py.Subscript:
        """Assign an item."""
        return py.Subscript(value, index, STORE, lineno=self.line, col_offset=self.column)

    def sequence(self, elements: Sequence[py.expr]) -> py.List:
        """A Python list."""
        return py.List(list(elements), LOAD, lineno=self.line, col_offset=self.column)

    def tuple(self, elements: Sequence[py.expr]) -> py.Tuple:
        """A Python tuple."""
        return py.Tuple(list(elements), LOAD, lineno=self.line, col_offset=self.column)

    def compare(self, one: py.expr, operator: py.cmpop, two: py.expr) -> py.Compare:
        """One comparison."""
        return py.Compare(one, [operator], [two], lineno=self.line, col_offset=self.column)

    def same(self, one: py.expr, two: py.expr) -> py.Compare:
        """`one is two`."""
        return self.compare(one, py.Is(), two)

    def is_type(self, value: py.expr, type_name: str) -> py.Compare:
        """`type(value) is T`, with T in the shared builtins."""
        return self.same(self.helper("$type", value), self.name(type_name))

    def all_of(self, tests: Sequence[py.expr]) -> py.expr:
        """Python `and`."""
        if len(tests) == 1:
            return tests[0]
        return py.BoolOp(py.And(), list(tests), lineno=self.line, col_offset=self.column)

    def any_of(self, tests: Sequence[py.expr]) -> py.expr:
        """Python `or`."""
        return py.BoolOp(py.Or(), list(tests), lineno=self.line, col_offset=self.column)

    def negation(self, test: py.expr) -> py.UnaryOp:
        """Python `not`."""
        return py.UnaryOp(py.Not(), test, lineno=self.line, col_offset=self.column)

    def choice(self, test: py.expr, then: py.expr, otherwise: py.expr) -> py.IfExp:
        """`then if test else otherwise`."""
        return py.IfExp(test, then, otherwise, lineno=self.line, col_offset=self.column)

    def binary(self, one: py.expr, operator: py.operator, two: py.expr) -> py.BinOp:
        """A Python operator."""
        return py.BinOp(one, operator, two, lineno=self.line, col_offset=self.column)

    # ------------------------------------------------------------ statements

    def assign(self, target: py.expr, value: py.expr) -> py.Assign:
        """An assignment."""
        return py.Assign([target], value, lineno=self.line, col_offset=self.column)

    def effect(self, value: py.expr) -> py.Expr:
        """An expression as a statement."""
        return py.Expr(value, lineno=self.line, col_offset=self.column)

    def answer(self, value: py.expr) -> py.Return:
        """`return`."""
        return py.Return(value, lineno=self.line, col_offset=self.column)

    def branch(self, test: py.expr, body: list[py.stmt], otherwise: list[py.stmt] | None = None) -> py.If:
        """`if`."""
        return py.If(test, body, otherwise or [], lineno=self.line, col_offset=self.column)

    def loop(self, test: py.expr, body: list[py.stmt]) -> py.While:
        """`while`."""
        return py.While(test, body, [], lineno=self.line, col_offset=self.column)

    def each(self, target: py.expr, values: py.expr, body: list[py.stmt]) -> py.For:
        """`for`."""
        return py.For(target, values, body, [], lineno=self.line, col_offset=self.column)

    def leave(self) -> py.Break:
        """`break`."""
        return py.Break(lineno=self.line, col_offset=self.column)

    def raising(self, value: py.expr | None = None) -> py.Raise:
        """`raise`."""
        return py.Raise(value, None, lineno=self.line, col_offset=self.column)

    def nonlocal_names(self, names: Sequence[str]) -> py.Nonlocal:
        """`nonlocal`."""
        return py.Nonlocal(list(names), lineno=self.line, col_offset=self.column)

    def handler(self, type_name: str, variable: str | None, body: list[py.stmt]) -> py.ExceptHandler:
        """`except T as variable`."""
        return py.ExceptHandler(
            self.name(type_name), variable, body, lineno=self.line, col_offset=self.column
        )

    def protected(
        self, body: list[py.stmt], handlers: list[py.ExceptHandler], finally_: list[py.stmt]
    ) -> py.Try:
        """`try`."""
        return py.Try(body, handlers, [], finally_, lineno=self.line, col_offset=self.column)

    def function(self, name: str, parameters: Sequence[str], body: list[py.stmt]) -> py.FunctionDef:
        """`def`."""
        arguments = [py.arg(p, lineno=self.line, col_offset=self.column) for p in parameters]
        return py.FunctionDef(
            name,
            py.arguments([], arguments, None, [], [], None, []),
            body,
            [],
            lineno=self.line,
            col_offset=self.column,
        )
