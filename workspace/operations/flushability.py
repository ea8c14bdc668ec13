"""Whether a change of a class can ever reach disk (changes.md 3.1)."""

from __future__ import annotations

from workspace.state import ImageState, Unit


def reason_for_class(state: ImageState, name: str) -> str | None:
    """Why changes of a class are not flushable; None when they are."""
    library = state.library.get(name)
    if library is not None:
        return "stdlib" if library.is_of_stdlib else f"dependency:{library.path or library.package}"
    header = state.header_of(name)
    return reason_for_path(state, None if header is None else header.path)


def reason_for_unit(state: ImageState, unit: Unit) -> str | None:
    """Why a change of a unit is not flushable; None when it is."""
    if unit.path is not None:
        return reason_for_path(state, unit.path)
    return reason_for_class(state, unit.owner)


def reason_for_path(state: ImageState, path: str | None) -> str | None:
    """Why a change of what stands in that file (None: in no file) is not flushable."""
    if path is not None:
        return None
    return "no-project" if state.package is None else "dynamic"
