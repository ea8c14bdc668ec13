"""Files whose checks asked about nothing that changed are not checked again, and never to a user's loss (workspace.md 1.9)."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from lang.semantics.hierarchy import ClassFacts, ClassView
from tests.workspace.lab import Lab, project
from tests.workspace.test_compile_cache import Work, load, said
from workspace.consulting import Consultations
from workspace.sync import SyncReport

NAMES = ("Ash", "Birch", "Cedar", "Doum", "Elm", "Fir")
FILES = {
    "src/Ash.bt": "Value subclass: Ash\n  field: leaf = 1\n\n  grow => self.leaf\n",
    "src/Birch.bt": "Ash subclass: Birch\n\n  shake => self grow\n",
    "src/Cedar.bt": "Object subclass: Cedar\n\n  class ask: tree :: Birch => tree shake\n",
    "src/Doum.bt": "Object subclass: Doum\n\n  class alone => 42\n",
}


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    return Work(monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return project(tmp_path / "wood", FILES)


def checked_after(root: Path, work: Work, path: str, old: str, new: str) -> int:
    """How many units are checked by a load after one edit."""
    load(root)
    file = root / path
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    work.take()
    load(root)
    return work.take()[1]


def test_a_changed_signature_has_those_checked_who_asked_about_its_class(root: Path, work: Work) -> None:
    # Ash itself, header and method, and Birch below it; Cedar names Birch, whose superclass it never asked for.
    assert checked_after(root, work, "src/Ash.bt", "grow =>", "grow: n =>") == 4


def test_a_class_that_nobody_asks_about_has_only_its_file_checked(root: Path, work: Work) -> None:
    assert checked_after(root, work, "src/Doum.bt", "class alone", "class quite") == 2


def test_a_new_class_has_only_its_file_checked(root: Path, work: Work) -> None:
    load(root)
    (root / "src/Elm.bt").write_text("Object subclass: Elm\n\n  class go => 1\n")
    work.take()
    load(root)
    assert work.take()[1] == 2


def test_a_first_subclass_is_seen_by_who_asked_whether_there_is_one(root: Path) -> None:
    (root / "src/Match.bt").write_text(
        "Object subclass: Match\n\n  class on: x => x match: [b :: Birch -> 1; _ -> 2]\n"
    )
    assert said(load(root)[0]) == []
    (root / "src/Fir.bt").write_text("Birch subclass: Fir\n")
    report = said(load(root)[0])
    assert any("Match.bt" in each and "subclass" in each for each in report), report
    assert said(fresh(root)) == report


def test_a_class_that_appears_is_seen_by_who_missed_it(root: Path) -> None:
    (root / "src/Wants.bt").write_text("Object subclass: Wants\n\n  class go => Grove make\n")
    assert any("Grove" in each for each in said(load(root)[0]))
    (root / "src/Grove.bt").write_text("Object subclass: Grove\n\n  class make => 1\n")
    assert said(load(root)[0]) == []


def fresh(root: Path) -> SyncReport:
    """What a load without a cache says."""
    copy = root.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".beamtalk"))
    lab = Lab(copy)
    try:
        return lab.workspace.evaluator.run(lab.workspace.loader.sync)
    finally:
        lab.close()


def source_of(random: Random, name: str) -> str:
    """A class that leans on others, as they may or may not be."""
    above = random.choice(("Object", "Value", "Actor", *NAMES))
    other, third = random.choice(NAMES), random.choice(NAMES)
    sealed = random.choice(("", "", "sealed ", "abstract "))
    data = random.choice(("", "  field: leaf = 1\n", "  state: leaf = 1\n", "  classState: count = 0\n"))
    members = [
        random.choice(("  grow => 1\n", "  sealed grow => 1\n", "  class grow => 1\n", "  grow: n => n\n")),
        random.choice(
            (f"  make => {other} new\n", f"  make => {other} spawn\n", f"  make => {other} grow\n")
        ),
        f"  pick: x => x match: [b :: {third} -> 1; _ -> 2]\n",
        f"  typed: x :: {random.choice((other, 'Mood'))} -> {third} => x\n",
    ]
    return f"{sealed}{above} subclass: {name}\n{data}\n" + "\n".join(random.sample(members, 3))


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 30))])
def test_a_load_with_a_cache_says_what_one_without_says(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    root = project(tmp_path / "wood", {f"src/{name}.bt": source_of(random, name) for name in NAMES[:4]})
    for _step in range(8):
        name = random.choice(NAMES)
        path = root / "src" / f"{name}.bt"
        match random.randrange(4):
            case 0 if path.exists():
                path.unlink()
            case 1:
                (root / "src/mood.bt").write_text(
                    random.choice(("type Mood = #good | #bad\n", f"type Mood = {name} | nil\n"))
                )
            case 2:
                (root / "src/more.bt").write_text(f"{name} >> grow => 2\n\nInteger >> leaf => {name}\n")
            case _:
                path.write_text(source_of(random, name))
        assert sorted(said(load(root)[0])) == sorted(said(fresh(root)))


def test_names_are_noted_present_or_absent_and_walks_as_everything() -> None:
    consultations = Consultations()
    view = ClassView({"Ash": ClassFacts("Ash", None)})
    watched = consultations.watched("a.bt", ("Own",), view)
    assert watched.facts("Ash") == ClassFacts("Ash", None)
    assert watched.facts("garden@Rose") is None
    assert "Mood" not in watched.aliases
    assert consultations.names_of("a.bt") == ("Ash", "Mood", "Own", "Rose")
    assert list(watched.classes) == ["Ash"]
    assert consultations.names_of("a.bt") is None
    assert consultations.names_of("b.bt") is None
