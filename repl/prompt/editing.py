"""When Enter submits, how a new line is indented, what a paste becomes (workspace.md 3.2, 3.3).

Pure functions of the text; `keys` binds them. Leaves: what is complete to `lang.syntax`.
"""

from __future__ import annotations

import re
from typing import Final

_HEADER: Final = re.compile(r"^(?!\s*//)[^\"]*?\b(?:subclass|define):\s*[A-Z]", re.MULTILINE)
_COMMAND: Final = re.compile(r":[A-Za-z?]")
_WORD: Final = re.compile(r"(?:[a-z][a-z0-9_]*@)?[A-Za-z_]\w*:?(?!=)|[A-Za-z_]\w*")
_FIRST_WORD: Final = re.compile(r"\s*(?:\w+|[^\w\s]+)")
_PROMPT: Final = re.compile(r"^(?:bt> ?|\.\.> ?)")


def submits(text: str) -> bool:
    """Whether Enter takes the input, or opens another line."""
    if not text.strip() or _COMMAND.match(text):
        return True
    # Imported late: the prompt is up before the front end is.
    from lang.source import SourceText  # noqa: PLC0415
    from lang.syntax import cut_file, is_complete  # noqa: PLC0415
    from lang.syntax.units import UnitKind  # noqa: PLC0415

    if not is_complete(text):
        return False
    _, is_of_several_lines, last = text.rpartition("\n")
    if not is_of_several_lines or not last.strip():
        return True
    # More than one method can be typed: only the blank line ends a class of several lines.
    return not any(
        cut.name.kind in (UnitKind.HEADER, UnitKind.PROTOCOL) for cut in cut_file(SourceText(text))
    )


def submits_paste(text: str) -> bool:
    """Whether Enter right behind a paste takes it: a class needs no blank line then (workspace.md 3.3)."""
    from lang.syntax import is_complete  # noqa: PLC0415 (start-up, as above)

    return is_complete(text)


def indentation(before: str) -> str:
    """The blanks that begin the next line, from the text before the cursor."""
    line = before.rpartition("\n")[2]
    own = line[: len(line) - len(line.lstrip())]
    stripped = line.rstrip()
    opened = sum(map(line.count, "[({")) - sum(map(line.count, "])}"))
    if opened > 0 or stripped.endswith("=>"):
        return own + "  "
    if "\n" not in before and _HEADER.search(before):
        return "  "
    if opened < 0:
        return own[:-2]
    return own if "\n" in before or own else ""


def pasted(text: str) -> str:
    """A paste as it is inserted: LF line ends, and no prompts when every statement line has one."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    marked = [line for line in lines if line.strip()]
    if marked and marked[0].startswith("bt> "):
        # A pasted session: answers between the prompts are no input.
        return "\n".join(_PROMPT.sub("", line) for line in marked if _PROMPT.match(line))
    return text


# ---------------------------------------------------------------- what stands at the cursor


def help_command(text: str, cursor: int) -> str:
    """`:help` on the class or the whole selector at the cursor."""
    word = _word_at(text, cursor)
    if not word:
        return ":help"
    if word[0].isupper():
        return f":help {word}"
    return f":help {selector_at(text, cursor) or word}"


def inspect_command(text: str, cursor: int) -> str:
    """`:inspect` on the name at the cursor, else on the newest value."""
    word = _word_at(text, cursor)
    return f":inspect {word}" if word and not word.endswith(":") else ":inspect"


def browse_command(text: str, cursor: int) -> str:
    """`:browse` on the class at the cursor."""
    word = _word_at(text, cursor)
    return f":browse {word}" if word[:1].isupper() else ":browse"


def selector_at(text: str, cursor: int) -> str | None:
    """The whole selector of the send whose part stands at the cursor."""
    from lang.ast import nodes as ast  # noqa: PLC0415 (start-up, as above)
    from lang.ast.walk import walk  # noqa: PLC0415
    from lang.syntax import parse_input  # noqa: PLC0415

    for unit in parse_input(text).units:
        at = cursor - unit.cut.span.start
        for node in walk(unit.node) if unit.node is not None else ():
            if isinstance(node, ast.Selector) and any(p.start <= at <= p.end for p in node.parts):
                return node.text
    return None


def _word_at(text: str, cursor: int) -> str:
    for found in _WORD.finditer(text):
        if found.start() <= cursor <= found.end():
            return found[0]
    return ""


def first_word(text: str) -> str:
    """A suggestion up to the end of its first word."""
    found = _FIRST_WORD.match(text)
    return found[0] if found else text
