"""Which questionnaires cross the curtain, and when."""

from pathlib import Path

import msgspec

from curtain.link.messages import Form, ScenarioOver, ScenarioShown, SessionOver
from curtain.session.events.subject_events import DISCLOSURE
from curtain.session.events.wizard_events import ScenarioEnded, ScenarioStarted, SessionClosed
from curtain.session.questionnaires.instrument import bundled_instruments, load_instrument, load_instruments
from wizard_app.desk.session.subject.outbox import Outbox
from wizard_app.desk.session.subject.subject_forms import Disclosure, SubjectForms, unanswered_in

INSTRUMENTS = load_instruments(bundled_instruments(), Path())
DISCLOSED = Disclosure("Before you go", "A person answered.", "May we keep it?", "Yes", "No")


def _start(number: int, practice: bool = False) -> ScenarioStarted:
    return ScenarioStarted(scenario_id="s2", number=number, of=2, practice=practice)


def _forms(language: str = "en", disclosure: Disclosure | None = None, **changes: str) -> SubjectForms:
    each = (msgspec.structs.replace(one, when=changes.get(one.id.replace("-", "_"), one.when)) for one in INSTRUMENTS)
    return SubjectForms(tuple(each), language, disclosure)


def _after(number: int, forms: SubjectForms, practice: bool = False) -> list[Form]:
    outbox = Outbox({}, "", forms=forms)
    shown = outbox.message_for(7, None, _start(number, practice))
    over = outbox.message_for(9, None, ScenarioEnded(scenario_id="s2", reason="answered"))
    assert isinstance(shown, ScenarioShown) and isinstance(over, ScenarioOver)
    return over.forms


def _names(forms: list[Form]) -> list[str]:
    return [one.name for one in forms]


def test_forms_of_the_session_come_after_the_last_scenario_alone() -> None:
    assert _after(1, _forms()) == []
    assert _names(_after(2, _forms())) == ["debriefing", "subject-data", "sus", "ueq-s"]
    assert _after(2, _forms(), practice=True) == []


def test_a_form_of_each_scenario_bears_its_name() -> None:
    assert _names(_after(1, _forms(sus="scenario"))) == ["sus@s2"]


def test_forms_that_are_sent_again_are_those_of_the_scenario_that_ended() -> None:
    # The station comes back when another scenario runs already: the journal's earlier starts are all that tells.
    starts = {7: _start(2), 12: _start(1)}
    again = Outbox({}, "", starts=starts, forms=_forms())
    over = again.message_for(9, None, ScenarioEnded(scenario_id="s2", reason="next"))
    assert isinstance(over, ScenarioOver) and "sus" in _names(over.forms)


def test_what_the_wizard_is_asked_never_reaches_the_subject() -> None:
    wire = msgspec.json.encode(
        [_after(n, _forms(language, nasa_tlx="scenario")) for n in (1, 2) for language in ("en", "de")]
    )
    load = load_instrument("nasa-tlx", Path())
    canaries = [load.id, *load.title.values()]
    canaries += [text for item in load.items for text in item.text.values()]
    assert [one for one in canaries if one.encode() in wire] == []


def test_forms_are_in_the_studys_language_and_english_stands_in() -> None:
    assert {one.title for one in _after(2, _forms("de"))} >= {"Wie es war", "Über Sie"}
    assert {one.title for one in _after(2, _forms("fr"))} >= {"How it went", "About you"}


def test_who_answered_is_reported_last_and_only_where_the_study_wants_it() -> None:
    assert _names(_after(2, _forms(disclosure=DISCLOSED)))[-1] == DISCLOSURE
    assert DISCLOSURE not in _names(_after(1, _forms(disclosure=DISCLOSED)))
    assert DISCLOSURE not in _names(_after(2, _forms()))


def test_a_session_that_ends_early_asks_and_tells_at_its_end_what_the_last_task_would_have_brought() -> None:
    forms = _forms(disclosure=DISCLOSED)
    assert _names(forms.at_close([_start(1)])) == ["debriefing", "subject-data", "sus", "ueq-s", DISCLOSURE]
    assert _names(forms.due([_start(1), _start(2)], closed=True)).count(DISCLOSURE) == 1
    # Also after the practice alone, before anything, and where a task came behind the last one.
    for started in ([_start(1, practice=True)], [], [_start(1), _start(2)], [_start(2), _start(1)]):
        assert (_names(forms.at_close(started)), _forms().at_close(started)) == ([DISCLOSURE], [])
    over = Outbox({}, "Bye.", starts={7: _start(1)}, forms=forms).message_for(
        9, None, SessionClosed(reason="broken_off")
    )
    assert isinstance(over, SessionOver) and _names(over.forms)[-1] == DISCLOSURE
    assert DISCLOSURE in _names(forms.due([_start(1)], closed=True))
    assert forms.due([_start(1)]) == []


def test_a_form_that_was_left_with_questions_open_is_named_with_their_number() -> None:
    due = _forms(sus="scenario").due([_start(1)])
    assert unanswered_in(due, {}) == unanswered_in(due, {"sus@s2": 0}) == ""
    assert unanswered_in(due, {"sus@s2": 3}) == f"{due[0].title} (3 of 10)"


def test_the_wizard_fills_in_forms_of_each_task_and_of_the_session_but_none_after_practice_alone() -> None:
    of_session, of_tasks = _forms(), _forms(nasa_tlx="scenario")
    starts = [_start(1, practice=True), _start(1), _start(2)]
    assert _names(of_session.of_wizard(starts)) == ["nasa-tlx"]
    assert _names(of_tasks.of_wizard(starts)) == ["nasa-tlx@s2"]
    assert of_session.of_wizard(starts[:1]) == []
