"""Scenes of a flush on a simulated disk, and the law that holds after each of them (changes.md 5, 11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from workspace.flush.commit import FlushRequest, write
from workspace.flush.disk import Disk
from workspace.flush.journal import FlushFolder, Journal
from workspace.flush.memory_disk import ALL_FEATURES, Feature, MemoryDisk
from workspace.flush.outcome import RecoveryReport, WriteOutcome
from workspace.flush.recover import recover, recovery_is_due
from workspace.flush.rows import ABSENT, Content, LinkTo, Row, UnitEdit
from workspace.flush.watched_disk import Call, WatchedDisk, nothing

ROOT = "/p"
AREA = FlushFolder(ROOT, "/p/.beamtalk/flush")
LOG = "/p/.beamtalk/log"
FLUSH_ID = "7f"

NO_LINKS = ALL_FEATURES - {Feature.LINKS}
NO_EXCHANGE = ALL_FEATURES - {Feature.EXCHANGE}
LINKS_ONLY = frozenset({Feature.LINKS})
NO_REPLACE_ONLY = frozenset({Feature.NO_REPLACE})
SYSTEMS = {
    "all": ALL_FEATURES,
    "no-links": NO_LINKS,
    "no-exchange": NO_EXCHANGE,
    "links-only": LINKS_ONLY,
    "no-replace-only": NO_REPLACE_ONLY,
}


class Killed(BaseException):
    """The process is gone."""


@dataclass(frozen=True)
class Scene:
    files: Mapping[str, bytes]
    rows: tuple[Row, ...]
    after: Mapping[str, bytes | str]
    ignores_case: bool = False
    links: Mapping[str, str] = field(default_factory=dict)

    def disk(self, features: frozenset[Feature] = ALL_FEATURES, coarseness: int = 1) -> MemoryDisk:
        disk = MemoryDisk(features, ignores_case=self.ignores_case, coarseness=coarseness)
        for name, data in self.files.items():
            disk.put_file(f"{ROOT}/{name}", data)
        for name, text in self.links.items():
            disk.put_folder(f"{ROOT}/{name}".rpartition("/")[0])
            disk.symlink(text, f"{ROOT}/{name}")
        disk.put_folder(AREA.path)
        disk.put_folder(LOG)
        return disk.copy()

    @property
    def before(self) -> dict[str, bytes | str]:
        return {**self.files, **self.links}


def edited(path: str, before: bytes, old: str, new: str) -> Row:
    """A row that changes one unit of a file."""
    after = before.replace(old.encode(), new.encode())
    return Row(path, Content(before), Content(after), path, (UnitEdit(None, old, None, new),))


def splice(data: bytes, edits: tuple[UnitEdit, ...]) -> bytes | None:
    """What the logical half does with units, done with pieces of text."""
    for edit in edits:
        old, new = (edit.before or "").encode(), (edit.after or "").encode()
        if new in data:
            continue
        if old not in data:
            return None
        data = data.replace(old, new)
    return data


def _whole(path: str, before: bytes | None, after: bytes | None, mode_from: str | None = None) -> Row:
    states = [ABSENT if data is None else Content(data) for data in (before, after)]
    return Row(path, states[0], states[1], mode_from)


A, B, C, D = b"head a\nunit a1\n", b"head b\nunit b1\n", b"head c\nunit c1\n", b"head d\nunit d1\n"
A2, B2, C2 = (data.replace(b"1\n", b"2\n") for data in (A, B, C))

SCENES: dict[str, Scene] = {
    "edit": Scene({"a.bt": A}, (edited("a.bt", A, "unit a1\n", "unit a2\n"),), {"a.bt": A2}),
    "edits": Scene(
        {"src/a.bt": A, "src/b.bt": B, "lib/c.bt": C, "lib/d.bt": D},
        (
            edited("src/a.bt", A, "unit a1\n", "unit a2\n"),
            edited("src/b.bt", B, "unit b1\n", "unit b2\n"),
            edited("lib/c.bt", C, "unit c1\n", "unit c2\n"),
        ),
        {"src/a.bt": A2, "src/b.bt": B2, "lib/c.bt": C2, "lib/d.bt": D},
    ),
    "create": Scene({"a.bt": A}, (_whole("new/deep/b.bt", None, B),), {"a.bt": A, "new/deep/b.bt": B}),
    "delete": Scene({"a.bt": A, "b.bt": B}, (_whole("a.bt", A, None),), {"b.bt": B}),
    "rename": Scene(
        {"a.bt": A, "b.bt": B},
        (
            _whole("a.bt", A, None),
            _whole("n.bt", None, A2, "a.bt"),
            edited("b.bt", B, "unit b1\n", "unit b2\n"),
        ),
        {"n.bt": A2, "b.bt": B2},
    ),
    "swap": Scene(
        {"a.bt": A, "b.bt": B},
        (_whole("a.bt", A, B2, "b.bt"), _whole("b.bt", B, A2, "a.bt")),
        {"a.bt": B2, "b.bt": A2},
    ),
    "chain": Scene(
        {"a.bt": A, "b.bt": B},
        (_whole("a.bt", A, None), _whole("b.bt", B, A2, "a.bt"), _whole("c.bt", None, B2, "b.bt")),
        {"b.bt": A2, "c.bt": B2},
    ),
    "cycle": Scene(
        {"a.bt": A, "b.bt": B, "c.bt": C},
        (_whole("a.bt", A, C), _whole("b.bt", B, A), _whole("c.bt", C, B)),
        {"a.bt": C, "b.bt": A, "c.bt": B},
    ),
    "linked": Scene(
        {"real/a.bt": A},
        (
            Row("src.bt", LinkTo("real/a.bt"), ABSENT),
            Row("dst.bt", ABSENT, LinkTo("real/a.bt")),
            edited("real/a.bt", A, "unit a1\n", "unit a2\n"),
        ),
        {"real/a.bt": A2, "dst.bt": "real/a.bt"},
        links={"src.bt": "real/a.bt"},
    ),
    "case": Scene(
        {"src/Boat.bt": A, "src/b.bt": B},
        (
            _whole("src/Boat.bt", A, None),
            _whole("src/BOAT.bt", None, A2, "src/Boat.bt"),
            edited("src/b.bt", B, "unit b1\n", "unit b2\n"),
        ),
        {"src/BOAT.bt": A2, "src/b.bt": B2},
        ignores_case=True,
    ),
    "case-same-bytes": Scene(
        {"src/Boat.bt": A},
        (_whole("src/Boat.bt", A, None), _whole("src/BOAT.bt", None, A, "src/Boat.bt")),
        {"src/BOAT.bt": A},
        ignores_case=True,
    ),
}


class DiskMarks:
    """Marks on the same disk, so that each call of theirs is a place to die too."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    def exist(self, flush_id: str) -> bool:
        path = f"{LOG}/{flush_id}"
        return self._disk.lstat(path) is not None and self._disk.read(path) == b"marked"

    def append(self, journal: Journal) -> None:
        path = f"{LOG}/{journal.flush_id}"
        if self._disk.lstat(path) is not None:
            self._disk.unlink(path)
        descriptor = self._disk.create(path, 0o600)
        try:
            self._disk.write(descriptor, b"marked")
            self._disk.sync(descriptor)
            self._disk.close(descriptor)
            self._disk.sync_folder(LOG)
        except OSError:
            self._disk.unlink(path)
            self._disk.sync_folder(LOG)
            raise


def flush(disk: Disk, scene: Scene) -> WriteOutcome:
    request = FlushRequest(FLUSH_ID, scene.rows, (1, 2), "opaque")
    return write(disk, AREA, request, DiskMarks(disk), lambda: None)


def recovered(disk: Disk) -> RecoveryReport:
    return recover(disk, AREA, DiskMarks(disk), splice)


def sources(disk: MemoryDisk) -> dict[str, bytes | str]:
    """The project's tree, strays included, without the workspace's own folder."""
    own = f"{ROOT}/.beamtalk/"
    return {path[len(ROOT) + 1 :]: data for path, data in disk.tree(ROOT).items() if not path.startswith(own)}


def marked(disk: MemoryDisk) -> bool:
    return DiskMarks(disk).exist(FLUSH_ID)


def assert_whole(disk: MemoryDisk, scene: Scene) -> None:
    """All old and not marked, or all new and marked; nothing is left of the flush."""
    tree = sources(disk)
    assert tree == dict(scene.after if marked(disk) else scene.before)
    assert disk.listdir(AREA.path) == []
    assert not recovery_is_due(disk, AREA)
    if not marked(disk):
        assert disk.folders(ROOT) == scene.disk().folders(ROOT)


def killing(at: int) -> Callable[[Call], None]:
    def watch(call: Call) -> None:
        if call.number == at:
            raise Killed

    return watch


def killed_at(disk: MemoryDisk, at: int, action: Callable[[Disk], object]) -> bool:
    """Run until the process is killed before call `at`; False when it ends before."""
    try:
        action(WatchedDisk(disk, killing(at), nothing))
    except Killed:
        return True
    return False
