"""The standard library as its table lists it, seen as a `ClassView`; and checking a text against it."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from lang.semantics.check import check_file
from lang.semantics.hierarchy import ClassFacts, ClassView, MethodFact, view_of
from lang.semantics.types.analysis import FileChecker
from lang.semantics.types.trees import FileTrees, LayeredTrees
from lang.semantics.types.world import Knowledge, World
from lang.source import SourceText
from lang.stdlib.trees import LibraryTrees
from lang.syntax import parse_file
from lang.syntax.units import ParsedFile, Side

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "docs" / "spec" / "stdlib-api.tsv"

# Classes without a method of their own, and protocols, of which the table says nothing.
_BARE = {
    "ProtoObject": None,
    "Object": "ProtoObject",
    "Value": "Object",
    "Error": "Exception",
    "RuntimeError": "Error",
    "TypeError": "Error",
    "True": "Boolean",
    "False": "Boolean",
}


@cache
def library_view() -> ClassView:
    lines = TABLE.read_text("utf-8").splitlines()
    rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    by_class: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        by_class.setdefault(row["class"], []).append(row)
    classes = {name: _facts(name, each) for name, each in by_class.items()}
    for name, parent in _BARE.items():
        classes.setdefault(name, ClassFacts(name, parent, is_library=True))
    return view_of(classes.values(), protocols=frozenset({"Printable", "Comparable"}))


def _facts(name: str, rows: list[dict[str, str]]) -> ClassFacts:
    modifiers = rows[0]["modifiers"].split()
    methods = [_method(row) for row in rows if row["row"] == "method"]
    superclass = rows[0]["superclass"]
    return ClassFacts(
        name,
        None if superclass in ("", "nil") else superclass,
        "sealed" in modifiers,
        "abstract" in modifiers,
        is_library=True,
        is_typed="typed" in modifiers,
        slots=tuple(row["selector"] for row in rows if row["row"] in ("field", "state")),
        class_slots=tuple(row["selector"] for row in rows if row["row"] == "classState"),
        methods={(method.side, method.selector): method for method in methods},
    )


def _method(row: dict[str, str]) -> MethodFact:
    return MethodFact(row["selector"], Side(row["side"]), row["sealed"] == "sealed")


def checked(text: str, world: ClassView | None = None, name: str = "case.bt") -> ParsedFile:
    """The text as a file, parsed and checked, by types too; of other files nothing but the view is known."""
    parsed = parse_file(SourceText(text, name))
    view = world or library_view()
    trees = LayeredTrees(FileTrees([parsed]), library_trees())
    types = FileChecker(World(view.with_file(parsed), trees, Knowledge.MODULE_ONLY))
    return check_file(parsed, view, types)


@cache
def library_trees() -> LibraryTrees:
    return LibraryTrees()
