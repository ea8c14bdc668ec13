"""How does one rename with flags: `renameat2` of Linux, which Python does not offer.

Comes in: two paths and the flag bits of `renameat2(2)`. Guarantees: done, or `OSError` with the
system's errno (`ENOSYS` where there is no such call). Leaves: what to do instead.
"""

from __future__ import annotations

import ctypes
import errno
import os

_AT_FDCWD = -100
_LIBRARY = ctypes.CDLL(None, use_errno=True)
_RENAMEAT2 = getattr(_LIBRARY, "renameat2", None)
if _RENAMEAT2 is not None:
    _RENAMEAT2.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    _RENAMEAT2.restype = ctypes.c_int


def renameat2(source: str, target: str, flags: int) -> None:
    """Rename `source` to `target` with the given flags; both absolute."""
    if _RENAMEAT2 is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), source, None, target)
    if _RENAMEAT2(_AT_FDCWD, os.fsencode(source), _AT_FDCWD, os.fsencode(target), flags) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), source, None, target)
