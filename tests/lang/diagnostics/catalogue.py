"""The conditions of language.md 5.1 to 5.3, each with the golden cases that show it.

A row of the specification without an entry here fails a test, and so does an entry without
a row. `ELSEWHERE` says of rows without a case of one file where they are judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Case:
    """A file of `tests/cases/diagnostics`, the finding that it is there for, and a fact its text has to tell."""

    name: str
    severity: str
    category: str
    fact: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its section, how its condition begins, its cases."""

    section: str
    condition: str
    cases: tuple[Case, ...]


ELSEWHERE: Final = {
    "class-variable write or same-class mutating self-send": "accepted; the case is there for its silence",
    "process-bound handle sent": "needs the types of expressions",
    "internal method needed by a protocol": "needs the types of expressions",
    "one class exported by two dependencies": "needs dependencies",
}

ROWS: Final = (
    Row("5.1", "unknown character", (Case("unknown_character", "error", "none", "£"),)),
    Row(
        "5.1",
        "unterminated string, block comment",
        (
            Case("open_string", "error", "none", "unterminated string"),
            Case("open_comment", "error", "none", "unterminated block comment"),
            Case("open_symbol", "error", "none", "unterminated quoted symbol"),
            Case("dollar_at_end", "error", "none", "unterminated character literal"),
        ),
    ),
    Row("5.1", "single-quoted string", (Case("single_quotes", "error", "none", "single quotes"),)),
    Row(
        "5.1",
        "empty `{}` in a string",
        (
            Case("empty_interpolation", "error", "none", "empty interpolation"),
            Case("doubled_braces", "error", "none", "doubled braces"),
            Case("unescaped_brace", "error", "none", "unescaped {"),
        ),
    ),
    Row(
        "5.1",
        "interpolation cut off",
        (Case("interpolation_cut_off", "error", "none", "unterminated string interpolation"),),
    ),
    Row(
        "5.1",
        "bad radix, digit",
        (
            Case("bad_radix", "error", "none", "37r1"),
            Case("bad_digit", "error", "none", "2r12"),
            Case("integer_overflow", "error", "none", "9223372036854775808"),
        ),
    ),
    Row(
        "5.1",
        "float unparsable",
        (
            Case("bad_float", "error", "none", "2e"),
            Case("float_range", "error", "none", "1e400"),
        ),
    ),
    Row(
        "5.1",
        "unknown `@word`",
        (
            Case("unknown_directive", "error", "none", "@primitive, @intrinsic or @expect"),
            Case("missing_package", "error", "none", "missing package name"),
        ),
    ),
    Row("5.1", "stray `#`", (Case("stray_hash", "error", "none", "unexpected '#'"),)),
    Row(
        "5.1",
        "token that cannot start an expression",
        (
            Case("expected_expression", "error", "none", "expected expression"),
            Case("bare_equals", "error", "none", "=:="),
        ),
    ),
    Row(
        "5.1",
        "missing `)` `]` `}` `>>`",
        (
            Case("missing_parenthesis", "error", "none", "expected ')'"),
            Case("missing_bracket", "error", "none", "expected ']'"),
            Case("missing_brace", "error", "none", "expected '}'"),
            Case("missing_binary_end", "error", "none", ">>"),
            Case("missing_block_bar", "error", "none", "expected '|'"),
        ),
    ),
    Row(
        "5.1",
        "missing keyword argument, cascade",
        (
            Case("missing_argument", "error", "none", "expected expression after"),
            Case("missing_cascade_message", "error", "none", "expected message selector in cascade"),
        ),
    ),
    Row(
        "5.1",
        "bad assignment target",
        (Case("assignment_target", "error", "none", "identifier or field access"),),
    ),
    Row(
        "5.1",
        "`::` on a destructuring target",
        (
            Case("annotated_destructuring", "error", "none", "not supported"),
            Case("missing_assignment", "error", "none", "expected ':='"),
        ),
    ),
    Row(
        "5.1",
        "bad element in destructuring",
        (
            Case("destructuring_element", "error", "none", "identifiers, _ and literals"),
            Case("destructuring_key", "error", "none", "symbol or a string"),
            Case("destructuring_value", "error", "none", "name or _"),
        ),
    ),
    Row(
        "5.1",
        "cons in a destructuring target",
        (
            Case("destructuring_cons", "error", "none", "not supported"),
            Case("tuple_expression", "error", "none", "tuple literals are not expressions"),
            Case("rest_not_last", "error", "none", "last element"),
        ),
    ),
    Row(
        "5.1",
        "dictionary: bare-word key",
        (
            Case("bare_key", "error", "none", "#key"),
            Case("missing_pair_arrow", "error", "none", "expected '=>'"),
            Case("missing_pair_comma", "error", "none", "expected ','"),
        ),
    ),
    Row(
        "5.1",
        "`!` after a non-send",
        (
            Case("cast_of_literal", "error", "none", "Cast (!)"),
            Case("cast_of_assignment", "error", "none", "Cast (!)"),
            Case("cast_of_return", "error", "none", "Cast (!)"),
            Case("cast_of_cascade", "error", "none", "Cast (!)"),
        ),
    ),
    Row("5.1", "nesting above 64", (Case("too_deep", "error", "none", "64"),)),
    Row(
        "5.1",
        "pattern: bad token",
        (
            Case("pattern_token", "error", "none", "expected a pattern"),
            Case("pattern_boolean", "error", "none", "not a pattern"),
            Case("pattern_nil_type", "error", "none", "cannot carry a type"),
            Case("pattern_type_arguments", "error", "none", "without type arguments"),
            Case("pattern_type_missing", "error", "none", "expected a class name"),
            Case("pattern_binding_type", "error", "none", "takes no type"),
        ),
    ),
    Row(
        "5.1",
        "match arm without `->`",
        (
            Case("arm_without_arrow", "error", "none", "expected '->'"),
            Case("guard_without_bracket", "error", "none", "expected '['"),
        ),
    ),
    Row(
        "5.1",
        "binary segment: unknown",
        (
            Case("segment_unknown", "error", "none", "unknown segment specifier"),
            Case("segment_duplicate", "error", "none", "contradicts or repeats"),
            Case("segment_missing", "error", "none", "expected a segment specifier"),
            Case("segment_size", "error", "none", "expected a segment size"),
            Case("segment_comma", "error", "none", "expected a binary segment"),
        ),
    ),
    Row(
        "5.1",
        "method: missing `=>`",
        (
            Case("missing_arrow", "error", "none", "'=>'"),
            Case("missing_parameter", "error", "none", "expected a parameter name"),
            Case("colon_type", "error", "none", "'::'"),
        ),
    ),
    Row(
        "5.1",
        "type: missing name",
        (
            Case("type_missing", "error", "none", "expected a type"),
            Case("type_parenthesis", "error", "none", "expected ')'"),
            Case("type_mixed", "error", "none", "parentheses"),
            Case("type_backslashes", "error", "none", "single"),
        ),
    ),
    Row(
        "5.1",
        "class: missing `subclass:`",
        (
            Case("missing_subclass", "error", "none", "subclass:"),
            Case("missing_native_name", "error", "none", "native:"),
            Case("handle_scope_value", "error", "none", "handleScope:"),
            Case("handle_scope_misplaced", "error", "none", "handleScope:"),
        ),
    ),
    Row("5.1", "protocol signature with `=>`", (Case("protocol_body", "error", "none", "no '=>'"),)),
    Row(
        "5.1",
        "one-letter type alias",
        (
            Case("alias_letter", "error", "none", "type parameters"),
            Case("alias_equals", "error", "none", "expected '='"),
        ),
    ),
    Row(
        "5.1",
        "`@primitive`/`@intrinsic` outside a method body",
        (
            Case("primitive_outside", "error", "none", "only inside a method body"),
            Case("intrinsic_name", "error", "none", "needs a name"),
        ),
    ),
    Row(
        "5.1",
        "two classes, two protocols",
        (
            Case("two_classes", "error", "none", "Case"),
            Case("two_protocols", "error", "none", "Runnable"),
            Case("class_and_protocol", "error", "none", "Case"),
        ),
    ),
    Row(
        "5.1",
        "doc comment not attached",
        (Case("doc_detached", "warning", "lint", "attached to no declaration"),),
    ),
    Row("5.1", "unnecessary `.`", (Case("needless_period", "lint", "lint", "unnecessary"),)),
    Row("5.2", "name read before any assignment", (Case("undefined_variable", "error", "none", "total"),)),
    Row(
        "5.2",
        "`self` / `super` outside a method",
        (
            Case("self_outside", "error", "none", "self"),
            Case("super_outside", "error", "none", "super"),
        ),
    ),
    Row("5.2", "`super` not as receiver", (Case("super_value", "error", "none", "super"),)),
    Row(
        "5.2",
        "name starting `__` declared",
        (
            Case("reserved_field", "error", "none", "__a"),
            Case("reserved_class_variable", "error", "none", "__a"),
            Case("reserved_parameter", "error", "none", "__a"),
            Case("reserved_block_parameter", "error", "none", "__a"),
            Case("reserved_local", "error", "none", "__a"),
        ),
    ),
    Row("5.2", "pattern binds a name twice", (Case("bound_twice", "error", "none", "a"),)),
    Row(
        "5.2",
        "local assigned, never read",
        (
            Case("unused_local", "warning", "unused", "total"),
            Case("unused_parameter", "warning", "unused", "v"),
        ),
    ),
    Row("5.2", "block parameter hides", (Case("shadowing", "warning", "lint", "v"),)),
    Row("5.2", "statement after `^`", (Case("unreachable", "warning", "lint", "Unreachable"),)),
    Row("5.2", "`x := x`", (Case("self_assignment", "warning", "lint", "Redundant assignment"),)),
    Row("5.2", "literal boolean receiver", (Case("constant_condition", "warning", "lint", "always"),)),
    Row(
        "5.2",
        "assignment to a local or `self.f` as a match-arm body",
        (Case("arm_assignment", "warning", "dead_assignment", "x"),),
    ),
    Row(
        "5.2",
        "assignment to `self.f` inside a block stored in a local",
        (Case("stored_closure", "error", "none", "stored closure"),),
    ),
    Row(
        "5.2",
        "captured local mutated in a block stored into a field",
        (Case("field_stored_closure", "error", "none", "field-stored closure"),),
    ),
    Row(
        "5.2",
        "actor method: block with `self.f :=`",
        (Case("closure_elsewhere", "error", "type", "unheardOf:"),),
    ),
    Row("5.2", "class-variable write or same-class mutating self-send", ()),
    Row("5.2", "method without statements", (Case("empty_body", "error", "empty_body", "run"),)),
    Row(
        "5.2",
        "two methods with one selector",
        (
            Case("duplicate_method", "error", "type", "run"),
            Case("duplicate_class_method", "error", "type", "run"),
        ),
    ),
    Row("5.2", "method named `=:=`", (Case("equality_method", "error", "none", "equals:"),)),
    Row("5.2", "superclass sealed", (Case("sealed_superclass", "error", "inheritance", "Integer"),)),
    Row(
        "5.2",
        "overriding a sealed method",
        (
            Case("sealed_method", "error", "inheritance", "hold:"),
            Case("sealed_class_method", "error", "inheritance", "make"),
        ),
    ),
    Row("5.2", "class named `Self`", (Case("class_self", "error", "none", "Self"),)),
    Row(
        "5.2",
        "class named like a standard-library class",
        (Case("library_name", "warning", "none", "String"),),
    ),
    Row(
        "5.2",
        "`state:` in a value class",
        (
            Case("state_in_value", "error", "type", "field:"),
            Case("field_in_actor", "error", "type", "state:"),
            Case("data_in_object", "error", "type", "Case"),
        ),
    ),
    Row("5.2", "two value fields give one `with", (Case("with_clash", "error", "type", "withA:"),)),
    Row("5.2", "`self.f :=` in a value class", (Case("value_slot_assigned", "error", "type", "withN:"),)),
    Row("5.2", "actor `self.f :=` when a `withF:`", (Case("bypasses_with", "warning", "type", "withN:"),)),
    Row("5.2", "`x.f := e` with x not self", (Case("foreign_write", "warning", "type", "others"),)),
    Row(
        "5.2",
        "`x.f` read with x not self",
        (
            Case("foreign_read", "error", "none", "getter"),
            Case("instance_field_in_class_method", "error", "none", "class method"),
        ),
    ),
    Row(
        "5.2",
        "value-class instance method declared `-> Nil`",
        (Case("value_returns_nil", "error", "type", "run"),),
    ),
    Row("5.2", "abstract class instantiated", (Case("abstract_new", "error", "type", "Collection"),)),
    Row("5.2", "`new`/`new:` on an actor class", (Case("actor_new", "error", "actor_new", "spawn"),)),
    Row("5.2", "`new`/`new:` on an object-kind class", (Case("object_new", "error", "type", "Error"),)),
    Row("5.2", "`new:` with a literal dictionary", (Case("unknown_field", "warning", "type", "depth"),)),
    Row("5.2", "reflective `C classState: #v`", (Case("unknown_class_variable", "warning", "type", "lost"),)),
    Row(
        "5.2",
        "`self.v` in a class method",
        (Case("undeclared_class_variable", "error", "none", "class method"),),
    ),
    Row("5.2", "`!` on a value class", (Case("cast_to_value", "error", "type", "Crate"),)),
    Row(
        "5.2",
        "`handleScope:` on a value or actor class",
        (Case("handle_scope_useless", "warning", "sendability", "handleScope:"),),
    ),
    Row("5.2", "process-bound handle sent", ()),
    Row("5.2", "FFI-wrapping class", (Case("handle_scope_missing", "hint", "sendability", "Case"),)),
    Row(
        "5.2",
        "`super initialize` in an actor",
        (Case("super_initialize", "warning", "lint", "automatically"),),
    ),
    Row("5.2", "`native:` actor with `state:`", (Case("native_state", "error", "none", "state"),)),
    Row("5.2", "`class supervisionPolicy`", (Case("supervision_policy", "error", "none", "#temporary"),)),
    Row(
        "5.2",
        "actor listed in a literal `children`",
        (Case("child_policy", "warning", "type", "#temporary"),),
    ),
    Row(
        "5.2",
        "`@primitive`/`@intrinsic` outside the standard library",
        (Case("primitive_in_project", "error", "none", "standard library"),),
    ),
    Row(
        "5.2",
        "duplicate extension; extension shadowed",
        (
            Case("extension_twice", "error", "extension_conflict", "Integer"),
            Case("extension_shadowed", "warning", "extension_conflict", "run"),
        ),
    ),
    Row(
        "5.2", "class name not known", (Case("unresolved_class", "warning", "unresolved_class", "Crateful"),)
    ),
    Row("5.2", "type name not known", (Case("unresolved_type", "warning", "unresolved_class", "Weigth"),)),
    Row(
        "5.2",
        "unknown host module",
        (
            Case("unknown_module", "warning", "unresolved_ffi", "nosuchlibrary"),
            Case("host_argument_count", "warning", "arity_mismatch", "pow"),
        ),
    ),
    Row(
        "5.2",
        "`internal` class used from another package",
        (
            Case("internal_class", "error", "visibility", "storage"),
            Case("internal_method", "error", "visibility", "storage"),
        ),
    ),
    Row(
        "5.2",
        "internal class/alias in a public signature",
        (
            Case("internal_in_signature", "error", "visibility", "Hidden"),
            Case("internal_in_alias", "error", "visibility", "Hidden"),
        ),
    ),
    Row("5.2", "internal method needed by a protocol", ()),
    Row(
        "5.2",
        "method shadows an inherited internal",
        (Case("shadows_internal", "warning", "visibility", "secret"),),
    ),
    Row("5.2", "unknown package before `@`", (Case("unknown_package", "error", "none", "attic"),)),
    Row("5.2", "one class exported by two dependencies", ()),
    Row(
        "5.2",
        "protocol/alias name already",
        (
            Case("alias_name_taken", "error", "type", "Crate"),
            Case("protocol_name_taken", "error", "type", "Crate"),
            Case("unknown_parent_protocol", "error", "type", "Nowhere"),
            Case("alias_cycle", "error", "type", "->"),
            Case("unbound_alias_parameter", "error", "type", "E"),
        ),
    ),
    Row(
        "5.3",
        "`respondsTo:` `fieldAt:`",
        (
            Case("symbol_expected", "error", "type", "#size"),
            Case("symbol_expected_class", "error", "type", "#Crate"),
        ),
    ),
    Row(
        "5.3",
        "literal block of the wrong arity",
        (
            Case("block_arity", "error", "type", "1 parameter"),
            Case("block_arity_two", "error", "type", "2 parameters"),
            Case("block_arity_none", "error", "type", "0 parameters"),
        ),
    ),
    Row(
        "5.3",
        "literal block: more than 1 parameter",
        (
            Case("handler_arity", "error", "none", "on:do:"),
            Case("ensure_arity", "error", "none", "ensure:"),
            Case("counting_arity", "error", "none", "to:do:"),
        ),
    ),
    Row("5.3", "`take:` `drop:` `repeat:`", (Case("integer_expected", "warning", "type", "integer"),)),
    Row("5.3", "`at:`/`at:put:` with", (Case("index_expected", "error", "type", "integer"),)),
    Row("5.3", "`startsWith:` `endsWith:`", (Case("string_expected", "error", "type", "string"),)),
    Row("5.3", "`fieldAt:put:` on a literal", (Case("immutable_literal", "warning", "type", "immutable"),)),
    Row("5.3", "`new`/`new:` on Integer", (Case("primitive_new", "error", "type", "Integer"),)),
    Row("5.3", "`match:` with constructor patterns", (Case("variant_missing", "error", "none", "error:"),)),
    Row(
        "5.3",
        "type pattern naming `Character`",
        (
            Case("pattern_character", "error", "type", "Integer"),
            Case("pattern_abstract", "error", "type", "concrete"),
            Case("pattern_with_subclasses", "error", "type", "subclasses"),
        ),
    ),
    Row(
        "5.3",
        "type pattern naming an unknown class",
        (Case("pattern_unknown", "warning", "unresolved_class", "Crateful"),),
    ),
    Row(
        "5.3",
        "list or rest pattern in an arm",
        (
            Case("pattern_list", "error", "none", "pattern"),
            Case("pattern_rest", "error", "none", "'...'"),
            Case("pattern_nested", "error", "none", "type pattern"),
            Case("pattern_constructor", "error", "none", "Maybe some:"),
            Case("guard_complex", "error", "none", "guard"),
            Case("guard_loose", "error", "none", "=="),
            Case("no_arms", "error", "none", "no arms"),
        ),
    ),
    Row(
        "5.3",
        "scrutinee type is a closed union",
        (
            Case("union_uncovered", "warning", "type", "#stop"),
            Case("union_uncovered_strictly", "error", "type", "#stop"),
        ),
    ),
    Row("5.3", "`matchExhaustive:` on any other", (Case("exhaustive_unknown", "error", "type", "Dynamic"),)),
)
