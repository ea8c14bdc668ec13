"""Inputs of absurd size: each gives its answer or a clear error, and the session goes on.

Every case is run small in the fast suite and at full size among the slow tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tests.workspace.lab import library_cache
from workspace.opening import Opening, open_workspace
from workspace.sessions import Session, ValueAnswer
from workspace.workspace import Workspace

SMALL, LARGE = 1_500, 20_000


@dataclass(frozen=True)
class Hostile:
    """An input made for a size, and what comes of it: a value, or the error's kind with a part of its text."""

    text: Callable[[int], str]
    value: Callable[[int], object] | None = None
    error: str = ""


def _chain(first: str, more: str) -> Callable[[int], str]:
    return lambda n: first + more * n


def _nested(opening: str, core: str, closing: str) -> Callable[[int], str]:
    return lambda n: opening * n + core + closing * n


def _items(opening: str, item: str, closing: str, separator: str = ", ") -> Callable[[int], str]:
    return lambda n: opening + separator.join(item.format(i) for i in range(n)) + closing


TOO_DEEP = "nesting is too deep: the maximum is 64 levels"

CASES = {
    "a sum of literals": Hostile(_chain("1", " + 1"), lambda n: n + 1),
    "a sum of names": Hostile(_chain("a := 1. a", " + a"), lambda n: n + 1),
    "a concatenation": Hostile(_chain('x := "a"', ' ++ "b"'), lambda n: "a" + "b" * n),
    "a power, to the right": Hostile(_chain("1", " ** 1"), lambda _: 1),
    "comparisons": Hostile(_chain("1", " < 1"), lambda _: False),
    "associations": Hostile(_chain("1", " -> 1"), error="does not understand '->'"),
    "unary messages": Hostile(_chain("true", " not"), lambda _: True),
    "messages to self": Hostile(_chain("1", " yourself"), lambda _: 1),
    "a cascade": Hostile(_chain("3 yourself", "; yourself"), lambda _: 3),
    "open parentheses": Hostile(_chain("", "("), error=TOO_DEEP),
    "parentheses": Hostile(_nested("(", "1", ")"), error=TOO_DEEP),
    "blocks": Hostile(_nested("[", "1", "]"), error=TOO_DEEP),
    "lists": Hostile(_nested("#(", "1", ")"), error=TOO_DEEP),
    "dictionaries": Hostile(_nested("#{1 => ", "1", "}"), error=TOO_DEEP),
    "interpolations": Hostile(_nested('"{', "1", '}"'), error=TOO_DEEP),
    "open interpolations": Hostile(_chain("", '"{'), error=TOO_DEEP),
    "assignments": Hostile(lambda n: "a := " * n + "1", error=TOO_DEEP),
    "types in parentheses": Hostile(lambda n: "a :: " + "(" * n + "A" + ")" * n + " := 1", error=TOO_DEEP),
    "type arguments": Hostile(lambda n: "a :: " + "List(" * n + "A" + ")" * n + " := 1", error=TOO_DEEP),
    "a union": Hostile(lambda n: "a :: " + " | ".join(["Integer"] * n) + " := 1", lambda _: 1),
    "a list": Hostile(_items("#(", "{0} + 1", ") size"), lambda n: n),
    "an array": Hostile(_items("#[", "{0}", "] size"), lambda n: n),
    "a dictionary": Hostile(_items("#{", "{0} => {0}", "} size"), lambda n: n),
    "a long string": Hostile(lambda n: f'"{"x" * (n * 50)}" size', lambda n: n * 50),
    "a long symbol": Hostile(lambda n: f"#{'x' * (n * 50)} asString size", lambda n: n * 50),
    "a long name": Hostile(lambda n: "x" * n, error="Undefined variable"),
    "a long integer": Hostile(lambda n: "9" * n, error="does not fit 64 bits"),
    "a long radix integer": Hostile(lambda n: "36r" + "Z" * n, error="does not fit 64 bits"),
    "a long float": Hostile(lambda n: "1." + "3" * n, lambda _: 4 / 3),
    "a long exponent": Hostile(lambda n: "1e" + "9" * n, error="out of range"),
    "a power beyond memory": Hostile(lambda n: f"2 ** {n}0000000", error="system limit reached"),
    "arms": Hostile(
        lambda n: f"{n // 4 - 1} match: [" + "; ".join(f"{i} -> {i + 1}" for i in range(n // 4)) + "; _ -> 0]",
        lambda n: n // 4,
    ),
    "guarded arms": Hostile(
        lambda n: "3 match: [" + "; ".join(f"x when: [x > {i + 3}] -> {i}" for i in range(n // 4)) + "; _ -> 0]",
        lambda _: 0,
    ),
    "array arms": Hostile(
        lambda n: "#[3, 4] match: [" + "; ".join("#[x, x] -> 1" for _ in range(n // 4)) + "; _ -> 0]", lambda _: 0
    ),
    "statements": Hostile(_items("", "a := {0}", "", ". "), lambda n: n - 1),
    "lines": Hostile(_items("", "a := {0}", "", "\n"), lambda n: n - 1),
    "conditionals": Hostile(
        lambda n: "\n".join("a := true ifTrue: [1] ifFalse: [2]" for _ in range(n // 8)), lambda _: 1
    ),
    "keywords": Hostile(_items("1 ", "k{0}: 1", "", " "), error="does not understand 'k0:k1:"),
    "parameters": Hostile(lambda n: "[" + " ".join(f":a{i}" for i in range(n // 5)) + " | a1] arity", lambda n: n // 5),
    "fields of nobody": Hostile(_chain("x", ".a"), error="Undefined variable: x"),
    "carets": Hostile(_chain("", "^"), error="expected expression"),
    "bangs": Hostile(_chain("1 foo", "!"), error="Cast (!)"),
    "hashes": Hostile(_chain("", "#"), error="unexpected '#'"),
    "comments in comments": Hostile(_chain("", "/* "), error="unterminated block comment"),
    "a value in values": Hostile(
        lambda n: f"x := #(). {n * 10} timesRepeat: [x := #(x)]. x printString size",
        error="system limit reached: recursion too deep",
    ),
    "a recursion without end": Hostile(
        lambda _: "f := nil. f := [:n | (f value: n + 1) + 1]. f value: 0",
        error="system limit reached: recursion too deep",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    opened = open_workspace(Opening(None, library_cache=library_cache()))
    yield opened
    opened.close()


def outcome(workspace: Workspace, text: str) -> tuple[object, str]:
    """The last value and the error's text of an input in a session of its own."""
    session = workspace.sessions.open("hostile")
    return workspace.evaluator.run(lambda: _outcome(session, text), "test")


def _outcome(session: Session, text: str) -> tuple[object, str]:
    found = session.evaluate(text, "prompt")
    last = found.answers[-1] if found.answers else None
    value = last.value if isinstance(last, ValueAnswer) else None
    return value, "" if found.error is None else found.error.message


def judge(workspace: Workspace, case: Hostile, size: int) -> None:
    value, error = outcome(workspace, case.text(size))
    if case.value is None:
        assert case.error in error
        assert "RecursionError" not in error
    else:
        assert (value, error) == (case.value(size), "")
    assert outcome(workspace, "3 + 4") == (7, "")


# What takes long at any size, or needs the size to be hostile.
_LARGE_ONLY = {"a value in values", "a recursion without end", "a power beyond memory"}


@pytest.mark.parametrize("name", [name for name in CASES if name not in _LARGE_ONLY])
def test_a_large_input_has_an_answer_or_a_clear_error(workspace: Workspace, name: str) -> None:
    judge(workspace, CASES[name], SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_huge_input_has_an_answer_or_a_clear_error(workspace: Workspace, name: str) -> None:
    judge(workspace, CASES[name], LARGE)


def test_recursion_100000_deep_answers(workspace: Workspace) -> None:
    down = "f := nil. f := [:n | n == 0 ifTrue: [0] ifFalse: [1 + (f value: n - 1)]]. f value: 100000"
    assert outcome(workspace, down) == (100_000, "")


@pytest.mark.slow
def test_a_class_of_thousands_of_members_is_defined(workspace: Workspace) -> None:
    fields = "".join(f"  field: f{i} = {i}\n" for i in range(2_000))
    methods = "".join(f"  m{i} => self.f{i}\n" for i in range(2_000))
    assert outcome(workspace, f"Value subclass: Hostile\n{fields}\n{methods}")[1] == ""
    assert outcome(workspace, "Hostile new m1999") == (1999, "")
