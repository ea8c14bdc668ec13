"""Where the prompt reads and draws (workspace.md 3.1, 3.8)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TextIO

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from lang.dataclass import dataclass, field
from repl.settings import Chosen


@dataclass(frozen=True, slots=True)
class Terminal:
    """The streams that get what is printed above the prompt, and what is known of the terminal.

    `input` and `screen` None: those of the process.
    """

    output: TextIO
    errors: TextIO
    is_coloured: bool = False
    is_dumb: bool = False
    input: Input | None = None
    screen: Output | None = None
    chosen: Chosen = field(default_factory=Chosen)
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)

    @property
    def can_draw(self) -> bool:
        """Whether lines can be rewritten and the whole screen be used."""
        return not self.is_dumb and self.output.isatty()
