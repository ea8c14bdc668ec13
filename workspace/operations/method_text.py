"""The text that a method patch leaves in its unit (changes.md 3).

Comes in: a method given as text, and the unit that it replaces, if any. Guarantees:
the answer is one unit's text at the unit's column, with its `class` modifier or
extension header, and with the comments and annotations that the patch leaves out.
"""

from __future__ import annotations

from lang.ast.nodes import ExtensionDef, MethodDef
from lang.source import Span, TextEdit, apply_edits
from lang.syntax.units import ParsedUnit, Side, UnitKind
from workspace.flush.splice import reindented
from workspace.state import Unit

MEMBER_COLUMN = 2


def class_body_text(parsed: ParsedUnit, side: Side, column: int, old: Unit | None) -> str:
    """The patch as a member of a class body at `column`."""
    method = _method(parsed)
    bare = _without_extension_header(parsed)
    if (side is Side.CLASS and not method.signature.is_class_side) or (
        side is Side.CLASS and isinstance(parsed.node, ExtensionDef)
    ):
        bare = _with_class_modifier(parsed, bare)
    return _finished(bare, parsed, column, old)


def extension_text(parsed: ParsedUnit, owner: str, side: Side, old: Unit) -> str:
    """The patch as an extension of `owner` (spelled as the old unit spells it)."""
    if isinstance(parsed.node, ExtensionDef):
        bare = parsed.text
    else:
        method = _method(parsed)
        header = f"{owner} class >> " if side is Side.CLASS else f"{owner} >> "
        start = method.span.start
        body = parsed.text[start:]
        if method.signature.is_class_side:
            body = body.replace("class ", "", 1)
        bare = parsed.text[:start] + header + body
    return _finished(bare, parsed, 0, old)


def _method(parsed: ParsedUnit) -> MethodDef:
    match parsed.node:
        case ExtensionDef(method=method):
            return method
        case MethodDef() as method:
            return method
        case other:
            raise TypeError(f"not a method: {other!r}")


def _without_extension_header(parsed: ParsedUnit) -> str:
    if not isinstance(parsed.node, ExtensionDef):
        return parsed.text
    header = Span(parsed.node.span.start, parsed.node.method.span.start)
    return apply_edits(parsed.text, [TextEdit(header, "")])


def _with_class_modifier(parsed: ParsedUnit, bare: str) -> str:
    start = parsed.node.span.start if parsed.node is not None else 0
    return apply_edits(bare, [TextEdit(Span(start, start), "class ")])


def _finished(bare: str, parsed: ParsedUnit, column: int, old: Unit | None) -> str:
    text = reindented(bare, parsed.cut.column, column)
    return text if old is None else keeping_leading_lines(old.text, text, column)


def keeping_leading_lines(old: str, new: str, column: int) -> str:
    """The new text with the doc comment or annotations of the old one that it leaves out."""
    kept = _leading_lines_to_keep(old, new)
    indent = " " * column
    return "".join(f"{line}\n{indent}" for line in kept) + new


def _leading_lines_to_keep(old: str, new: str) -> list[str]:
    """The doc comment, comments or annotations of the old unit, where the new text has none of that sort."""
    new_sorts = {_sort(line) for line in _leading_lines(new)}
    return [line for line in _leading_lines(old) if _sort(line) not in new_sorts]


def _leading_lines(text: str) -> list[str]:
    lines = []
    for line in text.split("\n"):
        stripped = line.strip()
        if not stripped.startswith(("//", "@expect")):
            break
        lines.append(stripped)
    return lines


def _sort(line: str) -> str:
    if line.startswith("@expect"):
        return "annotation"
    return "doc" if line.startswith("///") and not line.startswith("////") else "comment"


def default_column(kind: UnitKind) -> int:
    """The column of a unit where nothing else says so (language.md 2.3)."""
    return MEMBER_COLUMN if kind in (UnitKind.METHOD, UnitKind.DATA) else 0
