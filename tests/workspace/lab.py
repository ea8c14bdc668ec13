"""A workspace on a small project of its own, driven as a person at the prompt would (for tests).

Comes in: files of a project. Guarantees: inputs run on the evaluator; answers are print
strings. `restart` is a close and an open; only `close` leaves nothing running.
"""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from lang.runtime.errors import BeamtalkError
from workspace import drafting
from workspace.flush.disk import Disk, RealDisk
from workspace.flush.plan import FlushRequest
from workspace.flush.result import FlushResult
from workspace.flush.selection import Everything, Gesture
from workspace.opening import Opening, open_workspace
from workspace.sessions import DeclarationAnswer, Outcome, ValueAnswer
from workspace.state import ImageState
from workspace.xref import Index, brute_force

MANIFEST = '[package]\nname = "lab"\nversion = "0.1.0"\n'

COUNTER = """/// Counts upwards.
Actor subclass: Counter
  state: value = 0

  /// Adds one.
  increment => self.value := self.value + 1

  getValue => self.value

  class label => "counter"
"""

METER = """// The word Counter in this comment is plain text.
Object subclass: Meter
  class make => Counter spawn

  class describe: c :: Counter => "Counter at {c getValue}"

  class fresh => "new {(Counter spawn) getValue}"
"""

P0 = {"src/Counter.bt": COUNTER, "src/Meter.bt": METER}
"""The fixture that most cases name."""

Files = Mapping[str, str | bytes]
Tree = dict[str, bytes | str]


@functools.cache
def library_cache() -> Path:
    """A folder for the compiled library that all tests of this process share."""
    folder = Path(tempfile.mkdtemp(prefix="beamtalk-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class Heard:
    """A transcript that keeps what was shown."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        """Keep a text."""
        self.text += text


class Lab:
    """An open workspace with one session; call it with an input to get what the prompt shows."""

    def __init__(self, root: Path, disk: Disk | None = None, *, is_read_only: bool = False) -> None:
        self.root = root
        self._disk = disk or RealDisk()
        self._is_read_only = is_read_only
        self._open()

    def _open(self) -> None:
        self.transcript = Heard()
        self.workspace = open_workspace(
            Opening(
                self.root,
                library_cache=library_cache(),
                disk=self._disk,
                is_read_only=self._is_read_only,
                transcript=self.transcript,
            )
        )
        self.session = self.workspace.sessions.open("repl")

    def close(self) -> None:
        """End the workspace."""
        self.workspace.close()

    def restart(self) -> None:
        """Close the workspace, open it again and load the project."""
        self.close()
        self._open()
        self.sync()

    def sync(self) -> None:
        """Load the project."""
        self("Workspace sync")

    # ------------------------------------------------------------ inputs

    def outcome(self, text: str) -> Outcome:
        """What comes of an input, shown or not."""
        return self.workspace.evaluator.run(lambda: self.session.evaluate(text))

    def __call__(self, text: str) -> str:
        """Evaluate an input; raises the `BeamtalkError` that it ends in."""
        return self.workspace.evaluator.run(lambda: self._shown(self.session.evaluate(text)))

    def _shown(self, outcome: Outcome) -> str:
        if outcome.error is not None:
            raise outcome.error
        match outcome.answers[-1] if outcome.answers else DeclarationAnswer(""):
            case DeclarationAnswer(text):
                return text
            case ValueAnswer(value):
                return self.workspace.runtime.print_string(value)

    def error(self, text: str) -> BeamtalkError:
        """The error that an input must end in."""
        outcome = self.outcome(text)
        assert outcome.error is not None, f"{text!r} succeeded"
        return outcome.error

    # ------------------------------------------------------------ files

    def path(self, name: str) -> Path:
        """A file of the project."""
        return self.root / name

    def read(self, name: str) -> str:
        """A file's text, line ends as they are."""
        return self.path(name).read_bytes().decode("utf-8")

    def write(self, name: str, data: str | bytes) -> None:
        """Write a file as an editor would."""
        put(self.path(name), data)

    def tree(self) -> Tree:
        """Every file and link of the project but its own state."""
        return tree_of(self.root)

    # ------------------------------------------------------------ the image

    @property
    def state(self) -> ImageState:
        """The present state."""
        return self.workspace.state

    def flush(self, gesture: Gesture = Gesture.DESTRUCTIVE) -> FlushResult:
        """Flush everything with a gesture."""
        request = FlushRequest(Everything(), gesture)
        return self.workspace.evaluator.run(lambda: self.workspace.flush(request))

    def flush_all(self) -> None:
        """Flush everything, and insist that it went."""
        result = self.flush()
        assert (result.conflicts, result.failure) == ((), None)
        assert [each for each in result.skipped if each.reason.value != "not_flushable"] == []


def put(path: Path, data: str | bytes) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)


def tree_of(root: Path) -> Tree:
    """Every file and link below a folder, but what the workspace keeps for itself."""
    own = root / ".beamtalk"
    found: Tree = {}
    for path in sorted(root.rglob("*")):
        if own not in path.parents and (path.is_symlink() or path.is_file()):
            name = path.relative_to(root).as_posix()
            found[name] = str(path.readlink()) if path.is_symlink() else path.read_bytes()
    return found


def project(root: Path, files: Files) -> Path:
    """A project folder with these files; the manifest is there unless one is given."""
    for name, data in {"beamtalk.toml": MANIFEST, **files}.items():
        put(root / name, data)
    return root


@contextmanager
def lab_with(root: Path, files: Files = P0, disk: Disk | None = None) -> Iterator[Lab]:
    """A lab on a new project, its sources loaded."""
    lab = Lab(project(root, files), disk)
    try:
        lab.sync()
        yield lab
    finally:
        lab.close()


def index_by_brute_force(state: ImageState) -> Index:
    """The index as a walk over every unit gives it."""
    rows = (drafting.rows_for(unit) for unit in state.units.values())
    return brute_force(each for each in rows if each is not None)
