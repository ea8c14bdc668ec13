"""The prompt in a real pseudo-terminal: interruption, output in the background, questions, history."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.examples.copies import copy_of
from tests.repl.terminal import CTRL_C, CTRL_D, ENTER, UP, Prompt

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    return copy_of("bank", tmp_path / "bank")


@pytest.fixture
def prompt(bank: Path, cache: Path) -> Iterator[Prompt]:
    with opened(bank, cache) as found:
        yield found


@contextmanager
def opened(project: Path, cache: Path) -> Iterator[Prompt]:
    """A prompt that has loaded the bank."""
    with Prompt(project, cache) as found:
        found.wait_for(r"^(bt> )?bank 0\.1\.0: 15 classes from 17 files\n")
        found.wait_for("bt> $")
        yield found


def test_ctrl_c_ends_a_loop_and_the_image_lives(prompt: Prompt) -> None:
    prompt.ask("ada := Account with: 20", r"^Actor\(Account, ")
    prompt.enter("[true] whileTrue: [ada deposit: 1]")
    time.sleep(0.3)
    pressed = time.monotonic()
    prompt.keys(CTRL_C)
    prompt.wait_for("^Interrupted\n")
    # 100 ms by workspace.md 3.4; the rest is for a loaded machine.
    assert time.monotonic() - pressed < 2
    prompt.wait_for("bt> $")
    prompt.ask("ada isAlive", "^true$")
    prompt.ask("(ada balance) >= (Money euros: 20)", "^true$")


def test_ctrl_c_ends_a_wait(prompt: Prompt) -> None:
    prompt.enter("Timer sleep: 60000")
    time.sleep(0.3)
    prompt.keys(CTRL_C)
    prompt.wait_for("^Interrupted\n")
    prompt.wait_for("bt> $")
    prompt.ask("1 + 1", "^2$")


def test_a_timer_speaks_while_the_prompt_waits(prompt: Prompt) -> None:
    prompt.ask('Timer after: 400 do: [Transcript show: "beep"; cr]', r"^Timer|^Actor|^a ")
    # Half an input stands at the prompt: it stays, below what is printed.
    prompt.keys("40 + ")
    prompt.wait_for("│ beep\n")
    prompt.wait_for(r"bt> 40 \+ ?$")
    prompt.keys("2" + ENTER)
    prompt.wait_for("^42$")


def test_a_rename_is_asked_about_and_enter_is_no(prompt: Prompt, bank: Path) -> None:
    prompt.enter(":rename-class AuditLog Journal")
    preview = prompt.wait_for(r"Rename in memory\? \[y/N\] ")
    assert "AuditLog -> Journal: " in preview
    assert "-  state: log :: AuditLog | Nil = nil" in preview
    prompt.keys(ENTER)
    prompt.wait_for(r"^Aborted: AuditLog was not renamed\.")
    prompt.wait_for("bt> $")
    prompt.enter(":rename-class AuditLog Journal")
    prompt.wait_for(r"Rename in memory\? \[y/N\] ")
    prompt.keys("y" + ENTER)
    prompt.wait_for(r"Write it to disk now\? \[y/N\] ")
    assert (bank / "src" / "AuditLog.bt").is_file()
    prompt.keys("y" + ENTER)
    prompt.wait_for("^flushed 1 rename across ")
    prompt.wait_for("bt> $")
    assert not (bank / "src" / "AuditLog.bt").exists()
    assert "Actor subclass: Journal" in (bank / "src" / "Journal.bt").read_text("utf-8")
    prompt.ask("Journal", "^Journal$")


def test_ctrl_c_at_a_question_is_no(prompt: Prompt) -> None:
    prompt.enter(":remove-class Transfer")
    prompt.wait_for(r"\[y/N\] ")
    prompt.keys(CTRL_C)
    prompt.wait_for(r"^Aborted: Transfer was not removed\.")
    prompt.wait_for("bt> $")
    prompt.ask("Transfer", "^Transfer$")


def test_case_r1_an_input_of_many_lines_comes_back_whole(bank: Path, cache: Path) -> None:
    with opened(bank, cache) as prompt:
        prompt.ask("40 + 2", "^42$")
        prompt.keys("#{\r#a => 1,\r#b => 2\r} at: #b")
        prompt.enter("")
        prompt.wait_for("^2$")
        prompt.wait_for("bt> $")
        prompt.keys(CTRL_D)
        prompt.wait_for("^Goodbye!")
        assert prompt.exit_code() == 0
    entries = [json.loads(line) for line in (bank / ".beamtalk" / "history").read_text("utf-8").splitlines()]
    assert [len(each["text"].split("\n")) for each in entries] == [1, 4]
    with opened(bank, cache) as prompt:
        prompt.keys(UP)
        prompt.wait_for(r"\} at: #b")
        prompt.enter("")
        prompt.wait_for("^2$")


def test_case_r2_a_pasted_class_with_blank_lines_is_one_input(prompt: Prompt, bank: Path) -> None:
    pasted = (
        "Actor subclass: Lamp\n  state: on = false\n\n  toggle => self.on := self.on not\n\n  isOn => self.on"
    )
    prompt.keys(f"\x1b[200~{pasted}\x1b[201~")
    prompt.wait_for("isOn => self.on")
    prompt.enter("")
    prompt.wait_for("^Lamp$")
    prompt.wait_for("bt> $")
    prompt.ask("l := Lamp spawn", r"^Actor\(Lamp, ")
    prompt.ask("l toggle", "^true$")
    prompt.ask("l isOn", "^true$")
    first = (bank / ".beamtalk" / "history").read_text("utf-8").splitlines()[0]
    assert json.loads(first)["text"] == pasted


def test_case_r3_ctrl_c_drops_what_is_unfinished(prompt: Prompt) -> None:
    prompt.ask("y := 5", "^5$")
    for unfinished in ("x := #(1, 2", '"abc'):
        prompt.enter(unfinished)
        prompt.wait_for(r"\.\.> *$")
        pressed = time.monotonic()
        prompt.keys(CTRL_C)
        prompt.wait_for("bt> $")
        assert time.monotonic() - pressed < 1
    prompt.ask("y", "^5$")
    prompt.ask("x", "Undefined variable: x")
    prompt.keys(CTRL_C)
    prompt.wait_for("bt> $")
    prompt.ask("1 + 1", "^2$")


def test_what_is_typed_while_something_runs_is_run_next(prompt: Prompt) -> None:
    prompt.enter("Timer sleep: 800")
    time.sleep(0.3)
    prompt.keys(f"40 + 2{ENTER}#(1,{ENTER}2){ENTER}")
    prompt.wait_for("^42$")
    prompt.wait_for(r"^#\(1, 2\)$")
    prompt.wait_for("bt> $")
