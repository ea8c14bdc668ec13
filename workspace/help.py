"""Help on classes and methods, as text (workspace.md 4.1).

Comes in: class and metaclass objects. Guarantees: what a class has now, patches and
extensions included. Leaves: pages, colours and search to the prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lang.ast import nodes as ast
from lang.runtime.classes import ClassObject, MetaclassObject, Method
from lang.runtime.errors import BeamtalkError
from lang.source import SourceText
from lang.spelling import class_side_name
from lang.syntax import parse_method_source, parse_unit
from lang.syntax.units import Side, UnitKind

_FEW = 5
"""Inherited selectors that are all named; of more, the first ones."""


def help_on_class(described: ClassObject | MetaclassObject) -> str:
    """Header, doc comment, own methods by selector, and what is inherited, nearest ancestor first."""
    owner, side = _owner_and_side(described)
    lines = [_title(owner, side), *_modifiers(owner.definition.modifiers)]
    if owner.definition.doc:
        lines += [owner.definition.doc]
    lines += ["", "Class methods:" if side is Side.CLASS else "Instance methods:"]
    lines += [f"  {_signature_line(each)}" for each in _own(owner, side)]
    lines += _inherited(owner, side)
    lines.append(f"Use Beamtalk help: {owner.name} selector: #method for method details.")
    return "\n".join(lines)


def help_on_method(described: ClassObject | MetaclassObject, selector: str) -> str:
    """Signature and doc comment of a method; one of the class side is found on the class too."""
    owner, side = _owner_and_side(described)
    method = owner.lookup(selector, side) or owner.lookup(selector, Side.CLASS)
    if method is None:
        raise BeamtalkError(
            "does_not_understand",
            f"{owner.name} does not understand '{selector}'",
            class_name=owner.name,
            selector=selector,
            hint=f"Use Beamtalk help: {owner.name} to see available methods.",
        )
    lines = [f"== {_shown(owner, method.side)} >> {selector} =="]
    lines += _method_modifiers(method)
    if method.owner is not owner:
        lines.append(f"(inherited from {method.owner.name})")
    lines.append(f"  {signature_of(method)}")
    doc, source = _doc(method)
    if doc:
        lines += ["", *([] if source is method.owner else [f"(doc from {source.name})"]), doc]
    return "\n".join(lines)


def signature_of(method: Method) -> str:
    """The signature as written; the bare selector of a method without source."""
    if method.source is None:
        return method.selector
    inside = parse_method_source(method.source)
    if isinstance(inside.node, ast.MethodDef):
        return _signature(inside.node, inside.text)
    extension = parse_unit(method.source, UnitKind.EXTENSION).node
    if isinstance(extension, ast.ExtensionDef):
        return _signature(extension.method, method.source)
    return method.selector


def _signature(node: ast.MethodDef, text: str) -> str:
    return " ".join(SourceText(text).slice(node.signature.span).split())


def _owner_and_side(described: ClassObject | MetaclassObject) -> tuple[ClassObject, Side]:
    if isinstance(described, MetaclassObject):
        return described.this_class, Side.CLASS
    return described, Side.INSTANCE


def _shown(owner: ClassObject, side: Side) -> str:
    return class_side_name(owner.name, side)


def _title(owner: ClassObject, side: Side) -> str:
    if side is Side.CLASS or owner.superclass is None:
        return f"== {_shown(owner, side)} =="
    return f"== {owner.name} < {owner.superclass.name} =="


def _modifiers(modifiers: Iterable[str]) -> list[str]:
    found = [f"[{each}]" for each in ("sealed", "abstract", "internal") if each in modifiers]
    return [" ".join(found)] if found else []


def _method_modifiers(method: Method) -> list[str]:
    found = [
        name for name, holds in (("internal", method.is_internal), ("sealed", method.is_sealed)) if holds
    ]
    return [" ".join(f"[{each}]" for each in found)] if found else []


def _own(owner: ClassObject, side: Side) -> list[Method]:
    definition = owner.definition
    found = {**definition.local_extensions(side), **definition.local_methods(side)}
    return [found[selector] for selector in sorted(found)]


def _signature_line(method: Method) -> str:
    return " ".join([signature_of(method), *_method_modifiers(method)])


def _inherited(owner: ClassObject, side: Side) -> Iterator[str]:
    seen = {method.selector for method in _own(owner, side)}
    heading = "Inherited class methods from" if side is Side.CLASS else "Inherited from"
    for above in list(owner.chain())[1:]:
        fresh = [m.selector for m in _own(above, side) if m.selector not in seen]
        seen.update(fresh)
        if fresh:
            shown = fresh if len(fresh) <= _FEW else fresh[:_FEW]
            more = f", ... ({len(fresh) - _FEW} more)" if len(fresh) > _FEW else ""
            yield f"{heading} {above.name} ({len(fresh)} methods): {', '.join(shown)}{more}"


def _doc(method: Method) -> tuple[str | None, ClassObject]:
    """The doc comment of a method, or of the nearest one that it overrides."""
    for above in method.owner.chain():
        found = above.definition.find(method.selector, method.side)
        if found is not None and found.doc:
            return found.doc, above
    return None, method.owner
