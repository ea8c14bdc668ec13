"""`lint`: what `check` says, and style; `--fix` takes the safe ones away (workspace.md 6.7)."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import groupby

from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.fixes import fixes_of
from lang.source import SourceText, apply_edits
from lang.syntax import parse_file
from repl.command_line.analysing import (
    Analysed,
    Format,
    Strictness,
    add_shared_arguments,
    analysed,
    counted,
    has_errors,
    report,
    settled,
)
from repl.command_line.file_output import write_whole
from repl.command_line.findings import Placed
from repl.command_line.runs import run_in_project, run_of
from repl.writing import say, tell
from workspace.flush.file_text import decoded


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_shared_arguments(parser)
    parser.add_argument("--fix", action="store_true", help="apply the fixes that change no meaning")


def run(options: argparse.Namespace) -> int:
    """Look at what is named, or the whole project; 1 when there is a lint or an error."""
    shell = run_of(options) if options.paths else run_in_project(options)
    result = analysed(shell.place.root, options.paths)
    if options.fix:
        count = _fixed(result)
        if options.format == Format.TEXT.value:
            say(f"fixed {count}")
        result = analysed(shell.place.root, options.paths)
    found = settled(result, Strictness.PLAIN, lambda _found: True)
    clean = f"Checked {counted(result.files)}: no problems"
    report(found, result.files, Format(options.format), shell.palette, clean)
    lints = sum(1 for each in found if _is_lint(each.diagnostic))
    if lints:
        noun = "diagnostic" if lints == 1 else "diagnostics"
        tell(f"error: {lints} lint {noun} found in {result.files} file(s)")
    return 1 if lints or has_errors(found) else 0


def _is_lint(found: Diagnostic) -> bool:
    return found.severity is Severity.LINT or (
        found.category is Category.LINT and found.severity is not Severity.ERROR
    )


def _fixed(result: Analysed) -> int:
    """Apply the safe fixes; how many findings they take away."""
    return sum(
        _file_fixed(result, path, found) for path, found in groupby(result.findings, key=lambda f: f.path)
    )


def _file_fixed(result: Analysed, path: str, found: Iterable[Placed]) -> int:
    """Fix one file, unless it then would not parse, or has changed since it was read."""
    every = list(found)
    source = every[0].source
    edits, count = fixes_of((each.diagnostic for each in every if each.source == source), source.text)
    fixed = apply_edits(source.text, edits)
    target = result.root / path
    if not edits or any(
        d.severity is Severity.ERROR for d in parse_file(SourceText(fixed, path)).all_diagnostics()
    ):
        return 0
    file = decoded(target.read_bytes())
    if file.text != source.text:
        return 0
    write_whole(target, file.edited(edits))
    return count
