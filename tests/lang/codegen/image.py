"""A small image for tests: the standard library, actors, classes from text, inputs at a prompt."""

from __future__ import annotations

import re
from pathlib import Path
from types import MappingProxyType

from lang.ast.nodes import ClassHeader
from lang.codegen.records import CompiledMember
from lang.diagnostics import Severity
from lang.pipeline import (
    compile_header,
    compile_member,
    compile_protocol,
    compile_slot,
    compile_statements,
)
from lang.runtime.classes import ClassObject, Method
from lang.runtime.definitions import (
    context_below,
    context_of,
    define,
    define_protocol,
    extended,
    kind_below,
    linked_method,
    with_members,
)
from lang.runtime.processes.actor_system import install_actors
from lang.runtime.runtime import Runtime
from lang.source import SourceText
from lang.stdlib.load import load_library
from lang.stdlib.services import Services
from lang.syntax import parse_file, parse_input
from lang.syntax.units import ParsedUnit, Side, UnitKind


class Pages:
    """A transcript that keeps what was written."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)


class Image:
    """One runtime with its session variables."""

    def __init__(self, cache: Path | None = None, services: Services | None = None) -> None:
        self.transcript = Pages()
        self.runtime = Runtime(transcript=self.transcript, services=services)
        load_library(self.runtime, cache)
        install_actors(self.runtime)
        self.variables: dict[str, object] = {}

    def load(self, text: str) -> None:
        """Define classes, protocols and extensions, with several classes in one text."""
        for part in re.split(r"\n\n(?=\w[\w ]* subclass: )", text):
            self._load(part)

    def _load(self, text: str) -> None:
        parsed = parse_file(SourceText(text, "test.bt"))
        problems = [d for d in parsed.all_diagnostics() if d.severity is Severity.ERROR]
        assert not problems, problems
        headers = [u for u in parsed.units if u.name.kind is UnitKind.HEADER]
        for header in headers:
            self._define(header, [u for u in parsed.units if u.name.owner == header.name.owner])
        for unit in parsed.units:
            if unit.name.kind is UnitKind.EXTENSION:
                self._extend(unit)
            elif unit.name.kind is UnitKind.PROTOCOL:
                self._bind(define_protocol(self.runtime, compile_protocol(unit)))

    def _define(self, header: ParsedUnit, units: list[ParsedUnit]) -> None:
        assert isinstance(header.node, ClassHeader)
        assert header.node.superclass is not None
        superclass = self.runtime.class_named(header.node.superclass.name)
        name = header.name.owner
        kind = kind_below(superclass, name)
        members = []
        slots = []
        for unit in units:
            side = unit.name.side or Side.INSTANCE
            context = context_below(superclass, kind, side, f"bt.test.{name}")
            if unit.name.kind is UnitKind.METHOD:
                members.append(compile_member(unit, context))
            elif unit.name.kind is UnitKind.DATA:
                slots.append(compile_slot(unit, context))
        context = context_below(superclass, kind, Side.INSTANCE, f"bt.test.{name}")
        compiled = compile_header(header, context, tuple(members), tuple(slots))
        class_object = define(self.runtime, compiled, superclass, package="test")
        self._bind(class_object)
        self.runtime.initialize_class_variables(class_object)

    def _bind(self, class_object: ClassObject) -> None:
        names = {**self.runtime.class_names, class_object.name: class_object}
        self.runtime.bind_names(MappingProxyType(names))

    def _extend(self, unit: ParsedUnit) -> None:
        owner = self.runtime.existing_class(unit.name.owner)
        method = self.method(unit, owner)
        owner.definition = extended(owner, [method])
        self.runtime.forget_selectors([method.selector])

    def method(self, unit: ParsedUnit, owner: ClassObject) -> Method:
        context = context_of(owner, unit.name.side or Side.INSTANCE, f"bt.test.{owner.name}")
        member: CompiledMember = compile_member(unit, context)
        return linked_method(self.runtime, member, owner)

    def patch(self, class_name: str, source: str) -> None:
        """Replace or add one method, as a hot patch does."""
        parsed = parse_file(SourceText(f"Object subclass: {class_name}\n  {source}\n", "patch.bt"))
        assert not parsed.all_diagnostics(), parsed.all_diagnostics()
        unit = next(u for u in parsed.units if u.name.kind is UnitKind.METHOD)
        owner = self.runtime.existing_class(class_name)
        method = self.method(unit, owner)
        definition = owner.definition
        kept = [
            m
            for m in (*definition.methods.values(), *definition.class_methods.values())
            if (m.selector, m.side) != (method.selector, method.side)
        ]
        owner.definition = with_members(definition, owner, [*kept, method])
        self.runtime.forget_selectors([method.selector])

    def run(self, text: str) -> object:
        """The value of the last statement of an input."""
        parsed = parse_input(text)
        problems = [d for d in parsed.all_diagnostics() if d.severity is Severity.ERROR]
        assert not problems, problems
        value: object = None
        for unit in parsed.units:
            compiled = compile_statements(unit, "prompt", self.variables)
            value = self.runtime.link(compiled)(self.variables)
        return value

    def show(self, text: str) -> str:
        """The printString of an input's value."""
        return self.runtime.print_string(self.run(text))
