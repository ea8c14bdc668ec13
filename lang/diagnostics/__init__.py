"""Diagnostics: values that say what is wrong and where; showing them is elsewhere."""

from lang.diagnostics.diagnostic import Category, Diagnostic, Note, Severity

__all__ = ["Category", "Diagnostic", "Note", "Severity"]
