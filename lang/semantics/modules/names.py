"""Keys of classes and names of modules (types.md 7.2).

Comes in: packages, paths and class names. Guarantees: every name is a legal dotted
Python name, made by one rule. Leaves: whether a name is free, to the registry.
"""

from __future__ import annotations

import enum
import keyword
import re

from lang.dataclass import dataclass


class PackageKind(enum.Enum):
    """What a package is (M-5)."""

    STDLIB = "stdlib"
    PACKAGE = "package"
    SCRIPT = "script"
    WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True)
class PackageId:
    """A package; `name` is the project's name or the script's stem, empty for the other two kinds."""

    kind: PackageKind
    name: str = ""

    def __str__(self) -> str:
        return self.name or self.kind.value

    @property
    def sort_key(self) -> tuple[str, str]:
        """An order of packages that is the same on every machine."""
        return (self.kind.value, self.name)


STDLIB = PackageId(PackageKind.STDLIB)
WORKSPACE = PackageId(PackageKind.WORKSPACE)


def package_of_project(name: str) -> PackageId:
    """The package of a project by the name in its manifest; `stdlib` is the library's own name."""
    return STDLIB if name == STDLIB.kind.value else PackageId(PackageKind.PACKAGE, name)


def package_of_script(stem: str) -> PackageId:
    """The package of a script file that belongs to no project."""
    return PackageId(PackageKind.SCRIPT, stem)


@dataclass(frozen=True, slots=True)
class ClassKey:
    """The identity of a class by name: the same name in two packages is two keys (M-5)."""

    package: PackageId
    name: str

    def __str__(self) -> str:
        """The qualified spelling, `package@Name`."""
        return f"{self.package}@{self.name}"

    @property
    def sort_key(self) -> tuple[str, str, str]:
        """An order of keys that is the same on every machine."""
        return (*self.package.sort_key, self.name)


class ModuleKind(enum.Enum):
    """Whether a module is compiled from a class, or written by hand for one (M-2)."""

    GENERATED = "generated"
    NATIVE = "native"


@dataclass(frozen=True, slots=True)
class ModuleName:
    """The name of the module that holds a class; only the registry makes them (M-2)."""

    text: str
    kind: ModuleKind = ModuleKind.GENERATED

    def __str__(self) -> str:
        return self.text

    def numbered(self, number: int) -> ModuleName:
        """The same name with a collision suffix (M-16); the first is the name itself."""
        return self if number == 1 else ModuleName(f"{self.text}__{number}", self.kind)


_ROOT = "bt"
_TESTS = "_test"
_LIVE = "_live"
_SCRIPTS = "_script"
_WITHOUT_PROJECT = "_workspace"
RESERVED_SEGMENTS = frozenset({_TESTS, _LIVE})
SOURCE_ROOTS = ("src", "test")

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_FOREIGN = re.compile(r"[^a-z0-9_]")


def segment(text: str) -> str:
    """`seg` of M-6: `MyCounter` is `my_counter`, `HTTPRouter` is `httprouter`."""
    plain = _FOREIGN.sub("_", _HUMP.sub("_", text).lower()) or "_"
    if plain[0].isdigit():
        plain = "_" + plain
    return plain + "_" if keyword.iskeyword(plain) else plain


def has_path_rule(package: PackageId, path: str) -> bool:
    """Whether the place of a file decides its module: library files, and those below `src/` and `test/`."""
    match package.kind:
        case PackageKind.STDLIB | PackageKind.SCRIPT:
            return True
        case PackageKind.PACKAGE:
            return path.partition("/")[0] in SOURCE_ROOTS
        case PackageKind.WORKSPACE:
            return False


def folder_segments(package: PackageId, path: str) -> tuple[str, ...]:
    """The segments of the folders between the source root and the file."""
    folders = path.split("/")[:-1]
    if package.kind is PackageKind.PACKAGE:
        folders = folders[1:]
    return tuple(segment(folder) for folder in folders)


def stem_segment(path: str) -> str:
    """The segment that the name of a file gives, without its folders and its ending."""
    return segment(path.rpartition("/")[2].removesuffix(".bt"))


def file_module(package: PackageId, path: str) -> ModuleName:
    """The module of a file by the path rule (M-6); `path` is relative to the package with `/`.

    For the library this is the closed form of M-7. Ask `has_path_rule` first.
    """
    stem = stem_segment(path)
    folders = folder_segments(package, path)
    match package.kind:
        case PackageKind.STDLIB:
            return _module(package.kind.value, *folders, stem)
        case PackageKind.SCRIPT:
            return _module(_SCRIPTS, stem)
        case PackageKind.PACKAGE | PackageKind.WORKSPACE:
            is_test = path.startswith("test/")
            return _module(package.name, *((_TESTS,) if is_test else ()), *folders, stem)


def library_module(class_name: str) -> ModuleName:
    """The module of a class of the standard library, before there is a registry (M-7)."""
    return file_module(STDLIB, f"{class_name}.bt")


def live_module(key: ClassKey) -> ModuleName:
    """The module of a class that has no place in the source folders (M-6)."""
    match key.package.kind:
        case PackageKind.PACKAGE:
            owner = key.package.name
        case PackageKind.SCRIPT:
            owner = _SCRIPTS
        case PackageKind.WORKSPACE:
            owner = _WITHOUT_PROJECT
        case PackageKind.STDLIB:
            owner = key.package.kind.value
    return _module(owner, _LIVE, segment(key.name))


def conventional_name(package: PackageId, class_name: str) -> str:
    """What the module of a missing class would be called: for messages only (M-17)."""
    return str(_module(str(package), segment(class_name)))


def _module(*segments: str) -> ModuleName:
    return ModuleName(".".join((_ROOT, *segments)))
