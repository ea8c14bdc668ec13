"""How bad a finding counts: the package's table, and promotion (types.md 3.2, 3.6, 3.7).

Comes in: the findings of a package with `@expect` applied, and the `[diagnostics]` table of its manifest.
Guarantees: an error stays one; what the table turns off is gone; promotion comes last and never touches
lints. Leaves: making findings, and reading the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from lang.dataclass import replace
from lang.diagnostics import Category, Diagnostic, Severity

SeverityTable = Mapping[Category, Severity | None]
"""The severity of soft findings by category; None is off (D-T3)."""

# What `--warnings-as-errors` leaves alone, unless the table names the category (D-W1).
_EXCLUDED: Final = frozenset(
    {
        Category.UNRESOLVED_CLASS,
        Category.UNRESOLVED_FFI,
        Category.ARITY_MISMATCH,
        Category.DEPRECATION,
    }
)
_PROMOTED: Final = frozenset({Severity.WARNING, Severity.HINT})


def tabled(found: Iterable[Diagnostic], table: SeverityTable) -> tuple[Diagnostic, ...]:
    """The findings with the severities of the table (D-T3, D-T4)."""
    if not table:
        return tuple(found)
    return tuple(kept for each in found if (kept := _by_table(each, table)) is not None)


def _by_table(found: Diagnostic, table: SeverityTable) -> Diagnostic | None:
    if found.severity is Severity.ERROR or found.category not in table:
        return found
    severity = table[found.category]
    return None if severity is None else replace(found, severity=severity)


def promoted(found: Iterable[Diagnostic], table: SeverityTable) -> tuple[Diagnostic, ...]:
    """The findings as `--warnings-as-errors` counts them (D-W1)."""
    return tuple(
        replace(each, severity=Severity.ERROR) if _is_promoted(each, table) else each for each in found
    )


def _is_promoted(found: Diagnostic, table: SeverityTable) -> bool:
    is_excluded = found.category in _EXCLUDED and found.category not in table
    return found.severity in _PROMOTED and not is_excluded
