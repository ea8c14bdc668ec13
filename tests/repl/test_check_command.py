"""`:check`, and the package's table at the prompt (workspace.md 3.12; types.md D-T5)."""

from __future__ import annotations

from pathlib import Path

from tests.repl.command_lab import CommandLab
from tests.workspace.lab import lab_with

DESK = "Value subclass: Desk\n  sum: x => 3\n"
TABLE = '[package]\nname = "app"\nversion = "0.1.0"\n\n[diagnostics]\nunused = "{}"\n'


def test_what_is_wrong_in_memory_is_told(tmp_path: Path) -> None:
    with lab_with(
        tmp_path, {"src/Desk.bt": DESK, "src/Till.bt": "Value subclass: Till\n  ring => 1\n"}
    ) as lab:
        run = CommandLab(lab)
        assert "Unused parameter: x" in run(":check").text
        assert "src/Desk.bt:2:8" in run(":check Desk").text
        assert run(":check Till").text == "No problems in 1 class."
        assert run(":check src/Till.bt").text == "No problems in 1 class."
        assert run(":check Nobody").text == "Error: nothing is loaded from Nobody"
        assert run(":check a b").text == "Usage: :check [PATH|CLASS]"
        run("Desk >> sum: x => x")
        assert run(":check").text == "No problems in 2 classes."


def test_the_table_of_the_package_governs_the_prompt(tmp_path: Path) -> None:
    files = {"src/Desk.bt": "Value subclass: Desk\n  sum => 3\n"}
    for level, said in (("off", False), ("lint", False), ("hint", True)):
        root = tmp_path / level
        with lab_with(root, {**files, "beamtalk.toml": TABLE.format(level)}) as lab:
            run = CommandLab(lab)
            run("Desk >> more: x => 3")
            assert ("Unused parameter: x" in run(":check").text) is said


def test_an_error_by_the_table_stops_a_patch(tmp_path: Path) -> None:
    files = {"src/Desk.bt": "Value subclass: Desk\n  sum => 3\n", "beamtalk.toml": TABLE.format("error")}
    with lab_with(tmp_path, files) as lab:
        run = CommandLab(lab)
        assert "Unused parameter: x" in run("Desk >> more: x => 3").text
        assert "does not understand" in run("Desk new more: 1").text
