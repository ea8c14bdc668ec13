"""Where each variable of a unit lives: names of Python locals, cells and the session's dict.

Comes in: the scopes of `lang/semantics/scopes.py`. Guarantees: each binding has a
Python name of its own within the unit; a function that assigns a variable of an outer
one declares it nonlocal. Leaves: what is inlined to `lang/codegen/control.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lang.ast import nodes as ast
from lang.dataclass import dataclass, field
from lang.semantics.scopes import Scope

SELF: Final = "self"
"""The Python name of the receiver."""


class PythonFunction:
    """A Python function being built: the method, a real block, or a loop body with cells of its own."""

    __slots__ = ("is_activation", "nonlocals", "steady", "tested")

    def __init__(self, *, is_activation: bool) -> None:
        self.is_activation = is_activation
        """Whether it runs in the method's own process for sure: the method and loop bodies, no real block."""
        self.nonlocals: set[str] = set()
        self.steady: set[str] = set()
        """Parameters that nothing assigns: whether one is an Integer is asked once, at the start."""
        self.tested: set[str] = set()
        """Those of them that the code asks about."""


@dataclass(slots=True)
class Local:
    """A variable as a Python name. A volatile one may be assigned while other code of its frame waits."""

    python_name: str
    owner: PythonFunction
    is_volatile: bool
    is_integer: bool = False


@dataclass(frozen=True, slots=True)
class SessionVariable:
    """A variable in the dict that a prompt input is called with."""

    name: str


Place = Local | SessionVariable


@dataclass(slots=True)
class Frame:
    """The places of one scope that is being lowered."""

    scope: Scope
    places: dict[str, Place] = field(default_factory=dict)


class Variables:
    """The scopes around the code that is being lowered, innermost last."""

    def __init__(self, root: Scope, is_inlined: Callable[[ast.Block], bool]) -> None:
        self._scopes = root.by_node()
        self._is_inlined = is_inlined
        self._frames: list[Frame] = []
        self._used: dict[str, int] = {}

    def scope_of(self, node: ast.Block | ast.MatchArm) -> Scope:
        """The scope that a node opens."""
        return self._scopes[id(node)]

    def enter(self, scope: Scope, owner: PythonFunction, *, session: bool = False) -> list[Local]:
        """Open a scope; answers the places that must exist, as nil, before they are assigned."""
        frame = Frame(scope)
        early: list[Local] = []
        assigned_inside = self._assigned_in_blocks(scope)
        for binding in scope.bindings:
            if session:
                frame.places[binding.name] = SessionVariable(binding.name)
                continue
            place = Local(self._fresh(binding.name), owner, binding.name in assigned_inside)
            frame.places[binding.name] = place
            if binding.is_early:
                early.append(place)
        self._frames.append(frame)
        return early

    def leave(self) -> None:
        """Close the innermost scope."""
        self._frames.pop()

    def place(self, name: str) -> Place | None:
        """Where a name lives; None when no scope binds it."""
        for frame in reversed(self._frames):
            found = frame.places.get(name)
            if found is not None:
                return found
        return None

    def _assigned_in_blocks(self, scope: Scope, *, is_in_block: bool = False) -> frozenset[str]:
        """Names that real blocks inside a scope assign, whoever binds them."""
        found: set[str] = set()
        for child in scope.children:
            is_block = isinstance(child.node, ast.Block) and not self._is_inlined(child.node)
            if is_in_block or is_block:
                found |= child.assigned
            found |= self._assigned_in_blocks(child, is_in_block=is_in_block or is_block)
        return frozenset(found)

    def _fresh(self, name: str) -> str:
        count = self._used.get(name, 0)
        self._used[name] = count + 1
        return name if count == 0 else f"{name}'{count}"


def is_reassigned(scope: Scope, name: str) -> bool:
    """Whether a scope or one inside it assigns a name."""
    return name in scope.assigned or any(is_reassigned(child, name) for child in scope.children)
