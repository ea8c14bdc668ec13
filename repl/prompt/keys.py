"""Keys of the prompt beyond those of prompt_toolkit (workspace.md 3.2, 3.3, 3.8)."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.application import get_app, in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, Filter, emacs_mode, has_focus, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from lang.dataclass import dataclass
from repl.prompt import editing


@dataclass(frozen=True, slots=True)
class Surface:
    """What the keys ask of the prompt.

    `is_asking` says whether a question is being answered, where Enter always submits;
    `is_typed_ahead` whether the key was pressed before the prompt was there: the terminal has then
    made a line feed of Enter. `aside` runs a command and brings the input back. `editor` gives the
    words that start the editor, `complain` shows a line above the prompt.
    """

    is_asking: Callable[[], bool]
    is_typed_ahead: Callable[[], bool]
    aside: Callable[[Buffer, str], None]
    editor: Callable[[], list[str]]
    complain: Callable[[str], None]


def bindings(surface: Surface) -> KeyBindings:
    """All of them."""
    keys = KeyBindings()
    editing_input = has_focus(DEFAULT_BUFFER) & ~is_searching & ~Condition(surface.is_asking)
    _add_submitting(keys, surface, editing_input)
    _add_asides(keys, surface, editing_input)
    _add_suggestion(keys, editing_input)
    _add_editor(keys, surface, editing_input)
    return keys


def _add_submitting(keys: KeyBindings, surface: Surface, editing_input: Filter) -> None:
    as_pasted = ""

    @keys.add("enter", filter=editing_input)
    def _enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.complete_state and buffer.complete_state.current_completion:
            buffer.complete_state = None
        elif editing.submits(buffer.text) or (
            buffer.text == as_pasted and editing.submits_paste(buffer.text)
        ):
            buffer.validate_and_handle()
        else:
            _open_line(buffer)

    @keys.add("escape", "enter", filter=editing_input)
    def _submit(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("c-j", filter=editing_input)
    def _line(event: KeyPressEvent) -> None:
        if surface.is_typed_ahead():
            _enter(event)
        else:
            _open_line(event.current_buffer)

    @keys.add(Keys.BracketedPaste, filter=editing_input)
    def _paste(event: KeyPressEvent) -> None:
        nonlocal as_pasted
        event.current_buffer.insert_text(editing.pasted(event.data))
        event.current_buffer.suggestion = None
        as_pasted = event.current_buffer.text

    @keys.add("c-c", filter=~is_searching)
    def _drop(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt, style="class:aborting")


def _open_line(buffer: Buffer) -> None:
    buffer.insert_text("\n" + editing.indentation(buffer.document.text_before_cursor))


def _add_asides(keys: KeyBindings, surface: Surface, editing_input: Filter) -> None:
    """Help, inspector, browser and sync: the input is there again afterwards."""

    def add(names: tuple[tuple[str, ...], ...], command: Callable[[str, int], str]) -> None:
        def run(event: KeyPressEvent) -> None:
            buffer = event.current_buffer
            surface.aside(buffer, command(buffer.text, buffer.cursor_position))

        for name in names:
            keys.add(*name, filter=editing_input)(run)

    add((("f1",), ("c-x", "h")), editing.help_command)
    add((("f2",), ("c-x", "i")), editing.inspect_command)
    add((("f3",), ("c-x", "b")), editing.browse_command)
    add((("f5",),), lambda _text, _at: ":sync")


def _add_suggestion(keys: KeyBindings, editing_input: Filter) -> None:
    @Condition
    def is_offered() -> bool:
        buffer = get_app().current_buffer
        return buffer.suggestion is not None and buffer.document.is_cursor_at_the_end

    @keys.add("escape", "right", filter=editing_input & is_offered)
    def _take_word(event: KeyPressEvent) -> None:
        suggestion = event.current_buffer.suggestion
        if suggestion is not None:
            event.current_buffer.insert_text(editing.first_word(suggestion.text))


def _add_editor(keys: KeyBindings, surface: Surface, editing_input: Filter) -> None:
    def run(event: KeyPressEvent) -> None:
        event.app.create_background_task(_edit(event.current_buffer, surface))

    keys.add("f4", filter=editing_input)(run)
    keys.add("c-x", "c-e", filter=editing_input & emacs_mode)(run)


async def _edit(buffer: Buffer, surface: Surface) -> None:
    """The input in the user's editor; what is saved comes back and is not submitted."""
    from repl.prompt.programs import NoSuchProgram, edited  # noqa: PLC0415 (start-up: few open an editor)

    try:
        async with in_terminal():
            text = await edited(buffer.text, surface.editor())
    except NoSuchProgram as reason:
        surface.complain(str(reason))
        return
    buffer.text = text
    buffer.cursor_position = len(text)
