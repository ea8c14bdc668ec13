"""The table of a package and the promotion pass (types.md 3.6, 3.7)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.policy import promoted, tabled
from lang.source import Span

categories = st.sampled_from(list(Category))
severities = st.sampled_from(list(Severity))
findings = st.lists(
    st.builds(
        lambda severity, category: Diagnostic(severity, "", Span(0, 1), category), severities, categories
    )
)
tables = st.dictionaries(categories.filter(lambda c: c is not Category.NONE), st.none() | severities)


@given(findings, tables)
def test_errors_pass_the_table_as_they_are(
    found: list[Diagnostic], table: dict[Category, Severity | None]
) -> None:
    errors = [each for each in found if each.severity is Severity.ERROR]
    assert tabled(errors, table) == tuple(errors)


@given(findings, tables)
def test_the_table_decides_for_soft_findings(
    found: list[Diagnostic], table: dict[Category, Severity | None]
) -> None:
    soft = [each for each in found if each.severity is not Severity.ERROR]
    wanted = [table.get(each.category, each.severity) for each in soft]
    assert [each.severity for each in tabled(soft, table)] == [each for each in wanted if each is not None]


@given(findings, tables)
def test_promotion_touches_no_lint_and_nothing_excluded(
    found: list[Diagnostic], table: dict[Category, Severity | None]
) -> None:
    excluded = {
        Category.UNRESOLVED_CLASS,
        Category.UNRESOLVED_FFI,
        Category.ARITY_MISMATCH,
        Category.DEPRECATION,
    } - set(table)
    for before, after in zip(found, promoted(found, table), strict=True):
        is_soft = before.severity in (Severity.WARNING, Severity.HINT)
        becomes_error = is_soft and before.category not in excluded
        assert after.severity is (Severity.ERROR if becomes_error else before.severity)
