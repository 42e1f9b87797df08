"""Questionnaires as tables: one row an answer, one row a score, as CSV."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from curtain.base.record_file import by_name
from curtain.base.text_file import csv_text
from curtain.corpus.model.utterance import Session

_WHO = (
    "session_id", "speaker_id", "wizard_ids", "site", "asks", "questionnaire", "scenario_id", "condition_id",
)  # fmt: skip
ANSWER_COLUMNS = (*_WHO, "item", "answer")
"""`asks` is subject or wizard. `scenario_id` is empty for a form on the session, and `condition_id` where the session
had several conditions. `answer` is the text as it was given, None where somebody went on without one."""
SCORE_COLUMNS = (*_WHO, "score")
"""`questionnaire` is the score's name; UEQ-S has two."""


def answer_rows(session: Session) -> Iterator[dict[str, Any]]:
    """The answers of subject and wizard in the order in which the items were first answered."""
    for asks, answers in (("subject", session.questionnaire), ("wizard", session.wizard_questionnaire)):
        for name, answer in answers:
            form, _, item = name.rpartition(".")
            yield {**_who(session, asks, form), "item": item, "answer": answer or None}


def unanswered_rows(session: Session) -> Iterator[dict[str, Any]]:
    """The forms that somebody went on from without all answers; `unanswered` holds the items."""
    for asks, answers in (("subject", session.questionnaire), ("wizard", session.wizard_questionnaire)):
        left_out: dict[str, list[str]] = {}
        for name, answer in answers:
            form, _, item = name.rpartition(".")
            if not answer:
                left_out.setdefault(form, []).append(item)
        for form, items in left_out.items():
            yield {**_who(session, asks, form), "unanswered": items}


def score_rows(session: Session) -> Iterator[dict[str, Any]]:
    """The scores of a session by their names; a form with a missing item has none."""
    of_wizard = {name.rpartition(".")[0].partition("@")[0] for name, _ in session.wizard_questionnaire}
    for name, score in sorted(session.scores.items()):
        asks = "wizard" if name.partition("@")[0] in of_wizard else "subject"
        yield {**_who(session, asks, name), "score": score}


def write_tables(folder: Path, sessions: Iterable[Session]) -> tuple[int, int]:
    """Write answers.csv and scores.csv; how many answers and scores they hold."""
    answers: list[dict[str, Any]] = []
    scores: list[dict[str, Any]] = []
    for session in sessions:
        answers += answer_rows(session)
        scores += score_rows(session)
    for name, columns, rows in (("answers", ANSWER_COLUMNS, answers), ("scores", SCORE_COLUMNS, scores)):
        with (folder / f"{name}.csv").open("x", encoding="utf-8", newline="") as file:
            file.write(csv_text(columns, ([row.get(column) for column in columns] for row in rows)))
    return len(answers), len(scores)


def _who(session: Session, asks: str, form: str) -> dict[str, Any]:
    name, _, scenario = form.partition("@")
    return {
        **by_name(session, "session_id", "speaker_id"),
        "wizard_ids": " ".join(session.wizard_ids),
        "site": session.site,
        "asks": asks,
        "questionnaire": name,
        "scenario_id": scenario,
        "condition_id": _condition(session, scenario),
    }


def _condition(session: Session, scenario: str) -> str:
    """That of the scenario, or the one of all scenarios; "" where there were several."""
    met = {one.condition_id or "" for one in session.scenarios if scenario in ("", one.scenario_id)}
    return met.pop() if len(met) == 1 else ""
