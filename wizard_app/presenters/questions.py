"""The dialogs of a running session, and what follows from their answers."""

from collections.abc import Callable, Sequence
from typing import Literal

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from curtain.qt.languages.translation import parts_here
from curtain.qt.style import Look
from curtain.qt.windows.dialog import AskDialog
from curtain.qt.windows.keys_dialog import KeyTableDialog
from curtain.session.events.wizard_events import Note, ScenarioEnded
from wizard_app.desk.message_suggestion import ANSWER_NOTED
from wizard_app.desk.session.control import SessionControl
from wizard_app.desk.session.scenario_choice import ScenarioChoice
from wizard_app.desk.session.scenarios import remaining
from wizard_app.desk.turn.control import TurnControl
from wizard_app.keys.table import KEYS
from wizard_app.window.pages import dialogs


class Asking(QObject):
    """Opens dialogs over the window; none of them is waited for."""

    notice = Signal(str)

    def __init__(self, look: Look, session: SessionControl, turns: TurnControl, window: QWidget) -> None:
        super().__init__(window)
        self._look = look
        self._session = session
        self._turns = turns
        self._window = window
        self._scenarios: list[ScenarioChoice] = []

    def set_scenarios(self, scenarios: Sequence[ScenarioChoice]) -> None:
        """All scenarios of the domain."""
        self._scenarios = list(scenarios)

    def keys(self) -> None:
        """Show all keys of the window."""
        KeyTableDialog(self._look, KEYS, self._window).open()

    def note(self, selected: int | None) -> None:
        """A note on the selected turn, else on the one at work, else on the last one."""
        turns = self._session.progress.turns
        current = self._turns.turn
        number = selected or (current.number if current is not None else max(turns, default=None))
        turn = turns.get(number) if number is not None else None
        if turn is None:
            self.notice.emit(self.tr("There is no turn yet to write a note on."))
            return
        dialog = dialogs.NoteDialog(self._look, turn.number, turn.notes, self._window)
        dialog.note_written.connect(lambda number, text: self._session.write([(Note(text=text), number)]))
        dialog.open()

    def end_scenario(self) -> None:
        """The answer is the one that was spoken in the open turn, else the one that was typed."""
        scenario = self._session.progress.scenario
        if scenario is None:
            self.notice.emit(self.tr("No scenario is running. Ctrl+N begins the next one."))
            return
        spoken, typed = self._turns.end_stated, self._session.progress.solution_of(scenario.scenario_id)
        answer = spoken.answer if spoken is not None else typed.value if typed is not None else ""
        by_keys = spoken is None and typed is not None and typed.how == "typed"
        how: Literal["typed", "spoken"] = "typed" if by_keys else "spoken"
        left = self._remaining_text() or self.tr("No scenario remains after this one.")
        running, then = self._choice_of(scenario.scenario_id), self._then_id()
        titles = {one.id: one.title or one.id for one in self._scenarios}
        dialog = dialogs.EndScenarioDialog(
            self._look, running.title or running.id, (answer, how), left, self._window, titles.get(then or "", ""),
            running.asks_answer,
        )  # fmt: skip
        dialog.end_requested.connect(self._on_end_wished)
        dialog.open()

    def next_scenario(self) -> None:
        """Ask which scenario comes next; nothing while the session is closing."""
        if self._session.progress.opened is None or self._session.closing:
            return
        dialog = dialogs.NextScenarioDialog(self._look, self._choices(), self._next_id(), self._window)
        dialog.scenario_chosen.connect(self._session.begin_scenario)
        dialog.open()

    def _on_end_wished(self, answer: str, how: str, reason: str, begins: bool) -> None:
        scenario = self._session.progress.scenario
        if scenario is None:
            return
        if self._turns.end_stated is not None:
            self._turns.send_message(ANSWER_NOTED, {})
        stated = {"answer": answer, "how": how} if answer else {}
        ended = ScenarioEnded(scenario_id=scenario.scenario_id, reason=reason, **stated)  # type: ignore[arg-type]
        self._session.end_scenario(ended, self._then_id() if begins else None)

    def _choices(self) -> list[ScenarioChoice]:
        """Those chosen for this session in its order, then the domain's others."""
        progress = self._session.progress
        planned = progress.opened.scenario_ids if progress.opened is not None else []
        titles = {one.id: one.title for one in self._scenarios}
        all_ids = [*planned, *(one.id for one in self._scenarios if one.id not in planned)]
        running = progress.scenario.scenario_id if progress.scenario is not None else None
        return [
            ScenarioChoice(name, titles.get(name, ""), name in planned, name in progress.ended_ids, name == running)
            for name in all_ids
        ]

    def _then_id(self) -> str | None:
        """The planned task that may begin as soon as this one ends: none while the subject has a form to fill in."""
        planned = remaining(self._session.progress)
        return None if not planned or self._session.texts.missing_forms(self._session.progress) else planned[0]

    def _next_id(self) -> str | None:
        return next((one.id for one in self._choices() if not one.done and not one.now), None)

    def end_session(self) -> None:
        """Ask whether the session is to end, and say which turns still wait."""
        if self._session.closing:
            return
        text = self.tr("The subject sees the closing page, and both stations go idle.")
        if (running := self._session.progress.scenario) is not None:
            text = self._running_text(running.scenario_id) + " " + text
        waiting = len(self._session.progress.unfinished_turns)
        if waiting:
            text = self._waiting_text(waiting) + " " + text
        if forms := self._session.texts.missing_forms(self._session.progress):
            text = self.tr("The subject has not filled in: {0}.").format("; ".join(forms)) + " " + text
        if left := self._remaining_text():
            text = f"{left} {text}"
        self._ask(self.tr("End the session"), text, self.tr("End the session"), "end_session_confirmed", self._end)

    def close_window(self, accepted: Callable[[], object]) -> None:
        """Before the window closes over a session."""
        waiting = len(self._session.progress.unfinished_turns)
        text = self._waiting_text(waiting) if waiting else self.tr("The session is not over.")
        if self._session.closing:
            text = self.tr("The session is ending, and not everything has arrived.")
        else:
            text += " " + self.tr("The subject is asked to wait, and sees nothing new until you resume it.")
        text += " " + self.tr("Nothing is lost: the session stays open.")
        self._ask(self.tr("Close"), text, self.tr("Close the window"), "close_confirmed", accepted)

    def leave_unfinished(self, accepted: Callable[[], object]) -> None:
        """Before a closing session is left while something is still on its way."""
        text = self.tr("Not everything has arrived. The session stays unfinished; resume it later to complete it.")
        self._ask(self.tr("Leave"), text, self.tr("Leave it unfinished"), "leave_confirmed", accepted)

    def close_as_it_is(self) -> None:
        """Before a session is closed without something that may never come."""
        awaited = self._session.ending.still_awaited()
        if not awaited:
            return
        text = self.tr("Not here: {0}. The journal records the gap, and nothing can be added afterwards.")
        if self._session.progress.undisclosed:
            text += " " + self.tr("The subject has not read who answered: exports leave the session out.")
        self._ask(
            self.tr("Close as it is"), text.format(parts_here(awaited)), self.tr("Close it as it is"),
            "close_as_it_is_confirmed", self._session.ending.close_as_it_is,
        )  # fmt: skip

    def let_in(self) -> None:
        """Before the subject's place is given to a station that did not begin the session."""
        session = self._session.session
        if session is None:
            return
        text = self.tr(
            "The station that asks takes the subject’s place in session {0} and gets the record from here. {1} "
            "What the earlier station has not sent is lost to this session, and it is refused from then on."
        )
        missing = self._session.recordings_not_here
        sentence = (
            self.tr("Not here: {0}.").format(parts_here([missing]))
            if missing
            else self.tr("Every announced recording is here.")
        )
        self._ask(
            self.tr("Let it in"), text.format(session.session_id, sentence), self.tr("Let it in"), "let_in_confirmed",
            self._session.seat.let_in,
        )  # fmt: skip

    def take_record(self) -> None:
        """Before the subject's station puts its own record aside."""
        text = self.tr(
            "The subject’s station puts its own record of the session aside, under another name in its folder, "
            "and goes on with the one that is kept here. What stands only in its own is lost to this session."
        )
        self._ask(
            self.tr("Use the record kept here"), text, self.tr("Use the record kept here"), "take_record_confirmed",
            self._session.seat.take_record,
        )  # fmt: skip

    def _end(self) -> None:
        progress = self._session.progress
        planned = set(progress.opened.scenario_ids) if progress.opened is not None else set()
        running = {progress.scenario.scenario_id} if progress.scenario is not None else set()
        self._session.ending.begin("finished" if planned <= progress.ended_ids | running else "broken_off")

    def _remaining_text(self) -> str:
        """Which planned tasks were not begun yet, or an empty text."""
        titles = {one.id: one.title for one in self._scenarios}
        left = [titles.get(one) or one for one in remaining(self._session.progress)]
        if not left:
            return ""
        if len(left) == 1:
            return self.tr("One scenario remains: {0}.").format(left[0])
        return self.tr("{0} scenarios remain: {1}.").format(len(left), "; ".join(left))

    def _running_text(self, scenario_id: str) -> str:
        running = self._choice_of(scenario_id)
        text = self.tr("The scenario “{0}” still runs.").format(running.title or scenario_id)
        return f"{text} {self.tr('No answer to it is noted: Ctrl+E notes one.')}" if running.asks_answer else text

    def _choice_of(self, scenario_id: str) -> ScenarioChoice:
        return next((one for one in self._scenarios if one.id == scenario_id), ScenarioChoice(scenario_id, ""))

    def _waiting_text(self, waiting: int) -> str:
        if waiting == 1:
            return self.tr("One turn waits for an answer.")
        return self.tr("{0} turns wait for an answer.").format(waiting)

    def _ask(self, title: str, text: str, do: str, name: str, accepted: Callable[[], object]) -> None:
        AskDialog(self._look, title, text, do, name, self._window).ask(accepted)
