"""`check` and `build`: what is wrong with sources, with nothing of them run (workspace.md 6.1, 6.5, 6.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lang.diagnostics import Category, Diagnostic, Severity
from lang.diagnostics.render import Role, excerpt
from lang.runtime.surroundings import Discard
from lang.source import SourceText, Span
from repl.command_line.evaluate import Run
from repl.command_line.opening import Place, Surroundings, open_for_running
from repl.paint import Palette
from repl.places import in_its_file
from repl.writing import say, tell
from workspace.change import Finding, Refusal
from workspace.project import SourceSet
from workspace.sync import FileProblem, SyncReport
from workspace.workspace import Workspace

_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.HINT: 2, Severity.LINT: 3}


def check(run: Run, paths: Sequence[Path], verb: str = "Checked") -> int:
    """Load what is named, or the whole project, and print every finding."""
    inside = _inside(run.place.root, paths)
    root = run.place.root if inside is not None else None
    workspace = open_for_running(Place(root, run.place.is_read_only), Surroundings(Discard()))
    try:
        loaded = workspace.evaluator.run(
            lambda: _load(workspace, () if inside is not None else paths), "check"
        )
    finally:
        workspace.close()
    report = loaded if not inside else _within(loaded, inside)
    found = sorted(_findings(report), key=lambda f: (f.path or "", f.line, f.diagnostic.span))
    for each in found:
        tell(finding_text(each, run.palette, workspace.root))
    files = len(report.changed) + len(report.unchanged) + len(report.problems)
    if found:
        tell(_summary(found, files))
    else:
        say(f"{verb} {files} file{'s' if files != 1 else ''}: no problems")
    return 1 if report.problems or any(f.diagnostic.severity is Severity.ERROR for f in found) else 0


def _inside(root: Path | None, paths: Sequence[Path]) -> tuple[str, ...] | None:
    """The paths relative to the project, when all lie in it: they are checked with the classes around them."""
    if root is None:
        return None
    true_root, targets = root.resolve(), [path.resolve() for path in paths]
    if not all(each.is_relative_to(true_root) for each in targets):
        return None
    return tuple(each.relative_to(true_root).as_posix() for each in targets)


def _within(report: SyncReport, paths: Sequence[str]) -> SyncReport:
    """What of a report is about the given files and folders."""

    def is_meant(path: str | None) -> bool:
        return path is not None and any(p in (".", path) or path.startswith(f"{p}/") for p in paths)

    return SyncReport(
        [each for each in report.changed if is_meant(each)],
        [each for each in report.unchanged if is_meant(each)],
        problems=[each for each in report.problems if is_meant(each.path)],
        findings=[each for each in report.findings if is_meant(each.path)],
    )


def _load(workspace: Workspace, paths: Sequence[Path]) -> SyncReport:
    if not paths:
        return workspace.loader.sync(SourceSet.ALL)
    total = SyncReport()
    for path in paths:
        outcome = workspace.loader.load(str(path.absolute()))
        if isinstance(outcome, Refusal):
            total.problems.append(FileProblem(str(path), outcome.findings, outcome.message))
        else:
            total.changed.extend(outcome.paths)
            total.findings.extend(outcome.report.findings)
    return total


def _findings(report: SyncReport) -> Iterator[Finding]:
    yield from report.findings
    for problem in report.problems:
        yield from problem.findings or (_whole_file(problem),)


def _whole_file(problem: FileProblem) -> Finding:
    return Finding(
        SourceText("", problem.path), Diagnostic(Severity.ERROR, problem.message, Span(0, 0)), problem.path
    )


def finding_text(finding: Finding, palette: Palette, root: Path) -> str:
    """One finding as every shell command prints it (workspace.md 6.1)."""
    found = finding.diagnostic
    category = "" if found.category is Category.NONE else f"[{found.category.value}]"
    label = palette.diagnostic(f"{found.severity.value}{category}:", Role.LABEL, found.severity)
    source, found = in_its_file(root, finding)
    lines = [f"{label} {found.message}"]
    lines += excerpt(found.span, source, found.severity, palette.diagnostic)
    lines += [f"  = note: {note.message}" for note in found.notes]
    if found.hint:
        lines.append(f"  = help: {found.hint}")
    return "\n".join(lines)


def _summary(found: Iterable[Finding], files: int) -> str:
    """The table that ends a report; what has no category counts as `Error`."""
    by_category: dict[str, Counter[Severity]] = {}
    for each in found:
        name = each.diagnostic.category
        title = "Error" if name is Category.NONE else name.value.replace("_", " ").capitalize()
        by_category.setdefault(title, Counter())[each.diagnostic.severity] += 1
    total: Counter[Severity] = Counter()
    for counts in by_category.values():
        total.update(counts)
    lines = [f"\nDiagnostic summary ({files} file{'s' if files != 1 else ''}):"]
    lines += [f"  {title:<18} {_counts(counts)}" for title, counts in sorted(by_category.items())]
    lines.append(f"  {'Total':<18} {sum(total.values())}  ({_counts(total)})")
    return "\n".join(lines)


def _counts(counts: Counter[Severity]) -> str:
    return ", ".join(f"{n} {s.value}" for s, n in sorted(counts.items(), key=lambda item: _ORDER[item[0]]))
