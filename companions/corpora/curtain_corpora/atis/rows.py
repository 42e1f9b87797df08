"""From the texts of an ATIS tree to a row of the utterance view, without the file that Curtain puts beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast, get_args

from curtain.cas import CasError, parse
from curtain.cas import write as write_answer
from curtain.cas.values import Alternatives
from curtain.corpus.model.utterance import Category, ContextLink, Reference, Session, Utterance
from curtain.session.turns.scenario_runs import ScenarioRun
from curtain.session.turns.turns import TIMES
from curtain_corpora.atis.cat_file import BadCategory, Categorised, read_cat
from curtain_corpora.atis.session_log import Fields, SessionLog, field_of, keyword, milliseconds, read_log
from curtain_corpora.atis.texts import OR, PUT_BY_EXPORT

Texts = Mapping[str, str]
IdOf = Callable[[int], str]

KNOWN = frozenset(
    {
        "site", "speaker", "session", "scenario", "date", "mode", "end_to_end", "times", "session_id", "speaker_id",
        "part", "wizard_ids", "domain", "database", "dialect", "rule_book", "app_version", "pilot", "practice",
        "solution", "scenario_start", "scenario_end", "scenario_ended", "answer_found",
        "utterance_id", "turn", "begin_speech", "end_speech", "query", "response_type", "display", "counts_as",
        "yes_no", "tags", "site_tags", "history_cleared", "recording", *TIMES,
    }
)  # fmt: skip
"""Keywords of a log that are read; all others are kept as they stand."""

_OF_A_RUN = ("scenario_start", "scenario_end", "scenario_ended", "answer_found", "solution")
_OUTCOMES = ("answer", "message", "cancelled", "open", "withheld")
_LINK = re.compile(r"(\S+) (text|answer)")


def from_texts(blank: Utterance, texts: Texts, fields: Fields, id_of: IdOf) -> Utterance:
    """`blank` with everything that the files of a query and its fields in the log say."""
    utterance = with_texts(blank, texts)
    utterance = replace(utterance, references=references_in(texts))
    utterance = with_category(utterance, texts.get("cat"), id_of)
    return with_log(utterance, fields)


def with_texts(utterance: Utterance, texts: Texts) -> Utterance:
    """Transcriptions, and what the NL tool was asked."""
    fields = {"sro": texts.get("sro"), "lsn": texts.get("lsn"), "nl_input": texts.get("win")}
    plain: dict[str, Any] = {name: _without_id(text) for name, text in fields.items() if text is not None}
    return replace(utterance, **plain)


def _without_id(text: str) -> str:
    # A transcription may end with the name of its file in parentheses, as in .trn files.
    return re.sub(r"\s*\([0-9a-zA-Z]{8}\)\s*$", "", text).strip()


def references_in(texts: Texts) -> tuple[Reference, ...]:
    """One reference for each reading; where the four files have different numbers of them, one with alternatives.

    A file that is no answer in the notation is left out; `damaged_in` names it.
    """
    texts = {
        kind: text for kind, text in texts.items() if kind not in ("ref", "rf2") or _problem_of_answer(text) is None
    }
    lists: dict[str, list[str]] = {
        "sql_min": _statements(texts.get("sql")),
        "sql_max": _statements(texts.get("sq2")),
        "cas_min": _alternatives(texts.get("ref")),
        "cas_max": _alternatives(texts.get("rf2")),
    }
    lengths = {len(found) for found in lists.values() if found}
    # Which statement belongs to which answer is not known, so the files stay whole: nothing is put together wrongly.
    if len(lengths) != 1:
        whole = {"sql_min": "sql", "sql_max": "sq2", "cas_min": "ref", "cas_max": "rf2"}
        lists = {name: [text] if (text := texts.get(kind, "").strip()) else [] for name, kind in whole.items()}
        lengths = {1} if lengths else set()
    count = max(lengths, default=0)
    return tuple(_reference({name: found[at] for name, found in lists.items() if found}) for at in range(count))


def _reference(comments: Mapping[str, str]) -> Reference:
    return Reference(comments.get("sql_min"), comments.get("cas_min"), comments.get("sql_max"), comments.get("cas_max"))


def _statements(text: str | None) -> list[str]:
    return [one.strip().removesuffix(";").rstrip() for one in (text or "").split(OR) if one.strip()]


def _alternatives(text: str | None) -> list[str]:
    if text is None or not text.strip():
        return []
    answer = parse(text)
    if isinstance(answer, Alternatives):
        return [write_answer(one) for one in answer.answers]
    return [text.strip()]


def _problem_of_answer(text: str) -> str | None:
    try:
        if text.strip():
            parse(text)
    except CasError as error:
        return str(error)
    return None


def damaged_in(texts: Texts) -> dict[str, str]:
    """What is wrong with the answers and the category of a query, by type of file."""
    problems = {kind: _problem_of_answer(texts[kind]) for kind in ("ref", "rf2") if kind in texts}
    try:
        read_cat(texts.get("cat", "A:"))
    except BadCategory as error:
        problems["cat"] = str(error)
    return {kind: problem for kind, problem in problems.items() if problem is not None}


def with_category(utterance: Utterance, text: str | None, id_of: IdOf) -> Utterance:
    """Class, tags and context. Words that the notation does not know become tags of the site; a text that does not
    follow it says nothing, and `damaged_in` names it."""
    if text is None:
        return utterance
    try:
        categorised = read_cat(text)
    except BadCategory:
        return utterance
    comments = dict(comment.partition(": ")[::2] for comment in categorised.comments)
    # A tag that only the notation wanted is no judgement, and does not come back as one.
    put = comments.get(PUT_BY_EXPORT, "")
    tags = (*(tag for tag in categorised.tags if tag != put), *_listed(comments.get("other tags"), ","))
    return replace(
        utterance,
        eval_class=categorised.eval_class,
        tags=tags,
        site_tags=(*_listed(comments.get("site tags"), ","), *categorised.rest),
        reasons=_listed(comments.get("reasons"), ";"),
        category=next((kind for kind in get_args(Category) if kind == comments.get("category of 1989")), None),
        context=_context(categorised, comments, id_of),
    )


def _listed(text: str | None, separator: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(separator) if part.strip())


def _context(categorised: Categorised, comments: Mapping[str, str], id_of: IdOf) -> tuple[ContextLink, ...]:
    """A pointer of 1991 does not say whether to the text or to the answer; our comment does."""
    if "context" in comments:
        links = _LINK.findall(comments["context"])
        return tuple(ContextLink(name, cast(Any, to)) for name, to in links)
    if comments.get(PUT_BY_EXPORT) == "the pointer":
        return ()
    return tuple(ContextLink(id_of(number), "text") for number in categorised.pointers)


def with_log(utterance: Utterance, fields: Fields) -> Utterance:
    """What the log says of a query. Stamps of a wall clock are made to count from the first one by the caller."""
    marks = (field_of(fields, "Recording") or "").split()
    response = field_of(fields, "Response_Type", "Response")
    outcome, message_id = _response(response)
    # What somebody has classed has its tags in .cat; those of the log are the live session's.
    if utterance.eval_class is None:
        utterance = replace(
            utterance,
            tags=_listed(field_of(fields, "Tags"), ",") or utterance.tags,
            site_tags=_listed(field_of(fields, "Site_Tags"), ",") or utterance.site_tags,
        )
    begun, ended = field_of(fields, "Begin_Speech"), field_of(fields, "End_Speech")
    return replace(
        utterance,
        query=field_of(fields, "Query") if field_of(fields, "Query") is not None else utterance.query,
        start_ms=milliseconds(begun) if begun else utterance.start_ms,
        end_ms=milliseconds(ended) if ended else utterance.end_ms,
        outcome=outcome or ("answer" if utterance.references else utterance.outcome),
        message_id=message_id or utterance.message_id,
        message=(field_of(fields, "Display") or utterance.message) if outcome == "message" else utterance.message,
        counts_as=field_of(fields, "Counts_As") or utterance.counts_as,
        yes_no=field_of(fields, "Yes_No") == "yes" or utterance.yes_no,
        history_cleared=field_of(fields, "History_Cleared") == "yes" or utterance.history_cleared,
        clipped="clipped" in marks or utterance.clipped,
        recovered="recovered" in marks or utterance.recovered,
        cut_short="cut_short" in marks or utterance.cut_short,
        times=_times(fields) or utterance.times,
    )


def _response(text: str | None) -> tuple[str | None, str | None]:
    outcome, _, message_id = (text or "").partition(":")
    return (outcome, message_id or None) if outcome in _OUTCOMES else (None, None)


def _times(fields: Fields) -> tuple[tuple[str, int], ...]:
    stamps = ((keyword(name), milliseconds(value)) for name, value in fields)
    times = {name: ms for name, ms in stamps if name in TIMES and ms is not None}
    return tuple((name, times[name]) for name in TIMES if name in times)


def session_of(log: SessionLog, blank: Session) -> Session:
    """`blank` with what the log's header says."""
    names = ("Site", "Domain", "Database", "Dialect", "Rule_Book", "App_Version")
    header_values = {name: field_of(log.header, name) for name in names}
    wizards = field_of(log.header, "Wizard_Ids")
    scenario = field_of(log.header, "Scenario") or ""
    return replace(
        blank,
        site=header_values["Site"] or blank.site,
        domain=header_values["Domain"] or blank.domain,
        content_sha256=header_values["Database"] or blank.content_sha256,
        dialect=header_values["Dialect"] or blank.dialect,
        rule_book=header_values["Rule_Book"] or blank.rule_book,
        app_version=header_values["App_Version"] or blank.app_version,
        recorded=_day(field_of(log.header, "Date")) or blank.recorded,
        wizard_ids=tuple(wizards.split()) if wizards else blank.wizard_ids,
        pilot=field_of(log.header, "Pilot") == "yes" or blank.pilot,
        scenarios=_with_runs(blank.scenarios, scenario, _runs(log, scenario)),
    )


def counts_from_the_beginning(log: SessionLog) -> bool:
    """Stamps of our logs count since the session began; those of other laboratories may show the time of day."""
    return keyword(field_of(log.header, "Times") or "") == keyword("since the session began")


def _day(text: str | None) -> str | None:
    match = re.search(r"(\d{4})-(\d{2})-(\d{2})", text or "")
    return match[0] if match else None


def _with_runs(
    before: tuple[ScenarioRun, ...], scenario: str, log_runs: Sequence[ScenarioRun]
) -> tuple[ScenarioRun, ...]:
    """What the log says of its scenario replaces what was known of it."""
    return (*(one for one in before if one.scenario_id != scenario), *log_runs) if log_runs else before


def _runs(log: SessionLog, scenario: str) -> list[ScenarioRun]:
    """The fields of a scenario; where it was begun again, each start opens the fields of another run."""
    runs: list[Fields] = []
    for name, value in log.header:
        if keyword(name) in _OF_A_RUN:
            if not runs or keyword(name) == "scenario_start":
                runs.append(())
            runs[-1] = (*runs[-1], (name, value))
    return [_run(scenario, fields, counts_from_the_beginning(log)) for fields in runs]


def _run(scenario: str, fields: Fields, timed: bool) -> ScenarioRun:
    how, _, answer = (field_of(fields, "Solution") or "").partition(": ")
    stated = how in ("typed", "spoken")
    moments = (field_of(fields, name) if timed else None for name in ("Scenario_Start", "Scenario_End", "Answer_Found"))
    started, ended, solved = (milliseconds(one) if one else None for one in moments)
    reason = field_of(fields, "Scenario_Ended")
    return ScenarioRun(scenario, started, ended, reason, answer if stated else None, how if stated else None, solved)


def notes_in(text: str) -> dict[str, tuple[str, ...]]:
    """The notes of a `.com` file in our notation, by the number of the query; what is not in it is left aside."""
    log = read_log(text)
    return {query: tuple(value for name, value in fields if keyword(name) == "note") for query, fields in log.queries}
