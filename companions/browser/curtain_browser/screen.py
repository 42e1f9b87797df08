"""What the page shows, as messages, and what the page may ask of the station: a closed list in both directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict

import msgspec

from curtain.link import messages
from curtain_browser.seat import PageSeat
from curtain_browser.wire import Act, Screen, Shown, TurnShown, Welcome
from subject_app.session.screen_state import Exchange, ScreenState
from subject_app.session.texts import Texts
from subject_app.sitting.view import View
from subject_app.station import SubjectStation


def welcome_of(
    seat: PageSeat, have: int, texts: Texts, language: str, welcome: messages.Welcome | None, speaks: bool
) -> Welcome:
    """The first message of a connection; without a session the page waits."""
    if welcome is None:
        return Welcome(box=seat.box, have=have, language=language, texts=_plain(texts))
    return Welcome(
        box=seat.box, have=have, language=language, texts=_plain(texts.changed(welcome.texts)), seated=True,
        speaks=speaks, talk_key=welcome.talk_key, title=welcome.title, briefing=welcome.briefing,
        database=welcome.database_description, pilot=welcome.pilot, voice=welcome.voice, input=welcome.input,
    )  # fmt: skip


def _plain(texts: Texts) -> dict[str, str]:
    return {name: str(text) for name, text in asdict(texts).items()}


def screen_of(station: SubjectStation, view: View, noted: str, through: int) -> Screen:
    """Everything but the exchanges. `through` is the number of the last event that is in it."""
    test, form = station.mic_test, view.form
    return Screen(
        view=view, readiness=station.microphone.readiness.value, missing=station.microphone.missing,
        heard=test.heard.value if test is not None else "nothing",
        answers=dict(station.form_answers.get(form.name, {})) if form is not None else {}, noted=noted, through=through,
    )  # fmt: skip


def shown_of(state: ScreenState) -> Shown:
    """The task and the exchanges, with their tables."""
    return Shown(
        scenario=state.scenario, scenario_over=state.scenario_over,
        current=_turn(state.current) if state.current is not None else None,
        earlier=[_turn(each.unfolded()) for each in state.earlier], closing=state.closing,
    )  # fmt: skip


def _turn(exchange: Exchange) -> TurnShown:
    return msgspec.convert(exchange, TurnShown, from_attributes=True)


def is_due(act: Act, view: View, answers: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether the act belongs to what is on the screen. What comes a second time, since its acknowledgement was lost
    with an earlier start of this process, finds that it is done already."""
    match act.do:
        case "finish_mic_test":
            return view.page == "mic_test"
        case "finish_briefing":
            return view.page == "briefing"
        case "answer_item":
            is_open = view.form is not None and view.form.name == act.form
            return is_open and act.item in _items(view) and answers.get(act.form, {}).get(act.item) != act.value
        case "finish_form":
            return view.form is not None and view.form.name == act.form
        case "go_back_to_form":
            return view.may_go_back
        case "begin_typing" | "start_over" | "report_solution" | "cancel" | "ask":
            return view.page in ("main", "mic_test")
    return act.do in ("call_for_help", "played", "choose_microphone")


def _items(view: View) -> set[str]:
    return {item.id for item in view.form.items} if view.form is not None else set()


def does(station: SubjectStation, act: Act, played: Callable[[bool], None]) -> None:
    """Do it. `ask` and `begin_typing` are dated elsewhere, and the page opens its microphone itself."""
    match act.do:
        case "answer_item":
            station.answer_item(act.form, act.item, act.value)
        case "finish_form":
            station.finish_form(act.form)
        case "report_solution":
            station.report_solution(act.value)
        case "played":
            played(act.value != "silent")
        case "choose_microphone":
            pass
        case "cancel" | "finish_mic_test" | "finish_briefing" | "go_back_to_form" | "start_over" | "call_for_help":
            getattr(station, act.do)()
