"""Long texts on their way to a pager (workspace.md 3.8).

Comes in: text and the terminal. Guarantees: never off a terminal, never when the text fits. Leaves:
printing what is not paged.
"""

from __future__ import annotations

from prompt_toolkit.output import Output
from prompt_toolkit.styles import BaseStyle

from repl.prompt.pager import fits, leaf_through
from repl.prompt.programs import NoSuchProgram, pager_of, run
from repl.prompt.terminal import Terminal


async def show_long(text: str, share: float, terminal: Terminal, screen: Output, style: BaseStyle) -> bool:
    """Page a text that is higher than a share of the screen; whether that was done."""
    size = screen.get_size()
    if not terminal.can_draw or fits(text, int((size.rows - 1) * share), size.columns):
        return False
    program = pager_of(terminal.chosen.settings, terminal.environment)
    if program:
        try:
            await run(program, f"{text}\n")
        except NoSuchProgram:
            pass
        else:
            return True
    await leaf_through(text, terminal.input, terminal.screen, style)
    return True
