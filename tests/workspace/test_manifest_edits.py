"""Dependencies in and out of a manifest's text: nothing else changes (workspace.md 6.12)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.lock_file import LOCK_NAME, BrokenLock, Pin, lock_text, read_lock, toml_string
from workspace.manifest import Dependency, read_manifest
from workspace.manifest_edits import CannotEdit, with_dependency, without_dependency

HEAD = '# mine\n[package]\nname = "a"  # short\nversion = "0.1.0"\n'
PATH = {"path": "../b"}
LINE = 'b = { path = "../b" }\n'

MANIFESTS = [
    (HEAD, f"{HEAD}\n[dependencies]\n{LINE}"),
    (f"{HEAD}\n[dependencies]\n", f"{HEAD}\n[dependencies]\n{LINE}"),
    (
        f'{HEAD}\n[dependencies]  # of mine\nc = {{ path = "c" }}  # near\n\n# later\n[diagnostics]\ndnu = "off"\n',
        f'{HEAD}\n[dependencies]  # of mine\nc = {{ path = "c" }}  # near\n{LINE}\n# later\n[diagnostics]\ndnu = "off"\n',
    ),
    (HEAD.rstrip("\n"), f"{HEAD}\n[dependencies]\n{LINE}"),
    (HEAD.replace("\n", "\r\n"), f"{HEAD}\n[dependencies]\n{LINE}".replace("\n", "\r\n")),
    (
        f'{HEAD}[dependencies.c]\npath = "c"\n',
        None,
    ),
]


def dependency(text: str, name: str) -> Dependency:
    manifest = read_manifest(text).manifest
    assert manifest is not None
    return next(each for each in manifest.dependencies if each.name == name)


@pytest.mark.parametrize(("before", "after"), MANIFESTS)
def test_a_dependency_goes_in_and_comes_out_again(before: str, after: str | None) -> None:
    made = with_dependency(before, "b", PATH)
    if after is not None:
        assert made == after
    found = dependency(made.replace("\r\n", "\n"), "b")
    taken = without_dependency(made.replace("\r\n", "\n"), found)
    assert isinstance(taken, str)
    assert "path" not in taken.partition("[dependencies]")[2].replace('c = { path = "c" }', "").replace(
        "[dependencies.c]\npath", ""
    )
    others = read_manifest(taken).manifest
    assert others is not None
    assert "b" not in {each.name for each in others.dependencies}


def test_a_table_of_its_own_comes_out_whole() -> None:
    text = f'{HEAD}\n[dependencies.b]\n# its place\npath = "../b"\n\n[diagnostics]\ndnu = "off"\n'
    taken = without_dependency(text, dependency(text, "b"))
    assert taken == f'{HEAD}\n[diagnostics]\ndnu = "off"\n'


def test_what_shares_a_line_is_not_taken_out() -> None:
    text = f'dependencies = {{ b = {{ path = "b" }}, c = {{ path = "c" }} }}\n{HEAD}'
    assert isinstance(without_dependency(text, dependency(text, "b")), CannotEdit)


@given(st.lists(st.builds(Pin, *[st.text(min_size=1) for _ in range(3)], st.just("0" * 40)), max_size=4))
def test_a_lock_says_what_was_put_in(pins: list[Pin]) -> None:
    unique = {pin.name: pin for pin in pins}
    assert read_lock(lock_text(unique.values())) == tuple(unique[name] for name in sorted(unique))


@pytest.mark.parametrize(
    "text",
    [
        "[[package]",
        "package = 1",
        '[[package]]\nname = "a"',
        "[[package]]\n" + "".join(f'{k} = "x"\n' for k in ("name", "url", "reference", "sha")),
    ],
)
def test_a_lock_that_is_wrong_is_refused(text: str) -> None:
    broken = read_lock(text)
    assert isinstance(broken, BrokenLock)
    assert broken.reason().startswith(LOCK_NAME)


def test_texts_are_escaped() -> None:
    assert toml_string('a"b\\c\n\x01') == '"a\\"b\\\\c\\n\\u0001"'
