"""Studies for stories."""

import re
from collections.abc import Sequence
from pathlib import Path

from curtain.session.study.study import new_study


def short_study(folder: Path, scenarios: Sequence[str] = ("complaint",), language: str = "en", **settings: str) -> Path:
    """A study without practice, drafts and seconds in which a reply can be taken back; `settings` are names of its
    study.toml and their values."""
    study = new_study(folder, "personnel", scenarios, practice="none", language=language, take_back_s=0).folder
    text = (study / "study.toml").read_text("utf-8")
    for name, value in settings.items():
        text = re.sub(f"^{name} = .*", f"{name} = {value}", text, flags=re.MULTILINE)
    (study / "study.toml").write_text(text, "utf-8")
    return without_drafts(study)


def without_drafts(study: Path) -> Path:
    """The same study with its drafter off: its start is most of what a wizard's station costs."""
    # The last table of a new study is that of its drafters.
    with (study / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write("curtain = false\n")
    return study
