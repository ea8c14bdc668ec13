"""Dataclasses that cost little to define: what the standard ones do, made when it is first used.

Comes in: a class with annotated fields. Guarantees: slots, constructor, equality, hash, order and representation
as `dataclasses` has them, and its functions (`fields`, `asdict` …) take the classes. A constructor is compiled when the
first instance is made. Frozen classes are frozen to the type checker; nothing looks at an assignment at run
time, so that an instance is made in half the time. Leaves: what nobody here uses (`InitVar`,
`__post_init__`, keyword-only fields).

The standard decorator compiles up to eight functions for each class, and its module imports `inspect`: half a
millisecond a class, 130 ms of every start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter, ge, gt, le, lt
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    # To the type checker these are the standard ones, with all their rules.
    from dataclasses import dataclass, field, replace
else:

    def dataclass(
        *,
        frozen: bool = False,
        slots: bool = True,
        eq: bool = True,
        order: bool = False,
        unsafe_hash: bool = False,
    ) -> Callable[[type], type]:
        """As `dataclasses.dataclass`; instances always have slots."""
        if not slots:
            raise TypeError("instances have slots here: say slots=True")

        def made(declared: type) -> type:
            is_hashed = unsafe_hash or (eq and frozen)
            return _Definition(declared).made(is_compared=eq, is_ordered=order, is_hashed=is_hashed)

        return made

    def field(
        *,
        default: object = ...,
        default_factory: Callable[[], object] | None = None,
        init: bool = True,
        repr: bool = True,
        compare: bool = True,
    ) -> _Field:
        """As `dataclasses.field`."""
        return _Field(default, default_factory, is_given=init, is_shown=repr, is_compared=compare)

    def replace(instance: Any, /, **changes: object) -> Any:
        """As `dataclasses.replace`: a copy in which some fields are others."""
        made = type(instance)
        for name in made.__match_args__:
            if name not in changes:
                changes[name] = getattr(instance, name)
        return made(**changes)


__all__ = ["dataclass", "field", "replace"]

_REQUIRED: Final = ...
"""The default of a field that has none; no field here has the ellipsis as its default."""
_FIELDS: Final = "__light_fields__"


class _Field:
    """What the constructor and the comparisons do with one field."""

    __slots__ = ("default", "factory", "is_compared", "is_given", "is_shown")

    def __init__(
        self,
        default: object = _REQUIRED,
        factory: Callable[[], object] | None = None,
        *,
        is_given: bool = True,
        is_shown: bool = True,
        is_compared: bool = True,
    ) -> None:
        self.default = default
        self.factory = factory
        self.is_given = is_given
        self.is_shown = is_shown
        self.is_compared = is_compared


class _Definition:
    """One class in the making."""

    def __init__(self, declared: type) -> None:
        self._declared = declared
        self._members = dict(declared.__dict__)
        self._own = {name: _field_of(self._members.pop(name, _REQUIRED)) for name in _annotated(declared)}
        self._inherited: dict[str, _Field] = next(
            (found for base in declared.__mro__[1:] if (found := base.__dict__.get(_FIELDS)) is not None), {}
        )

    def made(self, *, is_compared: bool, is_ordered: bool, is_hashed: bool) -> type:
        """The class with slots and the methods that its fields ask for."""
        fields = self._inherited | self._own
        classes: list[type] = []
        added: dict[str, Any] = {
            "__init__": _first_call(classes, fields),
            "__repr__": _shown([name for name, each in fields.items() if each.is_shown]),
        }
        if is_compared:
            values = _values_of([name for name, each in fields.items() if each.is_compared])
            added |= {"__eq__": _equality(values), "__hash__": _hash_of(values) if is_hashed else None}
        if is_ordered:
            added |= {f"__{each.__name__}__": _ordered(each, values) for each in (lt, le, gt, ge)}
        members = added | {n: v for n, v in self._members.items() if n not in ("__dict__", "__weakref__")}
        members |= {
            "__slots__": tuple(name for name in self._own if name not in self._inherited),
            "__match_args__": tuple(name for name, each in fields.items() if each.is_given),
            "__dataclass_fields__": _StandardFields(),
            _FIELDS: fields,
        }
        declared = self._declared
        made = type(declared)(declared.__name__, declared.__bases__, members)
        classes.append(made)
        return made


def _annotated(declared: type) -> Iterator[str]:
    """The names of the fields; annotations are texts here (`from __future__ import annotations`)."""
    for name, annotation in declared.__dict__.get("__annotations__", {}).items():  # noqa: RUF063 - imports `inspect`
        if not str(annotation).startswith(("ClassVar", "typing.ClassVar")):
            yield name


def _field_of(value: object) -> _Field:
    return value if isinstance(value, _Field) else _Field(value)


# ---------------------------------------------------------------- methods


def _first_call(classes: list[type], fields: dict[str, _Field]) -> Callable[..., None]:
    """A constructor that puts the real one in its place when it is first called; the class comes later."""

    def __init__(self: object, *arguments: object, **named: object) -> None:  # noqa: N807
        owner = classes[0]
        constructor = _constructor(owner, fields)
        # On the class as it is now: somebody may have replaced this function meanwhile.
        if owner.__dict__.get("__init__") is __init__:
            owner.__init__ = constructor  # type: ignore[misc]
        constructor(self, *arguments, **named)

    return __init__


def _constructor(owner: type, fields: dict[str, _Field]) -> Callable[..., None]:
    namespace: dict[str, Any] = {}
    parameters, lines = [], []
    for name, each in fields.items():
        value = name
        if each.factory is not None:
            namespace[f"_make_{name}"] = each.factory
            namespace["_absent"] = _REQUIRED
            value = f"_make_{name}() if {name} is _absent else {name}" if each.is_given else f"_make_{name}()"
            parameters += [f"{name}=_absent"] if each.is_given else []
        elif each.default is not _REQUIRED:
            namespace[f"_default_{name}"] = each.default
            value = name if each.is_given else f"_default_{name}"
            parameters += [f"{name}=_default_{name}"] if each.is_given else []
        else:
            parameters.append(name)
        lines.append(f"    self.{name} = {value}")
    exec(f"def __init__({', '.join(['self', *parameters])}):\n" + ("\n".join(lines) or "    pass"), namespace)
    made: Callable[..., None] = namespace["__init__"]
    made.__qualname__ = f"{owner.__qualname__}.__init__"
    return made


def _values_of(names: list[str]) -> Callable[[Any], object]:
    """The values that are compared: a tuple, or the one value."""
    return attrgetter(*names) if names else lambda _instance: ()


def _equality(values: Callable[[Any], object]) -> Callable[[object, object], bool]:
    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        if other.__class__ is not self.__class__:
            return NotImplemented
        # As elements of a tuple: what is identical is equal.
        return (values(self),) == (values(other),)

    return __eq__


def _hash_of(values: Callable[[Any], object]) -> Callable[[object], int]:
    def __hash__(self: object) -> int:  # noqa: N807
        return hash((values(self),))

    return __hash__


def _ordered(
    compare: Callable[[Any, Any], bool], values: Callable[[Any], object]
) -> Callable[[Any, Any], bool]:
    def ordered(self: object, other: object) -> bool:
        return compare(values(self), values(other)) if other.__class__ is self.__class__ else NotImplemented

    return ordered


def _shown(names: list[str]) -> Callable[[object], str]:
    def __repr__(self: object) -> str:  # noqa: N807
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({shown})"

    return __repr__


class _StandardFields:
    """What the functions of `dataclasses` look for in a class, made when they do."""

    def __get__(self, _instance: object, owner: type) -> object:
        import dataclasses  # noqa: PLC0415 - imports `inspect`, which is what this module is to avoid

        mine: dict[str, _Field] = getattr(owner, _FIELDS)
        standard = dataclasses.make_dataclass(
            owner.__name__, [(name, Any, _standard(each)) for name, each in mine.items()], kw_only=True
        )
        found: object = getattr(standard, "__dataclass_fields__")  # noqa: B009 - no attribute to the type checker
        # In its own place from now on: each is a class of its own to make, and `replace` asks every time.
        owner.__dataclass_fields__ = found  # type: ignore[attr-defined]
        return found


def _standard(each: _Field) -> Any:
    import dataclasses  # noqa: PLC0415 - as above

    options: dict[str, Any] = {"init": each.is_given, "repr": each.is_shown, "compare": each.is_compared}
    if each.factory is not None:
        options["default_factory"] = each.factory
    elif each.default is not _REQUIRED:
        options["default"] = each.default
    return dataclasses.field(**options)
