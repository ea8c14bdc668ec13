"""Good sources are met with silence: the library, the examples and the fixtures of the corpus (types.md 3).

What is found all the same stands below, and each of it is right: tests that send what nobody understands, and
annotations of the library that say less than the code needs.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from lang.diagnostics import Severity
from lang.semantics.types.analysis import FileChecker
from lang.semantics.types.building import project_world
from lang.semantics.types.world import World
from lang.stdlib.load import SOURCES
from tests.lang.semantics.library import ROOT

from .worlds import library, parsed

# Sends of what is not understood, on purpose.
MEANT = {
    ("PoolTest.bt", "Nil does not understand 'whistle'"),
    ("Guarded.bt", "Nil does not understand 'whistle'"),
    ("Kettle.bt", "Nil does not understand 'whistle'"),
    ("echo_box.bt", "Integer does not understand 'frobnicate'"),
    ("escape_room.bt", "Nil does not understand 'boom'"),
    ("escape_room.bt", "Nil does not understand 'explode'"),
    ("non_exhaustive.bt", "Non-exhaustive match: #off not handled (left over: #off)"),
    ("countdown.bt", "In typed class `Countdown` this is Dynamic (unannotated parameter)"),
}
EXAMPLES = sorted(each for each in (ROOT / "examples").iterdir() if each.is_dir())
FIXTURES = sorted((ROOT / "tests" / "conformance").glob("*/fixtures"))


@cache
def image() -> World:
    facade = sorted((ROOT / "workspace" / "facade").glob("*.bt"))
    return project_world([parsed(path.read_text("utf-8"), path.name) for path in facade], library())


def findings(paths: list[Path], world: World) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for path in paths:
        check = FileChecker(world)
        for unit in parsed(path.read_text("utf-8"), path.name).units:
            is_broken = any(each.severity is Severity.ERROR for each in unit.diagnostics)
            if unit.node is not None and not is_broken:
                owner = unit.name.owner.rpartition("@")[2]
                found |= {
                    (path.name, each.message)
                    for each in check(unit.node, owner)
                    if each.severity is not Severity.LINT
                }
    return found


@pytest.mark.parametrize("folder", [*EXAMPLES, *FIXTURES], ids=lambda each: f"{each.parent.name}/{each.name}")
def test_good_projects_are_met_with_silence(folder: Path) -> None:
    paths = sorted(folder.rglob("*.bt"))
    world = project_world([parsed(path.read_text("utf-8"), path.name) for path in paths], image())
    assert findings(paths, world) - MEANT == set()


def test_the_library_sends_only_what_is_understood() -> None:
    paths = sorted(SOURCES.glob("*.bt"))
    assert not {each for each in findings(paths, library()) if "understand" in each[1]}


def test_the_facade_sends_only_what_is_understood() -> None:
    paths = sorted((ROOT / "workspace" / "facade").glob("*.bt"))
    assert findings(paths, image()) == set()
