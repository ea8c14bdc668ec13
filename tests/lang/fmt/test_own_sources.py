"""The project's own sources are in canonical layout: `make format` puts them there."""

from __future__ import annotations

from pathlib import Path

import pytest

from lang.fmt.files import Formatted, format_source
from lang.source import SourceText

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("folder", ["examples", "lang/stdlib", "workspace/facade"])
def test_sources_are_in_canonical_layout(folder: str) -> None:
    paths = sorted((ROOT / folder).rglob("*.bt"))
    assert paths
    texts = {path: path.read_bytes().decode("utf-8") for path in paths}
    wrong = [
        path.relative_to(ROOT).as_posix()
        for path, text in texts.items()
        if format_source(SourceText(text, path.name)) != Formatted(text)
    ]
    assert wrong == []
