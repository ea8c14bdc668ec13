"""Finding a project and listing its sources (workspace.md 1.1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from workspace.project import BrokenManifest, NoManifest, Project, SourceSet, find_root, open_project

MANIFEST = '[package]\nname = "orchard"\nversion = "0.1.0"\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "orchard"
    write(root, "beamtalk.toml", MANIFEST)
    return root


def write(root: Path, path: str, text: str = "") -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def opened(root: Path) -> Project:
    project = open_project(root)
    assert isinstance(project, Project)
    return project


def test_the_root_is_the_nearest_folder_with_a_manifest(root: Path) -> None:
    write(root, "inner/beamtalk.toml", MANIFEST)
    write(root, "inner/src/deep/A.bt")
    write(root, "src/deep/A.bt")
    assert find_root(root / "inner" / "src" / "deep") == root / "inner"
    assert find_root(root / "src" / "deep") == root
    assert find_root(root.parent) is None


def test_sources_come_in_order_of_path_and_tests_only_when_asked(root: Path) -> None:
    for path in (
        "src/b/Zed.bt",
        "src/B.bt",
        "src/a.bt",
        "test/ATest.bt",
        "src/notes.txt",
        "test/a.btscript",
        "C.bt",
    ):
        write(root, path)
    project = opened(root)
    assert project.sources() == ("src/B.bt", "src/a.bt", "src/b/Zed.bt")
    assert project.sources(SourceSet.ALL) == ("src/B.bt", "src/a.bt", "src/b/Zed.bt", "test/ATest.bt")
    assert project.transcripts() == ("test/a.btscript",)


@pytest.mark.parametrize(
    "path",
    ["src/.A.bt", "src/_A.bt", "src/.hidden/A.bt", "src/_off/A.bt", "src/vendor/src/A.bt", "src/A.btx"],
)
def test_what_is_skipped(root: Path, path: str) -> None:
    write(root, path)
    write(root, "src/vendor/beamtalk.toml", MANIFEST)
    assert opened(root).sources() == ()


def test_links_count_only_while_they_stay_in_the_project(root: Path, tmp_path: Path) -> None:
    write(tmp_path, "outside/Out.bt")
    write(root, "src/real/In.bt")
    (root / "src" / "outfolder").symlink_to(tmp_path / "outside")
    (root / "src" / "Out.bt").symlink_to(tmp_path / "outside" / "Out.bt")
    (root / "src" / "Linked.bt").symlink_to(root / "src" / "real" / "In.bt")
    (root / "src" / "real" / "circle").symlink_to(root / "src")
    (root / "src" / "Broken.bt").symlink_to(root / "src" / "gone.bt")
    (root / "src" / "Itself.bt").symlink_to(root / "src" / "Itself.bt")
    assert opened(root).sources() == ("src/Linked.bt", "src/real/In.bt")


def test_a_project_reached_over_a_link_lists_the_same(root: Path, tmp_path: Path) -> None:
    write(root, "src/A.bt")
    (tmp_path / "link").symlink_to(root)
    assert opened(tmp_path / "link").sources() == ("src/A.bt",)


def test_a_folder_without_manifest(tmp_path: Path) -> None:
    outcome = open_project(tmp_path)
    assert isinstance(outcome, NoManifest)
    assert outcome.reason() == f"No beamtalk.toml found in: {tmp_path}"


def test_a_broken_manifest_tells_line_and_column(root: Path) -> None:
    write(root, "beamtalk.toml", '[package]\nname = "X"\nversion = "0.1.0"\n')
    outcome = open_project(root)
    assert isinstance(outcome, BrokenManifest)
    assert outcome.reason() == (
        "beamtalk.toml:2:1: error: package name must start with a lowercase letter, found 'X'"
    )


def test_bytes_that_are_not_utf_8(root: Path) -> None:
    (root / "beamtalk.toml").write_bytes(b'[package]\nname = "\xff"\n')
    outcome = open_project(root)
    assert isinstance(outcome, BrokenManifest)
    assert outcome.reason() == "beamtalk.toml:2:9: error: not UTF-8: invalid byte at offset 18"


def test_a_byte_order_mark_and_crlf_are_no_trouble(root: Path) -> None:
    (root / "beamtalk.toml").write_bytes(b"\xef\xbb\xbf" + MANIFEST.replace("\n", "\r\n").encode())
    assert opened(root).manifest.name == "orchard"
