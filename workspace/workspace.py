"""A workspace: one live image, its project and its ChangeLog.

Comes in: a project folder (or none) and services. Guarantees: everything that a session,
a command or a tool does to the image goes through one of these methods; they run on the
evaluator. Leaves: words and colours to `repl`, Beamtalk objects to `workspace/facade`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from changelog.entry import Intent, Mark, MarkKind
from changelog.folder import WorkspaceFolder
from changelog.journal import StoreReadOnly
from changelog.log import ChangeLog
from lang.dataclass import dataclass, replace
from lang.deferred import deferred
from lang.runtime.classes import ClassObject
from lang.runtime.collections.lists import list_from
from lang.runtime.errors import BeamtalkError
from lang.runtime.processes.evaluator import EvaluationEnded, Evaluator, EvaluatorClosed
from lang.runtime.runtime import Runtime
from lang.runtime.symbols import symbol
from workspace.change import Refusal
from workspace.facade.singletons import PROTECTED_NAMES, singletons
from workspace.history import History
from workspace.image import Image
from workspace.install import Installer
from workspace.loader import Loader
from workspace.pending import Pending
from workspace.project import Project, SourceSet
from workspace.registration import module_of, package_id
from workspace.runtime_log import RuntimeLog
from workspace.sessions import Sessions
from workspace.sources import SourceToday, read_source
from workspace.state import ImageState, StateBuilder
from workspace.transaction import Stale, Transactions

if TYPE_CHECKING:
    from changelog.entry import Entry, Site
    from lang.stdlib import testing
    from lang.stdlib.testing import TestReport
    from workspace import diffs, row_data
    from workspace.change import Change, Finding, Operation
    from workspace.compile_cache import CompileCache
    from workspace.flush import plan, result, selection
    from workspace.flush.outcome import RecoveryReport
    from workspace.flush.plan import FlushPlan, FlushRequest
    from workspace.flush.result import FlushResult
    from workspace.flush.selection import Filter
    from workspace.flushing import Flushing
    from workspace.recheck import rechecking
    from workspace.refactor import accept
else:
    testing = deferred("lang.stdlib.testing")
    diffs = deferred("workspace.diffs")
    row_data = deferred("workspace.row_data")
    plan = deferred("workspace.flush.plan")
    result = deferred("workspace.flush.result")
    selection = deferred("workspace.flush.selection")
    rechecking = deferred("workspace.recheck.rechecking")
    accept = deferred("workspace.refactor.accept")

MAX_ATTEMPTS = 8
"""How often an operation is planned again because the image moved on; then it is refused."""


@dataclass(frozen=True, slots=True)
class Done:
    """A change that was carried out. `entry` is None for what is not logged."""

    entry: Entry | None
    change: Change
    warnings: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


class Workspace:
    """Owns an image with its log, evaluator, sessions and project; see `opening` for how one is made."""

    installer: Installer

    def __init__(
        self,
        image: Image,
        log: ChangeLog,
        evaluator: Evaluator,
        project: Project | None,
        folder: WorkspaceFolder | None,
    ) -> None:
        self.image = image
        self.log = log
        self.evaluator = evaluator
        self.project = project
        self.folder = folder
        self.pending = Pending(log, lambda: image.state)
        self.transactions = Transactions(log, image.critical)
        self.sessions = Sessions(self)
        self.globals: dict[str, object] = {}
        self.make_flushing: Callable[[], Flushing | None] = lambda: None
        self.compile_cache: CompileCache | None = None
        self.runtime_log = RuntimeLog(None)
        self.recovery: RecoveryReport | None = None
        """What a crash had left and what became of it, if there was anything."""
        self.loader = Loader(self)
        self.after_change: list[Callable[[Done], None]] = []
        self.history = History(self)
        self.author: Callable[[], str] = lambda: ""

    @cached_property
    def rechecking(self) -> rechecking.Rechecking:
        """The re-check of what changes did not touch."""
        return rechecking.Rechecking(self)

    @cached_property
    def flushing(self) -> Flushing | None:
        """What writes changes to files; None without a project."""
        return self.make_flushing()

    @property
    def begun_flushing(self) -> Flushing | None:
        """The same, when a flush was ever planned here; what earlier sessions left was ended on opening."""
        found: Flushing | None = self.__dict__.get("flushing")
        return found

    def begin(self) -> None:
        """Start the evaluator and bind the global names."""
        self.evaluator.start()
        self.globals.update(self.evaluator.run(lambda: singletons(self), "start"))
        self.evaluator.run(self._bind_names, "start")

    def idle(self) -> None:
        """Work that nobody waits for: copies of source bodies for people (changes.md 2)."""
        self.log.write_copies()

    def close(self) -> None:
        """End all tasks and give the project back; supervisors end their children first (actors.md 21.11)."""
        with contextlib.suppress(EvaluatorClosed, EvaluationEnded):
            self.evaluator.run(self.image.actors.supervisors.stop_all, "end")
        if self.begun_flushing is not None:
            self.begun_flushing.wait_for_end()
        self._keep_code()
        self._keep_rows()
        self.evaluator.shutdown()
        if self.log.read_only_reason is None:
            self.idle()
        self.log.close()
        self.runtime_log.close()
        if self.folder is not None:
            self.folder.close()

    def _keep_code(self) -> None:
        """Record the code of the files that were in use: whole files, so that every writer writes the same."""
        cache = self.compile_cache
        if cache is None or not cache.paths_compiled:
            return
        with contextlib.suppress(EvaluatorClosed, EvaluationEnded):
            # On the evaluator, whose stack is deep enough for any code.
            self.evaluator.run(lambda: self.loader.compile_files(cache.paths_compiled), "compile")
            cache.write_compiled(self.state.disk)

    def _keep_rows(self) -> None:
        """Record the rows of the index of files that are as they were loaded, if anybody has asked for them."""
        cache = self.compile_cache
        if cache is not None and cache.without_rows and self.state.cross_reference.is_made:
            with contextlib.suppress(EvaluatorClosed, EvaluationEnded):
                self.evaluator.run(
                    lambda: cache.write_rows(self.state.disk, partial(row_data.rows_of_file, self.state)),
                    "index",
                )

    @property
    def runtime(self) -> Runtime:
        """The runtime of the image."""
        return self.image.runtime

    @property
    def state(self) -> ImageState:
        """The present state of the image."""
        return self.image.state

    def know(self, class_object: ClassObject) -> None:
        """Give a class that was built at run time its place in the state (changes.md 3.1, dynamic)."""
        if class_object.name in self.state.classes or class_object.is_removed:
            return
        builder = StateBuilder(self.state)
        lineage = builder.new_lineage()
        builder.put_class(class_object.name, lineage)
        builder.registry = builder.registry.assign(package_id(self.state.package), class_object.name)
        self.image.class_objects = {**self.image.class_objects, lineage: class_object}
        self.image.state = builder.finish()

    def module_for_built(self, name: str) -> str:
        """The module of a class that running code builds: its own, or the next free one (types.md M-16)."""
        state = self.state
        registry = state.registry.assign(package_id(state.package), name)
        if registry is not state.registry:
            builder = StateBuilder(state)
            builder.registry = registry
            self.image.state = builder.finish()
        return module_of(self.state, name)

    # ------------------------------------------------------------ global names

    def bind_global(self, name: str, value: object) -> str | None:
        """Bind a name for all sessions and methods; answers a warning or None."""
        if name in PROTECTED_NAMES:
            raise BeamtalkError("name_conflict", f"{name} is a system name and cannot be shadowed")
        self.globals[name] = value
        self._bind_names()
        self.tell_bound(name, value, None)
        return f"{name} is a loaded class. Use reload instead." if name in self.state.classes else None

    def tell_bound(self, name: str, value: object, session_id: str | None) -> None:
        """Announce a binding of the workspace or of a session (actors.md 15)."""
        values = {"name": symbol(name), "value": value, "sessionId": session_id}
        self.image.actors.bus.tell("BindingChanged", lambda: values)

    def unbind_global(self, name: str) -> None:
        """Drop a name that was bound."""
        if name in PROTECTED_NAMES:
            raise BeamtalkError("name_conflict", f"{name} is a system name and cannot be shadowed")
        if name not in self.globals:
            raise BeamtalkError("name_not_found", f"{name} is not a registered workspace name")
        del self.globals[name]
        kept = {n: v for n, v in self.runtime.class_names.items() if n != name}
        self.runtime.bind_names(MappingProxyType(kept))
        self._bind_names()

    def _bind_names(self) -> None:
        self.runtime.bind_names(MappingProxyType({**self.runtime.class_names, **self.globals}))

    # ------------------------------------------------------------ sources

    def list_sources(self) -> tuple[str, ...]:
        """Every source of the project, tests included."""
        return self.project.sources(SourceSet.ALL) if self.project is not None else ()

    def exists(self, path: str) -> bool:
        """Whether a file stands at a project path, spelled in exactly this case."""
        if self.project is None:
            return False
        target = self.project.root / path
        try:
            return any(each.name == target.name for each in target.parent.iterdir())
        except OSError:
            return False

    def read_sources(self, paths: Iterable[str]) -> dict[str, SourceToday]:
        """Sources by project path as disk has them now; what is gone is left out."""
        found = ((path, read_source(self.root, path)) for path in paths)
        return {path: source for path, source in found if source is not None}

    def read_transcripts(self) -> Iterator[tuple[str, str]]:
        """The project's transcripts, path and text; what cannot be read is left out."""
        for path in self.project.transcripts() if self.project is not None else ():
            with contextlib.suppress(OSError):
                yield path, (self.root / path).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")

    @property
    def root(self) -> Path:
        """The folder that paths are relative to: the project's root, else the working directory."""
        return self.project.root if self.project is not None else Path.cwd()

    # ------------------------------------------------------------ carrying out

    def perform(self, operation: Operation) -> Done | Refusal:
        """Plan on the present state, compile, log and swap; plan again when the image moved on."""
        for _attempt in range(MAX_ATTEMPTS):
            planned = operation(self.image.state)
            if isinstance(planned, Refusal):
                return planned
            outcome = self.carry_out(planned)
            if outcome is not None:
                return outcome
        return Refusal("runtime_error", "the image keeps changing; try again")

    def preview(self, operation: Operation) -> Change | Refusal:
        """What an operation would do, with nothing changed."""
        return operation(self.image.state)

    def carry_out(self, change: Change) -> Done | Refusal | None:
        """Compile, log and swap a planned change; None when the image has moved on since."""
        prepared = self.installer.prepare(self._signed(change))
        if isinstance(prepared, Refusal):
            return prepared
        try:
            entry = self.transactions.commit(prepared.transaction)
        except Stale:
            return None
        except (StoreReadOnly, OSError) as reason:
            return Refusal("runtime_error", f"nothing was changed: {reason}")
        prepared.follow_up()
        done = Done(entry, change, (*change.warnings, *self._autoflushed(entry)), prepared.warnings)
        for notice in self.after_change:
            notice(done)
        if change.base.units:
            self.rechecking.after_change(change)
        session = self.sessions.current
        if entry is not None and session is not None:
            session.hear(done.warnings)
        return done

    def _signed(self, change: Change) -> Change:
        if change.entry is None:
            return change
        return replace(change, entry=replace(change.entry, author=self.author()))

    # ------------------------------------------------------------ flush

    def flush(self, request: FlushRequest) -> FlushResult:
        """Write pending changes to the files (changes.md 4, 5)."""
        if self.flushing is None:
            return result.FlushResult()
        outcome = self.flushing.flush(request)
        if outcome.files:
            files = list_from(outcome.files)
            self.image.actors.bus.tell("FlushCompleted", lambda: {"files": files})
        return outcome

    def flush_plan(self, request: FlushRequest) -> FlushPlan:
        """What a flush would do."""
        return plan.FlushPlan() if self.flushing is None else self.flushing.plan(request)

    def diff(self, wish: Filter) -> str:
        """The difference between disk and memory of what a filter selects; empty when there is none."""
        planned = self.flush_plan(plan.FlushRequest(wish, selection.Gesture.DESTRUCTIVE))
        if planned.conflicts:
            return "".join(diffs.entry_diff(self.state.disk, entry) for entry in planned.entries)
        return planned.diff

    def entry_diff(self, entry: Entry) -> str | None:
        """The difference that one entry makes; None for a class without a file."""
        text = diffs.entry_diff(self.state.disk, entry)
        return text if text or entry.source_file is not None else None

    def _autoflushed(self, entry: Entry | None) -> tuple[str, ...]:
        """Write a durable edit at once where that is switched on; never what is destructive (changes.md 5.1)."""
        if (
            entry is None
            or not self.autoflush
            or entry.intent is not Intent.DURABLE
            or entry.is_destructive
            or not entry.is_flushable
        ):
            return ()
        outcome = self.flush(plan.FlushRequest(selection.OfEntry(entry.seq)))
        return () if outcome.flushed else (f"memory is ahead of disk: {outcome.print_string()}",)

    @property
    def autoflush(self) -> bool:
        """Whether each durable edit is written at once."""
        return self.folder is not None and self.folder.setting("autoflush", False) is True

    def set_autoflush(self, *, enabled: bool) -> bool:
        """Switch autoflush; persists with the project. Raises `runtime_error` where it cannot be written."""
        try:
            if self.folder is not None:
                self.folder.set("autoflush", enabled)
        except OSError as reason:
            raise BeamtalkError("runtime_error", f"nothing was changed: {reason}") from reason
        return enabled

    # ------------------------------------------------------------ candidates

    def accept_candidates(self, entry: Entry, sites: tuple[Site, ...]) -> Done | Refusal:
        """Rename candidate sites of a logged rename, in a change that depends on it (changes.md 7)."""
        return self.perform(accept.accept_sites(entry, sites))

    # ------------------------------------------------------------ tests

    def test_classes(self) -> list[ClassObject]:
        """Loaded test classes, by name."""
        return testing.test_classes(self.runtime)

    def run_tests(self, classes: Sequence[ClassObject]) -> TestReport:
        """Run test classes on the evaluator."""
        return testing.run_tests(self.runtime, classes)

    # ------------------------------------------------------------ giving up

    def clear(self, seqs: frozenset[int]) -> None:
        """Give pending entries up; memory stays as it is (changes.md 12)."""
        chosen = [entry.seq for entry in self.pending.view().active if entry.seq in seqs]
        self.log.mark(*(Mark(MarkKind.CLEARED, seq) for seq in chosen))
