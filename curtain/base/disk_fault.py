"""What a fault of the disk means to whoever writes."""

from __future__ import annotations

import errno


def is_full(fault: BaseException | None) -> bool:
    """Whether the disk, or this person's share of it, takes no more bytes. Freed space ends it."""
    # EDQUOT: over a quota the disk has room, but not for this person.
    return isinstance(fault, OSError) and fault.errno in (errno.ENOSPC, errno.EDQUOT)
