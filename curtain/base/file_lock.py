"""The system's own lock on a file: it ends with the process that holds it, however that ends."""

from __future__ import annotations

import os
import sys

# A byte far beyond any journal: Windows locks ranges, and a locked range cannot be read by others.
_LOCK_AT = 0x7FFF_FFF0

if sys.platform == "win32":
    import msvcrt

    def take_lock(descriptor: int) -> None:
        """Raises OSError if another process holds it, or where there are no locks."""
        os.lseek(descriptor, _LOCK_AT, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def take_lock(descriptor: int) -> None:
        """Raises OSError if another process holds it, or where there are no locks."""
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
