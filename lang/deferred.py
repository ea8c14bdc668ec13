"""Modules that are imported when something of them is first used.

Comes in: the name of a module. Guarantees: what stands for the module answers its attributes as the module
does, from any thread (the import lock of Python orders them). Leaves: which imports are worth it; only
start-up decides that, and `tests/repl/test_start_imports.py` says what must not be imported.

The type checker sees the import itself:

    if TYPE_CHECKING:
        from lang.ast import nodes as ast
    else:
        ast = deferred("lang.ast.nodes")
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


class DeferredModule:
    """Stands for a module; the first attribute that is asked for imports it."""

    __slots__ = ("_module", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._module: ModuleType | None = None

    def __getattr__(self, attribute: str) -> object:
        module = self._module
        if module is None:
            module = self._module = import_module(self._name)
        value: object = getattr(module, attribute)
        return value

    def __repr__(self) -> str:
        return f"<deferred {self._name}>"


def deferred(name: str) -> DeferredModule:
    """The module of that name, imported when something of it is first used."""
    return DeferredModule(name)
