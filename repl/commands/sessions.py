"""Commands about the session itself (workspace.md 2.3, 3.9, 3.12)."""

from __future__ import annotations

from repl.commands.desk import Desk, counted, usage, words
from repl.commands.flushing import pending_count
from repl.display import Screen, printed
from repl.events import Confirm, Leave, Shown, Steps, agrees
from repl.paint import visible


def bindings(desk: Desk, arguments: str) -> Steps:
    """`:bindings`: local names, sorted."""
    if arguments:
        raise usage(":bindings")
    names = desk.core.session.names
    if not names:
        yield Shown("No bindings.")
    for name in sorted(names):
        text = printed(desk.workspace.runtime, names[name])
        yield Shown(desk.cut(visible(f"{name} = {text}")))


def clear(desk: Desk, arguments: str) -> Steps:
    """`:clear`."""
    if arguments:
        raise usage(":clear")
    desk.value("Session current clear")
    session = desk.core.session
    session.last_values, session.last_error = [None, None, None], None
    yield Shown("Bindings cleared.")


def history(desk: Desk, arguments: str) -> Steps:
    """`:history [n|text]`: earlier inputs, oldest first."""
    found = words(arguments)
    inputs = list(desk.history)
    match found:
        case []:
            shown = inputs[-20:]
        case [number] if number.isdecimal():
            shown = inputs[-int(number) :]
        case _:
            shown = [each for each in inputs if arguments in each]
    for each in shown:
        yield Shown(visible(each))


def interrupt(desk: Desk, arguments: str) -> Steps:
    """`:interrupt`: said also when nothing runs."""
    del desk
    if arguments:
        raise usage(":interrupt")
    yield Shown("Interrupt sent.")


def version(desk: Desk, arguments: str) -> Steps:
    """`:version`."""
    if arguments:
        raise usage(":version")
    yield Shown(f"beamtalk {desk.value('Beamtalk version')}")


_SETTINGS = ("max-elements", "width", "quote")


def settings(desk: Desk, arguments: str) -> Steps:
    """`:set [NAME [VALUE]]`: how results are shown in this session."""
    screen = desk.core.screen or Screen()
    present = {
        "max-elements": str(screen.max_elements),
        "width": str(screen.width),
        "quote": str(screen.quote).lower(),
    }
    match words(arguments):
        case []:
            pass
        case [name] if name in present:
            present = {name: present[name]}
        case ["max-elements", value] if value.isdecimal() and int(value) > 0:
            screen, present = Screen(screen.width, int(value), screen.quote), {"max-elements": value}
        case ["width", value] if value.isdecimal() and int(value) >= 20:
            screen, present = Screen(int(value), screen.max_elements, screen.quote), {"width": value}
        case ["quote", "true" | "false" as value]:
            screen = Screen(screen.width, screen.max_elements, quote=value == "true")
            present = {"quote": value}
        case _:
            raise usage(f":set [{'|'.join(_SETTINGS)} [VALUE]]")
    if desk.core.screen is not None:
        desk.core.screen = screen
    for name, value in present.items():
        yield Shown(f"{name} = {value}")


def leave(desk: Desk, arguments: str) -> Steps:
    """`:exit`: asks while changes wait to be written."""
    if words(arguments):
        raise usage(":exit")
    pending = pending_count(desk) if desk.workspace.project is not None else 0
    if pending:
        verb = "is" if pending == 1 else "are"
        question = f"{counted(pending, 'change')} {verb} pending and will wait for :recover. Exit? [y/N] "
        if not agrees((yield Confirm(question, ":exit!"))):
            return
    yield Leave("Goodbye!")


def leave_at_once(desk: Desk, arguments: str) -> Steps:
    """`:exit!`: no question."""
    del desk
    if arguments:
        raise usage(":exit!")
    yield Leave("Goodbye!")
