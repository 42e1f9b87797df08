"""What comes from the subject: what they do, by keys, buttons or a page in a browser, and the sound of their voice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from curtain.session.events import subject_events as subject
from subject_app.sitting.states import Seated, StationState, while_seated
from subject_app.sitting.view import BRIEFING, MIC_TEST
from subject_app.talk.hold import Stamp

if TYPE_CHECKING:
    from subject_app.station import SubjectStation

What = Literal["one_moment", "scenario", "query", "answer", "message"]


class SubjectActs:
    """Each belongs to the session that is open; without one it is ignored."""

    def __init__(self, station: SubjectStation) -> None:
        self._station = station
        self._microphone = microphone = station.microphone
        microphone.level.connect(self._on_level)
        microphone.take_sound.connect(self._on_take_sound)
        microphone.found.connect(self._on_microphone_found)
        microphone.lost.connect(self._on_microphone_lost)

    @property
    def state(self) -> StationState:
        """That of the station."""
        return self._station.state

    @while_seated
    def press(self, seated: Seated, stamp: Stamp, source: Literal["key", "button"]) -> None:
        """The talk key went down, at this moment."""
        # In the test nothing is a turn.
        if self._station.view.page == "mic_test":
            seated.mic_test.press(stamp, self._microphone.recorder)
            return
        seated.sitting.forget_last_press()
        microphone = self._microphone
        recorder = microphone.recorder if microphone.ready else None
        seated.sitting.takes.press(stamp, source, recorder, microphone.second, microphone.wide)
        self._station.refresh()

    @while_seated
    def release(self, seated: Seated, stamp: Stamp, ended_by: subject.EndedBy = "key") -> None:
        """The hold of the talk key ended, and why."""
        if seated.mic_test.open:
            seated.mic_test.release(stamp)
            return
        if seated.sitting.takes.open_turn:
            seated.sitting.cut_short = ended_by
        seated.sitting.takes.release(stamp, ended_by)
        self._station.refresh()

    @while_seated
    def cancel(self, seated: Seated) -> None:
        """The subject takes back what is being said."""
        if seated.mic_test.open:
            seated.mic_test.cancel()
            return
        seated.sitting.takes.cancel()
        self._station.refresh()

    @while_seated
    def begin_typing(self, seated: Seated, at_ns: int | None = None) -> None:
        """The subject began to type a question. What they type is nobody's before they enter it."""
        seated.sitting.begin_typing(at_ns or self._station.stamp().ns)

    @while_seated
    def ask(self, seated: Seated, text: str, at_ns: int | None = None) -> None:
        """The subject entered a typed question, now or at `at_ns`."""
        sitting, text = seated.sitting, " ".join(text.split())
        if text and self._station.view.typing_allowed:
            sitting.forget_last_press()
            sitting.ask(text, at_ns or self._station.stamp().ns)
            self._station.shown_changed.emit(sitting.shown)
            self._station.refresh()

    @while_seated
    def finish_mic_test(self, seated: Seated) -> None:
        """The subject goes on from the microphone test, if a microphone is ready."""
        if self._microphone.ready:
            verdict = seated.mic_test.verdict
            result = {"result": verdict} if verdict else {}
            seated.sitting.fill_form(MIC_TEST, {"microphone": self._microphone.name, **result})
            seated.mic_test.forget()
            self._station.refresh()

    @while_seated
    def finish_briefing(self, seated: Seated) -> None:
        """The subject goes on from the briefing."""
        seated.sitting.fill_form(BRIEFING, {})
        self._station.refresh()

    @while_seated
    def answer_item(self, seated: Seated, form: str, item: str, value: str) -> None:
        """The subject answered one item of a questionnaire, or changed the answer."""
        seated.sitting.fill_form(form, {item: value}, complete=False)

    @while_seated
    def finish_form(self, seated: Seated, form: str) -> None:
        """The subject goes on from a questionnaire."""
        shown = seated.sitting.open_form
        unanswered = shown.unanswered(self._station.form_answers.get(form, {})) if shown and shown.name == form else []
        seated.sitting.fill_form(form, {item.id: "" for item in unanswered})
        self._station.refresh()

    @while_seated
    def go_back_to_form(self, seated: Seated) -> None:
        """The subject wants to see the questionnaire before once more."""
        seated.sitting.go_back()
        self._station.refresh()

    @while_seated
    def start_over(self, seated: Seated) -> None:
        """Clear the earlier exchanges from the screen, from now on also after a restart."""
        sitting = seated.sitting
        sitting.shown = sitting.shown.started_over(sitting.shown.seq)
        sitting.keeper.record(subject.HistoryCleared())
        self._station.shown_changed.emit(sitting.shown)

    @while_seated
    def report_solution(self, seated: Seated, value: str) -> None:
        """The subject typed the answer to the task; an empty one is none."""
        scenario = seated.sitting.shown.scenario
        if scenario and value.strip():
            fact = subject.SolutionReported(scenario_id=scenario.scenario_id, value=value.strip(), how="typed")
            seated.sitting.keeper.record(fact)
            self._station.solution_noted.emit(value.strip())

    @while_seated
    def painted(self, seated: Seated, what: What, seq: int, turn: int, at_ns: int | None = None) -> None:
        """It is on the screen now, or was at `at_ns`; reported once, also after a restart."""
        # By its turn where there is no number: “one moment” is shown in every turn.
        key = (what, seq, 0 if seq else turn)
        if key not in seated.sitting.past.painted:
            seated.sitting.past.painted.add(key)
            seated.sitting.keeper.record(subject.Painted(what=what, id=seq, at_ns=at_ns), turn or None)
            if what in ("answer", "message"):
                self._station.answer_painted.emit()

    @while_seated
    def _on_level(self, seated: Seated, _dbfs: float, _clipped: bool) -> None:
        # The first sound after the press: only now it is true that somebody listens.
        if seated.sitting.hear():
            self._station.refresh()

    @while_seated
    def _on_take_sound(self, seated: Seated, take: Path, frame: int, samples: NDArray[np.int16], rate: int) -> None:
        seated.sitting.live.pass_on(take.stem, frame, samples, rate)

    @while_seated
    def _on_microphone_found(self, seated: Seated, name: str, rate: int) -> None:
        processing = dict(self._microphone.recorder.processing) if self._microphone.recorder else {}
        seated.sitting.keeper.record(subject.DeviceFound(name=name, sample_rate=rate, processing=processing))

    @while_seated
    def _on_microphone_lost(self, seated: Seated, name: str) -> None:
        seated.sitting.keeper.record(subject.DeviceLost(name=name))
