"""Repositories of huggingface.co."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

_FILES = ["config.json", "preprocessor_config.json", "model.bin", "tokenizer.json", "vocabulary.*"]


def fetch_repository(repository: str, part: Path, total: int, report: Callable[[float], object]) -> None:
    """Bring the files of a model of Whisper into a folder, `total` bytes; what an earlier try brought stays.

    Raises OSError, ValueError (errors of the library among them), and ImportError without the extra `asr`.
    """
    import huggingface_hub
    from huggingface_hub.errors import HfHubHTTPError
    from tqdm.auto import tqdm

    class Bar(tqdm):  # type: ignore[misc]
        """Shows nothing and reports bytes."""

        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **{**options, "disable": True})
            self._is_bytes = options.get("unit") == "B"

        def update(self, n: float | None = 1) -> bool | None:
            self.n += n or 0
            if self._is_bytes:
                report(min(1.0, self.n / total))
            return True

    try:
        huggingface_hub.snapshot_download(
            repository, local_dir=part, allow_patterns=_FILES, tqdm_class=Bar, max_workers=1
        )
    except HfHubHTTPError as error:
        raise OSError(str(error)) from error
