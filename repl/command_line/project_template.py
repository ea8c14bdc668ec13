"""The files of a new project (workspace.md 6.2)."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from lang.stdlib.load import SOURCES


class Kind(enum.Enum):
    """What a new project is for."""

    LIBRARY = "library"
    APPLICATION = "application"


def project_files(name: str, kind: Kind) -> Mapping[str, str]:
    """Path to text. Class names are those of the package, kept clear of the library's."""
    stem = class_stem(name)
    own = _application(name, stem) if kind is Kind.APPLICATION else _library(name, stem)
    return {**own, ".gitignore": _IGNORED, ".mcp.json": _MCP, "AGENTS.md": _AGENTS.format(name=name)}


def class_stem(name: str) -> str:
    """`my_pond` makes `MyPond`; a name of the library gets `Package` behind it."""
    stem = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    return f"{stem}Package" if _is_library_class(name, stem) else stem


def _is_library_class(name: str, stem: str) -> bool:
    taken = {path.stem for path in SOURCES.glob("*.bt")}
    return name in taken or stem.lower() in {each.replace("_", "") for each in taken}


def _library(name: str, stem: str) -> Mapping[str, str]:
    return {
        "beamtalk.toml": _MANIFEST.format(name=name),
        "README.md": _README.format(name=name, last="beamtalk repl     # a prompt with its classes"),
        f"src/{stem}.bt": f"""\
/// The first class of {name}.
Value subclass: {stem}
  field: name :: String = "{name}"

  /// A friendly word.
  ///
  /// ```beamtalk
  /// {stem} new greeting // => Hello from {name}
  /// ```
  greeting -> String => "Hello from {{self.name}}"
""",
        f"test/{stem}Test.bt": f"""\
/// What {stem} promises.
TestCase subclass: {stem}Test

  testGreeting => self assert: {stem} new greeting equals: "Hello from {name}"
""",
    }


def _application(name: str, stem: str) -> Mapping[str, str]:
    return {
        "beamtalk.toml": f'{_MANIFEST.format(name=name)}\n[application]\nsupervisor = "{stem}AppSup"\n',
        "README.md": _README.format(name=name, last="beamtalk run .    # starts it; Ctrl-C ends it"),
        f"src/{stem}AppSup.bt": f"""\
/// What `beamtalk run .` starts: it keeps the actors of {name} running.
Supervisor subclass: {stem}AppSup

  class children -> List => #(Main supervisionSpec withRestart: #permanent)
""",
        "src/Main.bt": f"""\
/// The first actor of {name}.
Actor subclass: Main
  state: greeted :: Integer = 0

  /// A friendly word, and how many there were.
  greet: name :: String -> String =>
    self.greeted := self.greeted + 1
    "Hello {{name}}, number {{self.greeted}}"
""",
        "test/MainTest.bt": """\
/// What Main promises.
TestCase subclass: MainTest

  testGreet => self assert: (Main spawn greet: "Ida") equals: "Hello Ida, number 1"
""",
    }


_MANIFEST = """\
[package]
name = "{name}"
version = "0.1.0"
"""

_README = """\
# {name}

```
beamtalk test     # runs what is in test/
{last}
```
"""

_IGNORED = """\
# What a workspace keeps for itself: the log of changes, caches, the history of inputs.
.beamtalk/
docs/api/
"""

_MCP = """\
{
  "mcpServers": {
    "beamtalk": { "command": "beamtalk", "args": ["mcp"] }
  }
}
"""

_AGENTS = """\
# Working on {name}

A Beamtalk package: sources in `src/`, tests in `test/`, one class a file.

* `beamtalk check` finds mistakes, `beamtalk test` runs the tests, `beamtalk fmt` puts sources in canonical layout.
* `beamtalk repl -e 'Beamtalk help: Integer'` tells what a class understands.
* `.beamtalk/` is state of the workspace: leave it alone.
"""
