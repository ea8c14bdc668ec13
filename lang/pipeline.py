"""The front end on one screen: text to units, trees, findings, code.

    text ─ parse_file ─▶ ParsedFile ─ check_file ─▶ diagnostics
    ParsedUnit ─ compile_… ─▶ CompiledUnit (plain data) ─ Runtime.link ─▶ function

Comes in: units that were parsed and checked. Guarantees: the same input gives the
same code. Leaves: names of modules to the registry, images to the workspace. A unit
that the checks would refuse raises `Uncompilable`: asking for its code is a defect.
"""

from __future__ import annotations

from collections.abc import Container

from lang.ast import nodes as ast
from lang.codegen.compile import compile_default_node, compile_method_node, compile_statements_node
from lang.codegen.context import ClassContext, SlotWrites
from lang.codegen.destination import Uncompilable
from lang.codegen.records import CompiledClass, CompiledMember, CompiledProtocol, CompiledSlot
from lang.codegen.unit import CompiledUnit
from lang.syntax.units import ParsedUnit, Side

__all__ = [
    "ClassContext",
    "CompiledUnit",
    "SlotWrites",
    "Uncompilable",
    "compile_header",
    "compile_member",
    "compile_method",
    "compile_protocol",
    "compile_slot",
    "compile_statements",
]


def compile_method(unit: ParsedUnit, context: ClassContext) -> CompiledUnit:
    """The code of a METHOD or EXTENSION unit."""
    match unit.node:
        case ast.MethodDef() | ast.ExtensionDef():
            return compile_method_node(unit.node, unit.text, context)
        case _:
            raise Uncompilable(f"{unit.name} is no method")


def compile_member(unit: ParsedUnit, context: ClassContext) -> CompiledMember:
    """A method with all that its method dictionary says of it; a primitive has a name and no code."""
    node = unit.node
    if not isinstance(node, ast.MethodDef | ast.ExtensionDef):
        raise Uncompilable(f"{unit.name} is no method")
    method = node.method if isinstance(node, ast.ExtensionDef) else node
    selector = method.signature.selector.text
    primitive = primitive_name(method)
    return CompiledMember(
        selector=selector,
        arity=len(method.signature.parameters),
        is_class_side=method.signature.is_class_side,
        is_extension=isinstance(node, ast.ExtensionDef),
        is_sealed=method.is_sealed,
        is_internal=method.is_internal,
        source=unit.text,
        doc=method.doc,
        primitive=primitive,
        unit=compile_method(unit, context) if primitive is None else None,
    )


def primitive_name(method: ast.MethodDef) -> str | None:
    """The primitive that a library method is made of: `@primitive` alone means its own selector."""
    match method.body:
        case (ast.Primitive(name=name),):
            return name or method.signature.selector.text
        case _:
            return None


def compile_header(
    unit: ParsedUnit,
    context: ClassContext,
    members: tuple[CompiledMember, ...] = (),
    slots: tuple[CompiledSlot, ...] = (),
) -> CompiledClass:
    """A class HEADER unit with its data declarations; `members` are its methods, `slots` its DATA units."""
    node = unit.node
    if not isinstance(node, ast.ClassHeader):
        raise Uncompilable(f"{unit.name} is no class header")
    return CompiledClass(
        name=node.name.name,
        superclass=_qualified(node.superclass),
        modifiers=node.modifiers,
        type_parameters=tuple(p.name.name for p in node.type_parameters),
        doc=node.doc,
        slots=(*[_slot(d, unit.text, context) for d in node.data], *slots),
        methods=members,
    )


def compile_slot(unit: ParsedUnit, context: ClassContext) -> CompiledSlot:
    """A DATA unit: a declaration behind a method."""
    if not isinstance(unit.node, ast.DataDecl):
        raise Uncompilable(f"{unit.name} is no data declaration")
    return _slot(unit.node, unit.text, context)


def compile_protocol(unit: ParsedUnit) -> CompiledProtocol:
    """A PROTOCOL unit."""
    node = unit.node
    if not isinstance(node, ast.ProtocolDef):
        raise Uncompilable(f"{unit.name} is no protocol")
    return CompiledProtocol(
        name=node.name.name,
        type_parameters=tuple(p.name.name for p in node.type_parameters),
        extending=_qualified(node.extending),
        required=tuple((s.selector.text, s.is_class_side) for s in node.signatures),
        doc=node.doc,
    )


def compile_statements(unit: ParsedUnit, module: str, outer: Container[str] = ()) -> CompiledUnit:
    """A STATEMENTS unit: a function of the mapping of variables.

    `outer` holds the names of variables that exist already: a block that assigns one
    of them means the variable outside, and not a new one.
    """
    if not isinstance(unit.node, ast.Statements):
        raise Uncompilable(f"{unit.name} is no module-level code")
    return compile_statements_node(unit.node, unit.text, ClassContext(module), outer)


def _slot(node: ast.DataDecl, text: str, context: ClassContext) -> CompiledSlot:
    # A default sees neither slots nor `self`; only the module of its context matters.
    plain = ClassContext(context.module, Side.INSTANCE)
    return CompiledSlot(
        keyword=node.keyword,
        name=node.name.name,
        annotation=text[node.annotation.span.start : node.annotation.span.end] if node.annotation else None,
        doc=node.doc,
        default=compile_default_node(node, text, plain) if node.default is not None else None,
    )


def _qualified(ref: ast.ClassRef | None) -> str | None:
    if ref is None:
        return None
    return f"{ref.package}@{ref.name}" if ref.package else ref.name
