"""Commands that change classes and methods: rename, move, remove (changes.md 6 to 8)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from changelog.entry import Evidence, NewEntry, Site
from lang.runtime.classes import ClassObject
from repl.commands.desk import (
    CLASS_NAME,
    SELECTOR,
    CommandFailed,
    Desk,
    MethodName,
    counted,
    method_name,
    string_text,
    usage,
    words,
)
from repl.commands.flushing import write_now
from repl.events import Choose, Confirm, Shown, Steps, agrees
from repl.paint import Style
from workspace.change import Refusal
from workspace.facade.entries import site_text
from workspace.facade.previews import PreviewObject, preview_diff, preview_text
from workspace.operations.classes import remove_class as remove_class_operation
from workspace.refactor.rename_method import MethodRename, rename_method
from workspace.refactor.sites import send_site

_WORD: Final = re.compile(r"[A-Za-z]\w*")
"""What may be meant as a name; whether it can be one is for the rename to say."""


def rename_class(desk: Desk, arguments: str) -> Steps:
    """`:rename-class C New`: preview, question, change in memory, offer to write."""
    match words(arguments):
        case [old, new] if CLASS_NAME.fullmatch(old) and _WORD.fullmatch(new.removeprefix("#")):
            new = new.removeprefix("#")
        case _:
            raise usage(":rename-class CLASS NEW")
    yield from _preview(desk, desk.value(f"{old} previewRenameTo: #{new}"))
    native = f"{old} renameTo: #{new}"
    if not agrees((yield Confirm("Rename in memory? [y/N] ", native))):
        yield Shown(f"Aborted: {old} was not renamed.")
        return
    desk.value(native)
    yield from desk.take_notices()
    yield Shown(f"{old} -> {new} renamed in memory")
    yield from write_now(desk)


def _preview(desk: Desk, value: object) -> Steps:
    """Counts, what is not rewritten, then the difference."""
    assert isinstance(value, PreviewObject)
    if value.refusals:
        raise _refused(value.refusals[0])
    yield Shown(preview_text(value))
    if value.entry is not None:
        yield from _not_rewritten(value.entry)
    difference = preview_diff(value).rstrip("\n")
    if difference:
        yield Shown(desk.core.palette.diff(difference))


def _refused(refusal: Refusal) -> CommandFailed:
    return CommandFailed(f"Error: {refusal.message}" + (f"\nHint: {refusal.hint}" if refusal.hint else ""))


def _not_rewritten(entry: NewEntry) -> Steps:
    for sites, noun, what in (
        (entry.prose_sites, "prose mention", "not rewritten"),
        (entry.excluded_sites, "send", "of other classes, left alone"),
    ):
        if sites:
            places = ", ".join(dict.fromkeys(_place(site) for site in sites[:10]))
            more = f", … {len(sites) - 10} more" if len(sites) > 10 else ""
            yield Shown(f"{counted(len(sites), noun)}, {what}: {places}{more}")


def _place(site: Site) -> str:
    return f"{site.unit.path or site.class_name}:{site.line}"


def rename_method_command(desk: Desk, arguments: str) -> Steps:
    """`:rename-method C s new`: numbered preview, choice of candidates, question."""
    *target, new = words(arguments) or [""]
    new = new.removeprefix("#")
    method = method_name(target)
    if method is None or method.class_name is None or not SELECTOR.fullmatch(new):
        raise usage(":rename-method CLASS SELECTOR NEW")
    preview = desk.value(f"{method.receiver} previewRenameSelector: #{method.selector} to: #{new}")
    yield from _preview(desk, preview)
    assert isinstance(preview, PreviewObject)
    found = preview.entry.candidate_sites if preview.entry is not None else ()
    candidates = sorted(found, key=lambda site: (site.unit.path or "", site.line))
    chosen: Sequence[Site] = ()
    if candidates:
        yield from _numbered(desk, candidates)
        chosen = _chosen((yield Choose("Which candidates? [none] ")), candidates)
    native = f"{method.receiver} renameSelector: #{method.selector} to: #{new}"
    if not agrees((yield Confirm("Rename in memory? [y/N] ", native))):
        yield Shown(f"Aborted: {method.shown} was not renamed.")
        return
    wish = MethodRename(method.class_name, method.side, method.selector, new, lambda site: site in chosen)
    outcome = desk.workspace.perform(rename_method(wish))
    if isinstance(outcome, Refusal):
        raise _refused(outcome)
    yield Shown(f"{method.shown} -> {new} renamed in memory")
    yield from write_now(desk)


def _numbered(desk: Desk, candidates: Sequence[Site]) -> Steps:
    yield Shown(f"{counted(len(candidates), 'candidate')}, renamed only when chosen:")
    for number, site in enumerate(candidates, 1):
        yield Shown(desk.cut(f"{number:>3}  {site_text(site)}  {_context(desk, site)}"))


def _context(desk: Desk, site: Site) -> str:
    """The line on which a site stands, as memory has it."""
    for unit in desk.workspace.state.units_of(site.class_name):
        if unit.address == site.unit:
            start = unit.text.rfind("\n", 0, site.span.start) + 1
            return desk.core.palette.paint(unit.text[start:].split("\n", 1)[0].strip(), Style.DIM)
    return ""


def _chosen(answer: str, candidates: Sequence[Site]) -> tuple[Site, ...]:
    """The candidates that an answer names: numbers, ranges, `typed`, `all`; nothing else is taken for one."""
    match answer.strip().lower():
        case "all":
            return tuple(candidates)
        case "typed":
            return tuple(site for site in candidates if site.evidence is Evidence.TYPED)
    wanted: set[int] = set()
    for first, last in re.findall(r"(\d+)(?:\s*-\s*(\d+))?", answer):
        wanted.update(range(int(first), min(int(last or first), len(candidates)) + 1))
    return tuple(site for number, site in enumerate(candidates, 1) if number in wanted)


def move_class(desk: Desk, arguments: str) -> Steps:
    """`:move-class C PATH`."""
    match words(arguments):
        case [name, path] if CLASS_NAME.fullmatch(name):
            pass
        case _:
            raise usage(":move-class CLASS PATH")
    native = f"Workspace moveClass: {name} to: {string_text(path)}"
    yield from _preview(desk, desk.value(f"Workspace previewMoveClass: {name} to: {string_text(path)}"))
    if not agrees((yield Confirm("Move in memory? [y/N] ", native))):
        yield Shown(f"Aborted: {name} was not moved.")
        return
    desk.value(native)
    yield from desk.take_notices()
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
            raise _refused(planned)
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
    side = " class" if site.side is not None and site.side.value == "class" else ""
    return f"{site.class_name}{side}>>{site.selector}" if site.selector else site.class_name
