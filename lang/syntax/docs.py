"""Doc comments: which declaration of a unit each belongs to (language.md 1.1).

Comes in: a unit's node and tokens. Guarantees: `doc` is filled in on the node and on
the data declarations of a header; every `///` line that belongs to none is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lang.ast import nodes as n
from lang.dataclass import replace
from lang.source import Span
from lang.syntax.messages import Message
from lang.syntax.problems import Problem
from lang.syntax.tokens import Tokens


def documented(node: n.Declaration, tokens: Tokens) -> tuple[n.Declaration, list[Problem]]:
    """The node with its doc comments, and a problem for each run of doc lines that is attached to nothing."""
    runs = doc_runs(tokens)
    used: set[int] = set()

    def doc_of(start: int) -> str | None:
        for at, run in enumerate(runs):
            if run.target == start:
                used.add(at)
                return run.text
        return None

    result = _with_docs(node, doc_of(_first(node)), doc_of)
    detached = [Problem(Message.DOC_NOT_ATTACHED, run.span) for at, run in enumerate(runs) if at not in used]
    return result, detached


class _Run:
    """Consecutive `///` lines; `target` is the offset of the token directly below, -1 if none is."""

    __slots__ = ("span", "target", "text")

    def __init__(self, span: Span, target: int, text: str) -> None:
        self.span, self.target, self.text = span, target, text


def doc_runs(tokens: Tokens) -> list[_Run]:
    """Every run of doc lines in the trivia between tokens, in order."""
    runs: list[_Run] = []
    text = tokens.text
    at = 0
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        if text.find("///", at, start) >= 0:
            runs.extend(_runs_between(text, at, start))
        at = end
    return runs


_TRIVIUM = re.compile(r"[ \t\r\n]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/")


def _runs_between(text: str, at: int, end: int) -> list[_Run]:
    """The runs in one stretch of trivia; only a run that ends directly above `end` has a target."""
    runs: list[_Run] = []
    lines: list[str] = []
    begun = last = at
    line_ends = 0
    for found in _TRIVIUM.finditer(text, at, end):
        piece = found.group()
        if piece.isspace():
            line_ends += piece.count("\n")
            continue
        is_doc = piece.startswith("///") and not piece.startswith("////")
        if lines and not (is_doc and line_ends == 1):
            runs.append(_Run(Span(begun, last), -1, "\n".join(lines)))
            lines = []
        if is_doc:
            begun = begun if lines else found.start()
            lines.append(piece[3:].rstrip("\r").removeprefix(" "))
            last = found.end()
        line_ends = 0
    if lines:
        target = end if line_ends == 1 and end < len(text) else -1
        runs.append(_Run(Span(begun, last), target, "\n".join(lines)))
    return runs


def _first(node: n.Declaration) -> int:
    return node.span.start


def _with_docs(node: n.Declaration, doc: str | None, doc_of: Callable[[int], str | None]) -> n.Declaration:
    match node:
        case n.ExtensionDef():
            return replace(node, method=replace(node.method, doc=doc)) if doc is not None else node
        case n.ClassHeader():
            data = tuple(_data_with_doc(d, doc_of) for d in node.data)
            return replace(node, doc=doc, data=data)
        case n.MethodDef() | n.DataDecl() | n.ProtocolDef() | n.TypeAlias():
            return replace(node, doc=doc) if doc is not None else node
        case n.Statements():
            return node


def _data_with_doc(declared: n.DataDecl, doc_of: Callable[[int], str | None]) -> n.DataDecl:
    doc = doc_of(declared.span.start)
    return declared if doc is None else replace(declared, doc=doc)
