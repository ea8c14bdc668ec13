"""`python -m tests.conformance_runner [--from DIR] [--area NAME …] [--accept] [--verbose]`.

Prints the counts of each folder; exits 1 when a check fails that is not listed as known, or
when a listed one passes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from lang.syntax import is_complete
from tests.conformance_runner.diagnostics import DiagnosticRunner, cases_of
from tests.conformance_runner.known import accepted, known_ids
from tests.conformance_runner.parent import FileOutcome, Runner
from tests.conformance_runner.running import checks_of

HERE = Path(__file__).parent
KNOWN_FAILURES = HERE / "known_failures.txt"
OWN_CORPUS = HERE.parent / "conformance"
CORRECTIONS = HERE / "corrections.txt"
"""Checks that the product's own corpus has corrected: elsewhere they are known to fail."""
ANALYSIS = "diagnostics"
"""The area whose cases are analysed and never executed."""


@dataclass(slots=True)
class Tally:
    """Outcomes by check id, over all folders that were run."""

    passed: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)

    def add(self, outcome: FileOutcome, corpus: Path) -> None:
        """Count the verdicts of a file."""
        path = outcome.file.relative_to(corpus).as_posix()
        for line, failure in sorted(outcome.verdicts.items()):
            self.count(f"{path}:{line}", failure)

    def count(self, check: str, failure: str | None) -> None:
        """Count one check; `failure` is None when it passed."""
        if failure is None:
            self.passed.append(check)
        else:
            self.failed[check] = failure


def main() -> int:
    """Run, report, judge."""
    options = _options()
    corpus = options.folder.resolve()
    areas = options.area or sorted(each.name for each in corpus.iterdir() if each.is_dir())
    files = [file for area in areas if area != ANALYSIS for file in files_of(corpus / area)]
    if options.file:
        files = [file for file in files if file.name in options.file]
    start = time.monotonic()
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="conformance") as cache:
        runner = Runner(lambda file: checks_of(file, is_complete), options.limit, cache=Path(cache))
        for outcome in runner.run(files):
            tally.add(outcome, corpus)
    if ANALYSIS in areas:
        analyse(corpus / ANALYSIS, options.file, tally)
    known_text = KNOWN_FAILURES.read_text("utf-8") if KNOWN_FAILURES.exists() else ""
    if options.accept:
        known_text = accepted(known_text, tally.passed, tally.failed)
        KNOWN_FAILURES.write_text(known_text, "utf-8")
    known = known_ids(known_text)
    if corpus != OWN_CORPUS.resolve():
        known |= known_ids(CORRECTIONS.read_text("utf-8"))
    return report(tally, areas, corpus, known, options.verbose, time.monotonic() - start)


def files_of(folder: Path) -> list[Path]:
    """The transcripts and scenarios of a folder of the corpus."""
    return sorted(file for file in folder.iterdir() if file.suffix in {".btscript", ".scenario"})


def analyse(corpus: Path, wanted: list[str] | None, tally: Tally) -> None:
    """Count the cases of static analysis; `wanted` are names of files or folders, all when None."""
    runner = DiagnosticRunner(corpus)
    for case in cases_of(corpus):
        if not wanted or case.name in wanted or any(each.name in wanted for each in case.parents):
            tally.count(f"{ANALYSIS}/{case.relative_to(corpus).as_posix()}", runner.verdict(case))


def report(
    tally: Tally,
    areas: list[str],
    corpus: Path,
    known: frozenset[str],
    verbose: bool,
    seconds: float,
) -> int:
    """Print the table and what is wrong; the exit code."""
    new = {check: why for check, why in tally.failed.items() if check not in known}
    mended = sorted(set(tally.passed) & known)
    for check, why in (tally.failed if verbose else new).items():
        print(f"{corpus.name}/{check}: {why}")
    for check in mended:
        print(f"{corpus.name}/{check}: passes, but is listed as a known failure")
    print(f"{'area':<14}{'passed':>8}{'total':>8}")
    for area in areas:
        print(_row(area, tally))
    print(
        f"{len(tally.passed)} passed, {len(new) + len(mended)} failed, {len(tally.failed) - len(new)} known failures, {seconds:.0f} s"
    )
    return 1 if new or mended else 0


def _row(area: str, tally: Tally) -> str:
    passed = sum(1 for check in tally.passed if check.startswith(f"{area}/"))
    failed = sum(1 for check in tally.failed if check.startswith(f"{area}/"))
    return f"{area:<14}{passed:>8}{passed + failed:>8}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="conformance", description=__doc__)
    parser.add_argument("--from", dest="folder", type=Path, default=OWN_CORPUS)
    parser.add_argument("--area", action="append", help="a folder of the corpus; all when left out")
    parser.add_argument("--file", action="append", help="the name of a file; all when left out")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds an input may take")
    parser.add_argument("--accept", action="store_true", help="rewrite the list of known failures")
    parser.add_argument("--verbose", action="store_true", help="show known failures too")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
