"""Commands about the session itself (workspace.md 2.3, 3.9, 3.12)."""

from __future__ import annotations

from repl.commands.desk import CommandFailed, Desk, counted, usage, words
from repl.commands.flushing import pending_count
from repl.display import printed
from repl.events import Confirm, Leave, Refill, Shown, Steps, agrees
from repl.paint import visible
from repl.settings import FIELDS, with_setting
from repl.suggestions import near


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


def settings(desk: Desk, arguments: str) -> Steps:
    """`:set [NAME [VALUE]]`: the settings of this session."""
    chosen = desk.chosen
    name, _blank, value = arguments.partition(" ")
    if not name:
        shown = list(FIELDS)
    elif name not in FIELDS:
        near_names = " or ".join(f"'{each}'" for each in near(name, FIELDS))
        raise CommandFailed(
            f"There is no setting '{name}'." + (f" Did you mean {near_names}?" if near_names else "")
        )
    else:
        shown = [name]
        if value.strip():
            changed = with_setting(chosen.settings, name, _unquoted(value.strip()))
            if isinstance(changed, str):
                raise CommandFailed(f"Usage: :set {name} VALUE ({FIELDS[name].takes})")
            chosen.settings = changed
            desk.core.fit_screen()
    for each in shown:
        yield Shown(f"{each} = {chosen.settings.shown(each)}")


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def edit(desk: Desk, arguments: str) -> Steps:
    """`:edit`: the input before, in the editor; what is saved comes back to the prompt."""
    if arguments:
        raise usage(":edit")
    before = next((each for each in reversed(list(desk.history)) if not each.startswith(":edit")), None)
    if before is None:
        raise CommandFailed("There is no earlier input.")
    yield Refill(before)


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
