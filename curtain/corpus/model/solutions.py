"""Whether the answer that a subject stated solves a scenario (papers/004, "Finding the Correct Solution").

Pack and study list the accepted wordings of each closed scenario. A statement is correct if it holds one of them, word
for word, apart from case, accents and punctuation: "The answer is Boeing 727." holds "Boeing 727". A person may rule
otherwise (`solution_rulings`).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from curtain.base.settings_file import convert, parse, read_text
from curtain.base.words import MARKS, SIGN_OF_WORD, without_accents
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.solution_rulings import SolutionRuling, rulings_of
from curtain.session.turns.scenario_runs import ScenarioRun, SolutionVerdict

SOLUTIONS_FOLDER = "solutions"

_WORD = re.compile(rf"{SIGN_OF_WORD}+(?:\.[0-9]+)?")
# A thousands' comma inside a number; other commas part words.
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")


class StudySolution(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`solutions/SCENARIO.toml` of a study: the accepted wordings of a scenario, in place of the pack's."""

    accepted: Annotated[list[str], Meta(min_length=1, description='a list of answers such as ["Boeing 727", "727"]')]
    notes: str = ""

    def __post_init__(self) -> None:
        # A wording without a word would be held by every answer.
        if empty := [wording for wording in self.accepted if not _words(wording)]:
            raise ValueError(f"“accepted” holds “{empty[0]}”, which has no word; take it out")


def judged_solution(stated: str | None, accepted: Iterable[str]) -> SolutionVerdict | None:
    """The verdict on a stated answer; `none` where nothing was stated, None where no wording is accepted anywhere."""
    wordings = list(accepted)
    if stated is None or not stated.strip():
        return "none"
    if not wordings:
        return None
    words = _words(stated)
    return "correct" if any(_holds(words, _words(wording)) for wording in wordings) else "incorrect"


def judged_runs(
    runs: Sequence[ScenarioRun], accepted: Mapping[str, Sequence[str]], rulings: Iterable[SolutionRuling]
) -> tuple[ScenarioRun, ...]:
    """Each run with its verdict. `accepted` is by scenario; a ruling counts more than wordings, a later one more than
    an earlier one. One without a number is about the last run of its scenario."""
    standing = {(ruling.scenario_id, ruling.run): ruling for ruling in rulings}
    totals = Counter(run.scenario_id for run in runs)
    numbers: Counter[str] = Counter()
    judged = []
    for run in runs:
        numbers[run.scenario_id] += 1
        number = numbers[run.scenario_id]
        ruling = standing.get((run.scenario_id, number))
        if ruling is None and number == totals[run.scenario_id]:
            ruling = standing.get((run.scenario_id, None))
        judged.append(_judged(run, accepted.get(run.scenario_id, ()), ruling))
    return tuple(judged)


def _judged(run: ScenarioRun, accepted: Sequence[str], ruling: SolutionRuling | None) -> ScenarioRun:
    if ruling is not None:
        return replace(run, solution=ruling.verdict, solution_from="ruled")
    verdict = judged_solution(run.answer, accepted)
    return replace(run, solution=verdict, solution_from="wording" if verdict is not None else None)


def runs_with_solutions(
    runs: Sequence[ScenarioRun], bundle: Path, session_id: str, domain: str, domains: Domains
) -> tuple[ScenarioRun, ...]:
    """The runs of a session in its folder, judged by its study and the pack. Raises CurtainError, BadRecords."""
    study = study_of(bundle)
    accepted = {one: accepted_solutions(domains, domain, one, study) for one in {run.scenario_id for run in runs}}
    return judged_runs(runs, accepted, rulings_of(study, session_id) if study else ())


def accepted_solutions(domains: Domains, domain: str, scenario_id: str, study: Path | None = None) -> tuple[str, ...]:
    """The accepted wordings of a scenario: the study's own file, else the pack's; none where neither lists any.

    Raises CurtainError.
    """
    of_study = _of_study(study / SOLUTIONS_FOLDER / f"{scenario_id}.toml") if study and _is_name(scenario_id) else None
    return tuple(of_study.accepted) if of_study is not None else domains.accepted(domain, scenario_id)


def solutions_of_study(study: Path) -> dict[str, StudySolution]:
    """All of a study's own files, by scenario. Raises CurtainError."""
    by_scenario = {path.stem: _of_study(path) for path in sorted((study / SOLUTIONS_FOLDER).glob("*.toml"))}
    return {name: solution for name, solution in by_scenario.items() if solution is not None}


def study_of(bundle: Path) -> Path | None:
    """The study in whose folder a session lies; None for a session that was copied elsewhere."""
    folder = bundle.absolute().parent
    return folder.parent if folder.name == "sessions" and (folder.parent / "study.toml").is_file() else None


def _of_study(path: Path) -> StudySolution | None:
    if not path.exists():
        return None
    text = read_text(path)
    return convert(str(path), text, parse(str(path), text), StudySolution)


def _is_name(scenario_id: str) -> bool:
    # A journal from elsewhere must not name a file outside the folder.
    return re.fullmatch(rf"[\w{MARKS}-]+", scenario_id) is not None


def _words(text: str) -> list[str]:
    return _WORD.findall(_THOUSANDS.sub("", without_accents(text.casefold())))


def _holds(words: Sequence[str], wording: Sequence[str]) -> bool:
    """Whether the words of a wording stand in a row."""
    size = len(wording)
    return size > 0 and any(list(words[at : at + size]) == list(wording) for at in range(len(words) - size + 1))
