"""Reviewing a rename or a move before it is made (changes.md 6, 7).

Comes in: what is wished, as a preview that can be asked for again. Guarantees: what is carried out is what
was shown; when the image has moved on in between, the difference is shown and the question asked
again; nothing is held back while a person thinks. Leaves: parsing the command to `changing`, writing to
disk to `flushing`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from typing import Final

from changelog.entry import Evidence, NewEntry, Site
from lang.dataclass import dataclass
from lang.source import Span
from repl.commands.desk import CommandFailed, Desk, counted
from repl.events import Advice, Choose, Confirm, Event, Failure, Question, Shown, Steps, agrees
from repl.paint import Style
from workspace.change import Change, Refusal
from workspace.diffs import entry_diff
from workspace.facade.entries import site_text
from workspace.facade.previews import PreviewObject, preview_diff, preview_text
from workspace.workspace import Done

DRY_RUN: Final = "--dry-run"
_LISTED: Final = 10
_RANGE: Final = re.compile(r"(\d+)(?:-(\d+))?")


@dataclass(frozen=True, slots=True)
class Review:
    """A change to be reviewed.

    `preview` evaluates the preview on the image as it is by then; `accepting` plans the change of a preview with
    candidates taken; `aborted` is what is said when the answer is no.
    """

    question: str
    native: str
    aborted: str
    preview: Callable[[], PreviewObject]
    accepting: Callable[[Change, Sequence[Site]], Change | Refusal] = lambda change, _sites: change


Reviewed = Generator[Event | Question, str, Done | None]


def previewed(desk: Desk, preview: PreviewObject) -> Steps:
    """Counts, what is not rewritten, the difference, and the candidates by number."""
    entry = _entry_of(preview)
    yield Shown(preview_text(preview))
    yield from _not_rewritten(entry)
    difference = preview_diff(preview).rstrip("\n")
    if difference:
        yield Shown(desk.core.palette.diff(difference))
    candidates = _candidates(entry)
    if candidates:
        yield Shown(f"{counted(len(candidates), 'candidate')}, renamed only when chosen:")
        for number, site in enumerate(candidates, 1):
            yield Shown(desk.cut(f"{number:>3}  {site_text(site)}  {_context(desk, site)}"))


def reviewed(desk: Desk, review: Review) -> Reviewed:
    """Show, ask, and carry out what was shown; None when the answer was no."""
    seen = review.preview()
    yield from previewed(desk, seen)
    while True:
        candidates = _candidates(_entry_of(seen))
        chosen = (yield from _choice(candidates)) if candidates else ()
        if not agrees((yield Confirm(review.question, review.native))):
            yield Shown(review.aborted)
            return None
        outcome = _carried_out(desk, review, seen, chosen)
        if isinstance(outcome, Done):
            for warning in outcome.warnings:
                yield Advice(f"⚠ {warning}")
            return outcome
        yield from _moved_on(desk, seen, outcome)
        seen = outcome


def _carried_out(
    desk: Desk, review: Review, seen: PreviewObject, chosen: Sequence[Site]
) -> Done | PreviewObject:
    """The change that was shown, carried out; or the preview that differs from it by now."""
    while True:
        now = review.preview()
        if now.change is None or not now.says_as(seen):
            _entry_of(now)
            return now
        planned = review.accepting(now.change, chosen)
        outcome = planned if isinstance(planned, Refusal) else desk.workspace.carry_out(planned)
        if isinstance(outcome, Refusal):
            raise refused(outcome)
        if outcome is not None:
            return outcome


def _moved_on(desk: Desk, seen: PreviewObject, now: PreviewObject) -> Steps:
    """What is otherwise than in the preview that a person has read."""
    before, after = _entry_of(seen), _entry_of(now)
    yield Advice("⚠ the image has moved on since the preview; nothing was changed yet")
    yield Shown(preview_text(now))
    for sign, these, those in (("-", before, after), ("+", after, before)):
        known = set(_sites(those))
        for site in _sites(these):
            if site not in known:
                yield Shown(f"{sign} {site_text(site)}")
    fresh = tuple(edit for edit in after.edits if edit not in before.edits)
    difference = entry_diff(now.disk, NewEntry(after.kind, after.class_name, edits=fresh)).rstrip("\n")
    if difference:
        yield Shown(desk.core.palette.diff(difference))
    if before.candidate_sites != after.candidate_sites:
        yield from (Shown(f"{n:>3}  {site_text(site)}") for n, site in enumerate(_candidates(after), 1))


def _sites(entry: NewEntry) -> list[Site]:
    return [site for edit in entry.edits for site in edit.sites]


def summary(title: str, done: Done) -> Steps:
    """What was rewritten, and what a person still has to look at."""
    entry = done.entry
    if entry is None:
        return
    files = {s.unit.path for edit in entry.edits for s in edit.sites}
    yield Shown(f"{title}: {counted(len(_sites(entry)), 'site')} in {counted(len(files), 'file')}")
    left = [
        counted(len(sites), noun)
        for sites, noun in ((entry.candidate_sites, "candidate"), (entry.prose_sites, "prose mention"))
        if sites
    ]
    if left:
        yield Shown(f"still needs a look: {', '.join(left)}")


def refused(refusal: Refusal) -> CommandFailed:
    """The end of a command that was refused."""
    return CommandFailed(f"Error: {refusal.message}" + (f"\nHint: {refusal.hint}" if refusal.hint else ""))


def _entry_of(preview: PreviewObject) -> NewEntry:
    if preview.refusals:
        raise refused(preview.refusals[0])
    assert preview.entry is not None
    return preview.entry


def _not_rewritten(entry: NewEntry) -> Steps:
    for sites, noun, what in (
        (entry.prose_sites, "prose mention", "not rewritten"),
        (entry.excluded_sites, "send", "of other classes, left alone"),
    ):
        if sites:
            places = ", ".join(dict.fromkeys(_place(site) for site in sites[:_LISTED]))
            more = f", … {len(sites) - _LISTED} more" if len(sites) > _LISTED else ""
            yield Shown(f"{counted(len(sites), noun)}, {what}: {places}{more}")


def _place(site: Site) -> str:
    if site.span == Span(0, 0) and not site.class_name:
        return f"{site.unit.path} (its name)"
    return f"{site.unit.path or site.class_name}:{site.line}"


def _candidates(entry: NewEntry) -> list[Site]:
    return sorted(entry.candidate_sites, key=lambda site: (site.unit.path or "", site.line))


def _context(desk: Desk, site: Site) -> str:
    """The line on which a site stands, as memory has it."""
    for unit in desk.workspace.state.units_of(site.class_name):
        if unit.address == site.unit:
            start = unit.text.rfind("\n", 0, site.span.start) + 1
            return desk.core.palette.paint(unit.text[start:].split("\n", 1)[0].strip(), Style.DIM)
    return ""


# ---------------------------------------------------------------- choosing


def _choice(candidates: Sequence[Site]) -> Generator[Event | Question, str, Sequence[Site]]:
    """Ask which candidates to take until the answer makes sense."""
    while True:
        chosen = chosen_sites((yield Choose("Which candidates? [none] ")), candidates)
        if not isinstance(chosen, str):
            return chosen
        yield Failure(chosen)


def chosen_sites(answer: str, candidates: Sequence[Site]) -> tuple[Site, ...] | str:
    """The candidates that an answer names: `none`, `typed`, `all`, or numbers such as `1,4-6`; else what is wrong."""
    match answer.strip().lower():
        case "" | "none":
            return ()
        case "all":
            return tuple(candidates)
        case "typed":
            return tuple(site for site in candidates if site.evidence is Evidence.TYPED)
    wanted: set[int] = set()
    for part in re.split(r"[,\s]+", re.sub(r"\s*-\s*", "-", answer.strip())):
        found = _RANGE.fullmatch(part)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not 1 <= first <= last <= len(candidates):
            return f"'{part}' is none of: none, typed, all, numbers from 1 to {len(candidates)} such as 1,4-6"
        wanted.update(range(first, last + 1))
    return tuple(site for number, site in enumerate(candidates, 1) if number in wanted)
