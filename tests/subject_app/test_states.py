"""Every event in every state of the subject's station, also where it “cannot happen”."""

from itertools import product

import pytest

from curtain.link.events import TurnedAway
from curtain.link.messages import AudioSafe, LinesBack, SessionName, Waiting, WantAudio
from subject_app.sitting import states
from tests.subject_app.conftest import IDENTITY

ELSEWHERE = SessionName("e00-02", "b" * 32)


def vacant(room):
    pass


def sittingdown(room):
    room.welcome(microphone="desk")


def seated(room):
    room.settle_in()


def over(room):
    room.settle_in()
    room.said(1)
    room.over(1)  # not left: the other station does not hold the recording


STATES = (vacant, sittingdown, seated, over)
EVENTS = {
    "welcome": lambda room: room.welcome(journal_have=1, microphone="desk"),
    "welcome elsewhere": lambda room: room.welcome(session_id="e00-02", identity="b" * 32),
    "welcome with a record that has more": lambda room: room.welcome(journal_have=99, journal_sum="0" * 64),
    "lines back": lambda room: room.tell(LinesBack, after=0, lines=[b"x"]),
    "wait": lambda room: room.tell(Waiting),
    "audio wanted": lambda room: room.tell(WantAudio, utterance_id="e00-01-001", offset=0, length=9),
    "audio safe": lambda room: room.tell(AudioSafe, utterance_id="e00-01-001", sha256="0" * 64),
    "scenario": lambda room: room.scenario(2),
    "session over": lambda room: room.over(3),
    "acked": lambda room: room.station.on_acked(2),
    "link lost": lambda room: room.station.on_link_lost(),
    "session refused": lambda room: room.station.on_refused(TurnedAway("session", "")),
    "seat refused": lambda room: room.station.on_refused(TurnedAway("seat", "", ELSEWHERE)),
    "in use": lambda room: room.station.on_refused(TurnedAway("in_use", "")),
    "press": lambda room: room.press(),
    "release": lambda room: room.release(),
    "cancel": lambda room: room.station.acts.cancel(),
    "test finished": lambda room: room.station.acts.finish_mic_test(),
    "briefing finished": lambda room: room.station.acts.finish_briefing(),
    "item answered": lambda room: room.station.acts.answer_item("f", "q", "1"),
    "form finished": lambda room: room.station.acts.finish_form("f"),
    "start over": lambda room: room.station.acts.start_over(),
    "help": lambda room: room.station.call_for_help(),
    "solution": lambda room: room.station.acts.report_solution("Ada"),
    "painted": lambda room: room.station.acts.painted("answer", 9, 1),
}
NO_SESSION = "ignored: it belongs to a session, and none is open here"
STAYS, STOPS = "the same session goes on", "refused: both screens say that it does not go on"
DONE = "done in the session, if there is anything to do"

# (event, state): the state that follows, and what becomes of the event.
TABLE = {
    ("welcome", "vacant"): ("seated", "opens the session"),
    ("welcome", "sittingdown"): ("seated", "taken up when the session is open"),
    ("welcome", "seated"): ("seated", STAYS),
    ("welcome", "over"): ("over", STAYS),
    ("welcome elsewhere", "vacant"): ("seated", "opens the session"),
    ("welcome elsewhere", "sittingdown"): ("seated", STOPS),
    ("welcome elsewhere", "seated"): ("seated", STOPS),
    ("welcome elsewhere", "over"): ("over", "refused; the closing page stays"),
    ("welcome with a record that has more", "vacant"): ("seated", "opens the session and asks for the lines"),
    ("welcome with a record that has more", "sittingdown"): ("seated", "opens the session and asks for the lines"),
    ("welcome with a record that has more", "seated"): ("seated", STOPS),
    ("welcome with a record that has more", "over"): ("over", "refused; the closing page stays"),
    ("seat refused", "seated"): ("seated", STOPS),
    ("seat refused", "over"): ("over", "refused; the closing page stays"),
    ("seat refused", "vacant"): ("vacant", STOPS),
    ("seat refused", "sittingdown"): ("seated", "the welcome that is being taken up has the last word"),
    ("in use", "vacant"): ("vacant", STOPS),
    ("in use", "sittingdown"): ("seated", "the welcome that is being taken up has the last word"),
    ("in use", "seated"): ("seated", "its own older connection has the place; the page stays"),
    ("in use", "over"): ("over", "its own older connection has the place; the closing page stays"),
    ("session refused", "vacant"): ("vacant", STOPS),
    ("session refused", "sittingdown"): ("seated", "the welcome that is being taken up has the last word"),
    ("session refused", "seated"): ("seated", STOPS),
    ("session refused", "over"): ("vacant", "set aside; the closing page stays"),
    ("wait", "vacant"): ("vacant", "ignored: it waits already"),
    ("wait", "sittingdown"): ("seated", "ignored: the welcome that is being taken up has the last word"),
    ("wait", "seated"): ("seated", "the session stays open here"),
    ("wait", "over"): ("over", "the session stays open here"),
    ("link lost", "vacant"): ("vacant", "ignored: nobody waits for an answer"),
    ("link lost", "sittingdown"): ("seated", "ignored: nobody waits for an answer"),
    ("link lost", "seated"): ("seated", "recording goes on"),
    ("link lost", "over"): ("over", "the recording is not safe yet"),
    ("scenario", "vacant"): ("vacant", "ignored: no welcome names its session"),
    ("scenario", "sittingdown"): ("seated", "kept until the session is open"),
    ("scenario", "seated"): ("seated", "shown"),
    ("scenario", "over"): ("over", "shown behind the closing page"),
    ("session over", "vacant"): ("vacant", "ignored: no welcome names its session"),
    ("session over", "sittingdown"): ("over", "kept until the session is open"),
    ("session over", "seated"): ("over", "shown"),
    ("session over", "over"): ("over", "shown"),
    ("help", "vacant"): ("vacant", "the next hello says it"),
    ("help", "sittingdown"): ("seated", "the next hello says it"),
    ("help", "seated"): ("seated", DONE),
    ("help", "over"): ("over", DONE),
}  # fmt: skip
OF_A_SESSION = (
    "lines back", "audio wanted", "audio safe", "acked", "press", "release", "cancel", "test finished",
    "briefing finished", "item answered", "form finished", "start over", "solution", "painted",
)  # fmt: skip
for event in OF_A_SESSION:
    TABLE |= {
        (event, "vacant"): ("vacant", NO_SESSION), (event, "sittingdown"): ("seated", NO_SESSION),
        (event, "seated"): ("seated", DONE), (event, "over"): ("over", DONE),
    }  # fmt: skip


def state_of(room) -> str:
    return type(room.station.state).__name__.lower()


def test_the_table_names_every_pair():
    assert set(TABLE) == set(product(EVENTS, (state.__name__ for state in STATES)))


@pytest.mark.parametrize("event, given", list(product(EVENTS, STATES)))
def test_every_event_has_its_outcome_in_every_state(room, event, given):
    given(room)
    assert state_of(room) == given.__name__
    journaled = (room.session / "subject.events.jsonl").exists() and len(room.entries)
    after, outcome = TABLE[event, given.__name__]
    EVENTS[event](room)
    room.until(lambda: state_of(room) != "sittingdown")
    assert state_of(room) == after
    if outcome == STOPS:
        room.page("stopped")
    elif "closing page stays" in outcome:
        assert room.view.page == "closing"
    elif outcome == NO_SESSION or outcome.startswith("ignored"):
        assert room.view.page in ("waiting", "mic_test")
        # Only what a start writes by itself.
        assert given is not vacant or (not journaled and not room.session.exists())


def test_a_session_that_did_not_open_at_the_start_does_not_lend_its_place_to_the_next(make_room, tmp_path):
    """Only a session that a crash left here may be set aside, not one that began after it."""
    left = tmp_path / "left" / f"e00-01-{ELSEWHERE.identity}"
    left.mkdir(parents=True)
    (left / "subject.events.jsonl").mkdir()
    room = make_room(left.parent)
    room.settle_in(session_id="e00-02", identity=IDENTITY)
    assert room.station.hello().bound
    room.station.on_refused(TurnedAway("session", ""))
    assert isinstance(room.station.state, states.Seated)
    assert room.view.page == "stopped"


def test_a_call_for_help_ends_with_the_session_that_follows_it(room):
    room.station.call_for_help()
    assert room.station.hello().calls
    over(room)
    room.station.on_refused(TurnedAway("session", ""))
    assert isinstance(room.station.state, states.Vacant)
    assert not room.station.hello().calls
