"""`Erlang ets`: tables of Tuples by their first element; those of Ets are seen as pairs (stdlib.md 8)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cmp_to_key
from typing import TYPE_CHECKING, Final

from lang.runtime.collections.lists import BtList, list_of
from lang.runtime.collections.mappings import EMPTY_DICTIONARY, BtDictionary
from lang.runtime.collections.tuples import BtTuple
from lang.runtime.equality import strict_equal
from lang.runtime.errors import BeamtalkError
from lang.runtime.ordering import compare_exactly
from lang.runtime.symbols import Symbol, symbol
from lang.stdlib.erlang.terms import BadArgument, ErlangModule, block, elements, integer, name
from lang.stdlib.running import is_running, running_process
from lang.stdlib.services import services_of
from lang.stdlib.tables import BtTable, Rows, TableType

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

ETS = ErlangModule("ets")
_END: Final = symbol("$end_of_table")
_UNDEFINED: Final = symbol("undefined")
_TYPES: Final = {
    "set": TableType.SET,
    "ordered_set": TableType.ORDERED_SET,
    "bag": TableType.BAG,
    "duplicate_bag": TableType.DUPLICATE_BAG,
}
_IGNORED: Final = frozenset({"public", "protected", "private", "compressed"})
_BAGS: Final = frozenset({TableType.BAG, TableType.DUPLICATE_BAG})
_MISSING: Final = object()


# ---------------------------------------------------------------- tables


@ETS.runtime_function("new")
def new(runtime: Runtime, title: object, options: object) -> object:
    """A table; with `#named_table` its name, by which others find it."""
    kind, is_named = TableType.SET, False
    for option in elements(options):
        chosen = option.name if isinstance(option, Symbol) else ""
        if chosen in _TYPES:
            kind = _TYPES[chosen]
        elif chosen == "named_table":
            is_named = True
        elif chosen not in _IGNORED and not _is_tuning(option):
            raise BadArgument("No option of this host")
    table = BtTable(name(title), kind, running_process(runtime), is_running)
    if not is_named:
        return table
    names = services_of(runtime).shared_names
    if names.table(table.name) is not None:
        raise BadArgument(f"There is a table #{table.name} already")
    names.add_table(table)
    return title


def _is_tuning(option: object) -> bool:
    return isinstance(option, BtTuple) and len(option) == 2 and str(option[0]).endswith("concurrency")


@ETS.runtime_function("delete")
def delete(runtime: Runtime, table: object) -> bool:
    found = _table(runtime, table)
    if found.owner is not running_process(runtime):
        raise BeamtalkError("permission_denied", class_name="Erlang", selector="delete:")
    services_of(runtime).shared_names.remove_table(found)
    return True


@ETS.runtime_function("whereis")
def whereis(runtime: Runtime, title: object) -> object:
    return services_of(runtime).shared_names.table(name(title)) or _UNDEFINED


@ETS.runtime_function("info")
def information(runtime: Runtime, table: object, item: object) -> object:
    found = _table(runtime, table)
    match name(item):
        case "size":
            return len(_rows_of(found))
        case "name":
            return symbol(found.name)
        case "type":
            return symbol(next(each for each, kind in _TYPES.items() if kind is found.type))
        case _:
            return _UNDEFINED


def _table(runtime: Runtime, table: object) -> BtTable:
    if isinstance(table, Symbol):
        table = services_of(runtime).shared_names.table(table.name)
    if not isinstance(table, BtTable) or table.content is None:
        raise BadArgument("Expected a table, or the name of one")
    return table


def _content(table: BtTable) -> BtDictionary:
    return table.content or EMPTY_DICTIONARY


# ---------------------------------------------------------------- rows


def _rows(content: BtDictionary, key: object) -> list[BtTuple]:
    found = content.at(key, _MISSING)
    if found is _MISSING:
        return []
    return [*found.rows] if isinstance(found, Rows) else [BtTuple((key, found))]


def _rows_of(table: BtTable) -> list[BtTuple]:
    content = _content(table)
    return [row for key in content.keys_in_order() for row in _rows(content, key)]


def _with_rows(content: BtDictionary, key: object, rows: Sequence[BtTuple]) -> BtDictionary:
    """One pair is stored as Ets stores it, anything else as rows."""
    if not rows:
        return content.without(key)
    if len(rows) == 1 and len(rows[0]) == 2:
        return content.put(key, rows[0][1])
    return content.put(key, Rows(tuple(rows)))


def _inserted(table: BtTable, content: BtDictionary, row: BtTuple) -> BtDictionary:
    key = row[0]
    if table.type not in _BAGS:
        return _with_rows(content, key, [row])
    rows = _rows(content, key)
    if table.type is TableType.BAG and any(strict_equal(row, each) for each in rows):
        return content
    return _with_rows(content, key, [*rows, row])


def _given(row_or_rows: object) -> list[BtTuple]:
    found: list[BtTuple] = []
    for each in elements(row_or_rows) if isinstance(row_or_rows, BtList) else [row_or_rows]:
        if not isinstance(each, BtTuple) or not len(each):
            raise BadArgument("Expected a Tuple with a key, or a List of them")
        found.append(each)
    return found


@ETS.runtime_function("insert")
def insert(runtime: Runtime, table: object, row_or_rows: object) -> bool:
    found, rows = _table(runtime, table), _given(row_or_rows)
    content = _content(found)
    for row in rows:
        content = _inserted(found, content, row)
    found.store(content)
    return True


@ETS.runtime_function("insert_new")
def insert_new(runtime: Runtime, table: object, row_or_rows: object) -> bool:
    content = _content(_table(runtime, table))
    for row in _given(row_or_rows):
        if row[0] in content:
            return False
    return insert(runtime, table, row_or_rows)


@ETS.runtime_function("lookup")
def lookup(runtime: Runtime, table: object, key: object) -> BtList:
    return list_of([*_rows(_content(_table(runtime, table)), key)])


@ETS.runtime_function("lookup_element")
def lookup_element(runtime: Runtime, table: object, key: object, position: object) -> object:
    found = _table(runtime, table)
    rows = _rows(_content(found), key)
    place = integer(position)
    if not rows or any(not 1 <= place <= len(row) for row in rows):
        raise BadArgument("There is no such element")
    chosen = [row[place - 1] for row in rows]
    return list_of(chosen) if found.type in _BAGS else chosen[0]


@ETS.runtime_function("member")
def member(runtime: Runtime, table: object, key: object) -> bool:
    return key in _content(_table(runtime, table))


@ETS.runtime_function("take")
def take(runtime: Runtime, table: object, key: object) -> BtList:
    rows = lookup(runtime, table, key)
    delete_key(runtime, table, key)
    return rows


@ETS.runtime_function("delete")
def delete_key(runtime: Runtime, table: object, key: object) -> bool:
    found = _table(runtime, table)
    found.store(_content(found).without(key))
    return True


@ETS.runtime_function("delete_object")
def delete_object(runtime: Runtime, table: object, row: object) -> bool:
    found = _table(runtime, table)
    (unwanted,) = _given(row)
    rows = [each for each in _rows(_content(found), unwanted[0]) if not strict_equal(each, unwanted)]
    found.store(_with_rows(_content(found), unwanted[0], rows))
    return True


@ETS.runtime_function("delete_all_objects")
def delete_all_objects(runtime: Runtime, table: object) -> bool:
    _table(runtime, table).store(EMPTY_DICTIONARY)
    return True


@ETS.runtime_function("update_counter")
def update_counter(runtime: Runtime, table: object, key: object, change: object) -> int:
    """The second element of the row of a key grows by `change`, or by that of `{position, change}`."""
    found = _table(runtime, table)
    rows = _rows(_content(found), key)
    if len(rows) != 1 or found.type in _BAGS:
        raise BadArgument("There is no row with this key")
    position, by = (change[0], change[1]) if isinstance(change, BtTuple) and len(change) == 2 else (2, change)
    place, parts = integer(position), [*rows[0]]
    if not 2 <= place <= len(parts):
        raise BadArgument("There is no such element")
    counted = integer(parts[place - 1]) + integer(by)
    parts[place - 1] = counted
    found.store(_with_rows(_content(found), key, [BtTuple(tuple(parts))]))
    return counted


@ETS.runtime_function("update_counter")
def update_counter_or(runtime: Runtime, table: object, key: object, change: object, row: object) -> int:
    if not member(runtime, table, key):
        (fresh,) = _given(row)
        insert(runtime, table, BtTuple((key, *[*fresh][1:])))
    return update_counter(runtime, table, key, change)


# ---------------------------------------------------------------- all rows


@ETS.runtime_function("tab2list")
def to_list(runtime: Runtime, table: object) -> BtList:
    return list_of([*_rows_of(_table(runtime, table))])


@ETS.runtime_function("foldl")
def folded(runtime: Runtime, function: object, start: object, table: object) -> object:
    call = block(function, 2)
    gathered = start
    for row in _rows_of(_table(runtime, table)):
        gathered = call(row, gathered)
    return gathered


@ETS.runtime_function("first")
def first(runtime: Runtime, table: object) -> object:
    keys = _content(_table(runtime, table)).keys_in_order()
    return keys[0] if keys else _END


@ETS.runtime_function("last")
def last(runtime: Runtime, table: object) -> object:
    keys = _content(_table(runtime, table)).keys_in_order()
    return keys[-1] if keys else _END


@ETS.runtime_function("next")
def following(runtime: Runtime, table: object, key: object) -> object:
    keys = _content(_table(runtime, table)).keys_in_order()
    at = bisect_right(keys, _IN_ORDER(key), key=_IN_ORDER)
    return keys[at] if at < len(keys) else _END


@ETS.runtime_function("prev")
def preceding(runtime: Runtime, table: object, key: object) -> object:
    keys = _content(_table(runtime, table)).keys_in_order()
    at = bisect_left(keys, _IN_ORDER(key), key=_IN_ORDER)
    return keys[at - 1] if at > 0 else _END


_IN_ORDER = cmp_to_key(compare_exactly)
