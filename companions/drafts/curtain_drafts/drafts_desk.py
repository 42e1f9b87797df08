"""What the wizard does with drafts: takes one, swaps a value, finds other words, all by keys."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from curtain.ports.drafting import Drafting
from curtain.qt.languages.translation import translate
from curtain.qt.style import Look
from curtain.session.events import wizard_events as wizard
from curtain.session.study.study import Study
from curtain_drafts.desk.control import DraftInput, DraftsControl, DraftsOnScreen, DraftState
from curtain_drafts.desk.drafting_tool import DraftingTool
from curtain_drafts.desk.learning import earlier_asked
from curtain_drafts.desk.rows import calm_line, draft_details, draft_rows, heading_note, start_line
from curtain_drafts.drafting.values import GUESS, Asked, Chip, Choice, Draft
from curtain_drafts.tool.service import Spent
from curtain_drafts.tool.serving.settings import is_english
from curtain_drafts.window.draft_list import MOST
from curtain_drafts.window.panel import DraftsPanel
from wizard_app.desk.controllers import Backgrounds, Controllers
from wizard_app.desk.desk_view import Place
from wizard_app.desk.loading import StudyLoading
from wizard_app.desk.preparation import OpenDatabase
from wizard_app.presenters.cursor import Cursor
from wizard_app.window.pages.work_page import WorkPage
from wizard_app.window.window import WizardWindow

_STALE = (DraftState.STALE, DraftState.WAITING)
_UNSETTLED = (DraftState.STARTING, *_STALE)


class DraftsDesk(Drafting):
    """Wires the panel of drafts to query, editor and tool."""

    panel: DraftsPanel

    def __init__(self, study: Study, window: WizardWindow, look: Look, backgrounds: Backgrounds) -> None:
        self._study, self._window, self._backgrounds = study, window, backgrounds
        self._drafts = DraftsControl(backgrounds.work, window)
        self.panel = DraftsPanel(look)
        self._taken_sql = ""
        self._shown_notice = ""
        self._journaled: tuple[int, wizard.DraftShown] | None = None

    def furnish(
        self, controllers: Controllers, page: WorkPage, cursor: Cursor, loading: StudyLoading, show: Callable[[], None]
    ) -> None:
        """Connect everything."""
        self._page, self._cursor, self._loading, self._changed = page, cursor, loading, show
        self._session, self._turns, self._sql = controllers.session, controllers.turns, controllers.sql
        self._tool = DraftingTool(self._study, controllers, self._drafts, self._backgrounds, self._window)
        self._wire()
        self._show()

    @staticmethod
    def checks(study: Study | None) -> Iterable[tuple[str, Callable[[], str]]]:
        """The drafters that the study names."""
        from curtain_drafts.tool.store import check_drafters

        return [("drafters", partial(check_drafters, study) if study else lambda: "our own; a study may name others.")]

    def close(self) -> None:
        """End the tool, also one that has just been started."""
        self._drafts.end()
        self._tool.close()

    @property
    def count(self) -> int:
        """Those of an earlier text cannot be taken."""
        return len(self._drafts.shown.drafts) if self._drafts.state is DraftState.HERE else 0

    @property
    def guesses(self) -> bool:
        """By the confidence of the first one."""
        return self.count > 0 and self._drafts.shown.drafts[0].confidence < GUESS

    @property
    def place(self) -> Place:
        """As of the panel."""
        return self.panel.place

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        """What the keys of drafts do."""
        take = {f"draft_{number}": partial(self._drafts.take, number) for number in range(1, MOST + 1)}
        return {**take, "to_drafts": self._to_list, "to_values": self._to_chips, "reword": self._on_reword}

    def _take_by_place(self, digit: int) -> None:
        """Alt with a key of the row of digits, on a keyboard where it is no digit."""
        if self._cursor.at_work:
            self._drafts.take(digit)

    def leave(self) -> bool:
        """Esc: back to the path; other words that were being found are dropped. False if the cursor was elsewhere."""
        place = self.panel.place
        if place == "rewording":
            self._drafts.reword(None)
            self._show()
        if place:
            self._cursor.go_on()
            self._changed()
        return bool(place)

    def _wire(self) -> None:
        panel, drafts, turns, tool = self.panel, self._drafts, self._turns, self._tool
        self._window.digit_pressed.connect(self._take_by_place)
        tool.notice.connect(self._window.show_notice)
        tool.problem.connect(lambda sentence: self._window.show_passing_problem("drafts", sentence))
        self._loading.database_opened.connect(self._on_database)
        self._loading.failed.connect(self._on_failed)
        self._session.opened.connect(drafts.begin_session)
        turns.turn_changed.connect(self._on_turn_changed)
        turns.changed.connect(self._on_turns_changed)
        self._page.query.text_edited.connect(self._on_query_edited)
        # A list that was on the screen when a statement ran is journaled, also if nothing of it was taken.
        self._sql.attempt_made.connect(lambda *_: self._journal_shown())
        drafts.changed.connect(self._on_drafts_changed)
        drafts.taken.connect(self._on_taken)
        drafts.notice.connect(self._on_notice)
        panel.reworded.connect(self._on_reworded)
        panel.field.left.connect(self._cursor.go_on)
        panel.list.take_requested.connect(lambda number: drafts.take(number, pointed=panel.list.takes_pointed))
        panel.list.letter_typed.connect(self._on_letter)
        panel.list.withdraw_requested.connect(self._on_withdraw)
        panel.list.undo_requested.connect(tool.undo)
        panel.list.menu_requested.connect(self._on_menu)
        panel.list.selected_changed.connect(self._show_pointed)
        panel.chips.swap_requested.connect(drafts.swap)
        panel.chips.remove_requested.connect(lambda chip: drafts.swap(chip, None))
        panel.chips.put_back_requested.connect(drafts.put_back)
        panel.chips.current_changed.connect(self._show_pointed)
        for widget in (panel.list, panel.chips, panel.field):
            widget.focus_moved.connect(self._changed)

    def _on_database(self, opened: OpenDatabase) -> None:
        if self._loading.content is not None:
            self._tool.begin(self._loading.content.pack, opened.path)

    def _on_failed(self, what: str, _sentence: str) -> None:
        if what == "database":
            self._drafts.give_up(translate("WizardWindow", "There are no drafts without the database."))

    def _to_list(self) -> None:
        if self.panel.list.rows:
            self._cursor.go_to(self.panel.list)
        else:
            self._window.show_notice(translate("DraftsDesk", "There are no drafts to look at."))

    def _to_chips(self) -> None:
        if self.panel.chips.chips:
            self._cursor.go_to(self.panel.chips)
        else:
            self._window.show_notice(translate("DraftsDesk", "No values were found in the query."))

    def _on_notice(self, sentence: str) -> None:
        self._shown_notice = sentence
        self._window.show_notice(sentence)

    def _clear_notice(self) -> None:
        """A notice about drafts belongs to the turn that was left."""
        if self._shown_notice:
            self._on_notice("")

    def _on_turn_changed(self) -> None:
        turn = self._turns.turn
        self._clear_notice()
        self._taken_sql = ""
        number, scenario = (turn.number, turn.scenario_id or "") if turn else (None, "")
        self._drafts.begin_turn(number, self._turns.fields.query, self._earlier(), scenario)
        self._drafts.set_yes_no(self._turns.fields.yes_no)

    def _on_turns_changed(self) -> None:
        self._drafts.set_previous(self._earlier())
        self._drafts.set_yes_no(self._turns.fields.yes_no)

    def _on_query_edited(self) -> None:
        if not self._page.showing:
            self._drafts.set_query(self._page.query.field.toPlainText())
            self._drafts.set_yes_no(self._turns.fields.yes_no)

    def _on_drafts_changed(self) -> None:
        self._show()
        state = self._drafts.state
        self._window.start.show_drafts(start_line(state, self._drafts.standing, self._drafts.problem))
        self._page.window().setProperty("draft_state", state.value)
        self._page.window().setProperty("drafts_settled", state not in _UNSETTLED)
        self._changed()

    def _on_taken(self, number: int, draft: Draft) -> None:
        """Into the editor, where undo brings back what was there; it runs at once, and the wizard sees the result."""
        drafts = self._drafts
        self._journal_shown()
        fact = taken_fact(number, draft, drafts.wanted.choices, drafts.known_chips)
        self._session.write([(fact, drafts.turn)])
        self._page.sql.editor.replace_text(draft.sql)
        self._cursor.go_to(self._page.sql.editor)
        self._taken_sql = draft.sql
        self._show()
        self._sql.run_instead()

    def _journal_shown(self) -> None:
        """Journal the list that is on the screen, unless it was the last one that was journaled for this turn."""
        drafts = self._drafts
        if drafts.turn is None or drafts.state is not DraftState.HERE:
            return
        fact = shown_fact(drafts.shown, drafts.wanted, drafts.spent)
        if self._journaled != (drafts.turn, fact):
            self._journaled = (drafts.turn, fact)
            self._session.write([(fact, drafts.turn)])

    def _on_letter(self, letter: str) -> None:
        """Whoever begins to type among the drafts means the editor."""
        self._cursor.go_to(self._page.sql.editor)
        self._page.sql.editor.insert_name(letter)

    def _on_withdraw(self, number: int) -> None:
        draft = self._drafts.shown.draft(number)
        if draft is not None:
            self._tool.withdraw(draft)

    def _on_menu(self, number: int, at: QPoint) -> None:
        """What the keys do, for whoever works by mouse."""
        draft = self._drafts.shown.draft(number)
        if draft is None:
            return
        menu = QMenu(self.panel)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(translate("DraftsDesk", "Take it and run it"), lambda: self._drafts.take(number))
        withdraw = menu.addAction(translate("DraftsDesk", "Withdraw its example"), lambda: self._on_withdraw(number))
        withdraw.setEnabled(draft.example is not None)
        menu.addAction(translate("DraftsDesk", "Restore the withdrawn example"), self._tool.undo)
        menu.popup(at)

    def _on_reword(self) -> None:
        if self._drafts.turn is None:
            return
        if self._drafts.wanted.reworded is None:
            self._drafts.reword(self._drafts.wanted.query)
            self._show()
        self._cursor.go_to(self.panel.field)

    def _on_reworded(self, text: str) -> None:
        if self.panel.rewording:
            self._drafts.reword(text)

    def _show(self) -> None:
        drafts, panel = self._drafts, self.panel
        state, standing = drafts.state, drafts.standing
        calm = calm_line(state, standing, drafts.problem, drafts.turn is not None, is_english(self._study))
        kept = [row.sql for row in panel.list.rows] if panel.list.selected else ()
        rows = [] if calm else draft_rows(drafts.shown, self._taken_sql, kept)
        panel.show_rows(rows, state in _STALE, heading_note(state, standing, drafts.spent), calm)
        panel.show_rewording(drafts.wanted.reworded)
        self._show_pointed()

    def _show_pointed(self) -> None:
        """Values, first rows, reason and words of the draft that a hand points at, else of the first."""
        drafts, panel = self._drafts, self.panel
        pointed, stale = panel.list.selected, drafts.state in _STALE
        draft = drafts.shown.draft(pointed or 1)
        drafts.pointed = draft.sql if draft is not None and pointed else ""
        panel.show_chips(drafts.chips_of(pointed or 1), stale)
        ignored = draft.ignored if draft is not None and not stale else ()
        words = [drafts.wanted.question[start:end] for start, end in ignored]
        preview = drafts.shown.previews.get(draft.sql) if draft is not None else None
        panel.show_details(draft_details(draft, preview, words) if draft is not None else "")
        chip = panel.chips.current
        taken = next((one for one in drafts.shown.drafts if one.sql == self._taken_sql), None)
        resting = draft if pointed else taken
        spans = resting.rests_on if resting is not None and not stale else ()
        if chip is not None and chip.chip.start >= 0:
            spans = ((chip.chip.start, chip.chip.end),)
        # The marks go where the words stand: in the query, or in the words that only the tool gets.
        query, reworded = (spans, ignored), ((), ())
        if drafts.wanted.reworded is not None:
            query, reworded = reworded, query
        self._page.query.mark(*query)
        panel.mark(*reworded)

    def _earlier(self) -> tuple[Asked, ...]:
        turn = self._turns.turn
        return earlier_asked(self._session.progress, turn.number) if turn is not None else ()


def shown_fact(shown: DraftsOnScreen, wanted: DraftInput, spent: Spent) -> wizard.DraftShown:
    """The journal's line for the list of drafts that was on the screen."""
    return wizard.DraftShown(
        drafts=[draft.sql for draft in shown.drafts],
        # Four decimals are more than anybody compares, and keep the line short.
        confidences=[round(draft.confidence, 4) for draft in shown.drafts],
        drafters=[draft.drafter for draft in shown.drafts],
        question=shown.request.question,
        reworded=wanted.reworded is not None and wanted.reworded != wanted.query,
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        cost=round(spent.cost, 6),
    )


def taken_fact(number: int, draft: Draft, choices: Iterable[Choice], chips: Sequence[Chip]) -> wizard.DraftTaken:
    """The journal's line for a draft that was taken: its place from 1, and the values that were changed."""
    return wizard.DraftTaken(
        sql=draft.sql,
        place=number,
        drafter=draft.drafter,
        confidence=round(draft.confidence, 4),
        chips=list(_changed(choices, chips)),
    )


def _changed(choices: Iterable[Choice], chips: Sequence[Chip]) -> Iterator[wizard.ChipChanged]:
    """What each value was when it was found first."""
    for choice in choices:
        chip = next((chip for chip in chips if chip.said == choice.said), None)
        if chip is not None:
            to = choice.value.value if choice.value is not None else None
            yield wizard.ChipChanged(kind=chip.kind, said=chip.said, was=chip.value.value, to=to)
