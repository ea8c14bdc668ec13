"""Every pair of kinds of change on shared units, flushed one by one in each order (changes.md 4.2, 11).

The reference is the flush of both at once on another copy: the same files, byte for byte. In between, and whatever
a flush withholds, no name that was whole on disk is broken, and no two files declare one class.
"""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from lang.source import SourceText
from lang.syntax import parse_file
from lang.syntax.units import UnitKind
from tests.workspace.lab import Lab, project
from workspace.flush.file_text import decoded
from workspace.invariants import broken_laws

FILES = {
    "src/Counter.bt": "/// Counts.\nActor subclass: Counter\n  state: value = 0\n\n"
    "  /// Adds one.\n  increment => self.value := self.value + 1\n\n"
    '  getValue => self increment\n\n  class label => "counter"\n',
    "src/Meter.bt": "Object subclass: Meter\n  class make => Counter spawn\n\n  class other => 3\n",
    "src/Extras.bt": 'Counter >> shout => self increment\n\nMeter class >> shout => "!"\n',
}

KINDS = {
    "instance": "{C} >> {increment} => self.value := self.value + 2",
    "new-method": "{C} >> fresh => self {increment}",
    "class": '{C} class >> label => "{{Meter make}}"',
    "extension": '{C} >> shout => "{{{C} name}}"',
    "class-def": "Actor subclass: {C}\n  state: value = 5\n  getValue => self.value\n  class label => {C}\n",
    "remove-method": "{C} removeSelector: #{increment}",
    "remove-class": "{C} removeFromSystem",
    "rename-class": "{C} renameTo: #{Other}",
    "rename-method": "{C} renameSelector: #{increment} to: #{step}",
    "move-class": 'Workspace moveClass: {C} to: "{folder}/{C}.bt"',
    "user": "Meter class >> make => {C} class",
    "user-removed": "Meter class removeSelector: #make",
    "user-class-removed": "Meter removeFromSystem",
    "new-class": 'Workspace newClass: "Object subclass: Kite\n  one => {C} class\n" at: "src/Kite.bt"',
    "again": 'Workspace newClass: "Object subclass: Counter\n  one => 1\n" at: "src/Counter.bt"',
    "undo": "Workspace undo",
}

PAIRS = list(product(KINDS, KINDS))
EVERY = 5


def wording(lab: Lab, kind: str) -> str:
    """The change of a kind, in the names of this moment."""
    name = "Tally" if "Tally" in lab.state.classes else "Counter"
    has_step = any(unit.name.member == "step" for unit in lab.state.units.values())
    selectors = ("step", "increment") if has_step else ("increment", "step")
    is_deep = (lab.state.path_of(name) or "").startswith("src/deep/")
    return KINDS[kind].format(
        C=name,
        Other="Counter" if name == "Tally" else "Tally",
        increment=selectors[0],
        step=selectors[1],
        folder="src" if is_deep else "src/deep",
    )


def changed(root: Path, pair: tuple[str, str]) -> tuple[Lab, list[int]] | None:
    """A lab with both changes made; None where the second is refused after the first."""
    lab = Lab(project(root, FILES))
    lab.sync()
    for kind in pair:
        if lab.outcome(wording(lab, kind)).error is not None:
            lab.close()
            return None
    return lab, [entry.seq for entry in lab.workspace.log.entries]


def disk_is_sound(lab: Lab) -> None:
    """Every file parses; every class name that is used is declared, once, unless memory lacks it too."""
    declared: list[str] = []
    used: set[str] = set()
    for path in lab.workspace.list_sources():
        text = decoded(lab.path(path).read_bytes()).text
        parsed = parse_file(SourceText(text))
        assert list(parsed.all_diagnostics()) == [], (path, text)
        declared += [unit.name.owner for unit in parsed.units if unit.name.kind is UnitKind.HEADER]
        bare = re.sub(r"//[^\n]*", "", text)
        used |= {name for name in ("Counter", "Tally", "Meter", "Kite") if re.search(rf"\b{name}\b", bare)}
    assert len(declared) == len(set(declared)), declared
    missing = used - set(declared)
    assert missing <= {name for name in missing if name not in lab.state.classes}, missing


def flush_together(lab: Lab) -> None:
    """Flush all that can be; what only a change without a file holds stays."""
    result = lab.flush()
    assert (result.conflicts, result.failure) == ((), None)
    disk_is_sound(lab)


def flush_one_by_one(lab: Lab, seqs: list[int]) -> None:
    for seq in seqs:
        entry = f"(Workspace changes between: {seq} and: {seq}) first"
        result = lab(f"Workspace flush: ({entry}) confirmDestructive: true")
        assert "conflict" not in result, result
        assert "nothing was written" not in result, result
        disk_is_sound(lab)
        assert lab.workspace.evaluator.run(lambda: list(broken_laws(lab.workspace))) == []


def check(root: Path, pair: tuple[str, str]) -> None:
    """Both orders against the flush of both at once."""
    made = changed(root / "together", pair)
    if made is None:
        return
    lab, seqs = made
    try:
        flush_together(lab)
        together = lab.tree()
    finally:
        lab.close()
    for name, order in (("forth", seqs), ("back", [*reversed(seqs)])):
        again = changed(root / name, pair)
        assert again is not None
        try:
            flush_one_by_one(again[0], order)
            flush_together(again[0])
            assert again[0].tree() == together, (pair, name)
        finally:
            again[0].close()


@pytest.mark.parametrize("pair", PAIRS[::EVERY], ids="-then-".join)
def test_some_pairs(tmp_path: Path, pair: tuple[str, str]) -> None:
    check(tmp_path, pair)


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids="-then-".join)
def test_every_pair(tmp_path: Path, pair: tuple[str, str]) -> None:
    check(tmp_path, pair)
