"""The typed query and the live re-check: fan-out, precision and time.

Run: `python -m benchmarks.bench_recheck [owners]`. Fan-out (types.md 9.3): of the owners that send one selector a tenth
are typed at the changed class and the rest at an unrelated one, ten times the cap. No genuine finding may be lost.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import tracemalloc
from pathlib import Path
from typing import Final

from benchmarks.bench_rename import MANIFEST, Spent, Table, timed, write_project
from lang.syntax.units import Side
from workspace.opening import Opening, open_workspace
from workspace.reaching import senders_reaching
from workspace.recheck.rechecks import CALLER_CAP, ReloadCheckCompleted
from workspace.workspace import Workspace

GAUGE: Final = "Actor subclass: Gauge\n  level -> Integer => 1\n"
OTHER: Final = "Actor subclass: Other\n  level -> Integer => 2\n"


def write_owners(root: Path, owners: int, real: int) -> None:
    """A project in which `real` of the owners send `level` to a Gauge, and the others to an Other."""
    (root / "src").mkdir(parents=True)
    (root / "beamtalk.toml").write_text(MANIFEST)
    (root / "src/Gauge.bt").write_text(GAUGE)
    (root / "src/Other.bt").write_text(OTHER)
    for number in range(owners):
        type_ = "Gauge" if number % (owners // real) == 0 else "Other"
        text = f"typed Object subclass: C{number}\n  read: g :: {type_} -> Integer => g level + {number}\n"
        (root / f"src/C{number}.bt").write_text(text)


def opened(root: Path, cache: Path) -> Workspace:
    """A workspace with its project loaded."""
    workspace = open_workspace(Opening(root, library_cache=cache))
    session = workspace.sessions.open("bench")
    workspace.evaluator.run(lambda: session.evaluate("Workspace sync"))
    return workspace


def patched(workspace: Workspace, text: str) -> tuple[Spent, list[ReloadCheckCompleted]]:
    """The time of the re-check behind a patch, and what it told."""
    heard: list[ReloadCheckCompleted] = []
    rounds = workspace.rechecking.rounds
    rounds.subscribe(heard.append)
    session = workspace.sessions.live()[0]

    def patch_and_check() -> Spent:
        outcome = session.evaluate(text)
        if outcome.error is not None:
            raise outcome.error
        return timed(rounds.finish)[0]

    return workspace.evaluator.run(patch_and_check), heard


def fan_out(root: Path, cache: Path, owners: int) -> None:
    """Nine tenths of the senders are typed at an unrelated class."""
    real = owners // 10
    write_owners(root, owners, real)
    workspace = opened(root, cache)
    state = workspace.state
    spent, rows = workspace.evaluator.run(
        lambda: timed(lambda: senders_reaching(state, "Gauge", Side.INSTANCE, "level"))
    )
    again, _rows = workspace.evaluator.run(
        lambda: timed(lambda: senders_reaching(state, "Gauge", Side.INSTANCE, "level"))
    )
    table = Table()
    table.row(f"typed query, {owners} units parsed and inferred", spent, 50, 20)
    table.row(f"typed query, the same {owners} rows again", again, 5, 1)
    spent, heard = patched(workspace, 'Gauge >> level -> String => "1"')
    stale = len({found.owner for report in heard for found in report.findings})
    checked = sum(len(report.checked) for report in heard)
    print(f"  {owners} senders, {len(rows)} relevant, {checked} checked, {stale} stale, {real - stale} lost")
    table.row(f"re-check with {checked} candidates", spent, 300, 100)
    workspace.close()


def all_relevant(root: Path, cache: Path, owners: int) -> None:
    """Every owner is a candidate, with the cap and without it."""
    write_owners(root, owners, owners)
    workspace = opened(root, cache)
    table = Table()
    spent, _heard = patched(workspace, 'Gauge >> level -> String => "1"')
    table.row(f"re-check, {owners} candidates, cap {CALLER_CAP}", spent, 300, 100)
    workspace.rechecking.rounds.caller_cap = lambda: owners
    spent, heard = patched(workspace, "Gauge >> level -> Symbol => #x")
    table.row(f"re-check, {owners} candidates, all checked", spent, 300, 100)
    print(
        f"  {sum(len(r.checked) for r in heard)} checked, {len(workspace.rechecking.rounds.findings())} findings"
    )
    workspace.close()


def memory(root: Path, cache: Path) -> None:
    """What the index of 1,000 classes takes."""
    write_project(root, 1000, 300)
    workspace = opened(root, cache)
    workspace.evaluator.run(lambda: workspace.state.index)
    rows = workspace.state.index.units
    sends = sum(len(each.references.sends) for each in rows.values())
    workspace.close()
    workspace = opened(root, cache)
    gc.collect()
    tracemalloc.start()
    made, _index = workspace.evaluator.run(lambda: timed(lambda: workspace.state.index))
    gc.collect()
    used = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    units = f"{len(rows)} units, {sends} sends"
    print(f"index of 1,000 classes, {units}: {used:.1f} MB; {made.cpu:.0f} ms from the cache, traced")
    workspace.close()


def main(owners: int = 200) -> None:
    """Everything, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        at, cache = Path(folder), Path(folder) / "cache"
        fan_out(at / "fan", cache, owners)
        all_relevant(at / "all", cache, owners)
        memory(at / "memory", cache)


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:]))
