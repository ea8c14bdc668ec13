"""Registered names of actors, and the proxies that resolve a name at each send (actors.md 14).

Guarantees: one holder a name, one name an actor; a name is free as soon as its process is gone. A proxy is an
object of the actor's own Python type whose process is the stand-in `UNRESOLVED`: it is never idle, never running
and dead, so that every path of a send which is not the fast one comes here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject
from lang.runtime.processes.actor_faults import BeamtalkFaults
from lang.runtime.processes.pid import Pid
from lang.runtime.processes.process import Process, ProcessKind
from lang.runtime.symbols import Symbol, symbol

if TYPE_CHECKING:
    from lang.runtime.classes import ClassObject
    from lang.runtime.processes.messages import Addressed
    from lang.runtime.runtime import Runtime

RESERVED: Final = frozenset(
    """application_controller code_server erl_prim_loader erl_signal_server error_logger erts_code_purger
    file_server_2 global_group global_group_check global_name_server inet_db init kernel_refc kernel_safe_sup
    kernel_sup logger logger_handler_watcher logger_proxy logger_std_h_default logger_sup net_kernel net_sup rex
    socket_registry standard_error standard_error_sup standard_error_writer user user_drv user_drv_reader
    user_drv_writer""".split()
)
_RESERVED_PREFIX: Final = "beamtalk_"
_RELEASE_KEY: Final = -1


def _unresolved() -> Process:
    process = Process(Pid(0), ProcessKind.ACTOR, "a registered name", None)
    process.idle = False
    process.dead = True
    return process


UNRESOLVED: Final = _unresolved()
"""The process of every proxy. It never changes."""


class NamedProxy:
    """What tells a proxy apart: the name, kept in the instance's dict under a key no slot has."""

    KEY: Final = "registered name"

    @classmethod
    def name_of(cls, actor: ActorObject) -> str | None:
        """The name that a proxy stands for; None for a plain reference."""
        name = vars(actor).get(cls.KEY)
        return name if isinstance(name, str) else None


class Names:
    """The registered names of one image."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._holders: dict[str, ActorObject] = {}
        self._names: dict[Pid, str] = {}
        self._proxies: dict[tuple[str, ClassObject], ActorObject] = {}

    # -- names ----------------------------------------------------------------------------------------------

    def refusal(self, name: object, class_name: str, selector: str) -> BeamtalkError | None:
        """Why a name cannot be taken; None when it can."""
        if type(name) is not Symbol:
            return BeamtalkError(
                "type_error", class_name=class_name, selector=selector, hint="A name is a Symbol."
            )
        return self.refusal_of_text(name.name, class_name, selector)

    def refusal_of_text(self, name: str, class_name: str, selector: str) -> BeamtalkError | None:
        """As `refusal`, for the text of a name."""
        if name in RESERVED or name.startswith(_RESERVED_PREFIX):
            hint = f"The name #{name} is reserved."
            return BeamtalkError("reserved_name", class_name=class_name, selector=selector, hint=hint)
        if name in self._holders:
            hint = f"The name #{name} is taken by another actor."
            return BeamtalkError("name_registered", class_name=class_name, selector=selector, hint=hint)
        return None

    def take(self, name: str, actor: ActorObject) -> None:
        """Give a free name to a live actor; it comes back when the process ends."""
        process: Process = actor.process
        self._holders[name] = actor
        self._names[process.pid] = name
        if process.owned is None:
            process.owned = {}
        process.owned[_RELEASE_KEY] = lambda: self.free(name)

    def free(self, name: str) -> None:
        """Make a name free; no effect when it is."""
        actor = self._holders.pop(name, None)
        if actor is not None:
            process: Process = actor.process
            self._names.pop(process.pid, None)
            if process.owned is not None:
                process.owned.pop(_RELEASE_KEY, None)

    def name_of(self, actor: ActorObject) -> str | None:
        """The name of an actor; a proxy's own (actors.md 14)."""
        return NamedProxy.name_of(actor) or self._names.get(actor.process.pid)

    def name_of_pid(self, pid: Pid) -> str | None:
        """The name that a process holds."""
        return self._names.get(pid)

    def holder(self, name: str) -> ActorObject | None:
        """The actor that holds a name now."""
        return self._holders.get(name)

    def all(self) -> list[ActorObject]:
        """Proxies of all named actors."""
        return [self.proxy(name, holder.class_object) for name, holder in self._holders.items()]

    # -- proxies --------------------------------------------------------------------------------------------

    def proxy(self, name: str, class_object: ClassObject) -> ActorObject:
        """The reference by name; one object a name and class, so that equal ones are identical."""
        known = self._proxies.get((name, class_object))
        if known is not None:
            return known
        made: ActorObject = self._runtime.shapes.bare_instance(class_object)
        made._undo = {}
        made.process = UNRESOLVED
        vars(made)[NamedProxy.KEY] = name
        self._proxies[name, class_object] = made
        return made

    def proxy_for(self, name: object, class_object: ClassObject) -> ActorObject | BeamtalkError:
        """What `C named: aName` finds, or why not."""
        if type(name) is not Symbol:
            return self._lookup_error("type_error", class_object, "A name is a Symbol.")
        holder = self._holders.get(name.name)
        if holder is None:
            return self._lookup_error(
                "name_not_registered", class_object, f"No actor is registered as #{name.name}."
            )
        actual = holder.class_object
        if not actual.inherits_from(class_object):
            hint = f"#{name.name} is a {actual.name}, not a {class_object.name}."
            return self._lookup_error("wrong_class", class_object, hint)
        return self.proxy(name.name, actual)

    @staticmethod
    def _lookup_error(kind: str, class_object: ClassObject, hint: str) -> BeamtalkError:
        return BeamtalkError(kind, class_name=class_object.name, selector="named:", hint=hint)

    def resolve(self, actor: ActorObject, selector: str) -> ActorObject:
        """The actor that a reference means now; raises `no_such_process` for a name that nobody holds."""
        name = NamedProxy.name_of(actor)
        if name is None:
            return actor
        holder = self._holders.get(name)
        if holder is None:
            raise BeamtalkError(
                "no_such_process",
                class_name=actor.class_object.name,
                selector=selector,
                hint=f"No actor is registered as #{name}.",
                details=symbol(name),
            )
        return holder

    def redirect(self, target: Process, selector: Addressed, receiver: object) -> tuple[Process, object]:
        """Where a send to a dead process goes: to the holder of the name, if the receiver is a proxy."""
        if target is UNRESOLVED and isinstance(receiver, ActorObject):
            holder = self.resolve(receiver, selector.text)
            return holder.process, holder
        raise BeamtalkFaults().actor_dead(selector.text, target)
