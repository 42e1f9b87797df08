"""From rows of the utterance view to the texts of an ATIS tree."""

from collections.abc import Mapping, Sequence

from curtain.cas import CasError, parse
from curtain.cas import write as write_answer
from curtain.cas.values import Alternatives
from curtain.corpus.model.utterance import Reference, Session, Utterance
from curtain.session.turns.scenario_runs import ScenarioRun
from curtain_corpora.atis.cat_file import BASIC_TAGS, BadCategory, Categorised, write_cat
from curtain_corpora.atis.names import Name
from curtain_corpora.atis.session_log import Fields, SessionLog, stamp, write_log

OR = "\n-- OR\n"
"""Between the statements of several readings in `.sql` and `.sq2`; a comment in SQL."""
PUT_BY_EXPORT = "put by the export"


def texts_of(utterance: Utterance, numbers: Mapping[str, int]) -> dict[str, str]:
    """The texts by type of file; `numbers` are those of the queries of the scenario-session, by utterance."""
    by_kind = {
        "sro": _line(utterance.sro),
        "lsn": _line(utterance.lsn),
        "win": _line(utterance.nl_input),
        "cat": _categories(utterance, numbers),
        **_answers(utterance.references),
    }
    return {kind: text for kind, text in by_kind.items() if text is not None}


def _line(text: str | None) -> str | None:
    return None if text is None else text + "\n"


def _answers(references: Sequence[Reference]) -> dict[str, str | None]:
    """Minimum and maximum, as alternatives where there are several readings (papers/001, appendix A)."""
    return {
        "sql": _statements([one.sql_min for one in references]),
        "sq2": _statements([one.sql_max for one in references]),
        "ref": _alternatives([one.cas_min for one in references]),
        # Maximum alternatives go in pairs with the minimum ones: without one of them there is no maximum at all.
        "rf2": _alternatives([one.cas_max for one in references], all_needed=True),
    }


def _statements(statements: Sequence[str | None]) -> str | None:
    there = [one for one in statements if one is not None]
    return OR.join(there) + "\n" if there else None


def _alternatives(answers: Sequence[str | None], all_needed: bool = False) -> str | None:
    there = [one for one in answers if one is not None]
    if not there or (all_needed and len(there) < len(answers)):
        return None
    return (there[0] if len(there) == 1 else _joined(there)) + "\n"


def _joined(answers: Sequence[str]) -> str:
    try:
        read = [parse(one) for one in answers]
    except CasError:
        return f"({' OR '.join(answers)})"
    flat = [one for answer in read for one in (answer.answers if isinstance(answer, Alternatives) else (answer,))]
    return write_answer(Alternatives(tuple(flat)))


def _categories(utterance: Utterance, numbers: Mapping[str, int]) -> str | None:
    """None for an utterance that nobody classified, and for a class that the notation cannot write."""
    if utterance.eval_class is None:
        return None
    category = _categorised(utterance, numbers)
    try:
        return write_cat(category)
    except BadCategory:
        return None


def _categorised(utterance: Utterance, numbers: Mapping[str, int]) -> Categorised:
    assert utterance.eval_class is not None
    tags = tuple(tag for tag in utterance.tags if tag in BASIC_TAGS)
    own_number = numbers[utterance.utterance_id]
    linked = {numbers[link.utterance_id] for link in utterance.context if link.utterance_id in numbers}
    # The notation points back only; what lies in another scenario is in the comment “context”.
    pointers = tuple(sorted(number for number in linked if number < own_number))
    comments = _comments(utterance)
    if utterance.eval_class == "X" and not tags and not pointers:
        tags = (_stand_in(utterance),)
        comments += (f"{PUT_BY_EXPORT}: {tags[0]}",)
    elif utterance.eval_class in ("D1", "D") and not tags and not pointers and own_number > 1:
        pointers = (own_number - 1,)
        comments += (f"{PUT_BY_EXPORT}: the pointer",)
    return Categorised(utterance.eval_class, tags, pointers, comments=comments)


def _stand_in(utterance: Utterance) -> str:
    """The tag for an excluded query without one, since `X:` alone is not allowed."""
    if utterance.outcome == "cancelled":
        return "cancelled"
    if utterance.cut_short:
        return "trunc-utt"
    return "disallowed" if utterance.outcome == "answer" else "unanswerable"


def _comments(utterance: Utterance) -> tuple[str, ...]:
    remarks = {
        "category of 1989": utterance.category or "",
        "context": ", ".join(f"{link.utterance_id} {link.to}" for link in utterance.context),
        "other tags": ", ".join(tag for tag in utterance.tags if tag not in BASIC_TAGS),
        "site tags": ", ".join(utterance.site_tags),
        "reasons": "; ".join(utterance.reasons),
    }
    return tuple(f"{name}: {' '.join(text.split())}" for name, text in remarks.items() if text)


def log_of(
    session: Session, scenario_id: str | None, utterances: Sequence[Utterance], name: Name, part: tuple[int, int]
) -> SessionLog:
    """The `.log` of a scenario: `part` is its number among the scenarios of the session, from 1, and how many."""
    runs = [one for one in session.scenarios if one.scenario_id == scenario_id]
    header = _filled(
        ("Site", session.site),
        ("Speaker", name.speaker),
        ("Session", name.session),
        ("Scenario", scenario_id),
        ("Date", session.recorded),
        ("Mode", "wizard"),
        ("End_to_end", "yes" if any(one.answer is not None for one in runs) else "no"),
        ("Times", "since the session began"),
        ("Session_Id", session.session_id),
        ("Speaker_Id", session.speaker_id),
        ("Part", f"{part[0]} of {part[1]}"),
        ("Wizard_Ids", " ".join(session.wizard_ids)),
        ("Domain", session.domain),
        ("Database", session.content_sha256),
        ("Dialect", session.dialect),
        ("Rule_Book", session.rule_book),
        ("App_Version", session.app_version),
        ("Pilot", "yes" if session.pilot else None),
        ("Practice", "yes" if any(one.practice for one in utterances) else None),
        *(field for one in runs for field in _fields_of_run(one)),
    )
    numbered = ((name.of_query(number).query, _fields_of(one)) for number, one in enumerate(utterances, 1))
    return SessionLog(header, tuple(numbered))


def _fields_of_run(run: ScenarioRun) -> Fields:
    """“Answer Found” is a field of the standard log, needed where it is end-to-end; the others are ours."""
    return _filled(
        ("Scenario_Start", _stamp(run.started_ms)),
        ("Scenario_End", _stamp(run.ended_ms)),
        ("Scenario_Ended", run.reason),
        ("Answer_Found", _stamp(run.answered_ms)),
        ("Solution", f"{run.how or 'typed'}: {run.answer}" if run.answer is not None else None),
    )


def _fields_of(utterance: Utterance) -> Fields:
    marks = ("clipped", "recovered", "cut_short")
    response = f"message:{utterance.message_id}" if utterance.outcome == "message" else utterance.outcome
    return _filled(
        ("Utterance_Id", utterance.utterance_id),
        ("Turn", str(utterance.turn)),
        ("Begin_Speech", _stamp(utterance.start_ms)),
        ("End_Speech", _stamp(utterance.end_ms)),
        ("Query", utterance.query),
        ("Response_Type", response),
        ("Display", utterance.message),
        ("Counts_As", utterance.counts_as),
        ("Yes_No", "yes" if utterance.yes_no else None),
        ("Tags", ", ".join(utterance.tags) if utterance.eval_class is None else None),
        ("Site_Tags", ", ".join(utterance.site_tags) if utterance.eval_class is None else None),
        ("History_Cleared", "yes" if utterance.history_cleared else None),
        ("Recording", " ".join(mark for mark in marks if getattr(utterance, mark)) or None),
        *(("_".join(word.capitalize() for word in event.split("_")), stamp(ms)) for event, ms in utterance.times),
    )


def _filled(*fields: tuple[str, str | None]) -> Fields:
    return tuple((name, value) for name, value in fields if value)


def _stamp(ms: int | None) -> str | None:
    return None if ms is None else stamp(ms)


def comments_of(utterances: Sequence[Utterance], numbers: Mapping[str, int]) -> str:
    """The wizard's notes, in the notation of a log; empty if there are none."""
    noted = [one for one in utterances if one.notes]
    queries = tuple(
        (
            Name("", "").of_query(numbers[utterance.utterance_id]).query,
            tuple(("Note", note) for note in utterance.notes),
        )
        for utterance in noted
    )
    return write_log(SessionLog((), queries)) if noted else ""


def questionnaire_of(session: Session) -> str:
    """Questions and answers, in the notation of a log; empty if there is none."""
    pairs = tuple((_as_keyword(question), answer) for question, answer in session.questionnaire)
    return write_log(SessionLog(pairs)) if pairs else ""


def _as_keyword(question: str) -> str:
    return "".join(" " if sign in "[]:\\\r\n" else sign for sign in question).strip() or "Question"
