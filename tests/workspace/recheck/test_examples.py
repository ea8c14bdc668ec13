"""The examples of types.md 8.7 on the live re-check, and case D3, with the type checker itself."""

from __future__ import annotations

from pathlib import Path

from repl.commands.rechecking import notice_lines
from tests.workspace.boilers import BOILERS
from tests.workspace.lab import Lab, lab_with
from workspace.recheck.rechecks import ReloadCheckCompleted


class Rechecked:
    """A lab that answers what the re-check behind an input told."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.heard: list[ReloadCheckCompleted] = []
        lab.workspace.rechecking.rounds.subscribe(self.heard.append)

    def __call__(self, text: str) -> list[ReloadCheckCompleted]:
        self.heard.clear()
        self.lab(text)
        self.lab.workspace.evaluator.run(self.lab.workspace.rechecking.rounds.finish)
        return list(self.heard)

    def found(self) -> list[str]:
        """What stands now, in short."""
        return [
            f"{f.owner} {f.changed_class} {f.judgement.diagnostic.category.value}"
            for f in self.lab.workspace.rechecking.rounds.findings()
        ]

    def messages(self) -> list[str]:
        return [f.judgement.diagnostic.message for f in self.lab.workspace.rechecking.rounds.findings()]


def test_138_to_140_a_result_that_its_caller_cannot_use(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        told = Rechecked(lab)
        (report,) = told('Boiler >> level -> String => "9"')
        assert set(report.checked) == {"Panel", "Panel2", "Hall", "Attic", "Pair"}
        assert {f.owner for f in report.findings} == {"Panel"}
        lines = list(notice_lines(report))
        assert lines[0] == (
            "reload check: Boiler>>level signature changed (Integer → String): 5 callers re-checked, 1 stale"
        )
        assert "Panel>>a: (src/Panel.bt:2)  a: b :: Boiler -> Integer => b level + 1" in lines[1]
        told("Boiler >> level -> Symbol => #hi")
        assert {f.split()[0] for f in told.found()} == {"Panel"}
        assert any("Symbol" in message for message in told.messages())
        assert not any("String" in message for message in told.messages())
        told("Boiler >> level -> Integer => self.level")
        assert told.found() == []


def test_141_a_removal_and_an_override_that_said_the_same(tmp_path: Path) -> None:
    more = {
        "src/Drain.bt": "Boiler >> drain -> Nil => nil\n",
        "src/Valve.bt": "Object subclass: Valve\n  a: b :: Boiler => b drain\n",
        "src/Steamy.bt": "SteamBoiler subclass: Steamy\n  level -> Integer => 3\n",
    }
    with lab_with(tmp_path, {**BOILERS, **more}) as lab:
        told = Rechecked(lab)
        told("Steamy removeSelector: #level")
        assert told.heard == []
        told("Boiler removeSelector: #drain")
        assert told.found() == ["Valve Boiler dnu"]
        told("Workspace undo")
        assert told.found() == []


def test_a_repair_anywhere_clears_what_it_mends(tmp_path: Path) -> None:
    more = {
        "src/Drain.bt": "Boiler >> drain -> Nil => nil\n",
        "src/Valve.bt": "Object subclass: Valve\n  a: b :: Boiler => b drain\n",
    }
    with lab_with(tmp_path, {**BOILERS, **more}) as lab:
        told = Rechecked(lab)
        told("Boiler removeSelector: #drain")
        assert told.found() == ["Valve Boiler dnu"]
        reports = told("Actor >> drain -> Nil => nil")
        assert [(r.is_repair, list(notice_lines(r))) for r in reports] == [(True, [])]
        assert told.found() == []


def test_142_a_new_override_is_compared_with_what_was_inherited(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        told = Rechecked(lab)
        (report,) = told('SteamBoiler >> level -> String => "s"')
        assert "Panel2" in report.checked


def test_143_what_was_wrong_before_is_not_told(tmp_path: Path) -> None:
    old = "Object subclass: Panel\n  a: b :: Boiler -> Integer => b level + 1\n  b => 42 zork\n"
    with lab_with(tmp_path, {**BOILERS, "src/Panel.bt": old}) as lab:
        told = Rechecked(lab)
        told('Boiler >> level -> String => "9"')
        assert told.messages()
        assert not any("zork" in message for message in told.messages())


def test_144_a_slot_of_another_type(tmp_path: Path) -> None:
    maker = "Object subclass: Maker\n  a => Boiler spawnWith: #{#level => 3}\n"
    with lab_with(tmp_path, {**BOILERS, "src/Maker.bt": maker}) as lab:
        told = Rechecked(lab)
        told(BOILERS["src/Boiler.bt"].replace("state: level :: Integer = 0", 'state: level :: String = ""'))
        assert "Maker Boiler type" in told.found()


def test_147_an_expected_finding_is_none(tmp_path: Path) -> None:
    panel = "Object subclass: Panel\n  @expect type\n  a: b :: Boiler => b level + 1\n"
    with lab_with(tmp_path, {**BOILERS, "src/Panel.bt": panel}) as lab:
        told = Rechecked(lab)
        told('Boiler >> level -> String => "9"')
        assert "Panel Boiler dnu" not in told.found()


def test_148_a_leaf_that_gets_a_subclass(tmp_path: Path) -> None:
    user = "Object subclass: User\n  a: v => v match: [x :: Gauge -> 1; _ -> 0]\n"
    with lab_with(tmp_path, {**BOILERS, "src/User.bt": user}) as lab:
        told = Rechecked(lab)
        told("Gauge subclass: Fine")
        (found,) = lab.workspace.rechecking.rounds.findings()
        assert (found.owner, found.judgement.diagnostic.severity.value) == ("User", "error")


def test_149_another_alias_leaves_a_match_open(tmp_path: Path) -> None:
    user = "Object subclass: User\n  a: v :: Switch => v matchExhaustive: [#on -> 1; #off -> 0]\n"
    with lab_with(tmp_path, {**BOILERS, "src/User.bt": user}) as lab:
        told = Rechecked(lab)
        told("type Switch = #on | #off | #dim")
        assert [f.owner for f in lab.workspace.rechecking.rounds.findings()] == ["User"]
        assert "dim" in told.messages()[0]
        told("type Switch = #on | #off")
        assert told.found() == []


def test_150_what_is_inferred_changes_one_level_on_only_when_asked_for(tmp_path: Path) -> None:
    more = {
        "src/Twice.bt": "Gauge >> twice => self read\n",
        "src/Reader.bt": "Object subclass: Reader\n  a: g :: Gauge -> Integer => g twice + 1\n",
    }
    with lab_with(tmp_path, {**BOILERS, **more}) as lab:
        told = Rechecked(lab)
        told('Gauge >> read -> String => "7"')
        assert "Reader" not in {owner for report in told.heard for owner in report.checked}
        told("Workspace undo")
        lab.workspace.rechecking.rounds.depth = lambda: 2
        told('Gauge >> read -> String => "7"')
        assert "Reader" in {found.split()[0] for found in told.found()}


GAUGE = "typed Actor subclass: Gauge\n  state: n :: Integer = 1\n  reading -> Integer => self.n\n"
SHOWING = (
    "typed Object subclass: Panel\n"
    "  show: g :: Gauge -> Integer => g reading + 1\n"
    "  text: g :: Gauge -> String => g reading printString\n"
)


def test_d3_a_repair_of_the_cause_clears_the_finding(tmp_path: Path) -> None:
    with lab_with(tmp_path, {"src/Gauge.bt": GAUGE, "src/Panel.bt": SHOWING}) as lab:
        told = Rechecked(lab)
        told("Gauge >> reading -> String => self.n printString")
        assert {f.judgement.unit.name.member for f in lab.workspace.rechecking.rounds.findings()} == {"show:"}
        (report,) = told("Gauge >> reading -> Integer => self.n")
        assert (report.findings, told.found()) == ((), [])


def test_a_precheck_with_types(tmp_path: Path) -> None:
    with lab_with(tmp_path, BOILERS) as lab:
        lab('r := Boiler precheckCompile: #level source: "level -> String => 1 printString"')
        assert lab("((r at: #findings) collect: [:f | f at: #owner]) asSet") == 'Set("Panel")'
        stale = int(lab("(Workspace recheckImage) at: #stale"))
        lab('Boiler >> level -> String => "9"')
        assert int(lab("(Workspace recheckImage) at: #stale")) == stale + 1
