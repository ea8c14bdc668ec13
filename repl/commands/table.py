"""The table of commands: completion, help and dispatch read this one (workspace.md 3.12)."""

from __future__ import annotations

from typing import Final

from repl.commands import (
    asking,
    changing,
    checking,
    code,
    codegen,
    committing,
    flushing,
    helping,
    looking,
    objects,
    rechecking,
    sessions,
    sources,
)
from repl.commands.command import Argument, Command, Group
from repl.suggestions import near

# fmt: off
_ROWS: Final = (
    Command("load", "PATH", 'Workspace load: "PATH"', "load a file or a folder", Group.CODE, code.load, ("l",), Argument.PATH),
    Command("reload", "[CLASS]", "CLASS reload", "let the file of a class win; or load again", Group.CODE, code.reload, (), Argument.CLASS),
    Command("sync", "[watch|stop]", "Workspace sync", "take in what changed on disk", Group.CODE, code.sync, ("s",)),
    Command("unload", "CLASS", "", "forget a class; its file stays", Group.CODE, code.unload, (), Argument.CLASS),
    Command("check", "[PATH|CLASS]", "", "look for problems in what memory has", Group.CODE, code.check, (), Argument.CLASS),
    Command("test", "[CLASS [SELECTOR]]", "Workspace test: CLASS", "run tests", Group.CODE, code.test, ("t",), Argument.CLASS),
    Command("recheck", "image", "Workspace recheckImage", "check every class of the image again", Group.CODE, rechecking.recheck),
    Command("time", "[-n K] EXPRESSION", "EXPRESSION", "evaluate and tell how long it took", Group.CODE, code.time, (), Argument.EXPRESSION),
    Command("rename-class", "CLASS NEW [--dry-run]", "CLASS renameTo: #NEW", "rename a class in all files", Group.CHANGES, changing.rename_class, (), Argument.CLASS),
    Command(
        "rename-method",
        "CLASS SELECTOR NEW [--dry-run]",
        "CLASS renameSelector: #SELECTOR to: #NEW accepting: BLOCK",
        "rename a method and its senders",
        Group.CHANGES,
        changing.rename_method_command,
        (),
        Argument.METHOD,
    ),
    Command("move-class", "CLASS PATH [--dry-run]", 'Workspace moveClass: CLASS to: "PATH"', "move the file of a class", Group.CHANGES, changing.move_class, (), Argument.CLASS),
    Command("remove-class", "CLASS", "CLASS removeFromSystem", "remove a class", Group.CHANGES, changing.remove_class, (), Argument.CLASS),
    Command("remove-method", "CLASS SELECTOR", "CLASS removeSelector: #SELECTOR", "remove a method", Group.CHANGES, changing.remove_method, (), Argument.METHOD),
    Command("changes", "[all]", "Workspace changes", "what memory has changed", Group.CHANGES, flushing.changes),
    Command("dirty", "", "Workspace changes dirtyMethods", "methods with pending changes", Group.CHANGES, flushing.dirty),
    Command("diff", "[CLASS|#SEQ|PATH]", "Workspace changes diff: FILTER", "disk to memory, as a diff", Group.CHANGES, flushing.diff, (), Argument.CLASS),
    Command("flush", "[CLASS|#KIND|PATH] [--dry-run]", "Workspace flush: FILTER", "write pending edits to the files", Group.CHANGES, flushing.flush, (), Argument.CLASS),
    Command(
        "flush-destructive",
        "[CLASS|#KIND|PATH] [--dry-run]",
        "Workspace flush: FILTER confirmDestructive: true",
        "the same with renames, moves, removals",
        Group.CHANGES,
        flushing.flush_destructive,
        (),
        Argument.CLASS,
    ),
    Command("undo", "[N]", "Workspace undo", "take the newest change back", Group.CHANGES, flushing.undo),
    Command("redo", "[N]", "Workspace redo", "do again what was undone", Group.CHANGES, flushing.redo),
    Command("recover", "", "Workspace changes restore", "bring back changes of an earlier session", Group.CHANGES, flushing.recover),
    Command("git", "[status|diff|log [N]]", "Workspace git status", "what git says of the project", Group.CHANGES, committing.git),
    Command("commit", '"MESSAGE"', 'Workspace git commit: "MESSAGE"', "commit what was flushed", Group.CHANGES, committing.commit),
    Command("senders", "SELECTOR", "SystemNavigation default sendersOf: #SELECTOR", "who sends a message", Group.LOOKING, looking.senders, (), Argument.SELECTOR),
    Command(
        "implementors",
        "SELECTOR",
        "SystemNavigation default implementorsOf: #SELECTOR",
        "who has a method",
        Group.LOOKING,
        looking.implementors,
        (),
        Argument.SELECTOR,
    ),
    Command("references", "CLASS", "SystemNavigation default referencesTo: CLASS", "who mentions a class", Group.LOOKING, looking.references, (), Argument.CLASS),
    Command("source", "CLASS [SELECTOR]", "(CLASS >> #SELECTOR) source", "the text in memory", Group.LOOKING, sources.source, (), Argument.METHOD),
    Command("browse", "[CLASS [SELECTOR]|N]", "(CLASS >> #SELECTOR) source", "the source of a class, a method or a listed line", Group.LOOKING, sources.browse, (), Argument.METHOD),
    Command("open", "CLASS [SELECTOR]", "", "its file in your editor", Group.LOOKING, sources.open_in_editor, (), Argument.METHOD),
    Command("inspect", "[EXPRESSION|PID]", "(EXPRESSION) inspect", "look into an object", Group.LOOKING, objects.inspect, ("i",), Argument.EXPRESSION),
    Command("show-codegen", "EXPRESSION|CLASS SELECTOR", "", "the host code that is generated", Group.LOOKING, codegen.show_codegen, ("sc",), Argument.METHOD),
    Command("type", "EXPRESSION", "", "the type that is inferred; nothing runs", Group.LOOKING, asking.type_of, (), Argument.EXPRESSION),
    Command("actors", "", "Workspace actors", "live actors", Group.LOOKING, objects.actors),
    Command("backtrace", "", "_error stackTrace", "all frames of the newest error", Group.LOOKING, sources.backtrace),
    Command("kill", "PID|CLASS", '(Workspace actorAt: "PID") kill', "end an actor at once", Group.LOOKING, objects.kill, (), Argument.CLASS),
    Command("bindings", "", "Session current bindings", "local names and their values", Group.SESSION, sessions.bindings, ("b",)),
    Command("clear", "", "Session current clear", "drop local names", Group.SESSION, sessions.clear),
    Command("history", "[N|TEXT]", "", "earlier inputs", Group.SESSION, sessions.history),
    Command("edit", "", "", "the input before, in your editor", Group.SESSION, sessions.edit),
    Command("set", "[NAME [VALUE]]", "", "the settings of this session", Group.SESSION, sessions.settings, (), Argument.SETTING),
    Command("interrupt", "", "", "interrupt evaluations of this session", Group.SESSION, sessions.interrupt, ("int",)),
    Command("version", "", "Beamtalk version", "the version", Group.SESSION, sessions.version),
    Command("doctor", "", "", "whether this workspace is well", Group.SESSION, checking.doctor),
    Command("exit", "", "", "leave", Group.SESSION, sessions.leave, ("quit", "q")),
    Command("exit!", "", "", "leave without a question", Group.SESSION, sessions.leave_at_once, ("quit!", "q!")),
)
# fmt: on

COMMANDS: Final = (helping.help_command(_ROWS), *_ROWS)

_BY_NAME: Final = {name: each for each in COMMANDS for name in (each.name, *each.aliases)}


def find_command(name: str) -> Command | None:
    """The command of a name or an alias, both whole."""
    return _BY_NAME.get(name)


def unknown_command(name: str) -> str:
    """The error for a name that is none."""
    found = near(name, (each.name for each in COMMANDS))
    quoted = " or ".join(f"':{each}'" for each in found)
    question = f" Did you mean {quoted}?" if found else ""
    return f"Unknown command ':{name}'.{question} Type :help for the list."
