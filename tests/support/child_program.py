"""A program that a test starts beside itself."""

import subprocess
from typing import IO, Any


class Child(subprocess.Popen[Any]):
    """With pipes to it and from it. `with` kills it where something fails inside: `Popen` alone would wait for ever."""

    stdin: IO[Any]
    stdout: IO[Any]
    stderr: IO[Any]

    def __init__(self, command: list[str], **options: Any) -> None:
        super().__init__(command, **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **options})

    def __exit__(self, *failed: Any) -> None:
        if any(failed):
            self.kill()
        super().__exit__(*failed)
