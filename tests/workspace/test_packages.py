"""More than one package in an image: loading, names, shadowing, reloads (workspace.md 1.3, 1.7; types.md 7)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lang.runtime.surroundings import Discard
from tests.workspace.lab import library_cache
from workspace.opening import Opening, open_workspace
from workspace.project import SourceSet
from workspace.sessions import Session, ValueAnswer
from workspace.sync import SyncReport
from workspace.workspace import Workspace

MANIFEST = '[package]\nname = "{name}"\nversion = "0.1.0"\n\n[dependencies]\n{needs}'


def package(root: Path, name: str, needs: tuple[str, ...] = (), **sources: str) -> Path:
    home = root / name
    (home / "src").mkdir(parents=True)
    lines = "".join(f'{each} = {{ path = "../{each}" }}\n' for each in needs)
    (home / "beamtalk.toml").write_text(MANIFEST.format(name=name, needs=lines), "utf-8")
    for stem, text in sources.items():
        (home / "src" / f"{stem}.bt").write_text(text, "utf-8")
    return home


class Image:
    """An open workspace with one session; everything runs on the evaluator."""

    def __init__(self, workspace: Workspace, report: SyncReport) -> None:
        self.workspace = workspace
        self.report = report
        self.session: Session = workspace.sessions.open("repl")

    def __call__(self, text: str) -> str:
        """The printed value of an input, or the kind of its error and the message."""

        def answer() -> str:
            outcome = self.session.evaluate(text)
            if outcome.error is not None:
                return f"{outcome.error.kind}: {outcome.error.message}"
            last = outcome.answers[-1]
            return self.workspace.runtime.print_string(last.value) if isinstance(last, ValueAnswer) else "ok"

        return self.workspace.evaluator.run(answer)

    def sync(self, which: SourceSet = SourceSet.SOURCES) -> SyncReport:
        self.report = self.workspace.evaluator.run(lambda: self.workspace.loader.sync(which))
        return self.report


@contextmanager
def opened(root: Path, which: SourceSet = SourceSet.SOURCES) -> Iterator[Image]:
    workspace = open_workspace(Opening(root, library_cache=library_cache(), transcript=Discard()))
    try:
        yield Image(workspace, workspace.evaluator.run(lambda: workspace.loader.sync(which)))
    finally:
        workspace.close()


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """`app` needs `red` and `blue`; `red` needs `deep`; `red` and `blue` export `Flag`."""
    package(tmp_path, "deep", Trench="Value subclass: Trench\n  field: n = 5\n  dig => self.n + 1\n")
    package(
        tmp_path,
        "red",
        ("deep",),
        Flag="Value subclass: Flag\n  colour => #red\n  helper => Aid new answer\n",
        Aid="Value subclass: Aid\n  answer => 41\n",
        Helper="Value subclass: Helper\n  answer => 41\n  pit => Trench new dig\n",
        Light="Actor subclass: Light\n  state: level = Helper new answer\n  level => self.level\n",
        Wavy="Protocol define: Wavy\n  wave -> Integer\n",
        extras='String >> ahoy => self ++ " ahoy"\nHelper >> wave => 7\n',
    )
    package(tmp_path, "blue", Flag="Value subclass: Flag\n  colour => #blue\n")
    return package(
        tmp_path,
        "app",
        ("red", "blue"),
        Main='Helper subclass: Main\n  class run => self new answer + 1\n  shout => "all" ahoy\n',
    )


def test_classes_of_dependencies_run(shop: Path) -> None:
    with opened(shop) as image:
        assert [each.message for each in image.report.problems] == []
        assert image("Main run") == "42"
        assert image("Main new shout") == '"all ahoy"'
        assert image("Helper new pit") == "6"
        assert image("red@Helper new wave") == "7"
        assert image("Light spawn level") == "41"
        assert image("Helper new pit class") == "Integer"
        assert image("Main superclass == Helper") == "true"
        assert image("stdlib@List new size") == "0"


def test_an_ambiguous_name_is_the_first_dependencys_with_a_warning(shop: Path) -> None:
    with opened(shop) as image:
        assert image("Flag new colour") == "#red"
        assert image("blue@Flag new colour") == "#blue"
        outcome = image.workspace.evaluator.run(lambda: image.session.evaluate("Flag new"))
        assert [each.diagnostic.hint for each in outcome.warnings] == [
            "use qualified name: red@Flag or blue@Flag"
        ]


def test_the_projects_class_comes_first_and_gives_the_name_back(shop: Path) -> None:
    with opened(shop) as image:
        assert image('Main compile: #help source: "help => Aid new answer"') != ""
        assert image("Main new help") == "41"
        assert image("Value subclass: Aid\n  answer => 1") == "ok"
        assert image("Aid new answer") == "1"
        assert image("Main new help") == "1"
        assert image("red@Aid new answer") == "41"
        assert image("Flag new helper") == "41"
        assert image("red@Aid new printString") == '"red@Aid()"'
        image("Aid removeFromSystem")
        assert image("Aid new answer") == "41"
        assert image("Main new help") == "41"
        assert image("red@Aid name") == "#Aid"


def test_a_class_of_the_project_on_disk_shadows_a_dependencys(shop: Path) -> None:
    (shop / "src" / "Flag.bt").write_text("Value subclass: Flag\n  colour => #mine\n", "utf-8")
    with opened(shop) as image:
        assert [each.message for each in image.report.problems] == []
        assert image("Flag new colour") == "#mine"
        assert image("red@Flag new colour") == "#red"
        assert image("app@Flag new colour") == "#mine"


def test_a_changed_dependency_is_loaded_again_and_keeps_its_instances(shop: Path, tmp_path: Path) -> None:
    with opened(shop) as image:
        image("h := Helper new. light := Light spawn")
        image('Helper compile: #patched source: "patched => 9"')
        helper = tmp_path / "red" / "src" / "Helper.bt"
        helper.write_text("Value subclass: Helper\n  answer => 50\n  more => Flag new colour\n", "utf-8")
        (tmp_path / "red" / "src" / "Wavy.bt").unlink()
        assert image.sync().problems == []
        assert image("h answer") == "50"
        assert image("h class == Helper") == "true"
        assert image("h more") == "#red"
        assert image("h patched") == "9"
        assert image("h wave") == "7"
        assert image("Main run") == "51"
        assert image("light level") == "41"
        assert image("Wavy").startswith("class_not_found")


def test_a_dependencys_class_cannot_be_renamed_and_a_patch_of_it_stays_in_memory(shop: Path) -> None:
    with opened(shop) as image:
        assert (
            image("Helper renameTo: #Aid")
            == "runtime_error: Cannot rename class 'Helper' of dependency 'red'"
        )
        assert image("Helper removeFromSystem").startswith("runtime_error: ")
        image('Helper compile: #answer source: "answer => 1"')
        assert image("Main run") == "2"
        (entry,) = image.workspace.pending.view().active
        assert str(entry.not_flushable_reason).startswith("dependency:")
        assert str(entry.not_flushable_reason).endswith("red/src/Helper.bt")


def test_what_is_wrong_in_a_dependency_is_told_and_the_rest_loads(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "red" / "src" / "Flag.bt").write_text("Value subclass: Flag\n  torn => 3 + )\n", "utf-8")
    (tmp_path / "red" / "src" / "Lost.bt").write_text("Nowhere subclass: Lost\n  n => 3\n", "utf-8")
    with opened(shop) as image:
        paths = {Path(each.path).name: each.message for each in image.report.problems}
        assert paths.keys() == {"Flag.bt", "Lost.bt"}
        assert paths["Lost.bt"] == "Class 'Nowhere' not found"
        assert image("Main run") == "42"
        assert image("Flag new colour") == "#blue"


def test_a_dependency_that_takes_a_name_of_the_library_does_not_load(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "blue" / "src" / "List.bt").write_text("Value subclass: List\n  n => 3\n", "utf-8")
    with opened(shop) as image:
        assert [each.message for each in image.report.problems] == [
            "Dependency 'blue' exports the stdlib name 'List'"
        ]
        assert image("Flag new colour") == "#red"


def test_a_missing_dependency_is_told_and_the_project_loads(shop: Path) -> None:
    manifest = shop / "beamtalk.toml"
    manifest.write_text(manifest.read_text("utf-8") + 'gone = { path = "../gone" }\n', "utf-8")
    with opened(shop) as image:
        (problem,) = image.report.problems
        assert problem.message.startswith("beamtalk.toml:8:1: error: Dependency 'gone' is not there")
        assert image("Main run") == "42"


def test_code_that_waits_for_a_class_is_bound_when_a_dependency_brings_it(shop: Path, tmp_path: Path) -> None:
    (shop / "src" / "Late.bt").write_text("Value subclass: Late\n  go => Coming new n\n", "utf-8")
    with opened(shop) as image:
        assert image("Late new go").startswith("class_not_found")
        (tmp_path / "blue" / "src" / "Coming.bt").write_text("Value subclass: Coming\n  n => 3\n", "utf-8")
        image.sync()
        assert image("Late new go") == "3"
