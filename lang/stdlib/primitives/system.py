"""Primitives of System (stdlib.md 4.13)."""

from __future__ import annotations

import os
import platform
import socket
import sys
from typing import TYPE_CHECKING

from lang.runtime.primitive import PrimitiveTable
from lang.stdlib import arguments as expect
from lang.stdlib.exiting import end_program
from lang.stdlib.services import services_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

SYSTEM = PrimitiveTable("System")


@SYSTEM.runtime_primitive("getEnv:", class_side=True)
def get_env(runtime: Runtime, _self: object, name: object) -> str | None:
    return services_of(runtime).environment.get(_variable(name, "getEnv:"))


@SYSTEM.runtime_primitive("getEnv:default:", class_side=True)
def get_env_default(runtime: Runtime, _self: object, name: object, fallback: object) -> str:
    found = services_of(runtime).environment.get(_variable(name, "getEnv:default:"))
    other = expect.text(fallback, "System", "getEnv:default:")
    return found if found is not None else other


@SYSTEM.runtime_primitive("setEnv:value:", class_side=True)
def set_env(runtime: Runtime, _self: object, name: object, value: object) -> bool:
    variable, text = _variable(name, "setEnv:value:"), expect.text(value, "System", "setEnv:value:")
    if "\0" in text:
        raise expect.type_error("System", "setEnv:value:", "A value has no NUL")
    services_of(runtime).environment[variable] = text
    return True


@SYSTEM.runtime_primitive("unsetEnv:", class_side=True)
def unset_env(runtime: Runtime, _self: object, name: object) -> bool:
    services_of(runtime).environment.pop(_variable(name, "unsetEnv:"), None)
    return True


@SYSTEM.primitive("osPlatform", class_side=True)
def os_platform(_self: object) -> str:
    return sys.platform


@SYSTEM.primitive("osFamily", class_side=True)
def os_family(_self: object) -> str:
    return "win32" if sys.platform == "win32" else "unix"


@SYSTEM.primitive("architecture", class_side=True)
def architecture(_self: object) -> str:
    return platform.machine()


@SYSTEM.primitive("hostname", class_side=True)
def hostname(_self: object) -> str:
    return socket.gethostname()


@SYSTEM.primitive("erlangVersion", class_side=True)
def host_version(_self: object) -> str:
    return f"{platform.python_implementation()} {platform.python_version()}"


@SYSTEM.primitive("pid", class_side=True)
def process_id(_self: object) -> int:
    return os.getpid()


@SYSTEM.runtime_primitive("uniqueId", class_side=True)
def unique_id(runtime: Runtime, _self: object) -> int:
    services = services_of(runtime)
    services.last_unique += 1
    return services.last_unique


@SYSTEM.runtime_primitive("halt", class_side=True)
def halt(runtime: Runtime, _self: object) -> None:
    end_program(runtime, 0, "System", "halt")


@SYSTEM.runtime_primitive("halt:", class_side=True)
def halt_with(runtime: Runtime, _self: object, code: object) -> None:
    end_program(runtime, code, "System", "halt:")


def _variable(name: object, selector: str) -> str:
    variable = expect.text(name, "System", selector)
    if not variable or "=" in variable or "\0" in variable:
        raise expect.type_error("System", selector, "A variable has a name, without '=' and NUL")
    return variable
