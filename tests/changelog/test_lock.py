"""The lock of a folder: one holder, given back by `release` and by the end of its process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from changelog.lock import take_lock

HOLDER = """
import sys
from changelog.lock import take_lock
lock = take_lock(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = take_lock(str(path))
    with pytest.raises(BlockingIOError):
        take_lock(str(path))
    lock.release()
    lock.release()
    take_lock(str(path)).release()
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_the_file_holds_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "lock").write_bytes(b"123\n")
    take_lock(str(tmp_path / "lock")).release()
    assert (tmp_path / "lock").read_bytes() == b"123\n"


def test_a_folder_that_is_not_there_has_none(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        take_lock(str(tmp_path / "no" / "lock"))


def test_another_process_holds_it_until_it_is_killed(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with subprocess.Popen(
        (sys.executable, "-c", HOLDER, path), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(BlockingIOError):
            take_lock(path)
        holder.kill()
        holder.wait(10)
        take_lock(path).release()
