"""The facade's classes: their primitive tables, and the Python types of their instances."""

from __future__ import annotations

from lang.runtime.primitive import PrimitiveTable
from lang.runtime.runtime import Runtime
from workspace.facade.behaviour import BehaviourChanges
from workspace.facade.changes_table import ChangeLogPrimitives
from workspace.facade.entries import EntryObject, SiteObject, site_table
from workspace.facade.flush_tables import (
    FlushPlanObject,
    FlushResultObject,
    flush_plan_table,
    flush_result_table,
)
from workspace.facade.git_table import GitObject, git_table
from workspace.facade.navigation_table import NavigationObject, NavigationPrimitives
from workspace.facade.previews import PreviewObject, preview_table
from workspace.facade.session_tables import BindingsObject, bindings_table, session_table
from workspace.facade.singletons import BeamtalkObject, ChangeLogObject, WorkspaceObject
from workspace.facade.workspace_table import BeamtalkPrimitives, WorkspacePrimitives
from workspace.sessions import Session
from workspace.workspace import Workspace

HOST_TYPES: tuple[tuple[type, str], ...] = (
    (WorkspaceObject, "WorkspaceInterface"),
    (BeamtalkObject, "BeamtalkInterface"),
    (ChangeLogObject, "ChangeLog"),
    (EntryObject, "ChangeEntry"),
    (SiteObject, "ChangeSite"),
    (FlushResultObject, "FlushResult"),
    (FlushPlanObject, "FlushPlan"),
    (PreviewObject, "RenamePreview"),
    (GitObject, "WorkspaceGit"),
    (Session, "Session"),
    (BindingsObject, "BindingsView"),
    (NavigationObject, "SystemNavigation"),
)

HOST_NAMES = frozenset(name for _type, name in HOST_TYPES)
"""The facade's classes whose instances are Python objects."""


def facade_tables(workspace: Workspace) -> dict[str, PrimitiveTable]:
    """The tables of all facade classes for one workspace, by class name."""
    changes = ChangeLogPrimitives(workspace)
    tables = (
        BehaviourChanges(workspace).table(),
        WorkspacePrimitives(workspace).table(),
        BeamtalkPrimitives(workspace).table(),
        changes.log_table(),
        changes.entry_table(),
        site_table(),
        flush_result_table(),
        flush_plan_table(GitObject(workspace).never_committed),
        preview_table(),
        git_table(),
        session_table(workspace),
        bindings_table(workspace),
        NavigationPrimitives(workspace).table(),
    )
    return {table.class_name: table for table in tables}


def bind_host_types(runtime: Runtime) -> None:
    """Make the Python types of the facade instances of its classes."""
    for python_type, name in HOST_TYPES:
        runtime.types.bind_host(python_type, runtime.existing_class(name))
    runtime.known_as[WorkspaceObject] = "Workspace"
    runtime.known_as[BeamtalkObject] = "Beamtalk"
