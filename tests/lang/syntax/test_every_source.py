"""Unparsing gives back every Beamtalk source of the repository, byte for byte, the broken ones too."""

from __future__ import annotations

from pathlib import Path

from lang.source import SourceText
from lang.syntax import parse_file, unparse

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = ("lang", "workspace", "examples", "tests", "docs", "benchmarks")


def test_every_source_of_the_repository_comes_back() -> None:
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.bt"))]
    assert len(paths) > 300
    for path in paths:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        assert unparse(parse_file(SourceText(text, path.name))) == text, path
