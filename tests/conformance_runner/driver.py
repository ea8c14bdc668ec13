"""What the runner needs of the product: sessions on scratch folders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from repl.transcripts import Answer


class Session(Protocol):
    """One live workspace with a session in it."""

    def evaluate(self, text: str) -> Answer:
        """Evaluate one input; an error is part of the answer."""

    def load(self, path: str) -> str | None:
        """Load a source file; the error text (`Line N: message`, parted by empty lines), None after a success."""

    def close(self) -> None:
        """End it in the ordinary way."""


@dataclass(frozen=True, slots=True)
class Driver:
    """The product as the runner sees it.

    `open_folder` gives a session in a folder that need not be a project; `open_project` one whose
    sources are loaded.
    """

    open_folder: Callable[[Path], Session]
    open_project: Callable[[Path], Session]
    is_complete: Callable[[str], bool]
