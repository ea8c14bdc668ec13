"""What a diagnostic is. Rendering (carets, colour, JSON) is `lang/diagnostics/render.py`."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from lang.dataclass import dataclass, field
from lang.source import Span


class Severity(enum.Enum):
    """How bad it is; only `ERROR` stops a load (language.md, severity names)."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"
    LINT = "lint"


class Category(enum.Enum):
    """The categories of language.md 5, spelled as `@expect` spells them."""

    NONE = "none"
    DNU = "dnu"
    TYPE = "type"
    UNUSED = "unused"
    DEAD_ASSIGNMENT = "dead_assignment"
    DEPRECATION = "deprecation"
    ACTOR_NEW = "actor_new"
    VISIBILITY = "visibility"
    UNRESOLVED_CLASS = "unresolved_class"
    UNRESOLVED_FFI = "unresolved_ffi"
    ARITY_MISMATCH = "arity_mismatch"
    SHADOWED_CLASS = "shadowed_class"
    TYPE_ANNOTATION = "type_annotation"
    INHERITANCE = "inheritance"
    SENDABILITY = "sendability"
    LINT = "lint"
    EMPTY_BODY = "empty_body"
    EXTENSION_CONFLICT = "extension_conflict"


@dataclass(frozen=True, slots=True)
class Note:
    """A second place or fact that belongs to a diagnostic."""

    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `span` is relative to the text that the finding was made in.

    `data` holds the facts by name (class, selector, expected …) for tools; `message`
    already says them. `incomplete` marks a syntax error that more input could mend
    (language.md 2.10).
    """

    severity: Severity
    message: str
    span: Span
    category: Category = Category.NONE
    hint: str | None = None
    notes: tuple[Note, ...] = ()
    data: Mapping[str, str] = field(default_factory=dict)
    incomplete: bool = False

    def shifted(self, by: int) -> Diagnostic:
        """The same finding in a text where its own text begins `by` code points later."""
        return Diagnostic(
            self.severity,
            self.message,
            self.span.shifted(by),
            self.category,
            self.hint,
            tuple(Note(n.message, n.span.shifted(by) if n.span else None) for n in self.notes),
            self.data,
            self.incomplete,
        )
