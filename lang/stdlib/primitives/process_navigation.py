"""Primitives of ProcessNavigation (actors.md 13.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.actor_system import ActorSystem, actors_of
from lang.runtime.processes.navigation import LISTED_CHILDREN, Navigator, ProcessTree, Snapshot
from lang.runtime.processes.pid import Pid
from lang.runtime.processes.process import Process
from lang.stdlib import arguments as expect

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

PROCESS_NAVIGATION = PrimitiveTable("ProcessNavigation")


@PROCESS_NAVIGATION.runtime_primitive("default", class_side=True)
def default(runtime: Runtime, self: ClassObject) -> Navigator:
    return Navigator(Snapshot(actors_of(runtime)).of_applications())


@PROCESS_NAVIGATION.runtime_primitive("system", class_side=True)
def system(runtime: Runtime, self: ClassObject) -> Navigator:
    return Navigator(Snapshot(actors_of(runtime)).of_everything())


@PROCESS_NAVIGATION.runtime_primitive("from:", class_side=True)
def from_root(runtime: Runtime, self: ClassObject, root: object) -> object:
    return _from(runtime, root, LISTED_CHILDREN, "from:")


@PROCESS_NAVIGATION.runtime_primitive("from:limit:", class_side=True)
def from_root_limited(runtime: Runtime, self: ClassObject, root: object, limit: object) -> object:
    return _from(runtime, root, expect.natural(limit, "ProcessNavigation", "from:limit:"), "from:limit:")


def _from(runtime: Runtime, root: object, limit: int, selector: str) -> object:
    actors = actors_of(runtime)
    try:
        process = _process(actors, root, selector)
    except BeamtalkError as refusal:
        return runtime.make_result_error(refusal)
    return runtime.make_result_ok(Navigator(Snapshot(actors, limit).below(process)))


def _process(actors: ActorSystem, root: object, selector: str) -> Process:
    supervision = actors.supervisors.find(root)
    process: Process | None
    if supervision is not None:
        process = supervision.process
    elif isinstance(root, ActorObject):
        process = actors.process_of(root, selector)
    elif isinstance(root, Pid):
        process = actors.scheduler.processes.find(root)
    else:
        raise expect.type_error("ProcessNavigation", selector, "Expected a supervisor, an actor or a Pid")
    if process is None or process.dead:
        hint = "The process has ended."
        raise BeamtalkError("stale_handle", class_name="ProcessNavigation", selector=selector, hint=hint)
    return process


@PROCESS_NAVIGATION.primitive("tree")
def tree(self: Navigator) -> ProcessTree:
    return self.tree
