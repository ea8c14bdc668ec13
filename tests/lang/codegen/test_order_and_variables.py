"""Evaluation order, variables and blocks (language.md 4.4, 4.5, 4.7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lang.codegen.image import Image

CLASSES = """Value subclass: Order
  field: a = 0

  log: x to: trace => trace value: x

  sum: x with: y with: z => "{x},{y},{z}"

  readsBefore =>
    x := 1
    bump := [x := x + 1. 10]
    x + bump value

  readsBeforeInArguments =>
    x := 1
    bump := [x := x + 1. x]
    self sum: x with: bump value with: x

  assignsInOperands =>
    x := 1
    x + (x := 5)

  guardsOnce =>
    n := 0
    f := [n := n + 1. n]
    r := f value + f value
    "{r} {n}"

  cascadeReceiver =>
    n := 0
    f := [n := n + 1. Order new]
    (f value) withA: 1; withA: 2; a
    n

  nested: x =>
    (x > 3 and: [x < 10]) ifTrue: [
      y := x * 2
      y > 10 ifTrue: ["big {y}"] ifFalse: ["small {y}"]
    ] ifFalse: ["out"]

  orStatements: x =>
    (x < 0 or: [y := x * 2. y > 10]) ifTrue: ["yes"] ifFalse: ["no"]

  freshCells =>
    blocks := #()
    1 to: 3 do: [:i |
      sq := i * i
      blocks := blocks add: [sq]
    ]
    blocks collect: [:b | b value]

  freshCellsInWhile =>
    blocks := #()
    i := 0
    [i < 3] whileTrue: [
      j := i
      blocks := blocks add: [j := j + 1. j]
      i := i + 1
    ]
    (blocks at: 1) value
    blocks collect: [:b | b value]

  sharedCounter =>
    n := 0
    up := [n := n + 1]
    up value
    up value
    n := n * 10
    up value
    n

  namesItself =>
    f := [:k | k < 2 ifTrue: [1] ifFalse: [k * (f value: k - 1)]]
    f value: 5

  sameNameTwice =>
    true ifTrue: [t := 1. t] ifFalse: [t := 2. t]

  blockParameterHides =>
    x := 1
    [:x | x := x + 1. x] value: 5
    x

  loopVariableAssigned =>
    seen := #()
    1 to: 3 do: [:i |
      seen := seen add: i
      i := 100
    ]
    seen

  parameterAssigned: n =>
    n := n + 1
    n + 1

  early: flag =>
    flag ifTrue: [^"early"]
    "late"

  emptyBlocks => #([] value, (nil ifNil: []), (true ifTrue: []))

  floatLimit =>
    seen := #()
    1 to: 2.5 do: [:i | seen := seen add: i]
    seen

  downBy =>
    seen := #()
    5 to: 1 by: -2 do: [:i | seen := seen add: i]
    seen

  stepBy: s =>
    seen := #()
    1 to: 5 by: s do: [:i | seen := seen add: i]
    seen

  repeatUntil =>
    n := 0
    [n := n + 1. n > 4 ifTrue: [^n]] repeat

  whileFalse =>
    n := 0
    [n >= 3] whileFalse: [n := n + 1]
    n

  valueOfLoop => 3 timesRepeat: [1]

  literalBlockValue =>
    x := [y := 3. y + 1] value
    x

  deepBlocks =>
    a := 1
    f := [g := [a := a + 1]. g value. g value. a]
    f value

  strings: n =>
    s := ""
    n timesRepeat: [s := s ++ "x"]
    s
"""


@pytest.fixture(scope="module")
def image(library_cache: Path) -> Image:
    image = Image(library_cache)
    image.load(CLASSES)
    return image


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("readsBefore", "11"),
        ("readsBeforeInArguments", '"1,2,2"'),
        ("assignsInOperands", "6"),
        ("guardsOnce", '"3 2"'),
        ("cascadeReceiver", "1"),
        ("nested: 4", '"small 8"'),
        ("nested: 9", '"big 18"'),
        ("nested: 12", '"out"'),
        ("orStatements: -1", '"yes"'),
        ("orStatements: 6", '"yes"'),
        ("orStatements: 2", '"no"'),
        ("freshCells", "#(1, 4, 9)"),
        ("freshCellsInWhile", "#(2, 2, 3)"),
        ("sharedCounter", "21"),
        ("namesItself", "120"),
        ("sameNameTwice", "1"),
        ("blockParameterHides", "1"),
        ("loopVariableAssigned", "#(1, 2, 3)"),
        ("parameterAssigned: 1", "3"),
        ("early: true", '"early"'),
        ("early: false", '"late"'),
        ("emptyBlocks", "#(nil, nil, nil)"),
        ("floatLimit", "#(1, 2)"),
        ("downBy", "#(5, 3, 1)"),
        ("stepBy: 2", "#(1, 3, 5)"),
        ("stepBy: -1", "#()"),
        ("repeatUntil", "5"),
        ("whileFalse", "3"),
        ("valueOfLoop", "nil"),
        ("literalBlockValue", "4"),
        ("deepBlocks", "3"),
        ("strings: 3", '"xxx"'),
    ],
)
def test_method(image: Image, source: str, expected: str) -> None:
    assert image.show(f"Order new {source}") == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x := 1. b := [x := x + 1]. b value. b value. x", "3"),
        ("b := [x := 5. x]. b value", "5"),
        ("x := 1. 3 timesRepeat: [x := x * 2]. x", "8"),
        ("[:a | ^a] value: 3", "3"),
        ("x := 0. true ifTrue: [^7]. x", "0"),
        ("a := b := 3. a + b", "6"),
        ("3 + 4; * 10", "30"),
        ("(3 + 4) ; + 1", "8"),
        ("x := 5. x ifNil: [1] ifNotNil: [:v | v + 1]", "6"),
        ("3 ifNotNil: [9]", "9"),
        ("nil ifNotNil: [:v | v]", "nil"),
        ("3 ifNil: [1]", "3"),
        ("true and: [3]", "3"),
        ("false or: [nil]", "nil"),
        ("b := [:x | x]. b value: 2", "2"),
    ],
)
def test_at_the_prompt(image: Image, source: str, expected: str) -> None:
    image.variables.clear()
    assert image.show(source) == expected


def test_inputs_share_variables(image: Image) -> None:
    image.variables.clear()
    image.run("total := 0. add := [:n | total := total + n]")
    image.run("add value: 4")
    image.run("total := total * 2")
    assert image.show("add value: 1. total") == "9"
    image.run("#(1, 2) do: [:n | total := total + n]")
    assert image.show("total") == "12"
