"""Why a token was refused, in words (language.md 5.1).

Comes in: the tokens of a unit as the grammar reads them, the refused one, the
terminals that could have followed. Guarantees: one `Problem` with an exact span.
Leaves: what to skip (`parse.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lang.source import Span
from lang.syntax.lalr import Refused, Token
from lang.syntax.layout import BRACKET_KINDS, brackets_of
from lang.syntax.messages import Message
from lang.syntax.problems import Problem
from lang.syntax.units import UnitKind

_CLOSING = {"(": "')'", "[": "']'", "{": "'}'"}
_CLOSER_TYPES = frozenset({"RPAR", "RSQB", "RBRACE"})
_STARTERS = frozenset(
    "IDENT CNAME INT FLOAT STRING CHAR SYMBOL STR_START PRIM LISTOPEN ARROPEN MAPOPEN LPAR LSQB CARET EXPECT".split()
)
_ODD_OPERATORS = frozenset({"OTHEROP", "AMP", "BACKSLASH", "LTLT"})


def described(token: Token) -> str:
    """A token for a message: its text in quotes, or what stands for it."""
    if token.type == "$END":
        return "the end"
    if token.type in ("STR_MID", "STR_END"):
        return "'}'"
    text = token.text if len(token.text) <= 40 else token.text[:40] + "…"
    return "'" + text.split("\n", 1)[0] + "'"


# ---------------------------------------------------------------- lexical mistakes


def explain_bad(tokens: Sequence[Token], index: int) -> Problem:
    """What a token that no rule accepts stands for."""
    token = tokens[index]
    span = _first_line(token)
    match token.type:
        case "OPEN_STRING":
            return _open_string(tokens, index)
        case "OPEN_SYMBOL":
            return Problem(Message.OPEN_SYMBOL, span, _excerpt(token.text))
        case "OPEN_COMMENT":
            return Problem(Message.OPEN_COMMENT, span, _excerpt(token.text))
        case "OPEN_CHARACTER":
            return Problem(Message.OPEN_CHARACTER, span, token.text)
        case "OPEN_INTERPOLATION":
            return _in_string(tokens, index, Message.OPEN_INTERPOLATION)
        case "UNCLOSED_BRACE":
            return _in_string(tokens, index, Message.UNCLOSED_BRACE)
        case "SINGLE_QUOTED":
            return Problem(Message.SINGLE_QUOTED, span, _excerpt(token.text))
        case "STRAY_HASH":
            return Problem(Message.STRAY_HASH, span, token.text)
        case "DIRECTIVE":
            return _directive(tokens, index)
        case _:
            return Problem(Message.UNKNOWN_CHARACTER, span, _named(token.text))


def _open_string(tokens: Sequence[Token], index: int) -> Problem:
    token = tokens[index]
    if token.text.startswith("}"):
        return _in_string(tokens, index, Message.OPEN_STRING)
    return Problem(Message.OPEN_STRING, _first_line(token), _excerpt(token.text))


def _in_string(tokens: Sequence[Token], index: int, message: Message) -> Problem:
    """A mistake in an interpolated string: blame its last brace that is open at `index`."""
    depth = 0
    for token in reversed(tokens[:index]):
        if token.type in {"STR_END", "UNCLOSED_BRACE"}:
            depth += 1
        elif token.type == "STR_START" and depth:
            depth -= 1
        elif token.type in ("STR_START", "STR_MID") and not depth:
            brace = Span(token.end - 1, token.end)
            if message is Message.UNCLOSED_BRACE:
                return Problem(message, brace, "{")
            return Problem(message, brace, _excerpt(token.text))
    return Problem(message, _first_line(tokens[index]), _excerpt(tokens[index].text))


def _directive(tokens: Sequence[Token], index: int) -> Problem:
    token = tokens[index]
    word = token.text[1:]
    before = next((t for t in reversed(tokens[:index]) if t.text), _NOTHING)
    if before.end == token.start and before.type in ("IDENT", "CNAME"):
        return Problem(Message.NOT_A_CLASS_AFTER_AT, token.span, f"'{word}'")
    if word[:1].isupper():
        return Problem(Message.MISSING_PACKAGE, token.span, token.text)
    if word == "expect":
        return Problem(Message.EXPECT_CATEGORY, token.span, token.text)
    return Problem(Message.UNKNOWN_DIRECTIVE, token.span, token.text)


def _first_line(token: Token) -> Span:
    line, _, _ = token.text.partition("\n")
    return Span(token.start, token.start + max(1, len(line.rstrip()))) if token.text else token.span


def _excerpt(text: str) -> str:
    line, newline, _ = text.partition("\n")
    line = line.rstrip()
    return line[:60] + "…" if len(line) > 60 else line + ("…" if newline and not line else "")


# ---------------------------------------------------------------- refused tokens


@dataclass(frozen=True, slots=True)
class _Place:
    """The refused token with what surrounds it."""

    tokens: Sequence[Token]
    token: Token
    previous: Token
    following: Token
    accepted: frozenset[str]
    rule: UnitKind
    in_signature: bool
    # The innermost bracket around it, or None.
    opener: Token | None

    @property
    def found(self) -> str:
        """The refused token, for a message."""
        if self.token.type == "$END":
            return f"the end of the {_ENDINGS[self.rule]}"
        return described(self.token)

    def says(self, message: Message, fact: str | None = None, expected: str = "") -> Problem:
        return Problem(message, self.span, self.found if fact is None else fact, expected)

    @property
    def span(self) -> Span:
        if self.token.type == "$END":
            return Span(self.previous.start, self.previous.end) if self.previous.text else self.token.span
        return self.token.span


_ENDINGS = {
    UnitKind.METHOD: "method",
    UnitKind.EXTENSION: "method",
    UnitKind.DATA: "declaration",
    UnitKind.HEADER: "class header",
    UnitKind.PROTOCOL: "protocol",
    UnitKind.ALIAS: "type alias",
    UnitKind.STATEMENTS: "input",
}
_NOTHING = Token("", "", 0, 0)


def explain(tokens: Sequence[Token], refused: Refused, rule: UnitKind, body: int) -> Problem:
    """The problem behind a refusal."""
    index = refused.index
    in_signature = rule in (UnitKind.METHOD, UnitKind.EXTENSION) and (body < 0 or index <= body)
    partner = brackets_of(tokens)
    opener = None
    for at in range(index):
        if BRACKET_KINDS.get(tokens[at].type, "") in ("(", "[", "{", "s"):
            if at not in partner:
                return _never_closed(tokens[at])
            if partner[at] >= index:
                opener = tokens[at]
    token = tokens[index]
    accepted = refused.accepted
    if token.type == "_SEP" and not token.text:
        token = tokens[index + 1]
    place = _Place(
        tokens,
        token,
        tokens[index - 1] if index else _NOTHING,
        tokens[index + 1] if index + 1 < len(tokens) else _NOTHING,
        accepted,
        rule,
        in_signature,
        opener,
    )
    for question in (
        _about_interpolation,
        _about_signature,
        _about_declaration,
        _about_type,
        _about_pattern,
        _about_cascade_or_target,
        _about_operand,
        _about_group,
    ):
        if problem := question(place):
            return problem
    return _about_statement(place)


def _never_closed(opener: Token) -> Problem:
    kind = BRACKET_KINDS[opener.type]
    if kind == "s":
        return Problem(Message.OPEN_INTERPOLATION, opener.span, _excerpt(opener.text))
    return Problem(Message.NEVER_CLOSED, opener.span, opener.text, _CLOSING[kind].strip("'"))


def _expects_expression(place: _Place) -> bool:
    return "INT" in place.accepted and "LPAR" in place.accepted


def _about_interpolation(place: _Place) -> Problem | None:
    if place.opener is None or place.opener.type != "STR_START":
        return None
    begins = place.previous.type in ("STR_START", "STR_MID")
    if begins and place.token.type in ("STR_MID", "STR_END"):
        return Problem(Message.EMPTY_INTERPOLATION, Span(place.previous.end - 1, place.token.start + 1), "{}")
    if begins and place.token.type == "LBRACE":
        return Problem(Message.DOUBLED_BRACE, Span(place.previous.end - 1, place.token.end), "{{")
    if _expects_expression(place):
        return None
    return place.says(Message.INTERPOLATION)


def _about_signature(place: _Place) -> Problem | None:
    if not place.in_signature:
        return None
    token, previous, accepted = place.token, place.previous, place.accepted
    if token.type == "COLON":
        return place.says(Message.COLON_TYPE, f"{previous.text} :: {place.following.text}")
    if token.type == "KEYWORD" and previous.type in ("KEYWORD", "OP") and place.following.type == "CNAME":
        return place.says(Message.COLON_TYPE, f"{token.text[:-1]} :: {place.following.text}")
    if token.text == "handleScope:" or (previous.text == "handleScope:" and "FATARROW" not in accepted):
        return Problem(Message.SCOPE_PLACE, token.span if token.text == "handleScope:" else previous.span)
    if "IDENT" in accepted and "FATARROW" not in accepted and "SYMBOL" not in accepted:
        if previous.type in ("KEYWORD", "OP", "OTHEROP", "GTGT", "LTLT", "ARROW", "EQ", "AMP", "BACKSLASH"):
            return place.says(Message.PARAMETER, expected=previous.text)
        if previous.type == "MEXPECT":
            return Problem(Message.EXPECT_PLACE, previous.span, place.found)
        if token.type == "FATARROW":
            return place.says(Message.SIGNATURE)
        return place.says(Message.NO_MEMBER)
    if "FATARROW" in accepted:
        first = next(t for t in place.tokens if t.type != "MEXPECT")
        if first.text == "handleScope:":
            return Problem(Message.SCOPE_PLACE, first.span)
        return _about_type_operator(place) or place.says(Message.METHOD_ARROW)
    return None


def _about_declaration(place: _Place) -> Problem | None:
    match place.rule:
        case UnitKind.HEADER:
            return _about_header(place)
        case UnitKind.PROTOCOL:
            if place.token.type == "FATARROW":
                return place.says(Message.PROTOCOL_BODY)
            if place.previous.type in ("DEFINE", "EXTENDING"):
                return place.says(Message.CLASS_NAME, expected=place.previous.text)
            return _about_type(place) or place.says(Message.PROTOCOL_SIGNATURE)
        case UnitKind.ALIAS if "EQ" in place.accepted:
            return place.says(Message.ALIAS_EQUALS)
        case _:
            if place.previous.type == "DATAKW":
                return place.says(Message.SLOT_NAME, expected=place.previous.text)
            return None


def _about_header(place: _Place) -> Problem | None:
    match place.previous.type:
        case "SUBCLASS":
            return place.says(Message.CLASS_NAME, expected="subclass:")
        case "NATIVE":
            return Problem(Message.NATIVE_NAME, place.previous.span, place.found)
        case "SCOPE":
            return place.says(Message.SCOPE_SYMBOL)
        case "DATAKW":
            return place.says(Message.SLOT_NAME, expected=place.previous.text)
        case "MEXPECT":
            return Problem(Message.EXPECT_PLACE, place.previous.span, place.found)
    if "SUBCLASS" in place.accepted:
        return place.says(Message.SUBCLASS)
    if place.token.text == "handleScope:":
        return place.says(Message.SCOPE_PLACE)
    if "DATAKW" in place.accepted and not _expects_expression(place) and "BANG" not in place.accepted:
        return _about_operator(place) or _about_type_operator(place) or place.says(Message.MEMBER)
    return None


def _about_type(place: _Place) -> Problem | None:
    accepted = place.accepted
    if "SYMBOL" in accepted and "CNAME" in accepted and "INT" not in accepted:
        return place.says(Message.TYPE)
    return _about_type_operator(place)


def _about_type_operator(place: _Place) -> Problem | None:
    accepted, token = place.accepted, place.token
    in_type = "AMP" in accepted or "BACKSLASH" in accepted or ("PIPE" in accepted and "OP" not in accepted)
    if not in_type or _expects_expression(place) or "COLON" in accepted:
        return None
    if token.text == "\\\\":
        return place.says(Message.DOUBLED_BACKSLASH)
    if token.type in ("AMP", "BACKSLASH"):
        return place.says(Message.MIXED_TYPES)
    if "RPAR" in accepted and place.opener is not None and place.opener.type == "LPAR":
        return place.says(Message.TYPE_CLOSER)
    return None


_ONLY_NAME = frozenset({"IDENT"})


def _about_pattern(place: _Place) -> Problem | None:
    accepted, previous = place.accepted, place.previous
    if "LTLT" in accepted and "INT" in accepted:
        return place.says(Message.PATTERN)
    token = place.token
    if token.type == "DCOLON" and "WHEN" in accepted and "KEYWORD" in accepted:
        return place.says(Message.BINDING_TYPE)
    if token.type == "DCARROW" and "WHEN" in accepted:
        return place.says(Message.TYPE_PATTERN_CLASS, "'->'")
    if previous.type == "KEYWORD" and accepted == {"INT", "IDENT"}:
        return place.says(Message.SEGMENT_SIZE)
    if previous.type == "OP" and accepted == _ONLY_NAME:
        return place.says(Message.SEGMENT_MISSING, expected=previous.text)
    if previous.type in ("_COMMA", "LTLT") and {"KEYWORD", "IDENT"} <= accepted and "INT" not in accepted:
        return place.says(Message.SEGMENT)
    if "GTGT" in accepted and "_COMMA" in accepted and "_SEMI" not in accepted and "ARROW" not in accepted:
        # Without a blank before it, `>>` is read as part of the operator.
        if token.text in ("/>>", "->>"):
            return place.says(Message.SEGMENT_MISSING, "'>>'", token.text[0])
        if token.text == ",>>":
            return place.says(Message.SEGMENT, "'>>'")
        return place.says(Message.CLOSER, expected="',' or '>>'")
    if previous.type == "WHEN":
        return place.says(Message.GUARD_BRACKET)
    if "WHEN" in accepted and "ARROW" in accepted and "OP" not in accepted:
        if place.token.text == "when:":
            return place.says(Message.GUARD_BRACKET, described(place.following))
        return place.says(Message.ARM_ARROW)
    if accepted == {"ARROW"}:
        return place.says(Message.ARM_ARROW)
    return None


def _about_cascade_or_target(place: _Place) -> Problem | None:
    accepted = place.accepted
    if (
        "IDENT" in accepted
        and "KEYWORD" in accepted
        and "INT" not in accepted
        and place.previous.type == "_SEMI"
    ):
        return place.says(Message.CASCADE_MESSAGE)
    if "ASSIGN" in accepted and "_SEMI" not in accepted and "OP" not in accepted:
        if place.previous.type == "RBRACE":
            return Problem(Message.TUPLE_LITERAL, _group_before(place), "{}")
        return place.says(Message.ASSIGN_EXPECTED)
    if place.token.type == "BANG":
        return place.says(Message.CAST)
    return None


def _group_before(place: _Place) -> Span:
    """The span of the bracketed group that ends in the previous token."""
    closer = place.tokens.index(place.previous)
    opener = next(o for o, c in brackets_of(place.tokens).items() if c == closer)
    return Span(place.tokens[opener].start, place.previous.end)


def _about_operator(place: _Place) -> Problem | None:
    if place.token.type == "EQ":
        return place.says(Message.BARE_EQUALS)
    if place.token.type in _ODD_OPERATORS:
        return place.says(Message.OPERATOR_WITHOUT_LEVEL)
    return None


def _about_operand(place: _Place) -> Problem | None:
    if place.previous.type == "COLON" and place.accepted == _ONLY_NAME:
        return place.says(Message.BLOCK_PARAMETER)
    if not _expects_expression(place):
        return _about_operator(place)
    if place.token.type == "LBRACE":
        return place.says(Message.TUPLE_LITERAL)
    if place.token.type == "EQ":
        return place.says(Message.BARE_EQUALS)
    if place.previous.type in ("KEYWORD", "MATCH", "WHEN"):
        return place.says(Message.KEYWORD_ARGUMENT, expected=place.previous.text)
    return place.says(Message.EXPRESSION)


def _about_group(place: _Place) -> Problem | None:
    if place.opener is None:
        return None
    match place.opener.type:
        case "LSQB" if "PIPE" in place.accepted and "COLON" in place.accepted:
            return place.says(Message.BLOCK_BAR)
        case "MAPOPEN" if "FATARROW" in place.accepted:
            return place.says(Message.PAIR_ARROW)
        case "MAPOPEN":
            return place.says(Message.PAIR_COMMA)
        case "LISTOPEN" | "ARROPEN" | "LBRACE":
            closing = _CLOSING[BRACKET_KINDS[place.opener.type]]
            return place.says(Message.CLOSER, expected=f"',' or {closing}")
        case "LPAR" | "LSQB":
            return place.says(Message.CLOSER, expected=_CLOSING[BRACKET_KINDS[place.opener.type]])
        case _:
            return None


def _about_statement(place: _Place) -> Problem:
    if place.token.type in _CLOSER_TYPES:
        return place.says(Message.SURPLUS_CLOSER)
    if place.token.type in _STARTERS:
        return place.says(Message.STATEMENT_END)
    return place.says(Message.EXPRESSION)


def _named(character: str) -> str:
    """A character as it is read in a message: one that shows nothing by its number."""
    return character if character.isprintable() and character != " " else f"U+{ord(character[0]):04X}"
