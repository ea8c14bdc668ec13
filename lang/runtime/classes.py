"""Class objects and what they hold (language.md 4.1, 4.8; design "Objects").

A `ClassObject` is an identity for ever; all that a redefinition may change stands
in its frozen `definition`, replaced whole by one assignment. Superclass links are
between class objects; subclasses are derived from definitions. Class variables live
on the class object, one copy a class.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from lang.class_kind import ClassKind
from lang.dataclass import dataclass, field, replace
from lang.spelling import method_name
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime

Function = Callable[..., Any]
"""The code of a method: a Python function of receiver and arguments."""

CLASS_VARIABLE_PREFIX: Final = "v_"
"""Class variable `x` is the attribute `v_x` of the class object."""


class Provenance(enum.Enum):
    """Where a method comes from."""

    CLASS_BODY = "class_body"
    EXTENSION = "extension"
    CLASS_BUILDER = "class_builder"
    PATCH = "patch"
    GENERATED = "generated"


class Method:
    """A compiled method in a method dictionary.

    `function` is linked when it is first asked for, so that a library of many
    methods loads fast. Nothing else changes after the method was made.
    """

    __slots__ = (
        "_function",
        "_link",
        "arity",
        "doc",
        "is_internal",
        "is_primitive",
        "is_sealed",
        "owner",
        "provenance",
        "selector",
        "side",
        "source",
    )

    def __init__(  # noqa: PLR0913 - the facts of one declaration
        self,
        selector: str,
        arity: int,
        owner: ClassObject,
        side: Side,
        *,
        link: Callable[[], Function],
        source: str | None = None,
        doc: str | None = None,
        provenance: Provenance = Provenance.CLASS_BODY,
        is_sealed: bool = False,
        is_internal: bool = False,
        is_primitive: bool = False,
    ) -> None:
        self.selector = selector
        self.arity = arity
        self.owner = owner
        self.side = side
        self.source = source
        self.doc = doc
        self.provenance = provenance
        self.is_sealed = is_sealed
        self.is_internal = is_internal
        self.is_primitive = is_primitive
        self._link = link
        self._function: Function | None = None

    @property
    def function(self) -> Function:
        """The Python function: receiver first, then the arguments."""
        function = self._function
        if function is None:
            function = self._function = self._link()
        return function

    @property
    def is_linked(self) -> bool:
        """Whether the function was made already."""
        return self._function is not None

    def __repr__(self) -> str:
        return f"<Method {method_name(self.owner.name, self.side, self.selector)}>"


@dataclass(frozen=True, slots=True)
class Slot:
    """A declared `field:`, `state:` or `classState:`.

    `default` computes the initial value, None when the declaration has none (the
    value is nil). `annotation` is the type as written.
    """

    name: str
    default: Callable[[], object] | None = None
    annotation: str | None = None
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class ProtocolInfo:
    """What a protocol asks for: (selector, side) pairs of its own, and its parent's name."""

    required: tuple[tuple[str, Side], ...]
    extending: str | None = None


NO_METHODS: Final[Mapping[str, Method]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class ClassDefinition:
    """All that a redefinition of a class may change; never edited in place."""

    name: str
    superclass: ClassObject | None
    kind: ClassKind
    package: str = ""
    modifiers: frozenset[str] = frozenset()
    slots: tuple[Slot, ...] = ()
    class_slots: tuple[Slot, ...] = ()
    methods: Mapping[str, Method] = field(default_factory=lambda: NO_METHODS)
    class_methods: Mapping[str, Method] = field(default_factory=lambda: NO_METHODS)
    extensions: Mapping[str, Method] = field(default_factory=lambda: NO_METHODS)
    class_extensions: Mapping[str, Method] = field(default_factory=lambda: NO_METHODS)
    doc: str | None = None
    type_parameters: tuple[str, ...] = ()
    source_path: str | None = None
    protocol: ProtocolInfo | None = None

    @property
    def is_abstract(self) -> bool:
        """Whether instances of this very class are refused."""
        return "abstract" in self.modifiers

    @property
    def is_sealed(self) -> bool:
        """Whether subclasses are refused."""
        return "sealed" in self.modifiers

    def local_methods(self, side: Side) -> Mapping[str, Method]:
        """The methods of the class body, of one side."""
        return self.methods if side is Side.INSTANCE else self.class_methods

    def local_extensions(self, side: Side) -> Mapping[str, Method]:
        """The extensions registered on this class, of one side."""
        return self.extensions if side is Side.INSTANCE else self.class_extensions

    def find(self, selector: str, side: Side) -> Method | None:
        """The method that this class alone offers: its body first, then extensions (language.md 4.7)."""
        return self.local_methods(side).get(selector) or self.local_extensions(side).get(selector)

    def renamed(self, name: str) -> ClassDefinition:
        """The same definition under another name."""
        return replace(self, name=name)


class ClassObject:
    """A class: an identity that lives on through renames and redefinitions.

    Each has a Python type of its own (made by `Runtime.define_class`), the key of its
    metaclass in the selector tables. `type(instance)` leads back through
    `Runtime.class_of`.
    """

    definition: ClassDefinition
    runtime: Runtime
    metaclass: MetaclassObject
    is_removed: bool
    """Whether it was removed from the image; held references then only serve to name it."""
    is_host: bool
    """Whether receivers of its instance methods may be of types that are not derived from the root type."""

    def __init__(self, runtime: Runtime, definition: ClassDefinition, *, is_host: bool) -> None:
        self.runtime = runtime
        self.definition = definition
        self.is_host = is_host
        self.is_removed = False
        self._slots: tuple[int, tuple[Slot, ...]] | None = None
        self.metaclass = runtime.metaclass_type(self)

    @property
    def name(self) -> str:
        """The present name, without package."""
        return self.definition.name

    @property
    def superclass(self) -> ClassObject | None:
        """The present superclass; None for the root."""
        return self.definition.superclass

    @property
    def kind(self) -> ClassKind:
        """What its instances are."""
        return self.definition.kind

    def chain(self) -> Iterator[ClassObject]:
        """This class and its ancestors, nearest first."""
        at: ClassObject | None = self
        while at is not None:
            yield at
            at = at.definition.superclass

    def inherits_from(self, other: ClassObject) -> bool:
        """Whether `other` is this class or an ancestor of it."""
        at: ClassObject | None = self
        while at is not None:
            if at is other:
                return True
            at = at.definition.superclass
        return False

    def lookup(self, selector: str, side: Side) -> Method | None:
        """The method that an instance (or the class itself, by side) would run.

        Above the root the class side goes on with the instance side of `Class`
        (language.md 4.8).
        """
        at: ClassObject | None = self
        while at is not None:
            definition = at.definition
            found = definition.find(selector, side)
            if found is not None:
                return found
            at = definition.superclass
        if side is Side.INSTANCE:
            return None
        behaviour = self.runtime.class_class
        return behaviour.lookup(selector, Side.INSTANCE) if behaviour is not None else None

    def all_slots(self) -> tuple[Slot, ...]:
        """Slots of instances, ancestors' first; a slot redeclared lower down wins in its first place."""
        cached, generation = self._slots, self.runtime.generation
        if cached is not None and cached[0] == generation:
            return cached[1]
        slots = _merged(at.definition.slots for at in reversed(list(self.chain())))
        self._slots = generation, slots
        return slots

    def all_class_slots(self) -> tuple[Slot, ...]:
        """Class variables declared or inherited, ancestors' first."""
        return _merged(at.definition.class_slots for at in reversed(list(self.chain())))

    def __repr__(self) -> str:
        return f"<ClassObject {self.definition.name}>"


def _merged(levels: Iterator[tuple[Slot, ...]]) -> tuple[Slot, ...]:
    slots: dict[str, Slot] = {}
    for level in levels:
        for slot in level:
            slots[slot.name] = slot
    return tuple(slots.values())


class MetaclassObject:
    """`C class`. All metaclasses share one Python type (a subtype made by each `Runtime`)."""

    __slots__ = ("_above", "this_class")

    def __init__(self, this_class: ClassObject) -> None:
        self.this_class = this_class
        self._above: MetaclassObject | None = None

    @property
    def name(self) -> str:
        """`C class`."""
        return f"{self.this_class.name} class"

    @property
    def metaclass(self) -> MetaclassObject:
        """`C class class`, whose own class is itself (language.md 4.8)."""
        if self._above is None:
            self._above = type(self)(self.this_class)
            self._above._above = self._above
        return self._above

    def __repr__(self) -> str:
        return f"<{self.name}>"
