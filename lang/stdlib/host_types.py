"""Which Python types the instances of library classes are (design "Objects").

The loader binds each type to its class. Types of modules that few programs need are known by
their names, so that nothing imports those modules before an instance exists: 13 of the 155 ms
that `-X importtime` shows for `lang.stdlib.load`. Booleans and exceptions, which are of several
classes, are known to the runtime itself.
"""

from __future__ import annotations

from types import FunctionType
from typing import Final

from lang.runtime.collections.arrays import BtArray
from lang.runtime.collections.lists import BtList
from lang.runtime.collections.mappings import BtDictionary, BtSet
from lang.runtime.collections.queues import BtQueue
from lang.runtime.collections.streams import BtStream
from lang.runtime.collections.tuples import BtTuple
from lang.runtime.processes.host_types import PROCESS_TYPES
from lang.runtime.reflection import BtCompiledMethod, BtStackFrame
from lang.runtime.symbols import Symbol

HOST_TYPES: Final[tuple[tuple[type, str], ...]] = (
    *PROCESS_TYPES,
    (int, "Integer"),
    (float, "Float"),
    (str, "String"),
    (bytes, "Binary"),
    (type(None), "UndefinedObject"),
    (Symbol, "Symbol"),
    (FunctionType, "Block"),
    (BtList, "List"),
    (BtArray, "Array"),
    (BtTuple, "Tuple"),
    (BtDictionary, "Dictionary"),
    (BtSet, "Set"),
    (BtQueue, "Queue"),
    (BtStream, "Stream"),
    (BtCompiledMethod, "CompiledMethod"),
    (BtStackFrame, "StackFrame"),
)
"""Pairs of a Python type and the name of the class that it stands for."""

NAMED_HOST_TYPES: Final[tuple[tuple[str, str], ...]] = (
    ("lang.stdlib.chance.BtRandom", "Random"),
    ("lang.stdlib.files.BtFileHandle", "FileHandle"),
    ("lang.stdlib.gateway.HostModule", "ErlangModule"),
    ("lang.stdlib.host_values.BtPythonModule", "PythonModule"),
    ("lang.stdlib.host_values.BtInThread", "PythonInThread"),
    ("lang.stdlib.inspecting.BtInspector", "Inspector"),
    ("lang.stdlib.regexes.BtRegex", "Regex"),
    ("lang.stdlib.tables.BtCounter", "AtomicCounter"),
    ("lang.stdlib.tables.BtTable", "Ets"),
    ("lang.stdlib.testing.TestReport", "TestResult"),
    ("lang.stdlib.times.BtDateTime", "DateTime"),
    ("lang.stdlib.times.BtDuration", "Duration"),
    ("lang.stdlib.uuids.BtUuid", "Uuid"),
)
"""The same for types that are imported with their first instance."""

HOST_CLASSES: Final = frozenset(
    {name for _, name in (*HOST_TYPES, *NAMED_HOST_TYPES)} | {"Character", "True", "False", "PythonObject"}
)
"""Classes whose instances are host values: `new` makes none of them, but for empty collections."""
