"""Which class a Python type stands for.

Guarantees: a type stands for one class for ever; `bool` stands for two, and the type of errors for many, so that
the value decides; a type that nobody registered is an opaque object of the host.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lang.runtime.classes import ClassObject, MetaclassObject
from lang.runtime.dispatch import TypeKey
from lang.runtime.errors import BeamtalkError
from lang.syntax.units import Side

if TYPE_CHECKING:
    from lang.runtime.runtime import Runtime


class TypeKeys:
    """The types of one image."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._keys: dict[type, TypeKey] = {}
        self._named: dict[str, ClassObject] = {}
        """Classes of Python types that nobody has met yet, by module and name of the type."""
        self._shared: dict[type, tuple[str, ...]] = {bool: ("True", "False"), BeamtalkError: ()}

    def bind(self, python_type: type, class_object: ClassObject) -> None:
        """Enter a type made for the instances of a class."""
        self._keys[python_type] = TypeKey(class_object, Side.INSTANCE)

    def bind_class(self, leaf: type, class_object: ClassObject) -> None:
        """Enter the type of a class object itself."""
        self._keys[leaf] = TypeKey(class_object, Side.CLASS)

    def bind_host(self, python_type: type, class_object: ClassObject) -> None:
        """Make values of a Python type instances of a class."""
        self._keys[python_type] = TypeKey(class_object, Side.INSTANCE)
        self._runtime.forget_type(python_type)

    def bind_host_named(self, type_name: str, class_object: ClassObject) -> None:
        """The same for a type that need not be imported yet; `type_name` is `module.name`."""
        self._named[type_name] = class_object

    def class_of_instance(self, value: object) -> ClassObject:
        """The class object whose instance a value is; class objects are instances of `Class`."""
        key = self._keys.get(type(value))
        if key is not None and key.side is Side.INSTANCE:
            return key.class_object
        if isinstance(value, BeamtalkError):
            return value.exception_class or self._runtime.existing_class(value.exception_class_name)
        if isinstance(value, ClassObject):
            return self._runtime.existing_class("Class")
        if isinstance(value, MetaclassObject):
            return self._runtime.existing_class("Metaclass")
        if value is True or value is False:
            return self._runtime.existing_class("True" if value else "False")
        return self.key_of(type(value)).class_object

    def key_of(self, python_type: type) -> TypeKey:
        """What a Python type stands for. A type that nobody registered is an opaque host object."""
        key = self._keys.get(python_type)
        if key is not None:
            return key
        named = self._named.get(f"{python_type.__module__}.{python_type.__qualname__}")
        if named is not None:
            key = self._keys[python_type] = TypeKey(named, Side.INSTANCE)
            return key
        if issubclass(python_type, MetaclassObject):
            return TypeKey(self._runtime.existing_class("Metaclass"), Side.INSTANCE)
        for name in ("PythonObject", "Object"):
            found = self._runtime.class_named(name)
            if found is not None:
                return TypeKey(found, Side.INSTANCE)
        raise LookupError(f"no class stands for {python_type}")

    def classes_of_shared_type(self, python_type: type) -> tuple[ClassObject, ...] | None:
        """The classes of a Python type that has several; empty when they are not known beforehand."""
        names = self._shared.get(python_type)
        if names is None:
            return None
        return tuple([self._runtime.existing_class(name) for name in names])
