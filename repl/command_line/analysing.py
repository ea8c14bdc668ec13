"""What `check`, `build` and `lint` have in common: choose sources, analyse, report (workspace.md 6.1, 6.5 to 6.7).

Comes in: paths as typed. Guarantees: sources of a project are judged with all of the project and its dependencies in
sight, whatever part of it is asked for; nothing is loaded or run. Leaves: what an exit code means to each command.
"""

from __future__ import annotations

import argparse
import enum
from collections.abc import Callable, Sequence
from pathlib import Path

from lang.dataclass import dataclass
from lang.diagnostics import Diagnostic, Severity
from lang.semantics.policy import SeverityTable, promoted
from repl.command_line.findings import Placed, json_lines, placed, placed_text, summary_text
from repl.command_line.opening import CannotOpen, manifest_text
from repl.command_line.source_files import source_files
from repl.paint import Palette
from repl.writing import say, tell
from workspace.analysis import Analysis, analyse_files, analyse_project, library_source
from workspace.project import SOURCE_SUFFIX, Project, open_project


class Format(enum.Enum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"


class Strictness(enum.Enum):
    """What becomes of warnings and hints (types.md 3.7)."""

    PLAIN = "plain"
    WARNINGS_AS_ERRORS = "warnings as errors"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Analysed:
    """The files that were asked for, and all their findings, lints included."""

    root: Path
    files: int
    findings: tuple[Placed, ...]
    table: SeverityTable

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings alone."""
        return tuple(each.diagnostic for each in self.findings)


def analysed(root: Path | None, paths: Sequence[Path]) -> Analysed:
    """Analyse the project, or what is named. Raises `CannotOpen`."""
    inside = _inside(root, paths)
    if root is not None and inside is not None:
        project = open_project(root)
        if not isinstance(project, Project):
            raise CannotOpen(manifest_text(project))
        return _narrowed(root, analyse_project(project, library_source()), inside)
    files = source_files(paths, (SOURCE_SUFFIX,))
    return _narrowed(Path.cwd(), analyse_files(Path.cwd(), map(str, files), library_source()), ())


def _inside(root: Path | None, paths: Sequence[Path]) -> tuple[str, ...] | None:
    """The paths relative to the project, when all lie in it: they are checked with the classes around them."""
    if root is None:
        return None
    true_root = root.resolve()
    source_files(paths, (SOURCE_SUFFIX,))  # what is missing is told before anything is read
    targets = [path.resolve() for path in paths]
    if not all(each.is_relative_to(true_root) for each in targets):
        return None
    return tuple(each.relative_to(true_root).as_posix() for each in targets)


def _narrowed(root: Path, analysis: Analysis, paths: Sequence[str]) -> Analysed:
    """What of an analysis is about the given files and folders; about everything when none is given."""

    def is_meant(path: str) -> bool:
        return not paths or any(p in (".", path) or path.startswith(f"{p}/") for p in paths)

    found = placed((each for each in analysis.findings if is_meant(each.path or "")), root)
    return Analysed(root, sum(map(is_meant, analysis.files)), found, analysis.table)


# ---------------------------------------------------------------- reporting


def is_compiled(found: Diagnostic) -> bool:
    """Whether a build shows a finding: lints are the lint command's (D-P4)."""
    return found.severity is not Severity.LINT


def settled(
    result: Analysed, strictness: Strictness, is_shown: Callable[[Diagnostic], bool]
) -> tuple[Placed, ...]:
    """The findings that count, with the severities that they count with."""
    shown = [each for each in result.findings if is_shown(each.diagnostic)]
    match strictness:
        case Strictness.WARNINGS_AS_ERRORS:
            found = promoted((each.diagnostic for each in shown), result.table)
            return tuple(Placed(each.source, one, each.path) for each, one in zip(shown, found, strict=True))
        case Strictness.QUIET:
            return tuple(each for each in shown if each.diagnostic.severity is Severity.ERROR)
        case Strictness.PLAIN:
            return tuple(shown)


def report(found: Sequence[Placed], files: int, form: Format, palette: Palette, clean: str) -> None:
    """Print the findings and the summary; `clean` is the line for a text report without any."""
    match form:
        case Format.JSON:
            for line in json_lines(found, files):
                say(line)
        case Format.TEXT if found:
            for each in found:
                tell(placed_text(each, palette))
            tell(summary_text((each.diagnostic for each in found), files))
        case Format.TEXT:
            if clean:
                say(clean)


def has_errors(found: Sequence[Placed]) -> bool:
    """Whether a command ends with 1."""
    return any(each.diagnostic.severity is Severity.ERROR for each in found)


# ---------------------------------------------------------------- options


def add_shared_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the commands have in common."""
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--format", choices=[each.value for each in Format], default=Format.TEXT.value)


def add_promotion(parser: argparse.ArgumentParser) -> None:
    """Declare `--warnings-as-errors`."""
    parser.add_argument(
        "--warnings-as-errors", action="store_true", help="warnings and hints fail the command"
    )


def counted(files: int) -> str:
    """`1 file`, `2 files`."""
    return f"{files} file{'s' if files != 1 else ''}"
