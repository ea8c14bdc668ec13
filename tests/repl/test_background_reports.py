"""What fails while nobody waits appears above the prompt, once (workspace.md 3.5)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from repl.command_line.opening import Place
from repl.paint import PLAIN
from repl.prompt.activity import Activity
from repl.prompt.image import open_live_image
from repl.prompt.outlet import Outlet
from tests.workspace.lab import project

TILL = 'Actor subclass: Till\n  spill => self error: "a \x1b[31m red"\n'


def test_a_failing_cast_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    outlet = Outlet(lambda: None)
    image = open_live_image(
        Place(project(tmp_path / "lab", {"src/Till.bt": TILL})), PLAIN, outlet, Activity()
    )
    try:
        outlet.take()
        text = "t := Till spawn. t spill!. Timer sleep: 5. t pid exit: #storm. nil"
        image.evaluator.run(lambda: image.core.begin(text), "turn")
        shown: list[str] = []
        end = time.monotonic() + 5
        while len(shown) < 2 and time.monotonic() < end:
            shown += outlet.take()
            time.sleep(0.005)
    finally:
        image.close()
    first, second = shown
    assert first.startswith("⚠ Actor(Till, 0.")
    assert first.endswith("failed in 'spill': Error: a ␛[31m red")
    assert second.endswith("stopped: #storm")
