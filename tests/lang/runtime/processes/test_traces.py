"""Captured sends form a tree (actors.md 16)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lang.runtime.processes.actor_system import actors_of
from lang.runtime.processes.tracing import Span
from tests.lang.codegen.image import Image

CLASSES = """Actor subclass: Relay
  state: next = nil
  next: r => self.next := r
  pass => self.next isNil ifTrue: [#end] ifFalse: [self.next pass]
  throw => self.next pass!
  leaf => self.next
  boom => self.next boom
  context => Tracing context
"""


@pytest.fixture
def image(library_cache: Path) -> Iterator[Image]:
    made = Image(library_cache)
    made.load(CLASSES)
    actors_of(made.runtime).scheduler.run(
        lambda: made.run("a := Relay spawn. b := Relay spawn. c := Relay spawn. a next: b. b next: c")
    )
    yield made
    actors_of(made.runtime).scheduler.close()


def spans(image: Image, text: str) -> list[tuple[str, Span]]:
    """Selector and span of each send, in the order of the sends."""
    system = actors_of(image.runtime)
    system.scheduler.run(
        lambda: image.run(f"Tracing clear. Tracing enable. {text}. Timer sleep: 1. Tracing disable")
    )
    found = [(event.selector, event.context.span) for event in system.tracing.events()]
    return sorted(found, key=lambda pair: pair[1].number)


def test_sends_of_a_method_belong_to_its_send(image: Image) -> None:
    (_, first), (_, second), (_, third) = spans(image, "a pass")
    assert [first.parent, second.parent, third.parent] == [None, first.number, second.number]
    assert first.trace == second.trace == third.trace


def test_each_send_of_the_top_level_is_a_trace(image: Image) -> None:
    (_, one), (_, other) = spans(image, "a leaf. c pass")
    assert one.trace != other.trace
    assert (one.parent, other.parent) == (None, None)


def test_a_cast_is_followed_and_siblings_are_told_apart(image: Image) -> None:
    throw, first, second = [span for _, span in spans(image, "a throw")]
    assert [first.parent, second.parent] == [throw.number, first.number]
    first, second, other = [span for _, span in spans(image, "b pass. c leaf")]
    assert [second.parent, other.parent] == [first.number, None]


def test_a_failure_leaves_the_context_as_it_was(image: Image) -> None:
    pairs = spans(image, "[a boom] on: Error do: [:e | nil]. a leaf")
    assert [span.parent is None for _, span in pairs] == [True, False, False, True]
    assert actors_of(image.runtime).scheduler.run(lambda: image.run("a context isEmpty")) is True


def test_the_users_context_travels_and_is_shown(image: Image) -> None:
    text = (
        "Tracing setContext: #{#job => 7}. Tracing enable. r := a context. Tracing disable. Tracing clearContext. "
        "e := Tracing traces first. "
        '(r =:= #{#job => 7}) and: [((e at: #job) =:= 7) and: [(e at: "parent_span_id") isNil]]'
    )
    assert actors_of(image.runtime).scheduler.run(lambda: image.run(text)) is True
