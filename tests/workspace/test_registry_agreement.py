"""Build, prompt, test runner, reload and a second load agree on the module of every class (types.md M-15)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lang.semantics.modules import STDLIB, ClassKey, Found, RegistryState, package_of_project
from tests.workspace.test_packages import Image, opened, package
from workspace.analysis import analyse_project, library_source
from workspace.project import Project, SourceSet, open_project
from workspace.registration import module_of

LIBRARY = library_source()
FOLDERS = ("", "deep/", "deep/er/", "Odd Name/")
NAMES = ("Till", "HTTPRouter", "MyCounter", "Class_", "Import")


def without_library(registry: RegistryState) -> bytes:
    return registry.without_packages(lambda each: each == STDLIB).snapshot()


def analysed(root: Path) -> RegistryState:
    project = open_project(root)
    assert isinstance(project, Project)
    return analyse_project(project, LIBRARY).registry


def tree(root: Path, layout: dict[tuple[str, str], str]) -> Path:
    """Packages `app` and `rope`, with a class in a folder each; `app` needs `rope`."""
    package(root, "rope")
    app = package(root, "app", ("rope",))
    for (owner, name), folder in layout.items():
        path = root / owner / "src" / folder / f"{name}.bt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Value subclass: {name}\n  {owner} => 1\n", "utf-8")
    (app / "test").mkdir()
    (app / "test" / "TillTest.bt").write_text("TestCase subclass: TillTest\n  testNo => 3\n", "utf-8")
    return app


def state_registry(image: Image) -> bytes:
    return without_library(image.workspace.state.registry)


layouts = st.dictionaries(
    st.tuples(st.sampled_from(("app", "rope")), st.sampled_from(NAMES)), st.sampled_from(FOLDERS), min_size=1
)


@pytest.fixture(scope="module", autouse=True)
def image_before(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The evaluator sets the host's recursion limit once and for all: not in the midst of an example."""
    with opened(package(tmp_path_factory.mktemp("before"), "before")):
        pass


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(layout=layouts)
def test_every_way_to_load_gives_one_registry(
    tmp_path_factory: pytest.TempPathFactory, layout: dict[tuple[str, str], str]
) -> None:
    app = tree(tmp_path_factory.mktemp("tree"), layout)
    built = analysed(app)
    for _cold_then_cached in range(2):
        with opened(app, SourceSet.ALL) as image:
            assert image.report.problems == []
            assert state_registry(image) == without_library(built)
            for file in app.rglob("*.bt"):
                file.write_text(file.read_text("utf-8") + "\n", "utf-8")
            image.sync(SourceSet.ALL)
            assert state_registry(image) == without_library(built)
            _assert_each_class_is_that_of_its_module(image, built, layout)


def _assert_each_class_is_that_of_its_module(
    image: Image, built: RegistryState, layout: dict[tuple[str, str], str]
) -> None:
    """Bare and qualified names mean one class with one module, for the registry, the image and its code."""
    app = package_of_project("app")
    for owner, name in layout:
        module = built.module_of(ClassKey(package_of_project(owner), name))
        assert module is not None
        assert image(f"{owner}@{name} new {owner}") == "1"
        bare, qualified = built.resolve(app, name), built.resolve(app, name, owner)
        assert isinstance(bare, Found)
        assert isinstance(qualified, Found)
        assert qualified.module == module
        if bare.key == qualified.key:
            assert bare.module == module
        state = image.workspace.state
        assert module_of(state, state.spelled(name, owner)) == module.text
        found = image.workspace.runtime.class_named(f"{owner}@{name}")
        assert found is not None
        method = next(iter(m for m in found.definition.methods.values() if m.selector == owner))
        assert method.function.__code__.co_filename == module.text


def test_classes_of_the_prompt_are_assigned(tmp_path: Path) -> None:
    with opened(tree(tmp_path, {("app", "Till"): ""})) as image:
        image("Object subclass: Spark\n  run => 1")
        image("Object subclass: BEAMFlaw\n  run => 1")
        image("Object subclass: Beamflaw\n  run => 1")
        image("ClassBuilder new name: #Built; superclass: Object; register")
        state = image.workspace.state
        assert module_of(state, "Spark") == "bt.app._live.spark"
        assert module_of(state, "BEAMFlaw") == "bt.app._live.beamflaw"
        assert module_of(state, "Beamflaw") == "bt.app._live.beamflaw__2"
        image("Object subclass: Spark\n  run => 2")
        assert module_of(image.workspace.state, "Spark") == "bt.app._live.spark"
        assert module_of(image.workspace.state, "Integer") == "bt.stdlib.integer"


def test_packages_tell_of_themselves(tmp_path: Path) -> None:
    with opened(tree(tmp_path, {("app", "Till"): "", ("rope", "Import"): ""})) as image:
        assert image('(Package named: "rope") version') == '"0.1.0"'
        assert image('Package classes: "rope"') == "#(#Import)"
        assert image('Package dependencies: "app"') in {"#(rope)", '#("rope")', "#(Package(rope v0.1.0))"}
        assert image("Workspace dependencies size") == "1"
