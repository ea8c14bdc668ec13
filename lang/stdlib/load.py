"""Loading the standard library into a runtime.

Comes in: a runtime without classes, and a folder for the cache (or none). Guarantees:
every class of `lang/stdlib/*.bt` is defined, superclasses first, its primitives bound
when they are first run, its names bound. A cache that is missing, torn or of other
sources is compiled anew and never a failure (workspace.md 1.9). Leaves: where the
cache folder is to the caller.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import keyword
import marshal
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from lang.codegen.records import CompiledClass, CompiledMember, CompiledProtocol, class_from_data
from lang.dataclass import dataclass
from lang.runtime.classes import ClassObject, Function
from lang.runtime.definitions import define, define_protocol
from lang.runtime.operators import CharacterKey
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.primitive_link import bound_primitive
from lang.stdlib.cache_file import compiler_digest, read_record, write_record
from lang.stdlib.host_access import refusal
from lang.stdlib.host_types import HOST_CLASSES, HOST_TYPES, NAMED_HOST_TYPES

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

SOURCES: Final = Path(__file__).parent
PACKAGE: Final = "stdlib"
MAGIC: Final = b"BTLIB002"

Library = tuple[tuple[CompiledClass, ...], tuple[CompiledProtocol, ...]]


@dataclass(frozen=True, slots=True)
class LibraryPart:
    """More classes of the system, from outside of the language: their sources and primitives.

    `table_of` finds a table by class name; tables belong to one image. `hosts` are the classes whose
    instances are Python objects.
    """

    folder: Path
    table_of: Callable[[str], PrimitiveTable | None]
    hosts: frozenset[str] = frozenset()


class LibrarySources:
    """The text of every class of the system, by the stem of its file, and which are classes of Python objects."""

    def __init__(self, parts: Sequence[LibraryPart] = ()) -> None:
        self.texts = {
            name: text
            for folder in (SOURCES, *(part.folder for part in parts))
            for name, text in _texts(folder)
        }
        self.hosts = frozenset(name for part in parts for name in part.hosts)

    @cached_property
    def key(self) -> bytes:
        """Of all that compiled code of the library depends on, the compiler's own text included."""
        digest = hashlib.sha256(MAGIC + compiler_digest())
        # Code of a class whose instances are host values differs.
        digest.update(" ".join(sorted(HOST_CLASSES)).encode())
        digest.update(" ".join(sorted(self.hosts)).encode())
        for name, text in self.texts.items():
            digest.update(f"{name} {len(text)}\n".encode())
            digest.update(text)
        return digest.digest()


def _texts(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The sources of a folder in order; paths are texts here, for there are 120 of them at each start."""
    for name in sorted(os.listdir(folder)):  # noqa: PTH208 - as texts
        if name.endswith(".bt"):
            with open(f"{folder}/{name}", "rb") as file:  # noqa: PTH123 - as texts
                yield name.removesuffix(".bt"), file.read()


def load_library(
    runtime: Runtime, cache_folder: Path | None = None, parts: Sequence[LibraryPart] = ()
) -> LibrarySources:
    """Define all classes of the standard library, and of more parts, in a runtime and bind their names.

    Answers what they were made from.
    """
    sources = LibrarySources(parts)
    classes, protocols = _compiled(sources, cache_folder)
    names: dict[str, object] = {}
    hosts = host_class_names({c.name: c.superclass for c in classes}, sources.hosts)
    primitives = Primitives(runtime, parts)
    for compiled in _superclasses_first(classes):
        superclass = names.get(compiled.superclass) if compiled.superclass is not None else None
        names[compiled.name] = define(
            runtime,
            compiled,
            superclass if isinstance(superclass, ClassObject) else None,
            package=PACKAGE,
            link_primitive=primitives.link,
            is_host=compiled.name in hosts,
        )
    runtime.bind_names(MappingProxyType(names))
    for protocol in protocols:
        names[protocol.name] = define_protocol(runtime, protocol, package=PACKAGE)
    runtime.bind_names(MappingProxyType(names))
    _bind_host_types(runtime, names)
    return sources


def _bind_host_types(runtime: Runtime, names: Mapping[str, object]) -> None:
    for python_type, name in (*HOST_TYPES, (CharacterKey, "Character")):
        class_object = names.get(name)
        if isinstance(class_object, ClassObject):
            runtime.types.bind_host(python_type, class_object)
    for type_name, name in NAMED_HOST_TYPES:
        class_object = names.get(name)
        if isinstance(class_object, ClassObject):
            runtime.types.bind_host_named(type_name, class_object)


def host_class_names(above: Mapping[str, str | None], more: frozenset[str] = frozenset()) -> frozenset[str]:
    """Classes that values of Python types can be receivers of (design, Evaluation).

    `above` is the superclass of each class. They are the host classes with their
    ancestors, and all exceptions, which are one Python type.
    """
    hosts = {"Metaclass", "Class", "Exception", *HOST_CLASSES, *more}
    hosts.update(name for start in tuple(hosts) for name in _path(start, above))
    hosts.update(name for name in above if "Exception" in _path(name, above))
    return frozenset(hosts)


def _path(start: str, above: Mapping[str, str | None]) -> list[str]:
    path: list[str] = []
    at: str | None = start
    while at is not None and at in above:
        path.append(at)
        at = above[at]
    return path


def _superclasses_first(classes: Iterable[CompiledClass]) -> list[CompiledClass]:
    by_name = {c.name: c for c in classes}
    ordered: dict[str, CompiledClass] = {}

    def add(compiled: CompiledClass) -> None:
        if compiled.name in ordered:
            return
        if compiled.superclass is not None:
            add(by_name[compiled.superclass])
        ordered[compiled.name] = compiled

    for compiled in by_name.values():
        add(compiled)
    return list(ordered.values())


# ---------------------------------------------------------------- primitives


class Primitives:
    """Finds primitives; a module of them is imported when one of its methods is first run."""

    def __init__(self, runtime: Runtime, parts: Sequence[LibraryPart] = ()) -> None:
        self._runtime = runtime
        self._finders = (*(part.table_of for part in parts), primitive_table)

    def link(self, member: CompiledMember, owner: ClassObject) -> Function:
        """The function of a method that names a primitive."""
        refused = refusal(self._runtime, owner.name, member.selector)
        if refused is not None:
            return refused
        name = member.primitive or member.selector
        found = None
        for table_of in self._finders:
            table = table_of(owner.name) if found is None else None
            if table is not None:
                found = table.find(name, class_side=member.is_class_side)
        if found is None:
            side = " class" if member.is_class_side else ""
            raise LookupError(f"primitive {owner.name}{side}>>{name} is missing")
        return bound_primitive(self._runtime, found, member.arity, f"{owner.name}>>{member.selector}")


def primitive_table(class_name: str) -> PrimitiveTable | None:
    """The table of a class, from the module that is named after it."""
    module_name = f"lang.stdlib.primitives.{module_stem(class_name)}"
    if importlib.util.find_spec(module_name) is None:
        return None
    module = importlib.import_module(module_name)
    for value in vars(module).values():
        if isinstance(value, PrimitiveTable) and value.class_name == class_name:
            return value
    return None


def module_stem(class_name: str) -> str:
    """The class name in snake case; a Python keyword gets `_object` behind it."""
    stem = source_stem(class_name)
    return f"{stem}_object" if keyword.iskeyword(stem) else stem


def source_stem(class_name: str) -> str:
    """What the source file of a class is called, without `.bt`: its module by the path rule is its class's (M-7)."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", class_name).lower()


# ---------------------------------------------------------------- cache


def _compiled(sources: LibrarySources, folder: Path | None) -> Library:
    if folder is None:
        return _compile(sources)
    path = folder / f"stdlib-{sources.key.hex()[:24]}.btc"
    found = _read(path, sources.key)
    if found is not None:
        return found
    library = _compile(sources)
    with suppress(OSError):
        write_record(path, MAGIC, sources.key, _payload(library))
    return library


def _compile(sources: LibrarySources) -> Library:
    # The front end costs 50 ms to import, and a warm start needs none of it.
    from lang.stdlib.build import compile_library  # noqa: PLC0415

    return compile_library(sources.texts, sources.hosts)


def _payload(library: Library) -> bytes:
    classes, protocols = library
    data: Any = (tuple(c.as_data() for c in classes), tuple(p.as_data() for p in protocols))
    return marshal.dumps(data)


def _read(path: Path, key: bytes) -> Library | None:
    """The library of a cache file, or None when anything about it is off."""
    payload = read_record(path, MAGIC, key)
    if payload is None:
        return None
    classes, protocols = marshal.loads(payload)
    return (
        tuple([class_from_data(c) for c in classes]),
        tuple([CompiledProtocol(*p) for p in protocols]),
    )
