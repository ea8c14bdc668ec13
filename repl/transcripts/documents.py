"""Examples in doc comments and Markdown as transcripts (stdlib.md 6.5, workspace.md 6.10).

Comes in: the text of a `.bt` or `.md` file. Guarantees: its examples in order, with their lines in the file; what only sets
up has to succeed. Leaves: running.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from lang.ast import nodes as n
from lang.source import SourceText
from lang.syntax import parse_file
from lang.syntax.units import ParsedFile, ParsedUnit
from repl.transcripts.examples import Example, examples_of
from repl.transcripts.reading import Check, Load, Script

_FIXTURE = re.compile(r"<!--\s*btfixture:\s*(\S+)\s*-->")
_ANYTHING = "_"
_NO_KIND = "ERROR:"


def documented_script(path: PurePath, text: str) -> Script:
    """The examples of a file as checks of one script."""
    if path.suffix == ".md":
        examples = list(examples_of(text))
        loads = [
            Load(_line(text, found.start()), str(path.parent / found[1])) for found in _FIXTURE.finditer(text)
        ]
        return Script(tuple(loads), (), tuple(map(_check, examples)), ())
    parsed = parse_file(SourceText(text, path.name))
    return Script((), (), tuple(map(_check, _documented(parsed))), ())


def group_name(path: PurePath, text: str) -> str:
    """What a report calls the examples of a file: `<Class>DocTest`, or the name of the file."""
    if path.suffix == ".md":
        return path.name
    owners = [unit.name.owner for unit in parse_file(SourceText(text, path.name)).units if unit.name.owner]
    return f"{owners[0]}DocTest" if owners else path.name


def _documented(parsed: ParsedFile) -> Iterator[Example]:
    for unit in parsed.units:
        doc = _doc_of(unit)
        if doc is not None:
            first = parsed.source.position(unit.cut.span.start + unit.text.index("///")).line
            for each in examples_of(doc):
                yield Example(first + each.line - 1, each.text, each.expected)


def _doc_of(unit: ParsedUnit) -> str | None:
    match unit.node:
        case n.ExtensionDef(method=method):
            return method.doc
        case n.MethodDef() | n.ClassHeader() | n.ProtocolDef() | n.TypeAlias() as declared:
            return declared.doc
        case _:
            return None


def _check(example: Example) -> Check:
    expected = example.expected
    is_open = expected is None or expected == _NO_KIND
    return Check(example.line, example.text, _ANYTHING if is_open or expected is None else expected)


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
