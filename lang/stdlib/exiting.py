"""Ending the program (stdlib.md 4.13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.errors import BeamtalkError
from lang.stdlib import arguments as expect
from lang.stdlib.services import services_of

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime


def end_program(runtime: Runtime, code: object, class_name: str, selector: str) -> None:
    """End the program; refused where the process belongs to more than the program alone."""
    number = expect.integer(code, class_name, selector)
    if not 0 <= number <= 255:
        raise BeamtalkError(
            "invalid_argument", class_name=class_name, selector=selector, hint="An exit code lies in 0 to 255"
        )
    leave = services_of(runtime).exit
    if leave is None:
        raise BeamtalkError(
            "unsupported",
            class_name=class_name,
            selector=selector,
            hint="This process does not belong to the program alone",
        )
    leave(number)
