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


@LOGGER.runtime_primitive("info:", class_side=True)
def info(runtime: Runtime, _self: object, message: object) -> None:
    _log(runtime, "info", message, EMPTY_DICTIONARY, "info:")


@LOGGER.runtime_primitive("info:metadata:", class_side=True)
def info_metadata(runtime: Runtime, _self: object, message: object, meta: object) -> None:
    _log(runtime, "info", message, meta, "info:metadata:")


@LOGGER.runtime_primitive("warn:", class_side=True)
def warn(runtime: Runtime, _self: object, message: object) -> None:
    _log(runtime, "warn", message, EMPTY_DICTIONARY, "warn:")


@LOGGER.runtime_primitive("warn:metadata:", class_side=True)
def warn_metadata(runtime: Runtime, _self: object, message: object, meta: object) -> None:
    _log(runtime, "warn", message, meta, "warn:metadata:")


@LOGGER.runtime_primitive("error:", class_side=True)
def error(runtime: Runtime, _self: object, message: object) -> None:
    _log(runtime, "error", message, EMPTY_DICTIONARY, "error:")


@LOGGER.runtime_primitive("error:metadata:", class_side=True)
def error_metadata(runtime: Runtime, _self: object, message: object, meta: object) -> None:
    _log(runtime, "error", message, meta, "error:metadata:")


@LOGGER.runtime_primitive("debug:", class_side=True)
def debug(runtime: Runtime, _self: object, message: object) -> None:
    _log(runtime, "debug", message, EMPTY_DICTIONARY, "debug:")


@LOGGER.runtime_primitive("debug:metadata:", class_side=True)
def debug_metadata(runtime: Runtime, _self: object, message: object, meta: object) -> None:
    _log(runtime, "debug", message, meta, "debug:metadata:")


def _log(runtime: Runtime, level: str, message: object, meta: object, selector: str) -> None:
    text = expect.text(message, "Logger", selector)
    if not isinstance(meta, BtDictionary):
        raise expect.type_error("Logger", selector, "Expected a Dictionary")
    facts = [
        (print_element(runtime, key), print_element(runtime, value)) for key, value in meta.items_in_order()
    ]
    services = services_of(runtime)
    services.log(LogRecord(services.wall_clock(), level, text, tuple(facts)))
