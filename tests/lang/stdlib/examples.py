"""Runs the examples of doc comments in a live workspace, and knows which methods ran."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import workspace.facade
from lang.ast import nodes as ast
from lang.runtime.classes import ClassObject
from lang.source import SourceText
from lang.stdlib.load import SOURCES
from lang.syntax import parse_file
from repl.transcripts import Script
from repl.transcripts.examples import Example, examples_of
from repl.transcripts.matching import matches_text
from workspace.opening import Opening, open_workspace
from workspace.sessions import DeclarationAnswer, Outcome

FACADE = Path(str(workspace.facade.__file__)).parent

MethodKey = tuple[str, str, str]
"""Class, side and selector, as in the table of the library's interface."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An example and the declaration that it documents."""

    declaration: str
    example: Example


@dataclass(frozen=True, slots=True)
class DocumentedClass:
    """The examples of one source of the library."""

    name: str
    examples: tuple[Placed, ...]


def documented_classes() -> list[DocumentedClass]:
    """The sources that have examples, the workspace's own classes included."""
    paths = [path for folder in (SOURCES, FACADE) for path in sorted(folder.glob("*.bt"))]
    found = [_documented(path) for path in paths]
    return [each for each in found if each.examples]


def _documented(path: Path) -> DocumentedClass:
    parsed = parse_file(SourceText(path.read_text("utf-8"), path.name))
    placed = [
        Placed(str(unit.name), example)
        for unit in parsed.units
        if isinstance(unit.node, ast.ClassHeader | ast.MethodDef | ast.ProtocolDef) and unit.node.doc
        for example in examples_of(unit.node.doc)
    ]
    return DocumentedClass(path.stem, tuple(placed))


class Live:
    """A session of a workspace, on its evaluator thread."""

    def __init__(self, cache: Path, root: Path | None = None) -> None:
        self._workspace = open_workspace(Opening(root, library_cache=cache))
        self._session = self._workspace.sessions.open("repl")

    def close(self) -> None:
        self._workspace.close()

    def show(self, text: str) -> str:
        """The printString of an input's value; its error is raised."""
        return self._workspace.evaluator.run(lambda: self._shown(text))

    def _shown(self, text: str) -> str:
        outcome = self._session.evaluate(text)
        if outcome.error is not None:
            raise outcome.error
        answer = outcome.answers[-1]
        if isinstance(answer, DeclarationAnswer):
            return answer.text
        return self._workspace.runtime.print_string(answer.value)


class Examples:
    """One workspace; a session for each class."""

    def __init__(self, cache: Path) -> None:
        self._workspace = open_workspace(Opening(None, library_cache=cache))

    def close(self) -> None:
        self._workspace.close()

    def failures(self, documented: DocumentedClass) -> list[str]:
        """What does not answer as documented, in order."""
        session = self._workspace.sessions.open("repl")
        found = []
        for placed in documented.examples:
            example = placed.example
            failure = self._workspace.evaluator.run(
                lambda e=example: self._mismatch(session.evaluate(e.text), e)
            )
            if failure is not None:
                found.append(f"{placed.declaration}: {example.text}: {failure}")
        return found

    def _mismatch(self, outcome: Outcome, example: Example) -> str | None:
        expected = example.expected
        if outcome.error is not None:
            wanted = (expected or "").removeprefix("ERROR:").strip() if expected else ""
            kinds = {outcome.error.kind, outcome.error.raw_kind}
            is_wanted = (expected or "").startswith("ERROR:") and wanted in kinds
            return (
                None
                if is_wanted
                else f"expected {expected}, got the error {outcome.error.kind}: {outcome.error}"
            )
        if expected is None:
            return None
        answer = outcome.answers[-1]
        if isinstance(answer, DeclarationAnswer):
            return None if answer.text == expected else f"expected {expected}, got {answer.text}"
        printed = self._workspace.runtime.print_string(answer.value)
        return None if matches_text(expected, printed) else f"expected {expected}, got {printed}"

    def run_script(self, script: Script) -> None:
        """Run a transcript's loads and inputs for what they run, not for what they answer."""
        session = self._workspace.sessions.open("repl")
        inputs = [f'Workspace load: "{each.path}"' for each in script.loads]
        inputs += [each.text for each in script.checks]
        for text in inputs:
            self._workspace.evaluator.run(lambda t=text: session.evaluate(t))

    def methods_run(self) -> set[MethodKey]:
        """Methods that have run: their functions were made."""
        return linked_methods(self._workspace.runtime.classes())


def linked_methods(classes: Iterable[ClassObject]) -> set[MethodKey]:
    """Methods whose functions were made, which happens when they are first run."""
    found: set[MethodKey] = set()
    for each in classes:
        definition = each.definition
        for side, methods in (("instance", definition.methods), ("class", definition.class_methods)):
            found.update((each.name, side, m.selector) for m in methods.values() if m.is_linked)
    return found
