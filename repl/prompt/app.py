"""The prompt: reads inputs, has them evaluated, shows what came of them (workspace.md 3).

Comes in: how the image is opened, and a terminal. Guarantees: the main thread draws and never
waits for the evaluator; the evaluator never waits for the main thread; Ctrl-C ends an evaluation
or drops an input, and nothing else. Leaves: evaluating to `SessionCore`, the image's start to
the function that is given.
"""

from __future__ import annotations

import asyncio
import contextvars
import enum
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.application.current import get_app_or_none
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import Completer, DummyCompleter, DynamicCompleter
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import DummyHistory
from prompt_toolkit.input import Input
from prompt_toolkit.layout.processors import HighlightMatchingBracketProcessor
from prompt_toolkit.lexers import DynamicLexer, Lexer, SimpleLexer
from prompt_toolkit.output import Output
from prompt_toolkit.shortcuts import PromptSession
from prompt_toolkit.styles import BaseStyle

from lang.dataclass import dataclass
from repl.events import Advice, Event, Failure, Leave, NilShown, Question, Shown, Value
from repl.prompt.history import InputHistory
from repl.prompt.keys import bindings
from repl.prompt.outlet import Outlet

if TYPE_CHECKING:
    from lang.runtime.processes.evaluator import Evaluation
    from repl.prompt.image import LiveImage
    from repl.session_core import Turn

DETACHED_AFTER: Final = 2.0
"""Seconds after an interrupt before a host call that cannot be cut is left to itself (workspace.md 3.4)."""
TWICE_WITHIN: Final = 1.0
TYPED_AHEAD_WITHIN: Final = 0.2
"""Seconds after a prompt in which nobody has read it yet: what comes then was typed before."""
NARROW: Final = 40
"""Columns below which there is no toolbar."""


class ImageUnavailable(Exception):
    """The image could not be opened; the text is for the user."""


class _ImageFailed(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where the prompt reads and draws; the streams get what is printed above it."""

    output: TextIO
    errors: TextIO
    style: BaseStyle
    is_dumb: bool = False
    keys: str = "emacs"
    input: Input | None = None
    screen: Output | None = None


class FirstPrompt(enum.Enum):
    """When the prompt is drawn first."""

    AT_ONCE = "at once"
    WHEN_OPEN = "when the image is open"


OpenImage = Callable[[Outlet], "LiveImage"]
"""Opens the image, in a thread; raises `ImageUnavailable`."""


class Prompt:
    """One interactive session from its first prompt to its last."""

    def __init__(
        self,
        terminal: Terminal,
        open_image: OpenImage,
        history: Path | None,
        first: FirstPrompt = FirstPrompt.AT_ONCE,
    ) -> None:
        self._terminal = terminal
        self._first = first
        self._open_image = open_image
        self._image: Future[LiveImage] = Future()
        self._outlet = Outlet(self._wake)
        self._history = InputHistory(history)
        self._lexer: Lexer = SimpleLexer()
        self._completer: Completer = DummyCompleter()
        self._is_asking = False
        self._interrupted_at = 0.0
        self._prompted_at = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._context = contextvars.copy_context()
        self._reader = self._make_reader()

    def _make_reader(self) -> PromptSession[str]:
        terminal = self._terminal
        return PromptSession(
            message=[("class:prompt", "bt> ")],
            prompt_continuation=_continuation,
            multiline=True,
            lexer=DynamicLexer(lambda: self._lexer),
            completer=DynamicCompleter(lambda: self._completer),
            complete_while_typing=False,
            history=self._history,
            auto_suggest=None if terminal.is_dumb else AutoSuggestFromHistory(),
            enable_history_search=True,
            enable_open_in_editor=True,
            key_bindings=bindings(lambda: self._is_asking, self._is_typed_ahead),
            editing_mode=EditingMode.VI if terminal.keys == "vi" else EditingMode.EMACS,
            bottom_toolbar=None if terminal.is_dumb else self._toolbar,
            input_processors=[HighlightMatchingBracketProcessor(chars="[](){}")],
            style=terminal.style,
            include_default_pygments_style=False,
            reserve_space_for_menu=0 if terminal.is_dumb else 4,
            tempfile_suffix=".bt",
            input=terminal.input,
            output=terminal.screen,
        )

    # ------------------------------------------------------------ the loop

    async def run(self) -> int:
        """Read and evaluate until the session is left; the exit code."""
        self._loop = asyncio.get_running_loop()
        self._context = contextvars.copy_context()
        opening = self._loop.run_in_executor(None, self._open)
        ticker = asyncio.ensure_future(self._tick())
        try:
            if self._first is FirstPrompt.WHEN_OPEN:
                await asyncio.wait([opening])
            return await self._session()
        except ImageUnavailable as refusal:
            self._terminal.errors.write(f"{refusal}\n")
            return 1
        finally:
            ticker.cancel()
            with suppress(Exception):
                await opening
            if self._image.done() and self._image.exception() is None:
                await self._loop.run_in_executor(None, self._image.result().close)

    async def _session(self) -> int:
        while True:
            text = await self._read()
            if text is None or not text.strip():
                continue
            image = await self._opened()
            if image is None:
                continue
            if await self._evaluate(image, text):
                return 0

    async def _read(self) -> str | None:
        """The next input; None when it was dropped."""
        self._raise_if_unavailable()
        try:
            self._prompted_at = time.monotonic()
            with self._signals(None):
                return await self._reader.prompt_async(handle_sigint=False)
        except KeyboardInterrupt:
            self._interrupted()
            return None
        except EOFError:
            return ":exit"
        except _ImageFailed:
            self._raise_if_unavailable()
            return None

    def _is_typed_ahead(self) -> bool:
        """Whether a key that comes now was pressed while something else ran."""
        return time.monotonic() - self._prompted_at < TYPED_AHEAD_WITHIN

    def _interrupted(self) -> None:
        """Ctrl-C at the prompt; twice within a second says how to leave."""
        now = time.monotonic()
        if not self._reader.default_buffer.text and now - self._interrupted_at < TWICE_WITHIN:
            self._print("Press Ctrl-D to exit, :interrupt to stop a background evaluation")
        self._interrupted_at = now

    # ------------------------------------------------------------ the image

    def _open(self) -> None:
        """Open the image in a thread; the prompt is there before it."""
        try:
            self._image.set_result(self._open_image(self._outlet))
        except BaseException as fault:  # noqa: BLE001 - raised again on the main thread
            self._image.set_exception(fault)
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._image_is_there)

    def _image_is_there(self) -> None:
        app = self._reader.app
        if self._image.exception() is not None:
            if app.is_running and not app.is_done:
                app.exit(exception=_ImageFailed())
            return
        image = self._image.result()
        self._lexer, self._completer = image.lexer, image.completer
        image.on_facts = self._redraw
        image.core.desk.history = _Inputs(self._history)
        self._reader.app.invalidate()

    def _raise_if_unavailable(self) -> None:
        if self._image.done() and (fault := self._image.exception()) is not None:
            raise fault

    async def _opened(self) -> LiveImage | None:
        """The image once it is loaded; None when the wait was interrupted."""
        with self._signals(None) as interrupts:
            while not self._image.done():
                if interrupts():
                    return None
                await asyncio.sleep(0.01)
        self._raise_if_unavailable()
        return self._image.result()

    # ------------------------------------------------------------ evaluation

    async def _evaluate(self, image: LiveImage, text: str) -> bool:
        """Run one input with its questions; whether the session is to end."""
        turn = await self._turn(image, lambda: image.core.begin(text))
        while turn is not None:
            if await self._show(turn.events):
                return True
            if turn.question is None:
                break
            answer = await self._ask(turn.question)
            turn = await self._turn(image, partial(image.core.go_on, turn, answer))
        image.refresh_facts()
        return False

    async def _turn(self, image: LiveImage, action: Callable[[], Turn]) -> Turn | None:
        """One stretch on the evaluator; None when it was interrupted."""
        image.fit(self._reader.output.get_size().columns)
        evaluation = image.evaluator.submit(action, "prompt")
        done = asyncio.Event()
        loop = asyncio.get_running_loop()
        evaluation.future.add_done_callback(lambda _future: loop.call_soon_threadsafe(done.set))
        with self._signals(lambda: self._interrupt(image, evaluation)) as interrupts:
            await self._finished(done, interrupts)
        image.flush_output()
        self._drain_now()
        if not done.is_set():
            self._print("Interrupted; a host call is still running in the background")
            return None
        return self._taken(evaluation.future)

    async def _finished(self, done: asyncio.Event, interrupts: Callable[[], int]) -> None:
        """Wait for an evaluation; one that does not end after an interrupt is left to itself."""
        since: float | None = None
        while not done.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(done.wait(), 0.1)
            if interrupts() and since is None:
                since = time.monotonic()
            if since is not None and time.monotonic() - since > DETACHED_AFTER:
                return

    def _taken(self, future: Future[object]) -> Turn | None:
        from lang.runtime.processes.signals import Interrupted  # noqa: PLC0415 (start-up)

        fault = future.exception()
        if isinstance(fault, Interrupted):
            self._print("Interrupted")
            return None
        if fault is not None:
            self._print(f"internal error: {type(fault).__name__}: {fault}", self._terminal.errors)
            return None
        return future.result()  # type: ignore[return-value]

    def _interrupt(self, image: LiveImage, evaluation: Evaluation) -> None:
        """Ctrl-C while something runs. A terminal has shown `^C`, and stands behind it."""
        if self._terminal.output.isatty():
            self._print("")
        image.evaluator.interrupt(evaluation)

    @contextmanager
    def _signals(self, interrupt: Callable[[], None] | None) -> Iterator[Callable[[], int]]:
        """While it lasts, SIGINT calls `interrupt`; answers how often it came."""
        count = 0

        def taken() -> None:
            nonlocal count
            count += 1
            if interrupt is not None:
                interrupt()

        loop = asyncio.get_running_loop()
        with suppress(ValueError, RuntimeError, NotImplementedError):
            loop.add_signal_handler(signal.SIGINT, taken)
        yield lambda: count

    async def _ask(self, question: Question) -> str:
        """The answer of a person; Ctrl-C, Ctrl-D and Enter are no."""
        self._is_asking = True
        asking: PromptSession[str] = PromptSession(
            history=DummyHistory(),
            input=self._terminal.input,
            output=self._terminal.screen,
            style=self._terminal.style,
        )
        try:
            with self._signals(None):
                return await asking.prompt_async(question.question, handle_sigint=False)
        except (KeyboardInterrupt, EOFError):
            return ""
        finally:
            self._is_asking = False

    # ------------------------------------------------------------ showing

    async def _show(self, events: list[Event]) -> bool:
        for event in events:
            match event:
                case Value(text) | Shown(text):
                    self._print(text)
                case NilShown():
                    self._print("nil")
                case Advice(text) | Failure(text):
                    self._print(text, self._terminal.errors)
                case Leave(text):
                    self._print(text)
                    return True
        return False

    def _print(self, text: str, stream: TextIO | None = None) -> None:
        target = stream or self._terminal.output
        target.write(f"{text}\n")
        target.flush()

    def _wake(self) -> None:
        """There is output of the image: called from the evaluator's thread."""
        if self._loop is not None:
            with suppress(RuntimeError):
                # In the context of the main task: it knows which application draws now.
                self._loop.call_soon_threadsafe(self._schedule_drain, context=self._context)

    def _schedule_drain(self) -> None:
        app = get_app_or_none()
        if app is not None and app.is_running and not app.is_done:
            run_in_terminal(self._drain_now)
        else:
            self._drain_now()

    def _drain_now(self) -> None:
        lines = self._outlet.take()
        if lines and self._terminal.is_dumb and self._reader.app.is_running:
            # Nothing can be drawn above the line: it is begun anew.
            self._terminal.output.write("\n" + "\n".join(lines) + "\nbt> ")
            self._terminal.output.flush()
        elif lines:
            self._print("\n".join(lines))

    async def _tick(self) -> None:
        """Hand partial lines on and keep the toolbar true while nobody types."""
        while True:
            await asyncio.sleep(0.1)
            if self._image.done() and self._image.exception() is None:
                image = self._image.result()
                image.flush_output()
                image.refresh_if_stale()

    def _redraw(self) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._reader.app.invalidate)

    def _toolbar(self) -> StyleAndTextTuples | None:
        if self._reader.output.get_size().columns < NARROW:
            return None
        if not self._image.done():
            return [("", "loading")]
        return [("", self._image.result().facts.text)]


@dataclass(frozen=True, slots=True)
class _Inputs:
    """The inputs of a history, oldest first, as a command asks for them."""

    history: InputHistory

    def __iter__(self) -> Iterator[str]:
        return iter(self.history.get_strings())


def _continuation(width: int, _line: int, wraps: int) -> StyleAndTextTuples:
    """What stands before a line of the input; a line that only goes on for want of columns is no new one."""
    return [("", " " * width)] if wraps else [("class:continuation", "..> ")]
