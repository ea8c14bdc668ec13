"""The words of every syntax finding (language.md 5.1), in one table: message, hint.

`{fact}` is what the message is about, `{expected}` what should stand there.
"""

from __future__ import annotations

import enum


class Message(enum.Enum):
    """A condition of language.md 5.1. The value is (message, hint or None)."""

    # ------------------------------------------------------------ characters and literals
    UNKNOWN_CHARACTER = (
        "unexpected character '{fact}'",
        "Outside strings and comments a source is ASCII",
    )
    OPEN_STRING = ("unterminated string: {fact}", 'Close it with "')
    OPEN_SYMBOL = ("unterminated quoted symbol: {fact}", "Close it with '")
    OPEN_COMMENT = ("unterminated block comment: {fact}", "Close it with */")
    OPEN_CHARACTER = ("unterminated character literal: {fact}", "A character follows the $")
    OPEN_INTERPOLATION = ("unterminated string interpolation: {fact}", 'Close it with }} and "')
    SINGLE_QUOTED = ("single quotes do not make a string: {fact}", 'Use double quotes: "text"')
    EMPTY_INTERPOLATION = ("empty interpolation {{}}", "Write \\{{ for a brace in a string")
    DOUBLED_BRACE = (
        "doubled braces are not interpolation, use \\{{ for a literal brace",
        "Write \\{{ for a brace in a string",
    )
    UNCLOSED_BRACE = (
        "unescaped {{ in string literal",
        "Write \\{{ for a brace in a string, or close the interpolation with }}",
    )
    INTERPOLATION = (
        "string interpolation takes one expression; found {fact}",
        "Compute the value before the string",
    )
    INVALID_INTEGER = ("invalid integer literal '{fact}': {expected}", None)
    INVALID_FLOAT = ("invalid float literal '{fact}'", "An exponent needs digits")
    FLOAT_RANGE = ("float literal '{fact}' is out of range", None)
    UNKNOWN_DIRECTIVE = ("unknown directive {fact}; expected @primitive, @intrinsic or @expect", None)
    MISSING_PACKAGE = ("missing package name before {fact}", "Write package@ClassName")
    NOT_A_CLASS_AFTER_AT = ("expected a class name after '@', found {fact}", "Write package@ClassName")
    EXPECT_CATEGORY = ("expected a category after @expect", "For instance: @expect dnu")
    STRAY_HASH = (
        "unexpected '#'",
        "A '#' begins a symbol (#name, #at:put:, #+, #'two words'), or #( ), #[ ], #{{ }}; no space may follow",
    )
    # ------------------------------------------------------------ expressions
    EXPRESSION = ("expected expression, found {fact}", None)
    BARE_EQUALS = (
        "expected expression, found '='",
        "Compare with =:= (strict) or == (loose); assign with :=",
    )
    OPERATOR_WITHOUT_LEVEL = (
        "expected expression, found {fact}",
        "{fact} is no operator that has a precedence; put spaces around operators",
    )
    CLOSER = ("expected {expected}, found {fact}", None)
    NEVER_CLOSED = ("'{fact}' is never closed: expected '{expected}'", None)
    SURPLUS_CLOSER = ("expected expression, found {fact}", "Nothing is open that it could close")
    BLOCK_BAR = ("expected '|' after the block parameters, found {fact}", "Write [:x | …]")
    BLOCK_PARAMETER = ("expected a parameter name after ':', found {fact}", None)
    STATEMENT_END = (
        "expected the end of the statement, found {fact}",
        "Separate statements by a new line or a period; a subtraction needs a space behind the minus",
    )
    KEYWORD_ARGUMENT = ("expected expression after '{expected}', found {fact}", None)
    CASCADE_MESSAGE = ("expected message selector in cascade after ';', found {fact}", None)
    ASSIGNMENT_TARGET = ("assignment target must be an identifier or field access", None)
    ASSIGN_EXPECTED = ("expected ':=' after the type annotation, found {fact}", "Write name :: Type := value")
    ANNOTATED_DESTRUCTURING = ("a type annotation on a destructuring target is not supported", None)
    DESTRUCTURING_ELEMENT = (
        "only identifiers, _ and literals can stand in a destructuring target",
        "Take nested parts apart in a second statement",
    )
    DESTRUCTURING_KEY = ("a key of a dictionary destructuring is a symbol or a string", None)
    DESTRUCTURING_VALUE = ("a value of a dictionary destructuring is a name or _", None)
    DESTRUCTURING_CONS = ("'|' is not supported in a destructuring target", "Use #(first, ...rest) := list")
    TUPLE_LITERAL = (
        "tuple literals are not expressions",
        "Use Tuple withAll: #(…); {{a, b}} stands only before := or in a match arm",
    )
    REST_NOT_LAST = ("'...{fact}' must be the last element", None)
    REST_OUTSIDE = (
        "'...' stands only in a destructuring target, as its last element; it is no pattern or expression elsewhere",
        None,
    )
    BARE_KEY = (
        "a bare word is not a dictionary key: '{fact}'",
        "Write #{fact}, or ({fact}) for the value of a name",
    )
    PAIR_ARROW = ("expected '=>' after the dictionary key, found {fact}", None)
    PAIR_COMMA = ("expected ',' or '}}' after a dictionary pair, found {fact}", None)
    CAST = (
        "Cast (!) has no return value: it stands only behind a message send that is a whole statement",
        None,
    )
    TOO_DEEP = ("nesting is too deep: the maximum is 64 levels", None)
    PRIMITIVE_OUTSIDE = ("{fact} stands only inside a method body", None)
    INTRINSIC_NAME = ("@intrinsic needs a name", None)
    # ------------------------------------------------------------ patterns
    PATTERN = ("expected a pattern, found {fact}", None)
    BOOLEAN_PATTERN = ("'{fact}' is not a pattern", "Write {expected}")
    NIL_TYPE_PATTERN = ("'nil' cannot carry a type in a pattern", "Write nil, or _ :: Nil")
    TYPE_ARGUMENTS_PATTERN = (
        "a type pattern names a class without type arguments",
        "Write {fact}",
    )
    TYPE_PATTERN_CLASS = ("expected a class name after '::' in a pattern, found {fact}", None)
    BINDING_TYPE = (
        "a binding of a constructor pattern takes no type",
        "Match on the value in a nested match:",
    )
    CLASS_PATTERN = ("a class name alone is not a pattern: '{fact}'", "Write _ :: {fact}")
    LIST_PATTERN = ("#( ) is not a pattern in a match arm", "Use an array pattern #[ ]")
    NESTED_PATTERN = ("{fact} pattern cannot stand inside {expected} pattern", None)
    ARRAY_ELEMENT = ("only names, _ and array patterns can stand inside an array pattern", None)
    MAP_VALUE = (
        "a value of a map pattern is a name, _ or a literal; another pattern cannot stand there",
        None,
    )
    CONSTRUCTOR_PATTERN = (
        "'{fact}' is not a constructor pattern",
        "Only Result ok: and Result error: can be taken apart",
    )
    ARM_ARROW = ("expected '->' after the pattern, found {fact}", None)
    GUARD_BRACKET = ("expected '[' after when:, found {fact}", "Write when: [condition]")
    NO_ARMS = ("{fact} needs at least one arm: it has no arms", None)
    SEGMENT_SPECIFIER = (
        "unknown segment specifier '{fact}'",
        "integer float binary bytes utf8, signed unsigned, big little native",
    )
    SEGMENT_DUPLICATE = ("segment specifier '{fact}' contradicts or repeats an earlier one", None)
    SEGMENT_MISSING = ("expected a segment specifier after '{expected}', found {fact}", None)
    SEGMENT_SIZE = ("expected a segment size (a number or a name) after ':', found {fact}", None)
    SEGMENT = ("expected a binary segment, found {fact}", None)
    # ------------------------------------------------------------ declarations
    METHOD_ARROW = ("expected '=>' after the method signature, found {fact}", "Write selector => body")
    NO_MEMBER = (
        "this line starts no method and no declaration: expected '=>' after a method signature, found {fact}",
        "Indent the lines of a method body deeper than the method",
    )
    PARAMETER = ("expected a parameter name after '{expected}', found {fact}", None)
    COLON_TYPE = ("a type follows '::', not ':'", "Write {fact}")
    SIGNATURE = ("expected a method signature, found {fact}", None)
    METHOD_OUTSIDE = (
        "a method definition stands in a class body, or is written ClassName >> {fact} =>",
        None,
    )
    METHOD_COLUMN = (
        "the method '{fact}' is indented deeper than the one above it",
        "Methods of a class begin at one column",
    )
    TYPE = ("expected a type, found {fact}", None)
    TYPE_CLOSER = ("expected ')' to end the type, found {fact}", None)
    MIXED_TYPES = ("& and \\ cannot be mixed without parentheses in a type", None)
    DOUBLED_BACKSLASH = ("expected a type operator, found '\\\\'", "Did you mean a single backslash (\\)?")
    SUBCLASS = ("expected 'subclass:' in a class definition, found {fact}", None)
    CLASS_NAME = ("expected a class name after '{expected}', found {fact}", None)
    NATIVE_NAME = ("expected a module name on the same line after native:, found {fact}", None)
    SCOPE_SYMBOL = (
        "expected a symbol after handleScope:, found {fact}",
        "For instance: handleScope: #process",
    )
    SCOPE_PLACE = ("handleScope: must stand in the class header, before all members", None)
    SLOT_NAME = ("expected a name after '{expected}', found {fact}", None)
    MEMBER = ("expected a data declaration or a method, found {fact}", None)
    EXPECT_PLACE = ("@expect in a class body must precede a data declaration or a method", None)
    PROTOCOL_BODY = (
        "a protocol only declares signatures: no '=>' and no body may follow",
        "Remove => and what follows it",
    )
    PROTOCOL_SIGNATURE = ("expected a signature in the protocol, found {fact}", None)
    ONE_LETTER_ALIAS = ("one-letter names like '{fact}' are reserved for type parameters", None)
    ALIAS_EQUALS = ("expected '=' in the type alias, found {fact}", None)
    ONE_PER_FILE = (
        "a file holds one class or one protocol: found {expected} and {fact}",
        "Move {fact} to a file of its own",
    )
    # ------------------------------------------------------------ warnings and lints
    DOC_NOT_ATTACHED = (
        "this doc comment is attached to no declaration",
        "Put it directly above one, or write //",
    )
    UNNECESSARY_PERIOD = ("unnecessary '.': the statement ends here anyway", None)
    FIELD_LIKE_PERIOD = (
        "this '.' ends the statement; it does not read a field",
        "Only self has fields; put a space behind the period",
    )
    STRING_OVER_MEMBERS = ("this string covers lines that look like members; is a quote missing?", None)
