"""What the window has to show of the life of a session, worked out from what is true now."""

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from curtain.base.hearing import Input
from curtain.link.messages import Form
from curtain.session.events.subject_events import DISCLOSURE
from subject_app.sitting.sitting import Sitting
from subject_app.sitting.states import Over, Seated, StationState
from subject_app.talk.microphone import Readiness

MIC_TEST = "microphone_test"
BRIEFING = "briefing"

Page = Literal["waiting", "mic_test", "briefing", "main", "form", "paused", "closing", "stopped"]
State = Literal["idle", "listening", "one_moment"]
Contact = Literal["up", "down", "apart", "refused"]
"""With the wizard's station: `apart` has been down for a while; with `refused` one of the two cannot go on."""


class Notice(Enum):
    """A calm sentence above the talk button: what keeps the session from going on, or what became of a question."""

    NONE = ""
    APART = "apart"
    NO_MICROPHONE = "no_microphone"
    NO_SOUND = "no_sound"
    PLEASE_WAIT = "please_wait"
    CUT_SHORT = "cut_short"
    TOO_LONG = "too_long"
    HOLD_LONGER = "hold_longer"


BAD_NOTICES = (Notice.NO_MICROPHONE, Notice.NO_SOUND)


@dataclass(frozen=True)
class View:
    """Everything but the exchanges. `state` is the one indicator of the main page.

    `asked_since`: the answer that stands on the main page stays, but another question waits for its own.
    """

    page: Page = "waiting"
    state: State = "idle"
    turn: int = 0
    asked_since: bool = False
    link: bool = False
    talking_allowed: bool = False
    typing_allowed: bool = False
    input: Input = "speech"
    notice: Notice = Notice.NONE
    form: Form | None = None
    form_place: tuple[int, int] = (0, 0)
    may_go_back: bool = False


@dataclass(frozen=True)
class StationConditions:
    """What is true outside the session."""

    microphone: Readiness
    contact: Contact
    microphone_gone: bool = False
    no_microphone: bool = False


def view_of(state: StationState, around: StationConditions, before: View) -> View:
    """The view that follows from the station's state, what is true around it, and the view before."""
    page = _page(state, around, before)
    sitting = state.sitting if isinstance(state, Seated) else None
    return View(
        page=page,
        state=_state(sitting, around),
        turn=sitting.takes.last_turn if sitting else before.turn,
        asked_since=sitting is not None and _asked_since(sitting),
        link=around.contact == "up",
        talking_allowed=_may_talk(page, sitting, around),
        typing_allowed=_may_type(page, sitting),
        input=_input(sitting, around) if sitting else "speech",
        notice=_notice(sitting, around),
        form=sitting.open_form if sitting and page == "form" else None,
        form_place=sitting.form_place if sitting else (0, 0),
        may_go_back=sitting is not None and bool(sitting.form_before),
    )


def _page(state: StationState, around: StationConditions, before: View) -> Page:
    if isinstance(state, Over):
        # What was asked before the end is still answered, and who answered is still disclosed.
        return "form" if state.sitting.open_form else "closing"
    if around.contact == "refused":
        return "stopped"
    if not isinstance(state, Seated):
        # A closed session still shows its closing page.
        return "closing" if before.page == "closing" else "waiting"
    sitting = state.sitting
    if sitting.welcome is None:
        return "waiting"
    # In the middle of a session too: without a microphone nothing can be asked.
    must_choose = around.microphone in (Readiness.CHOOSE, Readiness.UNUSABLE)
    untested = MIC_TEST not in sitting.past.forms
    if (untested or must_choose) and not types_alone(sitting, around):
        # Until it is known whether there is one, nothing is said of a microphone that need not be there.
        known = sitting.welcome.must_speak or before.page == "mic_test" or around.microphone is not Readiness.OPENING
        return "mic_test" if known else "waiting"
    if BRIEFING not in sitting.past.forms:
        return "briefing"
    if sitting.paused:
        return "paused"
    if sitting.open_form:
        return "form"
    # Who answered is disclosed last: to whoever has read it, nothing is to come.
    disclosed = DISCLOSURE in sitting.past.forms and sitting.shown.scenario_over
    return "closing" if disclosed else "main"


def types_alone(sitting: Sitting, around: StationConditions) -> bool:
    """Whether the session goes on without a microphone. Whoever has read that they type, types to the end."""
    welcome = sitting.welcome
    if welcome is None or welcome.input == "text" or welcome.must_speak:
        return welcome is not None and welcome.input == "text"
    briefed = BRIEFING in sitting.past.forms and MIC_TEST not in sitting.past.forms
    return around.no_microphone or briefed


def _input(sitting: Sitting, around: StationConditions) -> Input:
    return "text" if sitting.input == "both" and types_alone(sitting, around) else sitting.input


def _state(sitting: Sitting | None, around: StationConditions) -> State:
    if sitting is None:
        return "idle"
    ready = around.microphone is Readiness.READY or _input(sitting, around) == "text"
    # Only with sound: the button must not say “listening” while nothing comes.
    if sitting.listening and ready:
        return "listening"
    waits = bool(sitting.awaiting) or around.contact != "up" or not ready
    return "one_moment" if waits else "idle"


def _asked_since(sitting: Sitting) -> bool:
    current = sitting.shown.current
    return current is not None and current.answered and bool(sitting.awaiting - {current.turn})


def _may_talk(page: Page, sitting: Sitting | None, around: StationConditions) -> bool:
    if page == "mic_test":
        return around.microphone is Readiness.READY
    if page != "main" or sitting is None:
        return False
    # What is being said is still heard to its end.
    return (sitting.task_runs and _input(sitting, around) != "text") or bool(sitting.takes.open_turn)


def _may_type(page: Page, sitting: Sitting | None) -> bool:
    if page != "main" or sitting is None or sitting.input == "speech":
        return False
    return sitting.task_runs and not sitting.takes.open_turn


def _notice(sitting: Sitting | None, around: StationConditions) -> Notice:
    if sitting is None:
        return Notice.NONE
    # The most urgent first: one sentence at a time.
    if around.microphone_gone and _input(sitting, around) != "text":
        return Notice.NO_MICROPHONE
    if around.contact == "apart":
        return Notice.APART
    if sitting.takes.refused_for_now:
        return Notice.PLEASE_WAIT
    if sitting.soundless:
        return Notice.NO_SOUND
    if sitting.takes.tapped:
        return Notice.HOLD_LONGER
    return {"focus_lost": Notice.CUT_SHORT, "too_long": Notice.TOO_LONG}.get(sitting.cut_short, Notice.NONE)
