"""What a process imports before it runs a program: what is imported must be what is used (design, Start-up)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from repl.caches import library_cache
from repl.own_process import keep_bytecode
from tests.workspace.lab import library_cache as warm_library
from tests.workspace.lab import project

ROOT = Path(__file__).resolve().parents[2]
NOT_TO_RUN = (
    "lang.syntax.tokens",
    "lang.syntax.tables",
    "lang.codegen.lowering",
    "lang.semantics.check",
    "lang.semantics.references",
    "lang.ast",
    "workspace.flushing",
    "workspace.flush.plan",
    "workspace.flush.commit",
    "workspace.refactor",
    "workspace.operations.classes",
    "workspace.undo",
    "workspace.navigation",
    "workspace.xref",
    "repl.session_core",
    "repl.commands",
    "repl.prompt",
    "lark",
    "git",
    "prompt_toolkit",
    "pygments",
    "asyncio",
    "dataclasses",
    "inspect",
)
CODE = "import sys; from repl.cli import main; code = main({!r}); print(*sorted(sys.modules)); sys.exit(code)"


def modules_after(root: Path, *arguments: str) -> tuple[str, set[str]]:
    """The output of a command, and the modules of the process that ran it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(warm_library())}
    ran = subprocess.run(
        (sys.executable, "-c", CODE.format(arguments)),
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    output, _, modules = ran.stdout.rstrip("\n").rpartition("\n")
    return output, set(modules.split())


def test_running_a_built_program_imports_neither_compiler_nor_what_changes_images(tmp_path: Path) -> None:
    source = 'Object subclass: Hello\n  class main => Transcript show: "hello"; cr\n'
    root = project(tmp_path / "hello", {"src/Hello.bt": source})
    modules_after(root, "build")
    output, modules = modules_after(root, "run", "Hello", "main")
    assert output == "hello"
    assert {name for name in NOT_TO_RUN if name in modules} == set()


def test_bytecode_goes_to_the_cache_where_none_may_lie_beside_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path)}
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    keep_bytecode(environment)
    assert sys.pycache_prefix == str(library_cache(environment) / "bytecode")
    assert not sys.dont_write_bytecode


def test_bytecode_stays_where_python_puts_it_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    keep_bytecode({})
    assert sys.pycache_prefix is None
