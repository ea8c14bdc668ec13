"""`fmt` and `fmt-check`: sources in canonical layout (workspace.md 6.8).

Comes in: files and folders, or standard input. Guarantees: a file with mistakes is left alone
and named; a file is replaced whole or not at all, and keeps its mode, its links, its line ends
and its byte order mark; with `--check` and `--diff` nothing is written. Leaves: layout to `lang/fmt`.
"""

from __future__ import annotations

import argparse
import difflib
import enum
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import assert_never

from lang.dataclass import dataclass
from lang.diagnostics import Severity
from lang.fmt.files import Defect, Formatted, Unparsable, format_source
from lang.source import SourceText
from lang.syntax.files import parse_input
from repl.command_line.file_output import write_whole
from repl.command_line.opening import CannotOpen, project_root
from repl.command_line.source_files import source_files
from repl.script import inputs_of
from repl.writing import tell
from workspace.project import SOURCE_SUFFIX, TRANSCRIPT_SUFFIX

_STDIN = "<stdin>"


class _Aim(enum.Enum):
    """What is done with a file that is not in canonical layout."""

    WRITE = "write"
    SHOW = "diff"
    CHECK = "check"


class _Finding(enum.Enum):
    """What one file turned out to be."""

    CANONICAL = enum.auto()
    CHANGED = enum.auto()
    BROKEN = enum.auto()
    DEFECT = enum.auto()


@dataclass(frozen=True, slots=True)
class _Text:
    """A file as it is: its name as typed, and its text with byte order mark and line ends."""

    name: str
    text: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="files and folders; the project, when none is given",
    )
    add(
        "--check",
        action="store_true",
        help="write nothing; show the differences, and fail when there are any",
    )
    add("--diff", action="store_true", help="write nothing; show the differences")
    add("--stdin", action="store_true", help="from standard input to standard output")


def run(options: argparse.Namespace) -> int:
    """Format; 1 when a check failed or nothing was found."""
    aim = _Aim.CHECK if options.check else _Aim.SHOW if options.diff else _Aim.WRITE
    if options.stdin:
        return _format_stdin(aim)
    paths = options.paths or [project_root(options.project) or Path()]
    files = source_files([_relative(path) for path in paths], (SOURCE_SUFFIX, TRANSCRIPT_SUFFIX))
    if not files:
        raise CannotOpen("error: No .bt or .btscript files found")
    found = Counter(_format_file(file, aim) for file in files)
    return _end(found, aim)


def _relative(path: Path) -> Path:
    """A folder above or around the working directory, as people would type it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_absolute() and path.is_relative_to(here) else path


def _format_stdin(aim: _Aim) -> int:
    source = _Text(_STDIN, sys.stdin.buffer.read().decode("utf-8"))
    match format_source(SourceText(source.text, _STDIN)):
        case Formatted(text) if aim is _Aim.WRITE:
            sys.stdout.buffer.write(text.encode())
            return 0
        case Formatted(text):
            _show(source, text)
            return 1 if aim is _Aim.CHECK and text != source.text else 0
        case Unparsable() as refused:
            tell(_first_problem(source, refused))
            return 1
        case Defect(reason):
            tell(_defect(_STDIN, reason))
            return 1


def _format_file(path: Path, aim: _Aim) -> _Finding:
    """One file; what is found is told at once."""
    try:
        source = _Text(path.as_posix(), path.read_bytes().decode("utf-8"))
    except UnicodeDecodeError as error:
        tell(f"warning: skipping '{path}' (not UTF-8: invalid byte at offset {error.start})")
        return _Finding.BROKEN
    except OSError as error:
        raise CannotOpen(f"error: {path}: {error.strerror}") from error
    if path.name.endswith(TRANSCRIPT_SUFFIX):
        return _parsed_transcript(source)
    match format_source(SourceText(source.text, source.name)):
        case Formatted(text):
            return _settle(path, source, text, aim)
        case Unparsable() as refused:
            tell(f"warning: skipping '{path}' (has parse errors)\n{_first_problem(source, refused)}")
            return _Finding.BROKEN
        case Defect(reason):
            tell(_defect(source.name, reason))
            return _Finding.DEFECT


def _settle(path: Path, source: _Text, text: str, aim: _Aim) -> _Finding:
    if text == source.text:
        return _Finding.CANONICAL
    match aim:
        case _Aim.WRITE:
            try:
                write_whole(path, text.encode())
            except OSError as error:
                raise CannotOpen(f"error: cannot write {path}: {error.strerror}") from error
        case _Aim.SHOW | _Aim.CHECK:
            _show(source, text)
        case _:
            assert_never(aim)
    return _Finding.CHANGED


def _parsed_transcript(source: _Text) -> _Finding:
    """A transcript is checked for mistakes, and stays as it is."""
    text = source.text.removeprefix("\ufeff").replace("\r\n", "\n")
    for each in inputs_of(text):
        chunk = text[each.span.start : each.span.end]
        if chunk.startswith(":"):
            continue
        problems = parse_input(chunk).all_diagnostics()
        if any(p.severity is Severity.ERROR for p in problems) and not _expects_error(text, each.span.end):
            line = SourceText(text).position(each.span.start).line
            tell(f"warning: '{source.name}' has parse errors\n --> {source.name}:{line}")
            return _Finding.BROKEN
    return _Finding.CANONICAL


def _expects_error(text: str, end: int) -> bool:
    """Whether the expectation behind an input says that it is wrong (stdlib.md 7.5)."""
    return text[end:].lstrip("\n").startswith("// => ERROR:")


def _show(source: _Text, text: str) -> None:
    """The unified difference; bytes as they would be written."""
    lines = difflib.unified_diff(_lines(source.text), _lines(text), f"a/{source.name}", f"b/{source.name}")
    for line in lines:
        sys.stdout.write(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")


def _lines(text: str) -> list[str]:
    """Lines as diffs count them: other characters than a line feed do not end one."""
    return [line for line in text.replace("\n", "\n\0").split("\0") if line]


def _first_problem(source: _Text, refused: Unparsable) -> str:
    first = refused.problems[0]
    place = SourceText(source.text).position(first.span.start)
    return f" --> {source.name}:{place.line}:{place.column}: {first.message}"


def _defect(name: str, reason: str) -> str:
    return f"error: internal error: cannot format '{name}': {reason}; it is left as it is"


# ---------------------------------------------------------------- the end


def _end(found: Counter[_Finding], aim: _Aim) -> int:
    changed, broken, defects = (found[f] for f in (_Finding.CHANGED, _Finding.BROKEN, _Finding.DEFECT))
    match aim:
        case _Aim.CHECK:
            parts = list(_complaints(changed, broken + defects))
            tell(
                "error: " + "; ".join(parts)
                if parts
                else f"{_files(found[_Finding.CANONICAL])} already formatted"
            )
            return 1 if parts else 0
        case _Aim.WRITE:
            tell(f"Formatted {_files(changed)} ({found[_Finding.CANONICAL]} unchanged)")
        case _Aim.SHOW:
            pass
        case _:
            assert_never(aim)
    return 1 if defects else 0


def _complaints(changed: int, unchecked: int) -> Iterator[str]:
    if changed:
        yield f"{_files(changed)} would be reformatted"
    if unchecked:
        yield f"{_files(unchecked)} could not be checked (parse errors)"


def _files(count: int) -> str:
    return f"{count} file{'' if count == 1 else 's'}"
