"""From units to the definition of a live class (language.md 4.1 to 4.3).

Comes in: a class object, its units that changed, and what it was before. Guarantees: a
complete `ClassDefinition` that nobody sees yet; method dictionaries are new mappings, never
edited. Leaves: putting it in place to the transaction.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from lang.class_kind import ClassKind
from lang.codegen.context import ClassContext
from lang.codegen.records import CompiledSlot
from lang.dataclass import dataclass, replace
from lang.deferred import deferred
from lang.runtime.classes import ClassDefinition, ClassObject, Function, Method, Provenance, Slot
from lang.runtime.definitions import (
    CLASS_SLOT_KEYWORD,
    context_of,
    kind_below,
    linked_method,
    linked_slot,
    protocol_info,
    with_members,
)
from lang.runtime.runtime import Runtime
from lang.syntax.units import Side, UnitKind
from workspace.change import KnownUnits
from workspace.compile_cache import MethodFacts, facts_of
from workspace.state import Unit

if TYPE_CHECKING:
    from lang import pipeline
    from lang.codegen.unit import CompiledUnit
    from workspace import drafting
else:
    pipeline = deferred("lang.pipeline")
    drafting = deferred("workspace.drafting")


@dataclass(frozen=True, slots=True)
class ClassUnits:
    """The units of one class that are to be built in: all of a new class, else those that changed.

    `header` is None when neither header nor data changed; `data` are all declarations
    behind methods. `gone` are units (as they were) whose methods are to leave.
    """

    header: Unit | None
    data: tuple[Unit, ...]
    changed: tuple[Unit, ...]
    gone: tuple[Unit, ...]


NoteCompiled: TypeAlias = "Callable[[Unit, ClassContext, CompiledUnit], None]"
"""Is told of code that a loaded method needed for its first run."""


class Compiling(enum.Enum):
    """When the code of a checked method is made: a load makes it when the method is first run."""

    AT_ONCE = "at once"
    WHEN_RUN = "when run"


class DefinitionBuilder:
    """Builds definitions for one runtime.

    `module_of` names the module of a class for tracebacks; `spelled` says under which name the image knows
    what the package's code calls a class.
    """

    def __init__(
        self,
        runtime: Runtime,
        package: str,
        module_of: Callable[[str], str],
        compiling: Compiling,
        known: KnownUnits,
        note_compiled: NoteCompiled,
        spelled: Callable[[str], str] | None = None,
    ) -> None:
        self._known = known
        self._note_compiled = note_compiled
        self._spelled = spelled
        self._runtime = runtime
        self._package = package
        self._module_of = module_of
        self._compiling = compiling

    def built(
        self,
        class_object: ClassObject,
        base: ClassDefinition,
        units: ClassUnits,
        superclass: ClassObject | None,
    ) -> ClassDefinition:
        """`base` with the units' header, slots and methods put in."""
        definition = base
        if units.header is not None:
            definition = self._with_header(base, units.header, units.data, superclass)
        return self._with_methods(class_object, definition, units)

    def _with_header(
        self, base: ClassDefinition, header: Unit, data: Iterable[Unit], superclass: ClassObject | None
    ) -> ClassDefinition:
        context = ClassContext(self._module_of(header.owner))
        known = self._known.headers.get(header.path or "")
        if known is not None and known.module == context.module and known.compiled.name == header.owner:
            compiled = known.compiled
        else:
            compiled = pipeline.compile_header(drafting.as_parsed_unit(header), context)
        slots = [
            *compiled.slots,
            *(pipeline.compile_slot(drafting.as_parsed_unit(unit), context) for unit in data),
        ]
        return replace(
            base,
            name=compiled.name,
            superclass=superclass,
            kind=kind_below(superclass, compiled.name),
            package=self._package,
            modifiers=frozenset(compiled.modifiers),
            slots=self._slots(slots, class_side=False),
            class_slots=self._slots(slots, class_side=True),
            doc=compiled.doc,
            type_parameters=compiled.type_parameters,
            source_path=header.path,
        )

    def _slots(self, slots: Iterable[CompiledSlot], *, class_side: bool) -> tuple[Slot, ...]:
        chosen = [each for each in slots if (each.keyword == CLASS_SLOT_KEYWORD) is class_side]
        return tuple(linked_slot(self._runtime, self._slot_as_spelled(each)) for each in chosen)

    def _slot_as_spelled(self, slot: CompiledSlot) -> CompiledSlot:
        if self._spelled is None or slot.default is None:
            return slot
        return replace(slot, default=slot.default.with_class_names(self._spelled))

    def _with_methods(
        self, class_object: ClassObject, definition: ClassDefinition, units: ClassUnits
    ) -> ClassDefinition:
        tables = _Tables(definition)
        for unit in units.gone:
            tables.drop(unit)
        for unit in units.changed:
            if unit.is_method:
                tables.put(unit, self._method(class_object, definition, unit))
        return tables.into(definition, class_object)

    def _method(self, class_object: ClassObject, definition: ClassDefinition, unit: Unit) -> Method:
        side = unit.name.side or Side.INSTANCE
        context = _context(class_object, definition, side, self._module_of(unit.owner))
        match self._compiling:
            case Compiling.AT_ONCE:
                compiled = pipeline.compile_member(drafting.as_parsed_unit(unit), context)
                return linked_method(self._runtime, compiled, class_object, _provenance(unit))
            case Compiling.WHEN_RUN:
                facts = self._known.methods.get((unit.path or "", unit.name))
                if facts is None:
                    facts = facts_of(drafting.parsed(unit).node)
                assert facts is not None
                return self._deferred_method(unit, facts, class_object, context)

    def _deferred_method(
        self, unit: Unit, facts: MethodFacts, owner: ClassObject, context: ClassContext
    ) -> Method:
        """A method that is compiled when it is first run; its unit has passed the checks."""
        runtime, note_compiled, spelled = self._runtime, self._note_compiled, self._spelled
        side = unit.name.side or Side.INSTANCE

        def link() -> Function:
            compiled = facts.compiled_for(context)
            if compiled is None:
                compiled = pipeline.compile_method(drafting.as_parsed_unit(unit), context)
                note_compiled(unit, context, compiled)
            if spelled is not None:
                compiled = compiled.with_class_names(spelled)
            return runtime.link(compiled, owner, side)

        return Method(
            unit.name.member,
            facts.arity,
            owner,
            side,
            link=link,
            source=unit.text,
            doc=facts.doc,
            provenance=_provenance(unit),
            is_sealed=facts.is_sealed,
            is_internal=facts.is_internal,
        )

    def protocol(self, unit: Unit) -> ClassDefinition:
        """A protocol as a class object (language.md 4.18)."""
        compiled = pipeline.compile_protocol(drafting.as_parsed_unit(unit))
        return ClassDefinition(
            name=compiled.name,
            superclass=self._runtime.class_named("Protocol"),
            kind=ClassKind.OBJECT,
            package=self._package,
            doc=compiled.doc,
            type_parameters=compiled.type_parameters,
            source_path=unit.path,
            protocol=protocol_info(compiled),
        )


def _context(class_object: ClassObject, definition: ClassDefinition, side: Side, module: str) -> ClassContext:
    """What the code depends on; a redefinition may change the kind of the class."""
    if class_object.definition.kind is definition.kind:
        return context_of(class_object, side, module)
    above = definition.superclass
    base = context_of(above, side, module) if above is not None else ClassContext(module, side)
    return replace(base, is_host=class_object.is_host)


def _provenance(unit: Unit) -> Provenance:
    if unit.kind is UnitKind.EXTENSION:
        return Provenance.EXTENSION
    return Provenance.CLASS_BODY if unit.path is not None else Provenance.PATCH


class _Tables:
    """The method dictionaries of a definition, copied for change; generated accessors left out."""

    def __init__(self, definition: ClassDefinition) -> None:
        self._own: dict[Side, dict[str, Method]] = {
            Side.INSTANCE: _written(definition.methods),
            Side.CLASS: _written(definition.class_methods),
        }
        self._extensions: dict[Side, dict[str, Method]] = {
            Side.INSTANCE: dict(definition.extensions),
            Side.CLASS: dict(definition.class_extensions),
        }

    def drop(self, unit: Unit) -> None:
        """Take a unit's method out."""
        self._table(unit).pop(unit.name.member, None)

    def put(self, unit: Unit, method: Method) -> None:
        """Put a unit's method in."""
        self._table(unit)[method.selector] = method

    def _table(self, unit: Unit) -> dict[str, Method]:
        tables = self._extensions if unit.kind is UnitKind.EXTENSION else self._own
        return tables[unit.name.side or Side.INSTANCE]

    def into(self, definition: ClassDefinition, owner: ClassObject) -> ClassDefinition:
        """The definition with these dictionaries."""
        own = [*self._own[Side.INSTANCE].values(), *self._own[Side.CLASS].values()]
        return replace(
            with_members(definition, owner, own),
            extensions=MappingProxyType(self._extensions[Side.INSTANCE]),
            class_extensions=MappingProxyType(self._extensions[Side.CLASS]),
        )


def _written(methods: Mapping[str, Method]) -> dict[str, Method]:
    return {s: m for s, m in methods.items() if m.provenance is not Provenance.GENERATED}


def changed_selectors(before: ClassDefinition, after: ClassDefinition) -> Iterable[str]:
    """The selectors whose methods differ between two definitions of a class."""
    for old, new in (
        (before.methods, after.methods),
        (before.class_methods, after.class_methods),
        (before.extensions, after.extensions),
        (before.class_extensions, after.class_extensions),
    ):
        for selector in old.keys() | new.keys():
            if old.get(selector) is not new.get(selector):
                yield selector
