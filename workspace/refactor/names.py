"""What may be a name, and how a file is named after its class (changes.md 6, 7)."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_CLASS_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*\Z")
_UNARY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_KEYWORDS = re.compile(r"(?:[A-Za-z_][A-Za-z0-9_]*:)+\Z")
_BINARY = re.compile(r"(?:->|>>|[-+*/<>=~%&?,\\]+)\Z")
_RESERVED_UNARY = frozenset({"self", "super", "true", "false", "nil"})
_RESERVED_CLASS = frozenset({"Self", "Nil"})


def is_class_name(name: str) -> bool:
    """Whether a class may bear the name (language.md 1.2, 2.5)."""
    return bool(_CLASS_NAME.match(name)) and name not in _RESERVED_CLASS


def is_selector(text: str) -> bool:
    """Whether a method may be called so."""
    if _UNARY.match(text):
        return text not in _RESERVED_UNARY
    return bool(_KEYWORDS.match(text) or _BINARY.match(text))


def arity(selector: str) -> int:
    """How many arguments a selector takes."""
    if _UNARY.match(selector):
        return 0
    return selector.count(":") if _KEYWORDS.match(selector) else 1


def shape(selector: str) -> tuple[str, int]:
    """Unary, binary or keyword, with the arity: a rename keeps it."""
    if _UNARY.match(selector):
        return ("unary", 0)
    return ("keyword", selector.count(":")) if _KEYWORDS.match(selector) else ("binary", 1)


def selector_parts(selector: str) -> list[str]:
    """The parts as they stand in source: keywords with their colons, else the whole."""
    return [f"{part}:" for part in selector.split(":")[:-1]] if ":" in selector else [selector]


def symbol_text(name: str) -> str:
    """A symbol literal of that name (language.md 1.6)."""
    if _UNARY.match(name) or _KEYWORDS.match(name) or re.fullmatch(r"[-+*/<>=~%&?,\\]+", name):
        return f"#{name}"
    return "#'" + name.replace("'", "''") + "'"


def snake(name: str) -> str:
    """`HTTPRouter` to `http_router`, `MyCounter` to `my_counter`: the file style."""
    spaced = re.sub(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3_\2\4", name)
    return spaced.lower()


def renamed_path(path: str, old: str, new: str) -> str:
    """The path of a class's file after a rename, in the style of the old basename.

    A file that is not named after its class keeps its name.
    """
    pure = PurePosixPath(path)
    if pure.stem == old:
        return str(pure.with_name(f"{new}{pure.suffix}"))
    if pure.stem == snake(old):
        return str(pure.with_name(f"{snake(new)}{pure.suffix}"))
    return path


def speaks_of(path: str, name: str) -> bool:
    """Whether a basename contains a class's name, spelled in either style, from one word boundary to another."""
    stem = PurePosixPath(path).stem
    return bool(
        re.search(rf"(?<![A-Z]){re.escape(name)}(?![a-z])", stem)
        or re.search(rf"(?<![a-z0-9]){re.escape(snake(name))}(?![a-z0-9])", stem)
    )


def matches_basename(path: str, name: str) -> bool:
    """Whether a file may hold the class: `Counter.bt` or `counter.bt` (workspace.md 1.1)."""
    return PurePosixPath(path).stem in (name, snake(name))
