"""From expressions to Python statements and expressions.

Comes in: a checked tree with its scopes. Guarantees: receiver and arguments are
evaluated once, left to right, before the send; every piece of code knows its place in
the text. This module holds the state and the order; `sends`, `assignments`, `literals`,
`arithmetic`, `control` and `patterns` each lower their nodes. Leaves: the functions
around it all to `compile.py`.

The order of evaluation: `value` answers a Python expression that has not run yet, and
may have put statements before it. Whoever holds an expression while more is lowered
asks `settle` to run it first if those statements could tell the difference.
"""

from __future__ import annotations

import ast as py
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from lang.ast import nodes as ast
from lang.codegen import arithmetic, assignments, control, literals, patterns, sends
from lang.codegen import unit as names
from lang.codegen.context import ClassContext
from lang.codegen.destination import Destination, Into, Sink, Uncompilable
from lang.codegen.inlining import all_inlined, bare, inlined_blocks
from lang.codegen.pyast import Maker
from lang.codegen.unit import Datum, Link
from lang.codegen.variables import SELF, Local, Place, PythonFunction, SessionVariable, Variables
from lang.semantics.scopes import Scope
from lang.source import SourceText, Span

SESSION: Final = "$locals"
HOME: Final = "<home>"


class Lowering:
    """The state of lowering one unit."""

    def __init__(self, source: SourceText, context: ClassContext, root: Scope, *, is_session: bool) -> None:
        self.source = source
        self.context = context
        self.root = root
        self.is_session = is_session
        self.make = Maker()
        self.variables = Variables(root, self.is_inlined)
        self.links: dict[str, Link] = {}
        self.statements: list[py.stmt] = []
        self.activation = PythonFunction(is_activation=True)
        self.function = self.activation
        self.needs_home = False
        self.in_class_method = False
        """Within a block whose first parameter is `self`: a class method for ClassBuilder (language.md 4.18)."""
        self.integers: set[str] = set()
        self._volatile: set[str] = set()
        self._temporaries = 0
        self._impure = 0
        self._assignments = 0
        self._inlined: frozenset[int] | None = None

    # ------------------------------------------------------------ places and names

    def locate(self, span: Span) -> None:
        """Give what is made next the position of a span."""
        position = self.source.position(span.start)
        self.make.line = position.line
        self.make.column = position.column - 1

    def temporary(self) -> str:
        """A new local name that no source name can be."""
        self._temporaries += 1
        return f"${self._temporaries}"

    def link(self, kind: str, what: Datum, name: str | None = None) -> py.Name:
        """A free name that the linker binds."""
        identifier = name if name is not None else f"{kind}{what}"
        if identifier not in self.links:
            self.links[identifier] = Link(kind, identifier, what)
        return self.make.name(identifier)

    def is_inlined(self, block: ast.Block) -> bool:
        """Whether a block is compiled in place wherever it stands."""
        if self._inlined is None:
            self._inlined = all_inlined(self.root.node)
        return id(block) in self._inlined

    # ------------------------------------------------------------ statements

    def emit(self, statement: py.stmt) -> None:
        """Append a statement that may have an effect."""
        self._impure += 1
        self.statements.append(statement)

    def collect(self, build: Callable[[], None]) -> list[py.stmt]:
        """The statements that `build` emits, kept apart; never empty."""
        outer, self.statements = self.statements, []
        build()
        inner, self.statements = self.statements, outer
        if not inner:
            inner.append(py.Pass(lineno=self.make.line, col_offset=self.make.column))
        return inner

    def put(self, value: py.expr, sink: Destination) -> None:
        """Deliver a lowered value."""
        match sink:
            case Sink.EFFECT:
                if not _is_pure(value):
                    self.emit(self.make.effect(value))
            case Sink.ANSWER:
                self.emit(self.make.answer(value))
            case Into(name):
                self.emit(self.make.assign(self.make.target(name), value))

    def put_constant(self, value: object, sink: Destination) -> None:
        """Deliver nil or a truth value."""
        self.put(self.make.constant(value), sink)

    def body(self, statements: Sequence[ast.Expression], sink: Destination) -> None:
        """A sequence whose last value is delivered; an empty one is nil."""
        code = [s for s in statements if not isinstance(s, ast.Expect)]
        for statement in code[:-1]:
            self.deliver(statement, Sink.EFFECT)
        if code:
            self.deliver(code[-1], sink)
        else:
            self.put_constant(None, sink)

    def deliver(self, node: ast.Expression, sink: Destination) -> None:
        """Lower an expression for a destination; control flow needs no temporary then."""
        node = bare(node)
        self.locate(node.span)
        match node:
            case ast.Return():
                self.return_(node)
            case ast.Match():
                patterns.match(self, node, sink)
            case ast.Send() if (blocks := inlined_blocks(node)) is not None:
                control.inline(self, node, blocks, sink)
            case _:
                self.put(self.value(node), sink)

    def return_(self, node: ast.Return) -> None:
        """`^`: from the activation itself, or by unwinding to it (language.md 4.6)."""
        if self.is_session or self.function is self.activation:
            self.deliver(node.value, Sink.ANSWER)
            return
        value = self.value(node.value)
        self.needs_home = True
        self.emit(self.make.raising(self.make.helper("$return", self.make.name(HOME), value)))

    # ------------------------------------------------------------ order of evaluation

    def is_atom(self, value: py.expr) -> bool:
        """Whether an expression may be read more than once."""
        return isinstance(value, py.Constant | py.Name)

    def settle(self, values: list[py.expr], at: int, mark: tuple[int, int]) -> None:
        """Run pending expressions at a place in the statements if what was lowered since could matter.

        `at` and `mark` are what `pending_mark` answered before that lowering.
        """
        if mark == (self._impure, self._assignments):
            return
        were_assigned = mark[1] != self._assignments
        for index, value in enumerate(values):
            if self._is_stable(value, were_assigned=were_assigned):
                continue
            name = self.temporary()
            self.statements.insert(at, self.make.assign(self.make.target(name), value))
            values[index] = self.make.name(name)
            at += 1

    def mark(self) -> tuple[int, int]:
        """How much was emitted and assigned so far."""
        return self._impure, self._assignments

    def _is_stable(self, value: py.expr, *, were_assigned: bool) -> bool:
        if isinstance(value, py.Constant):
            return True
        if not isinstance(value, py.Name):
            return False
        return value.id not in self._volatile if not were_assigned else not _is_variable(value.id)

    def is_volatile(self, name: str) -> bool:
        """Whether other code may assign a Python name while an expression is evaluated."""
        return name in self._volatile

    def operands(self, nodes: Sequence[ast.Expression]) -> list[py.expr]:
        """Expressions for several nodes that will be evaluated in this order."""
        done: list[py.expr] = []
        for node in nodes:
            at, mark = len(self.statements), self.mark()
            value = self.value(node)
            self.settle(done, at, mark)
            done.append(value)
        return done

    def atom(self, value: py.expr) -> py.expr:
        """The same value as something that may be read twice; runs it now if it has to."""
        if self.is_atom(value):
            return value
        name = self.temporary()
        self.emit(self.make.assign(self.make.target(name), value))
        return self.make.name(name)

    def unfolded(self, value: py.expr) -> py.expr:
        """The same value, but no constant: CPython warns of tests that it can decide itself."""
        if not isinstance(value, py.Constant):
            return value
        name = self.temporary()
        self.emit(self.make.assign(self.make.target(name), value))
        return self.make.name(name)

    def kept(self, value: py.expr) -> tuple[py.expr, py.expr]:
        """An expression for the first reading of a value and one for later readings."""
        if self.is_atom(value):
            return value, value
        name = self.temporary()
        first = py.NamedExpr(
            self.make.target(name), value, lineno=self.make.line, col_offset=self.make.column
        )
        return first, self.make.name(name)

    # ------------------------------------------------------------ expressions

    def value(self, node: ast.Expression) -> py.expr:
        """A Python expression for a node."""
        return _VALUES[type(node)](self, node)

    def through_temporary(self, node: ast.Expression) -> py.expr:
        """Control flow in the place of a value."""
        name = self.temporary()
        self.deliver(node, Into(name))
        return self.make.name(name)

    def fixed(self, value: py.expr) -> py.expr:
        """The present value, whatever is assigned later."""
        if isinstance(value, py.Constant) or (isinstance(value, py.Name) and not _is_variable(value.id)):
            return value
        name = self.temporary()
        self.emit(self.make.assign(self.make.target(name), value))
        return self.make.name(name)

    # ------------------------------------------------------------ variables and slots

    def place_of(self, name: str) -> Place:
        """Where a name lives; a prompt finds unknown ones when the statement runs."""
        place = self.variables.place(name)
        if place is not None:
            return place
        if self.is_session:
            return SessionVariable(name)
        raise Uncompilable(f"undefined variable {name}")

    def read(self, place: Place) -> py.expr:
        """Read a place."""
        if isinstance(place, SessionVariable):
            return self.make.item(self.make.name(SESSION), self.make.constant(place.name))
        if place.is_volatile:
            self._volatile.add(place.python_name)
        return self.make.name(place.python_name)

    def target(self, place: Place) -> py.expr:
        """A Python assignment target for a place."""
        self._assignments += 1
        if isinstance(place, SessionVariable):
            return self.make.item_target(self.make.name(SESSION), self.make.constant(place.name))
        if place.owner is not self.function:
            self.function.nonlocals.add(place.python_name)
        return self.make.target(place.python_name)

    def store(self, name: str, value: py.expr) -> None:
        """Assign a variable by name."""
        place = self.place_of(name)
        self.emit(self.make.assign(self.target(place), value))

    # ------------------------------------------------------------ literals and blocks

    def in_place(self, block: ast.Block, sink: Destination) -> None:
        """The body of a block without parameters, where it stands."""
        early = self.variables.enter(self.variables.scope_of(block), self.function)
        self.block_body(block, early, sink)
        self.variables.leave()

    def block_body(self, block: ast.Block, early: Sequence[Local], sink: Destination = Sink.EFFECT) -> None:
        """Statements of a block whose scope is open; variables that blocks see early begin as nil."""
        for place in early:
            nil = self.make.constant(None)
            self.emit(self.make.assign(self.make.target(place.python_name), nil))
        self.body(block.body, sink)

    def block(self, node: ast.Block) -> py.expr:
        """A real block: a Python function."""
        # A class method for ClassBuilder is run as one: its sends to self are direct.
        function = PythonFunction(is_activation=_takes_self(node))
        return self.nested(node, function, Sink.ANSWER)

    def nested(self, node: ast.Block, function: PythonFunction, sink: Destination) -> py.expr:
        """Define a Python function with the parameters and body of a block."""
        outer, self.function = self.function, function
        was_class_method, self.in_class_method = (
            self.in_class_method,
            self.in_class_method or _takes_self(node),
        )
        early = self.variables.enter(self.variables.scope_of(node), function)
        parameters = self._parameters(node)
        body = self.collect(lambda: self.body(node.body, sink))
        self.variables.leave()
        self.function, self.in_class_method = outer, was_class_method
        self.locate(node.span)
        name = f"[{self.temporary()}]"
        definition = self.make.function(name, parameters, [*self.prologue(function, early), *body])
        self.statements.append(definition)  # pure: it only makes a closure
        return self.make.name(name)

    def _parameters(self, node: ast.Block) -> list[str]:
        parameters: list[str] = []
        for parameter in node.parameters:
            place = self.variables.place(parameter.name.name)
            if parameter.name.name == SELF:
                parameters.append(SELF)
                continue
            taken = not isinstance(place, Local) or place.python_name in parameters
            parameters.append(self.temporary() if taken else place.python_name)  # type: ignore[union-attr]
        return parameters

    def prologue(self, function: PythonFunction, early: Sequence[Local]) -> list[py.stmt]:
        """What a function begins with: nonlocal names, the safe point, variables that blocks see early."""
        made: list[py.stmt] = []
        if function.nonlocals:
            made.append(self.make.nonlocal_names(sorted(function.nonlocals)))
        made.append(self.safe_point())
        for name in sorted(function.tested):
            flag = self.make.target(arithmetic.INTEGER_FLAG + name)
            made.append(self.make.assign(flag, self.make.is_type(self.make.name(name), "$int")))
        made.extend(
            self.make.assign(self.make.target(p.python_name), self.make.constant(None)) for p in early
        )
        return made

    def safe_point(self) -> py.stmt:
        """`if tick: poll()` (design, Safe points)."""
        return self.make.branch(self.make.name("$tick"), [self.make.effect(self.make.helper("$poll"))])

    def destructuring(self, node: ast.Destructuring) -> py.expr:
        """`#[a, b] := e`."""
        return patterns.destructuring(self, node)

    def returned(self, node: ast.Return) -> py.expr:
        """`^` as an operand: what follows never runs."""
        self.return_(node)
        return self.make.constant(None)


def _takes_self(block: ast.Block) -> bool:
    return bool(block.parameters) and block.parameters[0].name.name == SELF


def _is_pure(value: py.expr) -> bool:
    """Whether leaving out the evaluation changes nothing; an unknown class has to be told."""
    return isinstance(value, py.Constant) or (
        isinstance(value, py.Name) and not value.id.startswith(names.CLASS)
    )


def _is_variable(name: str) -> bool:
    """Whether a Python name is a variable of the source, and not a temporary, `self` or a free name."""
    return name != SELF and not name.startswith("$") and " " not in name and name[:1] not in "[<"


def _self(lowering: Lowering, node: ast.SelfRef) -> py.expr:
    lowering.locate(node.span)
    return lowering.make.name(SELF)


def _refused(lowering: Lowering, node: ast.Expression) -> py.expr:
    raise Uncompilable(f"{type(node).__name__} at {lowering.source.position(node.span.start)}")


def _nothing(lowering: Lowering, node: ast.Expect) -> py.expr:
    del node
    return lowering.make.constant(None)


# The argument of each is the node type that keys it, which a mapping cannot say.
_VALUES: Final[Mapping[type, Callable[[Lowering, Any], py.expr]]] = {
    ast.IntegerLiteral: literals.constant,
    ast.FloatLiteral: literals.constant,
    ast.StringLiteral: literals.constant,
    ast.CharacterLiteral: literals.constant,
    ast.Constant: literals.constant,
    ast.SymbolLiteral: literals.symbol,
    ast.Interpolation: literals.interpolation,
    ast.Variable: assignments.variable,
    ast.SelfRef: _self,
    ast.SuperRef: _refused,
    ast.ClassRef: literals.class_reference,
    ast.FieldAccess: assignments.slot_read,
    ast.Send: sends.send,
    ast.Cascade: sends.cascade,
    ast.Cast: sends.cast,
    ast.Assignment: assignments.assignment,
    ast.Destructuring: Lowering.destructuring,
    ast.Return: Lowering.returned,
    ast.Block: Lowering.block,
    ast.Parenthesized: lambda lowering, node: lowering.value(node.inner),
    ast.ListLiteral: literals.list_literal,
    ast.ArrayLiteral: literals.array_literal,
    ast.DictionaryLiteral: literals.dictionary_literal,
    ast.Match: Lowering.through_temporary,
    ast.Primitive: _refused,
    ast.Expect: _nothing,
    ast.ErrorNode: _refused,
}
