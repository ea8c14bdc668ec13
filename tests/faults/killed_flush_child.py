"""The process of `test_live_flush_sigkill`: forks one child for each moment of death.

Arguments: a folder of project copies named after the call before which the child dies, and the
library's cache. Writes one line for each copy: its name, and how the child ended.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from workspace.flush.disk import RealDisk
from workspace.flush.plan import FlushRequest
from workspace.flush.selection import Everything, Gesture
from workspace.flush.watched_disk import WatchedDisk
from workspace.opening import Opening, open_workspace

INPUTS = (
    "Workspace sync",
    "Meter class >> make => Counter spawnWith: #{#value => 7}",
    "Counter renameTo: #Accumulator",
    "Accumulator renameSelector: #increment to: #bump",
    'Workspace newClass: "Accumulator subclass: Fresh\n  y => Meter\n" at: "src/deep/Fresh.bt"',
    "Lone removeFromSystem",
)


class Death:
    """Counts calls and kills the process before the one that it is told."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.calls = itertools.count()
        self.is_due = False

    def count(self, *_call: object) -> None:
        if self.is_due and next(self.calls) == self.at:
            os.kill(os.getpid(), signal.SIGKILL)

    def before(self, call: Callable[..., object]) -> Callable[..., object]:
        def counted(*arguments: object) -> object:
            self.count()
            return call(*arguments)

        return counted


def live(root: Path, cache: Path) -> None:
    """Work, then flush; dies in the flush."""
    death = Death(int(root.name))
    os.write, os.fsync = death.before(os.write), death.before(os.fsync)  # type: ignore[assignment]
    disk = WatchedDisk(RealDisk(), before=lambda _call: death.count())
    workspace = open_workspace(Opening(root, library_cache=cache, disk=disk))
    session = workspace.sessions.open("repl")
    for text in INPUTS:
        error = workspace.evaluator.run(lambda text=text: session.evaluate(text)).error
        if error is not None:
            raise RuntimeError(f"{text}: {error}")
    death.is_due = True
    workspace.evaluator.run(lambda: workspace.flush(FlushRequest(Everything(), Gesture.DESTRUCTIVE)))


def ended(root: Path, cache: Path) -> str:
    """Run one child to its end."""
    child = os.fork()
    if child == 0:
        try:
            live(root, cache)
        except BaseException as fault:  # noqa: BLE001 - the process ends with it
            print(root.name, "failed", repr(fault), flush=True)
            os._exit(1)
        os._exit(0)
    _pid, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "killed"
    return "done" if os.WEXITSTATUS(status) == 0 else "failed"


def main(folder: Path, cache: Path) -> None:
    """All copies, in order of their calls."""
    for root in sorted(folder.iterdir(), key=lambda path: int(path.name)):
        print(root.name, ended(root, cache), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
