"""Why the registry leaves itself as it is (types.md 7): values, turned into errors by whoever asked."""

from __future__ import annotations

from lang.dataclass import dataclass
from lang.semantics.modules.names import ClassKey, ModuleName


@dataclass(frozen=True, slots=True)
class UnknownKey:
    """The registry holds no such class."""

    key: ClassKey

    def reason(self) -> str:
        """The refusal as a sentence."""
        return f"Class '{self.key}' not found"


@dataclass(frozen=True, slots=True)
class NameTaken:
    """A rename to a name that another class of the package has (M-19)."""

    key: ClassKey

    def reason(self) -> str:
        """The refusal as a sentence."""
        return f"Class '{self.key}' exists already"


@dataclass(frozen=True, slots=True)
class DeclaredTwice:
    """Two files of one package declare a class (M-8); `path` is the later one."""

    key: ClassKey
    path: str
    first_path: str

    def reason(self) -> str:
        """The refusal in the words of workspace.md 1.7."""
        return f"Class '{self.key.name}' is already declared in {self.first_path}"


@dataclass(frozen=True, slots=True)
class ModuleTaken:
    """Two files of one package map to one module, by case or by replaced characters (M-8)."""

    key: ClassKey
    path: str
    module: ModuleName
    held_by: ClassKey
    first_path: str | None

    def reason(self) -> str:
        """The refusal as a sentence that names both files."""
        first = self.first_path or str(self.held_by)
        return f"{self.path} and {first} map to the same module {self.module}"


@dataclass(frozen=True, slots=True)
class ReservedFolder:
    """A source folder whose name maps to a segment that the registry uses itself (M-6)."""

    path: str
    segment: str

    def reason(self) -> str:
        """The refusal as a sentence."""
        return f"{self.path}: a source folder must not map to '{self.segment}'"


@dataclass(frozen=True, slots=True)
class MisnamedLibraryFile:
    """A library file whose class is not the one that its path promises (M-7)."""

    key: ClassKey
    path: str

    def reason(self) -> str:
        """The refusal as a sentence that names both."""
        return f"library file {self.path} declares class '{self.key.name}', which its name does not promise"


RegistryRefusal = UnknownKey | NameTaken | DeclaredTwice | ModuleTaken | ReservedFolder | MisnamedLibraryFile
