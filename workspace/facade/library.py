"""The facade's classes: their primitive tables, and the Python types of their instances.

Comes in: a workspace. Guarantees: the table of a class is made, and its module imported, when a method of the
class is first run: a program that never asks for its workspace imports none of what changes it. Leaves:
binding the primitives to the loader of the library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from lang.deferred import deferred
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.runtime import Runtime
from workspace.facade.singletons import BeamtalkObject, WorkspaceObject

if TYPE_CHECKING:
    from workspace.facade import (
        behaviour,
        changes_table,
        entries,
        flush_tables,
        git_table,
        navigation_table,
        previews,
        session_tables,
        workspace_table,
    )
    from workspace.workspace import Workspace
else:
    behaviour = deferred("workspace.facade.behaviour")
    changes_table = deferred("workspace.facade.changes_table")
    entries = deferred("workspace.facade.entries")
    flush_tables = deferred("workspace.facade.flush_tables")
    git_table = deferred("workspace.facade.git_table")
    navigation_table = deferred("workspace.facade.navigation_table")
    previews = deferred("workspace.facade.previews")
    session_tables = deferred("workspace.facade.session_tables")
    workspace_table = deferred("workspace.facade.workspace_table")

_HOST_TYPES: Final[Mapping[str, str]] = {
    "workspace.facade.singletons.WorkspaceObject": "WorkspaceInterface",
    "workspace.facade.singletons.BeamtalkObject": "BeamtalkInterface",
    "workspace.facade.singletons.ChangeLogObject": "ChangeLog",
    "workspace.facade.entries.EntryObject": "ChangeEntry",
    "workspace.facade.entries.SiteObject": "ChangeSite",
    "workspace.facade.flush_tables.FlushResultObject": "FlushResult",
    "workspace.facade.flush_tables.FlushPlanObject": "FlushPlan",
    "workspace.facade.previews.PreviewObject": "RenamePreview",
    "workspace.facade.git_table.GitObject": "WorkspaceGit",
    "workspace.sessions.Session": "Session",
    "workspace.facade.session_tables.BindingsObject": "BindingsView",
    "workspace.facade.navigation_table.NavigationObject": "SystemNavigation",
}

HOST_NAMES: Final = frozenset(_HOST_TYPES.values())
"""The facade's classes whose instances are Python objects."""

_TABLES: Final[Mapping[str, Callable[[Workspace], PrimitiveTable]]] = {
    "Behaviour": lambda workspace: behaviour.BehaviourChanges(workspace).table(),
    "WorkspaceInterface": lambda workspace: workspace_table.WorkspacePrimitives(workspace).table(),
    "BeamtalkInterface": lambda workspace: workspace_table.BeamtalkPrimitives(workspace).table(),
    "ChangeLog": lambda workspace: changes_table.ChangeLogPrimitives(workspace).log_table(),
    "ChangeEntry": lambda workspace: changes_table.ChangeLogPrimitives(workspace).entry_table(),
    "ChangeSite": lambda _workspace: entries.site_table(),
    "FlushResult": lambda _workspace: flush_tables.flush_result_table(),
    "FlushPlan": lambda workspace: flush_tables.flush_plan_table(
        git_table.GitObject(workspace).never_committed
    ),
    "RenamePreview": lambda _workspace: previews.preview_table(),
    "WorkspaceGit": lambda _workspace: git_table.git_table(),
    # Not the functions themselves: that would import their modules now.
    "Session": lambda workspace: session_tables.session_table(workspace),  # noqa: PLW0108
    "BindingsView": lambda workspace: session_tables.bindings_table(workspace),  # noqa: PLW0108
    "SystemNavigation": lambda workspace: navigation_table.NavigationPrimitives(workspace).table(),
}
"""How the table of a class is made for a workspace."""


def facade_tables(workspace: Workspace) -> Callable[[str], PrimitiveTable | None]:
    """Finds the table of a facade class for one workspace, by class name; each is made once."""

    @cache
    def table_of(class_name: str) -> PrimitiveTable | None:
        make = _TABLES.get(class_name)
        return None if make is None else make(workspace)

    return table_of


def bind_host_types(runtime: Runtime) -> None:
    """Make the Python types of the facade instances of its classes."""
    for type_name, name in _HOST_TYPES.items():
        runtime.types.bind_host_named(type_name, runtime.existing_class(name))
    runtime.known_as[WorkspaceObject] = "Workspace"
    runtime.known_as[BeamtalkObject] = "Beamtalk"
