"""What stays of the original host's gateway (stdlib.md 8): modules that portable code uses, by name.

Comes in: a message to a module. Guarantees: the function is the one of its first keyword and its number of
arguments; an argument that it does not take is `argument_error`; a function or module that is not here is
`unsupported`, with the way of this host. Leaves: what functions do to `lang/stdlib/erlang`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from lang.dataclass import dataclass
from lang.runtime.errors import BeamtalkError
from lang.stdlib import arguments as expect
from lang.stdlib.erlang.crypto_functions import CRYPTO
from lang.stdlib.erlang.ets_functions import ETS
from lang.stdlib.erlang.list_functions import LISTS
from lang.stdlib.erlang.map_functions import MAPS
from lang.stdlib.erlang.math_functions import MATH
from lang.stdlib.erlang.process_functions import PROCESSES
from lang.stdlib.erlang.re_functions import RE
from lang.stdlib.erlang.term_functions import ERLANG
from lang.stdlib.erlang.terms import BadArgument, Call, ErlangModule
from lang.stdlib.erlang.text_functions import STRING, UNICODE

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

MODULES: Final[tuple[ErlangModule, ...]] = (
    CRYPTO,
    ERLANG,
    ETS,
    LISTS,
    MAPS,
    MATH,
    PROCESSES,
    RE,
    STRING,
    UNICODE,
)
"""The functions of `erlang` stand in two: on terms, and on processes."""


@dataclass(frozen=True, slots=True)
class HostModule:
    """A module of the gateway, by name."""

    name: str


def module_named(name: str) -> HostModule:
    """The module of that name; one that is not there is `unsupported`."""
    if all(module.name != name for module in MODULES):
        raise unsupported(name, name)
    return HostModule(name)


def call(runtime: Runtime, module: HostModule, selector: str, arguments: tuple[object, ...]) -> object:
    """Run a function of the gateway; one that is not there is `unsupported`."""
    function = _function(module.name, selector.partition(":")[0], len(arguments))
    if function is None:
        raise unsupported(f"{module.name}:{selector}", module.name)
    try:
        return function(runtime, arguments)
    except BadArgument as problem:
        raise expect.argument_error("Erlang", selector, str(problem)) from None


def _function(module: str, name: str, arity: int) -> Call | None:
    for each in MODULES:
        if each.name == module and (found := each.find(name, arity)) is not None:
            return found
    return None


def unsupported(what: str, module: str) -> BeamtalkError:
    """Something of the original host that this one does not have; the hint names what stands for it."""
    way = _WAYS.get(module)
    return BeamtalkError(
        "unsupported",
        f"{what}: the Erlang gateway is not available on this host",
        class_name="Erlang",
        hint=f"Use {way}." if way is not None else "Use a module of Python, as in: Python math sqrt: 16.",
    )


_WAYS: Final[Mapping[str, str]] = {
    "application": "Package",
    "base64": "the messages of Binary, or Python base64",
    "binary": "the messages of Binary",
    "calendar": "DateTime, or Python datetime",
    "crypto": "Digest, or Python hashlib",
    "erlang": "the messages of the objects themselves, or Python builtins",
    "ets": "Ets",
    "file": "File",
    "filename": "File, or Python os path",
    "filelib": "File, or Python pathlib",
    "gb_trees": "Dictionary",
    "gen_server": "Actor, or Server",
    "httpc": "Python urllib request",
    "io": "Console, or Transcript",
    "io_lib": "string interpolation",
    "json": "Json",
    "lists": "the messages of List, or Python builtins",
    "logger": "Logger",
    "maps": "the messages of Dictionary",
    "math": "Python math",
    "os": "System or OS, or Python os",
    "proplists": "Dictionary",
    "queue": "Queue",
    "rand": "Random, or Python random",
    "re": "Regex, or Python re",
    "sets": "Set",
    "string": "the messages of String",
    "supervisor": "Supervisor",
    "timer": "Timer",
    "unicode": "the messages of Binary and String, or Python unicodedata",
    "uri_string": "String urlEncoded, or Python urllib parse",
}
"""What to use in place of the modules that sources of the original name most."""
