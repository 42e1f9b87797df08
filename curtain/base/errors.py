"""The base of all problems that are a person's to read, and closing several things whatever fails."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

# EDQUOT: over a quota the disk has room, but not for this person.
FULL = (errno.ENOSPC, errno.EDQUOT)


class CurtainError(Exception):
    """A problem in one plain sentence: what happened, where, and what to do."""


def reason_of(error: Exception, most: int = 300) -> str:
    """One line of at most so many characters: a problem that is a person's to read as it stands, any other with its
    kind."""
    text = " ".join(str(error).split())[:most].encode(errors="replace").decode()
    return text if isinstance(error, CurtainError) else f"failed with {type(error).__name__}: {text or 'no reason'}"


@contextmanager
def os_errors_as(what: str, error: type[CurtainError] = CurtainError, advice: str = "") -> Iterator[None]:
    """An OSError within becomes an `error`: `what` is the sentence before the system's reason, `advice` follows it."""
    try:
        yield
    except OSError as problem:
        reason = "the disk is full" if problem.errno in FULL else problem.strerror or problem
        advice = advice or " Make room, or choose another disk." * (problem.errno in FULL)
        raise error(f"{what}: {in_the_way(problem) or f'{reason}.{advice}'}") from problem


_IN_THE_WAY = (errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENOTEMPTY)


def in_the_way(error: OSError) -> str:
    """What stands in the place of a file or a folder of ours, and what to do; "" where the reason is another one."""
    # With words of our own, `base.input_file` refuses what somebody has named.
    if error.errno not in _IN_THE_WAY or error.strerror != os.strerror(error.errno) or not error.filename:
        return ""
    named = Path(os.fsdecode(error.filename2 or error.filename))
    place = next((one for one in (named, *named.parents) if os.path.lexists(one)), named)
    return f"the {'folder' if place.is_dir() else 'file'} {place} is in the way. Move it elsewhere, and try again."


def close_all(*closers: Callable[[], object] | None) -> None:
    """Call each of them that there is, in this order. What one raises is raised when all have been called."""
    with ExitStack() as stack:
        for close in filter(None, reversed(closers)):
            stack.callback(close)
