"""Commands that change classes and methods: rename, move, remove (changes.md 6 to 8)."""

from __future__ import annotations

import re
from typing import Final

from changelog.entry import Site
from lang import spelling
from lang.dataclass import replace
from lang.runtime.classes import ClassObject
from repl.commands.desk import (
    CLASS_NAME,
    SELECTOR,
    Desk,
    MethodName,
    counted,
    method_name,
    string_text,
    usage,
    without_flag,
    words,
)
from repl.commands.flushing import write_now
from repl.commands.review import DRY_RUN, Review, previewed, refused, reviewed, summary
from repl.events import Confirm, Shown, Steps, agrees
from workspace.change import Refusal
from workspace.facade.previews import PreviewObject
from workspace.operations.classes import remove_class as remove_class_operation
from workspace.refactor.rename_method import MethodRename, rename_method
from workspace.refactor.sites import send_site

_WORD: Final = re.compile(r"[A-Za-z]\w*")
"""What may be meant as a name; whether it can be one is for the rename to say."""


def rename_class(desk: Desk, arguments: str) -> Steps:
    """`:rename-class C New [--dry-run]`: preview, question, change in memory, offer to write."""
    rest, is_dry = without_flag(arguments, DRY_RUN)
    match words(rest):
        case [old, new] if CLASS_NAME.fullmatch(old) and _WORD.fullmatch(new.removeprefix("#")):
            new = new.removeprefix("#")
        case _:
            raise usage(":rename-class CLASS NEW [--dry-run]")
    review = Review(
        "Rename in memory? [y/N] ",
        f"{old} renameTo: #{new}",
        f"Aborted: {old} was not renamed.",
        lambda: _preview(desk, f"{old} previewRenameTo: #{new}"),
    )
    if is_dry:
        yield from previewed(desk, review.preview())
        return
    done = yield from reviewed(desk, review)
    if done is not None:
        yield from summary(f"{old} -> {new} renamed in memory", done)
        yield from write_now(desk, done)


def _preview(desk: Desk, expression: str) -> PreviewObject:
    value = desk.value(expression)
    assert isinstance(value, PreviewObject)
    return value


def rename_method_command(desk: Desk, arguments: str) -> Steps:
    """`:rename-method C s new [--dry-run]`: numbered preview, choice of candidates, question."""
    rest, is_dry = without_flag(arguments, DRY_RUN)
    *target, new = words(rest) or [""]
    new = new.removeprefix("#")
    method = method_name(target)
    if method is None or method.class_name is None or not SELECTOR.fullmatch(new):
        raise usage(":rename-method CLASS SELECTOR NEW [--dry-run]")
    wish = MethodRename(method.class_name.rpartition("@")[2], method.side, method.selector, new)
    review = Review(
        "Rename in memory? [y/N] ",
        f"{method.receiver} renameSelector: #{method.selector} to: #{new}",
        f"Aborted: {method.shown} was not renamed.",
        lambda: _preview(desk, f"{method.receiver} previewRenameSelector: #{method.selector} to: #{new}"),
        lambda change, chosen: rename_method(replace(wish, accepting=lambda site: site in chosen))(
            change.base
        ),
    )
    if is_dry:
        yield from previewed(desk, review.preview())
        return
    done = yield from reviewed(desk, review)
    if done is not None:
        yield from summary(f"{method.shown} -> {new} renamed in memory", done)
        yield from write_now(desk, done)


def move_class(desk: Desk, arguments: str) -> Steps:
    """`:move-class C PATH [--dry-run]`."""
    rest, is_dry = without_flag(arguments, DRY_RUN)
    match words(rest):
        case [name, path] if CLASS_NAME.fullmatch(name):
            pass
        case _:
            raise usage(":move-class CLASS PATH [--dry-run]")
    review = Review(
        "Move in memory? [y/N] ",
        f"Workspace moveClass: {name} to: {string_text(path)}",
        f"Aborted: {name} was not moved.",
        lambda: _preview(desk, f"Workspace previewMoveClass: {name} to: {string_text(path)}"),
    )
    if is_dry:
        yield from previewed(desk, review.preview())
        return
    if (yield from reviewed(desk, review)) is not None:
        yield Shown(f"{name} -> {path} (move)")


def remove_class(desk: Desk, arguments: str) -> Steps:
    """`:remove-class C`."""
    match words(arguments):
        case [name] if CLASS_NAME.fullmatch(name):
            pass
        case _:
            raise usage(":remove-class CLASS")
    target = desk.value(name)
    # A question whose answer changes nothing is not asked.
    if isinstance(target, ClassObject):
        desk.workspace.know(target)
        planned = desk.workspace.preview(remove_class_operation(target.name))
        if isinstance(planned, Refusal):
            raise refused(planned)
    native = f"{name} removeFromSystem"
    question = f"Remove class {name} from memory? Its file stays until :flush-destructive. [y/N] "
    if not agrees((yield Confirm(question, native))):
        yield Shown(f"Aborted: {name} was not removed.")
        return
    stopped = _instances(desk, target)
    desk.value(native)
    yield from desk.take_notices()
    yield Shown(f"{name} removed; {counted(stopped, 'instance')} stopped")


def _instances(desk: Desk, target: object) -> int:
    if not isinstance(target, ClassObject):
        return 0
    return len(list(desk.workspace.image.actors.live_actors_of(target)))


def remove_method(desk: Desk, arguments: str) -> Steps:
    """`:remove-method C s`: removed at once, and who would miss it."""
    method = method_name(words(arguments))
    if method is None or method.class_name is None:
        raise usage(":remove-method CLASS SELECTOR")
    desk.workspace.loader.index_every_source()
    desk.value(f"{method.receiver} removeSelector: #{method.selector}")
    dangling = _dangling(desk, method)
    text = f"{method.shown} removed"
    if dangling:
        text += f"; {counted(len(dangling), 'sender')} would fail: {', '.join(dangling)}"
    yield from desk.take_notices()
    yield Shown(text)


def _dangling(desk: Desk, method: MethodName) -> list[str]:
    """The methods that send the selector, when nothing in the image answers it any more."""
    state, runtime = desk.workspace.state, desk.workspace.runtime
    target = runtime.class_named(str(method.class_name))
    found = target.lookup(method.selector, method.side) if target is not None else None
    if found is not None or state.index.implementors_of(method.selector):
        return []
    sites = [send_site(state, row, None) for row in state.index.senders_of(method.selector)]
    return list(dict.fromkeys(_sender(site) for site in sites))


def _sender(site: Site) -> str:
    if site.selector is None:
        return site.class_name
    return spelling.method_name(site.class_name, site.side, site.selector)
