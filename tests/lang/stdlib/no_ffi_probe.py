"""A process that sends everything to everything under `--no-ffi`, and tells what reached the host.

`python -m tests.lang.stdlib.no_ffi_probe FOLDER CACHE` prints one line for each event of the host that no
library of the product should cause (workspace.md 8.4). An audit hook cannot be taken out again: hence a process.
"""

from __future__ import annotations

import contextlib
import io
import sys
import threading
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from lang.runtime.classes import ClassObject
from lang.runtime.collections.lists import list_of
from lang.runtime.symbols import symbol
from lang.stdlib.services import HostAccess, Services
from workspace.opening import Opening, open_workspace
from workspace.workspace import Workspace

ROOT = str(Path(__file__).parents[3])
FORBIDDEN = (
    *("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "socket.", "shutil."),
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.truncate"),
    *("os.putenv", "os.unsetenv", "ctypes.", "webbrowser.", "urllib.", "ftplib.", "smtplib."),
)
HARMLESS = ("socket.gethostname",)
MODULE = "antigravity"
"""A module that nothing imports by itself."""
# They wait for ever, or end the process that asks, as they should.
ENDLESS = frozenset({"repeat", "receive", "sleep:", "readLine", "readLine:", "halt", "halt:", "timesRepeat:"})
_PATIENCE = 0.2
_VALUES = (
    '1', '2.5', '"a"', '#a', 'true', 'nil', '[:x | x]', '#(1, 2)', '#[1, 2]', '#{#a => 1}', '(Result ok: 1)', '$a',
    '(1 to: 3)', '(Set new)', '(Bag new)', 'Transcript', 'Workspace', 'Beamtalk', 'Workspace changes', 'Session current',
    '(Stream on: #(1, 2))', 'DateTime now', '(Regex from: "a") unwrap', '(Random seed: 1)', 'SystemNavigation default',
    '(1 inspect)', '(Workspace actors)', '(Binary fromBytes: #(1))',
)  # fmt: skip


def main(folder: Path, cache: Path) -> None:
    services = Services(host_access=HostAccess.FORBIDDEN, output=io.StringIO(), input=io.StringIO())
    workspace = open_workspace(Opening(None, library_cache=cache, services=services))
    marker = str(folder / "marker")
    found: set[str] = set()
    is_watching = threading.Event()

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if is_watching.is_set() and _is_forbidden(event, arguments, marker):
            found.add(f"{event} {arguments[:2]!r}")

    sys.addaudithook(hook)
    count = 0
    for receiver, selector in dict(_sends(workspace)).values():
        for arguments in _arguments(workspace, selector, marker):
            is_watching.set()
            _send(workspace, receiver, selector, arguments)
            is_watching.clear()
            count += 1
            if found:
                print(f"{receiver!r} {selector} {arguments!r}: {sorted(found)}", flush=True)
                found.clear()
    print(f"{count} sends")
    sys.stdout.flush()


def _is_forbidden(event: str, arguments: tuple[object, ...], marker: str) -> bool:
    if event == "import":
        return arguments[0] == MODULE
    if event == "open":
        path, mode = str(arguments[0]), str(arguments[1] or "r")
        is_own = path.startswith((ROOT, sys.prefix, sys.base_prefix)) and not set(mode) & set("wax+")
        return marker in path or not (is_own or path.isdigit())
    return event.startswith(FORBIDDEN) and event not in HARMLESS


_Send = tuple[object, str]


def _sends(workspace: Workspace) -> Iterator[tuple[tuple[str, str, bool], _Send]]:
    """Every public method once, with somebody who understands it."""
    session = workspace.sessions.open("probe")
    for text in _VALUES:
        outcome = workspace.evaluator.run(lambda text=text: session.evaluate(text))
        value = getattr(outcome.answers[-1], "value", None) if outcome.answers else None
        class_object = workspace.runtime.class_of(value)
        if isinstance(class_object, ClassObject):
            for owner, selector in _selectors(class_object):
                yield (owner, selector, False), (value, selector)
    for class_object in workspace.runtime.classes():
        for at in class_object.chain():
            for selector, method in at.definition.class_methods.items():
                if not method.is_internal:
                    yield (at.name, selector, True), (class_object, selector)


def _selectors(class_object: ClassObject) -> Iterator[tuple[str, str]]:
    for at in class_object.chain():
        for selector, method in at.definition.methods.items():
            if not method.is_internal:
                yield at.name, selector


def _arguments(workspace: Workspace, selector: str, marker: str) -> Iterator[tuple[object, ...]]:
    count = selector.count(":") or (0 if selector[0].isalpha() or selector[0] == "_" else 1)
    choices = (marker, symbol(MODULE), list_of([marker]))
    yield from product(choices, repeat=count) if count < 2 else ((each,) * count for each in choices)


def _send(workspace: Workspace, receiver: object, selector: str, arguments: tuple[object, ...]) -> None:
    if selector in ENDLESS:
        return
    evaluation = workspace.evaluator.submit(
        lambda: workspace.runtime.send(receiver, selector, *arguments), "probe"
    )
    with contextlib.suppress(BaseException):
        evaluation.future.result(timeout=_PATIENCE)
        return
    if not evaluation.future.done():
        workspace.evaluator.interrupt(evaluation)
        with contextlib.suppress(BaseException):
            evaluation.future.result(timeout=_PATIENCE)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
    # Processes that were started on the way are not waited for.
    import os

    os._exit(0)
