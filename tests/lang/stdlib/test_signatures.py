"""The sources of the library against `docs/spec/stdlib-api.tsv`: every signature, and no other."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from lang.ast import nodes as ast
from lang.source import SourceText
from lang.stdlib.load import SOURCES
from lang.syntax import parse_file

API = Path(__file__).parents[3] / "docs" / "spec" / "stdlib-api.tsv"

BEYOND_THE_TABLE = frozenset(
    {
        # What a field generates, where the class is a type of the host (stdlib.md 2.2).
        ("Set", "class", "elements:"),
        ("Set", "instance", "withElements:"),
        # `new` that is sent dynamically; the original's compiler answers it (stdlib.md 3.2, 3.3).
        ("Class", "instance", "new"),
        ("Class", "instance", "new:"),
        # Understood by True, False and nil in the corpus, and needed by Printable.
        ("True", "instance", "asString"),
        ("False", "instance", "asString"),
        ("UndefinedObject", "instance", "asString"),
        # Operators that the original's compiler refuses with an error of its own.
        ("Symbol", "instance", "++"),
        ("Array", "instance", "++"),
        ("Object", "instance", ">>"),
        # The hook that ends the program with its actor.
        ("Subprocess", "instance", "terminate:"),
        ("ReactiveSubprocess", "instance", "terminate:"),
    }
)


OTHERWISE = frozenset(
    {
        # Arguments arrive as a List (stdlib.md 3.1).
        ("TimeoutProxy", "instance", "doesNotUnderstand:args:"),
    }
)
"""Signatures that differ from the table on purpose."""

MAY_HAVE_MORE = frozenset(
    {
        "Actor",
        "Behaviour",
        "ClassBuilder",
        "DynamicSupervisor",
        "SupervisionSpec",
        "Supervisor",
        "SystemNavigation",
    }
    | {"WorkspaceInterface", "ChangeLog", "ChangeEntry", "Session", "BeamtalkInterface", "BindingsView"}
    | {"ProcessNavigation", "SupervisionTree", "SupervisionNode", "AnnouncementNavigation", "Tracing"}
)
"""Classes to which changes.md, actors.md and workspace.md add messages."""


@dataclass(frozen=True)
class Signature:
    parameters: tuple[str, ...]
    types: tuple[str, ...]
    returns: str
    modifiers: frozenset[str]


Key = tuple[str, str, str]


def _table() -> dict[Key, Signature]:
    found: dict[Key, Signature] = {}
    with API.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["row"] != "method":
                continue
            names = tuple(name.strip() for name in row["param_names"].split(",") if name.strip())
            types = tuple(_plain(t) for t in row["param_types"].split(";")) if row["param_types"] else ()
            modifiers = frozenset(m for m in ("sealed", "internal") if row[m] == m)
            key = (row["class"], row["side"], row["selector"])
            found[key] = Signature(names, types, _plain(row["return_type"]), modifiers)
    return found


def _sources() -> dict[Key, Signature]:
    found: dict[Key, Signature] = {}
    for path in sorted(SOURCES.glob("*.bt")):
        parsed = parse_file(SourceText(path.read_text("utf-8"), path.name))
        for unit in parsed.units:
            match unit.node:
                case ast.MethodDef() as method:
                    key, signature = _of(unit.name.owner or "", method.signature, unit.text, method)
                    found[key] = signature
                case ast.ProtocolDef() as protocol:
                    for required in protocol.signatures:
                        key, signature = _of(protocol.name.name, required, unit.text, None)
                        found[key] = signature
    return found


def _of(
    owner: str, signature: ast.Signature, text: str, method: ast.MethodDef | None
) -> tuple[Key, Signature]:
    side = "class" if signature.is_class_side else "instance"
    modifiers = set()
    if method is not None and method.is_sealed:
        modifiers.add("sealed")
    if method is not None and method.is_internal:
        modifiers.add("internal")
    return (owner, side, signature.selector.text), Signature(
        tuple(p.name.name for p in signature.parameters),
        tuple(_type(p.annotation, text) or "-" for p in signature.parameters),
        _type(signature.return_type, text),
        frozenset(modifiers),
    )


def _type(node: ast.TypeExpr | None, text: str) -> str:
    return _plain(text[node.span.start : node.span.end]) if node is not None else ""


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text)


TABLE = _table()
LIBRARY = _sources()
OF_ANOTHER_HOST = frozenset({"Erlang", "ErlangModule"})
"""A few sends of the original's gateway are kept, in a shape of their own (stdlib.md 8)."""

CLASSES = sorted({owner for owner, _, _ in LIBRARY} & {owner for owner, _, _ in TABLE} - OF_ANOTHER_HOST)


@pytest.mark.parametrize("class_name", CLASSES)
def test_a_class_has_the_signatures_of_the_table(class_name: str) -> None:
    wanted = {
        key: signature
        for key, signature in TABLE.items()
        # Internal helpers are no interface: a class has those that its code needs.
        if key[0] == class_name and key not in OTHERWISE and "internal" not in signature.modifiers
    }
    given = {key: _as_asked(s, wanted[key]) for key, s in LIBRARY.items() if key in wanted}
    assert given == wanted


def _as_asked(given: Signature, wanted: Signature) -> Signature:
    """A signature without what the table leaves open: types of its own, and the mark of an unused parameter."""
    names = tuple(
        asked if name == f"_{asked}" else name
        for name, asked in zip(given.parameters, wanted.parameters, strict=False)
    )
    types = tuple(
        "-" if asked == "-" else type_ for type_, asked in zip(given.types, wanted.types, strict=False)
    )
    is_complete = len(given.parameters) == len(wanted.parameters) and len(given.types) == len(wanted.types)
    return Signature(
        names if is_complete else given.parameters,
        types if is_complete else given.types,
        given.returns if wanted.returns else "",
        given.modifiers,
    )


@pytest.mark.parametrize("class_name", sorted(set(CLASSES) - MAY_HAVE_MORE))
def test_a_class_has_no_other_public_selectors(class_name: str) -> None:
    allowed = TABLE.keys() | BEYOND_THE_TABLE
    public = {key for key, s in LIBRARY.items() if key[0] == class_name and "internal" not in s.modifiers}
    assert public <= allowed


def test_exceptions_are_none_of_the_table() -> None:
    assert LIBRARY.keys() >= BEYOND_THE_TABLE
    assert not BEYOND_THE_TABLE & TABLE.keys()
    assert TABLE.keys() & LIBRARY.keys() >= OTHERWISE


@pytest.mark.parametrize("path", sorted(SOURCES.glob("*.bt")), ids=lambda path: path.stem)
def test_every_declaration_of_the_library_is_documented(path: Path) -> None:
    parsed = parse_file(SourceText(path.read_text("utf-8"), path.name))
    undocumented = [
        unit.name
        for unit in parsed.units
        if isinstance(unit.node, ast.MethodDef | ast.ClassHeader | ast.ProtocolDef)
        and not unit.node.doc
        and not (isinstance(unit.node, ast.MethodDef) and unit.node.is_internal)
    ]
    assert not undocumented
