"""`^`, exceptions, `ensure:`, conditions that are no Booleans, fall-backs of what is inlined."""

from __future__ import annotations

from pathlib import Path

import pytest

from lang.runtime.blocks import NonLocalReturn
from lang.runtime.depth import run_on_evaluator_stack
from lang.runtime.errors import BeamtalkError, as_beamtalk_error
from tests.lang.codegen.image import Image

CLASSES = """Value subclass: Flow
  field: a = 0

  find: v in: aList =>
    aList do: [:e | e =:= v ifTrue: [^"found {e}"]]
    "none"

  escaping => [:x | ^x]

  throughHandler: aList =>
    [aList do: [:e | ^e]] on: Error do: [:e | "caught"]
    "end"

  ensureOrder =>
    trace := ""
    r := [[trace := trace ++ "a". ^self note: trace] ensure: [trace := trace ++ "b"]] value
    r

  note: s => s

  cleanups: aList =>
    trace := #()
    [
      [trace := trace add: 1. 1 / 0] ensure: [trace := trace add: 2]
    ] on: Error do: [:e | trace := trace add: 3]
    trace

  valueOfHandler => [1 / 0. 5] on: TypeError do: [:e | e kind]

  noParameters => [1 / 0] on: Error do: [42]

  handlerVariable: h => [1 / 0] on: Error do: h

  classVariableHolder: c => [self error: "x"] on: c do: [:e | "caught"]

  protectedValue => [7] on: Error do: [:e | 0]

  nestedHandlers =>
    [[self error: "in"] on: TypeError do: [:e | "wrong"]] on: Error do: [:e | e message]

  errorInHandler =>
    [[self error: "one"] on: Error do: [:e | self error: "two"]] on: Error do: [:e | e message]

  errorInCleanup =>
    [[self error: "body"] ensure: [self error: "cleanup"]] on: Error do: [:e | e message]

  returnInLoop: n =>
    1 to: n do: [:i |
      b := [i]
      i > 2 ifTrue: [^b value]
    ]
    "end"

  recursive: n block: b =>
    n < 1 ifTrue: [b value: 3]
    n =:= 2 ifTrue: [self recursive: n - 1 block: [:x | ^"home {n}"]] ifFalse: [self recursive: n - 1 block: b]
    "end {n}"

  signalAgain =>
    [[self error: "x"] on: Error do: [:e | e signal]] on: Error do: [:e | "again {e message}"]

  deep: n => 1 + (self deep: n + 1)

  caughtDepth => [self deep: 1] on: Error do: [:e | e kind]

  unknownClass => NoSuchClass new

  caughtUnknown => [NoSuchClass new] on: Error do: [:e | e message]

Value subclass: Range2
  field: low = 0

  to: limit do: aBlock => aBlock value: "mine {limit}"

  to: limit by: step do: aBlock => aBlock value: step

  timesRepeat: aBlock => "{aBlock value} once"

  + other => "plus {other}"

  < other => 7

  value: x => "called {x}"

Value subclass: Users
  loop: r =>
    got := nil
    r to: 9 do: [:x | got := x]
    got

  steps: r =>
    got := nil
    r to: 9 by: 4 do: [:x | got := x]
    got

  returns: r =>
    r to: 9 do: [:x | ^x]
    nil

  repeats: r =>
    n := 0
    r timesRepeat: [n := n + 1]
    n

  add: r => r + 1

  less: r => r < 1

  condition: r => r < 1 ifTrue: [1] ifFalse: [2]

  call: b => b value: 3
"""


@pytest.fixture(scope="module")
def image(library_cache: Path) -> Image:
    image = Image(library_cache)
    image.load(CLASSES)
    return image


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Flow new find: 2 in: #(1, 2)", '"found 2"'),
        ("Flow new find: 5 in: #(1, 2)", '"none"'),
        ("Flow new throughHandler: #(8)", "8"),
        ("Flow new throughHandler: #()", '"end"'),
        ("Flow new ensureOrder", '"a"'),
        ("Flow new cleanups: #()", "#(1, 2, 3)"),
        ("Flow new valueOfHandler", "#type_error"),
        ("Flow new noParameters", "42"),
        ("Flow new handlerVariable: [:e | e kind]", "#type_error"),
        ("Flow new handlerVariable: [1]", "1"),
        ("Flow new classVariableHolder: Error", '"caught"'),
        ("Flow new classVariableHolder: nil", '"caught"'),
        ("Flow new protectedValue", "7"),
        ("Flow new nestedHandlers", '"in"'),
        ("Flow new errorInHandler", '"two"'),
        ("Flow new errorInCleanup", '"cleanup"'),
        ("Flow new returnInLoop: 5", "3"),
        ("Flow new returnInLoop: 2", '"end"'),
        ("Flow new recursive: 3 block: [:x | x]", '"end 3"'),
        ("Flow new recursive: 2 block: [:x | x]", '"home 2"'),
        ("Flow new signalAgain", '"again x"'),
        ("[Flow new escaping value: 3] on: Error do: [:e | e kind]", "#runtime_error"),
        ("Flow new caughtUnknown", "\"Class 'NoSuchClass' not found\""),
        ("Users new loop: Range2 new", '"mine 9"'),
        ("Users new loop: 8", "9"),
        ("Users new steps: Range2 new", "4"),
        ("Users new steps: 1", "9"),
        ("Users new returns: Range2 new", '"mine 9"'),
        ("Users new returns: 3", "3"),
        ("Users new repeats: Range2 new", "1"),
        ("Users new repeats: 4", "4"),
        ("Users new add: Range2 new", '"plus 1"'),
        ("Users new less: Range2 new", "7"),
        ("Users new call: Range2 new", '"called 3"'),
        ("[3 ifTrue: [1]] on: Error do: [:e | e message]", "\"Integer does not understand 'ifTrue:'\""),
        ("[Users new condition: Range2 new] on: Error do: [:e | e kind]", "#does_not_understand"),
        ("[nil and: [true]] on: Error do: [:e | e selector]", "#and:"),
        ("[[3] whileTrue: [1]] on: Error do: [:e | e selector]", "#whileTrue:"),
        ('["a" to: 3 do: [:i | i]] on: Error do: [:e | e kind]', "#does_not_understand"),
        ("[nil timesRepeat: [1]] on: Error do: [:e | e kind]", "#does_not_understand"),
        ('[1 + "a"] on: Error do: [:e | e kind]', "#type_error"),
        ("[nil + 1] on: Error do: [:e | e selector]", "#+"),
        ("[true + 1] on: Error do: [:e | e kind]", "#does_not_understand"),
    ],
)
def test_outcome(image: Image, source: str, expected: str) -> None:
    image.variables.clear()
    assert image.show(source) == expected


def test_endless_recursion_is_a_resource_error(image: Image) -> None:
    assert run_on_evaluator_stack(lambda: image.show("Flow new caughtDepth")) == "#resource_error"


def test_an_unknown_class_is_bound_when_it_appears(image: Image) -> None:
    with pytest.raises(NameError) as failure:
        image.run("Flow new unknownClass")
    assert as_beamtalk_error(failure.value).kind == "class_not_found"
    image.load("Value subclass: NoSuchClass\n  field: x = 1\n")
    assert image.show("Flow new unknownClass") == "NoSuchClass(x: 1)"
    image.runtime.remove_class(image.runtime.existing_class("NoSuchClass"))
    with pytest.raises(NameError):
        image.run("Flow new unknownClass")


def test_python_sees_positions_of_the_unit(image: Image) -> None:
    with pytest.raises(BeamtalkError) as failure:
        image.run("Flow new find: 1 in: 3")
    frame = next(f for f in failure.traceback if f.path and str(f.path).endswith("bt.test.Flow"))
    assert frame.lineno + 1 == 2


def test_a_handler_does_not_see_a_return(image: Image) -> None:
    assert not issubclass(NonLocalReturn, Exception)
    assert image.show("Flow new throughHandler: #(nil)") == "nil"
