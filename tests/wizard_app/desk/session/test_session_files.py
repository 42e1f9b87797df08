import logging
from pathlib import Path

import pytest
from msgspec import structs

from curtain.base.clock import Clock
from curtain.base.table import Table
from curtain.corpus.model.reader import read_session
from curtain.session.bundle.identity import SessionsMixed
from curtain.session.bundle.session_json import altered_keys, known_of
from curtain.session.events import wizard_events as wizard
from curtain.session.journal.lines import read_journal
from curtain.session.roles import Chair
from curtain.session.study.study import Study, new_study
from wizard_app.desk.session.ending import close_files
from wizard_app.desk.session.open_session import OpenSession
from wizard_app.desk.session.plan import SessionPlan
from wizard_app.desk.session.session_files import StationStart, begin, look, resume, session_rows

TABLE = Table(headings=["N"], rows=[["5"]], numeric=[True], total=1)
ANSWER = wizard.AnswerSent(sql="SELECT 5", table=TABLE, cas_min="((5))")


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return new_study(tmp_path / "study", "personnel")


@pytest.fixture
def session(study: Study) -> OpenSession:
    """A session whose first turn has a query and an answer, its journals closed."""
    plan = SessionPlan("e00", "mb", ("anniversary",), None, True, "C-1")
    opened = begin(study, plan, None, StationStart(Clock(), "0", 1))
    opened.journal.append_all([(wizard.QuerySent(text="how many"), 1), (ANSWER, 1)])
    opened.journal.close()
    opened.replica.close()
    return opened


def test_the_facts_after_a_line_are_read_from_the_journal(session: OpenSession) -> None:
    last = session.journal.last_seq
    assert list(session.facts_after(last - 2)) == [(last - 1, 1, wizard.QuerySent(text="how many")), (last, 1, ANSWER)]
    assert [seq for seq, _, _ in session.facts_after(0)] == list(range(1, last + 1))


def test_journals_of_two_sessions_in_one_folder_are_not_resumed(study: Study, session: OpenSession) -> None:
    session.bundle.update_session_json(identity="f" * 32)
    with pytest.raises(SessionsMixed, match=r"session\.json, wizard\.events\.jsonl"):
        resume(study, session.session_id, StationStart(Clock(), "0", 1))


def test_a_line_that_was_altered_meanwhile_gives_no_fact(
    session: OpenSession, caplog: pytest.LogCaptureFixture
) -> None:
    path = session.bundle.wizard_journal
    path.write_bytes(path.read_bytes().replace(b"how many", b"how more"))
    with caplog.at_level(logging.CRITICAL):
        facts = list(session.facts_after(session.journal.last_seq - 2))
    assert [fact for _, _, fact in facts] == [None, ANSWER]


def test_the_list_of_sessions_counts_a_turn_of_which_only_the_wizards_lines_are_left(
    study: Study, session: OpenSession
) -> None:
    assert [row.turns for row in session_rows(study)] == [1]


def test_an_old_session_gives_each_answer_with_its_table(study: Study, session: OpenSession) -> None:
    old = look(study, session.session_id)
    (sent,) = old.progress.turns[1].sent
    assert old.fact_at(sent.seq) == ANSWER


def test_an_old_session_without_its_journal_gives_no_answer(study: Study, session: OpenSession) -> None:
    old = look(study, session.session_id)
    session.bundle.wizard_journal.unlink()
    assert old.fact_at(session.journal.last_seq) is None


def consent_of(opened: OpenSession) -> wizard.ConsentConfirmed:
    opened.journal.close()
    opened.replica.close()
    assert opened.progress.consent is not None
    return opened.progress.consent


@pytest.mark.parametrize("signed", ["", "2026-03-01"])
def test_what_the_consent_allows_and_its_day_are_journaled_and_in_session_json(study: Study, signed: str) -> None:
    plan = SessionPlan(
        "e00", "mb", ("anniversary",), None, True, "C-1", scopes=("take_part", "share"), signed_on=signed
    )
    clock = Clock()
    opened = begin(study, plan, None, StationStart(clock, "0", 1))
    consent = consent_of(opened)
    assert consent.scopes == ["take_part", "share"]
    # Without a day it is the day on which the session begins.
    assert consent.signed_on == (signed or read_journal(opened.bundle.wizard_journal).entries[0].wall_utc[:10])
    known = known_of(read_journal(opened.bundle.wizard_journal).entries)
    about = opened.bundle.read_session_json()
    assert {key: about[key] for key in ("consent_id", "consent_scopes", "consent_signed_on")} == {
        "consent_id": "C-1", "consent_scopes": consent.scopes, "consent_signed_on": consent.signed_on,
    }  # fmt: skip
    assert altered_keys(about, known) == [] and known["consent_scopes"] == consent.scopes


@pytest.mark.parametrize(
    ("language", "code"),
    [("en", "en"), ("de", "de"), ("texts/hi.toml", "hi"), ("pt_BR.toml", "pt-BR"), ("our-words.toml", "und")],
)
def test_a_session_says_its_language(study: Study, language: str, code: str) -> None:
    plan = SessionPlan("e00", "mb", ("anniversary",), None, pilot=True)
    opened = begin(structs.replace(study, language=language), plan, None, StationStart(Clock(), "0", 1))
    close_files(opened, None, study)
    assert read_session(opened.bundle.path, language="zz").language == code
    opened.bundle.session_json.write_text("{}", "utf-8")
    assert read_session(opened.bundle.path, language="zz").language == code


def test_a_trial_without_a_form_says_nothing_of_what_is_allowed(study: Study) -> None:
    plan = SessionPlan("e00", "mb", ("anniversary",), None, pilot=True, scopes=("take_part",))
    consent = consent_of(begin(study, plan, None, StationStart(Clock(), "0", 1)))
    assert (consent.consent_id, consent.scopes, consent.signed_on) == ("trial", None, None)


def test_a_closed_session_names_everybody_who_could_touch_a_turn(study: Study) -> None:
    opened = begin(
        study, SessionPlan("e00", "mb", ("anniversary",), None, pilot=True), None, StationStart(Clock(), "0", 1)
    )
    before = opened.bundle.read_session_json()
    chairs: list[tuple[str, Chair]] = [
        ("mb", "wizard"), ("ann", "answerer"), ("eve", "observer"), ("tess", "transcriber"),
    ]  # fmt: skip
    facts = [(wizard.ChairJoined(wizard_id=who, chair=chair), None) for who, chair in chairs]
    opened.journal.append_all(facts)[-1].result()
    close_files(opened, None, study)
    about = opened.bundle.read_session_json()
    assert (before["wizard_ids"], about["wizard_ids"]) == (["mb"], ["mb", "ann", "tess"])
    assert opened.restored == []
    known = known_of(read_journal(opened.bundle.wizard_journal).entries)
    # A session that is not closed, or was by an earlier Curtain, names who began it.
    assert altered_keys(about, known) == altered_keys(about | {"wizard_ids": ["mb"]}, known) == []
    assert altered_keys(about | {"wizard_ids": ["eve"]}, known) == ["wizard_ids"]
    assert altered_keys(about | {"wizard_ids": []}, known) == ["wizard_ids"]
