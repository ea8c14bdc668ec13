"""What becomes of a lowered value, and what cannot be lowered."""

from __future__ import annotations

import enum
from typing import NamedTuple


class Sink(enum.Enum):
    """Nothing, or it is the answer of the Python function."""

    EFFECT = "effect"
    ANSWER = "answer"


class Into(NamedTuple):
    """It goes into a temporary."""

    name: str


Destination = Sink | Into


class Uncompilable(ValueError):
    """The tree holds what the checks refuse; whoever compiles it has not checked it."""
