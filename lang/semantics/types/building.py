"""Worlds made of parsed files: for the command line, and wherever there is no image.

Comes in: the files of a package as the parser gave them, and the world around them (the library, dependencies).
Guarantees: extensions count for the classes that they extend, whichever file they are in. Leaves: reading files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lang.ast import nodes as ast
from lang.dataclass import replace
from lang.diagnostics import Severity
from lang.semantics.hierarchy import ClassFacts, ClassView, Either, facts_of, parents_in
from lang.semantics.types.trees import FileTrees, LayeredTrees
from lang.semantics.types.world import Knowledge, World
from lang.syntax.units import ParsedFile


def library_world(files: Iterable[ParsedFile]) -> World:
    """The world of the standard library alone, from its sources."""
    trees = FileTrees(files)
    classes = {facts.name: replace(facts, is_library=True) for facts in _facts(trees, {})}
    view = ClassView(
        classes,
        protocols=trees.protocol_names(),
        aliases=trees.aliases(),
        parents=parents_in(classes.values()),
        library_classes=frozenset(classes),
        library_selectors=frozenset(s for facts in classes.values() for _, s in facts.methods),
    )
    return World(view, trees, Knowledge.PROJECT_COMPLETE)


def project_world(files: Iterable[ParsedFile], around: World, package: str = "") -> World:
    """The world of a package whose files these are, all of them."""
    read = list(files)
    trees = FileTrees(read)
    outer = around.view
    made = {facts.name: replace(facts, package=package) for facts in _facts(trees, outer.classes)}
    view = replace(
        outer,
        classes={**outer.classes, **made},
        protocols=Either(outer.protocols, trees.protocol_names()),
        aliases={**outer.aliases, **trees.aliases()},
        parents=Either(outer.parents, parents_in(made.values())),
        package=package,
    )
    limits = replace(around.limits, broken=Either(around.limits.broken, broken_classes(read)))
    return World(view, LayeredTrees(trees, around.trees), Knowledge.PROJECT_COMPLETE, limits)


def broken_classes(files: Iterable[ParsedFile]) -> frozenset[str]:
    """The classes that stand in a file with a syntax error (L-2 row 5)."""
    return frozenset(
        unit.node.name.name
        for file in files
        if any(d.severity is Severity.ERROR for d in file.all_diagnostics())
        for unit in file.units
        if isinstance(unit.node, ast.ClassHeader)
    )


def _facts(trees: FileTrees, around: Mapping[str, ClassFacts]) -> Iterator[ClassFacts]:
    """The facts of every class that the files declare, or extend."""
    members: dict[str, list[ast.Declaration]] = {}
    for owner, member in trees.members():
        members.setdefault(owner, []).append(member)
    for header in trees.headers():
        yield facts_of(header, members.pop(header.name.name, ()))
    for owner, extensions in members.items():
        known = around.get(owner)
        if known is not None:
            added = facts_of(_bare_header(owner, extensions[0]), extensions).methods
            yield replace(known, methods={**added, **known.methods})


def _bare_header(owner: str, member: ast.Declaration) -> ast.ClassHeader:
    return ast.ClassHeader(member.span, ast.ClassRef(member.span, owner, member.span), None)
