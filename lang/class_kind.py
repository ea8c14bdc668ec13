"""What instances of a class are: known to the checks and to the running image alike."""

from __future__ import annotations

import enum


class ClassKind(enum.Enum):
    """The kind of a class, found from its ancestors (language.md 4.1)."""

    VALUE = "value"
    ACTOR = "actor"
    OBJECT = "object"
