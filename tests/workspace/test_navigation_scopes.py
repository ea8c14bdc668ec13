"""SystemNavigation over classes, packages and announcements, and log settings, as programs ask for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lang.runtime.errors import BeamtalkError
from tests.lang.stdlib.examples import Live
from tests.workspace.lab import lab_with


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    opened = Live(Path(tmp_path_factory.mktemp("scopes")))
    opened.show("Announcement subclass: NavRing\n  field: times = 1\n")
    opened.show(
        "Actor subclass: NavBell\n"
        "  ring: bus =>\n"
        "    bus announce: (NavRing times: 2)\n"
        "  still: bus => bus announce: bus\n"
        "  root => Python math sqrt: 16\n"
    )
    opened.show("Object subclass: NavProxy\n  doesNotUnderstand: s args: a => s\n  plain => 1\n")
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("query", "printed"),
    [
        ("actorClasses includes: NavBell", "true"),
        ("actorClasses includes: Actor", "false"),
        ("dnuHandlers includes: NavProxy", "true"),
        ("dnuHandlers includes: ProtoObject", "false"),
        ("classesInPackage: #nothing", "#()"),
        ("subclassesOf: Number in: #stdlib", "#(Character, Float, Integer)"),
        ("selectorsForClass: NavBell", "#(#ring:, #root, #still:)"),
        ("announcementsSentBy: NavBell", "#(NavRing)"),
        (
            "announcementSitesSentBy: NavBell",
            "#(#{#announcementClass => NavRing, #class => NavBell, #line => 2, #selector => #ring:})",
        ),
        ('ffiSitesFor: "math:sqrt/1"', "#(#{#class => NavBell, #line => 1, #selector => #root})"),
        ('ffiSitesFor: "math:sqrt/2"', "#()"),
        ("extendersOf: NavBell", "#()"),
        (
            'methodsMatching: (Regex from: "NavRing times") unwrap',
            "#(#{#class => NavBell, #selector => #ring:})",
        ),
    ],
)
def test_a_query_answers(live: Live, query: str, printed: str) -> None:
    assert live.show(f"(SystemNavigation default {query})") == printed


def test_a_package_has_its_classes(live: Live) -> None:
    assert live.show('(SystemNavigation default classesInPackage: "stdlib") includes: Integer') == "true"


@pytest.mark.parametrize(
    "query",
    [
        "classesInPackage: 3",
        "subclassesOf: 3 in: #stdlib",
        "selectorsForClass: #NavBell",
        'methodsMatching: "x"',
        "extendersOf: 3",
        "extensionsBy: 3",
        "announcementsSentBy: 3",
        'ffiSitesFor: "nonsense"',
    ],
)
def test_a_wrong_argument_is_a_user_error_that_names_the_query(live: Live, query: str) -> None:
    with pytest.raises(BeamtalkError) as raised:
        live.show(f"SystemNavigation default {query}")
    assert raised.value.kind == "user_error"
    assert query.partition(" ")[0].partition(":")[0] in raised.value.message


def test_log_settings_are_answered_as_they_were_set(live: Live) -> None:
    live.show("Beamtalk logLevel: #critical")
    assert live.show("Beamtalk logLevel") == "#critical"
    live.show("Beamtalk logLevel: #warning")
    live.show("Beamtalk logFormat: #text")
    assert live.show("Beamtalk loggerInfo lines take: 2") == '#("level: warning", "format: text")'
    live.show("Beamtalk logFormat: #json")


@pytest.mark.parametrize(
    "query",
    [
        'sendersOf: "level"',
        "implementorsOf: 3",
        "referencesTo: #Boiler",
        "messagesSentBy: Object",
        "selectorsMatching: #level",
        "fieldReadersOf: #a in: 3",
        'fieldWritersOf: "a" in: Object',
        "ffiSitesFor: #a",
        "methodsMatching: 3",
        "selectorsForClass: 3",
        "classesInPackage: 3",
    ],
)
def test_an_argument_of_the_wrong_kind_is_told_with_the_query(tmp_path: Path, query: str) -> None:
    with lab_with(tmp_path, {}) as lab:
        error = lab.error(f"SystemNavigation default {query}")
    assert error.kind == "user_error"
    assert query.split()[0] in error.message


def test_implementors_are_in_order_with_their_sides(tmp_path: Path) -> None:
    files = {
        "src/Zeta.bt": "Object subclass: Zeta\n  class zork => 1\n",
        "src/Alpha.bt": "Value subclass: Alpha\n  field: one = 1\n  zork => 2\n  class zork => 3\n",
        "src/Extra.bt": "Zeta >> zork => 4\n",
    }
    with lab_with(tmp_path, files) as lab:
        found = lab("SystemNavigation default implementorsOf: #zork")
        assert found == "#(Alpha, Alpha class, Zeta, Zeta class)"
        assert lab("SystemNavigation default implementorsOf: #withOne:") == "#(Alpha)"
