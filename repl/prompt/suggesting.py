"""The grey suggestion: the newest input that begins as this one does (workspace.md 3.8)."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document


class NewestInput(AutoSuggest):
    """Suggests the rest of the line from history while `is_wanted` says so."""

    def __init__(self, is_wanted: Callable[[], bool]) -> None:
        self._is_wanted = is_wanted

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        """The rest of the newest input with this beginning; of several lines, the first."""
        text = document.text
        if not text.strip() or not self._is_wanted():
            return None
        for each in reversed(buffer.history.get_strings()):
            rest = each[len(text) :].partition("\n")[0]
            if rest and each.startswith(text):
                return Suggestion(rest)
        return None
