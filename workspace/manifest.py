"""What `beamtalk.toml` says (workspace.md 1.2).

Comes in: the text of a manifest. Guarantees: a `Manifest` only where nothing that
loading needs is wrong; every problem is a diagnostic with a span in the text.
Errors in `[diagnostics]` stand apart: a build fails on them, a session warns and
uses the defaults. Leaves: finding and reading the file, and resolving dependencies.
"""

from __future__ import annotations

import enum
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from lang.dataclass import dataclass, field
from lang.deferred import deferred
from lang.diagnostics import Category, Diagnostic, Severity
from lang.source import SourceText, Span

if TYPE_CHECKING:
    import difflib

    from workspace import toml_places
    from workspace.toml_places import TomlPlaces
else:
    toml_places = deferred("workspace.toml_places")
    difflib = deferred("difflib")

MANIFEST_NAME = "beamtalk.toml"
MAX_NAME = 64

RESERVED_NAMES = frozenset(
    # The words of this system, then the applications of the original's platform, so that packages stay portable.
    "beamtalk stdlib kernel runtime workspace compiler test "
    "asn1 common_test crypto debugger dialyzer diameter edoc eldap erl_interface erts et eunit ftp inets jinterface "
    "megaco mnesia observer odbc os_mon parsetools public_key reltool runtime_tools sasl snmp ssh ssl syntax_tools "
    "tftp tools wx xmerl".split()
)
CATEGORY_KEYS: Mapping[str, Category] = {
    category.value.replace("_", "-"): category for category in Category if category is not Category.NONE
}
LEVELS: Mapping[str, Severity | None] = {
    "off": None,
    "lint": Severity.LINT,
    "hint": Severity.HINT,
    "warn": Severity.WARNING,
    "error": Severity.ERROR,
}

_VERSION = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?")
_CLASS_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*")
_SECTIONS = ("package", "dependencies", "application", "diagnostics", "native", "registry")
_PACKAGE_KEYS = ("name", "version", "description", "licenses", "strict-deps")
_REFERENCES = ("tag", "branch", "rev")
_DEPENDENCY_KEYS = ("path", "git", *_REFERENCES)


class Strictness(enum.Enum):
    """What a class of an undeclared transitive dependency is (`strict-deps`)."""

    WARN = "warn"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class PathSource:
    """A dependency in a folder, as written: relative to the manifest."""

    path: str


@dataclass(frozen=True, slots=True)
class GitSource:
    """A dependency in a repository; `reference` is a tag, branch or revision by `kind`."""

    url: str
    kind: str
    reference: str


@dataclass(frozen=True, slots=True)
class Dependency:
    """One entry of `[dependencies]`; `span` is its key in the manifest."""

    name: str
    source: PathSource | GitSource
    span: Span


@dataclass(frozen=True, slots=True)
class Manifest:
    """A valid manifest. `severities` holds the `[diagnostics]` table; None means off."""

    name: str
    version: str
    description: str = ""
    licenses: tuple[str, ...] = ()
    strictness: Strictness = Strictness.WARN
    dependencies: tuple[Dependency, ...] = ()
    supervisor: str | None = None
    severities: Mapping[Category, Severity | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ManifestReading:
    """The outcome of reading: `manifest` is None exactly when `problems` holds an error.

    `table_problems` are the errors of `[diagnostics]`, whose table is then left out.
    """

    source: SourceText
    manifest: Manifest | None
    problems: tuple[Diagnostic, ...] = ()
    table_problems: tuple[Diagnostic, ...] = ()

    def lines(self) -> tuple[str, ...]:
        """All problems in order of place, as commands print them."""
        every = sorted((*self.problems, *self.table_problems), key=lambda d: d.span)
        return tuple(problem_line(self.source, each) for each in every)


def problem_line(source: SourceText, problem: Diagnostic) -> str:
    """`beamtalk.toml:<line>:<col>: error: <text>`, with the hint in parentheses where there is one."""
    line, column = source.position(problem.span.start)
    hint = f" ({problem.hint})" if problem.hint else ""
    return f"{source.name}:{line}:{column}: {problem.severity.value}: {problem.message}{hint}"


def read_manifest(text: str, name: str = MANIFEST_NAME) -> ManifestReading:
    """Read a manifest; never raises. `name` is the path to show in messages."""
    source = SourceText(text, name)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, offset = toml_places.offset_of_error(str(error), source)
        return ManifestReading(source, None, (Diagnostic(Severity.ERROR, message, Span(offset, offset)),))
    return _Reader(source, tables).reading()


def name_problem(name: str) -> str | None:
    """Why a text cannot be the name of a package, None when it can (also asked by `beamtalk new`)."""
    if not name:
        return "package name must not be empty"
    if len(name) > MAX_NAME:
        return f"package name is too long ({len(name)} chars, max {MAX_NAME})"
    if not re.match(r"[a-z]", name):
        return f"package name must start with a lowercase letter, found '{name[0]}'"
    foreign = re.search(r"[^a-z0-9_]", name)
    if foreign:
        return (
            "package name must contain only lowercase letters, digits, and underscores"
            f" — found '{foreign.group()}'"
        )
    return f"'{name}' is a reserved package name" if name in RESERVED_NAMES else None


Table = Mapping[str, object]


class _Reader:
    """One pass over the tables of a manifest; problems are collected, nothing stops it."""

    def __init__(self, source: SourceText, tables: Table) -> None:
        self._source = source
        self._tables = tables
        self._problems: list[Diagnostic] = []
        self._table_problems: list[Diagnostic] = []

    @cached_property
    def _places(self) -> TomlPlaces:
        """Where things stand in the text: asked for problems and dependencies alone."""
        return toml_places.TomlPlaces(self._source.text)

    def reading(self) -> ManifestReading:
        for section in self._tables:
            if section not in _SECTIONS:
                self._warn(f"unknown section [{section}]", (section,), _did_you_mean(section, _SECTIONS))
        self._tell_old_sections()
        manifest = self._manifest()
        failed = any(each.severity is Severity.ERROR for each in self._problems)
        return ManifestReading(
            self._source, None if failed else manifest, tuple(self._problems), tuple(self._table_problems)
        )

    def _manifest(self) -> Manifest:
        package = self._table("package")
        for key in package:
            if key not in _PACKAGE_KEYS:
                where = ("package", key)
                self._warn(f"unknown key '{key}' in [package]", where, _did_you_mean(key, _PACKAGE_KEYS))
        return Manifest(
            self._name(package),
            self._version(package),
            self._text(package, "package", "description") or "",
            self._licenses(package),
            self._strictness(package),
            self._dependencies(),
            self._supervisor(),
            self._severities(),
        )

    # -- [package] -----------------------------------------------------------------------------------------

    def _name(self, package: Table) -> str:
        name = self._needed(package, "name")
        problem = None if name is None else name_problem(name)
        if problem is not None:
            self._error(problem, ("package", "name"))
        return name or ""

    def _version(self, package: Table) -> str:
        version = self._needed(package, "version")
        if version is not None and not _VERSION.fullmatch(version):
            self._error(f"'{version}' is not a version; use major.minor.patch", ("package", "version"))
        return version or ""

    def _needed(self, package: Table, key: str) -> str | None:
        if key not in package:
            self._error(f"[package] needs '{key}'", ("package",))
        return self._text(package, "package", key)

    def _licenses(self, package: Table) -> tuple[str, ...]:
        where = ("package", "licenses")
        match package.get("licenses", []):
            case list(items):
                wrong = next((item for item in items if not isinstance(item, str)), None)
                if wrong is not None:
                    self._error(
                        f"[package] licenses must be an array of strings, found {_kind(wrong)}", where
                    )
                return tuple(str(item) for item in items)
            case other:
                self._error(f"[package] licenses must be an array, not {_kind(other)}", where)
                return ()

    def _strictness(self, package: Table) -> Strictness:
        match package.get("strict-deps", False):
            case True:
                return Strictness.REFUSE
            case False:
                return Strictness.WARN
            case other:
                message = f"[package] strict-deps must be a boolean, not {_kind(other)}"
                self._error(message, ("package", "strict-deps"))
                return Strictness.WARN

    # -- [dependencies] ------------------------------------------------------------------------------------

    def _dependencies(self) -> tuple[Dependency, ...]:
        found = []
        for name, value in self._table("dependencies").items():
            where = ("dependencies", name)
            problem = name_problem(name)
            if problem is not None:
                self._error(problem, where)
            source = self._source_of(name, value)
            if source is not None:
                found.append(Dependency(name, source, self._places.span(where)))
        return tuple(found)

    def _source_of(self, name: str, value: object) -> PathSource | GitSource | None:
        where = ("dependencies", name)
        match value:
            case str(version):
                self._error(_registry_version(name, version), where)
                return None
            case dict(table):
                pass
            case other:
                self._error(f"Dependency '{name}' must be a table, not {_kind(other)}", where)
                return None
        texts = self._dependency_texts(name, table)
        if texts is None:
            return None
        problem = _source_problem(name, texts)
        if problem is not None:
            self._error(problem, where)
            return None
        if "path" in texts:
            return PathSource(texts["path"])
        kind = next(key for key in _REFERENCES if key in texts)
        return GitSource(texts["git"], kind, texts[kind])

    def _dependency_texts(self, name: str, table: Table) -> dict[str, str] | None:
        """The keys of a dependency with their texts; None after a wrong key or type, which is told."""
        texts: dict[str, str] = {}
        for key, value in table.items():
            where = ("dependencies", name, key)
            if key not in _DEPENDENCY_KEYS:
                message = f"Dependency '{name}' has an unknown key '{key}'"
                self._error(message, where, _did_you_mean(key, _DEPENDENCY_KEYS))
            elif not isinstance(value, str):
                self._error(f"Dependency '{name}': '{key}' must be a string, not {_kind(value)}", where)
            else:
                texts[key] = value
        return texts if len(texts) == len(table) else None

    # -- the other sections --------------------------------------------------------------------------------

    def _supervisor(self) -> str | None:
        application = self._table("application")
        if "application" in self._tables and "supervisor" not in application:
            self._error("[application] needs 'supervisor'", ("application",))
        supervisor = self._text(application, "application", "supervisor")
        if supervisor is not None and not _CLASS_NAME.fullmatch(supervisor):
            where = ("application", "supervisor")
            self._error(f"[application] supervisor must be a class name, found '{supervisor}'", where)
        return supervisor

    def _severities(self) -> Mapping[Category, Severity | None]:
        match self._tables.get("diagnostics", {}):
            case dict(table):
                found = {key: self._severity(key, value) for key, value in table.items()}
            case other:
                self._table_error(f"[diagnostics] must be a table, not {_kind(other)}", ("diagnostics",))
                found = {}
        if self._table_problems:
            return {}
        return {CATEGORY_KEYS[key]: severity for key, severity in found.items()}

    def _severity(self, key: str, value: object) -> Severity | None:
        where = ("diagnostics", key)
        if key not in CATEGORY_KEYS:
            self._table_error(f"unknown diagnostic category '{key}'", where, _category_hint(key))
        if not isinstance(value, str):
            self._table_error(f"[diagnostics] {key} must be a string, not {_kind(value)}", where)
        elif value not in LEVELS:
            levels = ", ".join(LEVELS)
            message = f"'{value}' is not a severity ({levels})"
            self._table_error(message, where, _did_you_mean(value, LEVELS))
        else:
            return LEVELS[value]
        return None

    def _tell_old_sections(self) -> None:
        native = self._tables.get("native", {})
        if isinstance(native, dict) and "dependencies" in native:
            self._warn("[native.dependencies] has no effect", ("native", "dependencies"))
        elif "native" in self._tables:
            self._warn("unknown section [native]", ("native",))
        if "registry" in self._tables:
            self._warn("[registry] has no effect", ("registry",))

    # -- parts ---------------------------------------------------------------------------------------------

    def _table(self, section: str) -> Table:
        match self._tables.get(section, {}):
            case dict(table):
                return table
            case other:
                self._error(f"[{section}] must be a table, not {_kind(other)}", (section,))
                return {}

    def _text(self, table: Table, section: str, key: str) -> str | None:
        match table.get(key):
            case None:
                return None
            case str(text):
                return text
            case other:
                self._error(f"[{section}] {key} must be a string, not {_kind(other)}", (section, key))
                return None

    def _error(self, message: str, where: tuple[str, ...], hint: str | None = None) -> None:
        self._problems.append(Diagnostic(Severity.ERROR, message, self._places.span(where), hint=hint))

    def _warn(self, message: str, where: tuple[str, ...], hint: str | None = None) -> None:
        self._problems.append(Diagnostic(Severity.WARNING, message, self._places.span(where), hint=hint))

    def _table_error(self, message: str, where: tuple[str, ...], hint: str | None = None) -> None:
        self._table_problems.append(Diagnostic(Severity.ERROR, message, self._places.span(where), hint=hint))


def _source_problem(name: str, texts: Mapping[str, str]) -> str | None:
    """What is wrong with the combination of keys (workspace.md 1.2)."""
    dependency = f"Dependency '{name}'"
    references = [key for key in _REFERENCES if key in texts]
    match ("path" in texts, "git" in texts):
        case (True, True):
            return f"{dependency} specifies both 'path' and 'git' — use one or the other"
        case (False, False):
            return f"{dependency} must specify either 'path' or 'git' as a source"
        case (True, False) if references:
            return (
                f"{dependency} is a path dependency — 'tag', 'branch', and 'rev'"
                " are only valid for git dependencies"
            )
        case (False, True) if len(references) > 1:
            return f"{dependency} specifies multiple git references — use exactly one of 'tag', 'branch', or 'rev'"
        case (False, True) if not references:
            return f"{dependency} is a git dependency but has no ref — specify 'tag', 'branch', or 'rev'"
    url = texts.get("git", "")
    if url.startswith("-") or "ext::" in url:
        return f"{dependency} has a git URL that is not allowed: {url}"
    return None


def _registry_version(name: str, version: str) -> str:
    plain = version.lstrip("^~>=< v")
    return (
        f"Dependency '{name}' names a registry version, and this implementation has no registry;"
        f' use {{ git = "…", tag = "v{plain}" }} or {{ path = "…" }}'
    )


def _kind(value: object) -> str:
    """The kind of a TOML value with its article."""
    match value:
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case int():
            return "an integer"
        case float():
            return "a float"
        case list():
            return "an array"
        case dict():
            return "a table"
        case _:
            return "a date or time"


def _did_you_mean(word: str, known: Iterable[str]) -> str | None:
    close = difflib.get_close_matches(word.replace("_", "-"), list(known), n=1)
    return f"did you mean '{close[0]}'?" if close else None


def _category_hint(key: str) -> str:
    known = f"known categories: {', '.join(CATEGORY_KEYS)}"
    near = _did_you_mean(key, CATEGORY_KEYS)
    return f"{near} {known}" if near else known
