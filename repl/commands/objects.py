"""Commands that look at live objects: actors, and the inspector with its prompt (workspace.md 3.12, 5.1).

Comes in: a session. Guarantees: what an expression at the inspector's prompt raises is shown, and the
inspector stays. Leaves: what a cursor is to `lang/stdlib/inspecting.py`.
"""

from __future__ import annotations

import re
from typing import Final

from lang.dataclass import replace
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject
from lang.stdlib.inspecting import PAGE, BtInspector, Kind, inspection_text, inspector_on
from repl.commands.desk import CLASS_NAME, CommandFailed, Desk, counted, usage, words
from repl.display import printed
from repl.events import LEAVING, Failure, Page, Shown, Steps, Visit
from repl.paint import visible

_PID: Final = re.compile(r"<?(\d+\.\d+\.\d+)>?")
_BINDING: Final = re.compile(r"=\s*([a-z_]\w*)")
_SUBJECT: Final = "inspectedSubject"
"""The local name that holds the subject while an expression is sent to it."""


# ---------------------------------------------------------------- actors


def actors(desk: Desk, arguments: str) -> Steps:
    """`:actors`: the live actors of the image, with the messages that wait for each."""
    if arguments:
        raise usage(":actors")
    system = desk.workspace.image.actors
    transcript = desk.workspace.globals.get("Transcript")
    shown = [each for each in system.live_actors() if each is not transcript]
    for each in shown:
        process = system.process_of(each, "pid")
        waiting = len(process.mailbox)
        queue = f"  {counted(waiting, 'message')} waiting" if waiting else ""
        yield Shown(f"{each.class_object.name} ({process.pid}){queue}")
    yield Shown(counted(len(shown), "actor"))


def kill(desk: Desk, arguments: str) -> Steps:
    """`:kill PID`, or the first actor of a class."""
    match words(arguments):
        case [word] if found := _PID.fullmatch(word):
            wanted = f'(Workspace actorAt: "{found[1]}")'
        case [word] if CLASS_NAME.fullmatch(word):
            wanted = f"((Workspace actorsOf: {word}) detect: [:each | true] ifNone: [nil])"
        case _:
            raise usage(":kill PID|CLASS")
    if not isinstance(desk.value(wanted), ActorObject):
        raise CommandFailed(f"Error: there is no live actor {words(arguments)[0]}")
    desk.value(f"{wanted} kill")
    yield Shown("ok")


# ---------------------------------------------------------------- the inspector


def inspect(desk: Desk, arguments: str) -> Steps:
    """`:inspect [EXPRESSION|PID]`: the tree; at a terminal then a prompt that goes into it."""
    found = _PID.fullmatch(arguments.strip())
    expression = f'Workspace actorAt: "{found[1]}"' if found else arguments.strip() or "_"
    cursor = desk.value(f"({expression}) inspect")
    if not isinstance(cursor, BtInspector):
        yield Shown(desk.text(cursor))
        return
    yield _tree(desk, cursor)
    if desk.core.screen is not None:
        yield from _Visit(desk, cursor).run()


def _tree(desk: Desk, cursor: BtInspector) -> Page:
    return Page(visible(inspection_text(desk.workspace.runtime, cursor, 1)))


class _Visit:
    """One stay at the inspector's prompt."""

    def __init__(self, desk: Desk, cursor: BtInspector) -> None:
        self._desk = desk
        self._runtime = desk.workspace.runtime
        self._at = cursor
        self._has_said_live = False

    def run(self) -> Steps:
        """Ask until the visitor leaves."""
        while True:
            name = self._runtime.class_name_of(self._at.subject)
            answer = (yield Visit(f"inspect({name})> ")).strip()
            if answer == LEAVING:
                return
            try:
                yield from self._step(answer)
            except CommandFailed as failed:
                yield Failure(failed.text)
            except BeamtalkError as error:
                yield Failure(self._desk.core.errors.without_place(error))

    def _step(self, answer: str) -> Steps:
        match answer:
            case "":
                return
            case "..":
                yield from self._to(self._at.parent or self._at)
            case "/":
                yield from self._to(_root(self._at))
            case "+":
                yield from self._turn(1)
            case "-":
                yield from self._turn(-1)
            case "!":
                yield from self._to(self._fresh())
            case _ if found := _BINDING.fullmatch(answer):
                self._desk.core.session.names[found[1]] = self._at.subject
                yield Shown(f"{found[1]} = {printed(self._runtime, self._at.subject)}")
            case _:
                yield from self._below_or_evaluated(answer)

    def _to(self, cursor: BtInspector) -> Steps:
        self._at = cursor
        yield _tree(self._desk, cursor)

    def _fresh(self) -> BtInspector:
        """A new snapshot of an actor; the same cursor otherwise."""
        fresh = self._runtime.send(self._at, "refresh")
        return fresh if isinstance(fresh, BtInspector) else self._at

    def _turn(self, pages: int) -> Steps:
        if self._at.kind(self._runtime) is not Kind.COLLECTION:
            raise CommandFailed("Only collections have pages.")
        last = max(1, -(-self._at.size(self._runtime) // PAGE))
        page = self._at.page + pages
        if not 1 <= page <= last:
            raise CommandFailed(f"This is page {self._at.page} of {last}.")
        yield from self._to(replace(self._at, page=page))

    def _below_or_evaluated(self, answer: str) -> Steps:
        below = self._below(answer)
        if below is not None:
            yield from self._to(below)
        elif isinstance(self._at.subject, ActorObject):
            yield from self._sent(answer)
        else:
            yield Shown(self._desk.text(self._evaluated(answer)))

    def _below(self, answer: str) -> BtInspector | None:
        """The cursor on a field, by name or number."""
        is_collection = self._at.kind(self._runtime) is Kind.COLLECTION
        if answer.isdecimal() and not is_collection:
            fields = self._at.fields(self._runtime)
            number = int(answer)
            if 1 <= number <= len(fields):
                field = fields[number - 1]
                return inspector_on(self._runtime, field.value, self._at, field.name)
            return None
        by_number = self._at.child(self._runtime, int(answer)) if answer.isdecimal() else None
        return by_number or self._at.child(self._runtime, answer)

    def _evaluated(self, text: str) -> object:
        result = self._runtime.send(self._at, "evaluate:", text)
        if self._runtime.send(result, "isError") is True:
            error = self._runtime.send(result, "error")
            if isinstance(error, BeamtalkError):
                raise error
            raise CommandFailed(f"Error: {printed(self._runtime, error)}")
        return self._runtime.send(result, "value")

    def _sent(self, text: str) -> Steps:
        """A message to the live actor; the snapshot stays as it is."""
        if not self._has_said_live:
            self._has_said_live = True
            yield Shown("(sent to the live actor; ! takes a new snapshot)")
        names = self._desk.core.session.names
        names[_SUBJECT] = self._at.subject
        try:
            value = self._desk.value(f"{_SUBJECT} {text.removeprefix('self ')}")
        finally:
            names.pop(_SUBJECT, None)
        yield Shown(self._desk.text(value))


def _root(cursor: BtInspector) -> BtInspector:
    while cursor.parent is not None:
        cursor = cursor.parent
    return cursor
