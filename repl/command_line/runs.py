"""From the options of all commands to a `Run`: which project is meant, and how output looks."""

from __future__ import annotations

import argparse
import os
import sys

from repl.command_line.evaluate import Run
from repl.command_line.opening import place_of, project_root, required_root
from repl.paint import palette_for


def run_of(options: argparse.Namespace) -> Run:
    """For commands that do without a project, too."""
    palette = palette_for(sys.stderr, os.environ, forbidden=options.no_color)
    return Run(place_of(options, project_root(options.project)), palette)


def run_in_project(options: argparse.Namespace) -> Run:
    """For commands that need one. Raises `CannotOpen`."""
    required_root(options.project)
    return run_of(options)
