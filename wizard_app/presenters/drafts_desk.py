"""What the wizard does with drafts: takes one, swaps a value, finds other words, all by keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QMenu

from curtain.drafting.service import Spent
from curtain.drafting.values import Asked, Chip, Choice, Draft
from curtain.session.events import wizard_events as wizard
from wizard_app.desk.controllers import Controllers
from wizard_app.desk.drafts.control import DraftInput, DraftsOnScreen, DraftState
from wizard_app.desk.drafts.learning import earlier_asked
from wizard_app.desk.drafts.rows import calm_line, draft_details, draft_rows, heading_note, start_line
from wizard_app.presenters.cursor import Cursor
from wizard_app.window.drafts.draft_list import MOST
from wizard_app.window.pages.work_page import WorkPage

_STALE = (DraftState.STALE, DraftState.WAITING)
_UNSETTLED = (DraftState.STARTING, *_STALE)


class DraftsDesk(QObject):
    """Wires the panel of drafts to query, editor and tool. `changed`: the next key is another one now,
    `standing_changed`: how far the tool is while it still learns."""

    changed = Signal()
    notice = Signal(str)
    standing_changed = Signal(str)
    withdraw_requested = Signal(object)
    undo_requested = Signal()

    def __init__(self, page: WorkPage, controllers: Controllers, cursor: Cursor, parent: QObject) -> None:
        super().__init__(parent)
        self._page = page
        self._session = controllers.session
        self._turns = controllers.turns
        self._sql = controllers.sql
        self._drafts = controllers.drafts
        self._cursor = cursor
        self._taken_sql = ""
        self._shown_notice = ""
        self._journaled: tuple[int, wizard.DraftShown] | None = None
        self._wire()
        self._show()

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        """What the keys of drafts do."""
        take = {f"draft_{number}": partial(self._drafts.take, number) for number in range(1, MOST + 1)}
        return {**take, "to_drafts": self._to_list, "to_values": self._to_chips, "reword": self._on_reword}

    @Slot(int)
    def take_by_place(self, digit: int) -> None:
        """Alt with a key of the row of digits, on a keyboard where it is no digit."""
        if self._cursor.at_work:
            self._drafts.take(digit)

    def leave(self) -> bool:
        """Esc: back to the path; other words that were being found are dropped. False if the cursor was elsewhere."""
        place = self._page.drafts.place
        if place == "rewording":
            self._drafts.reword(None)
            self._show()
        if place:
            self._cursor.go_on()
            self.changed.emit()
        return bool(place)

    def _wire(self) -> None:
        panel, drafts, turns = self._page.drafts, self._drafts, self._turns
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
        panel.list.undo_requested.connect(self.undo_requested)
        panel.list.menu_requested.connect(self._on_menu)
        panel.list.selected_changed.connect(self._show_pointed)
        panel.chips.swap_requested.connect(drafts.swap)
        panel.chips.remove_requested.connect(lambda chip: drafts.swap(chip, None))
        panel.chips.put_back_requested.connect(drafts.put_back)
        panel.chips.current_changed.connect(self._show_pointed)
        for widget in (panel.list, panel.chips, panel.field):
            widget.focus_moved.connect(self.changed)

    def _to_list(self) -> None:
        if self._page.drafts.list.rows:
            self._cursor.go_to(self._page.drafts.list)
        else:
            self.notice.emit(self.tr("There are no drafts to look at."))

    def _to_chips(self) -> None:
        if self._page.drafts.chips.chips:
            self._cursor.go_to(self._page.drafts.chips)
        else:
            self.notice.emit(self.tr("No values were found in the query."))

    def _on_notice(self, sentence: str) -> None:
        self._shown_notice = sentence
        self.notice.emit(sentence)

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
        self.standing_changed.emit(start_line(state, self._drafts.standing, self._drafts.fault))
        self._page.window().setProperty("draft_state", state.value)
        self._page.window().setProperty("drafts_settled", state not in _UNSETTLED)
        self.changed.emit()

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
            self.withdraw_requested.emit(draft)

    def _on_menu(self, number: int, at: QPoint) -> None:
        """What the keys do, for whoever works by mouse."""
        draft = self._drafts.shown.draft(number)
        if draft is None:
            return
        menu = QMenu(self._page.drafts)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Take it and run it"), lambda: self._drafts.take(number))
        withdraw = menu.addAction(self.tr("Withdraw its example"), lambda: self._on_withdraw(number))
        withdraw.setEnabled(draft.example is not None)
        menu.addAction(self.tr("Restore the withdrawn example"), self.undo_requested.emit)
        menu.popup(at)

    @Slot()
    def _on_reword(self) -> None:
        if self._drafts.turn is None:
            return
        if self._drafts.wanted.reworded is None:
            self._drafts.reword(self._drafts.wanted.query)
            self._show()
        self._cursor.go_to(self._page.drafts.field)

    def _on_reworded(self, text: str) -> None:
        if self._page.drafts.rewording:
            self._drafts.reword(text)

    def _show(self) -> None:
        drafts, panel = self._drafts, self._page.drafts
        state, standing = drafts.state, drafts.standing
        calm = calm_line(state, standing, drafts.fault, drafts.turn is not None)
        kept = [row.sql for row in panel.list.rows] if panel.list.selected else ()
        rows = [] if calm else draft_rows(drafts.shown, self._taken_sql, kept)
        panel.show_rows(rows, state in _STALE, heading_note(state, standing, drafts.spent), calm)
        panel.show_rewording(drafts.wanted.reworded)
        self._show_pointed()

    @Slot()
    def _show_pointed(self) -> None:
        """Values, first rows, reason and words of the draft that a hand points at, else of the first."""
        drafts, panel = self._drafts, self._page.drafts
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
