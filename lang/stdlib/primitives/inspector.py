"""Primitives of Inspector (stdlib.md 4.19, workspace.md 5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.dataclass import replace
from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.mappings import BtDictionary, dictionary_of
from lang.runtime.definitions import context_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.printing import print_element
from lang.runtime.symbols import Symbol, symbol
from lang.stdlib import arguments as expect
from lang.stdlib.inspecting import BtInspector, Field, Kind, inspection_text, inspector_on
from lang.stdlib.results import attempt, failure
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

INSPECTOR = PrimitiveTable("Inspector")


@INSPECTOR.runtime_primitive("on:", class_side=True)
def on(runtime: Runtime, _self: object, subject: object) -> BtInspector:
    return inspector_on(runtime, subject)


@INSPECTOR.primitive("subject")
def subject_of(self: BtInspector) -> object:
    return self.subject


@INSPECTOR.runtime_primitive("kind")
def kind(runtime: Runtime, self: BtInspector) -> Symbol:
    return symbol(self.kind(runtime).value)


@INSPECTOR.runtime_primitive("fields")
def fields(runtime: Runtime, self: BtInspector) -> BtList:
    return list_of([_field_value(runtime, field) for field in self.fields(runtime)])


@INSPECTOR.runtime_primitive("size")
def size(runtime: Runtime, self: BtInspector) -> int:
    return self.size(runtime)


@INSPECTOR.runtime_primitive("sizeOfCollection")
def size_of_collection(runtime: Runtime, self: BtInspector) -> int:
    return self.size(runtime)


@INSPECTOR.runtime_primitive("at:")
def at(runtime: Runtime, self: BtInspector, name: object) -> object:
    child = self.child(runtime, name)
    if child is None:
        return failure(runtime, "no_such_field", "Inspector", "at:")
    return runtime.make_result_ok(child)


@INSPECTOR.runtime_primitive("page:")
def page(runtime: Runtime, self: BtInspector, number: object) -> object:
    wanted = expect.integer(number, "Inspector", "page:")
    if wanted < 1:
        raise expect.type_error("Inspector", "page:", "Pages count from 1")
    if self.kind(runtime) is not Kind.COLLECTION:
        return failure(runtime, "not_a_collection", "Inspector", "page:")
    return runtime.make_result_ok(replace(self, page=wanted))


@INSPECTOR.runtime_primitive("evaluate:")
def evaluate(runtime: Runtime, self: BtInspector, source: object) -> object:
    text = expect.text(source, "Inspector", "evaluate:")
    if isinstance(self.subject, ActorObject):
        return failure(runtime, "actor_eval_unsupported", "Inspector", "evaluate:")
    return attempt(runtime, lambda: _evaluated(runtime, self.subject, text))


@INSPECTOR.primitive("parent")
def parent(self: BtInspector) -> BtInspector | None:
    return self.parent


@INSPECTOR.primitive("path")
def path(self: BtInspector) -> BtList:
    return list_of(self.path())


@INSPECTOR.runtime_primitive("refresh")
def refresh(runtime: Runtime, self: BtInspector) -> BtInspector:
    if isinstance(self.subject, ActorObject):
        return replace(inspector_on(runtime, self.subject, self.parent, self.name), page=self.page)
    return self


@INSPECTOR.runtime_primitive("printStringExpanded:")
def print_string_expanded(runtime: Runtime, self: BtInspector, depth: object) -> str:
    return inspection_text(runtime, self, expect.natural(depth, "Inspector", "printStringExpanded:"))


@INSPECTOR.runtime_primitive("asDictionaries")
def as_dictionaries(runtime: Runtime, self: BtInspector) -> BtList:
    return list_of([_field_dictionary(runtime, field) for field in self.fields(runtime)])


@INSPECTOR.runtime_primitive("asDictionary")
def as_dictionary(runtime: Runtime, self: BtInspector) -> BtDictionary:
    return dictionary_of(
        [
            (symbol("kind"), kind(runtime, self)),
            (symbol("path"), path(self)),
            (symbol("childCount"), self.size(runtime)),
            (symbol("page"), self.page),
            (symbol("fields"), as_dictionaries(runtime, self)),
        ]
    )


def _field_value(runtime: Runtime, field: Field) -> object:
    values = {
        "name": field.name,
        "label": field.label,
        "value": field.value,
        "kind": symbol(field.kind),
        "drillable": field.is_drillable,
    }
    return runtime.shapes.instantiate(runtime.existing_class("InspectorField"), values)


def _field_dictionary(runtime: Runtime, field: Field) -> BtDictionary:
    return dictionary_of(
        [
            (symbol("name"), field.name),
            (symbol("label"), field.label),
            (symbol("value"), print_element(runtime, field.value)),
            (symbol("kind"), symbol(field.kind)),
            (symbol("drillable"), field.is_drillable),
        ]
    )


def _evaluated(runtime: Runtime, subject: object, text: str) -> object:
    # The front end costs 50 ms to import, and few programs evaluate text.
    from lang.stdlib.compiling import compiled_expression  # noqa: PLC0415

    owner = runtime.class_of_instance(subject)
    member = compiled_expression(text, context_of(owner, Side.INSTANCE, "inspection"))
    if member.unit is None:
        raise BeamtalkError(
            "parse_error", "no expression to evaluate", class_name="Inspector", selector="evaluate:"
        )
    return runtime.link(member.unit, owner, Side.INSTANCE)(subject)
