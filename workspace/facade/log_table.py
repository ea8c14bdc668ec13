"""Log settings of `Beamtalk` (workspace.md 2.5).

Guarantees: a level that is set is answered as it was set; the log file follows it. Leaves: what
is logged. Parts of the system that could be watched one by one, as the original has them, do not
exist here: there are no debug targets, and every one that is named is unknown.
"""

from __future__ import annotations

from typing import Final

from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol, symbol
from workspace.facade.values import beamtalk_list
from workspace.runtime_log import Level, LineFormat
from workspace.workspace import Workspace

_LEVELS: Final = {
    "all": Level.DEBUG,
    "debug": Level.DEBUG,
    "info": Level.INFO,
    "notice": Level.WARN,
    "warning": Level.WARN,
    "error": Level.ERROR,
    "critical": Level.NONE,
    "alert": Level.NONE,
    "emergency": Level.NONE,
    "none": Level.NONE,
}
"""The original's levels; records here are of four, so that some of them mean the same."""


class LogSettings:
    """The log settings of one workspace, as programs set them."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._level = "warning"

    def add_to(self, table: PrimitiveTable) -> None:
        """Put the messages into the table of BeamtalkInterface."""
        table.primitive("logLevel")(lambda _self: symbol(self._level))
        table.primitive("logLevel:")(lambda _self, level: self.set_level(level))
        table.primitive("logFormat")(lambda _self: symbol(self._workspace.runtime_log.line_format.value))
        table.primitive("logFormat:")(lambda _self, form: self.set_format(form))
        table.primitive("loggerInfo")(lambda _self: self.info())
        table.primitive("debugTargets")(lambda _self: beamtalk_list(()))
        table.primitive("activeDebugTargets")(lambda _self: beamtalk_list(()))
        table.primitive("enableDebug:")(lambda _self, target: self.refuse(target, "enableDebug:"))
        table.primitive("disableDebug:")(lambda _self, target: self.refuse(target, "disableDebug:"))
        table.primitive("disableAllDebug")(lambda _self: None)

    def set_level(self, level: object) -> None:
        """Log records of this level and above."""
        name = _name(level, _LEVELS, "logLevel:")
        self._level = name
        self._workspace.runtime_log.threshold = _LEVELS[name]

    def set_format(self, form: object) -> None:
        """Write lines of JSON or of text."""
        name = _name(form, {each.value: each for each in LineFormat}, "logFormat:")
        self._workspace.runtime_log.line_format = LineFormat(name)

    def info(self) -> str:
        """Level, format and place of the log, a line each."""
        log = self._workspace.runtime_log
        place = str(log.path) if log.path is not None else "none"
        return f"level: {self._level}\nformat: {log.line_format.value}\nfile: {place}"

    def refuse(self, target: object, selector: str) -> None:
        """There is no such target."""
        named = self._workspace.runtime.print_string(target)
        raise BeamtalkError(
            "argument_error",
            f"{named} is no debug target",
            class_name="Beamtalk",
            selector=selector,
            hint="This host has no debug targets. Use Beamtalk logLevel: #debug.",
        )


def _name(value: object, known: dict[str, Level] | dict[str, LineFormat], selector: str) -> str:
    if isinstance(value, Symbol) and value.name in known:
        return value.name
    listed = ", ".join(f"#{each}" for each in known)
    raise BeamtalkError(
        "argument_error", f"{selector} expects one of {listed}", class_name="Beamtalk", selector=selector
    )
