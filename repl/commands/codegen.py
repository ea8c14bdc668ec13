"""`:show-codegen`: what the compiler makes of an expression or a method; nothing is evaluated (workspace.md 3.12)."""

from __future__ import annotations

from lang.ast import nodes as ast
from lang.codegen.context import ClassContext
from lang.diagnostics import Severity
from lang.runtime.classes import ClassObject
from lang.runtime.definitions import context_of
from lang.semantics.hierarchy import AnyName
from lang.syntax.units import ParsedUnit
from repl.commands.desk import CommandFailed, Desk, MethodName, method_name, usage, words
from repl.events import Shown, Steps
from workspace import drafting
from workspace.checks import statement_findings
from workspace.registration import module_of


def show_codegen(desk: Desk, arguments: str) -> Steps:
    """`:show-codegen EXPRESSION`, or a method as `C s`, `C>>s`, `C class>>s`."""
    if not arguments.strip():
        raise usage(":show-codegen EXPRESSION|CLASS SELECTOR")
    found = _method(desk, arguments)
    yield Shown(_of_expression(desk, arguments) if found is None else _of_method(desk, *found))


def _method(desk: Desk, arguments: str) -> tuple[MethodName, ClassObject] | None:
    """The method that is meant, with its class; everything else is an expression."""
    method = None if '"' in arguments else method_name(words(arguments))
    if method is None or method.class_name is None:
        return None
    owner = desk.workspace.runtime.class_named(method.class_name)
    if owner is None:
        return None
    if desk.value(f"{method.receiver} >> #{method.selector}") is not None:
        return method, owner
    if ">>" in arguments:
        raise CommandFailed(f"Error: {method.receiver} does not understand '{method.selector}'")
    return None


def _of_method(desk: Desk, method: MethodName, owner: ClassObject) -> str:
    state = desk.workspace.state
    known = state.method_unit(owner.name, method.side, method.selector)
    unit = _inherited(desk, method) if known is None else drafting.as_parsed_unit(known)
    return _listed(unit, context_of(owner, method.side, module_of(state, owner.name)))


def _inherited(desk: Desk, method: MethodName) -> ParsedUnit:
    """A method of the library, or of a class above."""
    # Imported late, here and below: a prompt that never asks needs neither parser nor compiler for it.
    from lang.syntax import parse_method_source  # noqa: PLC0415

    unit = parse_method_source(str(desk.value(f"({method.receiver} >> #{method.selector}) source")))
    match unit.node:
        case ast.MethodDef(body=(ast.Primitive(),)):
            raise CommandFailed(
                f"Error: {method.receiver}>>{method.selector} is a primitive: it has no generated code"
            )
    return unit


def _of_expression(desk: Desk, text: str) -> str:
    from lang.syntax import parse_input  # noqa: PLC0415

    view = desk.workspace.installer.view().with_names(AnyName())
    shown = []
    for unit in parse_input(text).units:
        for found in (*unit.diagnostics, *statement_findings(unit, view)):
            if found.severity is Severity.ERROR:
                raise CommandFailed(f"Error: {found.message}")
        shown.append(_listed(unit, ClassContext("prompt")))
    return "\n".join(shown)


def _listed(unit: ParsedUnit, context: ClassContext) -> str:
    from lang.codegen.destination import Uncompilable  # noqa: PLC0415
    from lang.codegen.listing import listing  # noqa: PLC0415

    try:
        return listing(unit, context)
    except Uncompilable as reason:
        raise CommandFailed(f"Error: {reason}") from reason
