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
from repl.paint import PLAIN, palette_for
from repl.prompt.activity import Activity
from repl.prompt.app import FirstPrompt, Prompt
from repl.prompt.outlet import Outlet
from repl.prompt.places import Found, find_place, may_be_held
from repl.prompt.terminal import Terminal
from repl.settings import Chosen, Settings, Theme, read_settings, settings_path, with_setting
from repl.writing import say, tell

if TYPE_CHECKING:
    from repl.prompt.image import LiveImage


def start_prompt(options: argparse.Namespace) -> int:
    """Open the prompt; the exit code of the process."""
    found = find_place(options.project)
    if isinstance(found, str):
        tell(found)
        return 1
    settings, complaints = read_settings(settings_path(os.environ, Path.home()))
    settings = _with_options(settings, options)
    may_colour = palette_for(sys.stdout, os.environ, forbidden=options.no_color)
    palette = PLAIN if settings.theme is Theme.MONO else may_colour
    is_dumb = os.environ.get("TERM") == "dumb"
    terminal = Terminal(sys.stdout, sys.stderr, may_colour.is_coloured, is_dumb, chosen=Chosen(settings))
    say(f"Beamtalk v{VERSION}\nType :help for available commands, :exit to quit.")
    for complaint in complaints:
        tell(f"⚠ {complaint}")

    def open_image(outlet: Outlet, activity: Activity) -> LiveImage:
        from repl.command_line.opening import place_of  # noqa: PLC0415 (the image; the prompt is up before it)
        from repl.prompt.image import open_live_image  # noqa: PLC0415 (the same)

        image = open_live_image(place_of(options, found.root), palette, outlet, activity)
        if options.script is not None:
            from repl.prompt.first_script import run_first_script  # noqa: PLC0415 (the same)

            run_first_script(image, Path(options.script), outlet)
        return image

    # A workspace that may be in use is opened first: no prompt is drawn only to be taken away. A dumb
    # terminal cannot print above its prompt.
    first = FirstPrompt.WHEN_OPEN if is_dumb or may_be_held(found) else FirstPrompt.AT_ONCE
    return asyncio.run(Prompt(terminal, open_image, _history(found), first).run())


def _with_options(settings: Settings, options: argparse.Namespace) -> Settings:
    """The command line has the last word."""
    for name in ("theme", "keys"):
        value = getattr(options, name)
        changed = settings if value is None else with_setting(settings, name, value)
        if isinstance(changed, Settings):
            settings = changed
    return settings


def _history(found: Found) -> Path:
    if found.root is not None:
        return found.root / ".beamtalk" / "history"
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "beamtalk" / "loose" / "history"
