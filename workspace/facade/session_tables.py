"""Sessions and views of names as Beamtalk objects (workspace.md 2.2, 2.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol, symbol
from lang.stdlib.services import HostAccess, services_of
from workspace.facade.values import beamtalk_list, record
from workspace.sessions import Session
from workspace.workspace import Workspace


class View(Protocol):
    """Names with values, as Beamtalk code sees them."""

    def get(self, name: str) -> object:
        """The value, None when there is none."""

    def put(self, name: str, value: object) -> None:
        """Bind a name."""

    def remove(self, name: str) -> None:
        """Drop a name."""

    def names(self) -> list[str]:
        """The names, sorted."""


@dataclass(frozen=True, slots=True)
class BindingsObject:
    """A view that Beamtalk code holds."""

    view: View


class SessionView:
    """The local names of a session; writes take effect when the evaluation ends."""

    def __init__(self, workspace: Workspace, session: Session) -> None:
        self._workspace = workspace
        self._session = session

    def get(self, name: str) -> object:
        """See `View`."""
        return dict.get(self._session.names, name)

    def put(self, name: str, value: object) -> None:
        """See `View`."""
        self._check_own()
        self._session.deferred.append((name, value, False))

    def remove(self, name: str) -> None:
        """See `View`."""
        self._check_own()
        self._session.deferred.append((name, None, True))

    def names(self) -> list[str]:
        """See `View`."""
        return sorted(self._session.names)

    def _check_own(self) -> None:
        if self._workspace.sessions.current is not self._session:
            raise BeamtalkError(
                "cross_session_mutation_unsupported",
                "Cannot mutate another session's bindings; cross-session access is read-only",
                class_name="BindingsView",
            )


class GlobalsView:
    """The global names of the workspace; writes take effect at once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def get(self, name: str) -> object:
        """See `View`."""
        return self._workspace.globals.get(name)

    def put(self, name: str, value: object) -> None:
        """See `View`."""
        self._workspace.bind_global(name, value)

    def remove(self, name: str) -> None:
        """See `View`."""
        if name in self._workspace.globals:
            self._workspace.unbind_global(name)

    def names(self) -> list[str]:
        """See `View`."""
        return sorted(self._workspace.globals)


def key_name(key: object) -> str:
    """The text of a Symbol or String key. Raises `type_error` otherwise."""
    if isinstance(key, Symbol):
        return key.name
    if type(key) is str:
        return key
    raise BeamtalkError("type_error", "Expected a Symbol name, got something else", class_name="BindingsView")


def bindings_table(workspace: Workspace) -> PrimitiveTable:
    """The primitives of BindingsView."""
    table = PrimitiveTable("BindingsView")

    @table.primitive("at:")
    def at(self: BindingsObject, key: object) -> object:
        return self.view.get(_checked(workspace, key))

    @table.primitive("at:put:")
    def at_put(self: BindingsObject, key: object, value: object) -> object:
        self.view.put(_checked(workspace, key), value)
        return value

    @table.primitive("removeKey:")
    def remove_key(self: BindingsObject, key: object) -> None:
        self.view.remove(_checked(workspace, key))

    @table.primitive("includesKey:")
    def includes_key(self: BindingsObject, key: object) -> bool:
        return _checked(workspace, key) in self.view.names()

    @table.primitive("keys")
    def keys(self: BindingsObject) -> object:
        return beamtalk_list(symbol(name) for name in self.view.names())

    @table.primitive("values")
    def values(self: BindingsObject) -> object:
        return beamtalk_list(self.view.get(name) for name in self.view.names())

    @table.primitive("size")
    def size(self: BindingsObject) -> int:
        return len(self.view.names())

    printing: set[type[View]] = set()

    @table.primitive("printString")
    def print_string(self: BindingsObject) -> str:
        # A view may be bound in itself, at any depth.
        kind = type(self.view)
        if kind in printing:
            return "..."
        printing.add(kind)
        try:
            fields = record({name: self.view.get(name) for name in self.view.names()})
            return workspace.runtime.print_string(fields)
        finally:
            printing.discard(kind)

    return table


def _checked(workspace: Workspace, key: object) -> str:
    if isinstance(key, Symbol) or type(key) is str:
        return key_name(key)
    raise BeamtalkError(
        "type_error",
        f"Expected a Symbol name, got {article(workspace.runtime.class_name_of(key))}",
        class_name="BindingsView",
    )


def article(name: str) -> str:
    """`an Integer`, `a List`."""
    return f"{'an' if name[:1] in 'AEIOU' else 'a'} {name}"


def session_table(workspace: Workspace) -> PrimitiveTable:
    """The primitives of Session."""
    table = PrimitiveTable("Session")
    access = services_of(workspace.runtime).host_access

    @table.primitive("current", class_side=True)
    def current(_self: object) -> Session | None:
        return workspace.sessions.current

    @table.primitive("withId:", class_side=True)
    def with_id(_self: object, session_id: object) -> Session | None:
        if type(session_id) is not str:
            kind = article(workspace.runtime.class_name_of(session_id))
            raise BeamtalkError(
                "type_error", f"Expected a String session id, got {kind}", class_name="Session"
            )
        return workspace.sessions.find(session_id)

    @table.primitive("bindings")
    def bindings(self: Session) -> BindingsObject:
        if not self.is_alive:
            raise BeamtalkError("session_not_found", f"Session {self.id} is no longer alive")
        return BindingsObject(SessionView(workspace, self))

    @table.primitive("resolve:")
    def resolve(self: Session, name: object) -> object:
        return self.resolve(_checked(workspace, name))

    @table.primitive("clear")
    def clear(self: Session) -> None:
        self.clear_requested = True

    @table.primitive("id")
    def session_id(self: Session) -> str:
        return self.id

    @table.primitive("kind")
    def kind(self: Session) -> str:
        return self.kind

    @table.primitive("info")
    def info(self: Session) -> object:
        return record({"id": self.id, "kind": self.kind, "noFfi": access is HostAccess.FORBIDDEN})

    @table.primitive("printString")
    def print_string(self: Session) -> str:
        return f"Session({self.kind}: {self.id})"

    return table
