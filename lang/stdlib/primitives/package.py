"""Primitives of Package: packages as the classes of an image tell them (stdlib.md 4.19).

Versions and dependencies stand in project manifests, which a workspace knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.collections.lists import BtList, list_from, list_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import symbol
from lang.stdlib import arguments as expect
from lang.stdlib.packages import PackageFacts, packages_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

PACKAGE = PrimitiveTable("Package")


@PACKAGE.runtime_primitive("all", class_side=True)
def every(runtime: Runtime, _self: object) -> BtList:
    return list_from(sorted(packages_of(runtime)))


@PACKAGE.runtime_primitive("named:", class_side=True)
def named(runtime: Runtime, _self: object, name: object) -> object:
    facts = _facts(runtime, name, "named:")
    if facts is None:
        raise BeamtalkError("package_not_found", class_name="Package", selector="named:")
    values = {
        "name": facts.name,
        "version": facts.version,
        "classes": list_of([symbol(text) for text in facts.classes]),
        "dependencies": list_of(list(facts.dependencies)),
        "source": facts.source,
    }
    return runtime.shapes.instantiate(runtime.existing_class("Package"), values)


@PACKAGE.runtime_primitive("classes:", class_side=True)
def classes(runtime: Runtime, _self: object, name: object) -> BtList:
    facts = _facts(runtime, name, "classes:")
    return list_of([symbol(text) for text in facts.classes] if facts is not None else [])


@PACKAGE.runtime_primitive("dependencies:", class_side=True)
def dependencies(runtime: Runtime, _self: object, name: object) -> BtList:
    facts = _facts(runtime, name, "dependencies:")
    return list_of(list(facts.dependencies) if facts is not None else [])


@PACKAGE.runtime_primitive("packageNameFor:", class_side=True)
def package_name_for(runtime: Runtime, _self: object, class_name: object) -> str | None:
    found = runtime.class_named(expect.name(class_name, "Package", "packageNameFor:"))
    return (found.definition.package or None) if found is not None else None


def _facts(runtime: Runtime, name: object, selector: str) -> PackageFacts | None:
    return packages_of(runtime).get(expect.text(name, "Package", selector))
