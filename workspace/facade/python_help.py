"""Help on modules and functions of Python, for `Beamtalk pythonHelp:` (workspace.md 2.5)."""

from __future__ import annotations

import importlib
import inspect

from lang.runtime.errors import BeamtalkError
from lang.runtime.symbols import Symbol
from lang.stdlib.host_access import forbidden
from lang.stdlib.services import HostAccess, services_of
from workspace.workspace import Workspace


def python_help(workspace: Workspace, module: object, selector: str) -> str:
    """The documentation of a module, and the functions that it offers."""
    name = _text(module, selector)
    found = _module(workspace, name, selector)
    functions = sorted(n for n, value in vars(found).items() if callable(value) and not n.startswith("_"))
    return "\n".join([f"== Python {name} ==", inspect.getdoc(found) or "", "", *functions])


def python_help_on(workspace: Workspace, module: object, function: object, selector: str) -> str:
    """The signature and documentation of one function or value of a module."""
    name, wanted = _text(module, selector), _text(function, selector).partition(":")[0]
    found = vars(_module(workspace, name, selector)).get(wanted)
    if found is None:
        raise BeamtalkError(
            "not_found", f"{name}.{wanted} not found", class_name="Beamtalk", selector=selector
        )
    return "\n".join([f"== Python {name} {wanted}{_signature(found)} ==", inspect.getdoc(found) or ""])


def _module(workspace: Workspace, name: str, selector: str) -> object:
    if services_of(workspace.runtime).host_access is HostAccess.FORBIDDEN:
        raise forbidden("Beamtalk", selector)
    try:
        return importlib.import_module(name)
    except Exception as fault:
        message = f"Python module '{name}' not found"
        raise BeamtalkError("not_found", message, class_name="Beamtalk", selector=selector) from fault


def _signature(value: object) -> str:
    if not callable(value):
        return ""
    try:
        return str(inspect.signature(value))
    except (TypeError, ValueError):
        return "(…)"


def _text(value: object, selector: str) -> str:
    if isinstance(value, Symbol):
        return value.name
    if type(value) is str:
        return value
    raise BeamtalkError(
        "type_error", f"{selector} expects a String", class_name="Beamtalk", selector=selector
    )
