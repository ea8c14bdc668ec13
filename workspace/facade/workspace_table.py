"""`Workspace` and `Beamtalk` as Beamtalk sees them (workspace.md 2.4, 2.5)."""

from __future__ import annotations

from changelog.entry import Entry
from lang.runtime.classes import ClassObject, MetaclassObject
from lang.runtime.collections.mappings import dictionary_of
from lang.runtime.errors import BeamtalkError
from lang.runtime.instances import ActorObject
from lang.runtime.primitive import PrimitiveTable
from lang.runtime.symbols import Symbol
from lang.source import SourceText
from lang.syntax import parse_file
from lang.version import VERSION
from workspace.change import Operation, Refusal
from workspace.facade.entries import EntryObject
from workspace.facade.flush_tables import FlushPlanObject, FlushResultObject, filter_of, result_object
from workspace.facade.git_table import GitObject
from workspace.facade.log_table import LogSettings
from workspace.facade.previews import PreviewObject, preview_of
from workspace.facade.python_help import python_help, python_help_on
from workspace.facade.rechecks import recheck_image
from workspace.facade.session_tables import BindingsObject, GlobalsView, article, key_name
from workspace.facade.singletons import ChangeLogObject
from workspace.facade.supervisor_table import SupervisorPrimitives
from workspace.facade.values import beamtalk_list, raised, record, text_argument, type_error
from workspace.flush.plan import FlushRequest, OnConflict
from workspace.flush.selection import EVERYTHING, Filter, Gesture, OfEntry, OfFile
from workspace.help import help_on_class, help_on_method
from workspace.operations.classes import adopt_class, new_class_at
from workspace.refactor.move import move_class
from workspace.sync import FileProblem, SyncReport
from workspace.workspace import Workspace


class WorkspacePrimitives:
    """The primitives of WorkspaceInterface, of one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def table(self) -> PrimitiveTable:
        """The table for the library loader."""
        table = PrimitiveTable("WorkspaceInterface")
        names = self._workspace.globals
        table.primitive("current", class_side=True)(lambda _self: names["Workspace"])
        self._add_image(table)
        self._add_files(table)
        self._add_changes(table)
        table.primitive("dependencies")(lambda _self: self.dependencies())
        SupervisorPrimitives(self._workspace).add_to(table)
        return table

    def _add_image(self, table: PrimitiveTable) -> None:
        workspace = self._workspace
        actors = workspace.image.actors
        table.primitive("actors")(lambda _self: beamtalk_list(actors.live_actors()))
        table.primitive("actorAt:")(lambda _self, pid: self.actor_at(pid))
        table.primitive("actorsOf:")(
            lambda _self, wanted: beamtalk_list(actors.live_actors_of(_class(wanted, "actorsOf:")))
        )
        table.primitive("classes")(lambda _self: beamtalk_list(self.file_classes()))
        table.primitive("testClasses")(lambda _self: beamtalk_list(workspace.test_classes()))
        table.primitive("globals")(lambda _self: BindingsObject(GlobalsView(workspace)))
        table.primitive("sessions")(lambda _self: beamtalk_list(workspace.sessions.live()))
        table.primitive("bind:as:")(lambda _self, value, name: self.bind(value, name))
        table.primitive("unbind:")(lambda _self, name: workspace.unbind_global(key_name(name)))
        table.primitive("test")(lambda _self: workspace.run_tests(workspace.test_classes()))
        table.primitive("test:")(lambda _self, wanted: self.test(wanted))

    def _add_files(self, table: PrimitiveTable) -> None:
        workspace = self._workspace
        table.primitive("load:")(lambda _self, path: self.load(path))
        table.primitive("sync")(lambda _self: sync_record(workspace.loader.sync()))
        table.primitive("newClass:at:")(lambda _self, source, path: self.new_class(source, path))
        table.primitive("save:at:")(lambda _self, wanted, path: self.save(wanted, path))
        table.primitive("moveClass:to:")(lambda _self, wanted, path: self.move(wanted, path))
        table.primitive("previewMoveClass:to:")(lambda _self, wanted, path: self.preview_move(wanted, path))

    def _add_changes(self, table: PrimitiveTable) -> None:
        workspace = self._workspace
        log = ChangeLogObject(workspace)
        table.primitive("changes")(lambda _self: log)
        git = GitObject(workspace)
        table.primitive("git")(lambda _self: git)
        table.primitive("flush")(lambda _self: self.flush(EVERYTHING, Gesture.PLAIN))
        table.primitive("flush:")(lambda _self, wish: self.flush(filter_of(wish, "flush:"), Gesture.PLAIN))
        table.primitive("flush:confirmDestructive:")(
            lambda _self, wish, confirmed: self.flush(filter_of(wish, "flush:"), _gesture(confirmed))
        )
        table.primitive("flush:force:")(lambda _self, wish, force: self.flush_over(wish, False, force))
        table.primitive("flush:confirmDestructive:force:")(
            lambda _self, wish, confirmed, force: self.flush_over(wish, confirmed, force)
        )
        table.primitive("flushIncludingDestructive")(
            lambda _self: self.flush(EVERYTHING, Gesture.DESTRUCTIVE)
        )
        table.primitive("flushPlan")(lambda _self: self.plan(EVERYTHING, Gesture.PLAIN))
        table.primitive("flushPlan:")(
            lambda _self, wish: self.plan(filter_of(wish, "flushPlan:"), Gesture.PLAIN)
        )
        table.primitive("flushPlanIncludingDestructive")(
            lambda _self: self.plan(EVERYTHING, Gesture.DESTRUCTIVE)
        )
        table.primitive("undo")(lambda _self: _step(workspace.history.undo(), "undo"))
        table.primitive("redo")(lambda _self: _step(workspace.history.redo(), "redo"))
        table.primitive("recheckImage")(lambda _self: recheck_image(workspace))
        table.primitive("autoflush")(lambda _self: workspace.autoflush)
        table.primitive("autoflush:")(lambda _self, enabled: workspace.set_autoflush(enabled=enabled is True))

    # ------------------------------------------------------------ image

    def actor_at(self, pid: object) -> ActorObject | None:
        """The live actor with the given pid text; nil for nonsense."""
        wanted = str(pid).strip("<>")
        for actor in self._workspace.image.actors.live_actors():
            if str(self._workspace.image.actors.process_of(actor, "pid").pid) == wanted:
                return actor
        return None

    def file_classes(self) -> list[ClassObject]:
        """Loaded classes with a source file, by name."""
        state = self._workspace.state
        found = sorted(self._workspace.runtime.classes(), key=lambda c: c.name)
        return [each for each in found if state.path_of(each.name) is not None]

    def dependencies(self) -> object:
        """The packages that the project's manifest names, as far as they are known, by name."""
        project, runtime = self._workspace.project, self._workspace.runtime
        package = runtime.existing_class("Package")
        known = set(runtime.send(package, "all"))
        names = [each.name for each in project.manifest.dependencies] if project is not None else []
        return dictionary_of((name, runtime.send(package, "named:", name)) for name in names if name in known)

    def bind(self, value: object, name: object) -> None:
        """Bind a global name."""
        self._workspace.bind_global(key_name(name), value)

    def test(self, wanted: object) -> object:
        """Run one test class."""
        chosen = _class(wanted, "test:")
        if chosen not in self._workspace.test_classes():
            raise type_error("WorkspaceInterface", "test:", "a subclass of TestCase")
        return self._workspace.run_tests([chosen])

    # ------------------------------------------------------------ files

    def load(self, path: object) -> object:
        """Load a file or a folder."""
        if type(path) is not str:
            kind = article(self._workspace.runtime.class_name_of(path))
            raise BeamtalkError("type_error", f"load: expects a String path, got {kind}", selector="load:")
        outcome = self._workspace.loader.load(path)
        if isinstance(outcome, Refusal):
            raise raised(outcome, class_name="Workspace", selector="load:")
        return beamtalk_list(self._workspace.runtime.existing_class(name) for name in outcome.names)

    def new_class(self, source: object, path: object) -> object:
        """Define a class that gets its file at the next flush."""
        by = "newClass:at:"
        kind = self._workspace.runtime.class_name_of
        text = text_argument(source, "Workspace", by, f"a String source, got {article(kind(source))}")
        place = text_argument(path, "Workspace", by, f"a String path, got {article(kind(path))}")
        parsed = parse_file(SourceText(text.replace("\r\n", "\n"), place))
        self._perform(new_class_at(text, parsed, place, self._workspace.exists), by, prefix="newClass:at: ")
        names = [unit.name.owner for unit in parsed.units if unit.name.kind.value == "header"]
        return beamtalk_list(self._workspace.runtime.existing_class(name) for name in names)

    def save(self, wanted: object, path: object) -> ClassObject:
        """Give a class made at the prompt a file."""
        chosen = _class(wanted, "save:at:")
        place = text_argument(path, "Workspace", "save:at:")
        self._perform(adopt_class(chosen.name, place, self._workspace.exists), "save:at:")
        return chosen

    def move(self, wanted: object, path: object) -> ClassObject:
        """Move the file of a class."""
        chosen = _class(wanted, "moveClass:to:")
        place = text_argument(path, "Workspace", "moveClass:to:")
        self._perform(move_class(chosen.name, place, self._workspace.exists), "moveClass:to:")
        return chosen

    def preview_move(self, wanted: object, path: object) -> PreviewObject:
        """What a move would do."""
        chosen = _class(wanted, "previewMoveClass:to:")
        place = text_argument(path, "Workspace", "previewMoveClass:to:")
        operation = move_class(chosen.name, place, self._workspace.exists)
        return preview_of(self._workspace.preview(operation), chosen.name, place)

    # ------------------------------------------------------------ changes

    def flush(self, wish: Filter, gesture: Gesture) -> FlushResultObject:
        """Write pending changes."""
        return result_object(self._workspace.flush(FlushRequest(wish, gesture)))

    def flush_over(self, wish: object, confirmed: object, force: object) -> FlushResultObject:
        """Write one change or file, over edits of the same units when forced (changes.md 5)."""
        chosen = filter_of(wish, "flush:force:")
        if force is True and not isinstance(chosen, OfEntry | OfFile):
            raise type_error("WorkspaceInterface", "flush:force:", "a change or #{#file => path}")
        on_conflict = OnConflict.OVERWRITE_UNIT if force is True else OnConflict.REFUSE
        request = FlushRequest(chosen, _gesture(confirmed), on_conflict)
        return result_object(self._workspace.flush(request))

    def plan(self, wish: Filter, gesture: Gesture) -> FlushPlanObject:
        """What that would do."""
        return FlushPlanObject(self._workspace.flush_plan(FlushRequest(wish, gesture)))

    def _perform(self, operation: Operation, by: str, prefix: str = "") -> None:
        outcome = self._workspace.perform(operation)
        if isinstance(outcome, Refusal):
            error = raised(outcome, class_name="Workspace", selector=by)
            error.message = f"{prefix}{error.message}"
            raise error


def _gesture(confirmed: object) -> Gesture:
    return Gesture.DESTRUCTIVE if confirmed is True else Gesture.PLAIN


def _class(value: object, selector: str) -> ClassObject:
    if isinstance(value, ClassObject):
        return value
    raise type_error("Workspace", selector, "a class")


def _step(outcome: Entry | Refusal | None, by: str) -> EntryObject | None:
    if isinstance(outcome, Refusal):
        raise raised(outcome, class_name="Workspace", selector=by)
    return None if outcome is None else EntryObject(outcome)


def sync_record(report: SyncReport) -> object:
    """The Dictionary of workspace.md 1.6."""
    errors = [
        record({"path": problem.path, "line": line, "message": message})
        for problem in report.problems
        for line, message in _problem_lines(problem)
    ]
    return record(
        {
            "summary": report.summary(),
            "classes": beamtalk_list(()),
            "errors": beamtalk_list(errors),
            "warnings": beamtalk_list(report.warnings),
            "changedCount": len(report.changed),
            "unchangedCount": len(report.unchanged),
            "deletedCount": len(report.deleted),
        }
    )


def _problem_lines(problem: FileProblem) -> list[tuple[int, str]]:
    findings = problem.findings
    if not findings:
        return [(1, problem.message)]
    return [(f.line, f.diagnostic.message) for f in findings]


class BeamtalkPrimitives:
    """The primitives of BeamtalkInterface, of one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def table(self) -> PrimitiveTable:
        """The table for the library loader."""
        table = PrimitiveTable("BeamtalkInterface")
        workspace = self._workspace
        table.primitive("current", class_side=True)(lambda _self: workspace.globals["Beamtalk"])
        table.primitive("version")(lambda _self: VERSION)
        table.primitive("allClasses")(lambda _self: beamtalk_list(workspace.runtime.classes()))
        table.primitive("classNamed:")(lambda _self, name: self.class_named(name))
        table.primitive("globals")(
            lambda _self: record({each.name: each for each in workspace.runtime.classes()})
        )
        table.primitive("current:", class_side=True)(lambda _self, instance: self.make_current(instance))
        for words in ("erlangHelp:", "pythonHelp:"):
            self._add_python_help(table, words)
        LogSettings(workspace).add_to(table)
        table.primitive("help:")(lambda _self, topic: self.help(topic))
        table.primitive("help:selector:")(lambda _self, topic, name: self.help_on_method(topic, name))
        return table

    def _add_python_help(self, table: PrimitiveTable, words: str) -> None:
        workspace, detailed = self._workspace, f"{words}selector:"
        table.primitive(words)(lambda _self, module: python_help(workspace, module, words))
        table.primitive(detailed)(
            lambda _self, module, name: python_help_on(workspace, module, name, detailed)
        )

    def make_current(self, instance: object) -> object:
        """The one instance, which is all that it can be."""
        if instance is not self._workspace.globals["Beamtalk"]:
            raise type_error("BeamtalkInterface", "current:", "the one instance")
        return instance

    def class_named(self, name: object) -> ClassObject | None:
        """The class of a name, nil when there is none."""
        if not isinstance(name, Symbol) and type(name) is not str:
            raise type_error("Beamtalk", "classNamed:", "a Symbol")
        return self._workspace.runtime.class_named(key_name(name))

    def help(self, topic: object) -> str:
        """Help on a class."""
        return help_on_class(self._topic(topic))

    def help_on_method(self, topic: object, name: object) -> str:
        """Help on a method."""
        return help_on_method(self._topic(topic), key_name(name))

    def _topic(self, topic: object) -> ClassObject | MetaclassObject:
        if isinstance(topic, Symbol) or type(topic) is str:
            found = self._workspace.runtime.class_named(key_name(topic))
            if found is None:
                raise BeamtalkError(
                    "class_not_found",
                    f"Class '{key_name(topic)}' not found.",
                    hint="Use Beamtalk allClasses for available classes.",
                )
            return found
        if isinstance(topic, ClassObject | MetaclassObject):
            return topic
        raise type_error("Beamtalk", "help:", "a class or its name")
