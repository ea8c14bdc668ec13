"""Dispatch, redefinition, shapes, class variables and actor state (language.md 4.2, 4.3, 4.7, 4.8; actors.md 5)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from lang.runtime.blocks import copy_for_crossing
from lang.runtime.classes import Slot
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject, ValueObject, fields_of
from lang.runtime.processes.actor_system import actors_of
from lang.runtime.processes.migration import migrate
from lang.syntax.units import Side
from tests.lang.codegen.image import Image

CLASSES = """Value subclass: Base
  field: x = 1
  field: y

  who => "base"

  describe => "I am {self who}"

  viaBlock => [self who] value

  viaRealBlock =>
    b := [self who]
    b value

  class make => self new

  class label => "class base"

  class viaSelf => self label

  class count: n =>
    self.made := n
    self error: "no"

  class keep: n =>
    #(1) do: [:i |
      self.made := n
      ^self
    ]

  class made => self.made

  classState: made = 0

Base subclass: Derived
  field: z = 3

  who => "derived of {super who}"

  class label => "class derived"

Value subclass: Proxy
  field: log = nil

  doesNotUnderstand: selector args: arguments => "{selector} {arguments}"

  class doesNotUnderstand: selector args: arguments => "class {selector}"

Actor subclass: Store
  state: n = 0
  state: m = 0

  set: k => self.n := k

  n => self.n

  fail: k =>
    self.n := k
    self.m := k
    self error: "no"

  inner: k =>
    self.n := k
    [self fail: 99] on: Error do: [:e | self.m := self.n]
    #(self.n, self.m)

  innerStored: k =>
    self.n := k
    b := [self fail: 99]
    b on: Error do: [:e | self.m := self.n]
    #(self.n, self.m)

  jump: k =>
    #(1) do: [:i |
      self.n := k
      ^#jumped
    ]

  self: k => self set: k

  both => #(self.n, self.m)
"""


@pytest.fixture
def image(library_cache: Path) -> Image:
    image = Image(library_cache)
    image.load(CLASSES)
    return image


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Derived new describe", '"I am derived of base"'),
        ("Derived new viaBlock", '"derived of base"'),
        ("Derived new viaRealBlock", '"derived of base"'),
        ("Derived viaSelf", '"class derived"'),
        ("Derived make", "Derived(x: 1, y: nil, z: 3)"),
        ("Derived x: 1 y: 2", "Base(x: 1, y: 2)"),
        ("(Derived new withX: 9) class", "Derived"),
        ("Derived new: #{#x => 7, #nope => 1}", "Derived(x: 7, y: nil, z: 3)"),
        ("Derived new =:= (Derived z: 3)", "true"),
        ("Base new =:= Derived new", "false"),
        ("Proxy new foo: 1 bar: 2", '"foo:bar: #(1, 2)"'),
        ("Proxy frob", '"class frob"'),
        ("Base made", "0"),
        ("[Base count: 5] on: Error do: [:e | Base made]", "0"),
        ("Base keep: 5. Base made", "5"),
        ("Derived keep: 6. #(Base made, Derived made)", "#(0, 6)"),
    ],
)
def test_classes(image: Image, source: str, expected: str) -> None:
    assert image.show(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("s fail: 7", "#(1, 0)"),
        ("s inner: 7", "#(7, 7)"),
        ("s innerStored: 8", "#(8, 8)"),
        ("s jump: 4", "#(4, 0)"),
        ("s self: 5", "#(5, 0)"),
        ("s set: 6!", "#(6, 0)"),
    ],
)
def test_actor_state(image: Image, source: str, expected: str) -> None:
    image.run("s := Store spawn. s set: 1")
    image.run(f"[{source.removesuffix('!')}] on: Error do: [:e | 0]" if "!" not in source else source)
    assert image.show("s both") == expected


class TestPatches:
    def test_every_site_sees_the_new_method_at_its_next_send(self, image: Image) -> None:
        assert image.show("Derived new describe") == '"I am derived of base"'
        image.patch("Base", 'who => "patched"')
        assert image.show("Derived new describe") == '"I am derived of patched"'
        image.patch("Derived", 'who => "own"')
        assert image.show("#(Derived new describe, Derived new viaRealBlock)") == '#("I am own", "own")'

    def test_a_running_method_ends_with_the_code_it_began_with(self, image: Image) -> None:
        image.patch("Base", 'run: b => b value. "old"')

        def swap() -> None:
            image.patch("Base", 'run: b => "new"')

        image.variables["swap"] = swap
        assert image.show("Base new run: swap") == '"old"'
        assert image.show("Base new run: swap") == '"new"'

    def test_removing_a_method_reaches_the_inherited_one(self, image: Image) -> None:
        derived = image.runtime.existing_class("Derived")
        assert image.show("Derived new describe") == '"I am derived of base"'
        kept = {k: v for k, v in derived.definition.methods.items() if k != "who"}
        derived.definition = replace(derived.definition, methods=MappingProxyType(kept))
        image.runtime.forget_selectors(["who"])
        assert image.show("Derived new describe") == '"I am base"'

    def test_a_renamed_class_keeps_its_references(self, image: Image) -> None:
        image.patch("Derived", "another => Base new")
        base = image.runtime.existing_class("Base")
        assert image.show("Derived new another") == "Base(x: 1, y: nil)"
        base.definition = base.definition.renamed("Ground")
        names = {k: v for k, v in image.runtime.class_names.items() if k != "Base"}
        image.runtime.bind_names(MappingProxyType({**names, "Ground": base}))
        assert image.show("Derived new another") == "Ground(x: 1, y: nil)"
        assert image.show("Derived superclass") == "Ground"
        with pytest.raises(NameError):
            image.run("Base new")

    def test_code_in_flight_reaches_a_renamed_method(self, image: Image) -> None:
        image.patch("Base", "old => 5")
        image.patch("Base", "sender: b => b value. self old")
        image.variables["swap"] = lambda: self._rename(image)
        assert image.show("Base new sender: swap") == "5"
        with pytest.raises(BeamtalkError, match="does not understand 'old'"):
            image.run("Base new old")
        assert image.show("Base new new1") == "5"

    @staticmethod
    def _rename(image: Image) -> None:
        base = image.runtime.existing_class("Base")
        image.patch("Base", "new1 => 5")
        image.patch("Base", "sender: b => b value. self new1")
        kept = {k: v for k, v in base.definition.methods.items() if k != "old"}
        base.definition = replace(base.definition, methods=MappingProxyType(kept))
        image.runtime.forget_selectors(["old"])
        image.runtime.retired.retire(base, Side.INSTANCE, "old", "new1")

    def test_a_message_older_than_the_rename_reaches_it(self, image: Image) -> None:
        base = image.runtime.existing_class("Base")
        image.patch("Base", "new1 => 5")
        before = image.runtime.retired.stamp
        image.runtime.retired.retire(base, Side.INSTANCE, "old", "new1")
        receiver = image.run("Base new")
        image.runtime.retired.delivering = before
        assert image.runtime.send_own(receiver, "old", ()) == 5
        image.runtime.retired.delivering = image.runtime.retired.stamp
        with pytest.raises(BeamtalkError):
            image.runtime.send_own(receiver, "old", ())


class TestShapes:
    def test_old_instances_read_defaults_of_new_slots(self, image: Image) -> None:
        old = image.run("Base new: #{#x => 5}")
        base = image.runtime.existing_class("Base")
        slots = (*base.definition.slots, Slot("w", lambda: 42))
        base.definition = replace(base.definition, slots=slots)
        image.patch("Base", "w2 => self.w + 1")
        new = image.run("Base new")
        assert type(new) is not type(old)
        image.variables["old"] = old
        assert image.show("old w2") == "43"
        assert image.show("(old withX: 6)") == "Base(w: 42, x: 6, y: nil)"
        assert isinstance(old, ValueObject)
        assert fields_of(old) == {"x": 5, "y": None, "w": 42}
        assert image.show("(old withX: 1) =:= Base new") == "true"

    def test_actors_migrate_by_name(self, image: Image) -> None:
        actor = image.run("s := Store spawn. s set: 3. s")
        assert isinstance(actor, ActorObject)
        store = image.runtime.existing_class("Store")
        store.definition = replace(store.definition, slots=(Slot("n"), Slot("extra", lambda: 8)))
        image.runtime.forget_selectors([])
        migrate(actors_of(image.runtime), actor)
        assert fields_of(actor) == {"n": 3, "extra": 8}


def test_blocks_cross_with_copies(image: Image) -> None:
    image.load("Value subclass: Maker\n  make =>\n    n := 0\n    #([n := n + 1], [n])\n")
    image.run("pair := Maker new make. pair")
    up, read = (image.run(f"pair at: {i}") for i in (1, 2))
    assert callable(up)
    assert callable(read)
    copy = copy_for_crossing(up)
    assert [copy(), copy(), read(), up(), read()] == [1, 2, 0, 1, 1]


def test_classes_answer_for_themselves(image: Image) -> None:
    runtime = image.runtime
    derived = runtime.existing_class("Derived")
    assert [c.name for c in derived.chain()] == ["Derived", "Base", "Value", "Object", "ProtoObject"]
    assert runtime.subclasses_of(runtime.existing_class("Base")) == [derived]
    assert image.show("#(Derived class, Derived class class, Derived class class class)") == (
        "#(Derived class, Derived class, Derived class)"
    )
    assert image.show("Derived new class =:= Derived") == "true"


def test_the_poll_runs_when_it_is_asked_for(image: Image) -> None:
    served: list[int] = []
    before = image.runtime.safe_points.serve
    image.runtime.safe_points.serve = lambda: served.append(1)
    image.runtime.safe_points.request()
    image.run("Base new who")
    image.runtime.safe_points.serve = before
    assert served == [1]


def test_a_builder_makes_class_methods_with_self(image: Image) -> None:
    image.run(
        "k := Object classBuilder name: #Built; classVars: #{#n => 3}; classMethods: #{"
        "#bump => [:self | self.n := self.n + 1. self.n], #twice => [:self | self bump. self bump],"
        "#named => [:self | super name]}; register"
    )
    assert image.show("k bump. #(k twice, Built named, Built superclass)") == "#(6, #Built, Object)"
    with pytest.raises(BeamtalkError, match="Wrong number of arguments"):
        image.run("Object classBuilder name: #Bad; classMethods: #{#a: => [:c | 1]}; register")


def test_names_of_no_class_follow_their_value(image: Image) -> None:
    image.patch("Base", "glance => Spot")
    names = image.runtime.class_names
    with pytest.raises(NameError):
        image.run("Base new glance")
    image.runtime.bind_names(MappingProxyType({**names, "Spot": 1}))
    assert image.run("Base new glance") == 1
    image.runtime.bind_names(MappingProxyType({**names, "Spot": 2}))
    assert image.run("Base new glance") == 2
    image.runtime.bind_names(names)
    with pytest.raises(NameError):
        image.run("Base new glance")
