"""Search in the documentation of classes and methods (workspace.md 4.2).

Comes in: words, and the classes of an image. Guarantees: what has all words comes, the best first:
names before docs, then by name. Cost: one look at each doc comment. Leaves: showing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from lang.dataclass import dataclass
from lang.runtime.classes import ClassObject
from lang.spelling import method_name
from lang.syntax.units import Side

MOST: Final = 20


@dataclass(frozen=True, slots=True)
class Found:
    """One class or method with the first line of its doc comment; a higher score is better."""

    score: int
    name: str
    summary: str


def search(words: Sequence[str], classes: Iterable[ClassObject]) -> list[Found]:
    """The best matches, at most `MOST`."""
    wanted = [word.lower() for word in words]
    found = [
        Found(score, name, _first_line(doc))
        for each in classes
        for name, doc in _documented(each)
        if (score := _score(wanted, name.lower(), doc.lower()))
    ]
    return sorted(found, key=lambda each: (-each.score, each.name))[:MOST]


def _documented(class_object: ClassObject) -> Iterator[tuple[str, str]]:
    definition = class_object.definition
    yield class_object.name, definition.doc or ""
    for side in Side:
        for selector, method in {
            **definition.local_extensions(side),
            **definition.local_methods(side),
        }.items():
            yield method_name(class_object.name, side, selector), method.doc or ""


def _score(wanted: Sequence[str], name: str, doc: str) -> int:
    """How well it fits; 0 when a word is missing."""
    score = 0
    for word in wanted:
        if word in name:
            score += 6 if name in (word, f"{word}:") or name.endswith((f">>{word}", f">>{word}:")) else 4
        elif word in doc:
            score += 2 if word in doc.partition("\n")[0] else 1
        else:
            return 0
    return score


def _first_line(doc: str) -> str:
    return next((line.strip() for line in doc.split("\n") if line.strip()), "")
