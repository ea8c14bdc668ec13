"""Keys of the prompt beyond those of prompt_toolkit (workspace.md 3.2, 3.3, 3.8)."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, has_focus, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from repl.prompt import editing


def bindings(is_asking: Callable[[], bool], is_typed_ahead: Callable[[], bool]) -> KeyBindings:
    """The bindings.

    `is_asking` says whether a question is being answered, where Enter always submits;
    `is_typed_ahead` whether the key was pressed before the prompt was there. The terminal has then
    made a line feed of Enter.
    """
    keys = KeyBindings()
    editing_input = has_focus(DEFAULT_BUFFER) & ~is_searching & ~Condition(is_asking)
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
            buffer.insert_text("\n" + editing.indentation(buffer.document.text_before_cursor))

    @keys.add("escape", "enter", filter=editing_input)
    def _submit(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("c-j", filter=editing_input)
    def _line(event: KeyPressEvent) -> None:
        if is_typed_ahead():
            _enter(event)
            return
        buffer = event.current_buffer
        buffer.insert_text("\n" + editing.indentation(buffer.document.text_before_cursor))

    @keys.add(Keys.BracketedPaste, filter=editing_input)
    def _paste(event: KeyPressEvent) -> None:
        nonlocal as_pasted
        event.current_buffer.insert_text(editing.pasted(event.data))
        as_pasted = event.current_buffer.text

    @keys.add("f5", filter=editing_input)
    def _sync(event: KeyPressEvent) -> None:
        event.current_buffer.text = ":sync"
        event.current_buffer.validate_and_handle()

    @keys.add("c-c", filter=~is_searching)
    def _drop(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt, style="class:aborting")

    return keys
