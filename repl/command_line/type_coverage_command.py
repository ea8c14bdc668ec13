"""`type-coverage`: how much of the project's code has a type (workspace.md 6.13)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

from lang.dataclass import dataclass
from lang.diagnostics.render import Json
from repl.command_line.analysing import Format
from repl.command_line.opening import CannotOpen, manifest_text
from repl.command_line.runs import run_in_project
from repl.writing import say, tell
from workspace.analysis import ClassCoverage, library_source, type_coverage
from workspace.project import Project, open_project

_TITLE = "Type Coverage Report"
_RULE = "─" * 70


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("path", nargs="?", type=Path, metavar="PATH")
    parser.add_argument("--detail", action="store_true", help="list the expressions without a type")
    parser.add_argument("--at-least", type=float, metavar="N", help="fail below this percentage")
    parser.add_argument("--class", dest="class_name", metavar="C", help="one class only")
    parser.add_argument("--format", choices=[each.value for each in Format], default=Format.TEXT.value)


def run(options: argparse.Namespace) -> int:
    """Measure and report; 1 below the threshold."""
    shell = run_in_project(options)
    root = shell.place.root
    assert root is not None
    project = open_project(root)
    if not isinstance(project, Project):
        raise CannotOpen(manifest_text(project))
    found = [each for each in type_coverage(project, library_source()) if _is_meant(options, root, each)]
    total = _Share.of(found)
    has_passed = options.at_least is None or total.percent >= options.at_least
    if options.format == Format.JSON.value:
        say(json.dumps(_as_json(found, total, options.at_least, has_passed=has_passed), ensure_ascii=False))
    else:
        _print_table(found, total)
        if options.detail:
            _print_detail(found)
    if not has_passed:
        tell(f"error: type coverage {total.percent:.1f}% is below threshold {options.at_least:.1f}%")
    return 0 if has_passed else 1


def _is_meant(options: argparse.Namespace, root: Path, each: ClassCoverage) -> bool:
    if options.class_name is not None and each.name != options.class_name:
        return False
    if options.path is None:
        return True
    target = options.path.resolve()
    file = (root / each.path).resolve()
    return file == target or file.is_relative_to(target)


@dataclass(frozen=True, slots=True)
class _Share:
    """How many of some expressions have a type."""

    typed: int
    total: int

    @classmethod
    def of(cls, found: Iterable[ClassCoverage]) -> _Share:
        every = list(found)
        return cls(sum(each.typed for each in every), sum(each.total for each in every))

    @property
    def percent(self) -> float:
        """The share in percent; of nothing all is known."""
        return 100.0 * self.typed / self.total if self.total else 100.0

    def __str__(self) -> str:
        return f"{self.percent:.1f}%  ({self.typed}/{self.total} expressions)"


def _print_table(found: list[ClassCoverage], total: _Share) -> None:
    say(_TITLE)
    say("=" * len(_TITLE))
    say("")
    rows = [("File", "Class", "Coverage"), *((e.path, e.name, str(_Share.of([e]))) for e in found)]
    widths = [max(len(row[column]) for row in (*rows, ("Total", "", ""))) for column in (0, 1)]

    def line(row: tuple[str, str, str]) -> str:
        return f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}"

    for row in rows:
        say(line(row))
    say(_RULE)
    say(line(("Total", "", str(total))))


def _print_detail(found: list[ClassCoverage]) -> None:
    say("")
    say("Dynamic expressions:")
    for each in found:
        for place in each.unknown:
            say(f"  {each.path}:{place.line}:{place.column} ({place.reason})")


def _as_json(
    found: list[ClassCoverage], total: _Share, threshold: float | None, *, has_passed: bool
) -> dict[str, Json]:
    report: dict[str, Json] = {
        "total_expressions": total.total,
        "typed_expressions": total.typed,
        "coverage_percent": round(total.percent, 1),  # type: ignore[dict-item]  # a number of JSON
    }
    if threshold is not None:
        report |= {"threshold": threshold, "passed": has_passed}  # type: ignore[dict-item]  # as above
    report["classes"] = [
        {
            "name": each.name,
            "file": each.path,
            "total": each.total,
            "typed": each.typed,
            "coverage_percent": round(_Share.of([each]).percent, 1),  # type: ignore[dict-item]  # as above
        }
        for each in found
    ]
    return report
