"""Compiling text at run time: methods given as source, expressions with a receiver.

Comes in: source text. Guarantees: a mistake raises a `parse_error` with the findings as
its message; nothing is installed. Leaves: linking to the caller.
"""

from __future__ import annotations

from lang.codegen.context import ClassContext
from lang.codegen.records import CompiledMember
from lang.dataclass import replace
from lang.diagnostics import Severity
from lang.pipeline import Uncompilable, compile_member
from lang.runtime.errors import BeamtalkError
from lang.syntax import parse_method_source
from lang.syntax.units import Side


def compiled_method(source: str, context: ClassContext, side: Side) -> CompiledMember:
    """The method that a text defines, for one side."""
    parsed = parse_method_source(source)
    problems = [found.message for found in parsed.diagnostics if found.severity is Severity.ERROR]
    if problems:
        raise BeamtalkError("parse_error", "\n".join(problems))
    try:
        member = compile_member(parsed, context)
    except Uncompilable as problem:
        raise BeamtalkError("parse_error", str(problem)) from problem
    return replace(member, is_class_side=side is Side.CLASS, is_extension=False)


def compiled_expression(source: str, context: ClassContext) -> CompiledMember:
    """A method without arguments whose value is that of the text, in which `self` is its receiver."""
    indented = "\n".join([f"    {line}" for line in source.split("\n")])
    return compiled_method(f"  evaluated =>\n{indented}\n", context, Side.INSTANCE)
