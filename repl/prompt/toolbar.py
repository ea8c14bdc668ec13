"""The line below the prompt (workspace.md 3.8).

Comes in: facts that others published. Guarantees: a pure function of them. Leaves: when they are
asked for to `watching` and `image`.
"""

from __future__ import annotations

from lang.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Facts:
    """What the evaluator says of the image."""

    project: str | None = None
    pending: int = 0
    destructive: int = 0
    actors: int = 0
    is_read_only: bool = False
    is_without_host: bool = False


@dataclass(frozen=True, slots=True)
class Surrounding:
    """What was found in the project's folder: the branch with its state, and files that changed."""

    branch: str = ""
    is_dirty: bool = False
    changed_files: int = 0


def toolbar_text(facts: Facts, around: Surrounding, activity: str) -> str:
    """`orchard  git:main*  2 pending (+1 destructive)  3 actors  1 file changed on disk`."""
    parts = [facts.project or "no project"]
    if around.branch:
        parts.append(f"git:{around.branch}{'*' if around.is_dirty else ''}")
    if facts.pending or facts.destructive:
        destructive = f" (+{facts.destructive} destructive)" if facts.destructive else ""
        parts.append(f"{facts.pending} pending{destructive}")
    if facts.actors:
        parts.append(f"{facts.actors} actor{'s' if facts.actors != 1 else ''}")
    if around.changed_files:
        parts.append(f"{around.changed_files} file{'s' if around.changed_files != 1 else ''} changed on disk")
    if facts.is_read_only:
        parts.append("read-only")
    if facts.is_without_host:
        parts.append("no-ffi")
    return "  ".join([*parts, *([activity] if activity else [])])
