"""What settings of a study hardly mean, beside what `curtain.session.study.study` refuses."""

from collections.abc import Sequence
from typing import Literal

from curtain.session.study.languages import ENGLISH
from curtain.session.study.messages import bundled_sets
from curtain.session.study.study import NO_PRACTICE, Study


def advice_on_messages(study: Study) -> str:
    """A sentence where a set of canned messages is in another language than the study's, which has one of it too."""
    sets, code = bundled_sets(), study.spoken_language
    for name in study.messages:
        stem, _, language = name.partition("-")
        wanted = stem if code == ENGLISH else f"{stem}-{code}"
        if name in sets and language != code and wanted != name and wanted in sets:
            key, where = "messages", study.folder / "study.toml"
            return f"“{key}” in {where} names “{name}”; subjects who read “{code}” need “{wanted}”."
    return ""


def problem_of_scenarios(key: Literal["scenarios", "practice"], study: Study, domain: str, there: Sequence[str]) -> str:
    """A sentence where this key names scenarios that are not there in the domain of this title, else an empty text."""
    named = study.scenarios if key == "scenarios" else (study.practice or NO_PRACTICE,)
    unknown = " and ".join(f"“{one}”" for one in named if one not in (*there, NO_PRACTICE))
    if not unknown:
        return ""
    # A scenario by another id is mostly a slip of the pen, so the sentence lists those there are.
    only = ", ".join(there) or "none"
    return f"“{key}” in {study.folder / 'study.toml'} names {unknown}; the domain “{domain}” has only: {only}."
