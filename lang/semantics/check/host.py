"""Checks of what reaches the host: module names, argument counts, and what a native class should declare.

Rules: language.md 4.19, 5.2; types.md D-20, D-21, D-31h (S-14). Nothing is imported to find out: which modules
there are the view says, and which arities are known stands in a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from lang.ast import nodes as ast
from lang.class_kind import ClassKind
from lang.diagnostics import Category, Diagnostic, Severity
from lang.semantics.check.subject import Subject, warning
from lang.semantics.references import ReceiverKind, SendSite
from lang.syntax.units import Side

_ONE: Final = """
sqrt cbrt exp exp2 expm1 log10 log2 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
degrees radians ceil floor trunc fabs factorial erf erfc gamma lgamma isqrt isnan isinf isfinite modf frexp ulp
"""
_TWO: Final = "pow atan2 copysign fmod remainder ldexp comb dist nextafter"

# (module, function) to the argument counts that it takes.
ARITIES: Final[Mapping[tuple[str, str], tuple[int, ...]]] = {
    **{("math", name): (1,) for name in _ONE.split()},
    **{("math", name): (2,) for name in _TWO.split()},
    ("math", "log"): (1, 2),
    ("math", "perm"): (1, 2),
}


def check_host(subject: Subject) -> Iterator[Diagnostic]:
    """All checks of this module."""
    for send in subject.references.sends:
        if send.receiver_kind is ReceiverKind.FFI and send.module is None:
            yield from _unknown_module(subject, send)
        elif send.module is not None:
            yield from _wrong_count(send, send.module)
    if isinstance(subject.node, ast.ClassHeader) and subject.is_project:
        yield from _undeclared_scope(subject, subject.node)


def _unknown_module(subject: Subject, send: SendSite) -> Iterator[Diagnostic]:
    """A unary message to the gateway names a module, unless every class understands it."""
    name, modules = send.selector.text, subject.world.modules
    if modules is None or name in modules or send.argument_count or send.receiver_class != "Python":
        return
    if subject.world.find_method("Class", Side.INSTANCE, name) is None:
        message = f"Unknown Python module: {name}"
        yield warning(send.span, message, Category.UNRESOLVED_FFI, name=name)


def _wrong_count(send: SendSite, module: str) -> Iterator[Diagnostic]:
    function = send.selector.text.partition(":")[0]
    counts = ARITIES.get((module, function))
    given = send.argument_count
    # Without arguments the send may ask for the attribute itself.
    if counts is None or given in counts or given == 0:
        return
    expected = " or ".join(map(str, counts))
    message = f"`{module}.{function}` takes {expected} arguments, given {given}"
    yield warning(
        send.span, message, Category.ARITY_MISMATCH, name=function, expected=expected, actual=str(given)
    )


def _undeclared_scope(subject: Subject, header: ast.ClassHeader) -> Iterator[Diagnostic]:
    facts = subject.facts
    if header.native is None or facts is None or subject.kind is not ClassKind.OBJECT:
        return
    has_instances = any(side is Side.INSTANCE for side, _ in facts.methods)
    if has_instances and all(each.handle_scope is None for each in subject.world.chain(subject.owner)):
        yield Diagnostic(
            Severity.HINT,
            f"Native class `{subject.owner}` does not say who may use its instances",
            header.name.span,
            Category.SENDABILITY,
            "Declare `handleScope: #process` (the owner only) or `handleScope: #node` (anyone)",
            data={"class": subject.owner},
        )
