"""`:help` in all its forms (workspace.md 4.2).

Comes in: a topic. Guarantees: the text of a class or method is the answer of the native expression,
with the prompt's own last line. Leaves: that text to `workspace/help.py`, guides and search to
`repl/help/`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lang.runtime.classes import ClassObject
from lang.syntax.units import Side
from repl.commands.command import Command, Group
from repl.commands.desk import (
    CLASS_NAME,
    SELECTOR,
    CommandFailed,
    Desk,
    method_name,
    string_text,
    words,
)
from repl.commands.looking import implementors
from repl.events import Page, Steps
from repl.help.guides import GUIDES
from repl.help.markdown import rendered
from repl.help.search import search
from repl.paint import Style, visible

_NATIVE_LAST: Final = re.compile(r"Use Beamtalk help: (.+) selector: #method for method details\.\Z")
_SEE: Final = re.compile(r"^@see +(.+)$", re.MULTILINE)
_SIBLINGS: Final = 5
_EVERYTHING: Final = frozenset({"ProtoObject", "Object", "Value", "Actor", "Error"})

_SHORT_KEYS: Final = """Keys:
  Enter            submit, or another line while the input is incomplete
  Ctrl-C           interrupt an evaluation; drop the input
  Ctrl-D           leave, at an empty prompt
  Tab              complete               Up, Down  earlier inputs
  F1               help on what stands at the cursor"""


def help_command(commands: tuple[Command, ...]) -> Command:
    """`:help`, which knows the table it stands in."""

    def run(desk: Desk, arguments: str) -> Steps:
        topic = words(arguments)
        match topic:
            case []:
                yield Page(_overview(desk, commands))
            case [name] if name.startswith(":"):
                yield Page(_on_command(commands, name[1:]))
            case [name] if name in GUIDES:
                yield Page(rendered(GUIDES[name], desk.core.palette))
            case [name] if _is_bare_selector(name):
                yield from _on_selector(desk, name)
            case _:
                yield Page(rendered(visible(_on_code(desk, topic)), desk.core.palette))

    return Command(
        "help",
        "[TOPIC]",
        "Beamtalk help: CLASS",
        "help on a command, class, method, guide or words",
        Group.LOOKING,
        run,
        ("h", "?"),
        examples=("Till", "Till ring:", "ring:", "syntax", "Python math sqrt", ":flush", "sort a list"),
    )


def _overview(desk: Desk, commands: tuple[Command, ...]) -> str:
    lines = ["Type an expression, a definition, or a command:"]
    for group in Group:
        lines.append(desk.core.palette.paint(group.value, Style.HEADING))
        lines += [f"  {each.syntax:<34} {each.summary}" for each in commands if each.group is group]
    guides = f"Guides: {', '.join(f':help {name}' for name in GUIDES)}"
    return "\n".join([*lines, _SHORT_KEYS, guides, ":help :COMMAND tells more, and what it evaluates."])


def _on_command(commands: tuple[Command, ...], name: str) -> str:
    for each in commands:
        if name in (each.name, *each.aliases):
            lines = [each.syntax, each.summary, f"Evaluates: {each.native or 'nothing'}"]
            if each.aliases:
                lines.append(f"Also: {', '.join(f':{alias}' for alias in each.aliases)}")
            lines += [f"  :{each.name} {example}".rstrip() for example in each.examples]
            return "\n".join(lines)
    raise CommandFailed(f"No help for ':{name}'.")


# ---------------------------------------------------------------- code


def _is_bare_selector(word: str) -> bool:
    name = word.removeprefix("#")
    return SELECTOR.fullmatch(name) is not None and not CLASS_NAME.fullmatch(name)


def _on_selector(desk: Desk, word: str) -> Steps:
    """All implementors of a selector; a word that is none is searched for."""
    name = word.removeprefix("#")
    known = any(
        each.definition.find(name, side) is not None
        for each in desk.workspace.runtime.classes()
        for side in Side
    )
    if known:
        yield from implementors(desk, name)
    else:
        yield Page(_search(desk, [word]))


def _on_code(desk: Desk, topic: list[str]) -> str:
    match topic:
        case ["Python" | "Erlang" as host, module]:
            return str(desk.value(f"Beamtalk {host.lower()}Help: {string_text(module)}"))
        case ["Python" | "Erlang" as host, module, function]:
            asked = f"Beamtalk {host.lower()}Help: {string_text(module)} selector: {string_text(function)}"
            return str(desk.value(asked))
        case [name] if CLASS_NAME.fullmatch(name):
            return _on_class(desk, name, f"#{name}" if "@" not in name else string_text(name))
        case [name, "class"] if CLASS_NAME.fullmatch(name):
            return _on_class(desk, name, f"{name} class")
    method = method_name(topic)
    if method is None or method.class_name is None:
        return _search(desk, topic)
    if method.side is Side.CLASS:
        return str(desk.value(f"Beamtalk help: {method.receiver} selector: #{method.selector}"))
    if desk.workspace.runtime.class_named(
        method.class_name.rpartition("@")[2]
    ) is None and not _is_selector_of(topic):
        return _search(desk, topic)
    named = string_text(method.class_name) if "@" in method.class_name else f"#{method.class_name}"
    return str(desk.value(f"Beamtalk help: {named} selector: #{method.selector}"))


def _is_selector_of(topic: Sequence[str]) -> bool:
    """Whether the words can only mean a method, though its class is unknown."""
    return ">>" in " ".join(topic) or topic[-1].endswith(":") or topic[-1].startswith("#")


def _on_class(desk: Desk, name: str, native: str) -> str:
    text = str(desk.value(f"Beamtalk help: {native}"))
    lines = [f"See also: {', '.join(related)}"] if (related := _related(desk, name, text)) else []
    found = _NATIVE_LAST.search(text)
    if found is not None:
        text = text[: found.start()].rstrip("\n")
        lines.append(f"Use :help {found[1]} <selector> for method details.")
    return "\n".join([text, *lines])


def _related(desk: Desk, name: str, text: str) -> list[str]:
    """What the doc comment points to, then classes with the same superclass."""
    named = [each for found in _SEE.findall(text) for each in re.split(r"[,\s]+", found.strip()) if each]
    this = desk.workspace.runtime.class_named(name.rpartition("@")[2])
    return list(dict.fromkeys([*named, *(_siblings(desk, this) if this is not None else [])]))


def _siblings(desk: Desk, this: ClassObject) -> list[str]:
    """Classes of the same package with the same superclass, unless that is what everything is."""
    state, above = desk.workspace.state, this.definition.superclass
    is_of_library = this.name in state.library
    if above is None or (is_of_library and above.name in _EVERYTHING):
        return []
    found = sorted(
        each.name
        for each in desk.workspace.runtime.classes()
        if each is not this
        and each.definition.superclass is above
        and (each.name in state.library) == is_of_library
    )
    return found[:_SIBLINGS]


def _search(desk: Desk, topic: Sequence[str]) -> str:
    found = search(topic, desk.workspace.runtime.classes())
    if not found:
        raise CommandFailed(f"No help for '{' '.join(topic)}'.")
    width = max(len(each.name) for each in found)
    return "\n".join(desk.cut(f"{each.name:<{width}}  {each.summary}".rstrip()) for each in found)
