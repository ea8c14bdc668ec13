"""The prompt without a terminal: keys through a pipe, what it prints into a buffer (workspace.md 3.2 to 3.5)."""

from __future__ import annotations

import asyncio
import io
import os
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from repl.command_line.opening import Place
from repl.paint import PLAIN
from repl.prompt.activity import Activity
from repl.prompt.app import ImageUnavailable, OpenImage, Prompt
from repl.prompt.image import LiveImage, open_live_image
from repl.prompt.outlet import Outlet
from repl.prompt.terminal import Terminal
from tests.workspace.lab import library_cache

LIMIT = 20.0
ENTER, CTRL_C, CTRL_D, UP, TAB = "\r", "\x03", "\x04", "\x1b[A", "\t"


class Typist:
    """Types keys, and waits for what is printed."""

    def __init__(self, keys: PipeInput, shown: io.StringIO, prompt: Prompt) -> None:
        self._keys = keys
        self._prompt = prompt
        self._shown = shown
        self._seen = 0

    def keys(self, text: str) -> None:
        self._keys.send_text(text)

    async def sees(self, wanted: str) -> None:
        """Wait until a text is printed after what was seen before."""
        async with asyncio.timeout(LIMIT):
            while (at := self._shown.getvalue().find(wanted, self._seen)) < 0:
                await asyncio.sleep(0.005)
        self._seen = at + len(wanted)

    async def goes_up_to(self, wanted: str) -> None:
        """Press Up until the line reads so; earlier inputs are read in the background."""
        async with asyncio.timeout(LIMIT):
            while self._prompt._reader.default_buffer.text != wanted:
                self.keys(UP)
                await asyncio.sleep(0.05)

    async def line_is(self, wanted: str) -> None:
        """Wait until the line that is being edited reads so."""
        async with asyncio.timeout(LIMIT):
            while self._prompt._reader.default_buffer.text != wanted:
                await asyncio.sleep(0.005)


Play = Callable[[Typist], Coroutine[None, None, None]]
Run = Callable[[Play], str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("XDG_CACHE_HOME", str(library_cache()))

    def image(outlet: Outlet, activity: Activity) -> LiveImage:
        return open_live_image(Place(None), PLAIN, outlet, activity)

    def session(play: Play) -> str:
        return play_session(play, image, tmp_path / "history")

    return session


def play_session(play: Play, image: OpenImage, history: Path) -> str:
    """All that one session printed; `play` types, and the session must end by itself."""
    shown = io.StringIO()

    async def both(keys: PipeInput) -> None:
        screen = DummyOutput()
        prompt = Prompt(Terminal(shown, shown, input=keys, screen=screen), image, history)
        async with asyncio.timeout(LIMIT):
            session = asyncio.ensure_future(prompt.run())
            await play(Typist(keys, shown, prompt))
            shown.write(f"code {await session}\n")

    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        asyncio.run(both(keys))
    return shown.getvalue()


def typed(*keys: str) -> Play:
    """Only keys, then the end."""

    async def play(typist: Typist) -> None:
        await asyncio.sleep(0)
        for each in keys:
            typist.keys(each)
        typist.keys(CTRL_D)

    return play


def test_an_input_is_evaluated_and_ctrl_d_leaves(run: Run) -> None:
    shown = run(typed("3 + 4" + ENTER, "nil" + ENTER))
    assert "7\nnil\n" in shown
    assert shown.endswith("Goodbye!\ncode 0\n")


def test_enter_opens_a_line_while_the_input_is_incomplete(run: Run) -> None:
    assert "#(1, 2)\n" in run(typed("#(1," + ENTER, "2)" + ENTER))


def test_a_class_is_typed_line_by_line_and_a_blank_line_ends_it(run: Run) -> None:
    lines = (
        "Actor subclass: Lamp",
        "state: lit = false",
        "flip => self.lit := self.lit not",
        "",
        "Lamp spawn flip",
    )
    shown = run(typed(*(line + ENTER for line in lines)))
    assert "Lamp\ntrue\n" in shown


def test_ctrl_j_opens_a_line_in_a_complete_input(run: Run) -> None:
    assert "\n5\n" in run(typed("a := 2\na + 3" + ENTER))


def test_a_paste_is_one_input(run: Run) -> None:
    assert "\n42\n" in run(typed("\x1b[200~bt> x := 21\r\nbt> x * 2\x1b[201~" + ENTER))


LAMP = "Actor subclass: Lamp\n  state: on = false\n\n  toggle => self.on := self.on not\n\n  isOn => self.on"


def test_a_pasted_class_with_blank_lines_is_one_class(run: Run, tmp_path: Path) -> None:
    shown = run(typed(f"\x1b[200~{LAMP}\x1b[201~" + ENTER, "l := Lamp spawn. l toggle. l isOn" + ENTER))
    assert "Lamp\ntrue\n" in shown
    assert "Error" not in shown
    assert (tmp_path / "history").read_bytes().count(b"\n") == 2


def test_an_input_of_several_lines_comes_back_as_one(run: Run) -> None:
    run(typed("40 + 2" + ENTER, "#{" + ENTER + "#a => 1," + ENTER + "#b => 2" + ENTER + "} at: #b" + ENTER))

    async def play(typist: Typist) -> None:
        typist.keys("1" + ENTER)
        await typist.sees("1\n")
        await typist.goes_up_to("#{\n  #a => 1,\n  #b => 2\n  } at: #b")
        typist.keys(CTRL_C + CTRL_D)

    run(play)


def test_ctrl_c_leads_out_of_an_unfinished_input(run: Run) -> None:
    keys = ("y := 5" + ENTER, "x := #(1, 2" + ENTER + CTRL_C, "y" + ENTER, '"abc' + ENTER + CTRL_C, CTRL_C)
    shown = run(typed(*keys, "x" + ENTER))
    assert "5\n5\n" in shown
    assert "Undefined variable: x" in shown


def test_ctrl_c_drops_the_input(run: Run) -> None:
    shown = run(typed("#(1," + ENTER + CTRL_C, "2 + 3" + ENTER))
    assert "\n5\n" in shown
    assert "Error" not in shown


def test_up_brings_the_input_before(run: Run) -> None:
    assert "\n8\n" in run(
        typed("x := 7" + ENTER, "x := x + 1" + ENTER, "y := 1" + ENTER + UP + UP + UP + CTRL_C, "x" + ENTER)
    )


def test_tab_completes_a_command_and_a_class(run: Run) -> None:
    async def play(typist: Typist) -> None:
        typist.keys("1" + ENTER)
        await typist.sees("1\n")
        typist.keys(":vers" + TAB)
        await typist.line_is(":version")
        typist.keys(ENTER)
        await typist.sees("beamtalk 0.1.0")
        typist.keys("TranscriptStr" + TAB)
        await typist.line_is("TranscriptStream")
        typist.keys(ENTER)
        await typist.sees("TranscriptStream\n")
        typist.keys(CTRL_D)

    run(play)


def test_an_endless_loop_is_interrupted_and_the_session_goes_on(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(typist: Typist) -> None:
        typist.keys("x := 9" + ENTER)
        await typist.sees("9\n")
        typist.keys("[true] whileTrue: []" + ENTER)
        await asyncio.sleep(0.1)
        start = asyncio.get_running_loop().time()
        os.kill(os.getpid(), signal.SIGINT)
        await typist.sees("Interrupted")
        assert asyncio.get_running_loop().time() - start < 1.0
        typist.keys("x + 1" + ENTER)
        await typist.sees("10\n")
        typist.keys(CTRL_D)

    run(play)


def test_timers_print_while_the_prompt_waits(run: Run) -> None:
    async def play(typist: Typist) -> None:
        typist.keys('t := Timer every: 10 do: [Transcript show: "tick"; cr]' + ENTER)
        await typist.sees("│ tick\n│ tick\n")
        typist.keys("t cancel" + ENTER)
        await typist.sees("true\n")
        typist.keys(CTRL_D)

    run(play)


def test_a_line_that_has_not_ended_is_printed_after_the_evaluation(run: Run) -> None:
    assert "│ partial\n3\n" in run(typed('Transcript show: "partial". 3' + ENTER))


def test_a_question_takes_only_yes(run: Run) -> None:
    async def play(typist: Typist) -> None:
        typist.keys("Object subclass: Gone" + ENTER + "a => 1" + ENTER + ENTER)
        await typist.sees("Gone\n")
        typist.keys(":remove-class Gone" + ENTER + ENTER)
        await typist.sees("Aborted: Gone was not removed.")
        typist.keys(":remove-class Gone" + ENTER + CTRL_C)
        await typist.sees("Aborted: Gone was not removed.")
        typist.keys(":remove-class Gone" + ENTER + "y" + ENTER)
        await typist.sees("Gone removed; 0 instances stopped")
        typist.keys(":remove-class Gone --yes" + ENTER)
        await typist.sees("Class 'Gone' not found")
        typist.keys(CTRL_D)

    run(play)


def test_inputs_are_kept_before_they_are_evaluated(run: Run, tmp_path: Path) -> None:
    run(typed("1 zork" + ENTER))
    assert '"text": "1 zork"' in (tmp_path / "history").read_text()


def test_an_image_that_cannot_be_opened_takes_the_prompt_away(tmp_path: Path) -> None:
    def refuse(outlet: Outlet, activity: Activity) -> LiveImage:
        raise ImageUnavailable("error: it is locked")

    async def play(typist: Typist) -> None:
        await typist.sees("error: it is locked\n")

    assert play_session(play, refuse, tmp_path / "history").endswith("code 1\n")


def test_escape_sequences_of_a_program_are_shown_and_not_obeyed(run: Run) -> None:
    text = 'escape := (String fromCodePoint: 27). Transcript show: escape + "[31mred"; cr. escape + "[0m"'
    shown = run(typed(text + ENTER))
    assert "\x1b" not in shown
