"""The global objects of a workspace: `Workspace`, `Beamtalk`, `Transcript` (workspace.md 2.4 to 2.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.dataclass import dataclass

if TYPE_CHECKING:
    from workspace.workspace import Workspace

PROTECTED_NAMES = frozenset({"Transcript", "Beamtalk", "Workspace"})


@dataclass(frozen=True, slots=True, eq=False)
class WorkspaceObject:
    """`Workspace`."""

    workspace: Workspace


@dataclass(frozen=True, slots=True, eq=False)
class BeamtalkObject:
    """`Beamtalk`."""

    workspace: Workspace


@dataclass(frozen=True, slots=True, eq=False)
class ChangeLogObject:
    """`Workspace changes`."""

    workspace: Workspace


def singletons(workspace: Workspace) -> dict[str, object]:
    """The global names that no program may rebind. The transcript is an actor like any other."""
    found: dict[str, object] = {
        "Workspace": WorkspaceObject(workspace),
        "Beamtalk": BeamtalkObject(workspace),
    }
    stream = workspace.runtime.class_named("TranscriptStream")
    if stream is not None:
        found["Transcript"] = workspace.runtime.send(stream, "spawn")
        workspace.runtime.send(stream, "current:", found["Transcript"])
    return found
