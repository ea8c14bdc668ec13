"""ChangeLog figures: append at 10 and 100,000 entries against stock TinyDB; the active view; a flush plan.

Run: `python -m benchmarks.bench_changelog`.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable

from tinydb import TinyDB

from changelog.active import PlacedText, active_view
from changelog.codec import encode_entry
from changelog.copies import SourceCopies
from changelog.entry import ChangeKind, Edit, Entry, NewEntry, UnitAddress
from changelog.files import DiskFiles
from changelog.journal import JournalStorage, Record, encoded_line
from changelog.log import ChangeLog
from changelog.store import JournalStore, MemoryStore
from lang.syntax.units import Side, UnitKind, UnitName

SIZES = (10, 100_000)


def new_entry(number: int) -> NewEntry:
    name = UnitName(UnitKind.METHOD, f"Counter{number % 300}", Side.INSTANCE, "increment")
    address = UnitAddress(f"src/Counter{number % 300}.bt", name)
    edit = Edit(number % 300, address, address, f"increment => {number}", f"increment => {number + 1}")
    return NewEntry(ChangeKind.INSTANCE, name.owner, name.member, name.side, edits=(edit,))


def entries(count: int) -> list[Entry]:
    log = ChangeLog(MemoryStore(), 1)
    for number in range(count):
        log.append(new_entry(number))
    return list(log.entries)


def median_ms(work: Callable[[int], object], times: int) -> float:
    spent = []
    for number in range(times):
        start = time.perf_counter()
        work(number)
        spent.append(time.perf_counter() - start)
    return statistics.median(spent) * 1e3


def journal_log(folder: str, made: list[Entry]) -> ChangeLog:
    path = os.path.join(folder, "changes.jsonl")  # noqa: PTH118
    with open(path, "wb") as file:  # noqa: PTH123
        file.writelines(encoded_line((Record("entries", entry.seq, encode_entry(entry)),)) for entry in made)
    files = DiskFiles()
    files.make_folder(f"{folder}/sources")
    storage = JournalStorage(files.open_log(path))
    return ChangeLog(JournalStore(storage, SourceCopies(files, f"{folder}/sources")), 1)


def stock_db(folder: str, made: list[Entry]) -> TinyDB:
    path = os.path.join(folder, "stock.json")  # noqa: PTH118
    with open(path, "w") as file:  # noqa: PTH123
        json.dump({"_default": {str(entry.seq): encode_entry(entry) for entry in made}}, file)
    return TinyDB(path)


def bench_append() -> None:
    few, many = (append_ms(size) for size in SIZES)
    print(f"ratio {many / few:.2f} (at most 2)")
    with tempfile.TemporaryDirectory() as folder:
        file = DiskFiles().open_log(f"{folder}/floor")
        line = encoded_line((Record("entries", 1, encode_entry(entries(1)[0])),))

        def write_one(_number: int) -> None:
            file.append(line)
            file.sync()

        floor = median_ms(write_one, 101)
        print(f"floor, write and fsync of one line: {floor:.3f} ms")


def append_ms(size: int) -> float:
    made = entries(size)
    with tempfile.TemporaryDirectory() as folder:
        log = journal_log(folder, made)
        ours = median_ms(lambda n: log.append(new_entry(n)), 101)
        db = stock_db(folder, made)
        document = encode_entry(made[0])
        stock = median_ms(lambda _n: db.insert(document), 1 if size > 1000 else 31)
        log.close()
        db.close()
    print(f"append at {size:>7,}: {ours:.3f} ms (stock TinyDB, no fsync: {stock:.3f} ms)")
    return ours


def bench_view() -> None:
    made = entries(10_000)
    placed = {
        edit.lineage: PlacedText(edit.before_address, "increment => 0")
        for entry in made[:300]
        for edit in entry.edits
        if edit.before_address is not None
    }
    newest = {edit.lineage: edit.after or "" for entry in made for edit in entry.edits}

    def memory(lineage: int) -> PlacedText:
        return PlacedText(placed[lineage].address, newest[lineage])

    spent = median_ms(lambda _n: active_view(made, (), 1, placed.get, memory), 5)
    print(f"active view of 10,000 entries: {spent:.1f} ms")


def main() -> None:
    bench_append()
    bench_view()


if __name__ == "__main__":
    main()
