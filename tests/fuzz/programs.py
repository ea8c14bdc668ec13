"""Random programs that follow the grammar of language.md 2, every construct of it.

Comes in: a `Random` that makes every choice, so that a seed, or hypothesis, says which program
comes out. Guarantees: a text without a syntax error. Most programs also pass the checks: names
are mostly read where they are assigned, and slots belong to their kind of class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

_LOCALS = ("a", "b", "count", "each", "item", "x_1", "_spare", "class1", "sealed", "type", "lambda", "none_")
_UNARY = (
    "size",
    "printString",
    "isNil",
    "class",
    "value",
    "reverse",
    "foo",
    "yourself",
    "hash",
    "not",
    "_odd",
)
_KEYWORDS = (
    ("at:",), ("at:", "put:"), ("foo:",), ("foo:", "bar:", "baz:"), ("inject:", "into:"), ("ifTrue:",),
    ("ifTrue:", "ifFalse:"), ("ifNil:",), ("ifNotNil:",), ("and:",), ("or:",), ("do:",), ("collect:",),
    ("on:", "do:"), ("ensure:",), ("whileTrue:",), ("timesRepeat:",), ("to:", "do:"), ("to:", "by:", "do:"),
    ("value:",), ("perform:",), ("respondsTo:",), ("max:",), ("div:",),
)  # fmt: skip
_BINARY = ("+", "-", "*", "/", "%", "**", "++", "<", ">", "<=", ">=", "==", "/=", "=:=", "=/=", ">>", "->")
_CLASSES = ("Integer", "String", "List", "Dictionary", "Object", "Error", "Result", "Set", "Unknown")
_LEAVES = ("Integer", "String", "Float", "Symbol", "List", "Block", "True")
_TYPES = (
    *_LEAVES,
    "List(Integer)",
    "Dictionary(Symbol, Object)",
    "#ok | #bad",
    "Integer | Nil",
    "(Integer | Float)",
)
_SYMBOLS = ("#a", "#at:", "#at:put:", "#+ ", "#'two words'", "#'=:='", "#''''", "#foo:bar")
_TEXTS = (
    "",
    "x",
    'say ""hi""',
    "\\n",
    "\\{",
    "}",
    "日本語 é",
    "tab\there",
    "a\\b",
    "// no comment",
    "/* nor this */",
)
_NUMBERS = (
    "0",
    "1",
    "42",
    "-7",
    "16rFF",
    "2r1011",
    "36rZZ",
    "9223372036854775807",
    "3.25",
    "-0.5",
    "2e3",
    "1.5e-7",
)
_CHARACTERS = ("$a", "$ ", "$世", "$\\n", "$\\\\", "$'", '$"', "$(")
_SPECIFIERS = (
    "integer",
    "float",
    "binary",
    "utf8",
    "integer-signed",
    "unsigned-big",
    "little-integer",
    "native",
)


@dataclass(slots=True)
class Author:
    """Writes one program. `fuel` bounds its size: without any left only atoms are written."""

    random: Random
    fuel: int = 24
    names: list[str] = field(default_factory=list)
    slots: tuple[str, ...] = ()
    can_assign_slots: bool = False
    depth: int = 0
    in_method: bool = False
    # An interpolation ends with its line, so nothing in one may go on to the next.
    on_one_line: bool = False

    # ------------------------------------------------------------ choices

    def one_of(self, choices: Sequence[str]) -> str:
        return self.random.choice(choices)

    def maybe(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def some(self, write: Callable[[], str], most: int, least: int = 0) -> list[str]:
        return [write() for _ in range(self.random.randint(least, most))]

    def _pick(self, *writers: Callable[[], str]) -> str:
        return self.random.choice(writers)()

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self.depth += 1
        self.fuel -= 1
        yield
        self.depth -= 1

    @contextmanager
    def _scope(self, *parameters: str) -> Iterator[None]:
        kept = list(self.names)
        self.names.extend(parameters)
        yield
        self.names[:] = kept

    # ------------------------------------------------------------ atoms

    def name(self) -> str:
        """A variable to read, nearly always one that is assigned."""
        if self.names and not self.maybe(1):
            return self.one_of(self.names)
        return self.one_of(_LOCALS) if self.maybe(2) else self.one_of(_NUMBERS)

    def literal(self) -> str:
        kinds = (_NUMBERS, _SYMBOLS, _CHARACTERS)
        if self.maybe(30):
            return f'"{self.one_of(_TEXTS)}"'
        return self.one_of(self.random.choice(kinds))

    def atom(self) -> str:
        if self.in_method and self.maybe(15):
            return f"self.{self.one_of(self.slots)}" if self.slots and self.maybe(60) else "self"
        if self.maybe(25):
            return self.one_of(("nil", "true", "false", *_CLASSES[:6]))
        return self.name() if self.maybe(60) else self.literal()

    # ------------------------------------------------------------ expressions

    def primary(self) -> str:
        if self.fuel <= 0 or self.depth > 6 or self.maybe(40):
            return self.atom()
        with self._deeper():
            return self._pick(
                self.group, self.block, self.interpolation, self.list_literal, self.array_literal,
                self.dictionary, self.match,
            )  # fmt: skip

    def group(self) -> str:
        return f"({self.expression()})"

    def interpolation(self) -> str:
        was_on_one_line, self.on_one_line = self.on_one_line, True
        parts = [
            self.one_of(("", "x ", "\\{ ", '""')) + "{" + self.keyword_send() + "}"
            for _ in range(self.random.randint(1, 2))
        ]
        self.on_one_line = was_on_one_line
        return f'"{"".join(parts)}"'

    def list_literal(self) -> str:
        if self.maybe(20):
            return f"#({self.keyword_send()} | {self.unary()})"
        return f"#({', '.join(self.some(self.keyword_send, 3))})"

    def array_literal(self) -> str:
        return f"#[{', '.join(self.some(self.keyword_send, 3))}]"

    def dictionary(self) -> str:
        def pair() -> str:
            key = self._pick(lambda: self.one_of(_SYMBOLS), lambda: '"k"', lambda: "3", self.group)
            return f"{key} => {self.keyword_send()}"

        return "#{" + ", ".join(self.some(pair, 3)) + "}"

    def unary(self) -> str:
        text = self.primary()
        for _ in range(self.random.choice((0, 0, 0, 1, 1, 2))):
            text += f" {self.one_of(_UNARY)}"
        return text

    def binary(self) -> str:
        text = self.unary()
        for _ in range(self.random.choice((0, 0, 0, 1, 1, 3))):
            gap = self._gap(2)
            text += f"{gap}{self.one_of(_BINARY)} {self.unary()}"
        return text

    def keyword_send(self) -> str:
        if self.fuel <= 0 or self.maybe(60):
            return self.binary()
        with self._deeper():
            parts = self.random.choice(_KEYWORDS)
            gap = self._gap(4)
            receiver = self.block() if parts[0] in ("whileTrue:", "on:", "ensure:") else self.binary()
            return receiver + "".join(f"{gap}{part} {self._argument(part)}" for part in parts)

    def _argument(self, part: str) -> str:
        match part:
            case (
                "ifTrue:" | "ifFalse:" | "ifNil:" | "and:" | "or:" | "ensure:" | "whileTrue:" | "timesRepeat:"
            ):
                return self.block(0)
            case "do:" | "collect:":
                return self.block(1)
            case "into:":
                return self.block(2)
            case "on:":
                return self.one_of(("Error", "nil", "RuntimeError"))
            case "perform:" | "respondsTo:":
                return self.one_of(_SYMBOLS)
        return self.binary()

    def cascade(self) -> str:
        def message() -> str:
            return self._pick(
                lambda: self.one_of(_UNARY),
                lambda: f"{self.one_of(_BINARY)} {self.unary()}",
                lambda: "".join(f" {part} {self.binary()}" for part in self.random.choice(_KEYWORDS[:4])),
            )

        gap = self._gap(2)
        return self.keyword_send() + "".join(f"{gap}; {text}" for text in self.some(message, 3, 1))

    def expression(self) -> str:
        return self.cascade() if self.fuel > 0 and self.maybe(10) else self.keyword_send()

    # ------------------------------------------------------------ blocks and statements

    def block(self, arity: int | None = None) -> str:
        count = self.random.randint(0, 2) if arity is None else arity
        parameters = self.random.sample([*_LOCALS[:5], "k", "v"], count)
        head = "".join(f":{p}{self.one_of(('', '', ' :: Integer'))} " for p in parameters)
        with self._scope(*parameters), self._deeper():
            body = self.body(2, least=0)
        return f"[{head}{'| ' if parameters else ''}{body}]"

    def body(self, most: int, least: int = 1) -> str:
        statements = self.some(self.statement, most, least)
        separator = ". " if self.on_one_line or self.maybe(50) else f"\n{self._margin(0)}"
        # A cast ends its statement itself.
        return separator.join(statements).replace("!. ", "! ")

    def _gap(self, more: int) -> str:
        return f"\n{self._margin(more)}" if not self.on_one_line and self.maybe(30) else " "

    def _margin(self, more: int) -> str:
        return " " * (4 + 2 * self.depth + more)

    def statement(self) -> str:
        if self.fuel <= 0:
            return self.unary()
        choice = self.random.randrange(20)
        match choice:
            case 0 | 1 | 2 | 3:
                return self._assignment()
            case 4 if self.slots and self.can_assign_slots and self.depth < 2:
                return f"self.{self.one_of(self.slots)} := {self.expression()}"
            case 5 if not self.on_one_line:
                return self._destructuring()
            case 6:
                return f"^{self.expression()}"
            case 7:
                return f"{self.unary()} {self.one_of(_UNARY)}!"
            case 8:
                return f"{self.name()} foo: {self.unary()}!"
            case 9 if self.in_method:
                return f"super {self.one_of(_UNARY)}"
        return self.expression()

    def _assignment(self) -> str:
        value = self.expression()
        name = self.one_of(_LOCALS)
        self.names.append(name)
        annotation = f" :: {self.one_of(_TYPES)}" if self.maybe(15) else ""
        chained = f"{self.one_of(self.names)} := " if not annotation and self.maybe(10) else ""
        return f"{name}{annotation} := {chained}{value}"

    def _destructuring(self) -> str:
        value = self.expression()
        names = self.random.sample(_LOCALS, 3)
        self.names.extend(names)
        a, b, c = names
        return self.one_of((
            f"#[{a}, {b}, ...{c}] := {value}\n{self._margin(0)}{b} foo",
            f"#({a}, _, {b}, {c}) := {value}",
            f"{{{a}, 3, {b}, {c}}} := {value}",
            f'#{{#k => {a}, "s" => {b}, #z => {c}}} := {value}',
        ))  # fmt: skip

    # ------------------------------------------------------------ match

    def match(self) -> str:
        arms = [self._arm() for _ in range(self.random.randint(1, 4))] + [f"_ -> {self.keyword_send()}"]
        separator = "; " if self.on_one_line or self.maybe(50) else f"\n{self._margin(2)}"
        return f"({self.unary()} match: [{separator.join(arms)}])"

    def _arm(self) -> str:
        names = self.random.sample(_LOCALS[:6], 2)
        pattern, bound = self._pattern(*names)
        with self._scope(*bound):
            guard = f" when: [{self.one_of(bound)} > 3]" if bound and self.maybe(20) else ""
            body = self.keyword_send()
        return f"{pattern}{guard} -> {'^' if self.maybe(10) else ''}{body}"

    def _pattern(self, a: str, b: str) -> tuple[str, list[str]]:
        segment = self.one_of(_SPECIFIERS)
        return self.random.choice((
            ("_", []),
            ("nil", []),
            (self.literal(), []),
            (a, [a]),
            (f"{a} :: {self.one_of(_LEAVES)}", [a]),
            (f"{{#pair, {a}, {b}}}", [a, b]),
            (f"#[{a}, {b}]", [a, b]),
            (f"#[{a}, #[_, {a}]]", [a]),
            (f'#{{#id => {a}, "k" => 3}}', [a]),
            (f"Result ok: {a}", [a]),
            ("Result error: nil", []),
            (f"<<{a}:8/{segment}, {b}/binary>>", [a, b]),
            ("-3", []),
        ))  # fmt: skip

    # ------------------------------------------------------------ declarations

    def method(self, selector: str, prefix: str = "  ", head: str = "") -> str:
        parts = self.random.choice((1, 1, 2, 3)) if self.maybe(50) else 0
        parameters = self.random.sample(("p", "q", "r"), parts)
        with self._scope(*parameters):
            types = [self.one_of(("", "", f" :: {self.one_of(_TYPES)}")) for _ in parameters]
            if parts == 0:
                pattern = selector
            elif parts == 1 and self.maybe(20):
                pattern = f"{self.one_of(('+', '<=', '>>', '->', '&', '<=>'))} {parameters[0]}{types[0]}"
            else:
                pairs = zip(parameters, types, strict=True)
                pattern = " ".join(f"{selector}{i}: {p}{t}" for i, (p, t) in enumerate(pairs))
            answer = self.one_of(("", "", " -> Integer", " -> Self", " -> List(Integer) | Nil"))
            opening = self.one_of((" ", "\n    "))
            body = "\n    ".join(self.some(self.statement, 4, 1))
        return f"{prefix}{head}{pattern}{answer} =>{opening}{body}\n"

    def _slots(self, keyword: str) -> list[str]:
        self.slots = tuple(self.random.sample(("n", "total", "log", "import"), self.random.randint(0, 3)))
        lines = []
        for slot in self.slots:
            annotation = self.one_of(("", "", f" :: {self.one_of(_TYPES)}"))
            default = f" = {self.literal()}" if self.maybe(70) else ""
            lines.append(f"  {keyword} {slot}{annotation}{default}\n")
        return lines

    def _class(self) -> str:
        superclass = self.one_of(("Object", "Value", "Actor", "TestCase", "Error", "Unknown"))
        keyword = {"Value": "field:", "TestCase": "field:", "Actor": "state:"}.get(superclass)
        self.can_assign_slots = superclass in ("Actor", "TestCase")
        modifiers = " ".join(
            self.random.sample(("abstract", "sealed", "typed", "internal"), self.one_of_few())
        )
        parameters = self.one_of(("", "", "", "(T)", "(T, E :: Printable)"))
        doc = self.one_of(("", "/// About this class.\n", "// A comment.\n", "/// One\n/// two\n"))
        head = f"{doc}{modifiers}{' ' if modifiers else ''}{superclass} subclass: Made{parameters}\n"
        data = self._slots(keyword) if keyword else []
        self.in_method = True
        with self._scope():
            members = [self._member(i) for i in range(self.random.randint(0, 4))]
        self.slots, self.can_assign_slots, self.in_method = (), False, False
        return "".join([head, *data, "\n", "\n".join(members)])

    def one_of_few(self) -> int:
        return self.random.choice((0, 0, 0, 1, 2))

    def _member(self, number: int) -> str:
        self.fuel = max(self.fuel, 12)
        kept = self.slots
        if is_class_side := self.maybe(20):
            self.slots = ()
        above = self.one_of(("", "", "  /// Doc.\n", "  // Note.\n", "  @expect type\n", "  /* block */\n"))
        head = ("class " if is_class_side else "") + self.one_of(("", "", "sealed ", "internal "))
        text = above + self.method(f"m{number}", head=head)
        self.slots = kept
        return text

    def _protocol(self) -> str:
        signatures = (
            "size -> Integer",
            "at: i :: Integer -> T",
            "class make",
            "+ other -> Self",
            "do: block",
        )
        chosen = self.random.sample(signatures, self.random.randint(0, 4))
        return "Protocol define: Shown(T)\n" + "".join(f"  {each}\n" for each in chosen)

    def _extension(self, number: int) -> str:
        target = self.one_of(("Integer", "String class", "List", "Made"))
        self.in_method = True
        with self._scope():
            text = self.method(f"ext{number}", prefix=f"{target} >> ")
        self.in_method = False
        return text

    def program(self) -> str:
        """A whole file: an alias, a class or a protocol, extensions, statements; each may be missing."""
        parts = [f"type Weight = {self.one_of(_TYPES)}\n"] if self.maybe(20) else []
        parts.append(self._protocol() if self.maybe(10) else self._class())
        parts += [self._extension(i) for i in range(self.random.choice((0, 0, 1, 2)))]
        if self.maybe(40):
            self.fuel = max(self.fuel, 20)
            parts.append("\n".join(self._flat(text) for text in self.some(self.statement, 3, 1)) + "\n")
        return "\n".join(parts)

    def _flat(self, statement: str) -> str:
        """Module-level code begins at column 0; what is indented by the margin stays a continuation."""
        return statement.replace(f"\n{self._margin(0)}", "\n") if "\n" in statement else statement

    def input(self) -> str:
        """One prompt input."""
        return self.body(3)
