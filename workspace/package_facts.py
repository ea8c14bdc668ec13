"""What the classes `Package` and `Workspace` tell of the project's packages (workspace.md 2.6; stdlib.md 4.19).

Comes in: a workspace. Guarantees: the project first, then the dependencies that are loaded. Leaves: which classes
each has, to the image.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lang.deferred import deferred
from workspace.project import Project

if TYPE_CHECKING:
    from lang.stdlib import packages
    from lang.stdlib.packages import PackageFacts
    from workspace.workspace import Workspace
else:
    packages = deferred("lang.stdlib.packages")


def package_facts(workspace: Workspace) -> Iterator[PackageFacts]:
    """The packages of a workspace, as their manifests tell them."""
    if workspace.project is None:
        return
    yield _facts(workspace.project)
    dependencies = workspace.loader.dependencies
    if dependencies is not None and dependencies.resolved is not None:
        for each in dependencies.resolved.dependencies:
            yield _facts(each.project)


def _facts(project: Project) -> PackageFacts:
    manifest = project.manifest
    needs = tuple(each.name for each in manifest.dependencies)
    return packages.PackageFacts(manifest.name, manifest.version, (), needs, str(project.root))
