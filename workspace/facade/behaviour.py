"""Live changes asked of a class: patch, remove, rename, reload (changes.md 3, 6, 7)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from changelog.entry import Intent, Site
from lang.runtime.blocks import call_block, check_block
from lang.runtime.primitive import PrimitiveTable
from lang.spelling import method_name
from workspace.change import Operation, Refusal
from workspace.facade.entries import SiteObject
from workspace.facade.previews import PreviewObject, preview_of
from workspace.facade.rechecks import precheck
from workspace.facade.values import class_and_side, name_argument, raised, type_error
from workspace.operations.classes import remove_class
from workspace.operations.patch import MethodPatch, patch_method, remove_method
from workspace.refactor.rename_class import rename_class
from workspace.refactor.rename_method import MethodRename, rename_method, take_none
from workspace.workspace import Workspace


class BehaviourChanges:
    """The primitives of Behaviour that change the image of one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def table(self) -> PrimitiveTable:
        """The table for the library loader."""
        table = PrimitiveTable("Behaviour")
        answers: dict[str, Callable[..., object]] = {
            "compile:source:": self.compile,
            "tryCompile:source:": self.try_compile,
            "removeSelector:": self.remove_selector,
            "removeSelector:ifAbsent:": self.remove_selector_if_absent,
            "removeFromSystem": self.remove_from_system,
            "renameTo:": self.rename_to,
            "previewRenameTo:": self.preview_rename_to,
            "renameSelector:to:": self.rename_selector,
            "renameSelector:to:ifAbsent:": self.rename_selector_if_absent,
            "renameSelector:to:shadowing:": self.rename_selector_shadowing,
            "renameSelector:to:accepting:": self.rename_selector_accepting,
            "previewRenameSelector:to:": self.preview_rename_selector,
            "sourceFile": self.source_file,
            "reload": self.reload,
            "precheckCompile:source:": partial(precheck, self._workspace),
        }
        for name, answer in answers.items():
            table.primitive(name)(_plain(answer))
        return table

    # ------------------------------------------------------------ methods

    def compile(self, receiver: object, selector: object, source: object) -> object:
        """Patch a method, durably."""
        return self._patch(receiver, selector, source, Intent.DURABLE, "compile:source:")

    def try_compile(self, receiver: object, selector: object, source: object) -> object:
        """Patch a method as a trial."""
        return self._patch(receiver, selector, source, Intent.EPHEMERAL, "tryCompile:source:")

    def _patch(self, receiver: object, selector: object, source: object, intent: Intent, by: str) -> object:
        class_object, side = class_and_side(receiver)
        self._workspace.know(class_object)
        name = name_argument(selector, class_object.name, by)
        if type(source) is not str:
            raise type_error(class_object.name, by, "the source as a String")
        self._perform(
            patch_method(MethodPatch(class_object.name, side, source, name, intent)), class_object.name, by
        )
        return receiver

    def remove_selector(self, receiver: object, selector: object) -> object:
        """Remove a local method."""
        class_object, side = class_and_side(receiver)
        name = name_argument(selector, class_object.name, "removeSelector:")
        self._perform(remove_method(class_object.name, side, name), class_object.name, "removeSelector:")
        return receiver

    def remove_selector_if_absent(self, receiver: object, selector: object, block: object) -> object:
        """Remove a local method, or evaluate the block when there is none."""
        class_object, side = class_and_side(receiver)
        by = "removeSelector:ifAbsent:"
        name = name_argument(selector, class_object.name, by)
        check_block(block, 0, by, class_object.name)
        return self._or_absent(receiver, remove_method(class_object.name, side, name), block, by)

    def _or_absent(self, receiver: object, operation: Operation, block: object, by: str) -> object:
        outcome = self._workspace.perform(operation)
        if isinstance(outcome, Refusal):
            if outcome.kind == "selector_not_found":
                return call_block(block, ())  # type: ignore[arg-type]
            raise raised(outcome, class_name=class_and_side(receiver)[0].name, selector=by)
        return receiver

    # ------------------------------------------------------------ classes

    def remove_from_system(self, receiver: object) -> None:
        """Remove the class from the image."""
        class_object, _side = class_and_side(receiver)
        self._workspace.know(class_object)
        self._perform(remove_class(class_object.name), class_object.name, "removeFromSystem")

    def rename_to(self, receiver: object, new: object) -> object:
        """Rename the class; answers it."""
        class_object, _side = class_and_side(receiver)
        name = name_argument(new, class_object.name, "renameTo:")
        self._workspace.loader.index_every_source()
        self._perform(self._class_rename(class_object.name, name), class_object.name, "renameTo:")
        return receiver

    def preview_rename_to(self, receiver: object, new: object) -> PreviewObject:
        """What `renameTo:` would do."""
        class_object, _side = class_and_side(receiver)
        name = name_argument(new, class_object.name, "previewRenameTo:")
        self._workspace.loader.index_every_source()
        operation = self._class_rename(class_object.name, name)
        return preview_of(self._workspace.preview(operation), class_object.name, name)

    # ------------------------------------------------------------ selectors

    def rename_selector(self, receiver: object, old: object, new: object) -> object:
        """Rename a method with its certain senders; answers the receiver."""
        return self._rename(
            receiver, self._wish(receiver, old, new, "renameSelector:to:"), "renameSelector:to:"
        )

    def rename_selector_if_absent(self, receiver: object, old: object, new: object, block: object) -> object:
        """The same, or the value of the block when the method is absent."""
        by = "renameSelector:to:ifAbsent:"
        check_block(block, 0, by, class_and_side(receiver)[0].name)
        wish = self._wish(receiver, old, new, by)
        self._workspace.loader.index_every_source()
        return self._or_absent(receiver, rename_method(wish), block, by)

    def rename_selector_shadowing(
        self, receiver: object, old: object, new: object, allowed: object
    ) -> object:
        """The same; when `allowed` is true also onto a selector that is inherited or overridden."""
        by = "renameSelector:to:shadowing:"
        if type(allowed) is not bool:
            raise type_error(class_and_side(receiver)[0].name, by, "a Boolean")
        wish = self._wish(receiver, old, new, by)
        wish = MethodRename(wish.class_name, wish.side, wish.old, wish.new, take_none, allowed)
        return self._rename(receiver, wish, by)

    def rename_selector_accepting(self, receiver: object, old: object, new: object, block: object) -> object:
        """The same; candidates that the block takes are renamed too."""
        by = "renameSelector:to:accepting:"
        check_block(block, 1, by, class_and_side(receiver)[0].name)
        wish = self._wish(receiver, old, new, by)

        def accepting(site: Site) -> bool:
            return call_block(block, (SiteObject(site),)) is True  # type: ignore[arg-type]

        wish = MethodRename(wish.class_name, wish.side, wish.old, wish.new, accepting)
        return self._rename(receiver, wish, by)

    def preview_rename_selector(self, receiver: object, old: object, new: object) -> PreviewObject:
        """What `renameSelector:to:` would do."""
        wish = self._wish(receiver, old, new, "previewRenameSelector:to:")
        self._workspace.loader.index_every_source()
        shown = method_name(wish.class_name, wish.side, wish.old)
        return preview_of(self._workspace.preview(rename_method(wish)), shown, wish.new)

    def _wish(self, receiver: object, old: object, new: object, by: str) -> MethodRename:
        class_object, side = class_and_side(receiver)
        name = class_object.name
        return MethodRename(name, side, name_argument(old, name, by), name_argument(new, name, by))

    def _rename(self, receiver: object, wish: MethodRename, by: str) -> object:
        self._workspace.loader.index_every_source()
        self._perform(rename_method(wish), wish.class_name, by)
        return receiver

    # ------------------------------------------------------------ files

    def source_file(self, receiver: object) -> str | None:
        """The project-relative path of the class's file; nil without one."""
        class_object, _side = class_and_side(receiver)
        return self._workspace.image.state.path_of(class_object.name)

    def reload(self, receiver: object) -> object:
        """Let the file win over memory; answers the class."""
        class_object, _side = class_and_side(receiver)
        outcome = self._workspace.loader.reload_class(class_object.name)
        if isinstance(outcome, Refusal):
            raise raised(outcome, class_name=class_object.name, selector="reload")
        return receiver

    def _class_rename(self, old: str, new: str) -> Operation:
        return rename_class(old, new, self._workspace.exists, self._workspace.read_transcripts)

    def _perform(self, operation: Operation, class_name: str, by: str) -> None:
        outcome = self._workspace.perform(operation)
        if isinstance(outcome, Refusal):
            raise raised(outcome, class_name=class_name, selector=by)


def _plain(method: Callable[..., object]) -> Callable[..., object]:
    """A plain function around a bound method: what dispatch installs on types must not bind again."""

    def primitive(*arguments: object) -> object:
        return method(*arguments)

    return primitive
