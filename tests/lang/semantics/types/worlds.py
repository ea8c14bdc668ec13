"""Worlds for tests: the library from its sources, and projects of a few texts."""

from __future__ import annotations

from functools import cache

from lang.semantics.types.building import library_world, project_world
from lang.semantics.types.world import World
from lang.source import SourceText
from lang.stdlib.load import SOURCES
from lang.syntax import parse_file
from lang.syntax.units import ParsedFile
from tests.lang.semantics.library import ROOT

CORPUS = ROOT / "tests" / "conformance" / "diagnostics"


@cache
def library() -> World:
    paths = sorted(SOURCES.glob("*.bt"))
    return library_world([parsed(path.read_text("utf-8"), path.name) for path in paths])


@cache
def harbour() -> World:
    """The world of the conformance corpus."""
    paths = sorted((CORPUS / "world" / "src").glob("*.bt"))
    return world_of(*(path.read_text("utf-8") for path in paths))


def parsed(text: str, name: str = "case.bt") -> ParsedFile:
    return parse_file(SourceText(text, name))


def world_of(*texts: str) -> World:
    """The world of a project with a file for each text."""
    files = [parsed(text, f"file{at}.bt") for at, text in enumerate(texts)]
    return project_world(files, library(), "harbour")
