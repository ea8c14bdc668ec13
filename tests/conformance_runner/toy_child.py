"""A child whose language is a toy: for the tests of the runner."""

import os
import sys
import time
from pathlib import Path

from repl.transcripts import Answer
from tests.conformance_runner.child import main
from tests.conformance_runner.driver import Driver


class ToySession:
    """Answers each input itself, but for a few words."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def evaluate(self, text: str) -> Answer:
        match text.split():
            case ["hang"]:
                time.sleep(60)
            case ["die"]:
                os._exit(3)
            case ["fail", message]:
                return Answer(error=message)
            case ["raise"]:
                raise RuntimeError("a defect")
            case ["write", path, content]:
                (self._folder / path).write_text(content, "utf-8")
            case ["print"]:
                print("to the screen")
            case ["folder"]:
                return Answer((str(sorted(each.name for each in self._folder.iterdir())),))
        return Answer((text,))

    def load(self, path: str) -> str | None:
        file = self._folder / path
        return None if file.is_file() else f"Line 1: no {path}"

    def close(self) -> None:
        (self._folder / "closed").write_text("", "utf-8")


def is_complete(text: str) -> bool:
    return text.count("(") <= text.count(")")


if __name__ == "__main__":
    main(sys.argv[1:], Driver(ToySession, ToySession, is_complete))
