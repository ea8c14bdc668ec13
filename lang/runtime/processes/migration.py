"""What happens to live actors when their class changes or goes (actors.md 19, 20).

Guarantees: an actor is migrated between two messages, before the next one; slots that still exist keep their
values, new ones get their default, removed ones are dropped with one warning. `initialize` does not run again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.instances import SLOT_PREFIX, ActorObject, default_of
from lang.runtime.processes.messages import Procedure
from lang.runtime.processes.process import Process
from lang.runtime.processes.reasons import KILLED

if TYPE_CHECKING:
    from lang.runtime.classes import ClassObject, Slot
    from lang.runtime.processes.actor_system import ActorSystem


def class_changed(system: ActorSystem, class_object: ClassObject) -> None:
    """The slots of a class may be others now: its actors and those of subclasses adapt before their next message."""
    for actor in system.live_actors_of(class_object):
        process: Process = actor.process
        system.scheduler.post_first(process, _migration_of(system, actor, process))


def _migration_of(system: ActorSystem, actor: ActorObject, process: Process) -> Procedure:
    return Procedure(process, None, None, "migrate", lambda: migrate(system, actor))


def migrate(system: ActorSystem, actor: ActorObject) -> None:
    """Bring an actor's slots in line with its class, in its own process."""
    system.runtime.shapes.of(actor.class_object)
    slots = actor.class_object.all_slots()
    state = vars(actor)
    wanted = {SLOT_PREFIX + slot.name for slot in slots}
    dropped = [name for name in state if name.startswith(SLOT_PREFIX) and name not in wanted]
    for name in dropped:
        del state[name]
    if dropped:
        names = ", ".join(name.removeprefix(SLOT_PREFIX) for name in dropped)
        system.log.note(f"{actor.class_object.name} {actor.process.pid}: dropped {names}")
    for slot in slots:
        if SLOT_PREFIX + slot.name not in state:
            state[SLOT_PREFIX + slot.name] = _default(system, actor, slot)


def _default(system: ActorSystem, actor: ActorObject, slot: Slot) -> object:
    try:
        return default_of(slot)
    except Exception as error:  # noqa: BLE001 (the actor lives on, with nil in the slot)
        system.log.failed_message(actor.process, slot.name, error)
        return None


def class_removed(system: ActorSystem, class_object: ClassObject) -> None:
    """End the actors of exactly this class, without `terminate:`."""
    for actor in system.live_actors():
        if actor.class_object is class_object:
            system.scheduler.ends.end(actor.process, KILLED)
