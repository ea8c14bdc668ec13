"""Renames while code that knows the old name runs or waits (changes.md 6, 7)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workspace.lab import Lab, lab_with

FILES = {
    "src/Counter.bt": """Actor subclass: Counter
  state: value = 0
  increment => self.value := self.value + 1
  value => self.value
  makeLater =>
    Timer sleep: 60
    Counter spawn
  stepLater =>
    Timer sleep: 60
    self increment
    self increment
  blockLater => [self increment]
  maker => [Counter spawn]
  class fresh => Counter spawn
""",
    "src/Driver.bt": """Actor subclass: Driver
  state: seen = nil
  drive: c =>
    Timer sleep: 60
    self.seen := c increment
    self.seen
  make =>
    Timer sleep: 60
    self.seen := Counter fresh
    self.seen class name
  seen => self.seen
""",
}


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with lab_with(tmp_path, FILES) as lab:
        lab("c := Counter spawn")
        lab("d := Driver spawn")
        yield lab


def pause(lab: Lab) -> None:
    lab("Timer sleep: 110")


def test_a_waiting_method_goes_on_under_the_new_class_name(lab: Lab) -> None:
    lab("d make!")
    lab("c makeLater!")
    lab("c increment!")
    lab("Timer sleep: 10")
    lab("Counter renameTo: #Accumulator")
    pause(lab)
    assert lab("d seen class") == "Accumulator"
    assert lab("c value") == "1"
    assert lab("c class") == "Accumulator"
    assert lab.error("Counter spawn").kind == "class_not_found"
    assert lab("Accumulator fresh class") == "Accumulator"


def test_a_stored_block_follows_the_class(lab: Lab) -> None:
    lab("b := c maker")
    lab("Counter renameTo: #Accumulator")
    assert lab("b value class") == "Accumulator"
    lab("Value subclass: Counter\n  x => 1\n")
    assert lab("b value class") == "Accumulator"
    assert lab("Counter new x") == "1"


def test_messages_and_waiting_code_reach_the_renamed_method(lab: Lab) -> None:
    lab("c stepLater!")
    lab("c increment!")
    lab("b := c blockLater")
    lab("Timer sleep: 10")
    lab("Counter renameSelector: #increment to: #bump")
    pause(lab)
    assert lab("c value") == "3"
    assert lab("b value") == "4"
    assert lab.error("c increment").kind == "does_not_understand"
    assert lab("c bump") == "5"


def test_a_sender_elsewhere_that_waits_keeps_its_old_selector_as_a_candidate(lab: Lab) -> None:
    """`Driver>>drive:` is an untyped candidate: it is not rewritten, so it is not superseded either."""
    lab("Counter renameSelector: #increment to: #bump")
    assert "drive:" in lab("Workspace changes activeEntries last candidateSites collect: [:s | s selector]")
    assert lab.error("d drive: c").kind == "does_not_understand"


def test_an_accepted_sender_that_waits_reaches_the_renamed_method(lab: Lab) -> None:
    lab("d drive: c!")
    lab("Timer sleep: 10")
    lab("Counter renameSelector: #increment to: #bump accepting: [:s | true]")
    pause(lab)
    assert lab("d seen") == "1"
    assert lab("d drive: c") == "2"


def test_code_made_before_the_undo_of_a_rename_works_after_it(lab: Lab) -> None:
    lab("Counter renameSelector: #increment to: #bump")
    lab("c stepLater!")
    lab("c bump!")
    lab("Timer sleep: 10")
    lab("Workspace undo")
    pause(lab)
    assert lab("c value") == "3"
    assert lab.error("c bump").kind == "does_not_understand"
    assert lab("c increment") == "4"


def test_timers_made_before_a_rename_go_on(lab: Lab) -> None:
    lab("t := Timer every: 15 do: [c increment]")
    lab("Timer sleep: 40")
    lab("Counter renameTo: #Accumulator")
    before = int(lab("c value"))
    lab("Timer sleep: 60")
    assert int(lab("c value")) > before
    lab("t cancel")


def test_a_removed_class_stops_its_actors_and_leaves_others_alone(lab: Lab) -> None:
    lab("other := Driver spawn")
    lab("Counter removeFromSystem")
    assert lab("c isAlive") == "false"
    assert lab("other isAlive") == "true"
    assert lab.error("other make").kind == "class_not_found"
    lab("Workspace undo")
    assert lab("c isAlive") == "false"
    assert lab("other make") == lab("#Counter")
