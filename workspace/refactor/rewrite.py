"""Rewriting the text of one unit for a rename (changes.md 4.2 "Replay", 6, 7).

Comes in: a unit's text and the spans or the rule of what to rewrite. Guarantees: only
name and selector tokens change; everything else is copied. A text in which nothing is
to be rewritten comes back as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lang.ast.nodes import Declaration, ExtensionDef, MethodDef, Selector
from lang.ast.walk import children, walk
from lang.semantics.references import ClassMention, ReceiverKind, references_of
from lang.source import Span, TextEdit, apply_edits
from workspace.refactor.names import selector_parts


def class_edits(found: Iterable[ClassMention], new: str) -> list[TextEdit]:
    """Edits that give each mention the new name; package qualifiers stay."""
    return [TextEdit(mention.span, new) for mention in found]


def denotes(mention: ClassMention, name: str, package: str | None) -> bool:
    """Whether a mention names the class `name` of the project's own package."""
    return mention.name == name and mention.package in (None, package)


def selector_edits(selector: Selector, new: str) -> list[TextEdit]:
    """Edits that give a send or signature another selector, part by part."""
    return [TextEdit(span, part) for span, part in zip(selector.parts, selector_parts(new), strict=True)]


def definition_selector(node: Declaration | None) -> Selector | None:
    """The selector in the signature of a method unit."""
    match node:
        case MethodDef(signature=signature) | ExtensionDef(method=MethodDef(signature=signature)):
            return signature.selector
        case _:
            return None


def is_grouped_alike(before: Declaration, after: Declaration) -> bool:
    """Whether two trees differ in names alone: an operator of another precedence regroups its neighbours (language.md 3)."""
    return _shape(before) == _shape(after)


def _shape(tree: Declaration) -> list[tuple[type, int]]:
    return [(type(node), len(children(node))) for node in walk(tree)]


def with_class_renamed(text: str, node: Declaration | None, old: str, new: str, package: str | None) -> str:
    """The unit's text with every mention of the package's class renamed."""
    if node is None:
        return text
    found = [m for m in references_of(node).classes if denotes(m, old, package)]
    return apply_edits(text, class_edits(found, new))


def with_selector_renamed(
    text: str, node: Declaration | None, old: str, new: str, spans: Iterable[Span]
) -> str:
    """The unit's text with the selector at the given places (of their first parts) renamed."""
    starts = set(spans)
    edits: list[TextEdit] = []
    for selector in selectors_in(node, old):
        if selector.parts[0] in starts:
            edits.extend(selector_edits(selector, new))
    return apply_edits(text, edits)


def selectors_in(node: Declaration | None, text: str) -> Iterator[Selector]:
    """The defined selector and every sent one that reads `text`."""
    defined = definition_selector(node)
    if defined is not None and defined.text == text:
        yield defined
    if node is not None:
        yield from (s.selector for s in references_of(node).sends if s.selector.text == text)


def sends_to(node: Declaration | None, selector: str, kinds: frozenset[ReceiverKind]) -> Iterator[Span]:
    """The first parts of sends of `selector` to receivers of the given kinds."""
    if node is not None:
        for send in references_of(node).sends:
            if send.selector.text == selector and send.receiver_kind in kinds:
                yield send.selector.parts[0]
