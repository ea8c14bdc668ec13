"""Where a world finds what is written: headers, slots, methods, protocols and aliases.

Comes in: names. Guarantees: `Trees` answers for one moment, and the same each time. Leaves: how they are stored;
an image parses a unit when it is asked for, the command line has read all files (`FileTrees`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from lang.ast import nodes as ast
from lang.semantics.hierarchy import side_of
from lang.syntax.units import ParsedFile, Side


class Trees(Protocol):
    """The declarations in sight; None for what is not there, or has no source."""

    def header(self, name: str) -> ast.ClassHeader | None:
        """The header of a class."""

    def slots(self, name: str) -> tuple[ast.DataDecl, ...]:
        """The data declarations of a class, without inherited ones, in order."""

    def method(self, name: str, side: Side, selector: str) -> ast.MethodDef | None:
        """The method that a class defines, or else an extension of it."""

    def protocol(self, name: str) -> ast.ProtocolDef | None:
        """A protocol."""

    def alias(self, name: str) -> ast.TypeExpr | None:
        """What an alias is written as."""


class FileTrees:
    """The trees of parsed files."""

    def __init__(self, files: Iterable[ParsedFile]) -> None:
        self._headers: dict[str, ast.ClassHeader] = {}
        self._late_slots: dict[str, list[ast.DataDecl]] = {}
        self._methods: dict[tuple[str, Side, str], ast.MethodDef] = {}
        self._extensions: dict[tuple[str, Side, str], ast.MethodDef] = {}
        self._protocols: dict[str, ast.ProtocolDef] = {}
        self._aliases: dict[str, ast.TypeExpr] = {}
        for file in files:
            for unit in file.units:
                if unit.node is not None:
                    self._put(unit.name.owner.rpartition("@")[2], unit.node)

    def _put(self, owner: str, node: ast.Declaration) -> None:
        match node:
            case ast.ClassHeader(name=name):
                self._headers[name.name] = node
            case ast.DataDecl():
                self._late_slots.setdefault(owner, []).append(node)
            case ast.MethodDef():
                self._methods.setdefault((owner, side_of(node), node.signature.selector.text), node)
            case ast.ExtensionDef(method=method):
                key = (owner, side_of(method), method.signature.selector.text)
                self._extensions.setdefault(key, method)
            case ast.ProtocolDef(name=name):
                self._protocols[name.name] = node
            case ast.TypeAlias(name=name):
                self._aliases.setdefault(name.name, node.type)
            case ast.Statements():
                pass

    def header(self, name: str) -> ast.ClassHeader | None:
        """See `Trees`."""
        return self._headers.get(name)

    def slots(self, name: str) -> tuple[ast.DataDecl, ...]:
        """See `Trees`."""
        header = self._headers.get(name)
        return (*(header.data if header is not None else ()), *self._late_slots.get(name, ()))

    def method(self, name: str, side: Side, selector: str) -> ast.MethodDef | None:
        """See `Trees`."""
        key = (name, side, selector)
        return self._methods.get(key) or self._extensions.get(key)

    def protocol(self, name: str) -> ast.ProtocolDef | None:
        """See `Trees`."""
        return self._protocols.get(name)

    def alias(self, name: str) -> ast.TypeExpr | None:
        """See `Trees`."""
        return self._aliases.get(name)

    def members(self) -> Iterator[tuple[str, ast.Declaration]]:
        """What classes consist of besides their headers, each with its owner; extensions last."""
        for owner, declarations in self._late_slots.items():
            yield from ((owner, each) for each in declarations)
        yield from ((key[0], each) for key, each in self._methods.items())
        for (owner, _side, _selector), method in self._extensions.items():
            target = ast.ClassRef(method.span, owner, method.span)
            yield owner, ast.ExtensionDef(method.span, target, method)

    def headers(self) -> Iterator[ast.ClassHeader]:
        """Every class header."""
        return iter(self._headers.values())

    def protocol_names(self) -> frozenset[str]:
        """Every protocol."""
        return frozenset(self._protocols)

    def aliases(self) -> dict[str, ast.TypeExpr]:
        """Every alias."""
        return dict(self._aliases)


class LayeredTrees:
    """The trees of a project over those of the library: the first that has it answers."""

    def __init__(self, above: Trees, below: Trees) -> None:
        self._above = above
        self._below = below

    def header(self, name: str) -> ast.ClassHeader | None:
        """See `Trees`."""
        return self._above.header(name) or self._below.header(name)

    def slots(self, name: str) -> tuple[ast.DataDecl, ...]:
        """See `Trees`."""
        return self._above.slots(name) or self._below.slots(name)

    def method(self, name: str, side: Side, selector: str) -> ast.MethodDef | None:
        """See `Trees`."""
        return self._above.method(name, side, selector) or self._below.method(name, side, selector)

    def protocol(self, name: str) -> ast.ProtocolDef | None:
        """See `Trees`."""
        return self._above.protocol(name) or self._below.protocol(name)

    def alias(self, name: str) -> ast.TypeExpr | None:
        """See `Trees`."""
        return self._above.alias(name) or self._below.alias(name)
