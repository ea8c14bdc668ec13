"""A script that is run before the prompt takes over (workspace.md 3.1): its names stay.

It runs in the thread that opens the image; this module imports the image.
"""

from __future__ import annotations

from pathlib import Path
from typing import TextIO, cast

from repl.driving import Driver, Results, Streams
from repl.prompt.image import LiveImage
from repl.prompt.outlet import LineWriter, Outlet
from repl.script import run_script


def run_first_script(image: LiveImage, path: Path, outlet: Outlet) -> None:
    """Run a file in the session of the prompt; the first error is shown, and the prompt comes all the same."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        outlet.put(f"error: {path}: {error}")
        return
    lines = cast("TextIO", LineWriter(outlet, lambda line: line))
    streams = Streams(lines, lines, Results.SILENT)
    run_script(Driver(image.core, streams), streams, text, str(path))
