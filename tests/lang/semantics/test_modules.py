"""The class-module registry (types.md 7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.semantics.modules import (
    STDLIB,
    WORKSPACE,
    Ambiguous,
    ClassKey,
    DeclaredTwice,
    Found,
    Fragment,
    MisnamedLibraryFile,
    Missing,
    ModuleTaken,
    NameTaken,
    Origin,
    PackageId,
    Reach,
    RegistryRefusal,
    RegistryState,
    ReservedFolder,
    UnknownKey,
    conventional_name,
    library_module,
    package_of_project,
    package_of_script,
    registry_of,
)
from lang.semantics.modules.names import segment

SHOP = package_of_project("shop")
JSON = package_of_project("json")
YAML = package_of_project("yaml")
DEEP = package_of_project("deep")


def done(outcome: RegistryState | RegistryRefusal) -> RegistryState:
    """The state that an operation answered; a refusal fails the test. Each state keeps the laws."""
    assert isinstance(outcome, RegistryState), outcome.reason()
    assert_laws(outcome)
    return outcome


def assert_laws(state: RegistryState) -> None:
    """One module a class and one class a module; places list exactly the entries with a file."""
    assert len(state.holders) == len(state.entries)
    for key, entry in state.entries.items():
        assert entry.key == key
        assert state.class_for(entry.module) == key
        assert state.admit(entry.module.text) == entry.module
        if entry.path is not None:
            assert key in state.declared_in(key.package, entry.path)
    assert sum(len(keys) for keys in state.places.values()) == sum(
        1 for entry in state.entries.values() if entry.path is not None
    )


def registry(*declared: tuple[PackageId, str, str]) -> RegistryState:
    state = RegistryState()
    for package, path, name in declared:
        state = done(state.declare(package, path, name))
    return state


def module(state: RegistryState, package: PackageId, name: str) -> str:
    return str(state.module_of(ClassKey(package, name)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MyCounter", "my_counter"),
        ("HTTPRouter", "httprouter"),
        ("A2B", "a2b"),
        ("2d", "_2d"),
        ("class", "class_"),
        ("Class", "class_"),
        ("é", "_"),
        ("with-dash", "with_dash"),
    ],
)
def test_segments(text: str, expected: str) -> None:
    assert segment(text) == expected


@given(st.text(min_size=1))
def test_every_segment_is_a_python_name(text: str) -> None:
    assert segment(text).isidentifier()


@pytest.mark.parametrize(
    ("package", "path", "name", "expected"),
    [
        (SHOP, "src/Till.bt", "Till", "bt.shop.till"),
        (SHOP, "src/desk/till/MyCounter.bt", "MyCounter", "bt.shop.desk.till.my_counter"),
        (SHOP, "src/odd_name.bt", "Till", "bt.shop.odd_name"),
        (SHOP, "test/TillTest.bt", "TillTest", "bt.shop._test.till_test"),
        (SHOP, "fixtures/Pool.bt", "Pool", "bt.shop._live.pool"),
        (STDLIB, "collections/List.bt", "List", "bt.stdlib.collections.list"),
        (package_of_script("demo"), "demo.bt", "Thing", "bt._script.demo"),
        (WORKSPACE, "/somewhere/Thing.bt", "Thing", "bt._workspace._live.thing"),
    ],
)
def test_the_path_rule(package: PackageId, path: str, name: str, expected: str) -> None:
    assert module(registry((package, path, name)), package, name) == expected


def test_a_live_class_gets_the_smallest_free_suffix() -> None:
    state = done(RegistryState().assign(SHOP, "HTTPRouter"))
    state = done(state.assign(SHOP, "HttpRouter"))
    state = done(state.assign(SHOP, "Httprouter"))
    assert module(state, SHOP, "HttpRouter") == "bt.shop._live.http_router"
    assert module(state, SHOP, "Httprouter") == "bt.shop._live.httprouter__2"
    assert state.assign(SHOP, "Httprouter") is state


def test_two_files_with_one_class_are_refused_naming_both() -> None:
    refusal = registry((SHOP, "src/Till.bt", "Till")).declare(SHOP, "src/old/Till.bt", "Till")
    assert refusal == DeclaredTwice(ClassKey(SHOP, "Till"), "src/old/Till.bt", "src/Till.bt")
    assert refusal.reason() == "Class 'Till' is already declared in src/Till.bt"


def test_two_files_with_one_module_are_refused_naming_both() -> None:
    refusal = registry((SHOP, "src/Till.bt", "Till")).declare(SHOP, "src/till.bt", "Desk")
    assert isinstance(refusal, ModuleTaken)
    assert refusal.reason() == "src/till.bt and src/Till.bt map to the same module bt.shop.till"


@pytest.mark.parametrize("folder", ["-live", "a/-test"])
def test_folders_that_map_to_a_reserved_segment_are_refused(folder: str) -> None:
    assert isinstance(RegistryState().declare(SHOP, f"src/{folder}/Till.bt", "Till"), ReservedFolder)


def test_a_library_file_must_hold_the_class_that_it_promises() -> None:
    refusal = RegistryState().declare(STDLIB, "List.bt", "Array")
    assert refusal == MisnamedLibraryFile(ClassKey(STDLIB, "Array"), "List.bt")


def test_own_package_hides_dependency_hides_library() -> None:
    state = registry((STDLIB, "Parser.bt", "Parser")).with_dependencies(SHOP, [JSON])
    assert _reach(state, "Parser") is Reach.STDLIB
    state = done(state.declare(JSON, "src/Parser.bt", "Parser"))
    assert _reach(state, "Parser") is Reach.DEPENDENCY
    state = done(state.assign(SHOP, "Parser"))
    assert _reach(state, "Parser") is Reach.OWN
    assert state.resolve(SHOP, "Parser", "stdlib") == Found(
        ClassKey(STDLIB, "Parser"), state.entries[ClassKey(STDLIB, "Parser")].module, Reach.QUALIFIED
    )


def _reach(state: RegistryState, name: str) -> Reach | None:
    found = state.resolve(SHOP, name)
    return found.reach if isinstance(found, Found) else None


def test_two_dependencies_with_one_name_are_ambiguous_in_manifest_order() -> None:
    state = registry((JSON, "src/Parser.bt", "Parser"), (YAML, "src/Parser.bt", "Parser"))
    state = state.with_dependencies(SHOP, [YAML, JSON])
    assert state.resolve(SHOP, "Parser") == Ambiguous((ClassKey(YAML, "Parser"), ClassKey(JSON, "Parser")))
    assert isinstance(state.resolve(SHOP, "Parser", "json"), Found)


def test_a_dependency_of_a_dependency_is_found_as_transitive_even_in_a_circle() -> None:
    state = registry((DEEP, "src/Trench.bt", "Trench"))
    state = (
        state.with_dependencies(SHOP, [JSON]).with_dependencies(JSON, [DEEP]).with_dependencies(DEEP, [SHOP])
    )
    assert _reach(state, "Trench") is Reach.TRANSITIVE
    assert state.resolve(SHOP, "Nowhere") == Missing("Nowhere")


def test_a_qualified_name_does_not_fall_through() -> None:
    state = registry((STDLIB, "List.bt", "List"), (SHOP, "src/Till.bt", "Till"))
    assert state.resolve(SHOP, "List", "shop") == Missing("List", "shop")
    assert state.resolve(WORKSPACE, "Till") == Missing("Till")


def test_a_rename_keeps_the_module_and_leaves_no_alias() -> None:
    old, new = ClassKey(SHOP, "Till"), ClassKey(SHOP, "Cashbox")
    before = registry((SHOP, "src/Till.bt", "Till"))
    after = done(before.rename(old, "Cashbox"))
    assert after.module_of(new) == before.module_of(old)
    assert after.resolve(SHOP, "Till") == Missing("Till")
    assert after.entries[new].origin is Origin.RENAMED
    assert done(after.rename(new, "Till")).snapshot() == before.snapshot()
    assert done(after.rename(new, "Till")).entries == before.entries


def test_a_rename_to_a_taken_name_changes_nothing() -> None:
    state = registry((SHOP, "src/Till.bt", "Till"), (SHOP, "src/Desk.bt", "Desk"))
    assert state.rename(ClassKey(SHOP, "Till"), "Desk") == NameTaken(ClassKey(SHOP, "Desk"))
    assert state.rename(ClassKey(SHOP, "Gone"), "Come") == UnknownKey(ClassKey(SHOP, "Gone"))


def test_the_flush_of_a_rename_gives_the_module_of_the_path() -> None:
    state = done(registry((SHOP, "src/Till.bt", "Till")).rename(ClassKey(SHOP, "Till"), "Cashbox"))
    state = done(state.rebind(ClassKey(SHOP, "Cashbox"), "src/Cashbox.bt"))
    assert state.snapshot() == registry((SHOP, "src/Cashbox.bt", "Cashbox")).snapshot()


def test_classes_that_exchange_names_exchange_modules_in_one_flush() -> None:
    a, b = ClassKey(SHOP, "Ash"), ClassKey(SHOP, "Birch")
    state = registry((SHOP, "src/Ash.bt", "Ash"), (SHOP, "src/Birch.bt", "Birch"))
    clean = state.snapshot()
    state = done(done(done(state.rename(a, "Tmp")).rename(b, "Ash")).rename(ClassKey(SHOP, "Tmp"), "Birch"))
    assert state.snapshot() != clean
    assert isinstance(state.rebind_all({a: "src/Ash.bt", b: "src/Ash.bt"}), ModuleTaken)
    assert done(state.rebind_all({a: "src/Ash.bt", b: "src/Birch.bt"})).snapshot() == clean


def test_a_new_file_in_the_old_place_of_a_renamed_class_waits_and_then_takes_its_own_module() -> None:
    state = done(registry((SHOP, "src/Till.bt", "Till")).rename(ClassKey(SHOP, "Till"), "Cashbox"))
    state = done(state.declare(SHOP, "src/Till.bt", "Till"))
    assert module(state, SHOP, "Till") == "bt.shop.till__2"
    state = done(state.rebind(ClassKey(SHOP, "Cashbox"), "src/Cashbox.bt"))
    assert module(state, SHOP, "Till") == "bt.shop.till"


def test_a_live_class_moves_into_the_file_that_declares_it() -> None:
    state = done(done(RegistryState().assign(SHOP, "Till")).declare(SHOP, "src/Till.bt", "Till"))
    assert state.snapshot() == registry((SHOP, "src/Till.bt", "Till")).snapshot()


def test_reconcile_drops_what_a_file_no_longer_declares() -> None:
    state = done(registry((SHOP, "src/Till.bt", "Till")).reconcile(SHOP, "src/Till.bt", ["Desk"]))
    assert state.resolve(SHOP, "Till") == Missing("Till")
    assert module(state, SHOP, "Desk") == "bt.shop.till"
    assert state.reconcile(SHOP, "src/Till.bt", ["Desk"]) is state
    assert len(done(state.reconcile(SHOP, "src/Till.bt", [])).entries) == 0


def test_the_closed_form_of_the_library_is_what_the_registry_gives() -> None:
    assert registry((STDLIB, "HTTPThing.bt", "HTTPThing")).module_of(
        ClassKey(STDLIB, "HTTPThing")
    ) == library_module("HTTPThing")


def test_natives_are_a_kind_of_their_own() -> None:
    state = done(RegistryState().assign_native(STDLIB, "File", "lang.stdlib.primitives.file"))
    assert state.admit("lang.stdlib.primitives.file") == state.module_of(ClassKey(STDLIB, "File"))
    assert state.assign_native(STDLIB, "File", "other") == NameTaken(ClassKey(STDLIB, "File"))
    assert state.admit("bt.stdlib.file") is None


def test_the_conventional_name_is_for_messages_only() -> None:
    assert conventional_name(SHOP, "MyCounter") == "bt.shop.my_counter"


NAMES = st.sampled_from(["Ash", "Birch", "Cedar", "CeDar", "Dogwood"])
PATHS = st.sampled_from(
    ["src/Ash.bt", "src/ash.bt", "src/x/Ash.bt", "test/Ash.bt", "other/Ash.bt", "src/Cedar.bt"]
)
PACKAGES = st.sampled_from([SHOP, JSON])
KEYS = st.builds(ClassKey, PACKAGES, NAMES)
OPERATIONS = st.one_of(
    st.tuples(st.just("declare"), PACKAGES, PATHS, NAMES),
    st.tuples(st.just("assign"), PACKAGES, NAMES),
    st.tuples(st.just("rename"), KEYS, NAMES),
    st.tuples(st.just("remove"), KEYS),
    st.tuples(st.just("rebind"), KEYS, st.none() | PATHS),
    st.tuples(st.just("reconcile"), PACKAGES, PATHS, st.lists(NAMES, max_size=1)),
)


@given(st.lists(OPERATIONS, max_size=25))
def test_every_operation_keeps_the_laws_and_only_changes_count_epochs(
    operations: list[tuple[str, ...]],
) -> None:
    state = RegistryState()
    for name, *arguments in operations:
        answer = getattr(state, name)(*arguments)
        if isinstance(answer, RegistryState):
            assert_laws(answer)
            assert (answer.epoch > state.epoch) or answer is state
            state = answer


@given(
    st.permutations(
        [("src/Ash.bt", "Ash"), ("src/x/Ash.bt", "Ash"), ("src/ash.bt", "Birch"), ("src/Cedar.bt", "Cedar")]
    )
)
def test_a_build_does_not_depend_on_the_order_of_fragments(files: list[tuple[str, str]]) -> None:
    fragments = [Fragment(SHOP, path, "hash", name) for path, name in files]
    fragments.append(Fragment(SHOP, "src/Only.bt", "hash", None))
    state, refusals = registry_of(fragments)
    assert (
        state.snapshot() == registry((SHOP, "src/Ash.bt", "Ash"), (SHOP, "src/Cedar.bt", "Cedar")).snapshot()
    )
    assert [type(each) for each in refusals] == [ModuleTaken, DeclaredTwice]
