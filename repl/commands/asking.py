"""`:type`: the type that is inferred for an expression; nothing is evaluated (types.md 2; workspace.md 3.12)."""

from __future__ import annotations

from lang.diagnostics import Severity
from repl.commands.desk import CommandFailed, Desk, usage
from repl.events import Shown, Steps


def type_of(desk: Desk, arguments: str) -> Steps:
    """`:type EXPRESSION`."""
    if not arguments.strip():
        raise usage(":type EXPRESSION")
    # Imported late: a prompt that never asks needs no parser for it.
    from lang.semantics.types.analysis import facts_of_unit  # noqa: PLC0415
    from lang.semantics.types.display import display  # noqa: PLC0415
    from lang.syntax import parse_input  # noqa: PLC0415

    parsed = parse_input(arguments)
    wrong = [each for each in parsed.all_diagnostics() if each.severity is Severity.ERROR]
    if wrong:
        raise CommandFailed(f"Error: {wrong[0].message}")
    world, names = desk.workspace.installer.world(), desk.core.session.bound_types()
    for unit in parsed.units:
        if unit.node is not None:
            yield Shown(display(facts_of_unit(unit.node, "", world, names).body))
