"""An image with actor classes whose methods are Python functions: no compiler is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lang.class_kind import ClassKind
from lang.runtime.classes import ClassDefinition, ClassObject, Method, Slot
from lang.runtime.processes.actor_system import ActorSystem, install_actors
from lang.runtime.runtime import Runtime
from lang.syntax.units import Side
from tests.lang.runtime.processes.ground import FakeClock, ListLog

Functions = Mapping[str, Callable[..., object]]


class Image:
    def __init__(self) -> None:
        self.log = ListLog()
        self.clock = FakeClock()
        self.runtime = Runtime()
        self.system: ActorSystem = install_actors(self.runtime, self.clock, self.log)
        self.object = self.define("Object", None, kind=ClassKind.OBJECT)
        self.define("Class", self.object, kind=ClassKind.OBJECT)
        for name in ("Exception", "Error", "RuntimeError", "TypeError"):
            self.define(name, self.object, kind=ClassKind.OBJECT)
        self.actor = self.define("Actor", self.object)
        self.server = self.define("Server", self.actor, {"handleInfo:": lambda self, message: None})

    def define(
        self,
        name: str,
        superclass: ClassObject | None,
        functions: Functions | None = None,
        slots: tuple[Slot, ...] = (),
        kind: ClassKind = ClassKind.ACTOR,
    ) -> ClassObject:
        definition = ClassDefinition(name, superclass, kind, slots=slots)
        class_object = self.runtime.define_class(definition)
        self.redefine(class_object, functions or {}, slots)
        self.runtime.bind_names({**self.runtime.class_names, name: class_object})
        return class_object

    def redefine(self, class_object: ClassObject, functions: Functions, slots: tuple[Slot, ...]) -> None:
        old = class_object.definition
        methods = {
            text: Method(text, 0, class_object, Side.INSTANCE, link=lambda f=function: f)
            for text, function in functions.items()
        }
        class_object.definition = ClassDefinition(
            old.name, old.superclass, old.kind, slots=slots, methods=methods
        )
        self.runtime.forget_all()

    def send(self, receiver: object, selector: str, *arguments: object) -> object:
        return self.runtime.send(receiver, selector, *arguments)

    def run(self, action: Callable[[], object]) -> object:
        return self.system.scheduler.run(action)

    def sleep(self, seconds: float) -> None:
        self.system.scheduler.sleep(seconds)
