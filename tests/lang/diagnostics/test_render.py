"""Diagnostics as text and as data (workspace.md 3.7)."""

from __future__ import annotations

import pytest

from lang.diagnostics import Category, Diagnostic, Note, Severity
from lang.diagnostics.render import Role, load_messages, render, render_all, to_json
from lang.source import SourceText, Span


def error(start: int, end: int, message: str = "wrong", hint: str | None = None) -> Diagnostic:
    return Diagnostic(Severity.ERROR, message, Span(start, end), hint=hint)


def test_one_line_input_is_source_and_carets() -> None:
    source = SourceText("till rnig: 5")
    assert (
        render(error(5, 10, hint="ring:"), source)
        == "Error: wrong\n    till rnig: 5\n         ^^^^^\nHint: ring:"
    )


def test_a_file_names_its_place() -> None:
    source = SourceText("a\n\tclass b => )", "src/A.bt")
    assert render(error(14, 15), source).split("\n") == [
        "Error: wrong",
        " --> src/A.bt:2:13",
        "  |",
        "2 |     class b => )",
        "  |                ^",
    ]


def test_no_control_sequence_of_a_source_reaches_the_terminal() -> None:
    source = SourceText('"\x1b[2J')
    assert render(error(0, 5, 'unterminated string: "\x1b[2J'), source).split("\n") == [
        'Error: unterminated string: "?[2J',
        '    "?[2J',
        "    ^^^^^",
    ]


@pytest.mark.parametrize(("prefix", "width"), [('"日本"', 6), ('"e\u0301"', 3), ('"a"', 3)])
def test_carets_stand_under_wide_and_combining_letters(prefix: str, width: int) -> None:
    text = f"{prefix} foo: )"
    lines = render(error(len(text) - 1, len(text)), SourceText(text)).split("\n")
    assert lines[2] == " " * (4 + width + 6) + "^"


def test_a_span_over_several_lines_is_marked_on_its_first() -> None:
    source = SourceText("[abc\ndef", "x.bt")
    assert render(error(0, 8), source).split("\n")[-1] == "  | ^^^^"


def test_an_empty_span_has_one_caret() -> None:
    assert render(error(1, 1), SourceText("x")).endswith("\n     ^")


def test_at_most_ten_are_shown_in_source_order() -> None:
    source = SourceText("x" * 20)
    shown = render_all([error(i, i + 1, f"m{i}") for i in reversed(range(12))], source)
    assert shown.startswith("Error: m0\n")
    assert "m9" in shown
    assert "m10" not in shown
    assert shown.endswith("… 2 more")


def test_only_label_number_and_carets_are_painted() -> None:
    painted: list[tuple[str, Role]] = []

    def paint(text: str, role: Role, severity: Severity) -> str:
        painted.append((text, role))
        assert severity is Severity.ERROR
        return text

    render(error(0, 1), SourceText("x\ny", "x.bt"), paint)
    assert painted == [("Error:", Role.LABEL), ("^", Role.CARET), ("1", Role.LINE_NUMBER)]


def test_a_refused_load_lists_errors_by_line() -> None:
    warning = Diagnostic(Severity.WARNING, "odd", Span(0, 1))
    source = SourceText("a\nb\nc", "x.bt")
    assert load_messages([error(4, 5, "late"), warning, error(0, 1, "early", "mend")], source) == (
        "Line 1: early\nHint: mend\n\nLine 3: late"
    )


def test_json_form() -> None:
    found = Diagnostic(
        Severity.WARNING, "m", Span(2, 3), Category.DNU, "h", (Note("n", Span(0, 1)),), {"selector": "foo"}
    )
    assert to_json(found, SourceText("a\nb", "x.bt")) == {
        "severity": "warning",
        "category": "dnu",
        "message": "m",
        "hint": "h",
        "file": "x.bt",
        "range": {"line": 2, "column": 1, "endLine": 2, "endColumn": 2},
        "notes": [{"message": "n", "range": {"line": 1, "column": 1, "endLine": 1, "endColumn": 2}}],
        "data": {"selector": "foo"},
    }
