"""Commands that look around: help, senders, source, actors (workspace.md 2.6, 3.12, 4.2)."""

from __future__ import annotations

from collections.abc import Iterable

from changelog.entry import Site
from lang.syntax.units import Side
from repl.commands.command import Command, Group
from repl.commands.desk import CLASS_NAME, SELECTOR, CommandFailed, Desk, counted, method_name, usage, words
from repl.display import printed
from repl.events import Shown, Steps
from repl.paint import Style
from workspace.places import is_on_disk
from workspace.refactor.sites import first_line, mention_site, send_site
from workspace.state import Unit

_KEYS = """Keys:
  Enter            submit, or another line while the input is incomplete
  Alt-Enter        submit as it is        Ctrl-J   another line
  Ctrl-C           interrupt an evaluation; drop the input
  Ctrl-D           leave, at an empty prompt
  Up, Down         earlier inputs         Ctrl-R   search them
  Tab              complete               Right    take the grey suggestion
  F5               :sync"""


def help_command(commands: tuple[Command, ...]) -> Command:
    """`:help`, which knows the table it stands in."""

    def run(desk: Desk, arguments: str) -> Steps:
        topic = words(arguments)
        if not topic:
            yield Shown(_overview(desk, commands))
        elif topic[0].startswith(":"):
            yield Shown(_on_command(commands, topic[0][1:]))
        elif len(topic) == 1 and not CLASS_NAME.fullmatch(topic[0]) and SELECTOR.fullmatch(topic[0]):
            yield from implementors(desk, topic[0])
        else:
            yield Shown(str(desk.value(_help_expression(topic))))

    return Command(
        "help",
        "[TOPIC]",
        "Beamtalk help: CLASS",
        "help on commands, a class or a method",
        Group.LOOKING,
        run,
        ("h", "?"),
    )


def _overview(desk: Desk, commands: tuple[Command, ...]) -> str:
    lines = ["Type an expression, a definition, or a command:"]
    for group in Group:
        lines.append(desk.core.palette.paint(group.value, Style.HEADING))
        lines += [f"  {each.syntax:<34} {each.summary}" for each in commands if each.group is group]
    return "\n".join([*lines, _KEYS, ":help :COMMAND tells more, and what it evaluates."])


def _on_command(commands: tuple[Command, ...], name: str) -> str:
    for each in commands:
        if name in (each.name, *each.aliases):
            aliases = f"\nAlso: {', '.join(f':{alias}' for alias in each.aliases)}" if each.aliases else ""
            return f"{each.syntax}\n{each.summary}\nEvaluates: {each.native or 'nothing'}{aliases}"
    raise CommandFailed(f"No help for ':{name}'.")


def _help_expression(topic: list[str]) -> str:
    match topic:
        case [name] if CLASS_NAME.fullmatch(name):
            return f"Beamtalk help: #{name}"
        case [name, "class"] if CLASS_NAME.fullmatch(name):
            return f"Beamtalk help: {name} class"
    method = method_name(topic)
    if method is None or method.class_name is None:
        raise CommandFailed(f"No help for '{' '.join(topic)}'.")
    if method.side is Side.CLASS:
        return f"Beamtalk help: {method.receiver} selector: #{method.selector}"
    return f"Beamtalk help: #{method.class_name} selector: #{method.selector}"


# ---------------------------------------------------------------- places


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
    for class_object in sorted(desk.workspace.runtime.classes(), key=lambda c: c.name):
        for side in Side:
            method = class_object.definition.find(selector, side)
            if method is None:
                continue
            unit = state.method_unit(class_object.name, side, selector)
            name = f"{class_object.name}{' class' if side is Side.CLASS else ''}>>{selector}"
            source = unit.text if unit is not None else (method.source or "")
            lines.append(f"{name}{_unit_place(desk, unit)}  {_declaration(source)}")
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
    yield from _numbered(desk, (_site_line(desk, site) for site in sites))
    yield Shown(summary)


def _site_line(desk: Desk, site: Site) -> str:
    side = " class" if site.side is Side.CLASS else ""
    name = f"{site.class_name}{side}>>{site.selector}" if site.selector else site.class_name
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


# ---------------------------------------------------------------- source, actors


def source(desk: Desk, arguments: str) -> Steps:
    """`:source C>>s` or `:source C`: the text in memory."""
    found = words(arguments)
    state = desk.workspace.state
    if len(found) == 1 and CLASS_NAME.fullmatch(found[0]):
        desk.value(found[0])
        texts = [unit.text for unit in state.units_of(found[0])]
        if not texts:
            raise CommandFailed(f"Error: {found[0]} has no source here")
        yield Shown("\n\n".join(texts))
        return
    method = method_name(found)
    if method is None or method.class_name is None:
        raise usage(":source CLASS [SELECTOR]")
    if desk.value(f"{method.receiver} >> #{method.selector}") is None:
        raise CommandFailed(f"Error: {method.receiver} does not understand '{method.selector}'")
    yield Shown(str(desk.value(f"({method.receiver} >> #{method.selector}) source")))


def actors(desk: Desk, arguments: str) -> Steps:
    """`:actors`: the live actors of the image."""
    if arguments:
        raise usage(":actors")
    found = list(desk.workspace.image.actors.live_actors())
    transcript = desk.workspace.globals.get("Transcript")
    shown = [each for each in found if each is not transcript]
    for each in shown:
        yield Shown(printed(desk.workspace.runtime, each))
    yield Shown(counted(len(shown), "actor"))


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
