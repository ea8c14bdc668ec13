"""Which class methods take turns, and what a class answers while it runs one (actors.md 3, 10)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lang.runtime.errors import BeamtalkError
from lang.runtime.processes.actor_system import actors_of
from tests.lang.codegen.image import Image

CLASSES = """Object subclass: Desk
  class answer => 42
  class direct => self answer
  class byName => Desk answer
  class with: aBlock => aBlock value
  class each: aList => aList collect: [:x | x + self answer]
  class make => (Desk new) ask
  class elsewhere => Window back
  class me => Erlang erlang self
  class slowly: log =>
    log start
    Timer sleep: 10
    log end
  class selves => #(self me, self with: [self me])
  class fanOut => Parallel all: #([self answer])
  ask => self class answer

Object subclass: Window
  class back => Desk answer

sealed Object subclass: Abacus
  sealed class with: aBlock => aBlock value
  sealed class one => 1
  class open: aBlock => aBlock value
  class two => 2

Actor subclass: Log
  state: inside = 0
  state: most = 0
  start =>
    self.inside := self.inside + 1
    self.most := self.most max: self.inside
  end => self.inside := self.inside - 1
  most => self.most

Supervisor subclass: Yard
  class children => #(Log)
  class open => self supervise
  class initialize: sup => (sup which: Log) unwrap start
"""


@pytest.fixture
def image(library_cache: Path) -> Iterator[Image]:
    made = Image(library_cache)
    made.load(CLASSES)
    yield made
    actors_of(made.runtime).scheduler.close()


def run(image: Image, text: str) -> object:
    """Evaluate as a process."""
    return actors_of(image.runtime).scheduler.run(lambda: image.run(text))


def refusal(image: Image, text: str) -> tuple[str, str | None, str | None]:
    """The kind, class and selector of the error of an expression."""
    with pytest.raises(BeamtalkError) as caught:
        run(image, text)
    assert "deadlock" in str(caught.value.hint)
    return caught.value.kind, caught.value.class_name, caught.value.selector


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Desk direct", 42),
        ("(Desk each: #(1, 2)) inject: 0 into: [:a :b | a + b]", 87),
        ("Desk with: [Log spawn most]", 0),
        ("Desk with: [Desk new isNil]", False),
        ("Desk with: [Desk name asString]", "Desk"),
        ("Desk with: [Abacus one]", 1),
        ("Abacus with: [Abacus one]", 1),
        ("Abacus with: [Abacus two]", 2),
        ("Desk selves first =:= Desk selves last", True),
        ("Desk me =:= (Erlang erlang self)", False),
        ("Desk with: [Desk performLocally: #answer withArguments: #()]", 42),
    ],
)
def test_what_works_inside(image: Image, text: str, value: object) -> None:
    assert run(image, text) == value


@pytest.mark.parametrize(
    "text",
    ["Desk byName", "Desk with: [Desk answer]", "Desk make", "Desk elsewhere", "Abacus open: [Abacus two]"],
)
def test_a_class_refuses_to_wait_for_itself(image: Image, text: str) -> None:
    with pytest.raises(BeamtalkError) as caught:
        run(image, text)
    error = caught.value
    assert (error.kind, error.selector) == ("dispatch_error", "two" if "two" in text else "answer")
    assert error.class_name == ("Abacus" if "two" in text else "Desk")
    assert "deadlock" in str(error.hint)
    assert run(image, "Desk answer") == 42


def test_calls_of_several_processes_take_turns(image: Image) -> None:
    run(image, "log := Log spawn")
    run(image, "Parallel all: #([Desk slowly: log], [Desk slowly: log], [Desk slowly: log])")
    assert run(image, "log most") == 1


def test_a_class_method_may_start_its_own_supervisor(image: Image) -> None:
    assert run(image, "yard := (Yard open) unwrap. (yard which: Log) unwrap most") == 1
    run(image, "yard stop")


def test_a_return_from_a_block_frees_the_class(image: Image) -> None:
    image.load("Object subclass: Finder\n  find => Desk with: [^7]\n")
    assert run(image, "Finder new find") == 7
    assert run(image, "Desk answer") == 42
