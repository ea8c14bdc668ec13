"""The cases of static analysis (tests/conformance/diagnostics/README.md): which there are, and their verdicts.

Comes in: the folder of the corpus. Guarantees: a verdict for each case, by its path below the corpus;
what the product raises is a failed case. Nothing of a case is executed.
"""

from __future__ import annotations

import re
import shlex
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lang.diagnostics import Diagnostic, Severity
from lang.semantics.policy import promoted
from lang.semantics.surfaces import PackageSource
from workspace.analysis import Analysis, analyse_project, library_source
from workspace.change import Finding
from workspace.manifest import MANIFEST_NAME
from workspace.project import BrokenManifest, NoManifest, Project, open_project

_SEVERITIES = {each.value for each in Severity}
_WORLD = "world"


@dataclass(frozen=True, slots=True)
class Expectation:
    """One finding that a comment demands of its line."""

    line: int
    severity: str
    category: str
    facts: tuple[tuple[str, str], ...]

    @property
    def place(self) -> tuple[int, str, str]:
        """What is compared as a multiset."""
        return self.line, self.severity, self.category


@dataclass(slots=True)
class Expected:
    """The comments of one file: the findings, and the outcomes of builds by name (`build`, `strict`)."""

    findings: list[Expectation] = field(default_factory=list)
    runs: dict[str, str] = field(default_factory=dict)


def read_expected(text: str, mark: str) -> Expected:
    """What the comments of a file demand."""
    expected = Expected()
    for number, line in enumerate(text.split("\n"), 1):
        for part in line.split(mark)[1:]:
            first, *rest = shlex.split(part)
            if first in _SEVERITIES:
                facts = tuple((key, value) for key, _, value in (each.partition("=") for each in rest[1:]))
                category = "none" if rest[0] == "-" else rest[0].replace("-", "_")
                expected.findings.append(Expectation(number, first, category, facts))
            elif first == "run":
                expected.runs[rest[0]] = rest[1]
    return expected


def cases_of(corpus: Path) -> tuple[Path, ...]:
    """Every case: single files, and folders that are a project or have one called `app`."""
    return tuple(_cases_below(corpus))


def _cases_below(folder: Path) -> Iterator[Path]:
    for each in sorted(folder.iterdir()):
        if each.is_file():
            if each.suffix == ".bt":
                yield each
        elif (each / MANIFEST_NAME).exists() or (each / "app" / MANIFEST_NAME).exists():
            yield each
        else:
            yield from _cases_below(each)


@dataclass(slots=True)
class DiagnosticRunner:
    """Runs cases of one corpus; the library's sources are read once."""

    corpus: Path
    library: PackageSource = field(default_factory=library_source)

    def verdict(self, case: Path) -> str | None:
        """Why a case fails, None when it passes (the outermost loop of the runner)."""
        try:
            wrong = list(self._wrong(case))
        except Exception as error:  # noqa: BLE001
            return f"raised {type(error).__name__}: {error}"
        return "; ".join(wrong) or None

    def _wrong(self, case: Path) -> Iterator[str]:
        if case.is_dir():
            root = case if (case / MANIFEST_NAME).exists() else case / "app"
            files = [path.relative_to(root) for path in sorted(root.rglob("*")) if path.is_file()]
            yield from self._wrong_in(root, [each.as_posix() for each in files])
            return
        with tempfile.TemporaryDirectory(prefix="case") as scratch:
            root = Path(scratch) / _WORLD
            shutil.copytree(self.corpus / _WORLD, root, copy_function=shutil.copyfile)
            shutil.copyfile(case, root / "src" / case.name)
            yield from self._wrong_in(root, [f"src/{case.name}"])

    def _wrong_in(self, root: Path, files: list[str]) -> Iterator[str]:
        match open_project(root):
            case Project() as project:
                analysis = analyse_project(project, self.library)
            case BrokenManifest() as broken:
                reading = broken.reading
                found = tuple(Finding(reading.source, each, MANIFEST_NAME) for each in reading.problems)
                analysis = Analysis((), found, {})
            case NoManifest() as missing:
                yield missing.reason()
                return
        expected = {path: _expected_in(root / path) for path in files}
        for path, wanted in expected.items():
            yield from _differences(path, wanted, analysis)
        yield from _builds(analysis, list(expected.values()))


def _expected_in(path: Path) -> Expected:
    marks = {".bt": "//!", ".toml": "#!"}
    return read_expected(path.read_text("utf-8"), marks[path.suffix]) if path.suffix in marks else Expected()


# ---------------------------------------------------------------- comparing


def _differences(path: str, expected: Expected, analysis: Analysis) -> Iterator[str]:
    compares_lints = any(each.severity == "lint" for each in expected.findings)
    found = [
        (each.line, each.diagnostic)
        for each in analysis.findings
        if each.path == path and (compares_lints or each.diagnostic.severity is not Severity.LINT)
    ]
    places = Counter(_place(line, each) for line, each in found)
    wanted = Counter(each.place for each in expected.findings)
    for line, severity, category in sorted((wanted - places).elements()):
        yield f"{path}:{line}: no {severity}[{category}]"
    for line, severity, category in sorted((places - wanted).elements()):
        said = next(each.message for at, each in found if _place(at, each) == (line, severity, category))
        yield f"{path}:{line}: unexpected {severity}[{category}] {said}"
    for each in expected.findings:
        here = [finding for line, finding in found if _place(line, finding) == each.place]
        if here and not any(conveys(finding, each.facts) for finding in here):
            yield f"{path}:{each.line}: {dict(each.facts)} is not in {here[0].message!r}, {dict(here[0].data)}"


def _place(line: int, found: Diagnostic) -> tuple[int, str, str]:
    return line, found.severity.value, found.category.value


def conveys(found: Diagnostic, facts: tuple[tuple[str, str], ...]) -> bool:
    """Whether a finding has all facts: in its data under their keys, else in its words."""
    said = " ".join(filter(None, [found.message, found.hint, *(note.message for note in found.notes)]))
    return all(_conveys(found, said, key, value) for key, value in facts)


def _conveys(found: Diagnostic, said: str, key: str, value: str) -> bool:
    if key in found.data and key != "reason":
        return _same_type(found.data[key], value)
    return any(spelling in said for spelling in _spellings(value))


def _same_type(one: str, other: str) -> bool:
    return _plain(one) == _plain(other)


def _plain(shown: str) -> str:
    return re.sub(r"\bUndefinedObject\b", "Nil", shown)


def _spellings(value: str) -> tuple[str, ...]:
    return (value, _plain(value), re.sub(r"\bNil\b", "UndefinedObject", value))


def _builds(analysis: Analysis, expected: list[Expected]) -> Iterator[str]:
    """Whether the plain build, and the one with `--warnings-as-errors`, end as they should."""
    found = [each.diagnostic for each in analysis.findings]
    runs = {name: outcome for each in expected for name, outcome in each.runs.items()}
    lists_error = any(each.severity == "error" for file in expected for each in file.findings)
    plain = runs.get("build", "fails" if lists_error else "ok")
    yield from _outcome("build", plain, found)
    if "strict" in runs:
        yield from _outcome("strict build", runs["strict"], promoted(found, analysis.table))


def _outcome(what: str, wanted: str, found: list[Diagnostic] | tuple[Diagnostic, ...]) -> Iterator[str]:
    outcome = "fails" if any(each.severity is Severity.ERROR for each in found) else "ok"
    if outcome != wanted:
        yield f"the {what} should end with {wanted!r}, not {outcome!r}"
