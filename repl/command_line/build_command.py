"""`build`: what is wrong with sources, and their compiled form in the cache (workspace.md 6.5)."""

from __future__ import annotations

import argparse
from pathlib import Path

from lang.runtime.surroundings import Discard
from lang.stdlib.cache_file import remove_cache
from repl.command_line.analysing import (
    Analysed,
    Format,
    Strictness,
    add_promotion,
    add_shared_arguments,
    analysed,
    has_errors,
    is_compiled,
    report,
    settled,
)
from repl.command_line.evaluate import Run
from repl.command_line.opening import CannotOpen, Place, Surroundings, open_for_running
from repl.command_line.runs import run_in_project, run_of
from repl.writing import tell
from workspace.compile_cache import CompileCache
from workspace.project import Project, SourceSet
from workspace.sources import read_source

_CACHE = Path(".beamtalk") / "cache"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_shared_arguments(parser)
    add_promotion(parser)
    parser.add_argument("--no-warnings", action="store_true", help="show errors only")
    parser.add_argument("--force", action="store_true", help="compile everything again")
    parser.add_argument("--clean", action="store_true", help="remove the cache first")


def run(options: argparse.Namespace) -> int:
    """Compile what has changed of the project; 1 when a file has errors, the others are built."""
    lone = [each for each in options.paths if each.is_file()]
    shell = run_of(options) if lone else run_in_project(options)
    if shell.place.root is not None and (options.clean or options.force):
        remove_cache(shell.place.root / _CACHE)
    result = analysed(shell.place.root, options.paths)
    found = settled(result, _strictness(options), is_compiled)
    _compile(shell, result)
    report(found, result.files, Format(options.format), shell.palette, "")
    return 1 if has_errors(found) else 0


def _strictness(options: argparse.Namespace) -> Strictness:
    """Promotion comes before quiet: what fails a build is shown (D-W2)."""
    if options.warnings_as_errors:
        return Strictness.WARNINGS_AS_ERRORS
    return Strictness.QUIET if options.no_warnings else Strictness.PLAIN


def _compile(shell: Run, result: Analysed) -> None:
    """Load the project and make all code, which fills its cache; a file with errors costs the others nothing."""
    if shell.place.root is None or shell.place.root != result.root:
        return
    try:
        workspace = open_for_running(
            Place(shell.place.root, shell.place.is_read_only), Surroundings(Discard())
        )
    except CannotOpen as refusal:
        tell(str(refusal))
        return
    try:
        if workspace.project is not None and workspace.compile_cache is not None:
            tell(_progress(workspace.project, workspace.compile_cache))
        workspace.evaluator.run(lambda: workspace.loader.sync(SourceSet.ALL), "build")
        workspace.evaluator.run(lambda: workspace.loader.compile_files(workspace.state.files), "build")
    finally:
        workspace.close()


def _progress(project: Project, cache: CompileCache) -> str:
    """How much there is to do."""
    paths = project.sources(SourceSet.ALL)
    found = ((path, read_source(project.root, path)) for path in paths)
    unchanged = sum(
        1
        for path, today in found
        if today is not None and cache.read(cache.key(path, today.snapshot.sha256)) is not None
    )
    if unchanged == len(paths):
        return f"All {len(paths)} files unchanged — nothing to compile"
    rest = f" ({unchanged} unchanged)" if unchanged else ""
    return f"Compiling {len(paths) - unchanged} of {len(paths)} files{rest}"
