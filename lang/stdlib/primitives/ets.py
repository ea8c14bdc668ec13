"""Primitives of Ets (stdlib.md 4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.collections.lists import BtList, list_from
from lang.runtime.collections.mappings import BtDictionary
from lang.runtime.errors import BeamtalkError
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol
from lang.stdlib import arguments as expect
from lang.stdlib.running import is_running, running_process
from lang.stdlib.services import services_of
from lang.stdlib.tables import BtTable, Rows, TableType

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

ETS = PrimitiveTable("Ets")


@ETS.runtime_primitive("new:type:", class_side=True)
def new_type(runtime: Runtime, _self: object, name: object, table_type: object) -> BtTable:
    text, wanted = expect.name(name, "Ets", "new:type:"), _type(table_type, "new:type:")
    if services_of(runtime).shared_names.table(text) is not None:
        raise BeamtalkError("already_exists", class_name="Ets", selector="new:type:")
    return _made(runtime, text, wanted)


@ETS.runtime_primitive("newOrExisting:type:", class_side=True)
def new_or_existing(runtime: Runtime, _self: object, name: object, table_type: object) -> BtTable:
    text, wanted = expect.name(name, "Ets", "newOrExisting:type:"), _type(table_type, "newOrExisting:type:")
    return services_of(runtime).shared_names.table(text) or _made(runtime, text, wanted)


@ETS.runtime_primitive("named:", class_side=True)
def named(runtime: Runtime, _self: object, name: object) -> BtTable:
    found = services_of(runtime).shared_names.table(expect.name(name, "Ets", "named:"))
    if found is None:
        raise BeamtalkError("not_found", class_name="Ets", selector="named:")
    return found


@ETS.runtime_primitive("exists:", class_side=True)
def exists(runtime: Runtime, _self: object, name: object) -> bool:
    return services_of(runtime).shared_names.table(expect.name(name, "Ets", "exists:")) is not None


@ETS.primitive("at:")
def at(self: BtTable, key: object) -> object:
    return _shown(_content(self, "at:").at(key, None))


@ETS.primitive("at:put:")
def at_put(self: BtTable, key: object, value: object) -> None:
    self.store(_content(self, "at:put:").put(key, value))


@ETS.primitive("at:ifAbsent:")
def at_if_absent(self: BtTable, key: object, block: object) -> object:
    content = _content(self, "at:ifAbsent:")
    if key in content:
        return _shown(content.at(key, None))
    return expect.checked_block(block, 0, "Ets", "at:ifAbsent:")()


@ETS.primitive("includesKey:")
def includes_key(self: BtTable, key: object) -> bool:
    return key in _content(self, "includesKey:")


@ETS.primitive("removeKey:")
def remove_key(self: BtTable, key: object) -> None:
    self.store(_content(self, "removeKey:").without(key))


@ETS.primitive("keys")
def keys(self: BtTable) -> BtList:
    return list_from(_content(self, "keys").keys_in_order())


@ETS.primitive("size")
def size(self: BtTable) -> int:
    return len(_content(self, "size"))


@ETS.runtime_primitive("delete")
def delete(runtime: Runtime, self: BtTable) -> None:
    _content(self, "delete")
    services = services_of(runtime)
    if self.owner is not running_process(runtime):
        raise BeamtalkError("permission_denied", class_name="Ets", selector="delete")
    services.shared_names.remove_table(self)


def _made(runtime: Runtime, name: str, table_type: TableType) -> BtTable:
    services = services_of(runtime)
    table = BtTable(name, table_type, running_process(runtime), is_running)
    services.shared_names.add_table(table)
    return table


def _type(value: object, selector: str) -> TableType:
    for table_type in TableType:
        if isinstance(value, Symbol) and value.name == table_type.value:
            return table_type
    raise expect.type_error("Ets", selector, "Expected #set, #orderedSet, #bag or #duplicateBag")


def _shown(value: object) -> object:
    return value.as_list() if isinstance(value, Rows) else value


def _content(table: BtTable, selector: str) -> BtDictionary:
    content = table.content
    if content is None:
        raise BeamtalkError("stale_table", class_name="Ets", selector=selector)
    return content
