"""How a supervisor starts and treats its children: specs as data (actors.md 13.2).

Comes in: what a supervisor's class-side methods answer. Guarantees: a checked `ChildSpec`; anything else is a
Beamtalk error. Leaves: starting and restarting to `supervision.py`.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

from lang.dataclass import dataclass
from lang.runtime.classes import ClassObject
from lang.runtime.collections.lists import BtList
from lang.runtime.collections.mappings import BtDictionary
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ValueObject, fields_of
from lang.runtime.processes.reasons import INFINITY, NORMAL, SHUTDOWN
from lang.runtime.symbols import Symbol

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

DEFAULT_SHUTDOWN_MS: Final = 5000
_FAMILIES: Final = frozenset({"Supervisor", "DynamicSupervisor"})


class Restart(enum.Enum):
    """When a child that ended gets a successor (actors.md 13.4)."""

    PERMANENT = "permanent"
    TRANSIENT = "transient"
    TEMPORARY = "temporary"

    def wants_successor(self, reason: object) -> bool:
        """Whether a child that ended for this reason is started again."""
        match self:
            case Restart.PERMANENT:
                return True
            case Restart.TRANSIENT:
                return reason is not NORMAL and reason is not SHUTDOWN
            case Restart.TEMPORARY:
                return False


@dataclass(frozen=True, slots=True)
class ChildSpec:
    """One child: how it is started, restarted and ended. `shutdown` in seconds; None waits without limit."""

    id: str
    class_object: ClassObject
    restart: Restart
    shutdown: float | None
    values: dict[str, object] | None
    """Initial slots; None spawns without."""
    name: str | None
    class_method: str | None
    arguments: tuple[object, ...]
    """Of the class method."""


def is_supervisor_class(class_object: ClassObject) -> bool:
    """Whether a class is below Supervisor or DynamicSupervisor."""
    return any(at.name in _FAMILIES for at in class_object.chain() if at is not class_object)


def specs_of(runtime: Runtime, children: object, owner: ClassObject) -> list[ChildSpec]:
    """The specs of what `children` of a supervisor class answered."""
    if not isinstance(children, BtList):
        raise _bad_spec(owner, "children has to answer a List of classes and SupervisionSpecs")
    return [spec_of(runtime, child, owner) for child in children]


def spec_of(runtime: Runtime, child: object, owner: ClassObject) -> ChildSpec:
    """The spec of one child: a class, or a SupervisionSpec."""
    if isinstance(child, ClassObject):
        if is_supervisor_class(child):
            return ChildSpec(child.name, child, Restart.PERMANENT, None, None, None, None, ())
        return spec_of(runtime, runtime.send(child, "supervisionSpec"), owner)
    if not isinstance(child, ValueObject) or child.class_object.name != "SupervisionSpec":
        raise _bad_spec(owner, "a child is a class or a SupervisionSpec")
    return _from_value(child, owner)


def _from_value(value: ValueObject, owner: ClassObject) -> ChildSpec:
    fields = fields_of(value)
    class_object = fields["actorClass"]
    if not isinstance(class_object, ClassObject):
        raise _bad_spec(owner, "a SupervisionSpec needs an actorClass")
    arguments = fields["args"]
    class_method = _name(fields["classMethod"])
    values = arguments if isinstance(arguments, BtDictionary) else None
    return ChildSpec(
        id=_name(fields["id"]) or class_object.name,
        class_object=class_object,
        restart=Restart(_name(fields["restart"]) or "temporary"),
        shutdown=_shutdown(fields["shutdown"], class_object),
        values=None if values is None else slot_values(values),
        name=_name(fields["name"]),
        class_method=class_method,
        arguments=tuple(arguments) if isinstance(arguments, BtList) else (),
    )


def slot_values(values: BtDictionary) -> dict[str, object]:
    """Initial slots by name."""
    return {key.name: value for key, value in values.items_in_order() if type(key) is Symbol}


def _name(value: object) -> str | None:
    return value.name if type(value) is Symbol else None


def _shutdown(value: object, class_object: ClassObject) -> float | None:
    if value is INFINITY or (value is None and is_supervisor_class(class_object)):
        return None
    return (value if type(value) is int else DEFAULT_SHUTDOWN_MS) / 1000


def _bad_spec(owner: ClassObject, message: str) -> BeamtalkError:
    return BeamtalkError("user_error", message, class_name=owner.name, selector="children")
