"""`:changes all` in a later session: entries of an earlier one keep the places that they had."""

from __future__ import annotations

from pathlib import Path

from repl.display import Screen
from repl.events import NilShown
from repl.paint import PLAIN
from repl.session_core import SessionCore
from workspace.opening import Opening, open_workspace

SOURCES = {
    "beamtalk.toml": '[package]\nname = "lab"\nversion = "0.1.0"\n',
    "src/Ant.bt": "Object subclass: Ant\n  class legs => 6\n",
    "src/Bee.bt": "Object subclass: Bee\n  class legs => 6\n",
    "src/Cow.bt": "Object subclass: Cow\n  class legs => 4\n",
}


def session(root: Path, cache: Path, *inputs: str) -> str:
    """What the last input of a session of its own shows."""
    workspace = open_workspace(Opening(root, library_cache=cache))
    try:
        workspace.evaluator.run(workspace.loader.sync)
        core = SessionCore(workspace, workspace.sessions.open("repl"), PLAIN, Screen())
        for text in inputs:
            turn = workspace.evaluator.run(lambda text=text: core.begin(text))
        return "\n".join("nil" if isinstance(each, NilShown) else each.text for each in turn.events)
    finally:
        workspace.close()


def test_an_entry_of_an_earlier_session_stands_where_it_stood(tmp_path: Path) -> None:
    root = tmp_path / "lab"
    for path, text in SOURCES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    now = session(root, tmp_path, "Ant class >> legs => 0", "Bee class >> wings => 4", ":changes all")
    assert [line.split("  ")[2] for line in now.split("\n")[1:]] == ["src/Ant.bt:2", "src/Bee.bt"]
    # Fewer units are loaded now: what numbers they had then says nothing.
    (root / "src" / "Ant.bt").unlink()
    later = session(root, tmp_path, ":changes all")
    assert [line.split("  ")[2] for line in later.split("\n")[1:]] == ["src/Ant.bt", "src/Bee.bt"]
