"""Completion at the prompt (workspace.md 3.11).

Comes in: the text before the cursor. Guarantees: nothing is evaluated, sent or spawned: it
looks names up in published mappings and walks class definitions. Leaves: types of longer
expressions; an unknown receiver offers what the project's sources send.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from lang.runtime.classes import ClassObject
from lang.syntax.units import Side
from repl.commands.command import Argument
from repl.commands.table import COMMANDS, find_command
from repl.errors import selectors_of
from repl.session_core import SessionCore
from workspace.sessions import SPECIALS

_WORD: Final = re.compile(r"[A-Za-z_#][\w:]*$")
_RECEIVER: Final = re.compile(r"(?:^|[\s(\[{.;,|^])([A-Za-z_]\w*|\"[^\"]*\"|-?\d+(?:\.\d+)?|#[\w:]+)\s+$")
_MOST: Final = 200


class SessionCompleter(Completer):
    """Offers commands, names, classes and selectors of one session; nothing before it is there."""

    def __init__(self) -> None:
        self.core: SessionCore | None = None

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """The candidates for the word before the cursor."""
        del complete_event
        before = document.text_before_cursor
        if before.startswith(":") and "\n" not in before:
            yield from self._on_command(before)
            return
        if self.core is None:
            return
        word = found[0] if (found := _WORD.search(before)) else ""
        candidates = _Names(self.core).candidates(before[: len(before) - len(word)], word)
        yield from _completions(candidates, word)

    def _on_command(self, before: str) -> Iterator[Completion]:
        name, blank, rest = before[1:].partition(" ")
        if not blank:
            for each in COMMANDS:
                if each.name.startswith(name):
                    yield Completion(each.name, -len(name), display_meta=each.summary)
            return
        command = find_command(name)
        if command is None or self.core is None:
            return
        *earlier, word = rest.split(" ")
        yield from _completions(_Names(self.core).of_argument(command.takes, earlier, word), word)


def _completions(candidates: Iterable[str], word: str) -> Iterator[Completion]:
    unique = sorted({each for each in candidates if each.startswith(word) and each != word})
    for each in unique[:_MOST]:
        yield Completion(each, -len(word))


class _Names:
    """The names that one session can see."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core
        self._runtime = core.workspace.runtime

    def candidates(self, before: str, word: str) -> Iterable[str]:
        """What may stand at the cursor; `before` is all before the word."""
        receiver = _RECEIVER.search(before)
        if receiver is not None and (not word or word[0].islower()):
            return self._selectors(receiver[1])
        if before.endswith(("$", "@")):
            return ()
        if word.startswith("#"):
            return (f"#{each}" for each in self._core.workspace.state.index.all_defined())
        if word[:1].isupper():
            return self._runtime.class_names
        return (*self._core.session.names, *SPECIALS, "self", "super", "true", "false", "nil") if word else ()

    def of_argument(self, takes: Argument, earlier: list[str], word: str) -> Iterable[str]:
        """What the argument of a command may be."""
        match takes:
            case Argument.CLASS | Argument.METHOD if not earlier:
                return self._core.workspace.state.classes
            case Argument.METHOD:
                found = self._runtime.class_named(earlier[0])
                side = Side.CLASS if "class" in earlier[1:] else Side.INSTANCE
                return found.definition.local_methods(side) if found is not None else ()
            case Argument.SELECTOR:
                return self._core.workspace.state.index.all_defined()
            case Argument.PATH:
                return _paths(self._core.workspace.root, word)
            case Argument.EXPRESSION:
                return self._runtime.class_names
        return ()

    def _selectors(self, receiver: str) -> Iterable[str]:
        found = self._class_of(receiver)
        if found is None:
            return {*self._core.workspace.state.index.all_defined()}
        return selectors_of(*found)

    def _class_of(self, receiver: str) -> tuple[ClassObject, Side] | None:
        """The class and side that answer messages to a literal or a bound name."""
        names = self._core.session.names
        if receiver in self._runtime.class_names and receiver not in names:
            value = self._runtime.class_names[receiver]
            if isinstance(value, ClassObject):
                return value, Side.CLASS
        elif dict.__contains__(names, receiver):
            value = names[receiver]
        else:
            value = _literal(receiver)
            if value is None:
                return None
        if isinstance(value, ClassObject):
            return value, Side.CLASS
        return self._runtime.class_of_instance(value), Side.INSTANCE


def _literal(text: str) -> object:
    if text.startswith('"'):
        return text
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return None


def _paths(root: Path, word: str) -> Iterator[str]:
    folder, _, _name = word.rpartition("/")
    base = Path(folder).expanduser() if folder.startswith(("~", "/")) else root / folder
    try:
        with os.scandir(base) as entries:
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir() and not entry.name.startswith("."):
                    yield f"{path}/"
                elif entry.name.endswith(".bt"):
                    yield path
    except OSError:
        return
