"""The steps of a `.scenario` file (tests/conformance/workspace/README.md).

Comes in: the text of a file. Guarantees: steps in order, each with its line number and
its whole text. Leaves: carrying them out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum


class BadScenario(ValueError):
    """A line that the format does not know."""


@dataclass(frozen=True, slots=True)
class OpenProject:
    """`@project NAME`."""

    line: int
    name: str


@dataclass(frozen=True, slots=True)
class Restart:
    """`@restart`."""

    line: int


@dataclass(frozen=True, slots=True)
class Evaluate:
    """`> EXPRESSION`, with the `= EXPECTED` after it, None where it must only succeed."""

    line: int
    text: str
    expected: str | None


@dataclass(frozen=True, slots=True)
class WriteFile:
    """`! FILE` with its content."""

    line: int
    path: str
    content: str


@dataclass(frozen=True, slots=True)
class ReplaceText:
    """`! FILE :: OLD ==> NEW`."""

    line: int
    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class DeleteFile:
    """`! delete FILE`."""

    line: int
    path: str


class Wanted(Enum):
    """What a file is asked for."""

    EQUALS = "equals"
    CONTAINS = "contains"
    LACKS = "lacks"
    PRISTINE = "pristine"
    PRESENT = "present"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class AskFile:
    """`? FILE WANTED TEXT`."""

    line: int
    path: str
    wanted: Wanted
    text: str = ""


Step = OpenProject | Restart | Evaluate | WriteFile | ReplaceText | DeleteFile | AskFile

_QUESTION = re.compile(r"(\S+) (equals|contains|lacks|pristine|present|absent)(?: (.*))?")


def read_scenario(text: str) -> tuple[Step, ...]:
    """The steps of a scenario. Raises `BadScenario` with the line number."""
    steps: list[Step] = []
    for line, head, more in _groups(text):
        match head[:1]:
            case "=":
                steps[-1] = _with_expectation(
                    steps[-1] if steps else None, line, "\n".join([head[1:].strip(), *more])
                )
            case ">":
                steps.append(Evaluate(line, "\n".join([head[1:].strip(), *more]), None))
            case "!":
                steps.append(_outside_edit(line, head[1:].strip(), more))
            case "?":
                steps.append(_question(line, head[1:].lstrip(), more))
            case "@":
                steps.append(_directive(line, head))
            case _:
                raise BadScenario(f"line {line}: {head}")
    return tuple(steps)


def _groups(text: str) -> list[tuple[int, str, list[str]]]:
    """Each step line with its number and the `|` lines that continue it."""
    groups: list[tuple[int, str, list[str]]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line == "|" or line.startswith("| "):
            if not groups:
                raise BadScenario(f"line {number}: nothing to continue")
            groups[-1][2].append(line[2:])
        elif line.strip() and not line.startswith("#"):
            groups.append((number, line, []))
    return groups


def _with_expectation(step: Step | None, line: int, expected: str) -> Evaluate:
    if not isinstance(step, Evaluate) or step.expected is not None:
        raise BadScenario(f"line {line}: an expectation without an expression")
    return Evaluate(step.line, step.text, expected)


def _directive(line: int, head: str) -> Step:
    match head.split():
        case ["@project", name]:
            return OpenProject(line, name)
        case ["@restart"]:
            return Restart(line)
    raise BadScenario(f"line {line}: {head}")


def _outside_edit(line: int, head: str, more: list[str]) -> Step:
    if head.startswith("delete "):
        return DeleteFile(line, head.removeprefix("delete ").strip())
    if " :: " in head:
        path, _, change = head.partition(" :: ")
        old, arrow, new = f"{change} ".partition(" ==> ")
        if not arrow:
            raise BadScenario(f"line {line}: {head}")
        return ReplaceText(line, path, _unescaped(old), _unescaped(new.removesuffix(" ")))
    return WriteFile(line, head, "".join(f"{each}\n" for each in more))


def _unescaped(text: str) -> str:
    return text.replace("\\n", "\n")


def _question(line: int, head: str, more: list[str]) -> AskFile:
    question = _QUESTION.fullmatch(head)
    if question is None:
        raise BadScenario(f"line {line}: {head}")
    wanted = Wanted(question[2])
    if wanted is Wanted.EQUALS:
        return AskFile(line, question[1], wanted, "".join(f"{each}\n" for each in more))
    return AskFile(line, question[1], wanted, question[3] if question[3] is not None else "\n".join(more))
