import msgspec

from curtain.base.table import Table
from curtain.link import messages as link
from curtain.session.events import wizard_events as wizard
from wizard_app.desk.session.subject.outbox import Outbox, ScenarioText, messages_of

TABLE = Table(headings=["N"], rows=[["5"]], numeric=[True], total=1)
LINES = [
    (1, None, wizard.ConsentConfirmed(consent_id="C", confirmed_by="mb")),
    (2, None, wizard.ScenarioStarted(scenario_id="fair", number=1, of=2)),
    (3, 1, wizard.TakeHeard()),
    (4, 1, wizard.QuerySent(text="how many")),
    (5, 1, wizard.StatementRun(sql="SELECT 5", rows=1, ms=2)),
    (6, 1, wizard.AnswerSent(sql="SELECT 5", table=TABLE, cas_min="5")),
    (7, 1, wizard.Note(text="slow")),
    (8, 1, wizard.Corrected(of_seq=6)),
    (9, 1, wizard.MessageSent(message_id="unable", blanks={}, text="Sorry", counts_as="no_answer")),
    (10, None, wizard.Paused()),
    (11, None, None),
    (12, None, wizard.SessionClosed(reason="finished")),
]
SCENARIOS = {"fair": ScenarioText("Find the stand.", False)}


def fresh() -> Outbox:
    return Outbox(SCENARIOS, "Goodbye.")


def test_each_fact_for_the_subject_becomes_its_message_and_no_other_fact_does() -> None:
    sent = list(messages_of(LINES, fresh()))
    assert sent == [
        link.ScenarioShown(
            seq=2, scenario_id="fair", number=1, of=2, practice=False, text="Find the stand.", asks_answer=False
        ),
        link.QueryShown(seq=4, turn=1, text="how many"),
        link.AnswerShown(
            seq=6, turn=1, table=Table(headings=["N"], rows=[["5"]], numeric=[True], total=1), corrects=False
        ),
        link.MessageShown(seq=9, turn=1, text="Sorry", corrects=True),
        link.PauseShown(seq=10, paused=True),
        link.SessionOver(seq=12, text="Goodbye."),
    ]


def test_sending_again_from_any_line_gives_the_same_messages_as_sending_did() -> None:
    live = fresh()
    sent = [message for line in LINES if (message := live.message_for(*line)) is not None]
    for after in range(13):
        again = list(messages_of(LINES[after:], Outbox(SCENARIOS, "Goodbye.", {1: 8} if after >= 8 else {})))
        assert again == [message for message in sent if message.seq > after]  # type: ignore[union-attr]


def test_what_was_sent_before_a_correction_is_sent_again_as_no_correction() -> None:
    again = [message for message in messages_of(LINES, Outbox(SCENARIOS, "", {1: 8})) if hasattr(message, "corrects")]
    assert [(message.seq, message.corrects) for message in again] == [(6, False), (9, True)]


def test_a_line_that_cannot_be_sent_is_passed_over_and_reported_and_what_follows_is_sent() -> None:
    """A journal of an earlier Curtain may hold what another desk made up: the link would end at it each time."""
    passed_over: list[int] = []
    broad = msgspec.structs.replace(TABLE, rows=[["x" * 9_000_000]])
    lines: list[tuple[int, int | None, wizard.WizardFact]] = [
        (1, None, wizard.ScenarioStarted(scenario_id="fair", number=2**40, of=2)),
        (2, None, wizard.ScenarioStarted(scenario_id="fair", number=-1, of=2)),
        (3, 2**40, wizard.QuerySent(text="x")),
        (4, 1, wizard.AnswerSent(sql="SELECT 5", table=broad, cas_min="5")),
        (5, 1, wizard.QuerySent(text="how many")),
    ]
    outbox = Outbox(SCENARIOS, "", passed_over=passed_over.append)
    assert list(messages_of(lines, outbox)) == [link.QueryShown(seq=5, turn=1, text="how many")]
    assert passed_over == [1, 2, 3, 4]
