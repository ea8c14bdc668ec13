"""Why a class may not be renamed, created or moved so (changes.md 6, 12).

Names and paths count as the pending changes leave them: what a pending rename, move or
removal vacates is free.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

from workspace.change import Refusal
from workspace.refactor.names import is_class_name, matches_basename
from workspace.state import ImageState

PathExists = Callable[[str], bool]
"""Whether something stands at a project path, spelled in exactly this case (by the folder's listing:
a file system that ignores case would find a class's own file in the way of a change of case)."""


def unknown_class(state: ImageState, name: str) -> Refusal | None:
    """The class must exist."""
    return None if name in state.classes else Refusal("class_not_found", f"Class '{name}' not found")


def protected_class(state: ImageState, name: str, verb: str) -> Refusal | None:
    """Classes of the standard library and of dependencies keep their names, files and existence."""
    found = state.library.get(name)
    if found is None:
        return None
    if found.is_of_stdlib:
        return Refusal("runtime_error", f"Cannot {verb} stdlib class '{name}'")
    return Refusal("runtime_error", f"Cannot {verb} class '{name}' of dependency '{found.package}'")


def bad_class_name(name: str) -> Refusal | None:
    """A class name begins with an upper-case letter (language.md 1.2)."""
    if is_class_name(name):
        return None
    return Refusal(
        "invalid_argument",
        f"'{name}' is not a class name",
        "A class name is an upper-case letter followed by letters, digits and underscores.",
    )


def name_taken(state: ImageState, name: str) -> Refusal | None:
    """No class, protocol or alias of that name may be loaded or declared in a file."""
    if state.is_stdlib_class(name):
        return Refusal(
            "stdlib_shadowing",
            f"Cannot redefine stdlib class '{name}'",
            f"Choose a different name. '{name}' is a protected stdlib class name.",
        )
    for names, what in ((state.classes, "class"), (state.protocols, "protocol"), (state.aliases, "alias")):
        lineage = names.get(name)
        if lineage is not None and not state.is_of_dependency(name):
            unit = state.units.get(lineage)
            where = f" (declared in {unit.path})" if unit is not None and unit.path else ""
            return Refusal("class_already_exists", f"A {what} '{name}' exists already{where}")
    return None


def file_in_the_way(
    state: ImageState, present: str | None, target: str, exists: PathExists
) -> Refusal | None:
    """The new path must be free, or vacated by a pending change, or the class's own file."""
    if target == present:
        return None
    vacated = target in state.disk and target not in state.files
    if target in state.files or (exists(target) and not vacated):
        return Refusal("target_exists", f"A file is in the way: {target}")
    return None


def path_outside(path: str) -> bool:
    """Whether a path leaves the project's source folders (`src/`, `test/`)."""
    pure = PurePosixPath(path)
    inside = not pure.is_absolute() and ".." not in pure.parts and pure.parts[:1] in (("src",), ("test",))
    return not inside


def bad_target(state: ImageState, name: str, path: str, exists: PathExists) -> Refusal | None:
    """Why a class may not be moved to `path`."""
    if path_outside(path):
        return Refusal("target_outside_project", f"target is outside the project source tree: {path}")
    if not path.endswith(".bt") or not matches_basename(path, name):
        stem = PurePosixPath(path).stem
        return Refusal("class_name_mismatch", f"class {name} does not match basename '{stem}'")
    return file_in_the_way(state, state.path_of(name), path, exists)
