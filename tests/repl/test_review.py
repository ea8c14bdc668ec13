"""Reviewing renames, moves and flushes at the prompt (changes.md 6, 7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from changelog.entry import Evidence, Site, SiteKind, UnitAddress
from lang.source import Span
from lang.syntax.units import UnitKind, UnitName
from repl.commands.review import chosen_sites
from tests.repl.command_lab import CommandLab, text_of
from tests.workspace.lab import P0, lab_with

SENDERS = {
    **P0,
    "src/Users.bt": "Object subclass: Users\n"
    "  class typed: c :: Counter => c getValue\n"
    "  class one: c => c getValue\n"
    "  class two: c => c getValue\n",
}


def candidates(count: int) -> list[Site]:
    """Sites of which the first is typed."""
    address = UnitAddress("src/A.bt", UnitName(UnitKind.METHOD, "A"))
    return [
        Site(
            address, Span(n, n + 1), n, SiteKind.SEND, "A", evidence=Evidence.UNTYPED if n else Evidence.TYPED
        )
        for n in range(count)
    ]


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("", []),
        ("none", []),
        (" ALL ", [0, 1, 2, 3, 4, 5, 6]),
        ("typed", [0]),
        ("1,4-6", [0, 3, 4, 5]),
        ("1, 4 - 6", [0, 3, 4, 5]),
        ("7 1", [0, 6]),
    ],
)
def test_an_answer_names_candidates(answer: str, lines: list[int]) -> None:
    chosen = chosen_sites(answer, candidates(7))
    assert not isinstance(chosen, str)
    assert [site.line for site in chosen] == lines


@pytest.mark.parametrize("answer", ["0", "8", "6-4", "1-9", "tpyed", "1,x", "-", "y"])
def test_an_answer_that_names_none_is_not_guessed(answer: str) -> None:
    assert isinstance(chosen_sites(answer, candidates(7)), str)


def test_a_wrong_choice_is_asked_again(tmp_path: Path) -> None:
    with lab_with(tmp_path, SENDERS) as lab:
        said = CommandLab(lab)(":rename-method Counter getValue reading", "9", "typed", "y", "n")
        assert said.questions == (
            "Which candidates? [none] ",
            "Which candidates? [none] ",
            "Rename in memory? [y/N] ",
            "Write it to disk now? [y/N] ",
        )
        assert "'9' is none of: none, typed, all, numbers from 1 to" in said.text
        assert "Counter>>getValue -> reading renamed in memory: 4 sites in 3 files" in said.text
        assert "still needs a look: " in said.text
        assert lab("(Users class >> #typed:) source").endswith('c reading"')
        assert lab("(Users class >> #one:) source").endswith('c getValue"')


def test_a_dry_run_shows_and_asks_nothing(tmp_path: Path) -> None:
    with lab_with(tmp_path, SENDERS) as lab:
        run = CommandLab(lab)
        for command in (
            ":rename-method Counter getValue reading --dry-run",
            ":rename-class Counter Tally --dry-run",
            ":move-class Counter src/deep/Counter.bt --dry-run",
        ):
            assert "Counter" in run(command).text
        assert lab("Workspace changes allEntries size") == "0"


def test_an_image_that_moved_on_is_shown_and_asked_about_again(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        run = CommandLab(lab)
        turn = run.begin(":rename-class Counter Tally")
        lab("Meter class >> more => Counter spawn")
        turn = run.go_on(turn, "y")
        text = text_of(turn.events)
        assert "the image has moved on since the preview; nothing was changed yet" in text
        assert "+ src/Meter.bt:1: reference" in text
        assert turn.question is not None
        assert lab("Workspace changes size") == "1"
        run.go_on(turn, "y")
        assert lab("(Meter class >> #more) source") == '"class more => Tally spawn"'


def test_a_change_elsewhere_does_not_ask_again(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        run = CommandLab(lab)
        turn = run.begin(":rename-class Counter Tally")
        lab("Object subclass: Elsewhere")
        turn = run.go_on(turn, "y")
        assert turn.question is not None
        assert turn.question.question == "Write it to disk now? [y/N] "


def test_what_became_impossible_meanwhile_is_refused(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        run = CommandLab(lab)
        turn = run.begin(":rename-class Counter Tally")
        lab("Object subclass: Tally")
        turn = run.go_on(turn, "y")
        assert turn.question is None
        assert "Tally" in text_of(turn.events)


def test_a_flush_whose_plan_has_changed_is_asked_about_again(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        run = CommandLab(lab)
        lab("Counter renameTo: #Tally")
        turn = run.begin(":flush-destructive")
        lab("Meter class >> make => 7")
        turn = run.go_on(turn, "y")
        assert "the plan has changed" in text_of(turn.events)
        assert lab.path("src/Counter.bt").exists()
        run.go_on(turn, "y")
        assert "make => 7" in lab.read("src/Meter.bt")


def test_the_offer_writes_the_rename_and_nothing_else(tmp_path: Path) -> None:
    with lab_with(tmp_path) as lab:
        lab("Counter >> getValue => self.value + 0")
        lab('Workspace newClass: "Object subclass: Kite" at: "src/Kite.bt"')
        CommandLab(lab)(":rename-class Counter Tally", "y", "y")
        assert "self.value + 0" not in lab.read("src/Tally.bt")
        assert not lab.path("src/Kite.bt").exists()
        assert lab("Workspace changes size") == "2"
