"""The product as the runner drives it: workspaces opened in scratch folders, sessions in them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from lang.runtime.errors import BeamtalkError
from lang.syntax import is_complete
from repl.transcripts import Answer
from repl.transcripts.display import displays
from tests.conformance_runner.driver import Driver
from workspace.opening import Opening, open_workspace
from workspace.sessions import DeclarationAnswer, Outcome, Session, ValueAnswer
from workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ProductSession:
    """One session of one workspace; every answer is made and printed on the evaluator."""

    workspace: Workspace
    session: Session

    def evaluate(self, text: str) -> Answer:
        """Evaluate an input as the prompt would."""
        return self.workspace.evaluator.run(lambda: self._answer(self.session.evaluate(text)))

    def load(self, path: str) -> str | None:
        """Load a file by `Workspace load:`; the error text, None after a success."""
        return self.evaluate(f"Workspace load: {_literal(path)}").error

    def close(self) -> None:
        """End the workspace in the ordinary way."""
        self.workspace.close()

    def _answer(self, outcome: Outcome) -> Answer:
        warnings = (*(each.diagnostic.message for each in outcome.warnings), *outcome.notices)
        if outcome.error is not None:
            return Answer((), warnings, str(outcome.error), outcome.error.kind)
        match outcome.answers[-1] if outcome.answers else DeclarationAnswer(""):
            case DeclarationAnswer(text):
                return Answer((text,), warnings)
            case ValueAnswer(value):
                return self._shown(value, warnings)

    def _shown(self, value: object, warnings: tuple[str, ...]) -> Answer:
        try:
            return Answer(displays(self.workspace.runtime, value), warnings)
        except BeamtalkError as error:
            name = self.workspace.runtime.class_name_of(value)
            return Answer((f"{name}(printString failed: {error.message})",), warnings)


def product_driver() -> Driver:
    """The driver; compiled library classes are shared by all runs that share a cache folder."""
    return Driver(_in_folder, _in_project, is_complete)


def _in_folder(_folder: Path) -> ProductSession:
    """A session without a project; paths are relative to the current directory."""
    return _opened(None)


def _in_project(root: Path) -> ProductSession:
    session = _opened(root)
    answer = session.evaluate("Workspace sync")
    if answer.error is not None:
        raise RuntimeError(answer.error)
    return session


def _opened(root: Path | None) -> ProductSession:
    workspace = open_workspace(Opening(root, library_cache=Path(os.environ["XDG_CACHE_HOME"])))
    return ProductSession(workspace, workspace.sessions.open("repl"))


def _literal(text: str) -> str:
    return '"' + text.replace('"', '""').replace("{", "\\{") + '"'
