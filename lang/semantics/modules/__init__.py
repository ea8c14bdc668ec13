"""The class-module registry: which module holds which class, and the reverse (types.md 7).

Nothing else in the product makes, splits or compares the name of a module.
"""

from lang.semantics.modules.fragments import FRAGMENT_FORMAT, Fragment, registry_of
from lang.semantics.modules.names import (
    STDLIB,
    WORKSPACE,
    ClassKey,
    ModuleKind,
    ModuleName,
    PackageId,
    PackageKind,
    conventional_name,
    library_module,
    package_of_project,
    package_of_script,
)
from lang.semantics.modules.refusals import (
    DeclaredTwice,
    MisnamedLibraryFile,
    ModuleTaken,
    NameTaken,
    RegistryRefusal,
    ReservedFolder,
    UnknownKey,
)
from lang.semantics.modules.registry import Origin, RegistryEntry, RegistryState
from lang.semantics.modules.resolution import Ambiguous, Found, Missing, Reach, Resolution, Tier, search

__all__ = [
    "FRAGMENT_FORMAT",
    "STDLIB",
    "WORKSPACE",
    "Ambiguous",
    "ClassKey",
    "DeclaredTwice",
    "Found",
    "Fragment",
    "MisnamedLibraryFile",
    "Missing",
    "ModuleKind",
    "ModuleName",
    "ModuleTaken",
    "NameTaken",
    "Origin",
    "PackageId",
    "PackageKind",
    "Reach",
    "RegistryEntry",
    "RegistryRefusal",
    "RegistryState",
    "ReservedFolder",
    "Resolution",
    "Tier",
    "UnknownKey",
    "conventional_name",
    "library_module",
    "package_of_project",
    "package_of_script",
    "registry_of",
    "search",
]
