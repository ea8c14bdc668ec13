"""Node types of the abstract syntax tree (language.md 2).

Every node is frozen and has a `span`, in code points relative to the text of its
unit (`lang/syntax/units.py`). Names that a rename may rewrite carry a span of their
own. Parentheses are kept (`Parenthesized`): lints, cascades and character literals
ask for them.
"""

from __future__ import annotations

from lang.dataclass import dataclass
from lang.source import Span

# ---------------------------------------------------------------- names


@dataclass(frozen=True, slots=True)
class Identifier:
    """A lowercase name that declares something: parameter, slot, pattern variable."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class ClassRef:
    """A class, protocol or alias named in any position: `Counter`, `json@Parser`.

    `name_span` covers the class name alone, without a package qualifier.
    """

    span: Span
    name: str
    name_span: Span
    package: str | None = None


@dataclass(frozen=True, slots=True)
class Selector:
    """A selector as written: its whole text, and the span of each part.

    `at:put:` has two parts; unary and binary selectors have one.
    """

    text: str
    parts: tuple[Span, ...]

    @property
    def span(self) -> Span:
        """From the first part to the last; arguments may lie between."""
        return Span(self.parts[0].start, self.parts[-1].end)


# ---------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class NamedType:
    """`Integer`, `Self`, `List(Counter)`."""

    span: Span
    ref: ClassRef
    arguments: tuple[TypeExpr, ...] = ()


@dataclass(frozen=True, slots=True)
class MetaType:
    """`Counter class`, `Self class`."""

    span: Span
    ref: ClassRef


@dataclass(frozen=True, slots=True)
class SingletonType:
    """`#ok` as a type."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class UnionType:
    """`A | B | C`, flattened."""

    span: Span
    members: tuple[TypeExpr, ...]


@dataclass(frozen=True, slots=True)
class IntersectionType:
    """`A & B`."""

    span: Span
    members: tuple[TypeExpr, ...]


@dataclass(frozen=True, slots=True)
class DifferenceType:
    r"""`A \ B`, left associative."""

    span: Span
    base: TypeExpr
    removed: TypeExpr


TypeExpr = NamedType | MetaType | SingletonType | UnionType | IntersectionType | DifferenceType


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class IntegerLiteral:
    """`42`, `16rFF`; fits 64 bits."""

    span: Span
    value: int


@dataclass(frozen=True, slots=True)
class FloatLiteral:
    """`1.5`, `2e3`."""

    span: Span
    value: float


@dataclass(frozen=True, slots=True)
class StringLiteral:
    """`value` is the decoded text (language.md 1.4)."""

    span: Span
    value: str


@dataclass(frozen=True, slots=True)
class CharacterLiteral:
    """`value` is the code point."""

    span: Span
    value: int


@dataclass(frozen=True, slots=True)
class SymbolLiteral:
    """`name` without `#` and quotes."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class Interpolation:
    """A string with `{…}` parts: `StringLiteral` pieces and expressions in order.

    Empty pieces are left out. The span of a piece covers its raw text.
    """

    span: Span
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Constant:
    """`nil`, `true`, `false`."""

    span: Span
    value: bool | None


@dataclass(frozen=True, slots=True)
class Variable:
    """A lowercase identifier in an expression."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class SelfRef:
    """`self`."""

    span: Span


@dataclass(frozen=True, slots=True)
class SuperRef:
    """`super`; legal as a receiver only, which the semantic stage checks."""

    span: Span


@dataclass(frozen=True, slots=True)
class FieldAccess:
    """`self.balance`; `receiver` is checked to be self by the semantic stage."""

    span: Span
    receiver: Expression
    field: Identifier


@dataclass(frozen=True, slots=True)
class Send:
    """A message send. A keyword or binary selector has its arguments in order."""

    span: Span
    receiver: Expression
    selector: Selector
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a cascade, without receiver."""

    span: Span
    selector: Selector
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Cascade:
    """`first; m2; m3`.

    When `first` is a `Send`, the later messages go to the receiver of that send
    (language.md 4.7), else to the value of `first`.
    """

    span: Span
    first: Expression
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Cast:
    """`receiver message!`, a statement only."""

    span: Span
    send: Send


@dataclass(frozen=True, slots=True)
class Assignment:
    """`x := e`, `x :: T := e`, `self.f := e`."""

    span: Span
    target: Variable | FieldAccess
    value: Expression
    annotation: TypeExpr | None = None


@dataclass(frozen=True, slots=True)
class Destructuring:
    """`#[a, ...r] := e`, `{a, b} := e`, `#{#k => v} := e`."""

    span: Span
    pattern: Pattern
    value: Expression


@dataclass(frozen=True, slots=True)
class Return:
    """`^ e`."""

    span: Span
    value: Expression


@dataclass(frozen=True, slots=True)
class BlockParameter:
    """`:x`, `:x :: Integer`."""

    span: Span
    name: Identifier
    annotation: TypeExpr | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """`[:x | …]`; an empty body gives nil."""

    span: Span
    parameters: tuple[BlockParameter, ...]
    body: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Parenthesized:
    """`(e)`."""

    span: Span
    inner: Expression


@dataclass(frozen=True, slots=True)
class ListLiteral:
    """`#(a, b)`; with `tail`, `#(a | t)`."""

    span: Span
    elements: tuple[Expression, ...]
    tail: Expression | None = None


@dataclass(frozen=True, slots=True)
class ArrayLiteral:
    """`#[a, b]`."""

    span: Span
    elements: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class DictionaryLiteral:
    """`#{k => v}`: keys and values in order."""

    span: Span
    pairs: tuple[tuple[Expression, Expression], ...]


@dataclass(frozen=True, slots=True)
class MatchArm:
    """`pattern when: [guard] -> body`."""

    span: Span
    pattern: Pattern
    guard: Expression | None
    body: Expression


@dataclass(frozen=True, slots=True)
class Match:
    """`e match: […]` or `e matchExhaustive: […]`; `selector` has one part."""

    span: Span
    subject: Expression
    selector: Selector
    arms: tuple[MatchArm, ...]


@dataclass(frozen=True, slots=True)
class Primitive:
    """`@primitive "name"`, `@intrinsic name`; `name` is None for a bare `@primitive`."""

    span: Span
    is_intrinsic: bool
    name: str | None


@dataclass(frozen=True, slots=True)
class Expect:
    """`@expect category "reason"`."""

    span: Span
    category: str
    category_span: Span
    reason: str | None


@dataclass(frozen=True, slots=True)
class ErrorNode:
    """What could not be parsed; its diagnostic says why."""

    span: Span


Expression = (
    IntegerLiteral
    | FloatLiteral
    | StringLiteral
    | CharacterLiteral
    | SymbolLiteral
    | Interpolation
    | Constant
    | Variable
    | SelfRef
    | SuperRef
    | ClassRef
    | FieldAccess
    | Send
    | Cascade
    | Cast
    | Assignment
    | Destructuring
    | Return
    | Block
    | Parenthesized
    | ListLiteral
    | ArrayLiteral
    | DictionaryLiteral
    | Match
    | Primitive
    | Expect
    | ErrorNode
)


# ---------------------------------------------------------------- patterns


@dataclass(frozen=True, slots=True)
class WildcardPattern:
    """`_`."""

    span: Span


@dataclass(frozen=True, slots=True)
class VariablePattern:
    """A name that the pattern binds."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class RestPattern:
    """`...name`; `..._` has the name `_`."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class LiteralPattern:
    """A literal, or `nil` (a `Constant`)."""

    span: Span
    literal: IntegerLiteral | FloatLiteral | StringLiteral | SymbolLiteral | CharacterLiteral | Constant


@dataclass(frozen=True, slots=True)
class TypePattern:
    """`x :: C`; the name may be `_`."""

    span: Span
    name: Identifier
    ref: ClassRef


@dataclass(frozen=True, slots=True)
class TuplePattern:
    """`{a, b}`."""

    span: Span
    elements: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class ArrayPattern:
    """`#[a, b]`."""

    span: Span
    elements: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class ListPattern:
    """`#(a, b)`: in destructuring only (language.md 2.9)."""

    span: Span
    elements: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class MapPattern:
    """Keys are symbols or strings."""

    span: Span
    pairs: tuple[tuple[SymbolLiteral | StringLiteral, Pattern], ...]


@dataclass(frozen=True, slots=True)
class ConstructorPattern:
    """`Result ok: v`."""

    span: Span
    ref: ClassRef
    selector: Selector
    bindings: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class BinarySegment:
    """`name:size/spec-spec` of a binary pattern; `size` is a number, a name or None."""

    span: Span
    name: str
    size: int | str | None
    specifiers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BinaryPattern:
    """`<<a:8, rest/binary>>`."""

    span: Span
    segments: tuple[BinarySegment, ...]


Pattern = (
    WildcardPattern
    | VariablePattern
    | RestPattern
    | LiteralPattern
    | TypePattern
    | TuplePattern
    | ArrayPattern
    | ListPattern
    | MapPattern
    | ConstructorPattern
    | BinaryPattern
)


# ---------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class Parameter:
    """A method parameter."""

    span: Span
    name: Identifier
    annotation: TypeExpr | None = None


@dataclass(frozen=True, slots=True)
class TypeParameter:
    """`E`, `E :: Printable`."""

    span: Span
    name: Identifier
    bound: ClassRef | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """Selector, parameters and return type of a method or protocol requirement."""

    span: Span
    selector: Selector
    parameters: tuple[Parameter, ...]
    return_type: TypeExpr | None = None
    is_class_side: bool = False


@dataclass(frozen=True, slots=True)
class MethodDef:
    """A method definition. `doc` is the attached doc comment, stripped (language.md 1.1)."""

    span: Span
    signature: Signature
    body: tuple[Expression, ...]
    is_sealed: bool = False
    is_internal: bool = False
    doc: str | None = None
    expects: tuple[Expect, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtensionDef:
    """`C >> method`, `C class >> method`; `method.signature.is_class_side` tells the side."""

    span: Span
    target: ClassRef
    method: MethodDef


@dataclass(frozen=True, slots=True)
class DataDecl:
    """`state:`, `field:` or `classState:`; `keyword` keeps the colon."""

    span: Span
    keyword: str
    name: Identifier
    annotation: TypeExpr | None = None
    default: Expression | None = None
    doc: str | None = None
    expects: tuple[Expect, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassHeader:
    """A class definition without its methods: modifiers, names, data declarations.

    `superclass` is None for `nil subclass:`. `modifiers` are as written.
    """

    span: Span
    name: ClassRef
    superclass: ClassRef | None
    modifiers: tuple[str, ...] = ()
    superclass_arguments: tuple[TypeExpr, ...] = ()
    type_parameters: tuple[TypeParameter, ...] = ()
    native: Identifier | None = None
    handle_scope: SymbolLiteral | None = None
    data: tuple[DataDecl, ...] = ()
    doc: str | None = None
    expects: tuple[Expect, ...] = ()


@dataclass(frozen=True, slots=True)
class ProtocolDef:
    """`Protocol define: P` with its required signatures."""

    span: Span
    name: ClassRef
    type_parameters: tuple[TypeParameter, ...] = ()
    extending: ClassRef | None = None
    signatures: tuple[Signature, ...] = ()
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class TypeAlias:
    """`type Name = T`."""

    span: Span
    name: ClassRef
    type: TypeExpr
    is_internal: bool = False
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Statements:
    """Module-level code, or one prompt input: expressions in order."""

    span: Span
    body: tuple[Expression, ...]


Declaration = MethodDef | ExtensionDef | DataDecl | ClassHeader | ProtocolDef | TypeAlias | Statements

Node = (
    Identifier
    | Selector
    | TypeExpr
    | Expression
    | BlockParameter
    | Message
    | MatchArm
    | Pattern
    | BinarySegment
    | Parameter
    | TypeParameter
    | Signature
    | Declaration
)
