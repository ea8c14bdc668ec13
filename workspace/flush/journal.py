"""What a flush in progress leaves in `flush/` so that it can be ended after a crash (changes.md 5).

Comes in: rows made ready. Guarantees: `<id>.begin` names every file that the flush will make beside
sources, before it makes any; `<id>.json` appears whole and durable, or not at all, and its rename is
the commit point; `<id>.abort` is the same journal once the flush is to be taken back. A record that
was damaged is told by its checksum. Leaves: what the rows then mean for the disk.
"""

from __future__ import annotations

import base64
import json
import posixpath
from dataclasses import dataclass

from lang.syntax.units import Side, UnitKind, UnitName
from workspace.flush.disk import Disk, FileMode
from workspace.flush.rows import ABSENT, Absent, Content, FileState, LinkTo, UnitEdit, fingerprint, sha256_of

_FORMAT = 1
_ABSENT = fingerprint(ABSENT)


@dataclass(frozen=True, slots=True)
class StagedRow:
    """A row as the journal has it: states by fingerprint, and how the bytes after are made again.

    `before` stands at `path`, `after` goes to `target`, which differs in spelling only; `stem`
    begins the names of the files beside it. `whole` is the state after where it cannot be made
    from the state before by `edits`.
    """

    name: str
    path: str
    target: str
    stem: str
    before: str
    after: str
    mode: FileMode | None
    edits: tuple[UnitEdit, ...]
    whole: FileState | None

    @property
    def temp(self) -> str:
        """The new version; after an exchange, what came away."""
        return self.stem + ".new"

    @property
    def backup(self) -> str:
        """The version before."""
        return self.stem + ".old"

    @property
    def aside(self) -> str:
        """What was put aside."""
        return self.stem + ".gone"

    @property
    def scratch(self) -> str:
        """A version that recovery makes."""
        return self.stem + ".mix"

    @property
    def strays(self) -> tuple[str, str, str, str]:
        """All names beside the target that the row can leave, in the order of their removal."""
        return (self.backup, self.aside, self.temp, self.scratch)

    @property
    def folder(self) -> str:
        """The folder of the target and of all names of the row."""
        return posixpath.dirname(self.target)

    @property
    def creates(self) -> bool:
        """Whether nothing stands at the path before."""
        return self.before == _ABSENT

    @property
    def removes(self) -> bool:
        """Whether nothing stands at the path afterwards."""
        return self.after == _ABSENT

    @property
    def respells(self) -> bool:
        """Whether the entry's name changes in spelling."""
        return self.path != self.target


@dataclass(frozen=True, slots=True)
class Journal:
    """A flush at its commit point. `payload` is the marks' business, opaque here."""

    flush_id: str
    rows: tuple[StagedRow, ...]
    made_folders: tuple[str, ...]
    seqs: tuple[int, ...]
    payload: str

    @property
    def folders(self) -> tuple[str, ...]:
        """Each folder that the rows touch, once."""
        return tuple(dict.fromkeys(row.folder for row in self.rows))


@dataclass(frozen=True, slots=True)
class Beginning:
    """All that a flush is about to make beside the sources: files, and folders from the top down."""

    files: tuple[str, ...]
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FlushFolder:
    """`.beamtalk/flush` of a project: `root` is the project, both absolute."""

    root: str
    path: str

    def begin(self, flush_id: str) -> str:
        """The list of what is about to be made."""
        return f"{self.path}/{flush_id}.begin"

    def journal(self, flush_id: str) -> str:
        """The journal of a flush past its commit point."""
        return f"{self.path}/{flush_id}.json"

    def unborn(self, flush_id: str) -> str:
        """The journal before its commit point."""
        return f"{self.path}/{flush_id}.json.new"

    def abort(self, flush_id: str) -> str:
        """The journal of a flush that is to be taken back."""
        return f"{self.path}/{flush_id}.abort"

    def kept(self, flush_id: str) -> str:
        """Where foreign bytes are kept."""
        return f"{self.path}/kept/{flush_id}"


class Damaged(ValueError):
    """A record in `flush/` that is not what was written."""


# ---------------------------------------------------------------------------- records on disk


def write_file(disk: Disk, path: str, data: bytes, bits: int, mode: FileMode | None) -> None:
    """A new file with these bytes, durable but for its name."""
    descriptor = disk.create(path, bits)
    try:
        fill_file(disk, descriptor, data, mode)
        disk.sync(descriptor)
    finally:
        disk.close(descriptor)


def fill_file(disk: Disk, descriptor: int, data: bytes, mode: FileMode | None) -> None:
    """Mode, owner and bytes of a file that was just made."""
    if mode is not None:
        disk.set_owner(descriptor, mode.uid, mode.gid)
        disk.set_mode(descriptor, mode.bits)
    disk.write(descriptor, data)


def write_begin(disk: Disk, area: FlushFolder, flush_id: str, beginning: Beginning) -> None:
    """Name all temps, backups and asides to come, before the first of them (changes.md 5.4)."""
    files = [_within(area.root, path) for path in beginning.files]
    folders = [_within(area.root, path) for path in beginning.folders]
    record = _sealed({"files": files, "folders": folders})
    write_file(disk, area.begin(flush_id), record, 0o600, None)
    disk.sync_folder(area.path)


def write_journal(disk: Disk, area: FlushFolder, journal: Journal) -> None:
    """Write the journal beside its name; it counts for nothing yet."""
    write_file(disk, area.unborn(journal.flush_id), _sealed(_encoded(area.root, journal)), 0o600, None)


def read_begin(disk: Disk, area: FlushFolder, flush_id: str) -> Beginning:
    """The list of a flush that had begun; raises `Damaged` for one cut off, whose flush made nothing."""
    record = _opened(disk.read(area.begin(flush_id)))
    files, folders = (_texts(record, key) for key in ("files", "folders"))
    return Beginning(
        tuple(posixpath.join(area.root, path) for path in files),
        tuple(posixpath.join(area.root, path) for path in folders),
    )


def read_journal(disk: Disk, area: FlushFolder, path: str) -> Journal:
    """The journal at a path; raises `Damaged`."""
    return _decoded(area.root, _opened(disk.read(path)))


def _sealed(record: dict[str, object]) -> bytes:
    body = json.dumps(record, separators=(",", ":"), sort_keys=True)
    return f'{{"sha256":"{sha256_of(body.encode())}","record":{body}}}\n'.encode()


def _opened(data: bytes) -> dict[str, object]:
    start, end = len('{"sha256":"'), len('{"sha256":"') + 64
    body = data[end + len('","record":') : -2]
    if sha256_of(body).encode() != data[start:end] or data[-2:] != b"}\n":
        raise Damaged("the checksum is wrong")
    record = json.loads(body)
    if not isinstance(record, dict):
        raise Damaged("the record is no object")
    return record


# ---------------------------------------------------------------------------- encoding


def _within(root: str, path: str) -> str:
    """A path as a record has it: relative to the project, which may have moved when it is read."""
    return path[len(root) + 1 :] if path.startswith(root + "/") else path


def _encoded(root: str, journal: Journal) -> dict[str, object]:
    return {
        "format": _FORMAT,
        "id": journal.flush_id,
        "rows": [_encoded_row(root, row) for row in journal.rows],
        "made": [_within(root, folder) for folder in journal.made_folders],
        "seqs": list(journal.seqs),
        "payload": journal.payload,
    }


def _encoded_row(root: str, row: StagedRow) -> list[object]:
    paths = [_within(root, path) for path in (row.path, row.target, row.stem)]
    mode = None if row.mode is None else list(row.mode)
    edits = [_encoded_edit(edit) for edit in row.edits]
    return [row.name, *paths, row.before, row.after, mode, edits, _encoded_state(row.whole)]


def _encoded_state(state: FileState | None) -> list[str] | None:
    match state:
        case Content(data):
            return ["content", base64.b64encode(data).decode("ascii")]
        case LinkTo(text):
            return ["link", text]
        case Absent():
            return ["absent"]
        case None:
            return None


def _encoded_edit(edit: UnitEdit) -> list[object]:
    return [_encoded_name(edit.name), edit.before, _encoded_name(edit.after_name), edit.after]


def _encoded_name(name: UnitName | None) -> list[object] | None:
    if name is None:
        return None
    return [
        name.kind.value,
        name.owner,
        None if name.side is None else name.side.value,
        name.member,
        name.ordinal,
    ]


def _decoded(root: str, record: dict[str, object]) -> Journal:
    if record.get("format") != _FORMAT:
        raise Damaged(f"the format {record.get('format')} is not known")
    return Journal(
        _text(record["id"]),
        tuple(_decoded_row(root, row) for row in _items(record["rows"])),
        tuple(posixpath.join(root, folder) for folder in _texts(record, "made")),
        tuple(_number(seq) for seq in _items(record["seqs"])),
        _text(record["payload"]),
    )


def _decoded_row(root: str, row: object) -> StagedRow:
    name, path, target, stem, before, after, mode, edits, whole = _items(row)
    return StagedRow(
        _text(name),
        posixpath.join(root, _text(path)),
        posixpath.join(root, _text(target)),
        posixpath.join(root, _text(stem)),
        _text(before),
        _text(after),
        None if mode is None else FileMode(*map(_number, _items(mode))),
        tuple(_decoded_edit(edit) for edit in _items(edits)),
        _decoded_state(whole),
    )


def _decoded_state(state: object) -> FileState | None:
    match state:
        case None:
            return None
        case ["content", str(data)]:
            return Content(base64.b64decode(data))
        case ["link", str(text)]:
            return LinkTo(text)
        case ["absent"]:
            return Absent()
        case _:
            raise Damaged("a state is not known")


def _decoded_edit(edit: object) -> UnitEdit:
    name, before, after_name, after = _items(edit)
    return UnitEdit(
        _decoded_name(name), _text_or_none(before), _decoded_name(after_name), _text_or_none(after)
    )


def _decoded_name(name: object) -> UnitName | None:
    if name is None:
        return None
    kind, owner, side, member, ordinal = _items(name)
    of_side = None if side is None else Side(_text(side))
    return UnitName(UnitKind(_text(kind)), _text(owner), of_side, _text(member), _number(ordinal))


def _items(value: object) -> list[object]:
    if not isinstance(value, list):
        raise Damaged("a list is missing")
    return value


def _texts(record: dict[str, object], key: str) -> list[str]:
    return [_text(item) for item in _items(record[key])]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Damaged("a text is missing")
    return value


def _text_or_none(value: object) -> str | None:
    return None if value is None else _text(value)


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise Damaged("a number is missing")
    return value
