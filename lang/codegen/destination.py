"""What becomes of a lowered value."""

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
