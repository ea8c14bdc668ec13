"""The rules of docs/architecture.md 2 and 8, read off the imports and calls of every file."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.architecture.imports import LAYERS, ROOT, imports_in, imports_of, product_files, tree_of, writes_in

PURE = ("source.py", "class_kind.py", "ast", "syntax", "diagnostics", "semantics", "codegen", "fmt")
IMPURE_MODULES = frozenset(
    "asyncio fcntl glob io multiprocessing os pathlib random select selectors shutil signal socket subprocess "
    "tempfile threading time datetime uuid secrets git tinydb filelock prompt_toolkit greenlet".split()
)
# What a pure folder may import all the same, and why.
PURE_EXCEPTIONS = {
    # Run by developers only: it writes the tables of the grammar beside itself.
    "lang/syntax/generate.py": {"pathlib"},
}

# Who may change the file system, and what.
WRITERS = {
    "lang/syntax/generate.py": "the tables of the grammar; run by developers only",
    "workspace/flush/disk.py": "source files, through the seam that every call passes",
    "changelog/": "the journal and its archive",
    "lang/stdlib/cache_file.py": "the cache of compiled code",
    "lang/stdlib/files.py": "what a program asks of the File classes",
    "lang/stdlib/primitives/": "what a program asks of the File classes",
    "workspace/runtime_log.py": "the log of a running workspace",
    "workspace/repository.py": "questions to git, in a temporary file; commits are git's own doing",
    "repl/prompt/history.py": "the history of the prompt's inputs",
    "workspace/checkouts.py": "the clones of git dependencies, below .beamtalk",
    "workspace/git_dependencies.py": "the lock of git dependencies",
    "repl/command_line/new_command.py": "the folder of a new project",
    "repl/command_line/file_output.py": "what a command is asked to write: formatted sources, reports",
    "repl/prompt/programs.py": "the input, while it is in the editor of the user",
}


def test_imports_flow_one_way() -> None:
    wrong = [
        str(each)
        for file in product_files()
        for each in imports_of(file)
        if _layer(each.module) > LAYERS.index(each.path.split("/")[0])
    ]
    assert wrong == []


def test_the_front_end_does_no_input_or_output() -> None:
    wrong = [
        str(each)
        for name in PURE
        for file in _files_of(name)
        for each in imports_of(file)
        if not each.only_for_types
        and each.module.split(".")[0] in IMPURE_MODULES - PURE_EXCEPTIONS.get(each.path, set())
    ]
    assert wrong == []


def test_the_front_end_does_not_know_the_running_image() -> None:
    wrong = [
        str(each)
        for name in PURE
        for file in _files_of(name)
        for each in imports_of(file)
        if each.module.startswith(("lang.runtime", "lang.stdlib", "lang.pipeline"))
    ]
    assert wrong == []


def test_only_the_named_writers_write_files() -> None:
    wrong = [
        f"{path}:{line} {called}"
        for file in product_files()
        if not (path := file.relative_to(ROOT).as_posix()).startswith(tuple(WRITERS))
        for line, called in writes_in(tree_of(file))
    ]
    assert wrong == []


def test_no_file_names_a_module_of_the_registry() -> None:
    """types.md M-1: module names are made in `lang/semantics/modules` and nowhere else."""
    wrong = [
        f"{path}:{node.lineno} {node.value!r}"
        for file in product_files()
        if not (path := file.relative_to(ROOT).as_posix()).startswith("lang/semantics/modules")
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _names_a_module(node.value)
    ]
    assert wrong == []


def _names_a_module(text: str) -> bool:
    """Whether a literal is a module's name or what one is put together from; `bt` is a command's name, too."""
    return text.startswith("bt.") or text in {"_live", "_test", "_script", "_workspace"}


# The makers of names that are not questions to a registry: the closed form of the library, and what messages show.
MAKERS = {
    "library_module": {"lang/stdlib/build.py", "workspace/registration.py"},
    "live_module": set[str](),
    "file_module": set[str](),
    "ModuleName": set[str](),
    "conventional_name": set[str](),
}


def test_nobody_makes_the_name_of_a_module_beside_the_registry() -> None:
    """types.md M-1, M-7: what is imported from the registry's package are questions, but for the closed form."""
    wrong = [
        f"{path} imports {name.name}"
        for file in product_files()
        if not (path := file.relative_to(ROOT).as_posix()).startswith("lang/semantics/modules")
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lang.semantics.modules")
        for name in node.names
        if path not in MAKERS.get(name.name, {path})
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("line", "module"),
    [
        ("import repl.cli", "repl.cli"),
        ("from workspace import image", "workspace"),
        ("from . import nodes", "lang.ast"),
    ],
)
def test_the_reader_sees_every_form_of_import(line: str, module: str) -> None:
    assert [each.module for each in imports_in("lang/ast/walk.py", ast.parse(line))] == [module]


@pytest.mark.parametrize(
    ("call", "count"),
    [
        ("open(p)", 0),
        ("open(p, 'rb')", 0),
        ("open(p, 'w')", 1),
        ("open(p, mode)", 1),
        ("p.open('a')", 1),
        ("sessions.open('watch')", 0),
        ("scopes.open(node)", 0),
        ("os.replace(a, b)", 1),
        ("os.open(os.devnull, os.O_WRONLY)", 0),
        ("p.write_bytes(b)", 1),
        ("self._disk.unlink(p)", 0),
        ("disk_file.unlink(p)", 1),
        ("text.replace(a, b)", 0),
    ],
)
def test_the_reader_sees_what_writes(call: str, count: int) -> None:
    assert len(list(writes_in(ast.parse(call)))) == count


def _layer(module: str) -> int:
    top = module.split(".")[0]
    return LAYERS.index(top) if top in LAYERS else -1


def _files_of(name: str) -> list[Path]:
    where = ROOT / "lang" / name
    return [where] if where.is_file() else sorted(where.rglob("*.py"))


def test_every_named_writer_is_there() -> None:
    """An exception that nothing needs any more is a hole."""
    assert [path for path in (*WRITERS, *PURE_EXCEPTIONS) if not (ROOT / path).exists()] == []
