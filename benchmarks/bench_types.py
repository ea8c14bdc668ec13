"""The type checker: a project of 1,000 classes, one method of it again, and a line at the prompt.

Run: `python -m benchmarks.bench_types [classes]`. Times are of the processor, the best of several; "judge" is
the work of types alone, "check" all that `beamtalk check` does.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.bench_rename import write_project
from lang.ast import nodes as ast
from lang.semantics.types.analysis import FileChecker, analyse
from lang.semantics.types.building import library_world, project_world
from lang.semantics.types.world import World
from lang.source import SourceText
from lang.syntax import parse_file, parse_input
from lang.syntax.units import ParsedFile
from workspace.analysis import analyse_project, library_source
from workspace.project import Project, open_project

_ROUNDS = 5


def main(classes: int = 1000) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "bench"
        write_project(root, classes, classes * 3 // 10)
        paths = sorted(root.glob("src/*.bt"))
        files = [parse_file(SourceText(path.read_text("utf-8"), path.name)) for path in paths]
        library = library_source()
        outer = library_world(library.files)
        print(f"{'type check':<44}{'cpu ms':>10}{'must':>8}{'aim':>8}")
        world = project_world(files, outer, "bench")
        _row(f"{classes} classes: judge", _timed(lambda: _judge(files, world)), 8000, 4000)
        project = open_project(root)
        assert isinstance(project, Project)
        _row(f"{classes} classes: check", _timed(lambda: analyse_project(project, library)), 8000, 4000)
        _row("one method again, its class touched", _again(files, world), 20, 5)
        _row("one line", _one_line(world), 2, 2)


def _row(name: str, seconds: float, must: int, aim: int) -> None:
    print(f"{name:<44}{seconds * 1000:>10.2f}{must:>8}{aim:>8}")


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _judge(files: list[ParsedFile], world: World) -> None:
    for file in files:
        check = FileChecker(world)
        for unit in file.units:
            if unit.node is not None:
                check(unit.node, unit.name.owner)


def _again(files: list[ParsedFile], world: World) -> float:
    """The next world of a change to one class, and one of its methods judged in it."""
    unit = next(u for u in files[len(files) // 2].units if isinstance(u.node, ast.MethodDef))
    owner, node = unit.name.owner, unit.node
    assert node is not None

    def work() -> None:
        analyse(node, owner, world.succeeded(world.view, world.trees, frozenset({owner})))

    return min(_timed(work) for _ in range(_ROUNDS))


def _one_line(world: World) -> float:
    node = parse_input("((1 to: 10) collect: [:n | n * n]) size + 3 printString size").units[0].node
    assert node is not None
    return min(_timed(lambda: analyse(node, "", world)) for _ in range(_ROUNDS))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
