"""What a package declares, as far as other packages can see it (types.md 7.3).

Comes in: the parsed files of a package, or the facts of one that is loaded already. Guarantees: names as the
package itself writes them. Leaves: what they mean to another package to `sight`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lang.ast import nodes as ast
from lang.dataclass import dataclass, field
from lang.semantics.hierarchy import ClassFacts, MethodFact, facts_of_file, method_fact
from lang.semantics.modules import Fragment, PackageId
from lang.syntax.units import ParsedFile


@dataclass(frozen=True, slots=True)
class PackageSource:
    """The parsed files of one package; a file's source is named by its path below the package's root."""

    id: PackageId
    files: tuple[ParsedFile, ...]

    def nodes(self) -> Iterator[ast.Declaration]:
        """Every unit that could be parsed."""
        return (unit.node for file in self.files for unit in file.units if unit.node is not None)

    def fragments(self) -> Iterator[Fragment]:
        """What the files give to the registry (M-3)."""
        for file in self.files:
            for unit in file.units:
                if isinstance(unit.node, ast.ClassHeader):
                    yield Fragment(self.id, file.source.name, "", unit.node.name.name)


@dataclass(frozen=True, slots=True)
class Extension:
    """A method that a package adds to a class; `target` is the class as it is written."""

    target: ast.ClassRef
    method: MethodFact


@dataclass(frozen=True, slots=True)
class PackageSurface:
    """The declared names of one package, and what it adds to classes."""

    id: PackageId
    classes: tuple[ClassFacts, ...]
    protocols: frozenset[str] = frozenset()
    aliases: Mapping[str, ast.TypeExpr] = field(default_factory=dict)
    internal_aliases: frozenset[str] = frozenset()
    extensions: tuple[Extension, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """Every class, protocol and alias."""
        return frozenset((*(facts.name for facts in self.classes), *self.protocols, *self.aliases))


def surface_of(source: PackageSource) -> PackageSurface:
    """The surface of a package, from its files."""
    nodes = tuple(source.nodes())
    aliases = {node.name.name: node for node in nodes if isinstance(node, ast.TypeAlias)}
    return PackageSurface(
        source.id,
        tuple(facts for file in source.files for facts in facts_of_file(file)),
        frozenset(node.name.name for node in nodes if isinstance(node, ast.ProtocolDef)),
        {name: node.type for name, node in aliases.items()},
        frozenset(name for name, node in aliases.items() if node.is_internal),
        tuple(
            Extension(node.target, method_fact(node.method))
            for node in nodes
            if isinstance(node, ast.ExtensionDef)
        ),
    )


def fragments_of(sources: Iterable[PackageSource]) -> Iterator[Fragment]:
    """What all files of several packages give to the registry."""
    return (fragment for source in sources for fragment in source.fragments())
