"""A syntax problem on its way to a diagnostic."""

from __future__ import annotations

from lang.dataclass import dataclass
from lang.diagnostics import Category, Diagnostic, Severity
from lang.source import Span
from lang.syntax.messages import Message


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, where, with the facts that the message names."""

    message: Message
    span: Span
    fact: str = ""
    expected: str = ""

    def diagnostic(self) -> Diagnostic:
        """The finding; `data` holds the facts by name."""
        text, hint = self.message.value
        data = {"found": self.fact} if self.fact else {}
        if self.expected:
            data["expected"] = self.expected
        return Diagnostic(
            _SEVERITIES.get(self.message, Severity.ERROR),
            text.format(fact=self.fact, expected=self.expected),
            self.span,
            _CATEGORIES.get(self.message, Category.NONE),
            hint.format(fact=self.fact, expected=self.expected) if hint else None,
            data=data,
            incomplete=self.message in _INCOMPLETE,
        )


_LINTS = {Message.UNNECESSARY_PERIOD: Severity.LINT, Message.FIELD_LIKE_PERIOD: Severity.LINT}
_SEVERITIES = {
    **_LINTS,
    Message.DOC_NOT_ATTACHED: Severity.WARNING,
    Message.STRING_OVER_MEMBERS: Severity.LINT,
}
_CATEGORIES = dict.fromkeys(_SEVERITIES, Category.LINT)
_INCOMPLETE = frozenset(
    {
        Message.OPEN_STRING,
        Message.OPEN_SYMBOL,
        Message.OPEN_COMMENT,
        Message.OPEN_CHARACTER,
        Message.OPEN_INTERPOLATION,
    }
)


class RefusedError(Exception):
    """Raised while a node is built: the grammar took what the language does not allow."""

    def __init__(self, message: Message, span: Span, fact: str = "", expected: str = "") -> None:
        super().__init__(message)
        self.problem = Problem(message, span, fact, expected)
