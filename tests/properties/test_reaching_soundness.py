"""No send that reaches a method at run time is missing from the typed query (types.md 5.4, 9.3).

Worlds of a few classes with overrides, extensions, class methods, protocols and typed senders are made and run: each
implementation answers its own name, so that each send tells whom it reached.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lang.syntax.units import Side
from tests.workspace.lab import Lab, lab_with, project
from workspace.reaching import senders_reaching

COUNT = 6
PROTOCOLS = ("Pa", "Pb")


@dataclass(frozen=True)
class Made:
    """One class: its superclass by number (None: Object), and what it defines."""

    above: int | None
    hit: str
    class_hit: bool
    answers: frozenset[str]
    calls_super: bool


@dataclass
class World:
    """Classes, and the declared types of senders."""

    classes: list[Made]
    types: list[str]
    reached: list[tuple[str, str]] = field(default_factory=list)

    def chain(self, number: int) -> list[int]:
        found: list[int] = []
        at: int | None = number
        while at is not None:
            found.append(at)
            at = self.classes[at].above
        return found

    def fits(self, receiver: tuple[int, bool], type_: str) -> bool:
        """Whether an instance, or the class object, of a class may be where the type is declared."""
        number, is_class_object = receiver
        if type_ in ("", "Object"):
            return True
        if " | " in type_:
            return any(self.fits(receiver, each) for each in type_.split(" | "))
        names = {f"K{each}" for each in self.chain(number)}
        if type_.endswith(" class"):
            return is_class_object and type_.removesuffix(" class") in names
        if type_ in PROTOCOLS:
            asked = type_.lower()
            return not is_class_object and any(asked in self.classes[c].answers for c in self.chain(number))
        return not is_class_object and type_ in names


classes = st.builds(
    Made,
    st.none(),
    st.sampled_from(["", "body", "extension"]),
    st.booleans(),
    st.frozensets(st.sampled_from([p.lower() for p in PROTOCOLS])),
    st.booleans(),
)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    made: list[Made] = []
    for number in range(COUNT):
        above = draw(st.one_of(st.none(), st.integers(0, number - 1))) if number else None
        drawn = draw(classes)
        made.append(Made(above, drawn.hit, drawn.class_hit, drawn.answers, drawn.calls_super))
    names = [f"K{number}" for number in range(COUNT)]
    single = st.sampled_from([*names, *(f"{n} class" for n in names), *PROTOCOLS, "Object", ""])
    union = st.builds(lambda a, b: f"{a} | {b}", st.sampled_from(names), st.sampled_from(names))
    return World(made, draw(st.lists(st.one_of(single, union), min_size=4, max_size=8)))


def files_of(world: World) -> dict[str, str | bytes]:
    files: dict[str, str | bytes] = {
        f"src/{name}.bt": f"Protocol define: {name}\n  {name.lower()} -> Object\n" for name in PROTOCOLS
    }
    extensions = []
    for number, made in enumerate(world.classes):
        name = f"K{number}"
        above = "Value" if made.above is None else f"K{made.above}"
        lines = [f"{above} subclass: {name}", "  callSelf => self hit", "  class callSelf => self hit"]
        if made.hit == "body":
            lines.append(f'  hit => "{name}"')
        elif made.hit == "extension":
            extensions.append(f'{name} >> hit => "{name}"\n')
        if made.class_hit:
            lines.append(f'  class hit => "{name} class"')
        if made.calls_super:
            lines.append("  callSuper => super hit")
        lines += [f"  {each} => 1" for each in sorted(made.answers)]
        files[f"src/{name}.bt"] = "\n".join(lines) + "\n"
    files["src/Extensions.bt"] = "\n".join(extensions) or "// none\n"
    senders = [f"  s{at}: x{f' :: {t}' if t else ''} => x hit" for at, t in enumerate(world.types)]
    files["src/Senders.bt"] = "\n".join(["Value subclass: Senders", *senders, ""])
    return files


def run(world: World, lab: Lab) -> None:
    """Do every send that types allow, and note who answered which site."""
    receivers = [(number, on_class) for number in range(COUNT) for on_class in (False, True)]
    for number, on_class in receivers:
        value = f"K{number}" if on_class else f"K{number} new"
        for at, type_ in enumerate(world.types):
            if world.fits((number, on_class), type_):
                _note(world, lab, f"Senders new s{at}: ({value})", [("Senders", f"s{at}:", Side.INSTANCE)])
        side = Side.CLASS if on_class else Side.INSTANCE
        # The text of `callSelf` that runs is the receiver's own: each class defines it.
        _note(world, lab, f"({value}) callSelf", [(f"K{number}", "callSelf", side)])
        owner = next((c for c in world.chain(number) if world.classes[c].calls_super), None)
        if owner is not None and not on_class:
            _note(world, lab, f"({value}) callSuper", [(f"K{owner}", "callSuper", Side.INSTANCE)])


Site = tuple[str, str, Side]


def _note(world: World, lab: Lab, text: str, sites: list[Site]) -> None:
    outcome = lab.outcome(text)
    if outcome.error is not None:
        assert outcome.error.kind == "does_not_understand", outcome.error
        return
    answer = lab(text).strip('"')
    world.reached += [(answer, repr(site)) for site in sites]


def precision_of(world: World, folder: Path) -> tuple[int, int]:
    """How many (method, site) pairs the query names, and how many of them were reached; asserts soundness."""
    with lab_with(folder, files_of(world)) as lab:
        run(world, lab)
        reached = set(world.reached)
        named = set()
        for number in range(COUNT):
            for side, token in ((Side.INSTANCE, f"K{number}"), (Side.CLASS, f"K{number} class")):
                if not any(answer == token for answer, _site in reached):
                    continue
                for row in senders_reaching(lab.state, f"K{number}", side, "hit"):
                    site = (row.owner.class_name, row.owner.selector or "", row.owner.side or Side.INSTANCE)
                    named.add((token, repr(site)))
        assert reached <= named, sorted(reached - named)
        return len(named), len(reached & named)


def search(examples: int) -> float:
    """The precision over that many worlds."""
    named = reached = 0

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
        database=None,
    )
    @given(worlds())
    def each(world: World) -> None:
        nonlocal named, reached
        with tempfile.TemporaryDirectory() as folder:
            found, met = precision_of(world, Path(folder))
        named, reached = named + found, reached + met

    # The first workspace of the process raises the recursion limit, which hypothesis must not see happen.
    with tempfile.TemporaryDirectory() as folder:
        Lab(project(Path(folder), {})).close()
    each()
    return reached / named


def test_every_send_that_reaches_a_method_is_in_the_typed_query() -> None:
    assert search(2) > 0.3


@pytest.mark.slow
def test_the_same_over_many_worlds(capsys: pytest.CaptureFixture[str]) -> None:
    precision = search(60)
    with capsys.disabled():
        print(f"\ntyped query: precision {precision:.0%} of (method, site) pairs")
    assert precision > 0.4
