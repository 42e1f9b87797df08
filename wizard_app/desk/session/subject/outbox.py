"""Which message stands for a line of the wizard's journal: one rule for sending and for sending again.

A kept message to the subject carries the sequence number of its journal line, so after a reconnect the
journal alone says what is missing over there.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from curtain.base.hearing import Input
from curtain.link import messages as link
from curtain.link.peer import can_cross
from curtain.session.events import wizard_events as wizard
from wizard_app.desk.session.subject.subject_forms import SubjectForms


@dataclass(frozen=True)
class ScenarioText:
    """What the subject reads of a scenario; `input` is how they ask, None where the study says it."""

    text: str
    asks_answer: bool = True
    input: Input | None = None


class Outbox:
    """Turns the wizard's facts, in journal order, into messages to the subject's station.

    `corrected` maps each turn corrected so far to the journal line of its first correction, `starts` the journal line
    of each start of a scenario to it. A message that the subject's station would not take is passed over, since it
    would end the link each time; `passed_over(seq)` says so.
    """

    def __init__(
        self,
        scenarios: Mapping[str, ScenarioText],
        closing_text: str,
        corrected: Mapping[int, int] | None = None,
        starts: Mapping[int, wizard.ScenarioStarted] | None = None,
        forms: SubjectForms | None = None,
        passed_over: Callable[[int], object] | None = None,
    ) -> None:
        self._scenarios = scenarios
        self._closing_text = closing_text
        self._corrected = dict(corrected or {})
        self._starts = dict(starts or {})
        self._forms = forms or SubjectForms()
        self._passed_over = passed_over

    def knows(self, scenario_id: str) -> bool:
        """Whether there is a text of this scenario to show."""
        return scenario_id in self._scenarios

    def message_for(self, seq: int, turn: int | None, fact: wizard.WizardFact | None) -> link.ToSubject | None:
        """The message for one journal line, or None if the line stays behind the curtain or cannot be sent."""
        message = self.worded(seq, turn, fact)
        if message is None or can_cross(message):
            return message
        if self._passed_over is not None:
            self._passed_over(seq)
        return None

    def worded(self, seq: int, turn: int | None, fact: wizard.WizardFact | None) -> link.ToSubject | None:
        """As `message_for`, whether it can be sent or not."""
        if turn is not None:
            return self._about_turn(seq, turn, fact)
        match fact:
            case wizard.ScenarioStarted():
                self._starts[seq] = fact
                return self._scenario(seq, fact)
            case wizard.ScenarioEnded(scenario_id=scenario_id):
                return link.ScenarioOver(seq=seq, scenario_id=scenario_id, forms=self._forms_at(seq))
            case wizard.Paused() | wizard.Resumed():
                return link.PauseShown(seq=seq, paused=isinstance(fact, wizard.Paused))
            case wizard.SessionClosed():
                forms = self._forms.at_close(self._starts.values())
                return link.SessionOver(seq=seq, text=self._closing_text, forms=forms)
        return None

    def _about_turn(self, seq: int, turn: int, fact: wizard.WizardFact | None) -> link.ToSubject | None:
        match fact:
            case wizard.Corrected():
                self._corrected.setdefault(turn, seq)
            case wizard.QuerySent(text=text, recognised=recognised):
                # With errors put in on purpose, what was typed stays behind the curtain.
                return link.QueryShown(seq=seq, turn=turn, text=text if recognised is None else recognised)
            case wizard.AnswerSent(table=sent):
                return link.AnswerShown(seq=seq, turn=turn, table=sent, corrects=self._corrects(turn, seq))
            case wizard.MessageSent(text=text):
                return link.MessageShown(seq=seq, turn=turn, text=text, corrects=self._corrects(turn, seq))
        return None

    def _corrects(self, turn: int, seq: int) -> bool:
        return self._corrected.get(turn, seq) < seq

    def _scenario(self, seq: int, fact: wizard.ScenarioStarted) -> link.ScenarioShown:
        scenario_text = self._scenarios.get(fact.scenario_id, ScenarioText(""))
        return link.ScenarioShown(
            seq=seq,
            scenario_id=fact.scenario_id,
            number=fact.number,
            of=fact.of,
            practice=fact.practice,
            text=scenario_text.text,
            asks_answer=scenario_text.asks_answer,
            input=fact.input,
        )

    def _forms_at(self, seq: int) -> list[link.Form]:
        """The forms that follow the scenario which ended at this line of the journal."""
        before = max((start for start in self._starts if start < seq), default=None)
        return self._forms.after(self._starts[before]) if before is not None else []


def messages_of(
    lines: Iterable[tuple[int, int | None, wizard.WizardFact | None]], outbox: Outbox
) -> Iterator[link.ToSubject]:
    """The messages for these lines `(seq, turn, fact)`; `outbox` must know what was corrected before the first."""
    for line in lines:
        message = outbox.message_for(*line)
        if message is not None:
            yield message
