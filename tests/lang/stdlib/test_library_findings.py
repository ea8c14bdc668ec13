"""The library's own sources have no finding, lints and types included, and its files are named as the registry says."""

from __future__ import annotations

from lang.dataclass import replace
from lang.semantics.check import check_among
from lang.semantics.hierarchy import Origin
from lang.semantics.modules import STDLIB, ClassKey, library_module, registry_of
from lang.semantics.sight import Sight
from lang.semantics.surfaces import fragments_of, surface_of
from lang.semantics.types.analysis import FileChecker
from lang.semantics.types.trees import FileTrees
from lang.semantics.types.world import Knowledge, World
from workspace.analysis import HostModules, library_source
from workspace.class_view import GLOBAL_NAMES


def test_no_source_of_the_library_has_a_finding() -> None:
    library = library_source()
    registry, refused = registry_of(fragments_of((library,)))
    assert refused == ()
    view = replace(
        Sight(STDLIB, (surface_of(library),), registry).view(),
        globals=GLOBAL_NAMES,
        modules=HostModules(),
        origin=Origin.LIBRARY,
    )
    world = World(view, FileTrees(library.files), Knowledge.PROJECT_COMPLETE)
    found = [
        f"{file.source.name}:{file.source.position(each.span.start).line}: {each.message}"
        for file in library.files
        for each in check_among(file, view, (), FileChecker(world)).all_diagnostics()
    ]
    assert found == []


def test_the_closed_form_of_a_module_is_that_of_its_file() -> None:
    registry, _refused = registry_of(fragments_of((library_source(),)))
    for entry in registry.classes_of(STDLIB):
        assert entry.module == library_module(entry.key.name)
        assert registry.module_of(ClassKey(STDLIB, entry.key.name)) == entry.module
