"""What a package sees of others: bare and qualified names, superclass links, extensions (types.md 7.3)."""

from __future__ import annotations

from lang.diagnostics import Diagnostic, Severity
from lang.semantics.check import check_among
from lang.semantics.hierarchy import BorrowedTransitively, ClassView, ExportedTwice
from lang.semantics.modules import STDLIB, PackageId, package_of_project, registry_of
from lang.semantics.sight import Sight
from lang.semantics.surfaces import PackageSource, fragments_of, surface_of
from lang.source import SourceText
from lang.syntax import parse_file
from lang.syntax.units import Side

LIBRARY = PackageSource(
    STDLIB,
    tuple(
        parse_file(SourceText(text, name))
        for name, text in {
            "Object.bt": "nil subclass: Object\n  printString -> String => @primitive\n",
            "Value.bt": "Object subclass: Value\n  copy => @primitive\n",
            "String.bt": "Value subclass: String\n  size -> Integer => @primitive\n",
        }.items()
    ),
)


class World:
    """Packages by name: what each needs, and its files."""

    def __init__(self) -> None:
        self.sources = [LIBRARY]
        self.needs: dict[PackageId, tuple[PackageId, ...]] = {}

    def package(self, name: str, needs: tuple[str, ...] = (), **files: str) -> World:
        id = package_of_project(name)
        parsed = tuple(parse_file(SourceText(text, f"src/{stem}.bt")) for stem, text in files.items())
        self.sources.append(PackageSource(id, parsed))
        self.needs[id] = tuple(map(package_of_project, needs))
        return self

    def view(self, name: str, undeclared: Severity = Severity.WARNING) -> ClassView:
        registry, refused = registry_of(fragments_of(self.sources))
        assert refused == ()
        for package, needs in self.needs.items():
            registry = registry.with_dependencies(package, needs)
        return Sight(package_of_project(name), map(surface_of, self.sources), registry).view(undeclared)

    def findings(self, name: str, undeclared: Severity = Severity.WARNING) -> list[Diagnostic]:
        view = self.view(name, undeclared)
        source = next(each for each in self.sources if each.id == package_of_project(name))
        return [found for file in source.files for found in check_among(file, view).all_diagnostics()]


def shop() -> World:
    """`app` needs `red` and `blue`, both with a `Flag`; `red` needs `deep`."""
    return (
        World()
        .package(
            "deep", Trench="Value subclass: Trench\n  n => 1\n", Base="Value subclass: Base\n  deep => 1\n"
        )
        .package(
            "red",
            ("deep",),
            Flag="Base subclass: Flag\n  n => 1\n",
            sounds="String >> ahoy => self\nFlag >> wave => 1\n",
            shown="Protocol define: Shown\n  show -> String\n",
        )
        .package("blue", Flag="Value subclass: Flag\n  n => 1\n", Own="Value subclass: Own\n  n => 1\n")
    )


def test_names_are_found_nearest_first() -> None:
    view = shop().package("app", ("red", "blue"), Own="Value subclass: Own\n  m => 1\n").view("app")
    assert view.classes["Own"].package == "app"
    assert view.classes["blue@Own"].package == "blue"
    assert view.classes["Trench"].package == "deep"
    assert view.classes["String"].package == "stdlib"
    assert view.spelling("Own", "app") == "Own"
    assert view.spelling("Own", "blue") == "blue@Own"
    assert view.spelling("Trench", "deep") == "Trench"


def test_superclass_links_are_those_of_the_subclasses_package() -> None:
    view = shop().package("app", ("red", "blue"), Base="Value subclass: Base\n  mine => 1\n").view("app")
    assert [each.name for each in view.chain("Flag")] == ["Flag", "deep@Base", "Value", "Object"]
    assert view.find_method("Flag", Side.INSTANCE, "mine") is None


def test_a_superclass_that_a_dependency_lacks_is_not_the_projects() -> None:
    world = World().package("red", Flag="Mine subclass: Flag\n  n => 1\n")
    view = world.package("app", ("red",), Mine="Value subclass: Mine\n  m => 1\n").view("app")
    assert view.classes["Flag"].superclass == "red@Mine"
    assert not view.is_complete("Flag")


def test_extensions_of_dependencies_are_seen() -> None:
    view = shop().package("app", ("red",), A="Object subclass: A\n  n => 1\n").view("app")
    found = view.find_method("String", Side.INSTANCE, "ahoy")
    assert found is not None
    assert found[1].is_extension
    assert view.find_method("Flag", Side.INSTANCE, "wave") is not None
    assert "Shown" in view.protocols


def test_what_two_dependencies_export_is_told_where_it_is_used() -> None:
    world = shop().package(
        "app", ("red", "blue"), A="Object subclass: A\n  n => Flag new\n  q => red@Flag new\n"
    )
    assert world.view("app").borrowed["Flag"] == ExportedTwice(("red@Flag", "blue@Flag"))
    (found,) = world.findings("app")
    assert found.severity is Severity.ERROR
    assert found.message == "Class name 'Flag' is exported by multiple dependencies"
    assert found.hint == "use qualified name: red@Flag or blue@Flag"


def test_a_class_of_an_undeclared_package_is_told_as_strictly_as_the_manifest_says() -> None:
    world = shop().package("app", ("red",), A="Object subclass: A\n  n => Trench new\n")
    assert world.view("app").borrowed["Trench"] == BorrowedTransitively("deep", "red", Severity.WARNING)
    for severity in (Severity.WARNING, Severity.ERROR):
        (found,) = world.findings("app", severity)
        assert found.severity is severity
        assert found.message == "Class 'Trench' is from transitive dependency 'deep' (via 'red')"


def test_a_qualified_name_falls_through_to_nothing() -> None:
    world = shop().package("app", ("red",), A="Object subclass: A\n  n => red@String new\n  m => app@A\n")
    (found,) = world.findings("app")
    assert found.message == "Unresolved class: red@String"
