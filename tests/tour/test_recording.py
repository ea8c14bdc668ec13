"""The recording of the tour can be made again, and shows what it should."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.examples.copies import copy_of
from tests.tour.record import CAST, STEPS, recording


def shown(cast: str) -> str:
    head, *events = map(json.loads, cast.splitlines())
    assert head["version"] == 2
    assert [event[0] for event in events] == sorted(event[0] for event in events)
    return re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]", "", "".join(event[2] for event in events))


def test_the_recording_shows_every_step() -> None:
    text = shown(CAST.read_text("utf-8"))
    assert [pattern for _typed, pattern in STEPS if not re.search(pattern, text)] == []


@pytest.mark.slow
def test_the_recording_can_be_made_again(tmp_path: Path) -> None:
    text = shown(recording(copy_of("bank", tmp_path / "bank"), tmp_path / "cache"))
    assert "Goodbye!" in text
