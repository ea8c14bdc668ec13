"""Primitives of Logger (stdlib.md 4.14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.collections.mappings import EMPTY_DICTIONARY, BtDictionary
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.printing import print_element
from lang.stdlib import arguments as expect
from lang.stdlib.services import LogRecord, services_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

LOGGER = PrimitiveTable("Logger")


def _add(level: str) -> None:
    """The two messages of a level."""

    @LOGGER.runtime_primitive(f"{level}:", class_side=True)
    def log(runtime: Runtime, _self: object, message: object) -> None:
        _log(runtime, level, message, EMPTY_DICTIONARY, f"{level}:")

    @LOGGER.runtime_primitive(f"{level}:metadata:", class_side=True)
    def log_with_facts(runtime: Runtime, _self: object, message: object, meta: object) -> None:
        _log(runtime, level, message, meta, f"{level}:metadata:")


for _level in ("debug", "info", "warn", "error"):
    _add(_level)


def _log(runtime: Runtime, level: str, message: object, meta: object, selector: str) -> None:
    text = expect.text(message, "Logger", selector)
    if not isinstance(meta, BtDictionary):
        raise expect.type_error("Logger", selector, "Expected a Dictionary")
    facts = [
        (print_element(runtime, key), print_element(runtime, value)) for key, value in meta.items_in_order()
    ]
    services = services_of(runtime)
    services.log(LogRecord(services.wall_clock(), level, text, tuple(facts)))
