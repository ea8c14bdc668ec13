"""Where tables and keys stand in a TOML text, which the parser of the standard library does not tell.

Comes in: a text that the parser has accepted. Guarantees: a span for every table header
and key that stands on its own line or in an inline table on that line; the nearest known
place around any other. Leaves: values, to the parser.
"""

from __future__ import annotations

import re

from lang.source import SourceText, Span

Path = tuple[str, ...]

_KEY = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_DOTTED = rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*"
_TOKEN = re.compile(
    rf"""
    (?P<comment>\#[^\n]*)
  | (?P<text>\"\"\"(?:[^\\]|\\.)*?\"{{3,5}}|'''.*?'{{3,5}})
  | (?P<header>(?<![^\n])[ \t]*\[\[?[ \t]*(?P<table>{_DOTTED})[ \t]*\]\]?)
  | (?P<key>{_DOTTED})(?=[ \t]*=(?!=))
  | (?P<string>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')
  | (?P<open>[\[{{])
  | (?P<close>[\]}}])
    """,
    re.VERBOSE | re.DOTALL,
)
_PARTS = re.compile(_KEY)
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class TomlPlaces:
    """The places of one text, by path: `("dependencies", "json", "git")`."""

    def __init__(self, text: str) -> None:
        self._spans: dict[Path, Span] = {(): Span(0, 0)}
        table: Path = ()
        last: Path = ()
        inside: list[Path] = []
        for token in _TOKEN.finditer(text):
            match token.lastgroup:
                case "header" | "table" if not inside:
                    table = last = _path(token["table"])
                    self._note(
                        table,
                        Span(*token.span("header")),
                        len(token["header"]) - len(token["header"].lstrip()),
                    )
                case "key":
                    last = (*(inside[-1] if inside else table), *_path(token["key"]))
                    self._note(last, Span(*token.span("key")), 0)
                case "open":
                    inside.append(last)
                case "close" if inside:
                    last = inside.pop()

    def span(self, path: Path) -> Span:
        """The place of a path, or of the nearest table around it; the start of the text at last."""
        while path not in self._spans:
            path = path[:-1]
        return self._spans[path]

    def _note(self, path: Path, span: Span, indent: int) -> None:
        here = Span(span.start + indent, span.end)
        for length in range(1, len(path) + 1):
            self._spans.setdefault(path[:length], here)


def _path(dotted: str) -> Path:
    return tuple(part.strip("\"'") for part in _PARTS.findall(dotted))


def offset_of_error(message: str, source: SourceText) -> tuple[str, int]:
    """The parser's message without its place, and the place as an offset."""
    at = _AT.search(message)
    if at is None:
        return message, 0
    if at[1] is None:
        return message[: at.start()], len(source.text)
    return message[: at.start()], source.line_start(int(at[1])) + int(at[2]) - 1
