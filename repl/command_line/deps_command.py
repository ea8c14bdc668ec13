"""`deps`: dependencies put in, taken out, listed, moved on and compared (workspace.md 6.12).

Guarantees: an `add` that fails leaves manifest and lock as they were. Leaves: git to `workspace/checkouts`,
text to `workspace/manifest_edits`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping

from repl.command_line.file_output import write_whole
from repl.command_line.opening import CannotOpen, manifest_text, required_root
from repl.suggestions import near
from repl.writing import say, tell
from workspace.checkouts import Git
from workspace.dependencies import Package, problem_lines, resolve_dependencies
from workspace.git_dependencies import CannotFetch, fetch, read_pins, verify, write_pins
from workspace.lock_file import Pin
from workspace.manifest import MANIFEST_NAME, Dependency, GitSource, PathSource, name_problem, read_manifest
from workspace.manifest_edits import CannotEdit, with_dependency, without_dependency
from workspace.project import Project, open_project

_REFERENCES = ("tag", "branch", "rev")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and their options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="add|list|update|remove|verify")
    add = actions.add_parser("add", help="put a dependency into the manifest", allow_abbrev=False)
    add.add_argument("name", metavar="NAME")
    for key in ("path", "git", *_REFERENCES):
        add.add_argument(f"--{key}")
    actions.add_parser("list", help="what the project depends on", allow_abbrev=False)
    update = actions.add_parser(
        "update", help="move branches and tags to their present commit", allow_abbrev=False
    )
    update.add_argument("name", metavar="NAME", nargs="?")
    remove = actions.add_parser("remove", help="take a dependency out of the manifest", allow_abbrev=False)
    remove.add_argument("name", metavar="NAME")
    actions.add_parser("verify", help="compare checkouts with the lock", allow_abbrev=False)


def run(options: argparse.Namespace) -> int:
    """Do it. Raises `CannotOpen` with what hinders."""
    project = _project(options)
    try:
        return _ACTIONS[options.action](project, options)
    except CannotFetch as problem:
        raise CannotOpen(f"error: {problem}") from problem
    except OSError as error:
        raise CannotOpen(f"error: {error.filename or ''}: {error.strerror}") from error


def _project(options: argparse.Namespace) -> Project:
    found = open_project(required_root(options.project))
    if not isinstance(found, Project):
        raise CannotOpen(manifest_text(found))
    return found


def _git() -> Git:
    return Git(shows_progress=sys.stderr.isatty())


# ---------------------------------------------------------------- add, remove


def _add(project: Project, options: argparse.Namespace) -> int:
    name = options.name
    problem = name_problem(name) or _taken(project, name)
    if problem is not None:
        raise CannotOpen(f"error: {problem}")
    given = {
        key: getattr(options, key)
        for key in ("path", "git", *_REFERENCES)
        if getattr(options, key) is not None
    }
    before = _text(project)
    changed, dependency = _edited(project, with_dependency(before, name, given), name)
    resolved = resolve_dependencies(changed) if isinstance(dependency.source, PathSource) else None
    if resolved is not None and resolved.problems:
        raise CannotOpen("\n".join(f"error: {each.diagnostic.message}" for each in resolved.problems))
    fetched = fetch(changed, _git())
    resolved = resolve_dependencies(changed)
    if resolved.problems:
        raise CannotOpen("\n".join(problem_lines(resolved)))
    _write(project, changed.reading.source.text, fetched.pins)
    say(f"Added dependency '{name}' ({_source(dependency.source)})")
    return 0


def _taken(project: Project, name: str) -> str | None:
    if name == project.manifest.name:
        return f"Cannot add '{name}' as a dependency — it is this package itself"
    if any(each.name == name for each in project.manifest.dependencies):
        return f"Dependency '{name}' already exists in {MANIFEST_NAME}. Take it out first: beamtalk deps remove {name}"
    return None


def _edited(project: Project, text: str, name: str) -> tuple[Project, Dependency]:
    """The project as the new text has it. Raises `CannotOpen` with what is wrong in it."""
    reading = read_manifest(text.replace("\r\n", "\n").removeprefix("\ufeff"))
    if reading.manifest is None:
        told = [each.message for each in reading.problems if each.severity.value == "error"]
        raise CannotOpen("\n".join(f"error: {each}" for each in told))
    found = next((each for each in reading.manifest.dependencies if each.name == name), None)
    if found is None:
        raise CannotOpen(f"error: Dependency '{name}' cannot be put into {MANIFEST_NAME} as it is written")
    return Project(project.root, reading.manifest, read_manifest(text)), found


def _remove(project: Project, options: argparse.Namespace) -> int:
    dependency = _declared(project, options.name)
    text = without_dependency(_text(project), dependency)
    if isinstance(text, CannotEdit):
        raise CannotOpen(f"error: {text.reason}")
    pins = {name: pin for name, pin in read_pins(project.root).items() if name != dependency.name}
    _write(project, text, pins)
    say(f"Removed dependency '{dependency.name}'")
    return 0


def _declared(project: Project, name: str) -> Dependency:
    found = next((each for each in project.manifest.dependencies if each.name == name), None)
    if found is not None:
        return found
    others = near(name, [each.name for each in project.manifest.dependencies])
    hint = f"\nhint: did you mean '{others[0]}'?" if others else ""
    raise CannotOpen(f"error: Dependency '{name}' is not in {MANIFEST_NAME}{hint}")


def _text(project: Project) -> str:
    return (project.root / MANIFEST_NAME).read_bytes().decode("utf-8")


def _write(project: Project, text: str, pins: Mapping[str, Pin]) -> None:
    """Lock and manifest, or neither."""
    before = read_pins(project.root)
    write_pins(project.root, pins)
    try:
        write_whole(project.root / MANIFEST_NAME, text.encode())
    except OSError:
        write_pins(project.root, before)
        raise


# ---------------------------------------------------------------- list, update, verify


def _list(project: Project, _options: argparse.Namespace) -> int:
    resolved = resolve_dependencies(project)
    rows = list(_rows(project, {each.name: each for each in resolved.packages}, read_pins(project.root)))
    widths = [max((len(row[at]) for row in rows), default=0) for at in (0, 1)]
    for name, version, source in rows:
        say(f"{name:<{widths[0]}}  {version:<{widths[1]}}  ({source})")
    for line in problem_lines(resolved):
        tell(line)
    return 1 if resolved.problems else 0


def _rows(
    owner: Project, packages: Mapping[str, Package], pins: Mapping[str, Pin], depth: int = 0
) -> list[tuple[str, str, str]]:
    """Name, version and source of each dependency; those of dependencies below them, indented."""
    rows = []
    for each in owner.manifest.dependencies:
        package = packages.get(each.name)
        version = package.project.manifest.version if package is not None else "?"
        pin = pins.get(each.name)
        if isinstance(each.source, GitSource):
            version = each.source.reference
        rows.append(("  " * depth + each.name, version, _source(each.source, pin)))
        if package is not None:
            rows += _rows(package.project, packages, pins, depth + 1)
    return rows


def _source(source: PathSource | GitSource, pin: Pin | None = None) -> str:
    match source:
        case PathSource(path=path):
            return f"path: {path}"
        case GitSource(url=url, reference=reference):
            shown = url.partition("://")[2] or url
            return f"git: {shown.removesuffix('.git')} @ {pin.short if pin is not None else reference}"


def _update(project: Project, options: argparse.Namespace) -> int:
    before = read_pins(project.root)
    moving = frozenset(before)
    if options.name is not None:
        if options.name not in before:
            _declared(project, options.name)
        moving = frozenset({options.name})
    fetched = fetch(project, _git(), moving=moving)
    for note in fetched.notes:
        tell(note)
    write_pins(project.root, fetched.pins)
    for name, pin in sorted(fetched.pins.items()):
        if options.name in (None, name):
            old = before.get(name)
            moved = old is not None and old.sha != pin.sha
            say(
                f"{name} {old.short} -> {pin.short}"
                if old is not None and moved
                else _settled(name, pin, old)
            )
    return 0


def _settled(name: str, pin: Pin, old: Pin | None) -> str:
    return f"{name} unchanged" if old is not None else f"{name} {pin.short}"


def _verify(project: Project, _options: argparse.Namespace) -> int:
    differences = list(verify(project, Git()))
    for each in differences:
        tell(f"error: {each}")
    if not differences:
        say(f"{len(read_pins(project.root))} dependencies are as {_LOCKED} has them")
    return 1 if differences else 0


_LOCKED = "beamtalk.lock"
_ACTIONS: Mapping[str, Callable[[Project, argparse.Namespace], int]] = {
    "add": _add,
    "list": _list,
    "update": _update,
    "remove": _remove,
    "verify": _verify,
}
