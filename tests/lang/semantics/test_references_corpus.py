"""The walk misses nothing: every class name that the tokens of a source show is a mention (changes.md 6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.diagnostics import Severity
from lang.semantics.references import references_of
from lang.source import SourceText, Span
from lang.syntax import parse_file
from lang.syntax.tokens import tokenize
from lang.syntax.units import ParsedUnit

from .library import ROOT

SOURCES = sorted(
    path
    for folder in (ROOT / "tests" / "conformance", ROOT / "lang" / "stdlib", ROOT / "examples")
    for path in folder.rglob("*.bt")
)


def class_names(text: str) -> set[Span]:
    """The spans of class names by tokens alone, `package@` left out."""
    tokens = tokenize(text)
    found = set()
    for type_, start, end in zip(tokens.types, tokens.starts, tokens.ends, strict=True):
        if type_ in ("CNAME", "QUALIFIED"):
            found.add(Span(end - len(text[start:end].rpartition("@")[2]), end))
    return found


def not_mentions(unit: ParsedUnit) -> set[Span]:
    """Capitalised names that name no class: type parameters where they are declared, and `Protocol define:`."""
    if unit.node is None:
        return set()
    spans = {node.name.span for node in walk(unit.node) if isinstance(node, ast.TypeParameter)}
    spans |= {node.span for node in walk(unit.node) if isinstance(node, ast.Identifier)}
    if isinstance(unit.node, ast.ProtocolDef):
        start = unit.text.index("Protocol", unit.node.span.start)
        spans.add(Span(start, start + len("Protocol")))
    return spans


@pytest.mark.parametrize(
    "folder", sorted({path.parent for path in SOURCES}), ids=lambda p: str(p.relative_to(ROOT))
)
def test_every_class_name_of_the_tokens_is_a_mention(folder: Path) -> None:
    for path in (each for each in SOURCES if each.parent == folder):
        for unit in parse_file(SourceText(path.read_text("utf-8"), path.name)).units:
            if unit.node is None or any(each.severity is Severity.ERROR for each in unit.diagnostics):
                continue
            mentioned = {mention.span for mention in references_of(unit.node).classes}
            assert mentioned == class_names(unit.text) - not_mentions(unit), (path, unit.name)
