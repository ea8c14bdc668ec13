"""SystemNavigation as Beamtalk sees it (types.md 5.3)."""

from __future__ import annotations

from collections.abc import Iterable

from lang.runtime.classes import ClassObject, MetaclassObject, Method
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol, symbol
from lang.syntax.units import Side
from workspace import navigation
from workspace.facade.navigation_scopes import ScopeQueries, class_argument, wrong_argument
from workspace.facade.values import beamtalk_list, class_and_side, optional_symbol, record
from workspace.navigation import ClassSide, SiteRecord
from workspace.workspace import Workspace
from workspace.xref import Index


class NavigationObject:
    """`SystemNavigation default`."""


class NavigationPrimitives:
    """The queries over one workspace's index."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._default = NavigationObject()

    def table(self) -> PrimitiveTable:
        """The primitives of SystemNavigation."""
        table = PrimitiveTable("SystemNavigation")
        table.primitive("default", class_side=True)(lambda _self: self._default)
        table.primitive("allClasses")(lambda _self: beamtalk_list(self._workspace.runtime.classes()))
        table.primitive("implementorsOf:")(lambda _self, name: self.implementors_of(name))
        table.primitive("sendersOf:")(lambda _self, name: self.senders_of(name))
        table.primitive("referencesTo:")(lambda _self, target: self.references_to(target))
        table.primitive("messagesSentBy:")(lambda _self, method: self.messages_sent_by(method))
        table.primitive("selectorsMatching:")(lambda _self, text: self.selectors_matching(text))
        table.primitive("unusedSelectors")(lambda _self: self.unused())
        table.primitive("unimplementedSelectors")(lambda _self: self.unimplemented())
        table.primitive("fieldReadersOf:in:")(lambda _self, slot, owner: self.readers(slot, owner))
        table.primitive("fieldWritersOf:in:")(lambda _self, slot, owner: self.writers(slot, owner))
        ScopeQueries(self._workspace).add_to(table)
        return table

    # ------------------------------------------------------------ queries

    def implementors_of(self, name: object) -> object:
        """Classes and metaclasses that define the selector, the library's included."""
        selector = _selector(name, "implementorsOf:")
        classes = sorted(self._workspace.runtime.classes(), key=lambda c: c.name)
        return beamtalk_list(
            each if side is Side.INSTANCE else each.metaclass
            for each in classes
            for side in (Side.INSTANCE, Side.CLASS)
            if each.definition.find(selector, side) is not None
        )

    def senders_of(self, name: object) -> object:
        """Each send of the selector."""
        return self._records(navigation.senders_of(self._index, _selector(name, "sendersOf:")))

    def references_to(self, target: object) -> object:
        """Each mention of the class."""
        if not isinstance(target, ClassObject | MetaclassObject):
            raise wrong_argument("referencesTo:", "a class")
        return self._records(navigation.references_to(self._index, class_and_side(target)[0].name))

    def messages_sent_by(self, method: object) -> object:
        """Each send of a compiled method."""
        if not isinstance(method, Method):
            raise wrong_argument("messagesSentBy:", "a CompiledMethod")
        found = navigation.messages_sent_by(self._index, method.owner.name, method.side, method.selector)
        return beamtalk_list(record({"selector": symbol(s.selector), "line": s.line}) for s in found)

    def selectors_matching(self, text: object) -> object:
        """Selectors that contain a text, whatever the case."""
        if type(text) is not str:
            raise wrong_argument("selectorsMatching:", "a String")
        return beamtalk_list(map(symbol, navigation.selectors_matching(self._index, text)))

    def unused(self) -> object:
        """Selectors defined and nowhere sent."""
        found = navigation.unused_selectors(self._index)
        return beamtalk_list(
            record({"class": self._behaviour(m.at), "selector": symbol(m.selector)}) for m in found
        )

    def unimplemented(self) -> object:
        """Selectors sent and nowhere defined."""
        provided = {
            selector
            for each in self._workspace.runtime.classes()
            for methods in (each.definition.methods, each.definition.class_methods)
            for selector in methods
        }
        found = navigation.unimplemented_selectors(self._index, provided)
        return beamtalk_list(
            record({"selector": symbol(r.selector), "sites": self._records(r.sites)}) for r in found
        )

    def readers(self, slot: object, owner: object) -> object:
        """Methods that read a slot."""
        by = "fieldReadersOf:in:"
        name = class_argument(owner, by).name
        return self._records(navigation.field_readers_of(self._index, _selector(slot, by), name))

    def writers(self, slot: object, owner: object) -> object:
        """Methods that write a slot."""
        by = "fieldWritersOf:in:"
        name = class_argument(owner, by).name
        return self._records(navigation.field_writers_of(self._index, _selector(slot, by), name))

    # ------------------------------------------------------------ records

    @property
    def _index(self) -> Index:
        return self._workspace.image.state.index

    def _behaviour(self, at: ClassSide) -> ClassObject | MetaclassObject | None:
        found = self._workspace.runtime.class_named(at.class_name)
        return found.metaclass if found is not None and at.is_class_side else found

    def _records(self, found: Iterable[SiteRecord]) -> object:
        """Places as Dictionaries; rows of classes that are not loaded are left out (types.md X-11)."""
        placed = ((self._behaviour(each.at), each) for each in found)
        return beamtalk_list(
            record({"class": behaviour, "selector": optional_symbol(each.selector), "line": each.line})
            for behaviour, each in placed
            if behaviour is not None
        )


def _selector(name: object, query: str) -> str:
    if isinstance(name, Symbol):
        return name.name
    raise wrong_argument(query, "a Symbol")
