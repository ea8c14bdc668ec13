"""The light dataclasses do what the standard ones do."""

from __future__ import annotations

import copy
import dataclasses
import subprocess
import sys
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from lang import dataclass as light

Decorator = Callable[..., Any]
Pair = tuple[Any, Any]


def both(define: Callable[[Any], Any]) -> Pair:
    """The same class, made by the standard library and by us."""
    return define(dataclasses), define(light)


def points(how: Any) -> Any:
    @how.dataclass(frozen=True, slots=True, order=True)
    class Point:
        """A point."""

        kind: ClassVar[str] = "flat"
        x: int
        y: int = 2
        tags: list[str] = how.field(default_factory=list)

        @property
        def sum(self) -> int:
            return self.x + self.y

    return Point


def hidden(how: Any) -> Any:
    @how.dataclass(slots=True, unsafe_hash=True)
    class Hidden:
        key: str
        cache: list[int] = how.field(init=False, repr=False, compare=False, default_factory=list)
        note: str = how.field(default="-", compare=False)

    return Hidden


def failures(how: Any) -> Any:
    @how.dataclass(frozen=True, slots=True)
    class Failure(Exception):
        reason: str
        code: int = 1

        def __str__(self) -> str:
            return f"{self.reason} ({self.code})"

    return Failure


def test_constructors_take_the_same_arguments() -> None:
    for made in both(points):
        point = made(1)
        assert (point.x, point.y, point.tags, point.sum, made.kind) == (1, 2, [], 3, "flat")
        assert made(y=5, x=4).y == 5
        assert made(1).tags is not made(1).tags
        with pytest.raises(TypeError):
            made()
        with pytest.raises(TypeError):
            made(1, 2, [], 3)
    with pytest.raises(AttributeError):
        points(light)(1).colour = "red"


@pytest.mark.parametrize("left", [(1,), (1, 2), (2, 0), (1, 2, ["a"])])
@pytest.mark.parametrize("right", [(1,), (1, 2), (2, 0), (1, 2, ["a"])])
def test_comparisons_and_texts_are_the_same(left: tuple[Any, ...], right: tuple[Any, ...]) -> None:
    def told(made: Any) -> list[object]:
        a, b = made(*left), made(*right)
        return [
            a == b,
            a != b,
            a < b,
            a <= b,
            a > b,
            a >= b,
            repr(a).rpartition(".")[2],
            a == 1,
            a == object(),
        ]

    standard, ours = both(points)
    assert told(standard) == told(ours)
    assert standard(*left) != ours(*left)
    with pytest.raises(TypeError):
        _ = ours(1) < 1


def test_what_is_not_a_number_is_equal_to_itself_as_in_tuples() -> None:
    nan = float("nan")
    for made in both(hidden):
        assert made(nan) == made(nan)


def test_fields_may_be_left_out_of_comparing_showing_and_giving() -> None:
    for made in both(hidden):
        one, two = made("k", note="a"), made("k")
        one.cache.append(1)
        assert one == two
        assert hash(one) == hash(two)
        assert "cache" not in repr(one)
        assert made.__match_args__ == ("key", "note")
        with pytest.raises(TypeError):
            made("k", cache=[])


def test_hashes_are_there_where_the_standard_ones_are() -> None:
    def changing(how: Any) -> Any:
        @how.dataclass(slots=True)
        class Changing:
            x: int

        return Changing

    def identical(how: Any) -> Any:
        @how.dataclass(slots=True, eq=False)
        class Identical:
            x: int

        return Identical

    for made in both(changing):
        assert made.__hash__ is None
    for made in both(identical):
        one = made(1)
        assert one == one
        assert one != made(1)
        assert hash(one) == object.__hash__(one)


def test_exceptions_and_subclasses() -> None:
    for made in both(failures):
        with pytest.raises(made, match=r"broken \(3\)"):
            raise made("broken", 3)

    def below(how: Any) -> Any:
        @how.dataclass(frozen=True, slots=True)
        class Below(points(how)):
            z: int = 9

        return Below

    for made in both(below):
        assert (made(1).z, made(1, 2, [], 3).z) == (9, 3)
        assert repr(made(1)).endswith("Below(x=1, y=2, tags=[], z=9)")
        assert made(1) == made(1)


def test_functions_of_the_standard_library_take_them() -> None:
    standard, ours = both(points)
    assert [f.name for f in dataclasses.fields(ours)] == [f.name for f in dataclasses.fields(standard)]
    assert dataclasses.asdict(ours(1, 2, ["t"])) == {"x": 1, "y": 2, "tags": ["t"]}
    assert dataclasses.replace(ours(1), y=7) == ours(1, 7) == light.replace(ours(1), y=7)
    assert light.replace(standard(1), y=7) == standard(1, 7)
    assert copy.deepcopy(ours(1, 2, ["t"])) == ours(1, 2, ["t"])


def test_a_method_that_the_class_has_itself_stays() -> None:
    def stubborn(how: Any) -> Any:
        @how.dataclass(frozen=True, slots=True)
        class Stubborn:
            x: int

            def __repr__(self) -> str:
                return "me"

            def __hash__(self) -> int:
                return 7

        return Stubborn

    for made in both(stubborn):
        assert (repr(made(1)), hash(made(1))) == ("me", 7)


def test_defining_one_imports_nothing_large() -> None:
    code = "import sys, lang.dataclass; print({'dataclasses', 'inspect'} & set(sys.modules))"
    ran = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True, timeout=30)
    assert ran.stdout == "set()\n"
