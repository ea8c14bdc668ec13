"""What a user can set of the prompt (workspace.md 3.1, end).

Comes in: `config.toml` of the user, options of the command line, `:set`. Guarantees: a value is
checked before it is taken, and a wrong one is said and leaves the old. Leaves: acting on them. A
project can set none of these.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from lang.dataclass import dataclass, replace


class Theme(enum.Enum):
    """Which colours are used."""

    AUTO = "auto"
    DARK = "dark"
    LIGHT = "light"
    MONO = "mono"


class Keys(enum.Enum):
    """Which editor's keys the line has."""

    EMACS = "emacs"
    VI = "vi"


@dataclass(frozen=True, slots=True)
class Settings:
    """One set of values. `width` 0: that of the terminal; empty `pager` and `editor`: those of the environment."""

    theme: Theme = Theme.AUTO
    keys: Keys = Keys.EMACS
    pager: str = ""
    editor: str = ""
    history_size: int = 10_000
    quote: bool = False
    width: int = 0
    max_elements: int = 100
    toolbar: bool = True
    suggest: bool = True
    complete_while_typing: bool = False

    def shown(self, name: str) -> str:
        """The value of a setting as it is written."""
        return FIELDS[name].shown(self)


@dataclass(frozen=True, slots=True)
class Field:
    """One setting: what it takes, how a text becomes its value, and its value as text."""

    takes: str
    taken: Callable[[Settings, str], Settings | None]
    shown: Callable[[Settings], str]


def _truth(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text)


def _number(text: str, least: int) -> int | None:
    return int(text) if text.isdecimal() and int(text) >= least else None


def _theme(settings: Settings, text: str) -> Settings | None:
    found = next((each for each in Theme if each.value == text), None)
    return None if found is None else replace(settings, theme=found)


def _keys(settings: Settings, text: str) -> Settings | None:
    found = next((each for each in Keys if each.value == text), None)
    return None if found is None else replace(settings, keys=found)


def _history_size(settings: Settings, text: str) -> Settings | None:
    found = _number(text, 1)
    return None if found is None else replace(settings, history_size=found)


def _width(settings: Settings, text: str) -> Settings | None:
    found = 0 if text in ("auto", "0") else _number(text, 20)
    return None if found is None else replace(settings, width=found)


def _max_elements(settings: Settings, text: str) -> Settings | None:
    found = _number(text, 1)
    return None if found is None else replace(settings, max_elements=found)


def _quote(settings: Settings, text: str) -> Settings | None:
    found = _truth(text)
    return None if found is None else replace(settings, quote=found)


def _toolbar(settings: Settings, text: str) -> Settings | None:
    found = _truth(text)
    return None if found is None else replace(settings, toolbar=found)


def _suggest(settings: Settings, text: str) -> Settings | None:
    found = _truth(text)
    return None if found is None else replace(settings, suggest=found)


def _complete(settings: Settings, text: str) -> Settings | None:
    found = _truth(text)
    return None if found is None else replace(settings, complete_while_typing=found)


def _written(value: bool) -> str:  # noqa: FBT001 - the value itself
    return "true" if value else "false"


_TRUTH: Final = "true or false"

FIELDS: Final[Mapping[str, Field]] = {
    "theme": Field("auto, dark, light or mono", _theme, lambda s: s.theme.value),
    "keys": Field("emacs or vi", _keys, lambda s: s.keys.value),
    "pager": Field("a program", lambda s, text: replace(s, pager=text), lambda s: s.pager or "$PAGER"),
    "editor": Field("a program", lambda s, text: replace(s, editor=text), lambda s: s.editor or "$EDITOR"),
    "history-size": Field("a number of inputs", _history_size, lambda s: str(s.history_size)),
    "quote": Field(_TRUTH, _quote, lambda s: _written(s.quote)),
    "width": Field("auto, or a number from 20", _width, lambda s: str(s.width or "auto")),
    "max-elements": Field("a number from 1", _max_elements, lambda s: str(s.max_elements)),
    "toolbar": Field(_TRUTH, _toolbar, lambda s: _written(s.toolbar)),
    "suggest": Field(_TRUTH, _suggest, lambda s: _written(s.suggest)),
    "complete-while-typing": Field(_TRUTH, _complete, lambda s: _written(s.complete_while_typing)),
}
"""The settings by the name that people write."""


@dataclass(slots=True)
class Chosen:
    """The settings of one session, which `:set` replaces."""

    settings: Settings = Settings()


def settings_path(environment: Mapping[str, str], home: Path) -> Path:
    """`$XDG_CONFIG_HOME/beamtalk/config.toml`."""
    base = environment.get("XDG_CONFIG_HOME")
    return (Path(base) if base else home / ".config") / "beamtalk" / "config.toml"


def read_settings(path: Path) -> tuple[Settings, tuple[str, ...]]:
    """The user's settings, and a line for each that cannot be taken."""
    try:
        data = path.read_bytes()
    except OSError:
        return Settings(), ()
    import tomllib  # noqa: PLC0415 (5 ms that who has no such file need not pay)

    try:
        found = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return Settings(), (f"{path}: {error}",)
    table = found.get("repl", {})
    if not isinstance(table, dict):
        return Settings(), (f"{path}: [repl] must be a table",)
    return _with_all(Settings(), table, str(path))


def _with_all(
    settings: Settings, table: Mapping[str, object], where: str
) -> tuple[Settings, tuple[str, ...]]:
    wrong = []
    for name, value in table.items():
        text = _written(value) if isinstance(value, bool) else str(value)
        changed = with_setting(settings, name, text)
        if isinstance(changed, str):
            wrong.append(f"{where}: {changed}")
        else:
            settings = changed
    return settings, tuple(wrong)


def with_setting(settings: Settings, name: str, text: str) -> Settings | str:
    """The settings with one changed, or why it cannot be."""
    field = FIELDS.get(name)
    if field is None:
        return f"there is no setting '{name}'"
    changed = field.taken(settings, text)
    return changed if changed is not None else f"'{text}' is not a value of '{name}': {field.takes}"
