"""From the command line to the first prompt (workspace.md 3.1).

Guarantees: the prompt is drawn before the image is imported, so that typing is possible at
once; a project that cannot be opened is said before, where that can be told cheaply. Leaves:
the session to `app`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lang.version import VERSION
from repl.paint import palette_for
from repl.prompt.app import FirstPrompt, Prompt, Terminal
from repl.prompt.outlet import Outlet
from repl.prompt.places import Found, find_place, may_be_held
from repl.prompt.styles import PLAIN_STYLE, STYLE
from repl.writing import say, tell

if TYPE_CHECKING:
    from repl.prompt.image import LiveImage


def start_prompt(options: argparse.Namespace) -> int:
    """Open the prompt; the exit code of the process."""
    found = find_place(options.project)
    if isinstance(found, str):
        tell(found)
        return 1
    palette = palette_for(sys.stdout, os.environ, forbidden=options.no_color)
    is_dumb = os.environ.get("TERM") == "dumb"
    style = STYLE if palette.is_coloured else PLAIN_STYLE
    terminal = Terminal(sys.stdout, sys.stderr, style, is_dumb, options.keys)
    say(f"Beamtalk v{VERSION}\nType :help for available commands, :exit to quit.")

    def open_image(outlet: Outlet) -> LiveImage:
        from repl.command_line.opening import place_of  # noqa: PLC0415 (the image; the prompt is up before it)
        from repl.prompt.image import open_live_image  # noqa: PLC0415 (the same)

        image = open_live_image(place_of(options, found.root), palette, outlet)
        if options.script is not None:
            from repl.prompt.first_script import run_first_script  # noqa: PLC0415 (the same)

            run_first_script(image, Path(options.script), outlet)
        return image

    # A workspace that may be in use is opened first: no prompt is drawn only to be taken away. A dumb
    # terminal cannot print above its prompt.
    first = FirstPrompt.WHEN_OPEN if is_dumb or may_be_held(found) else FirstPrompt.AT_ONCE
    return asyncio.run(Prompt(terminal, open_image, _history(found), first).run())


def _history(found: Found) -> Path:
    if found.root is not None:
        return found.root / ".beamtalk" / "history"
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "beamtalk" / "loose" / "history"
