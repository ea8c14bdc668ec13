"""Supervisors and processes as `Workspace` tells them (workspace.md 2.4; actors.md 13.5)."""

from __future__ import annotations

from lang.runtime.classes import ClassObject
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.processes.child_specs import is_supervisor_class
from lang.runtime.processes.navigation import Snapshot
from lang.runtime.processes.supervision import Supervision
from workspace.facade.values import beamtalk_list
from workspace.workspace import Workspace

_CLASS = "WorkspaceInterface"


class SupervisorPrimitives:
    """Starts, stops and lists the supervisors that are attached to one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._actors = workspace.image.actors
        self._attached: list[Supervision] = []

    def add_to(self, table: PrimitiveTable) -> None:
        """Add the primitives to the table of WorkspaceInterface."""
        actors = self._actors
        table.primitive("processes")(lambda _self: Snapshot(actors).of_applications())
        table.primitive("supervisor")(lambda _self: self.root())
        table.primitive("supervisors")(lambda _self: beamtalk_list(self.all()))
        table.primitive("startSupervisor:")(lambda _self, wanted: self.start(wanted))
        table.primitive("stopSupervisor:")(lambda _self, wanted: self.stop(wanted))

    def root(self) -> object:
        """The running supervisor that the manifest names, or nil."""
        project = self._workspace.project
        name = None if project is None else project.manifest.supervisor
        class_object = None if name is None else self._workspace.runtime.class_named(name)
        running = None if class_object is None else self._actors.supervisors.running(class_object)
        return None if running is None else running.reference

    def all(self) -> list[object]:
        """The root first, then the attached ones in the order of their start."""
        root = self.root()
        attached = [each.reference for each in self._live() if each.reference is not root]
        return [*([] if root is None else [root]), *attached]

    def start(self, wanted: object) -> object:
        """Start a supervisor and attach it; one that is attached already stays as it is."""
        class_object = _supervisor_class(wanted)
        for each in self._live():
            if each.class_object is class_object:
                return each.reference
        if self._actors.supervisors.running(class_object) is not None:
            text = f"{class_object.name} is already running; stop it first, then attach to the workspace"
            raise BeamtalkError("runtime_error", text, class_name=_CLASS, selector="startSupervisor:")
        result = self._workspace.runtime.send(class_object, "supervise")
        reference = self._workspace.runtime.send(result, "unwrap")
        self._attached.append(self._actors.supervisors.of(reference))
        return reference

    def stop(self, wanted: object) -> None:
        """Detach a supervisor and stop it with its children."""
        for each in self._live():
            if each.class_object is wanted:
                self._attached.remove(each)
                each.stop()
                return
        name = self._workspace.runtime.display_string(wanted)
        text = f"{name} is not attached to the workspace"
        raise BeamtalkError("runtime_error", text, class_name=_CLASS, selector="stopSupervisor:")

    def _live(self) -> list[Supervision]:
        self._attached = [each for each in self._attached if not each.process.dead]
        return self._attached


def _supervisor_class(wanted: object) -> ClassObject:
    if not isinstance(wanted, ClassObject):
        raise BeamtalkError(
            "type_error", "Expected a Supervisor class", class_name=_CLASS, selector="startSupervisor:"
        )
    if not is_supervisor_class(wanted):
        text = f"{wanted.name} is not a Supervisor or DynamicSupervisor subclass"
        raise BeamtalkError("type_error", text, class_name=_CLASS, selector="startSupervisor:")
    return wanted
