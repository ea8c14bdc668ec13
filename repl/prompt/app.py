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
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer, DummyCompleter, DynamicCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import DummyHistory
from prompt_toolkit.layout.processors import HighlightMatchingBracketProcessor
from prompt_toolkit.lexers import DynamicLexer, Lexer, SimpleLexer
from prompt_toolkit.shortcuts import PromptSession
from prompt_toolkit.styles import BaseStyle, DynamicStyle

from lang.dataclass import dataclass
from repl.events import (
    LEAVING,
    Advice,
    Event,
    Failure,
    Leave,
    NilShown,
    OpenFile,
    Page,
    Question,
    Refill,
    Shown,
    Value,
    Visit,
)
from repl.prompt.activity import Activity
from repl.prompt.history import InputHistory
from repl.prompt.keys import Surface, bindings
from repl.prompt.outlet import Outlet
from repl.prompt.status_line import StatusLine
from repl.prompt.styles import PLAIN_STYLE, style_of
from repl.prompt.suggesting import NewestInput
from repl.prompt.terminal import Terminal
from repl.settings import Keys

if TYPE_CHECKING:
    from lang.runtime.processes.evaluator import Evaluation
    from repl.prompt.image import LiveImage
    from repl.session_core import Turn

DETACHED_AFTER: Final = 2.0
"""Seconds after an interrupt before a host call that cannot be cut is left to itself (workspace.md 3.4)."""
TWICE_WITHIN: Final = 1.0
TYPED_AHEAD_WITHIN: Final = 0.2
"""Seconds after a prompt in which nobody has read it yet: what comes then was typed before."""
CLOSED_WITHIN: Final = 5.0
"""Seconds that ending may take."""
NARROW: Final = 40
"""Columns below which there is no toolbar."""


class ImageUnavailable(Exception):
    """The image could not be opened; the text is for the user."""


class _ImageFailed(Exception):
    pass


class FirstPrompt(enum.Enum):
    """When the prompt is drawn first."""

    AT_ONCE = "at once"
    WHEN_OPEN = "when the image is open"


OpenImage = Callable[[Outlet, Activity], "LiveImage"]
"""Opens the image, in a thread, and reports what it is at; raises `ImageUnavailable`."""


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
        self._activity = Activity()
        self._status = StatusLine(terminal.output if terminal.can_draw else None)
        self._history = InputHistory(history, kept=terminal.chosen.settings.history_size)
        self._next = Document()
        """What the next input begins with."""
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
        settings = terminal.chosen
        surface = Surface(
            lambda: self._is_asking, self._is_typed_ahead, self._aside, self._editor, self._complain
        )
        reader: PromptSession[str] = PromptSession(
            message=[("class:prompt", "bt> ")],
            prompt_continuation=_continuation,
            multiline=True,
            lexer=DynamicLexer(lambda: self._lexer),
            completer=DynamicCompleter(lambda: self._completer),
            complete_while_typing=Condition(lambda: settings.settings.complete_while_typing),
            complete_in_thread=True,
            history=self._history,
            auto_suggest=None if terminal.is_dumb else NewestInput(lambda: settings.settings.suggest),
            enable_history_search=True,
            key_bindings=bindings(surface),
            input_processors=[HighlightMatchingBracketProcessor(chars="[](){}")],
            style=DynamicStyle(self._style),
            include_default_pygments_style=False,
            reserve_space_for_menu=0 if terminal.is_dumb else 4,
            input=terminal.input,
            output=terminal.screen,
        )
        reader.app.before_render += lambda _app: self._fit_toolbar(reader)
        return reader

    def _style(self) -> BaseStyle:
        if not self._terminal.is_coloured:
            return PLAIN_STYLE
        return style_of(self._terminal.chosen.settings.theme, self._terminal.environment)

    def _fit_toolbar(self, reader: PromptSession[str]) -> None:
        """The toolbar is there while it is wanted and has room."""
        is_wanted = (
            self._terminal.chosen.settings.toolbar
            and not self._terminal.is_dumb
            and reader.output.get_size().columns >= NARROW
        )
        reader.bottom_toolbar = self._toolbar if is_wanted else None

    def _aside(self, buffer: Buffer, command: str) -> None:
        """Run a command and bring the input back, as it was."""
        self._next = buffer.document
        self._reader.app.erase_when_done = True
        self._reader.app.exit(result=command)

    def _editor(self) -> list[str]:
        from repl.prompt.programs import editor_of  # noqa: PLC0415 (start-up: few open an editor)

        return editor_of(self._terminal.chosen.settings, self._terminal.environment)

    def _complain(self, text: str) -> None:
        self._outlet.put(text)

    # ------------------------------------------------------------ the loop

    async def run(self) -> int:
        """Read and evaluate until the session is left; the exit code."""
        self._loop = asyncio.get_running_loop()
        self._context = contextvars.copy_context()
        opening = self._loop.run_in_executor(None, self._open)
        ticker = asyncio.ensure_future(self._tick())
        session = asyncio.ensure_future(self._from_first_prompt(opening))
        code = _ends_on_signals(session)
        try:
            return await session
        except asyncio.CancelledError:
            return code()
        except ImageUnavailable as refusal:
            self._terminal.errors.write(f"{refusal}\n")
            return 1
        finally:
            ticker.cancel()
            await self._close(opening)

    async def _from_first_prompt(self, opening: asyncio.Future[None]) -> int:
        if self._first is FirstPrompt.WHEN_OPEN:
            await asyncio.wait([opening])
        return await self._session()

    async def _close(self, opening: asyncio.Future[None]) -> None:
        """Give the image back. A host call that hangs does not hold the process for ever."""
        assert self._loop is not None
        self._status.erase()
        with suppress(Exception):
            await opening
        if self._image.done() and self._image.exception() is None:
            closing = self._loop.run_in_executor(None, self._image.result().close)
            await asyncio.wait([closing], timeout=CLOSED_WITHIN)

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
            self._reader.app.erase_when_done = False
            keys = self._terminal.chosen.settings.keys
            self._reader.editing_mode = EditingMode.VI if keys is Keys.VI else EditingMode.EMACS
            default, self._next = self._next, Document()
            with self._signals(None):
                return await self._reader.prompt_async(default=default, handle_sigint=False)
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
            self._image.set_result(self._open_image(self._outlet, self._activity))
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
        image.core.desk.chosen = self._terminal.chosen
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
        size = self._reader.output.get_size()
        image.core.fit_screen(size.columns, size.rows)
        evaluation = image.evaluator.submit(action, "prompt")
        done = asyncio.Event()
        loop = asyncio.get_running_loop()
        evaluation.future.add_done_callback(lambda _future: loop.call_soon_threadsafe(done.set))
        with self._signals(lambda: self._interrupt(image, evaluation)) as interrupts:
            await self._finished(done, interrupts)
        self._activity.text = ""
        image.flush_output()
        self._drain_now()
        if not done.is_set():
            self._print("Interrupted; a host call is still running in the background")
            return None
        return self._taken(evaluation.future)

    async def _finished(self, done: asyncio.Event, interrupts: Callable[[], int]) -> None:
        """Wait for an evaluation; one that does not end after an interrupt is left to itself."""
        since: float | None = None
        start = time.monotonic()
        columns = self._reader.output.get_size().columns
        while not done.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(done.wait(), 0.1)
                break
            self._status.show(self._activity.text, time.monotonic() - start, columns)
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
            style=DynamicStyle(self._style),
        )
        try:
            with self._signals(None):
                return await asking.prompt_async(question.question, handle_sigint=False)
        except KeyboardInterrupt:
            return ""
        except EOFError:
            return LEAVING if isinstance(question, Visit) else ""
        finally:
            self._is_asking = False

    # ------------------------------------------------------------ showing

    async def _show(self, events: list[Event]) -> bool:
        for event in events:
            match event:
                case Value(text):
                    await self._print_long(text, 2 / 3)
                case Page(text):
                    await self._print_long(text, 1.0)
                case Shown(text):
                    self._print(text)
                case NilShown():
                    self._print("nil")
                case Advice(text) | Failure(text):
                    self._print(text, self._terminal.errors)
                case Refill() | OpenFile():
                    await self._to_editor(event)
                case Leave(text):
                    self._print(text)
                    return True
        return False

    async def _print_long(self, text: str, share: float) -> None:
        """Print, or leaf through what is higher than a share of the screen."""
        from repl.prompt.showing import show_long  # noqa: PLC0415 (start-up: nothing is shown before the prompt)

        if not await show_long(text, share, self._terminal, self._reader.output, self._style()):
            self._print(text)

    async def _to_editor(self, event: Refill | OpenFile) -> None:
        from repl.prompt.programs import NoSuchProgram, edited, open_at  # noqa: PLC0415 (as above)

        try:
            match event:
                case Refill(text):
                    text = await edited(text, self._editor())
                    self._next = Document(text)
                case OpenFile(path, line):
                    await open_at(path, line, self._editor())
        except NoSuchProgram as reason:
            self._print(str(reason), self._terminal.errors)

    def _print(self, text: str, stream: TextIO | None = None) -> None:
        self._status.erase()
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
                if self._reader.app.is_running and await image.look_around():
                    self._redraw()
            elif self._activity.text:
                self._redraw()

    def _redraw(self) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._reader.app.invalidate)

    def _toolbar(self) -> StyleAndTextTuples:
        if not self._image.done() or self._image.exception() is not None:
            return [("", self._activity.text or "loading")]
        from repl.prompt.toolbar import toolbar_text  # noqa: PLC0415 (start-up: the image comes first)

        image = self._image.result()
        return [("", toolbar_text(image.facts, image.around, self._activity.text))]


@dataclass(frozen=True, slots=True)
class _Inputs:
    """The inputs of a history, oldest first, as a command asks for them."""

    history: InputHistory

    def __iter__(self) -> Iterator[str]:
        return iter(self.history.get_strings())


def _continuation(width: int, _line: int, wraps: int) -> StyleAndTextTuples:
    """What stands before a line of the input; a line that only goes on for want of columns is no new one."""
    return [("", " " * width)] if wraps else [("class:continuation", "..> ")]


def _ends_on_signals(session: asyncio.Future[int]) -> Callable[[], int]:
    """Let SIGTERM and SIGHUP end the session; answers what the exit code then is (workspace.md 3.4)."""
    told: list[int] = []

    def end(number: int) -> None:
        told.append(number)
        session.cancel()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP):
        with suppress(ValueError, RuntimeError, NotImplementedError):
            loop.add_signal_handler(number, end, number)
    return lambda: 128 + told[0] if told else 130
