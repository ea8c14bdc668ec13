"""Public cases L1 to L4, X1, X2, Q2 and S1 to S5: patches, removals and evaluation in a running image."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workspace.lab import COUNTER, P0, Lab, lab_with, project


def test_l1_a_class_of_a_file_is_patched_and_shows_the_new_source(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("c := Counter spawn")
        assert lab("c increment") == "1"
        lab("Counter >> increment => self.value := self.value + 10")
        assert lab("c increment") == "11"
        assert "+ 10" in lab("(Counter >> #increment) source")
        lab("Counter >> reset => self.value := 0")
        assert lab("c reset") == "0"
        assert lab("c getValue") == "0"


BADGE = "Object subclass: Badge\n  class show => self tag\n"
EXTRAS = 'Badge class >> tag => "tagged"\n'


@pytest.mark.parametrize("order", [("Badge", "BadgeExtras"), ("BadgeExtras", "Badge")])
def test_l2_a_class_side_extension_is_found(tmp_path: Path, order: tuple[str, str]) -> None:
    lab = Lab(project(tmp_path, {"src/Badge.bt": BADGE, "src/BadgeExtras.bt": EXTRAS}))
    try:
        for name in order:
            lab(f'Workspace load: "src/{name}.bt"')
        assert lab("Badge tag") == '"tagged"'
        assert lab("Badge show") == '"tagged"'
        assert lab("Badge respondsTo: #tag") == "true"
    finally:
        lab.close()


def test_l2_an_own_method_wins_over_an_extension(tmp_path: Path) -> None:
    own = BADGE + '  class tag => "own"\n'
    with lab_with(tmp_path, {"src/Badge.bt": own, "src/BadgeExtras.bt": EXTRAS}) as lab:
        assert lab("Badge tag") == '"own"'
        assert lab("Badge show") == '"own"'


STEPPED = """Actor subclass: Counter
  state: value = 0
  state: step = 5
  increment => self.value := self.value + self.step
  getValue => self.value
"""


def test_l3_live_actors_keep_their_slots_and_get_new_ones(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("c := Counter spawn")
        lab("c increment")
        lab("c increment")
        lab(STEPPED)
        assert lab("c getValue") == "2"
        assert lab("c increment") == "7"
        assert lab("(Counter spawn) increment") == "5"
        assert lab("c isAlive") == "true"
        lab(STEPPED.replace("  state: step = 5\n", "").replace("self.step", "1"))
        assert lab("c getValue") == "7"


SLOW = """Actor subclass: Slow
  state: done = 0
  work =>
    Timer sleep: 60
    self.done := self.done + 1
  done => self.done
"""


def test_l4_quick_patches_leave_a_waiting_actor_alive(tmp_path: Path) -> None:
    with lab_with(tmp_path, {"src/Slow.bt": SLOW}) as lab:
        lab("s := Slow spawn")
        lab("s work!")
        for answer in (1, 2, 3):
            lab(f"Slow >> ping => {answer}")
        lab("Timer sleep: 90")
        assert [lab("s isAlive"), lab("s done"), lab("s ping")] == ["true", "1", "3"]


FAMILY = {
    "src/Base.bt": 'Actor subclass: Base\n  greet => "base"\n  class make => "base"\n',
    "src/Kid.bt": 'Base subclass: Kid\n  greet => "kid"\n  class make => "kid"\n',
}


def test_x1_removing_an_override_shows_the_inherited_method(tmp_path: Path) -> None:
    with lab_with(tmp_path, FAMILY) as lab:
        lab("k := Kid spawn")
        assert lab("k greet") == '"kid"'
        assert lab("Kid removeSelector: #greet") == "Kid"
        assert lab("k greet") == '"base"'
        assert lab("Kid includesSelector: #greet") == "false"
        lab("Kid class removeSelector: #make")
        assert lab("Kid make") == '"base"'
        entries = "Workspace changes allEntries collect: [:e | e side]"
        assert lab(entries) == "#(#instance, #class)"


def test_x2_a_removed_class_leaves_nothing_behind(tmp_path: Path) -> None:
    extras = 'Counter >> shout => "!"\n'
    with lab_with(tmp_path, {**P0, "src/CounterExtras.bt": extras}) as lab:
        lab("Counter subclass: Sub\n  noop => nil")
        logged = lab("Workspace changes allEntries size")
        refused = lab.error("Counter removeFromSystem")
        assert "Sub" in f"{refused.message} {refused.hint}"
        assert lab("Workspace changes allEntries size") == logged
        lab("Sub removeFromSystem")
        lab("c := Counter spawn")
        lab("Counter removeFromSystem")
        assert lab("c isAlive") == "false"
        assert lab("Beamtalk classNamed: #Counter") == "nil"
        removed = "(Workspace changes activeEntries select: [:e | e isRemoveClass])"
        assert lab(f"({removed} select: [:e | e isFlushable]) collect: [:e | e className]") == "#(#Counter)"
        assert lab.read("src/Counter.bt") == COUNTER
        lab("Actor subclass: Counter\n  getValue => 1")
        assert lab.error("(Counter spawn) shout").kind == "does_not_understand"
        assert lab("(Counter spawn) getValue") == "1"
        assert lab.error("Integer removeFromSystem").kind == "runtime_error"


def test_q2_the_old_senders_are_gone_and_the_others_never(tmp_path: Path) -> None:
    menu = "Object subclass: Menu\n  class run: c => c increment\n  class go: c => c getValue\n"
    with lab_with(tmp_path, {**P0, "src/Menu.bt": menu}) as lab:
        assert "run:" in lab("SystemNavigation default sendersOf: #increment")
        other = lab.workspace.sessions.open("repl")
        for body in ("c getValue", "c increment") * 10:
            lab.workspace.evaluator.run(lambda body=body: other.evaluate(f"Menu class >> run: c => {body}"))
            found = lab("SystemNavigation default sendersOf: #getValue")
            assert "go:" in found
            assert ("run:" in found) == (body == "c getValue")


LANGUAGE = {
    "src/Picker.bt": (
        "Object subclass: Picker\n  class pick: items =>\n    items do: [:x | x > 2 ifTrue: [^x]]\n    nil\n"
    ),
    "src/ValuePicker.bt": (
        "Value subclass: ValuePicker\n  pick: items =>\n    items do: [:x | x > 2 ifTrue: [^x]]\n    nil\n"
    ),
    "src/ActorPicker.bt": (
        "Actor subclass: ActorPicker\n  pick: items =>\n    items do: [:x | x > 2 ifTrue: [^x]]\n    nil\n"
    ),
    "src/Tally.bt": """Object subclass: Tally
  classState: hits = 0
  class bump: n =>
    i := 0
    [i < n] whileTrue: [
      j := 0
      [j < n] whileTrue: [
        self.hits := self.hits + 1
        j := j + 1
      ]
      i := i + 1
    ]
    self.hits
  class hits => self.hits
""",
    "src/Reg.bt": """Actor subclass: Reg
  state: seen :: Integer = 0
  note: it -> Integer =>
    it match: [
      nil -> [
        self.seen := self.seen + 2
        self.seen - 1
      ] value;
      other :: Integer -> other
    ]
  seen => self.seen
""",
    "src/Drink.bt": "Value subclass: Drink\n  field: value = nil\n  class wrap: v => self new: #{#value => v}\n",
    "src/Coffee.bt": "Drink subclass: Coffee\n  field: milk = false\n  isHot => true\n",
}

ADDER = """{kind} subclass: Adder
  {side}total: items =>
    sum := 0
    items do: [:x | sum := sum + x]
    sum
  {side}upTo: n =>
    i := 0
    acc := 0
    [i < n] whileTrue: [
      i := i + 1
      acc := acc + i
    ]
    acc
  {side}lastOf: n =>
    last := 0
    1 to: n do: [:i | last := i]
    last
"""


@pytest.mark.parametrize("receiver", ["Picker", "ValuePicker new", "ActorPicker spawn"])
def test_s1_a_return_inside_a_block_leaves_the_method(tmp_path: Path, receiver: str) -> None:
    with lab_with(tmp_path, LANGUAGE) as lab:
        lab(f"p := {receiver}")
        assert lab("p pick: #(1, 3, 5)") == "3"
        assert lab("p pick: #(1)") == "nil"
        if receiver.endswith("spawn"):
            assert lab("p isAlive") == "true"


@pytest.mark.parametrize(
    ("kind", "side", "receiver"),
    [("Object", "class ", "Adder"), ("Value", "", "Adder new"), ("Actor", "", "Adder spawn")],
)
def test_s2_locals_changed_in_loops_are_kept(tmp_path: Path, kind: str, side: str, receiver: str) -> None:
    with lab_with(tmp_path, {"src/Adder.bt": ADDER.format(kind=kind, side=side)}) as lab:
        lab(f"a := {receiver}")
        assert [lab("a total: #(1, 2, 3)"), lab("a upTo: 4"), lab("a lastOf: 5")] == ["6", "10", "5"]


def test_s2_locals_of_the_prompt_are_kept_too(tmp_path: Path) -> None:
    with lab_with(tmp_path, {}) as lab:
        lab("sum := 0")
        lab("#(1, 2, 3) do: [:x | sum := sum + x]")
        lab("i := 0")
        lab("[i < 4] whileTrue: [i := i + 1]")
        lab("1 to: 5 do: [:k | last := k]")
        assert [lab("sum"), lab("i")] == ["6", "4"]


def test_s3_class_variables_changed_in_nested_loops(tmp_path: Path) -> None:
    with lab_with(tmp_path, LANGUAGE) as lab:
        assert [lab("Tally bump: 3"), lab("Tally hits")] == ["9", "9"]


def test_s4_a_match_arm_that_changes_the_actor(tmp_path: Path) -> None:
    with lab_with(tmp_path, LANGUAGE) as lab:
        lab("r := Reg spawn")
        sent = [lab("r note: nil"), lab("r note: nil"), lab("r note: 7"), lab("r seen")]
        assert sent == ["1", "3", "7", "4"]


def test_s5_an_inherited_factory_makes_the_subclass(tmp_path: Path) -> None:
    with lab_with(tmp_path, LANGUAGE) as lab:
        assert lab("(Coffee wrap: 1) class") == "Coffee"
        assert lab("(Coffee wrap: 1) isHot") == "true"
        assert lab("(Coffee wrap: 1) milk") == "false"
        assert lab("(Drink wrap: 1) class") == "Drink"
        assert lab("((Coffee new) withValue: 2) milk") == "false"
