"""Rounds of the live re-check: attribution, replacement, the cap (types.md 6.3 to 6.6)."""

from __future__ import annotations

from pathlib import Path

from lang.diagnostics import Category, Diagnostic, Severity
from lang.syntax.units import Side
from tests.workspace.boilers import BOILERS
from tests.workspace.lab import Lab, lab_with
from workspace.recheck.checking import Judgement
from workspace.recheck.rechecks import Rechecks, ReloadCheckCompleted
from workspace.recheck.signatures import MethodKey, effective_signature
from workspace.refactor.sites import first_line
from workspace.state import ImageState


def shallow_check(state: ImageState, owner: str) -> tuple[Judgement, ...]:
    """A checker of its own: `level + 1` needs a level that is an Integer, and `old` is always wrong."""
    signature = effective_signature(state, MethodKey("Boiler", Side.INSTANCE, "level"))
    level = "nothing" if signature is None else signature.result
    found = []
    for unit in state.units_of(owner):
        at = unit.text.find("b level + 1")
        if at >= 0 and level != "Integer":
            found.append(_judgement(state, unit.lineage, at, f"{level} does not understand '+'"))
        if "old" in unit.text:
            found.append(_judgement(state, unit.lineage, unit.text.find("old"), "old"))
    return tuple(found)


def _judgement(state: ImageState, lineage: int, at: int, message: str) -> Judgement:
    unit = state.units[lineage]
    span = state.index.rows_of(lineage)
    assert span is not None
    where = span.references.sends[0].span
    found = Diagnostic(Severity.HINT, message, where, Category.DNU)
    return Judgement(unit, found, 1, first_line(state, unit) + unit.text.count("\n", 0, at))


class Watched:
    """A lab whose changes go through rounds with the checker above."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.faults: list[str] = []
        self.rounds = Rechecks(shallow_check, lambda: lab.state, self.faults.append)
        self.heard: list[ReloadCheckCompleted] = []
        self.rounds.subscribe(self.heard.append)
        lab.workspace.after_change.append(lambda done: self.rounds.note(done.change))

    def __call__(self, text: str) -> list[ReloadCheckCompleted]:
        self.heard.clear()
        self.lab(text)
        self.rounds.finish()
        assert self.faults == []
        return list(self.heard)

    def found(self) -> list[tuple[str, str, str]]:
        return [(f.owner, f.changed_class, f.judgement.diagnostic.message) for f in self.rounds.findings()]


def test_one_stale_caller_is_found_superseded_and_cleared(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        watched = Watched(lab)
        (report,) = watched('Boiler >> level -> String => "9"')
        assert set(report.checked) == {"Panel", "Panel2", "Hall", "Attic", "Pair"}
        assert [f.owner for f in report.findings] == ["Panel"]
        assert watched.found() == [("Panel", "Boiler", "String does not understand '+'")]
        watched("Boiler >> level -> Symbol => #hi")
        assert watched.found() == [("Panel", "Boiler", "Symbol does not understand '+'")]
        (report,) = watched("Boiler >> level -> Integer => self.level")
        assert (report.findings, watched.found()) == ((), [])


def test_undo_clears_what_the_change_had_brought(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        watched = Watched(lab)
        watched('Boiler >> level -> String => "9"')
        assert watched.found()
        watched("Workspace undo")
        assert watched.found() == []


def test_an_edit_of_the_caller_drops_its_findings_and_says_so(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        watched = Watched(lab)
        watched('Boiler >> level -> String => "9"')
        reports = watched("Panel >> a: b :: Boiler -> Integer => 2")
        assert [(r.trigger.class_name, r.findings) for r in reports[:1]] == [("Boiler", ())]
        assert watched.found() == []


def test_what_was_wrong_before_is_no_news(tmp_path: Path) -> None:
    files = {
        **BOILERS,
        "src/Panel.bt": "Object subclass: Panel\n  a: b :: Boiler => b level + 1\n  old => 1 + 2\n",
    }
    with lab_with(tmp_path, files) as lab:
        watched = Watched(lab)
        watched('Boiler >> level -> String => "9"')
        assert watched.found() == [("Panel", "Boiler", "String does not understand '+'")]


def test_an_unsaved_caller_is_checked_as_memory_has_it(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        watched = Watched(lab)
        watched("Attic >> fresh: b :: Boiler => b level + 1")
        (report,) = watched('Boiler >> level -> String => "9"')
        assert {f.owner for f in report.findings} == {"Panel", "Attic"}


def test_two_changed_classes_keep_their_findings_apart(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        watched = Watched(lab)
        watched('Boiler >> level -> String => "9"')
        watched('Spare >> level -> String => "9"')
        assert watched.found() == [("Panel", "Boiler", "String does not understand '+'")]


def test_over_the_cap_those_with_findings_come_first_and_the_rest_is_told(tmp_path: Path) -> None:
    callers = {
        f"src/C{number}.bt": f"Object subclass: C{number}\n  a: b :: Boiler => b level + 1\n"
        for number in range(6)
    }
    untyped = {f"src/A{number}.bt": f"Object subclass: A{number}\n  a: q => q level\n" for number in range(6)}
    with lab_with(tmp_path, {**BOILERS, **callers, **untyped}) as lab:
        watched = Watched(lab)
        watched.rounds.caller_cap = lambda: 4
        (report,) = watched('Boiler >> level -> String => "9"')
        first = report.checked
        assert all(name[0] in "CP" for name in first)
        assert len(report.unchecked) == 17 - 4
        assert report.cap_note == "13 more not checked"
        watched.rounds.caller_cap = lambda: 2
        (report,) = watched("Boiler >> level -> Symbol => #s")
        assert set(report.checked) < set(first)
        notes = {f.owner: f.note for f in watched.rounds.findings()}
        assert all((notes[name] is None) is (name in report.checked) for name in first)


def test_a_fault_of_the_checker_is_told_and_costs_one_owner(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        faults: list[str] = []

        def faulty(state: ImageState, owner: str) -> tuple[Judgement, ...]:
            if owner == "Attic":
                raise LookupError("no such thing")
            return shallow_check(state, owner)

        rounds = Rechecks(faulty, lambda: lab.state, faults.append)
        heard: list[ReloadCheckCompleted] = []
        rounds.subscribe(heard.append)
        lab.workspace.after_change.append(lambda done: rounds.note(done.change))
        lab('Boiler >> level -> String => "9"')
        rounds.finish()
    assert faults == ["reload check failed: LookupError: no such thing"]
    assert heard[0].unchecked == ("Attic",)
    assert [f.owner for f in heard[0].findings] == ["Panel"]


def test_a_precheck_says_what_would_happen_and_keeps_nothing(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        state, logged = lab.state, len(lab.workspace.log.entries)
        lab('r := Boiler precheckCompile: #level source: "level -> String => 1 printString"')
        assert lab("r at: #checked") == "5"
        assert lab("r at: #totalCandidates") == "5"
        lab('r := Boiler precheckCompile: #level source: "level -> Integer => 3"')
        assert lab("r at: #checked") == "0"
        assert lab.error('Boiler precheckCompile: #level source: "level => )"').kind == "compile_failed"
        assert lab.error('String precheckCompile: #size source: "size => 1"').kind == "runtime_error"
        assert (lab.state, len(lab.workspace.log.entries)) == (state, logged)


def test_the_image_as_a_whole(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        lab("r := Workspace recheckImage")
        assert lab("r at: #checked") == str(len([n for n in lab.state.classes if lab.state.header_of(n)]))
        assert lab.workspace.rechecking.rounds.findings() == ()


def test_the_workspace_checks_by_itself_and_an_instant_later_all_is_said(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        heard: list[ReloadCheckCompleted] = []
        lab.workspace.rechecking.rounds.subscribe(heard.append)
        lab("Gauge removeFromSystem")
        lab("Object subclass: K2\n  a => Spare spawn\n")
        lab("Spare removeFromSystem")
        lab("1")
    assert [each.trigger.class_name for each in heard] == ["Gauge", "Spare"]
    assert "K2" in {f.owner for f in heard[1].findings}
