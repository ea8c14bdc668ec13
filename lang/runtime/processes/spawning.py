"""Making actors: slots, initializers and required slots, in the new process (actors.md 2).

Comes in: a class, initial values, perhaps a name. Guarantees: the spawner gets a live, initialized actor or
`instantiation_error`; a failed one has ended, its end hook run. Leaves: names are given by `names.py`, ended
processes by `ending.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lang.dataclass import dataclass
from lang.runtime.classes import ClassObject, Method, Slot
from lang.runtime.collections.mappings import BtDictionary
from lang.runtime.errors import BeamtalkError, as_beamtalk_error
from lang.runtime.instances import SLOT_PREFIX, ActorObject, default_of
from lang.runtime.processes.actor_faults import instantiation_error, type_error
from lang.runtime.processes.messages import Procedure, RequestState
from lang.runtime.processes.process import Process, ProcessKind, link
from lang.runtime.processes.process_table import DEFAULT_PATIENCE
from lang.runtime.processes.reasons import KILLED
from lang.runtime.processes.turns import roll_back
from lang.runtime.symbols import Symbol
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.processes.actor_system import ActorSystem
    from lang.runtime.runtime import Runtime

_ROOT: Final = "Actor"
_NO_VALUES: Final[dict[str, object]] = {}


def values_of(class_object: ClassObject, values: object, selector: str) -> dict[str, object]:
    """The initial slots of a `spawnWith:` argument; anything but a Dictionary is a `type_error`."""
    if not isinstance(values, BtDictionary):
        raise type_error(class_object.name, selector, "The initial slots are a Dictionary with Symbol keys.")
    return {key.name: value for key, value in values.items_in_order() if type(key) is Symbol}


def spawn(
    system: ActorSystem,
    class_object: ClassObject,
    values: dict[str, object] = _NO_VALUES,
    selector: str = "spawn",
    name: str | None = None,
) -> ActorObject:
    """A live actor of a class; raises `instantiation_error` or `class_not_found`."""
    system.runtime.shapes.check_instantiable(class_object, selector)
    actor = embodied(system, class_object)
    if name is not None:
        system.names.take(name, actor)
    process: Process = actor.process
    scheduler = system.scheduler
    system.tell_spawned(actor)
    birth = Procedure(
        process,
        scheduler.current,
        DEFAULT_PATIENCE,
        selector,
        lambda: _be_born(system, actor, process, values),
    )
    try:
        scheduler.ask(process, birth)
    except Exception as error:
        raise _spawn_failed(system, process, birth, class_object, selector, error) from error
    spawner = scheduler.current
    if not spawner.kind.survives_links:
        link(process, spawner)
    return actor


def embodied(system: ActorSystem, class_object: ClassObject) -> ActorObject:
    """An actor object with its process, and nothing in its slots."""
    actor: ActorObject = system.runtime.shapes.bare_instance(class_object)
    actor._undo = {}
    process = system.scheduler.processes.make(ProcessKind.ACTOR, class_object.name)
    process.actor = actor
    actor.process = process
    return actor


def _spawn_failed(
    system: ActorSystem,
    process: Process,
    birth: Procedure,
    class_object: ClassObject,
    selector: str,
    error: Exception,
) -> BeamtalkError:
    match birth.state:
        case RequestState.TIMED_OUT:
            system.scheduler.ends.end(process, KILLED)
            hint = f"The initializers of {class_object.name} took longer than {DEFAULT_PATIENCE:.0f} s."
        case RequestState.LOST:
            hint = f"The process of {class_object.name} was ended while it was initialized."
        case _:
            hint = str(birth.value if isinstance(birth.value, BaseException) else error)
    return instantiation_error(class_object.name, selector, hint)


# ---------------------------------------------------------------- in the new process


def _be_born(system: ActorSystem, actor: ActorObject, process: Process, values: dict[str, object]) -> None:
    try:
        plan = system.births.of(actor.class_object)
        _fill_slots(actor, plan, values)
        for method in plan.initializers:
            method.function(actor)
            actor._undo = {}
        # Looked up anew: an initializer may have changed the class.
        _check_required(actor, system.births.of(actor.class_object))
    except Exception as fault:  # noqa: BLE001 (the outermost loop of an initializer)
        error = as_beamtalk_error(fault)
        roll_back(actor)
        process.is_stopping = True
        process.stop_reason = error
        system.run_end_hook(actor, error)
        raise error from None  # its own cause is kept


def _fill_slots(actor: ActorObject, plan: Birth, values: dict[str, object]) -> None:
    state = vars(actor)
    for attribute, slot in plan.slots:
        state[attribute] = values[slot.name] if slot.name in values else default_of(slot)


@dataclass(frozen=True, slots=True)
class Birth:
    """What it takes to make an actor of a class, as the class is now; slots by attribute name."""

    slots: tuple[tuple[str, Slot], ...]
    initializers: tuple[Method, ...]
    required: tuple[tuple[ClassObject, Slot], ...]


class Births:
    """The plans of one image, made when a class is first spawned and forgotten when any definition changes."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._generation = runtime.generation
        self._plans: dict[ClassObject, Birth] = {}

    def of(self, class_object: ClassObject) -> Birth:
        """The plan of a class."""
        if self._generation != self._runtime.generation:
            self._generation = self._runtime.generation
            self._plans.clear()
        plan = self._plans.get(class_object)
        if plan is None:
            plan = self._plans[class_object] = Birth(
                tuple((SLOT_PREFIX + slot.name, slot) for slot in class_object.all_slots()),
                tuple(initializers_of(class_object)),
                tuple(_required_slots(class_object)),
            )
        return plan


def initializers_of(class_object: ClassObject) -> list[Method]:
    """Every `initialize` on the path from Actor down, ancestors first; Actor's own does nothing."""
    found: list[Method] = []
    for at in class_object.chain():
        if at.name == _ROOT:
            break
        method = at.definition.find("initialize", Side.INSTANCE)
        if method is not None:
            found.append(method)
    found.reverse()
    return found


def _check_required(actor: ActorObject, plan: Birth) -> None:
    for owner, slot in plan.required:
        if vars(actor).get(SLOT_PREFIX + slot.name) is None:
            raise BeamtalkError(
                "instantiation_error",
                f"UninitializedStateError: {owner.name}.{slot.name} :: {slot.annotation} is nil",
                class_name=actor.class_object.name,
                selector="spawn",
            )


def _required_slots(class_object: ClassObject) -> list[tuple[ClassObject, Slot]]:
    """Slots that must not be nil after initialization, ancestors' first (actors.md 2.4)."""
    found: dict[str, tuple[ClassObject, Slot]] = {}
    for at in reversed(list(class_object.chain())):
        for slot in at.definition.slots:
            found[slot.name] = (at, slot)
    return [(owner, slot) for owner, slot in found.values() if is_required(slot)]


def is_required(slot: Slot) -> bool:
    """Whether a slot has a type, no default, and a type that excludes nil at its top level."""
    if slot.default is not None or slot.annotation is None:
        return False
    return not any(
        part.strip() in {"Nil", "nil", "UndefinedObject"} for part in _alternatives(slot.annotation)
    )


def _alternatives(annotation: str) -> list[str]:
    """The members of a union, at its top level."""
    parts, depth, start = [], 0, 0
    for index, sign in enumerate(annotation):
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        elif sign == "|" and depth == 0:
            parts.append(annotation[start:index])
            start = index + 1
    return [*parts, annotation[start:]]
