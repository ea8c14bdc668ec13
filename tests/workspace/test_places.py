"""Frames of errors stand at lines of files (stdlib.md 4.19, workspace.md 3.7)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lang.stdlib.examples import Live

FRAME = "([Till new ring] on: Error do: [:e | e stackTrace]) first"


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    (tmp_path / "beamtalk.toml").write_text('[package]\nname = "shop"\nversion = "1.0.0"\n')
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "till.bt").write_text(
        '/// A till.\nValue subclass: Till\n\n  one => 1\n\n  /// Rings.\n  ring =>\n    self one\n    self error: "stuck"\n'
    )
    opened = Live(tmp_path / "cache", tmp_path)
    opened.show("Workspace sync")
    yield opened
    opened.close()


def test_a_frame_has_the_line_of_its_file(live: Live) -> None:
    assert live.show(f"{FRAME} sourceLocation") == '"till.bt:9"'
    assert live.show(f"{FRAME} line") == "9"
    assert live.show(f"{FRAME} printString") == '"Till>>ring/0 (till.bt:9)"'


def test_a_method_that_is_in_memory_only_has_no_line_of_a_file(live: Live) -> None:
    live.show('Till compile: #new2 source: "new2 => self error: ""x"""')
    assert live.show("([Till new new2] on: Error do: [:e | e stackTrace]) first file") == "nil"
    assert live.show(f"{FRAME} line") == "9"
