"""Puts into the wheel what `score_sql` needs of Curtain, with the names that its packages have here."""

import re
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parents[2]
SCORE = ROOT / "companions" / "score" / "curtain_score"
NAMES = (
    (r"\bcurtain_score\.sql\b", "curtain_cas.evaluation"), (r"\bcurtain\.(base|cas)\b", r"curtain_cas.\1"),
)  # fmt: skip


class RenamedPackages(BuildHookInterface):  # type: ignore[type-arg]
    """Files of the companion `score` become `curtain_cas.evaluation`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add a copy of each file."""
        self._made = tempfile.TemporaryDirectory()
        taken = {f"evaluation/{path.name}": path for path in (SCORE / "sql").glob("*.py")}
        for place, source in taken.items():
            text = source.read_text("utf-8")
            for name, here in NAMES:
                text = re.sub(name, here, text)
            copy = Path(self._made.name, place.replace("/", "-"))
            copy.write_text(text, "utf-8")
            build_data["force_include"][str(copy)] = f"curtain_cas/{place}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """The copies go."""
        self._made.cleanup()
