"""Commands that say where something is named: senders, implementors, references (workspace.md 2.6, 3.12)."""

from __future__ import annotations

from collections.abc import Iterable

from changelog.entry import Site
from lang import spelling
from lang.syntax.units import Side
from repl.commands.desk import CLASS_NAME, SELECTOR, Desk, MethodName, counted, method_name, usage, words
from repl.events import Shown, Steps
from workspace.places import is_on_disk
from workspace.refactor.sites import first_line, mention_site, send_site
from workspace.state import Unit


def senders(desk: Desk, arguments: str) -> Steps:
    """`:senders s`: each send in the project's sources."""
    selector = _selector(arguments, ":senders SELECTOR")
    desk.workspace.loader.index_every_source()
    state = desk.workspace.state
    sites = _in_order(send_site(state, row, None) for row in state.index.senders_of(selector))
    yield from _site_lines(desk, sites, f"{counted(len(sites), 'sender')} of #{selector}")


def references(desk: Desk, arguments: str) -> Steps:
    """`:references C`: each mention of a class."""
    found = words(arguments)
    if len(found) != 1 or not CLASS_NAME.fullmatch(found[0]):
        raise usage(":references CLASS")
    desk.value(found[0])
    desk.workspace.loader.index_every_source()
    state = desk.workspace.state
    sites = _in_order(mention_site(state, row) for row in state.index.references_to(found[0]))
    yield from _site_lines(desk, sites, f"{counted(len(sites), 'reference')} to {found[0]}")


def implementors(desk: Desk, arguments: str) -> Steps:
    """`:implementors s`: each method of that selector, the library's included."""
    selector = _selector(arguments, ":implementors SELECTOR")
    state = desk.workspace.state
    lines = []
    found = []
    for class_object in sorted(desk.workspace.runtime.classes(), key=lambda c: c.name):
        for side in Side:
            method = class_object.definition.find(selector, side)
            if method is None:
                continue
            unit = state.method_unit(class_object.name, side, selector)
            name = spelling.method_name(class_object.name, side, selector)
            source = unit.text if unit is not None else (method.source or "")
            lines.append(f"{name}{_unit_place(desk, unit)}  {_declaration(source)}")
            found.append(MethodName(class_object.name, side, selector))
    desk.listed = found
    yield from _numbered(desk, lines)
    yield Shown(f"{counted(len(lines), 'implementor')} of #{selector}")


def _selector(arguments: str, syntax: str) -> str:
    found = words(arguments)
    if len(found) == 1 and SELECTOR.fullmatch(found[0].removeprefix("#")):
        return found[0].removeprefix("#")
    method = method_name(found)
    if method is None:
        raise usage(syntax)
    return method.selector


def _unit_place(desk: Desk, unit: Unit | None) -> str:
    if unit is None or unit.path is None:
        return ""
    if not is_on_disk(desk.workspace.state, unit):
        return f" ({unit.path}, in memory)"
    above = unit.text[: unit.text.find(_declaration(unit.text))].count("\n")
    return f" ({unit.path}:{first_line(desk.workspace.state, unit) + above})"


def _declaration(source: str) -> str:
    """The first line of a method that is no comment."""
    lines = (line.strip() for line in source.split("\n"))
    return next((line for line in lines if line and not line.startswith(("//", "@expect"))), "")


def _in_order(sites: Iterable[Site]) -> list[Site]:
    return sorted(sites, key=lambda site: (site.class_name, site.unit.path or "", site.line))


def _site_lines(desk: Desk, sites: list[Site], summary: str) -> Steps:
    desk.listed = [
        MethodName(each.class_name, each.side or Side.INSTANCE, each.selector or "") for each in sites
    ]
    yield from _numbered(desk, (_site_line(desk, site) for site in sites))
    yield Shown(summary)


def _site_line(desk: Desk, site: Site) -> str:
    name = (
        spelling.method_name(site.class_name, site.side, site.selector) if site.selector else site.class_name
    )
    place = f"({site.unit.path}:{site.line})" if site.unit.path else ""
    return f"{name} {place}  {_line_at(desk, site)}"


def _line_at(desk: Desk, site: Site) -> str:
    for unit in desk.workspace.state.units_of(site.class_name):
        if unit.address == site.unit:
            start = unit.text.rfind("\n", 0, site.span.start) + 1
            return unit.text[start:].split("\n", 1)[0].strip()
    return ""


def _numbered(desk: Desk, lines: Iterable[str]) -> Steps:
    for number, line in enumerate(lines, 1):
        yield Shown(desk.cut(f"{number}  {line}"))
