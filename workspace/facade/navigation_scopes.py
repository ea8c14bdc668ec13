"""Queries of SystemNavigation over classes, packages and announcements (types.md 5.3, stdlib.md 5.5).

Guarantees: class answers are sorted by name; nothing found is an empty List; an argument of the
wrong kind is a `user_error` that names the query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.runtime.classes import ClassObject, MetaclassObject, Method, Provenance
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol, symbol
from lang.source import SourceText
from lang.stdlib.regexes import BtRegex
from lang.syntax import parse_method_source
from lang.syntax.units import Side
from workspace import navigation
from workspace.facade.values import beamtalk_list, class_and_side, optional_symbol, record
from workspace.workspace import Workspace

_HANDLER = "doesNotUnderstand:args:"
_ANNOUNCING = frozenset({"announce:", "announceAndWait:", "announceAndWait:timeout:"})


class ScopeQueries:
    """The queries over one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def add_to(self, table: PrimitiveTable) -> None:
        """Put the messages into the table of SystemNavigation."""
        table.primitive("actorClasses")(lambda _self: self.actor_classes())
        table.primitive("dnuHandlers")(lambda _self: self.dnu_handlers())
        table.primitive("classesInPackage:")(lambda _self, package: self.classes_in(package))
        table.primitive("subclassesOf:in:")(lambda _self, above, package: self.subclasses_in(above, package))
        table.primitive("selectorsForClass:")(lambda _self, wanted: self.selectors_of(wanted))
        table.primitive("methodsMatching:")(lambda _self, pattern: self.methods_matching(pattern))
        table.primitive("extendersOf:")(lambda _self, wanted: self.extenders_of(wanted))
        table.primitive("extensionsBy:")(lambda _self, package: self.extensions_by(package))
        table.primitive("announcementsSentBy:")(lambda _self, wanted: self.announcements(wanted))
        table.primitive("announcementSitesSentBy:")(lambda _self, wanted: self.announcement_sites(wanted))
        table.primitive("ffiSitesFor:")(lambda _self, spec: self.ffi_sites(spec))

    # ------------------------------------------------------------ classes

    def actor_classes(self) -> object:
        """The classes below Actor."""
        return _by_name(c for c in self._classes() if _is_below_actor(c))

    def dnu_handlers(self) -> object:
        """Classes and metaclasses that override the handler of messages not understood."""
        found: list[ClassObject | MetaclassObject] = []
        for each in self._classes():
            definition = each.definition
            if _HANDLER in definition.methods and each.superclass is not None:
                found.append(each)
            if _HANDLER in definition.class_methods:
                found.append(each.metaclass)
        return _by_name(found)

    def classes_in(self, package: object) -> object:
        """The classes of a package."""
        name = _package(package, "classesInPackage:")
        return _by_name(c for c in self._classes() if c.definition.package == name)

    def subclasses_in(self, above: object, package: object) -> object:
        """The classes of a package that inherit from a class."""
        name, root = _package(package, "subclassesOf:in:"), class_argument(above, "subclassesOf:in:")
        return _by_name(
            c
            for c in self._classes()
            if c is not root and c.inherits_from(root) and c.definition.package == name
        )

    # ------------------------------------------------------------ methods

    def selectors_of(self, wanted: object) -> object:
        """What a class defines on either side, extensions included."""
        owner = class_argument(wanted, "selectorsForClass:")
        return beamtalk_list(symbol(s) for s in sorted({m.selector for m in _methods_of(owner)}))

    def methods_matching(self, pattern: object) -> object:
        """The methods whose source the pattern finds."""
        if not isinstance(pattern, BtRegex):
            raise wrong_argument("methodsMatching:", "a Regex")
        found = (
            m
            for c in sorted(self._classes(), key=lambda c: c.name)
            for m in _methods_of(c)
            if m.source is not None and pattern.compiled.search(m.source)
        )
        return beamtalk_list(_pair(m) for m in found)

    def extenders_of(self, wanted: object) -> object:
        """The packages whose extensions a class has."""
        owner = class_argument(wanted, "extendersOf:")
        package = self._workspace.state.package
        if package is None or not any(_extensions_of(owner)):
            return beamtalk_list(())
        runtime = self._workspace.runtime
        return beamtalk_list([runtime.send(runtime.existing_class("Package"), "named:", package)])

    def extensions_by(self, package: object) -> object:
        """The extension methods that a package brings."""
        runtime = self._workspace.runtime
        if runtime.class_name_of(package) != "Package":
            raise wrong_argument("extensionsBy:", "a Package")
        if runtime.send(package, "name") != self._workspace.state.package:
            return beamtalk_list(())
        classes = sorted(self._classes(), key=lambda c: c.name)
        return beamtalk_list(_pair(m) for c in classes for m in _extensions_of(c))

    # ------------------------------------------------------------ announcements

    def announcements(self, wanted: object) -> object:
        """The announcement classes that a class announces, where they are written as constructor calls."""
        return _by_name(
            {announced for _m, _line, announced in self._announced(wanted, "announcementsSentBy:")}
        )

    def announcement_sites(self, wanted: object) -> object:
        """Where it does so."""
        return beamtalk_list(
            record(
                {
                    "class": _behaviour(method),
                    "selector": symbol(method.selector),
                    "line": line,
                    "announcementClass": announced,
                }
            )
            for method, line, announced in self._announced(wanted, "announcementSitesSentBy:")
        )

    def _announced(self, wanted: object, query: str) -> Iterator[tuple[Method, int, ClassObject]]:
        for method in _methods_of(class_argument(wanted, query)):
            if method.source is None:
                continue
            parsed = parse_method_source(method.source)
            if parsed.node is None:
                continue
            text = SourceText(parsed.text)
            for send, name in _announcing_sends(parsed.node):
                announced = self._workspace.runtime.class_named(name)
                if announced is not None:
                    yield method, text.position(send.span.start).line, announced

    # ------------------------------------------------------------ host

    def ffi_sites(self, spec: object) -> object:
        """The calls of a host function, named `module:function` or `module:function/count`."""
        parsed = navigation.FfiSpec.parsed(spec) if type(spec) is str else None
        if parsed is None:
            raise wrong_argument("ffiSitesFor:", 'a String as "module:function/count"')
        runtime = self._workspace.runtime
        sites = navigation.ffi_sites_for(self._workspace.state.index, parsed)
        found = [(runtime.class_named(site.at.class_name), site) for site in sites]
        return beamtalk_list(
            record(
                {
                    "class": owner.metaclass if owner is not None and site.at.is_class_side else owner,
                    "selector": optional_symbol(site.selector),
                    "line": site.line,
                }
            )
            for owner, site in found
        )

    def _classes(self) -> Iterable[ClassObject]:
        return self._workspace.runtime.classes()


def _announcing_sends(node: ast.Node) -> Iterator[tuple[ast.Send, str]]:
    """Sends that announce what a message to a class makes, with the name of that class."""
    for at in walk(node):
        if isinstance(at, ast.Send) and at.selector.text in _ANNOUNCING:
            made = at.arguments[0]
            while isinstance(made, ast.Parenthesized):
                made = made.inner
            if isinstance(made, ast.Send) and isinstance(made.receiver, ast.ClassRef):
                yield at, made.receiver.name


def _is_below_actor(class_object: ClassObject) -> bool:
    return any(above.name == "Actor" for above in class_object.chain() if above is not class_object)


def _methods_of(owner: ClassObject) -> Iterator[Method]:
    definition = owner.definition
    for methods in (definition.methods, definition.class_methods):
        yield from (m for m in methods.values() if m.provenance is not Provenance.GENERATED)
    yield from _extensions_of(owner)


def _extensions_of(owner: ClassObject) -> Iterator[Method]:
    yield from owner.definition.extensions.values()
    yield from owner.definition.class_extensions.values()


def _behaviour(method: Method) -> ClassObject | MetaclassObject:
    return method.owner.metaclass if method.side is Side.CLASS else method.owner


def _pair(method: Method) -> object:
    return record({"class": _behaviour(method), "selector": symbol(method.selector)})


def _by_name(classes: Iterable[ClassObject | MetaclassObject]) -> object:
    found = list(classes)
    named = sorted((each.name, at) for at, each in enumerate(found))
    return beamtalk_list(found[at] for _name, at in named)


def class_argument(value: object, query: str) -> ClassObject:
    """The class that an argument means, whichever side. Raises `user_error`."""
    if isinstance(value, ClassObject | MetaclassObject):
        return class_and_side(value)[0]
    raise wrong_argument(query, "a class")


def _package(value: object, query: str) -> str:
    if isinstance(value, Symbol):
        return value.name
    if type(value) is str:
        return value
    raise wrong_argument(query, "a package name")


def wrong_argument(query: str, expected: str) -> BeamtalkError:
    """The error of an argument of the wrong kind (types.md 5.3)."""
    return BeamtalkError("user_error", f"{query} expects {expected}", class_name="SystemNavigation")
