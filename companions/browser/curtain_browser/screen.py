"""What the page shows, as messages, and what the page may ask of the station: a closed list in both directions."""

from dataclasses import asdict

from curtain.link import messages
from curtain_browser.wire import Act, PageScreen, PageWelcome, Shown
from subject_app.session.screen_state import ScreenState
from subject_app.session.texts import Texts
from subject_app.sitting.view import View
from subject_app.station import SubjectStation


def welcome_of(box: str, have: int, texts: Texts, language: str, welcome: messages.Welcome | None) -> PageWelcome:
    """The first message of a connection; without a session the page waits."""
    if welcome is None:
        return PageWelcome(box=box, have=have, language=language, texts=asdict(texts))
    return PageWelcome(
        box=box, have=have, language=language, texts=asdict(texts.changed(welcome.texts)), seated=True,
        speaks=welcome.input != "text", talk_key=welcome.talk_key, title=welcome.title, briefing=welcome.briefing,
        database=welcome.database_description, voice=welcome.voice, input=welcome.input, pilot=welcome.pilot,
    )  # fmt: skip


def screen_of(station: SubjectStation, view: View, noted: str, through: int) -> PageScreen:
    """Everything but the exchanges. `through` is the number of the last event that is in it."""
    test, form, microphone = station.mic_test, view.form, station.microphone
    heard = test.heard.value if test is not None else "nothing"
    answers = dict(station.form_answers.get(form.name, {})) if form is not None else {}
    return PageScreen(
        view=view, readiness=microphone.readiness.value, missing=microphone.missing, heard=heard, answers=answers,
        noted=noted, through=through,
    )  # fmt: skip


def shown_of(state: ScreenState) -> Shown:
    """The task and the exchanges, with their tables."""
    return Shown(
        scenario=state.scenario, scenario_over=state.scenario_over, closing=state.closing,
        current=state.current, earlier=[each.unfolded() for each in state.earlier],
    )  # fmt: skip


def do(station: SubjectStation, act: Act, view: View) -> None:
    """Do it if it belongs to what is on the screen. What comes a second time, since its acknowledgement was lost with
    an earlier start of this process, finds that it is done already."""
    form = view.form if view.form is not None and view.form.name == act.form else None
    match act.do:
        case "answer_item" if form is not None and act.item in {item.id for item in form.items}:
            if station.form_answers.get(act.form, {}).get(act.item) != act.value:
                station.acts.answer_item(act.form, act.item, act.value)
        case "finish_form" if form is not None:
            station.acts.finish_form(act.form)
        case "report_solution" if view.page == "main":
            station.acts.report_solution(act.value)
        case "finish_mic_test" | "finish_briefing" if act.do == f"finish_{view.page}":
            getattr(station.acts, act.do)()
        case "go_back_to_form" if view.may_go_back:
            station.acts.go_back_to_form()
        case "cancel" | "start_over":
            getattr(station.acts, act.do)()
