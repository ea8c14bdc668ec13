"""What the sources of the standard library say, read and parsed piece by piece, when somebody asks.

Comes in: the folders that `load_library` loads from. Guarantees: a file is read when its class is first asked
for, a unit parsed when it is; the answers never change. Leaves: what runs, to `load`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from lang.ast import nodes as ast
from lang.source import SourceText
from lang.stdlib.load import SOURCES, source_stem
from lang.syntax import cut_file, parse_unit
from lang.syntax.units import Side, UnitCut, UnitKind, UnitName


class LibraryTrees:
    """The declarations of the library and of further parts of the system (`lang.semantics.types.trees.Trees`)."""

    def __init__(self, parts: Sequence[Path] = ()) -> None:
        self._folders = (SOURCES, *parts)
        self._files: dict[str, _LibraryFile | None] = {}

    def header(self, name: str) -> ast.ClassHeader | None:
        """The header of a class."""
        file = self._file(name)
        found = None if file is None else file.node(UnitName(UnitKind.HEADER, name))
        return found if isinstance(found, ast.ClassHeader) else None

    def slots(self, name: str) -> tuple[ast.DataDecl, ...]:
        """The data declarations of a class."""
        file, header = self._file(name), self.header(name)
        return () if file is None or header is None else (*header.data, *file.late_slots())

    def method(self, name: str, side: Side, selector: str) -> ast.MethodDef | None:
        """A method that a class defines."""
        file = self._file(name)
        found = None if file is None else file.node(UnitName(UnitKind.METHOD, name, side, selector))
        return found if isinstance(found, ast.MethodDef) else None

    def protocol(self, name: str) -> ast.ProtocolDef | None:
        """A protocol."""
        file = self._file(name)
        found = None if file is None else file.node(UnitName(UnitKind.PROTOCOL, name))
        return found if isinstance(found, ast.ProtocolDef) else None

    def alias(self, name: str) -> ast.TypeExpr | None:
        """What an alias is written as."""
        return self.aliases.get(name)

    @cached_property
    def aliases(self) -> dict[str, ast.TypeExpr]:
        """Every alias of the library. Only the few files with the word `type` at the edge are looked into."""
        return {
            node.name.name: node.type
            for path in self._paths()
            if "\ntype " in (text := f"\n{path.read_text('utf-8')}")
            for node in _LibraryFile(text[1:]).every(UnitKind.ALIAS)
            if isinstance(node, ast.TypeAlias)
        }

    def _paths(self) -> Iterator[Path]:
        for folder in self._folders:
            yield from sorted(folder.glob("*.bt"))

    @cached_property
    def _known(self) -> frozenset[Path]:
        return frozenset(self._paths())

    def _file(self, name: str) -> _LibraryFile | None:
        if name not in self._files:
            paths = [folder / f"{source_stem(name)}.bt" for folder in self._folders]
            # A name may be no name of a file at all: a singleton type, or longer than files can be called.
            found = next((path for path in paths if path in self._known), None)
            self._files[name] = None if found is None else _LibraryFile(found.read_text("utf-8"))
        return self._files[name]


class _LibraryFile:
    """One file, cut."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._cuts = {cut.name: cut for cut in cut_file(SourceText(text))}

    def node(self, name: UnitName) -> ast.Declaration | None:
        cut = self._cuts.get(name)
        return None if cut is None else self._parsed(cut)

    def every(self, kind: UnitKind) -> Iterator[ast.Declaration | None]:
        return (self._parsed(cut) for cut in self._cuts.values() if cut.name.kind is kind)

    def late_slots(self) -> Iterator[ast.DataDecl]:
        return (node for node in self.every(UnitKind.DATA) if isinstance(node, ast.DataDecl))

    def _parsed(self, cut: UnitCut) -> ast.Declaration | None:
        text = self._text[cut.span.start : cut.span.end]
        return parse_unit(text, cut.name.kind, cut.column).node
