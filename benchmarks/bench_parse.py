"""Parse: lines a second over the sources of the repository, cold and with the cache of units.

Run it from the root: `python -m benchmarks.bench_parse`.
"""

from __future__ import annotations

import gc
import time
from pathlib import Path

from lang.source import SourceText
from lang.syntax import parse_file
from lang.syntax.parse import forget_parses
from repl.own_process import YOUNG_OBJECTS

ROOT = Path(__file__).parent.parent
ROUNDS = 5


def sources() -> list[SourceText]:
    """Every `.bt` file of the standard library, the examples and the conformance corpus."""
    paths = [
        p
        for folder in ("lang/stdlib", "examples", "tests/conformance")
        for p in (ROOT / folder).rglob("*.bt")
    ]
    return [SourceText(path.read_text("utf-8"), str(path)) for path in sorted(paths)]


def main() -> None:
    gc.set_threshold(YOUNG_OBJECTS, 20, 20)  # as in a process of the product
    texts = sources()
    lines = sum(text.line_count for text in texts)
    parse_file(SourceText("1"))
    cold, warm = [], []
    for _ in range(ROUNDS):
        forget_parses()
        cold.append(_seconds(texts))
        warm.append(_seconds(texts))
    print(f"{len(texts)} files, {lines} lines")
    print(f"parse, no unit cached: {lines / min(cold):8.0f} lines/s")
    print(f"parse, units cached:   {lines / min(warm):8.0f} lines/s")


def _seconds(texts: list[SourceText]) -> float:
    begun = time.process_time()
    for text in texts:
        parse_file(text)
    return time.process_time() - begun


if __name__ == "__main__":
    main()
