"""From the node of a unit to a `CompiledUnit`.

Comes in: a tree that passed the checks, its text, and the context of its class.
Guarantees: plain data; positions relative to the unit's text. Leaves: linking.
"""

from __future__ import annotations

import ast as py
from collections.abc import Container, Sequence
from functools import lru_cache
from types import CodeType
from typing import Final

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.codegen.context import ClassContext
from lang.codegen.destination import Sink
from lang.codegen.inlining import bare
from lang.codegen.lowering import HOME, SESSION, Lowering
from lang.codegen.unit import CompiledUnit, Link
from lang.codegen.variables import SELF, Local, is_reassigned
from lang.dataclass import dataclass
from lang.semantics.scopes import resolve
from lang.source import SourceText

_NOWHERE: Final[Container[str]] = ()


@lru_cache(maxsize=4)
def _source(text: str) -> SourceText:
    """Statements of one input share their text, and so its line index."""
    return SourceText(text)


@dataclass(frozen=True, slots=True)
class Lowered:
    """A unit as the host's syntax tree, before the host compiles it."""

    selector: str
    arity: int
    tree: py.Module
    module: str
    links: tuple[Link, ...]

    def compiled(self) -> CompiledUnit:
        """The unit's code."""
        outer = compile(self.tree, self.module, "exec", dont_inherit=True)
        for constant in outer.co_consts:
            if isinstance(constant, CodeType):
                code = constant.replace(co_name=self.selector, co_qualname=self.selector)
                return CompiledUnit(self.selector, self.arity, code, self.links)
        raise AssertionError("a function definition without code")


def compile_method_node(
    node: ast.MethodDef | ast.ExtensionDef, text: str, context: ClassContext
) -> CompiledUnit:
    """A method or extension; the function takes the receiver and the arguments."""
    return lower_method_node(node, text, context).compiled()


def lower_method_node(node: ast.MethodDef | ast.ExtensionDef, text: str, context: ClassContext) -> Lowered:
    """The same, for whoever wants to read it."""
    method = node.method if isinstance(node, ast.ExtensionDef) else node
    scope = resolve(node)
    lowering = Lowering(_source(text), context, scope, is_session=False)
    lowering.locate(method.signature.span)
    early = lowering.variables.enter(scope, lowering.activation)
    parameters = [SELF]
    for parameter in method.signature.parameters:
        place = lowering.variables.place(parameter.name.name)
        taken = not isinstance(place, Local) or place.python_name in parameters
        if isinstance(place, Local) and not is_reassigned(scope, parameter.name.name):
            lowering.activation.steady.add(place.python_name)
        parameters.append(lowering.temporary() if taken else place.python_name)  # type: ignore[union-attr]
    body = lowering.collect(lambda: lowering.body(method.body, Sink.ANSWER))
    lowering.locate(method.signature.span)
    prologue = lowering.prologue(lowering.activation, early)
    if lowering.needs_home:
        body = _as_home(lowering, body)
    selector = method.signature.selector.text
    return _lowered(lowering, selector, len(parameters) - 1, parameters, [*prologue, *body])


def compile_default_node(node: ast.DataDecl, text: str, context: ClassContext) -> CompiledUnit:
    """The default expression of a data declaration; the function takes nothing."""
    scope = resolve(node)
    lowering = Lowering(_source(text), context, scope, is_session=False)
    lowering.locate(node.span)
    early = lowering.variables.enter(scope, lowering.activation)
    default = node.default if node.default is not None else ast.Constant(node.span, None)
    body = lowering.collect(lambda: lowering.deliver(default, Sink.ANSWER))
    # No safe point: a default is evaluated while an object is being made.
    prologue = lowering.prologue(lowering.activation, early)
    prologue.remove(next(s for s in prologue if isinstance(s, py.If)))
    name = f"{node.name.name} default"
    return _lowered(lowering, name, 0, [], [*prologue, *body]).compiled()


def compile_statements_node(
    node: ast.Statements, text: str, context: ClassContext, outer: Container[str] = _NOWHERE
) -> CompiledUnit:
    """Module-level code or a prompt input: a function of the dict of variables.

    Variables that it assigns are items of that dict, so that blocks share them; the
    answer is the value of the last statement. `outer` holds the names already there.
    """
    return lower_statements_node(node, text, context, outer).compiled()


def lower_statements_node(
    node: ast.Statements, text: str, context: ClassContext, outer: Container[str] = _NOWHERE
) -> Lowered:
    """The same, for whoever wants to read it."""
    scope = resolve(node, outer)
    lowering = Lowering(_source(text), context, scope, is_session=True)
    lowering.locate(node.span)
    early = lowering.variables.enter(scope, lowering.activation, session=True)
    code = [s for s in node.body if not isinstance(s, ast.Expect)]
    body = lowering.collect(lambda: _session_body(lowering, code))
    lowering.locate(node.span)
    body = [*lowering.prologue(lowering.activation, early), *body]
    return _lowered(lowering, "input", 1, [SESSION], body)


def _session_body(lowering: Lowering, code: Sequence[ast.Expression]) -> None:
    """Each statement on its own: `^` ends a statement, not the input (language.md 4.6)."""
    for index, statement in enumerate(code):
        is_last = index == len(code) - 1
        node = bare(statement)
        if isinstance(node, ast.Return):
            node = node.value
        if not is_last and _may_return(node):
            _statement_function(lowering, node)
        else:
            lowering.deliver(node, Sink.ANSWER if is_last else Sink.EFFECT)
    if not code:
        lowering.put_constant(None, Sink.ANSWER)


def _may_return(node: ast.Expression) -> bool:
    return any(isinstance(at, ast.Return) for at in walk(node))


def _statement_function(lowering: Lowering, node: ast.Expression) -> None:
    """Run a statement as a function of its own, so that `^` in it returns from it."""
    body = lowering.collect(lambda: lowering.deliver(node, Sink.ANSWER))
    name = f"[{lowering.temporary()}]"
    lowering.emit(lowering.make.function(name, [], body))
    lowering.emit(lowering.make.effect(lowering.make.call(lowering.make.name(name))))


def _as_home(lowering: Lowering, body: list[py.stmt]) -> list[py.stmt]:
    """Make the activation one that blocks can return from (language.md 4.6)."""
    make = lowering.make
    home, signal = make.name(HOME), lowering.temporary()
    begin = make.assign(make.target(HOME), make.helper("$Home"))
    is_other = make.compare(make.attribute(make.name(signal), "home"), py.IsNot(), home)
    caught: list[py.stmt] = [
        make.branch(is_other, [make.raising()]),
        make.answer(make.attribute(make.name(signal), "value")),
    ]
    end = make.assign(make.attribute_target(home, "is_alive"), make.constant(False))
    return [begin, make.protected(body, [make.handler("$NonLocalReturn", signal, caught)], [end])]


def _lowered(
    lowering: Lowering, selector: str, arity: int, parameters: Sequence[str], body: list[py.stmt]
) -> Lowered:
    definition = lowering.make.function("f", parameters, body)
    tree = py.Module([definition], [])
    return Lowered(selector, arity, tree, lowering.context.module, tuple(lowering.links.values()))
