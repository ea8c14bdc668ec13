"""The packages of an image (stdlib.md 4.19).

Comes in: the classes of an image, and what a workspace has told the services about
its project. Guarantees: every package that owns a class is there. Leaves: manifests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.dataclass import dataclass, replace
from lang.stdlib.services import services_of
from lang.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lang.runtime.runtime import Runtime


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """What is known of one package."""

    name: str
    version: str = ""
    classes: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    source: str = ""


def packages_of(runtime: Runtime) -> Mapping[str, PackageFacts]:
    """All packages, by name."""
    known = {facts.name: facts for facts in services_of(runtime).packages()}
    known.setdefault("stdlib", PackageFacts("stdlib", VERSION))
    names: dict[str, list[str]] = {}
    for class_object in runtime.classes():
        names.setdefault(class_object.definition.package, []).append(class_object.name)
    return {
        name: replace(known.get(name, PackageFacts(name)), classes=tuple(sorted(names.get(name, ()))))
        for name in sorted({*known, *names} - {""})
    }
