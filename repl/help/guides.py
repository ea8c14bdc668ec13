"""Short guides for `:help syntax` and its kin (workspace.md 4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_SYNTAX: Final = """\
# Syntax

```beamtalk
3 + 4                        // a binary message
list size                    // a unary message
dict at: #a put: 1           // a keyword message: the selector is at:put:
x := 5. x + 1                // assignment; statements end with . or a new line
Transcript show: "a"; cr     // a cascade: both go to Transcript
"{x} plums"                  // a String with an expression in it
#(1, 2)  #{#a => 1}  #name   // a List, a Dictionary, a Symbol
[:n | n * 2]                 // a block
t reset!                     // a cast: nobody waits for the answer
```

Unary messages bind tightest, then binary by precedence (`*` before `+`), then keywords.

```beamtalk
Actor subclass: Till                          // a class: its slots, then its methods
  state: total = 0
  ring: n :: Integer -> Integer => self.total := self.total + n

Till >> double => self.total * 2              // a method added to a class that exists
Till class >> opening: n => self spawn        // on the class side
Protocol define: Spendable                    // a protocol
  pence -> Integer
```

A blank line ends a class or a protocol. `^ x` answers x from a method; the last expression is answered anyway."""

_TYPES: Final = """\
# Types

Types are optional, and checked where they are written.

- `n :: Integer` is a parameter or slot of a type, `-> String` what a method answers.
- `Integer | Nil` is a union, `List(Coin)` a List of coins, `Block(Integer, String)` a block.
- `type Amount = Integer | Float` names a type; a protocol is a type too.
- A class that begins with `typed` must have types everywhere.
- What is unknown is Dynamic, and is not complained about.

`:type EXPRESSION` tells the type of an expression without evaluating it. `@expect CATEGORY` above a line takes a
finding back that is meant to be there."""

_ERRORS: Final = """\
# Errors

```beamtalk
[1 / 0] on: Error do: [:e | e message]      // handle
[file read] ensure: [file close]            // run in any case
Error signal: "no plums left"               // raise
```

`_error` is the newest error: `_error kind`, `_error message`, `_error hint`, `_error selector`. `:backtrace` shows its frames.
Operations that fail in an ordinary way answer a Result: `r isOk`, `r value`, `r error`, `r valueOr: 0`."""

KEYS_GUIDE: Final = """\
# Keys

    Enter            submit, or another line while the input is incomplete
    Alt-Enter        submit as it is
    Ctrl-J           another line
    Tab, Shift-Tab   complete
    Up, Down         earlier inputs with the same beginning
    Ctrl-R, Ctrl-S   search them
    Right, Ctrl-E    take the grey suggestion; Alt-Right takes a word of it
    Alt-.            last word of the input before
    F1, Ctrl-X h     help on what stands at the cursor
    F2, Ctrl-X i     inspect the name at the cursor, or the last value
    F3, Ctrl-X b     browse the class at the cursor
    F4, Ctrl-X Ctrl-E   the input in your editor
    F5               :sync
    Ctrl-L, Ctrl-_   clear the screen, undo an edit
    Ctrl-C           interrupt an evaluation; drop the input
    Ctrl-D           leave, at an empty prompt"""

_CHANGES: Final = """\
# Changes

What you change at the prompt lives in memory, with a record, until you flush it.

- `Till >> reset => 0` patches a method; living actors take it at their next message.
- `:rename-class`, `:rename-method`, `:move-class`, `:remove-class`, `:remove-method` change more, after a look.
- `:changes` lists what is pending, `:diff` shows it, `:undo` and `:redo` take it back and forth.
- `:flush` writes edits to the files, all or nothing; `:flush-destructive` also renames, moves and removals, after a question.
- What was edited outside meanwhile is a conflict, never overwritten. `:sync` takes it in.
- What was pending when the last session ended waits for `:recover`."""

GUIDES: Final[Mapping[str, str]] = {
    "syntax": _SYNTAX,
    "types": _TYPES,
    "errors": _ERRORS,
    "keys": KEYS_GUIDE,
    "changes": _CHANGES,
}
"""Each guide as Markdown, by its name."""
