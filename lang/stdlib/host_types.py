"""Which Python types the instances of library classes are (design "Objects").

The loader binds each type to its class. Booleans and exceptions, which are of several
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
from lang.stdlib.chance import BtRandom
from lang.stdlib.files import BtFileHandle
from lang.stdlib.gateway import HostModule
from lang.stdlib.host_values import BtPythonModule
from lang.stdlib.inspecting import BtInspector
from lang.stdlib.regexes import BtRegex
from lang.stdlib.tables import BtCounter, BtTable
from lang.stdlib.testing import TestReport
from lang.stdlib.times import BtDateTime, BtDuration
from lang.stdlib.uuids import BtUuid

HOST_TYPES: Final[tuple[tuple[type, str], ...]] = (
    *PROCESS_TYPES,
    (TestReport, "TestResult"),
    (HostModule, "ErlangModule"),
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
    (BtDuration, "Duration"),
    (BtDateTime, "DateTime"),
    (BtUuid, "Uuid"),
    (BtRegex, "Regex"),
    (BtRandom, "Random"),
    (BtFileHandle, "FileHandle"),
    (BtPythonModule, "PythonModule"),
    (BtInspector, "Inspector"),
    (BtTable, "Ets"),
    (BtCounter, "AtomicCounter"),
)
"""Pairs of a Python type and the name of the class that it stands for."""

HOST_CLASSES: Final = frozenset({name for _, name in HOST_TYPES} | {"Character", "True", "False"})
"""Classes whose instances are host values: `new` makes none of them, but for empty collections."""
