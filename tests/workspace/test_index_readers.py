"""Who asks the index while a class is changed sees the old rows or the new ones (types.md X-9; case Q2)."""

from __future__ import annotations

import threading
from pathlib import Path

from tests.workspace.lab import lab_with

MENU = (
    "Object subclass: Menu\n"
    "  class run: c => c increment\n"
    "  class go: c => c getValue\n"
    "  class twice: c =>\n    c increment\n    c getValue\n"
)
PATCHES = (
    "Menu class >> twice: c => 3",
    "Menu class >> twice: c =>\n  c increment\n  c getValue",
    "Menu renameTo: #Card",
    "Workspace undo",
    "Menu renameTo: #Card",
    "Card renameTo: #Menu",
)


def test_no_reader_meets_half_a_class(tmp_path: Path) -> None:
    with lab_with(tmp_path, {"src/Menu.bt": MENU}) as lab:
        over = threading.Event()
        torn: list[object] = []

        def read() -> None:
            while not over.is_set():
                index = lab.state.index
                senders = {
                    s: {row.owner.selector for row in index.senders_of(s)} for s in ("getValue", "increment")
                }
                if "go:" not in senders["getValue"] or "run:" not in senders["increment"]:
                    torn.append(senders)
                if ("twice:" in senders["getValue"]) is not ("twice:" in senders["increment"]):
                    torn.append(senders)
                owners = {row.owner.class_name for row in index.senders_of("getValue")}
                if len(owners) != 1 or len(index.units_of(owners.pop())) != 4:
                    torn.append(owners)

        reader = threading.Thread(target=read)
        reader.start()
        try:
            for _ in range(8):
                for patch in PATCHES:
                    lab(patch)
        finally:
            over.set()
            reader.join()
    assert torn == []
