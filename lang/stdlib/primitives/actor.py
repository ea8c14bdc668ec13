"""Primitives of Actor (actors.md 2, 8, 9, 14); they run at the sender, without the mailbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.blocks import check_block
from lang.runtime.classes import ClassObject
from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes import ending
from lang.runtime.processes.actor_system import actors_of
from lang.runtime.processes.durations import milliseconds_or_self
from lang.runtime.processes.names import NamedProxy
from lang.runtime.processes.pid import Pid, Reference
from lang.runtime.processes.spawning import spawn, values_of
from lang.runtime.symbols import Symbol, symbol

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

ACTOR = PrimitiveTable("Actor")


@ACTOR.runtime_primitive("spawn", class_side=True)
def spawn_actor(runtime: Runtime, self: ClassObject) -> ActorObject:
    return spawn(actors_of(runtime), self)


@ACTOR.runtime_primitive("spawnWith:", class_side=True)
def spawn_with(runtime: Runtime, self: ClassObject, values: object) -> ActorObject:
    return spawn(actors_of(runtime), self, values_of(self, values, "spawnWith:"), "spawnWith:")


@ACTOR.primitive("new", class_side=True)
def new(self: ClassObject) -> object:
    raise _use_instead(self, "new", "spawn")


@ACTOR.primitive("new:", class_side=True)
def new_with(self: ClassObject, values: object) -> object:
    raise _use_instead(self, "new:", "spawnWith:")


def _use_instead(class_object: ClassObject, selector: str, instead: str) -> BeamtalkError:
    return BeamtalkError(
        "instantiation_error",
        class_name=class_object.name,
        selector=selector,
        hint=f"Use {instead} instead",
    )


@ACTOR.runtime_primitive("spawnAs:", class_side=True)
def spawn_as(runtime: Runtime, self: ClassObject, name: object) -> object:
    return _spawn_named(runtime, self, {}, name, "spawnAs:")


@ACTOR.runtime_primitive("spawnWith:as:", class_side=True)
def spawn_with_as(runtime: Runtime, self: ClassObject, values: object, name: object) -> object:
    try:
        slots = values_of(self, values, "spawnWith:as:")
    except BeamtalkError as error:
        return runtime.make_result_error(error)
    return _spawn_named(runtime, self, slots, name, "spawnWith:as:")


def _spawn_named(
    runtime: Runtime, class_object: ClassObject, values: dict[str, object], name: object, selector: str
) -> object:
    system = actors_of(runtime)
    refusal = system.names.refusal(name, class_object.name, selector)
    if refusal is not None or type(name) is not Symbol:
        return runtime.make_result_error(refusal)
    try:
        return runtime.make_result_ok(spawn(system, class_object, values, selector, name.name))
    except BeamtalkError as error:
        return runtime.make_result_error(error)


@ACTOR.runtime_primitive("named:", class_side=True)
def named(runtime: Runtime, self: ClassObject, name: object) -> object:
    found = actors_of(runtime).names.proxy_for(name, self)
    if isinstance(found, BeamtalkError):
        return runtime.make_result_error(found)
    return runtime.make_result_ok(found)


@ACTOR.runtime_primitive("allRegistered", class_side=True)
def all_registered(runtime: Runtime, self: ClassObject) -> BtList:
    return list_from(actors_of(runtime).names.all())


@ACTOR.runtime_primitive("registerAs:")
def register_as(runtime: Runtime, self: ActorObject, name: object) -> object:
    system = actors_of(runtime)
    process = system.process_of(self, "registerAs:")
    if process.dead:
        raise system.scheduler.faults.actor_dead("registerAs:", process)
    class_name = self.class_object.name
    refusal = system.names.refusal(name, class_name, "registerAs:")
    if refusal is not None or type(name) is not Symbol:
        return runtime.make_result_error(refusal)
    held = system.names.name_of(self)
    if held is not None:
        hint = f"The actor is registered as #{held} already."
        error = BeamtalkError("type_error", class_name=class_name, selector="registerAs:", hint=hint)
        return runtime.make_result_error(error)
    system.names.take(name.name, self)
    return runtime.make_result_ok(self)


@ACTOR.runtime_primitive("unregister")
def unregister(runtime: Runtime, self: ActorObject) -> Symbol:
    names = actors_of(runtime).names
    name = names.name_of(self)
    if name is not None:
        names.free(name)
    return symbol("ok")


@ACTOR.runtime_primitive("registeredName")
def registered_name(runtime: Runtime, self: ActorObject) -> Symbol | None:
    name = actors_of(runtime).names.name_of(self)
    return None if name is None else symbol(name)


@ACTOR.runtime_primitive("isRegistered")
def is_registered(runtime: Runtime, self: ActorObject) -> bool:
    return actors_of(runtime).names.name_of(self) is not None


@ACTOR.runtime_primitive("withTimeout:")
def with_timeout(runtime: Runtime, self: ActorObject, timeout: object) -> ActorObject:
    system = actors_of(runtime)
    values = {"target": self, "timeoutMs": milliseconds_or_self(runtime, timeout)}
    proxy = spawn(system, runtime.existing_class("TimeoutProxy"), values, "withTimeout:")
    # The target's limit is the proxy's own affair: whoever asks the proxy waits as long as that takes.
    proxy.process.patience = None
    return proxy


@ACTOR.primitive("delegate")
def delegate(self: ActorObject) -> object:
    raise BeamtalkError(
        "signal",
        f"'delegate' was sent to a non-native actor: {self.class_object.name}",
        class_name=self.class_object.name,
        selector="delegate",
    )


@ACTOR.runtime_primitive("pid")
def pid(runtime: Runtime, self: ActorObject) -> Pid:
    return actors_of(runtime).process_of(self, "pid").pid


@ACTOR.runtime_primitive("monitor")
def monitor(runtime: Runtime, self: ActorObject) -> Reference:
    system = actors_of(runtime)
    return ending.monitor(system, system.process_of(self, "monitor"))


@ACTOR.runtime_primitive("onExit:")
def on_exit(runtime: Runtime, self: ActorObject, block: object) -> object:
    system = actors_of(runtime)
    check_block(block, 1, "onExit:", self.class_object.name)
    return ending.on_exit(system, system.process_of(self, "onExit:"), block)  # type: ignore[arg-type]


@ACTOR.runtime_primitive("stop")
def stop(runtime: Runtime, self: ActorObject) -> object:
    return ending.stop(actors_of(runtime), self)


@ACTOR.runtime_primitive("kill")
def kill(runtime: Runtime, self: ActorObject) -> object:
    return ending.kill(actors_of(runtime), self)


@ACTOR.runtime_primitive("isAlive")
def is_alive(runtime: Runtime, self: ActorObject) -> bool:
    return actors_of(runtime).is_alive(self)


@ACTOR.primitive("printString")
def print_string(self: ActorObject) -> str:
    name = NamedProxy.name_of(self)
    where = str(self.process.pid) if name is None else f"registered, {name}"
    return f"Actor({self.class_object.name}, {where})"
