"""The log of a running workspace: `.beamtalk/log/beamtalk.log` (workspace.md 2, 3.5).

Comes in: records of running code. Guarantees: one JSON object a line, at or above the threshold; the file is rotated
at 1 MB and three older ones are kept; a disk that refuses loses the record and nothing else. Nothing is opened before
the first record. Leaves: what is worth a record to its callers.
"""

from __future__ import annotations

import enum
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lang.stdlib.services import LogRecord

if TYPE_CHECKING:
    from logging.handlers import RotatingFileHandler

MAX_BYTES: Final = 1_000_000
KEPT_FILES: Final = 3


class Level(enum.Enum):
    """How grave a record is; the values are those of the `logging` module."""

    DEBUG = 10
    INFO = 20
    WARN = 30
    WARNING = 30  # noqa: PIE796 - another name of the same level
    ERROR = 40
    NONE = 100
    """Above every record."""


class LineFormat(enum.Enum):
    """How a record is written."""

    JSON = "json"
    TEXT = "text"


class RuntimeLog:
    """The log file of one workspace; `path` None keeps none."""

    def __init__(self, path: Path | None, threshold: Level = Level.WARN) -> None:
        self.path = path
        self.threshold = threshold
        self.line_format = LineFormat.JSON
        self._handler: RotatingFileHandler | None = None

    def record(self, record: LogRecord) -> None:
        """Write one record."""
        level = Level[record.level.upper()]
        if self.path is None or level.value < self.threshold.value:
            return
        import logging  # noqa: PLC0415 (8 ms that a program without records need not pay)

        made = logging.LogRecord("beamtalk", level.value, "", 0, self._line_of(record), None, None)
        self._opened(self.path).handle(made)

    def _line_of(self, record: LogRecord) -> str:
        return line_of(record) if self.line_format is LineFormat.JSON else text_of(record)

    def _opened(self, path: Path) -> RotatingFileHandler:
        if self._handler is None:
            from logging.handlers import RotatingFileHandler  # noqa: PLC0415 (as above)

            path.parent.mkdir(parents=True, exist_ok=True)
            self._handler = RotatingFileHandler(path, "a", MAX_BYTES, KEPT_FILES, "utf-8")
            self._handler.handleError = lambda record: None  # type: ignore[method-assign] # noqa: ARG005
        return self._handler

    def close(self) -> None:
        """Give the file back; the next record opens it again."""
        handler, self._handler = self._handler, None
        if handler is not None:
            handler.close()


def _moment(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest // 1000:06}Z"


def text_of(record: LogRecord) -> str:
    """A record as one line for people."""
    facts = "".join(f" {name}={value}" for name, value in record.facts)
    return f"{_moment(record.time)} [{record.level}] {record.message}{facts}".replace("\n", "\\n")


def line_of(record: LogRecord) -> str:
    """A record as one line of JSON."""
    document = {
        "time": _moment(record.time),
        "level": record.level,
        "message": record.message,
        **dict(record.facts),
    }
    return json.dumps(document, ensure_ascii=False)
