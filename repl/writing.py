"""Lines to the two streams of the process (workspace.md 6.1): results to one, status and problems to the other."""

from __future__ import annotations

import sys


def say(text: str = "") -> None:
    """A result, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def tell(text: str = "") -> None:
    """Status, a diagnostic or an error."""
    sys.stdout.flush()
    sys.stderr.write(f"{text}\n")
