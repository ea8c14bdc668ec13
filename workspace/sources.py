"""Reading the sources of a project: bytes to parsed files (workspace.md 1.1, 1.4).

Comes in: paths of a project and a way to read them. Guarantees: what comes back is
decoded and parsed, or says why not; a byte-order mark is dropped. Leaves: meaning.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from changelog.entry import Snapshot
from lang.dataclass import dataclass, replace
from lang.deferred import deferred
from lang.source import SourceText
from lang.syntax.units import ParsedFile
from workspace.flush.view import DiskFile, DiskUnit

if TYPE_CHECKING:
    from workspace import manifest_source
else:
    manifest_source = deferred("workspace.manifest_source")


BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class SourceToday:
    """One source as disk has it now; `problem` says why it has no bytes.

    `is_loaded` says whether its code is to run: sources under `test/` are known to renames
    before they are loaded. `units` are the file's units when somebody knows them already; their trees
    may be left out.
    """

    path: str
    snapshot: Snapshot
    data: bytes
    problem: str | None = None
    is_loaded: bool = True
    units: ParsedFile | None = None

    def decoded(self) -> SourceText | str:
        """The file's text, or why it has none."""
        if self.problem is not None:
            return self.problem
        try:
            text = self.data.decode("utf-8")
        except UnicodeDecodeError as error:
            return f"{self.path} is not valid UTF-8: byte {error.start} is 0x{self.data[error.start]:02x}"
        return SourceText(text.removeprefix(BYTE_ORDER_MARK), self.path)

    def parsed(self) -> ParsedFile | str:
        """The file decoded and cut into units, or why that cannot be."""
        if self.units is not None:
            return self.units
        text = self.decoded()
        return text if isinstance(text, str) else manifest_source.parse_source(text)

    def with_parsed(self) -> SourceToday:
        """The same, parsed once and for all."""
        parsed = self.parsed()
        return self if isinstance(parsed, str) else replace(self, units=parsed)

    def as_disk_file(self, units: tuple[DiskUnit, ...]) -> DiskFile:
        """What the image remembers of the file."""
        return DiskFile(self.path, self.snapshot, self.data, units)


def snapshot_of(data: bytes, mtime_ns: int) -> Snapshot:
    """What a file looked like: time, size, hash."""
    return Snapshot(mtime_ns, len(data), hashlib.sha256(data).hexdigest())


def read_source(root: Path, path: str, *, is_loaded: bool = True) -> SourceToday | None:
    """A source below a folder as it is now; None when there is none."""
    try:
        status = (root / path).stat()
        data = (root / path).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        problem = f"{path} cannot be read: {error.strerror}"
        return SourceToday(path, Snapshot(0, 0, ""), b"", problem, is_loaded)
    return SourceToday(path, snapshot_of(data, status.st_mtime_ns), data, None, is_loaded)
