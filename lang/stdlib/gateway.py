"""The functions that stay of the original host's gateway (stdlib.md 8): processes, and a few on lists and maps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lang.runtime.collections.lists import BtList
from lang.runtime.collections.mappings import BtDictionary
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject
from lang.runtime.processes import ending
from lang.runtime.processes.actor_system import ActorSystem, actors_of
from lang.runtime.processes.pid import Pid, Reference
from lang.runtime.processes.process import Process, unlink
from lang.stdlib import arguments as expect

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

Call = Callable[["Runtime", tuple[object, ...]], object]

_MISSING: Final = object()


@dataclass(frozen=True, slots=True)
class HostModule:
    """A module of the gateway, by name."""

    name: str


def call(runtime: Runtime, module: HostModule, selector: str, arguments: tuple[object, ...]) -> object:
    """Run a function of the gateway; one that is not there is `unsupported`."""
    function = _FUNCTIONS.get((module.name, selector))
    if function is None:
        raise unsupported(f"{module.name}:{selector}", module.name)
    return function(runtime, arguments)


def unsupported(what: str, module: str) -> BeamtalkError:
    """Something of the original host that this one does not have; the hint names what stands for it."""
    way = _WAYS.get(module)
    return BeamtalkError(
        "unsupported",
        f"{what}: the Erlang gateway is not available on this host",
        class_name="Erlang",
        hint=f"Use {way}." if way is not None else "Use a module of Python, as in: Python math sqrt: 16.",
    )


_WAYS: Final[Mapping[str, str]] = {
    "application": "Package",
    "binary": "the messages of Binary",
    "calendar": "DateTime, or Python datetime",
    "crypto": "Digest, or Python hashlib",
    "ets": "Ets",
    "file": "File",
    "filename": "File, or Python os path",
    "io": "Console, or Transcript",
    "io_lib": "string interpolation",
    "json": "Json",
    "lists": "the messages of List, or Python builtins",
    "maps": "the messages of Dictionary",
    "math": "Python math",
    "os": "System or OS, or Python os",
    "rand": "Random, or Python random",
    "re": "Regex, or Python re",
    "sets": "Set",
    "string": "the messages of String",
    "timer": "Timer",
    "unicode": "the messages of Binary and String, or Python unicodedata",
}
"""What to use in place of the modules that sources of the original name most."""


def _process(system: ActorSystem, value: object, selector: str) -> Process | None:
    """The live or dead process that a Pid or an actor names; None for a Pid that is gone."""
    if isinstance(value, ActorObject):
        return system.process_of(value, selector)
    if isinstance(value, Pid):
        return system.scheduler.processes.find(value)
    raise expect.argument_error("Erlang", selector, "Expected a Pid or an actor")


def _self(runtime: Runtime, _arguments: tuple[object, ...]) -> Pid:
    system = actors_of(runtime)
    return system.classes.pid_of(system.scheduler.current)


def _send(runtime: Runtime, arguments: tuple[object, ...]) -> object:
    system = actors_of(runtime)
    target = _process(system, arguments[0], "send:msg:")
    if target is not None:
        system.send_raw(target, arguments[1])
    return arguments[1]


def _send_after(runtime: Runtime, arguments: tuple[object, ...]) -> Reference:
    system = actors_of(runtime)
    delay, destination, term = arguments
    seconds = expect.natural(delay, "Erlang", "send_after:dest:msg:") / 1000
    target = _process(system, destination, "send_after:dest:msg:")
    if target is not None:
        system.scheduler.after(seconds, lambda: system.send_raw(target, term))
    return system.make_reference()


def _monitor(runtime: Runtime, arguments: tuple[object, ...]) -> Reference:
    system = actors_of(runtime)
    target = _process(system, arguments[1], "monitor:arg:")
    if target is None:
        return ending.monitor_gone(system, arguments[1])
    return ending.monitor(system, target)


def _unlink(runtime: Runtime, arguments: tuple[object, ...]) -> bool:
    system = actors_of(runtime)
    target = _process(system, arguments[0], "unlink:")
    if target is not None:
        unlink(system.scheduler.current, target)
    return True


def _list_to_binary(runtime: Runtime, arguments: tuple[object, ...]) -> object:
    answer: object = runtime.send(runtime.existing_class("Binary"), "fromBytes:", arguments[0])
    return answer


def _hd(_runtime: Runtime, arguments: tuple[object, ...]) -> object:
    elements = arguments[0]
    if not isinstance(elements, BtList) or not len(elements):
        raise expect.argument_error("Erlang", "hd:")
    return elements[0]


def _maps_get(runtime: Runtime, arguments: tuple[object, ...]) -> object:
    key, source = arguments
    if not isinstance(source, BtDictionary):
        answer: object = runtime.send(source, "fieldAt:", key)
        return answer
    found = source.at(key, _MISSING)
    if found is _MISSING:
        text = f"key not found: {runtime.print_string(key)}"
        raise BeamtalkError("key_error", text, class_name="Erlang", selector="get:with:")
    return found


_FUNCTIONS: Final[Mapping[tuple[str, str], Call]] = {
    ("erlang", "self"): _self,
    ("erlang", "send:msg:"): _send,
    ("erlang", "send_after:dest:msg:"): _send_after,
    ("erlang", "monitor:arg:"): _monitor,
    ("erlang", "unlink:"): _unlink,
    ("erlang", "list_to_binary:"): _list_to_binary,
    ("erlang", "hd:"): _hd,
    ("maps", "get:with:"): _maps_get,
}
