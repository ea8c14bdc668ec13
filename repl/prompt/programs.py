"""The user's editor and pager (workspace.md 3.8).

Comes in: settings and the environment. Guarantees: programs are started without a shell, in the
foreground, while nothing else draws; one that cannot be started is said, or replaced. Leaves: when
to the prompt.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from repl.settings import Settings


class NoSuchProgram(Exception):
    """The program cannot be started; the text says which."""


def editor_of(settings: Settings, environment: Mapping[str, str]) -> list[str]:
    """The words that start the editor."""
    chosen = settings.editor or environment.get("VISUAL") or environment.get("EDITOR") or "vi"
    return words_of(chosen)


def pager_of(settings: Settings, environment: Mapping[str, str]) -> list[str]:
    """The words that start the pager; none for the built-in one."""
    return words_of(settings.pager or environment.get("PAGER", ""))


def words_of(command: str) -> list[str]:
    """A command line as words; a quote that does not close is taken as it stands."""
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


async def run(arguments: Sequence[str], text: str | None = None) -> None:
    """Run a program to its end, with a text as its input if there is one. Raises `NoSuchProgram`."""
    # `less` shows colours only when told to; whoever has set it otherwise knows better.
    environment = {"LESS": "FRX", **os.environ}
    stdin = None if text is None else asyncio.subprocess.PIPE
    try:
        process = await asyncio.create_subprocess_exec(*arguments, stdin=stdin, env=environment)
    except (OSError, ValueError) as error:
        raise NoSuchProgram(f"cannot start {arguments[0]}: {error}") from error
    with suppress(BrokenPipeError, ConnectionResetError):
        await process.communicate(None if text is None else text.encode("utf-8", "replace"))
    await process.wait()


async def edited(text: str, editor: Sequence[str]) -> str:
    """The text after the user has edited it. Raises `NoSuchProgram`."""
    draft = _Draft(text)
    try:
        await run([*editor, draft.name])
        return draft.read()
    finally:
        draft.remove()


class _Draft:
    """A file that the user's editor works on. Raises `NoSuchProgram` where it cannot be had or read."""

    def __init__(self, text: str) -> None:
        try:
            handle, self.name = tempfile.mkstemp(suffix=".bt", prefix="input-")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise NoSuchProgram(f"cannot write the input for the editor: {error}") from error

    def read(self) -> str:
        """What has been saved."""
        try:
            return Path(self.name).read_text("utf-8").removesuffix("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise NoSuchProgram(f"cannot take what was edited: {error}") from error

    def remove(self) -> None:
        """Take the file away."""
        Path(self.name).unlink(missing_ok=True)


async def open_at(path: str, line: int, editor: Sequence[str]) -> None:
    """Open a file at a line, in the way that vi, emacs and nano know. Raises `NoSuchProgram`."""
    await run([*editor, f"+{line}", path])
