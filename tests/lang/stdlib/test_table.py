"""The classes and selectors of `docs/spec/stdlib-api.tsv` as a live workspace has them.

`test_signatures` compares texts of declarations; this one asks the image: is the class there,
is each selector understood on its side, with that many arguments, and has it ever run.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lang.codegen.inlining import COMPUTED
from lang.runtime.classes import ClassObject
from lang.runtime.dispatch import arity_of
from lang.syntax import is_complete
from lang.syntax.units import Side
from repl.transcripts import read_script
from tests.lang.stdlib.examples import Examples, MethodKey, documented_classes
from workspace.opening import Opening, open_workspace
from workspace.sessions import ValueAnswer
from workspace.workspace import Workspace

API = Path(__file__).parents[3] / "docs" / "spec" / "stdlib-api.tsv"
CORPUS = Path(__file__).parents[2] / "conformance" / "stdlib"

NOT_HERE: dict[str, frozenset[str]] = {}
"""Selectors of the table that are not understood yet, with the reason."""

NO_EXAMPLE: dict[str, frozenset[str]] = {
    # Refused outside of a project, and `workspace.md 9` has their transcripts.
    "WorkspaceInterface": frozenset(
        {"newClass:at:", "flush", "flush:", "flush:confirmDestructive:", "flushIncludingDestructive"}
    ),
    # Abstract: subclasses answer it.
    "Collection": frozenset({"size", "do:", "printString"}),
    # The general form of what every class below answers with a method of its own.
    "ProtoObject": frozenset({"class", "perform:withArguments:"}),
    "Object": frozenset({"class"}),
    "Boolean": frozenset({"not"}),
    # Answered by `Class`, which is nearer.
    "Metaclass": frozenset({"class"}),
}
"""Methods without an executed example, with the reason."""

COMPARISONS = frozenset({"==", "/=", "=:=", "=/="})
"""Compiled in for every receiver (stdlib.md 2.4): no method of theirs ever runs."""


@dataclass(frozen=True)
class Row:
    tier: int
    class_name: str
    side: Side
    selector: str
    is_internal: bool

    @property
    def key(self) -> MethodKey:
        return (self.class_name, self.side.value, self.selector)

    @property
    def is_compiled_in(self) -> bool:
        computed = COMPUTED.get(self.class_name, frozenset())
        compared = self.class_name in {"Symbol", "String", "Character", "ProtoObject"}
        is_character = self.class_name == "Character" and self.selector in COMPUTED["Integer"]
        is_ordered_text = self.class_name == "String" and self.selector in {"<", ">", "<=", ">="}
        return (
            self.selector in computed
            or (compared and self.selector in COMPARISONS)
            or is_character
            or is_ordered_text
        )


def _rows() -> list[Row]:
    with API.open(encoding="utf-8") as file:
        return [
            Row(
                int(row["tier"]),
                row["class"],
                Side.CLASS if row["side"] == "class" else Side.INSTANCE,
                row["selector"],
                row["internal"] == "internal",
            )
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row["row"] == "method"
        ]


def _class_names() -> set[str]:
    with API.open(encoding="utf-8") as file:
        return {row["class"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


# The long `collect…` and `append…` methods of SystemNavigation are how the original searches, and no
# interface (stdlib.md 5.5); internal methods of the others are not either.
PUBLIC_OF_NAVIGATION = frozenset(
    "default allClasses actorClasses dnuHandlers implementorsOf: sendersOf: messagesSentBy: referencesTo: "
    "fieldReadersOf:in: fieldWritersOf:in: methodsMatching: selectorsMatching: selectorsForClass: extendersOf: "
    "extensionsBy: classesInPackage: subclassesOf:in: announcementsSentBy: announcementSitesSentBy: ffiSitesFor: "
    "unimplementedSelectors unusedSelectors".split()
)
ROWS = [
    row
    for row in _rows()
    if not row.is_internal and (row.class_name != "SystemNavigation" or row.selector in PUBLIC_OF_NAVIGATION)
]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    opened = open_workspace(Opening(None, library_cache=tmp_path_factory.mktemp("table")))
    yield opened
    opened.close()


@pytest.mark.parametrize("name", sorted(_class_names()))
def test_every_class_is_there_and_understands_its_selectors(workspace: Workspace, name: str) -> None:
    owner = workspace.runtime.class_named(name)
    assert owner is not None
    rows = [row for row in ROWS if row.class_name == name]
    missing = {row.selector for row in rows if not _understood(owner, row)}
    assert missing == NOT_HERE.get(name, frozenset())


@pytest.mark.parametrize("name", sorted(_class_names()))
def test_there_is_help_for_every_class_and_selector(workspace: Workspace, name: str) -> None:
    """workspace.md 4.1: a text for each class, and for each selector with the class that answers it."""
    session = workspace.sessions.open("help")

    def shown(text: str) -> str:
        outcome = workspace.evaluator.run(lambda: session.evaluate(text))
        assert outcome.error is None, (text, outcome.error)
        answer = outcome.answers[-1]
        assert isinstance(answer, ValueAnswer)
        assert isinstance(answer.value, str), text
        return answer.value

    assert name in shown(f"Beamtalk help: {name}")
    missing = NOT_HERE.get(name, frozenset())
    for row in ROWS:
        is_asked = row.side is Side.INSTANCE and row.selector not in missing and not _is_required(row)
        if row.class_name == name and is_asked:
            assert row.selector in shown(f"Beamtalk help: {name} selector: #'{row.selector}'")


def _understood(owner: ClassObject, row: Row) -> bool:
    if owner.definition.protocol is not None:
        return (row.selector, row.side) in owner.definition.protocol.required
    method = owner.lookup(row.selector, row.side)
    return method is not None and method.arity == arity_of(row.selector)


@pytest.mark.slow
def test_every_method_of_tiers_1_and_2_has_run_in_an_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = _ran_in_doc_comments(tmp_path / "docs", monkeypatch) | _ran_in_corpus(
        tmp_path / "corpus", monkeypatch
    )
    never = {
        row.key
        for row in ROWS
        if row.tier <= 2 and row.key not in ran and not row.is_compiled_in and not _is_required(row)
    }
    excused = {
        (row.class_name, row.side.value, row.selector)
        for row in ROWS
        if row.selector
        in NO_EXAMPLE.get(row.class_name, frozenset()) | NOT_HERE.get(row.class_name, frozenset())
    }
    assert never - excused == set()


def _is_required(row: Row) -> bool:
    """A member that a protocol asks for: it has no method."""
    return row.class_name in {"Printable", "JsonRepresentable"}


def _ran_in_doc_comments(folder: Path, monkeypatch: pytest.MonkeyPatch) -> set[MethodKey]:
    folder.mkdir()
    monkeypatch.chdir(folder)
    examples = Examples(folder)
    try:
        for documented in documented_classes():
            examples.failures(documented)
        return examples.methods_run()
    finally:
        examples.close()


def _ran_in_corpus(folder: Path, monkeypatch: pytest.MonkeyPatch) -> set[MethodKey]:
    """What runs in the corpus; whether it answers rightly is the corpus's own business."""
    shutil.copytree(CORPUS, folder)
    monkeypatch.chdir(folder)
    ran: set[MethodKey] = set()
    for file in sorted(folder.glob("*.btscript")):
        examples = Examples(folder)
        try:
            examples.run_script(read_script(file.read_text("utf-8"), is_complete))
            ran |= examples.methods_run()
        finally:
            examples.close()
    return ran
