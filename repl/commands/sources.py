"""Commands that show source: in memory, in the editor, of the newest error's frames (workspace.md 3.12)."""

from __future__ import annotations

from lang.runtime.classes import ClassObject
from repl.commands.desk import CLASS_NAME, CommandFailed, Desk, MethodName, method_name, usage, words
from repl.events import OpenFile, Page, Shown, Steps
from repl.help.markdown import highlighted
from repl.paint import visible
from repl.places import place_of_method
from workspace.places import is_on_disk
from workspace.refactor.sites import first_line


def source(desk: Desk, arguments: str) -> Steps:
    """`:source C>>s` or `:source C`: the text in memory."""
    yield _page(desk, _text(desk, _wanted(arguments, ":source CLASS [SELECTOR]")))


def browse(desk: Desk, arguments: str) -> Steps:
    """`:browse [C [s]|n]`: the source of a class or method, or of a line of the newest list."""
    found = words(arguments)
    match found:
        case []:
            names = sorted(
                name for name in desk.workspace.state.classes if desk.workspace.state.path_of(name)
            )
            yield Page("\n".join(names) or "There are no classes with files here.")
        case [number] if number.isdecimal():
            yield _page(desk, _text(desk, _listed(desk, int(number))))
        case _:
            yield _page(desk, _text(desk, _wanted(arguments, ":browse [CLASS [SELECTOR]|N]")))


def _listed(desk: Desk, number: int) -> MethodName:
    if not 1 <= number <= len(desk.listed):
        raise CommandFailed(f"There is no number {number} in the newest list; :senders and its kin make one.")
    return desk.listed[number - 1]


def open_in_editor(desk: Desk, arguments: str) -> Steps:
    """`:open C>>s` or `:open C`: the file in the editor, at the line."""
    wanted = _wanted(arguments, ":open CLASS [SELECTOR]")
    place = _place(desk, wanted)
    if place is None:
        raise CommandFailed(f"Error: {wanted.shown if wanted.selector else wanted.class_name} has no file")
    path, line = place
    yield OpenFile(str(desk.workspace.root / path), line)


def backtrace(desk: Desk, arguments: str) -> Steps:
    """`:backtrace`: all frames of the newest error."""
    if arguments:
        raise usage(":backtrace")
    error = desk.core.session.last_error
    if error is None:
        raise CommandFailed("There has been no error yet.")
    yield Shown(desk.core.errors.title(error))
    for frame in desk.core.errors.frames(error):
        yield Shown(f"  in {frame}")


# ---------------------------------------------------------------- what is meant


def _wanted(arguments: str, syntax: str) -> MethodName:
    """The method that is meant; a class alone has an empty selector."""
    found = words(arguments)
    if len(found) == 1 and CLASS_NAME.fullmatch(found[0]):
        return MethodName.of_class(found[0])
    method = method_name(found)
    if method is None or method.class_name is None:
        raise usage(syntax)
    return method


def _text(desk: Desk, wanted: MethodName) -> str:
    if not wanted.selector:
        return _class_text(desk, str(wanted.class_name))
    if desk.value(f"{wanted.receiver} >> #{wanted.selector}") is None:
        raise CommandFailed(f"Error: {wanted.receiver} does not understand '{wanted.selector}'")
    return str(desk.value(f"({wanted.receiver} >> #{wanted.selector}) source"))


def _class_text(desk: Desk, name: str) -> str:
    target = desk.value(name)
    known = target.name if isinstance(target, ClassObject) else name
    texts = [unit.text for unit in desk.workspace.state.units_of(known)]
    if not texts:
        raise CommandFailed(f"Error: {name} has no source here")
    return "\n\n".join(texts)


def _page(desk: Desk, text: str) -> Page:
    return Page(highlighted(visible(text), desk.core.palette))


def _place(desk: Desk, wanted: MethodName) -> tuple[str, int] | None:
    target = desk.value(str(wanted.class_name))
    if not isinstance(target, ClassObject):
        return None
    state = desk.workspace.state
    if wanted.selector:
        return place_of_method(state, target.name, wanted.side, wanted.selector)
    header = state.header_of(target.name)
    if header is None or header.path is None:
        return None
    return header.path, first_line(state, header) if is_on_disk(state, header) else 1
