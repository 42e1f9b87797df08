"""A stated answer against the accepted wordings of a scenario."""

import pytest

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.base.record_file import BadRecords
from curtain.commands.sessions import solution
from curtain.corpus.model.consents import NotedConsent, note_consents
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.reader import read_session
from curtain.corpus.model.solution_rulings import RULINGS_FILE, SolutionRuling, read_rulings
from curtain.corpus.model.solutions import accepted_solutions, judged_runs, judged_solution, solutions_of_study
from curtain.corpus.redaction.erasure import forget, plan_for
from curtain.session.study.study import load_study
from curtain.session.turns.scenario_runs import ScenarioRun

BOEING = ("Boeing 727", "727", "a Boeing seven twenty seven")


@pytest.mark.parametrize(
    ("stated", "verdict"),
    [
        ("Boeing 727", "correct"),
        ("End scenario. The answer is BOEING 727.", "correct"),
        ("it is a boeing seven twenty seven, I think", "correct"),
        ("the 727!", "correct"),
        ("Boeing 7270", "incorrect"),
        ("Boeing 757", "incorrect"),
        ("Bo 7 27", "incorrect"),
        ("", "none"),
        ("   ", "none"),
        (None, "none"),
    ],
)
def test_a_statement_is_correct_if_it_holds_an_accepted_wording(stated, verdict):
    assert judged_solution(stated, BOEING) == verdict


def test_accents_and_thousands_commas_do_not_matter_and_decimals_do():
    assert judged_solution("José earns 52,000 dollars", ["Jose earns 52000"]) == "correct"
    assert judged_solution("36.87", ["36"]) == "incorrect"
    assert judged_solution("748, dinner", ["748, dinner"]) == "correct"


def test_without_an_accepted_wording_nobody_can_tell():
    assert judged_solution("Boeing 727", ()) is None


def test_the_packs_know_what_is_accepted():
    domains = Domains()
    assert "Sharon Lease" in accepted_solutions(domains, "personnel", "anniversary")
    assert accepted_solutions(domains, "personnel", "nothing-of-the-kind") == ()
    assert accepted_solutions(domains, "/no/such/pack", "anniversary") == ()


def a_ruling(verdict="correct", run=None, session="e00-01"):
    return SolutionRuling(
        session_id=session, scenario_id="a", verdict=verdict, reason="said so", by="w", at_utc="2026-03-01", run=run
    )


def test_a_person_overrules_the_wordings_and_the_last_word_counts():
    runs = [ScenarioRun("a", 1, 2, answer="727"), ScenarioRun("b"), ScenarioRun("a", 5, 6, answer="747")]
    wordings = {"a": BOEING}
    assert [one.solution for one in judged_runs(runs, wordings, ())] == ["correct", "none", "incorrect"]
    ruled = judged_runs(runs, wordings, [a_ruling(), a_ruling("incorrect", run=1)])
    assert [(one.solution, one.solution_from) for one in ruled] == [
        ("incorrect", "ruled"), ("none", "wording"), ("correct", "ruled"),
    ]  # fmt: skip
    assert judged_runs(runs, {}, [a_ruling("incorrect"), a_ruling()])[2].solution == "correct"
    assert judged_runs(runs, {}, ())[0].solution_from is None


def test_the_study_s_own_wordings_stand_in_place_of_the_pack_s(own_toy):
    bundle = own_toy / "sessions" / "e00-01"
    assert "incorrect" in [one.solution for one in read_session(bundle).scenarios]
    folder = own_toy / "solutions"
    folder.mkdir()
    (folder / "balance.toml").write_text('accepted = ["52,000"]\n')
    run = next(one for one in read_session(bundle).scenarios if one.scenario_id == "balance")
    assert (run.answer, run.solution, run.solution_from) == ("52000", "correct", "wording")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("accepted = []", "accepted"), ('accepted = ["..."]', "has no word"), ('accept = ["5"]', "accept"),
        ("accepted = [", "(?i)toml|line"),
    ],
)  # fmt: skip
def test_a_broken_file_of_answers_is_named_in_one_sentence(own_toy, text, says):
    (own_toy / "solutions").mkdir()
    (own_toy / "solutions" / "balance.toml").write_text(text)
    with pytest.raises(CurtainError, match=says) as raised:
        solutions_of_study(own_toy)
    assert "balance.toml" in str(raised.value)


def test_a_ruling_is_a_row_beside_the_session_and_goes_with_its_speaker(own_toy, capsys):
    journal = own_toy / "sessions" / "e00-01" / "wizard.events.jsonl"
    before = journal.read_bytes()
    given = {"reason": "he meant 1989", "by": "w1", "at_utc": "2026-03-01T10:00:00Z", "run": None}
    assert solution.rule(own_toy, "e00-01", "balance", "correct", **given) == 0
    assert "incorrect before, correct from now on" in capsys.readouterr().out
    assert journal.read_bytes() == before
    run = next(one for one in read_session(journal.parent).scenarios if one.scenario_id == "balance")
    assert (run.solution, run.solution_from) == ("correct", "ruled")
    assert solution.list_solutions(own_toy, "e00-01") == 0
    assert "he meant 1989" in capsys.readouterr().out
    note_consents(own_toy, [NotedConsent(session_id="e00-01", scopes=[])])
    assert solution.list_solutions(own_toy) == 0
    printed = capsys.readouterr()
    assert "he meant 1989" not in printed.out and "e00-01 is left out: the subject withdrew." in printed.err
    forget(plan_for(load_study(own_toy), "p00"), Clock())
    assert len(read_rulings(own_toy)) == 1
    forget(plan_for(load_study(own_toy), "e00"), Clock())
    assert not (own_toy / RULINGS_FILE).exists()


@pytest.mark.parametrize(
    ("session", "scenario", "verdict", "more", "says"),
    [
        ("e00-01", "balance", "right", {}, "correct or incorrect"),
        ("e00-09", "balance", "correct", {}, "no session e00-09"),
        ("e00-01", "nowhere", "correct", {}, "did not run"),
        ("e00-01", "balance", "correct", {"run": 4}, "--run"),
        ("e00-01", "balance", "correct", {"reason": " "}, "--why"),
    ],
)
def test_a_ruling_that_names_nothing_is_refused(own_toy, session, scenario, verdict, more, says):
    given = {"reason": "so", "by": "w1", "at_utc": "2026-03-01T10:00:00Z", "run": None} | more
    with pytest.raises(solution.CurtainError, match=says):
        solution.rule(own_toy, session, scenario, verdict, **given)
    assert not (own_toy / RULINGS_FILE).exists()


def test_a_damaged_row_of_rulings_is_named_by_its_line(own_toy):
    (own_toy / RULINGS_FILE).write_text("{}\n")
    with pytest.raises(BadRecords, match="line 1"):
        read_session(own_toy / "sessions" / "e00-01")
