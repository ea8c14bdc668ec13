"""What an earlier session left: unfinished flushes, damaged bodies, spikes, old entries (changes.md 2, 5)."""

from __future__ import annotations

from pathlib import Path

from tests.workspace.lab import P0, Lab, lab_with, project

PATCH = "Counter >> increment => self.value := self.value + 2"


def test_a_read_only_open_says_that_a_recovery_waits_and_leaves_it(tmp_path: Path) -> None:
    with lab_with(tmp_path):
        pass
    left = tmp_path / ".beamtalk/flush/0123456789ab.begin"
    left.write_text("{}")
    for is_read_only, is_due in ((True, True), (False, False), (True, False)):
        lab = Lab(tmp_path, is_read_only=is_read_only)
        try:
            recovery = lab.workspace.recovery
            assert (recovery is not None and recovery.is_due) is is_due
            assert left.exists() is is_due
        finally:
            lab.close()


def test_a_damaged_body_is_named_and_never_used(tmp_path: Path) -> None:
    lab = Lab(project(tmp_path, P0))
    lab.sync()
    lab(PATCH)
    lab("Counter >> getValue => self.value + 0")
    lab.close()
    journal = tmp_path / ".beamtalk/changes/changes.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b"self.value + 2", b"self.value + 3"))
    lab = Lab(tmp_path)
    try:
        lab.sync()
        error = lab.error("Workspace changes revert: (Workspace changes allEntries at: 1)")
        assert error.message == "#1 is damaged in the change log (edit 0 after)"
        assert lab("(Workspace changes restore at: #skipped) collect: [:e | e at: #reason]") == (
            "#(#damaged)"
        )
        assert lab("(Counter >> #increment) source").count("+ 1") == 1
        assert "+ 0" in lab("(Counter >> #getValue) source")
    finally:
        lab.close()


def test_closing_ends_supervisors_and_their_children(tmp_path: Path) -> None:
    files = {
        **P0,
        "src/Root.bt": "Supervisor subclass: Root\n  class children => #(Teller)\n",
        "src/Teller.bt": "Actor subclass: Teller\n"
        '  terminate: reason => Transcript show: "gone: {reason}"; cr\n',
    }
    with lab_with(tmp_path, files) as lab:
        lab("Workspace startSupervisor: Root")
        lab.close()
        assert lab.transcript.text == "gone: shutdown\n"


def test_spikes_of_an_earlier_session_go_to_the_archive(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab('Counter tryCompile: #increment source: "increment => 7"')
        lab("Counter >> getValue => self.value + 0")
        lab.restart()
        assert lab("Workspace changes allEntries collect: [:e | e selector]") == "#(#getValue)"
        assert [each.selector for each in lab.workspace.log.archived_entries()] == ["increment"]
        assert lab("Workspace changes pruneEphemeral") == "0"


def test_the_oldest_entries_that_nobody_needs_go_to_the_archive(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        assert lab.workspace.folder is not None
        lab.workspace.folder.set("active_segment", 2)
        lab("Counter >> pending => 1")
        for number in range(4):
            lab(f"Counter >> getValue => self.value + {number}")
            lab("Workspace flush")
        lab("Counter >> waits => 2")
        lab.restart()
        assert [each.seq for each in lab.workspace.log.archived_entries()] == [1, 2, 3]
        assert lab("(Workspace changes restore at: #restored) size") == "1"


def test_what_a_flushed_rename_has_overtaken_is_restored_with_it(tmp_path: Path) -> None:
    """A patch made before renames that went to disk without it comes back as if made after them."""
    with lab_with(tmp_path) as lab:
        lab("Meter class >> make => Counter spawnWith: #{#value => 7}")
        lab("Counter >> getValue => self increment")
        lab("Counter >> twice => self getValue")
        lab("Counter renameTo: #Tally")
        lab("Tally renameSelector: #increment to: #step")
        lab('Workspace moveClass: Tally to: "src/deep/Tally.bt"')
        lab(
            "Workspace changes flushKinds: #(#'rename-class', #'rename-method', #'move-class') confirmDestructive: true"
        )
        assert lab("Workspace changes size") == "3"
        lab.restart()
        restored = lab("Workspace changes restore")
        assert lab("Workspace changes size") == "3", restored
        lab.flush_all()
        assert "make => Tally spawnWith: #{#value => 7}" in lab.read("src/Meter.bt")
        text = lab.read("src/deep/Tally.bt")
        assert "getValue => self step" in text
        assert "twice => self getValue" in text
        assert lab("Meter make getValue") == "8"
