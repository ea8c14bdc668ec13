"""The imports and the calls that write files, read off the sources of the product."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("lang", "changelog", "workspace", "repl", "surfaces")


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module, and where; `path` is relative to the root of the repository."""

    path: str
    line: int
    module: str
    only_for_types: bool

    def __str__(self) -> str:
        return f"{self.path}:{self.line} imports {self.module}"


def product_files() -> list[Path]:
    """Every Python file of the product, in order."""
    return sorted(file for layer in LAYERS for file in (ROOT / layer).rglob("*.py"))


@cache
def tree_of(file: Path) -> ast.Module:
    """The parsed file; each is read once a run."""
    return ast.parse(file.read_text("utf-8"), str(file))


def imports_of(file: Path) -> Iterator[Import]:
    """The imports of a file, those inside functions and behind `TYPE_CHECKING` too."""
    path = file.relative_to(ROOT).as_posix()
    yield from imports_in(path, tree_of(file))


def imports_in(path: str, tree: ast.Module) -> Iterator[Import]:
    """The imports of a tree; relative ones are resolved against `path`."""
    guarded = {id(node) for guard in _type_guards(tree) for node in ast.walk(guard)}
    for node in ast.walk(tree):
        for module in _modules(path, node):
            yield Import(path, getattr(node, "lineno", 0), module, id(node) in guarded)


def _type_guards(tree: ast.Module) -> Iterator[ast.If]:
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield node


def _modules(path: str, node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=module, level=0) if module is not None:
            yield module
        case ast.ImportFrom(module=module, level=level):
            package = path.removesuffix(".py").split("/")[:-level]
            yield ".".join([*package, *([module] if module else [])])


WRITING_METHODS = frozenset(
    {"write_text", "write_bytes", "unlink", "rmdir", "mkdir", "touch", "symlink_to", "hardlink_to", "rmtree"}
)
WRITING_FUNCTIONS = frozenset(
    {
        f"{module}.{name}"
        for module, names in {
            "os": "open rename renames replace remove unlink rmdir mkdir makedirs link symlink truncate write fsync",
            "shutil": "copy copy2 copyfile copytree move rmtree",
            "tempfile": "mkstemp mkdtemp NamedTemporaryFile TemporaryDirectory TemporaryFile",
        }.items()
        for name in names.split()
    }
)


def writes_in(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The calls that change the file system: (line, what is called).

    The function `open` counts unless its mode is a literal that only reads, the method `open` when its mode is
    a literal that writes; other methods count by their name.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            by_name = _is_writing_method(node.func)
            writes = by_name or called in WRITING_FUNCTIONS or _opens_for_writing(node)
            if writes and not _goes_nowhere(node):
                yield node.lineno, called


def _goes_nowhere(call: ast.Call) -> bool:
    return bool(call.args) and ast.unparse(call.args[0]) == "os.devnull"


def _is_writing_method(called: ast.expr) -> bool:
    """A method that writes; what goes to an object called `disk` goes through the seam, whose caller is free."""
    if not isinstance(called, ast.Attribute) or called.attr not in WRITING_METHODS:
        return False
    return ast.unparse(called.value).rpartition(".")[2].lstrip("_") != "disk"


def _opens_for_writing(call: ast.Call) -> bool:
    keyword = [each.value for each in call.keywords if each.arg == "mode"]
    match call.func:
        case ast.Name(id="open"):
            return any(not _only_reads(mode) for mode in keyword or call.args[1:2])
        case ast.Attribute(attr="open"):
            modes = keyword or call.args[:1]
            return any(_is_a_mode(m) and not _only_reads(m) for m in modes)
    return False


def _is_a_mode(argument: ast.expr) -> bool:
    """Other things than files are opened too, and take other texts."""
    return isinstance(argument, ast.Constant) and set(str(argument.value)) <= set("rwaxbt+")


def _only_reads(mode: ast.expr) -> bool:
    return isinstance(mode, ast.Constant) and not set(str(mode.value)) & set("wax+")
