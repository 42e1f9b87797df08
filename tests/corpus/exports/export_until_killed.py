"""An export in a process of its own that is killed at a chosen moment."""

import os
import signal
import sys
from pathlib import Path

from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import open_corpus

_DISK = frozenset(["open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.truncate", "shutil.copyfile"])


def run(study: Path, format_name: str, out: Path, killed_at: int | None, count_in: Path | None = None) -> None:
    """Exports, and dies at the `killed_at`-th request to the disk; `count_in` gets the number of requests."""
    seen = 0

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal seen
        if event in _DISK:
            seen += 1
            if seen == killed_at:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    export(open_corpus([study]), format_name, out)
    if count_in is not None:
        count_in.write_text(str(seen))
