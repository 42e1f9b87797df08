"""The parent's end of one drafter's process."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable

from curtain.base.python_process import start_module_with
from curtain.domain.worker.piped_process import Gone, PipedChild

from .wire import Replies

__all__ = ["DrafterProcess", "Gone"]


class DrafterProcess(PipedChild[Replies]):
    """One process of a drafter. Raises OSError if none can be made."""

    def __init__(self, variables: Iterable[str] = ()) -> None:
        process = start_module_with(
            variables,
            "curtain.drafting.serving.drafter_child",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        super().__init__(process, Replies, "draft-replies")
