"""What `--no-ffi` takes away (workspace.md 8.4).

Comes in: a primitive that is about to be linked. Guarantees: under `HostAccess.FORBIDDEN` every
primitive that reaches the host is linked to a refusal, and nothing that a program can do links it
anew. Leaves: time and size limits, and the confirmations of a workspace, to whoever opens it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from lang.runtime.classes import Function
from lang.runtime.errors import BeamtalkError
from lang.runtime.symbols import Symbol
from lang.stdlib.services import HostAccess, services_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

_WHOLE_CLASSES: Final = frozenset(
    {"Python", "PythonModule", "PythonObject", "PythonInThread", "File", "FileHandle", "OS"}
    | {"Subprocess", "ReactiveSubprocess", "Port", "WorkspaceGit"}
)
_METHODS: Final = frozenset(
    {
        *(("System", s) for s in ("getEnv:", "getEnv:default:", "setEnv:value:", "unsetEnv:")),
        *(("System", s) for s in ("halt", "halt:")),
        *(("Program", s) for s in ("exit", "exit:")),
        *(
            ("WorkspaceInterface", s)
            for s in ("flush", "flush:", "flush:confirmDestructive:", "flush:force:")
        ),
        *(
            ("WorkspaceInterface", s)
            for s in ("flush:confirmDestructive:force:", "flushIncludingDestructive")
        ),
        *(("WorkspaceInterface", s) for s in ("autoflush:", "moveClass:to:", "newClass:at:")),
        *(("ChangeLog", s) for s in ("flushKinds:", "flushKinds:confirmDestructive:")),
    }
)
_GATEWAY: Final = "moduleFor:arguments:"
"""What `Python math` runs: the message that was sent is its argument."""


def refusal(runtime: Runtime, class_name: str, selector: str) -> Function | None:
    """What stands for a primitive that may not run; None for one that may."""
    if services_of(runtime).host_access is HostAccess.ALLOWED:
        return None
    if class_name not in _WHOLE_CLASSES and (class_name, selector) not in _METHODS:
        return None

    def refuse(_receiver: object, *arguments: object) -> NoReturn:
        sent = arguments[0] if selector == _GATEWAY else None
        raise forbidden(class_name, sent.name if isinstance(sent, Symbol) else selector)

    return refuse


def forbidden(class_name: str, selector: str) -> BeamtalkError:
    """The error of what `--no-ffi` takes away."""
    return BeamtalkError(
        "permission_denied",
        f"{class_name} '{selector}': forbidden by --no-ffi",
        class_name=class_name,
        selector=selector,
    )
