"""Every source of the conformance corpus and of the library: sound unless it is meant not to be."""

from __future__ import annotations

from pathlib import Path

import pytest

from lang.diagnostics import Severity
from lang.syntax import is_complete, parse_input, unparse
from tests.lang.syntax.parsing import errors, parsed_file

ROOT = Path(__file__).parents[3]
CORPUS = ROOT / "tests" / "conformance"
SOURCES = sorted(CORPUS.rglob("*.bt"))
LIBRARY = sorted((ROOT / "lang/stdlib").rglob("*.bt")) + sorted((ROOT / "examples").rglob("*.bt"))
SCRIPTS = sorted(CORPUS.rglob("*.btscript"))

# Sources that are refused for their syntax, by the words that say so.
REFUSED = {
    "diagnostics/aliases/DoubledBackslash.bt": "type operator",
    "diagnostics/aliases/MixedOperators.bt": "cannot be mixed",
    "diagnostics/aliases/oneletter.bt": "type parameters",
    "diagnostics/classes/TwoClasses.bt": "Second",
    "diagnostics/match/BareBoolean.bt": "'true'",
    "diagnostics/match/NoArms.bt": "arms",
    "diagnostics/multi/broken/src/Cracked.bt": "expected expression",
    "diagnostics/sendability/ScopeAfterMember.bt": "before all members",
    "diagnostics/sendability/ScopeNotSymbol.bt": "symbol",
    "language/fixtures/bad/bad_string.bt": "double quotes",
    "language/fixtures/bad/protocol_body.bt": "=>",
    "language/fixtures/bad/true_pattern.bt": ":: True",
    "language/fixtures/bad/two_classes.bt": "BadSecond",
    "language/fixtures/bad/type_colon.bt": "::",
    "language/fixtures/bad/unclosed_bracket.bt": "]",
}


def test_the_corpus_is_there() -> None:
    assert len(SOURCES) > 400
    assert len(SCRIPTS) > 30
    assert {str(p.relative_to(CORPUS)) for p in SOURCES} >= REFUSED.keys()


@pytest.mark.parametrize("path", [*SOURCES, *LIBRARY], ids=lambda p: str(p.relative_to(ROOT)))
def test_sources(path: Path) -> None:
    parsed = parsed_file(path.read_bytes().decode("utf-8"), str(path))
    words = REFUSED.get(str(path.relative_to(CORPUS)) if path.is_relative_to(CORPUS) else "")
    if words is None:
        assert errors(parsed) == []
    else:
        (found,) = (d for d in parsed.all_diagnostics() if d.severity is Severity.ERROR)
        assert words in f"{found.message}\n{found.hint}"


def inputs(path: Path) -> list[tuple[str, str]]:
    """The inputs of a transcript with what must come back (tests/conformance/README.md)."""
    lines = path.read_text("utf-8").split("\n")
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(lines):
        text = lines[at]
        at += 1
        if not text.strip() or text.strip().startswith("//"):
            continue
        while at < len(lines) and not lines[at].startswith("// =>") and _goes_on(text, lines[at]):
            text += "\n" + lines[at]
            at += 1
        expected = lines[at].removeprefix("// =>").strip() if at < len(lines) else ""
        found.append((text, expected))
    return found


def _goes_on(text: str, following: str) -> bool:
    return not is_complete(text.strip()) or ("subclass:" in text and following.startswith(" "))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: str(p.relative_to(CORPUS)))
def test_inputs(path: Path) -> None:
    for text, expected in inputs(path):
        parsed = parse_input(text)
        assert unparse(parsed) == text
        found = [d for d in parsed.all_diagnostics() if d.severity is Severity.ERROR]
        if not found:
            continue
        if path.name == "limits.btscript":
            continue  # programs that may be refused
        assert expected.startswith("ERROR:"), (text, [d.message for d in found])
        assert expected[6:].strip() in "\n".join(f"{d.message}\nHint: {d.hint}" for d in found), text
