"""Starting programs for actors, and what both kinds of them share (stdlib.md 5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.collections.mappings import BtDictionary, dictionary_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import SLOT_PREFIX, ActorObject
from lang.runtime.processes.actor_system import actors_of
from lang.runtime.processes.ending import watch
from lang.runtime.symbols import symbol
from lang.stdlib import arguments as expect
from lang.stdlib.files import kind_of
from lang.stdlib.octets import octets_of
from lang.stdlib.services import services_of
from lang.stdlib.subprocesses import OsProgram

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

SLOT = "program"


def opened(
    runtime: Runtime,
    actor_class: ClassObject,
    selector: str,
    command: object,
    arguments: object,
    environment: object,
    folder: object,
) -> ActorObject | BeamtalkError:
    """An actor of the class around a started program, or why there is none; wrong arguments raise."""
    name = actor_class.name
    text = expect.text(command, name, selector)
    texts = [expect.text(argument, name, selector) for argument in expect.elements(arguments, name, selector)]
    variables = {**services_of(runtime).environment, **_variables(environment, name, selector)}
    place = expect.text(folder, name, selector)
    try:
        program = OsProgram(text, texts, variables, place or None)
    except (OSError, ValueError) as fault:
        kind = kind_of(fault) if isinstance(fault, OSError) else "invalid_argument"
        return BeamtalkError(kind, class_name=name, selector=selector, hint=str(fault))
    actor: ActorObject = runtime.send(actor_class, "spawnWith:", dictionary_of([(symbol(SLOT), program)]))
    system = actors_of(runtime)
    # However the actor ends, a kill and the end of the image included, the program does not outlive it.
    number = system.make_reference().number
    watch(system.process_of(actor, selector), number, lambda _reason: program.end())
    return actor


def as_result(runtime: Runtime, started: ActorObject | BeamtalkError) -> object:
    """A started program as a Result."""
    if isinstance(started, BeamtalkError):
        return runtime.make_result_error(started)
    return runtime.make_result_ok(started)


def program_of(actor: ActorObject, selector: str) -> OsProgram:
    """The program of an actor; raises `port_closed` for one that was made without."""
    program = vars(actor).get(SLOT_PREFIX + SLOT)
    if not isinstance(program, OsProgram):
        raise port_closed(actor, selector)
    return program


def write_line(actor: ActorObject, data: object, selector: str) -> None:
    """Write a line to the program; raises `port_closed` when it has ended."""
    octets = octets_of(data, actor.class_object.name, selector)
    if not program_of(actor, selector).write_line(octets):
        raise port_closed(actor, selector)


def port_closed(actor: ActorObject, selector: str) -> BeamtalkError:
    """The program has ended."""
    return BeamtalkError("port_closed", class_name=actor.class_object.name, selector=selector)


def _variables(environment: object, class_name: str, selector: str) -> dict[str, str]:
    if not isinstance(environment, BtDictionary):
        raise expect.type_error(class_name, selector, "Expected a Dictionary")
    return {
        expect.text(key, class_name, selector): expect.text(value, class_name, selector)
        for key, value in environment.items_in_order()
    }
