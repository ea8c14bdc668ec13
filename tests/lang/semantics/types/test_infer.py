"""Types of expressions, receivers of sends, and inferred results (types.md 2)."""

from __future__ import annotations

import pytest

from lang.ast import nodes as ast
from lang.ast.walk import walk
from lang.semantics.types.analysis import analyse, facts_of_unit
from lang.semantics.types.display import display
from lang.semantics.types.lattice import known
from lang.semantics.types.returns import inferred_return
from lang.semantics.types.world import World
from lang.syntax import parse_input
from lang.syntax.units import Side

from .worlds import harbour, world_of


def typed(expression: str, world: World | None = None) -> str:
    statements = parse_input(expression).units[-1].node
    assert isinstance(statements, ast.Statements)
    return display(facts_of_unit(statements, "", world or harbour()).body)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("3", "Integer"),
        ("#on", "#on"),
        ("nil", "Nil"),
        ("true", "Boolean"),
        ("$a", "Character"),
        ('"a{3}b"', "String"),
        ("#(1, 2)", "List(Integer)"),
        ("#()", "List"),
        ('#[1, "a"]', "Array(Integer | String)"),
        ("#{#a => 1}", "Dictionary(#a, Integer)"),
        ("[:x | 3]", "Block(Dynamic (unannotated parameter), Integer)"),
        ("Beacon", "Beacon class"),
        ("Beacon lit", "Beacon"),
        ("Beacon new flash + 1", "Integer"),
        ("Crane spawn tag", "String | Nil"),
        ("Bin with: 3", "Bin(Integer)"),
        ("(Bin with: #(1)) open first", "Integer"),
        ("#(1, 2) collect: [:e | e printString]", "List(String)"),
        ("#(1, 2) inject: 0 into: [:a :e | a + e]", "Integer"),
        ("3 > 2 ifTrue: [1] ifFalse: [#no]", "Integer | #no"),
        ("x := 3. y := x. y", "Integer"),
        ("Python math sqrt: 16", "Dynamic (untyped FFI)"),
        ("Crane spawn load!", "Nil"),
        ("Pallet new stamp; weight", "Integer"),
        ("Beacon class", "Metaclass"),
        ("3 class", "Integer class"),
        ("Engine new", "Dynamic"),
        ("(Result ok: 3) value", "Integer"),
        ("3 error: \"no\"", "Never"),
        ("n := 0. #(1) do: [:e | n := e printString]. n", "Dynamic"),
    ],
)  # fmt: skip
def test_the_type_of_an_expression(expression: str, expected: str) -> None:
    assert typed(expression) == expected


def test_a_chain_of_sends_costs_no_stack() -> None:
    assert typed("1" + " abs" * 5000) == "Integer"


def test_every_send_has_a_receiver_type() -> None:
    node = parse_input("Crane spawn lift: 3 abs; load").units[-1].node
    assert node is not None
    facts = facts_of_unit(node, "", harbour())
    selectors = [each for each in walk(node) if isinstance(each, ast.Selector)]
    shown = {each.text: display(facts.receiver_type(each) or known("?")) for each in selectors}
    assert shown == {"spawn": "Crane class", "lift:": "Crane", "abs": "Integer", "load": "Crane"}


# ---------------------------------------------------------------- results that nobody declares


def results(world: World, name: str, *selectors: str) -> dict[str, str | None]:
    found = {}
    for selector in selectors:
        method = world.find(name, Side.INSTANCE, selector)
        assert method is not None
        result = inferred_return(method, name, world)
        found[selector] = None if result is None else display(result)
    return found


RING = """Value subclass: Ring
  ping => self pong
  pong => self ping
  three => self ping. 3
  early => self yourself isNil ifTrue: [^0]. "s"
  same => self
  last => self three
  count: n => n < 1 ifTrue: [0] ifFalse: [self count: n - 1]
"""
CYCLES = (RING, "Ring subclass: Below\n")
SELECTORS = ("ping", "pong", "three", "early", "same", "last", "count:")
EXPECTED = {
    "ping": None,
    "pong": None,
    "three": "Integer",
    "early": None,
    "same": "Ring",
    "last": "Integer",
    "count:": None,
}


@pytest.mark.parametrize("start", range(len(SELECTORS)))
def test_results_do_not_depend_on_who_asks_first(start: int) -> None:
    order = (*SELECTORS[start:], *SELECTORS[:start])
    assert results(world_of(*CYCLES), "Ring", *order) == EXPECTED


def test_a_result_is_that_of_the_receiver() -> None:
    assert results(world_of(*CYCLES), "Below", "same") == {"same": "Below"}


def test_long_chains_of_methods_cost_no_stack() -> None:
    lines = ["Value subclass: Long", *(f"  m{n} => self m{n + 1}" for n in range(1500)), "  m1500 => 3"]
    world = world_of("\n".join(lines) + "\n")
    assert results(world, "Long", "m0") == {"m0": "Integer"}


def test_a_patched_callee_changes_the_result_of_its_callers() -> None:
    text = "Value subclass: Gauge\n  read => 7\n  twice => self read\n"
    before = world_of(text)
    assert results(before, "Gauge", "twice") == {"twice": "Integer"}
    new = world_of(text.replace("7", '"7"'))
    after = before.succeeded(new.view, new.trees, frozenset({"Gauge"}))
    assert results(after, "Gauge", "twice") == {"twice": "String"}


def test_module_level_code_is_judged_in_order() -> None:
    node = parse_input("3 frob").units[-1].node
    assert node is not None
    (found,) = analyse(node, "", harbour()).diagnostics
    assert (found.severity.value, found.category.value) == ("hint", "dnu")
    assert dict(found.data) == {"class": "Integer", "selector": "frob"}
