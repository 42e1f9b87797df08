"""The path of a turn over the working page: what is typed, run, sent and corrected, and where the cursor goes."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from curtain.base.hearing import Hearing
from curtain.domain.wire import Result
from curtain.qt.windows.dialog import ask_to_leave
from wizard_app.desk.controllers import Controllers
from wizard_app.desk.turn.offered_text import OfferedText
from wizard_app.desk.turn.statements import PastStatements, SqlState
from wizard_app.presenters.cursor import Cursor
from wizard_app.window.pages.work_page import WorkPage

_AROUND_S = 0.15
"""What sounds before and behind a doubtful word: recognisers place words to a tenth of a second."""


class WorkFlow(QObject):
    """Connects the fields of the page with turn and statement. `changed`: the next key may be another one;
    `notice` is a sentence for the wizard; `typed(query, sql)`: the texts of the turn at work."""

    changed = Signal()
    notice = Signal(str)
    typed = Signal(str, str)

    def __init__(self, page: WorkPage, controllers: Controllers, cursor: Cursor, parent: QObject) -> None:
        super().__init__(parent)
        self._page = page
        self._session = controllers.session
        self._turns = controllers.turns
        self._sql = controllers.sql
        self._listen = controllers.listen
        self._outgoing = controllers.outgoing
        self._cursor = cursor
        self._past = PastStatements()
        self._good: Result | None = None
        self._wire()

    @property
    def actions(self) -> dict[str, Callable[[], object]]:
        """What the keys along the path of a turn do, by the names of the key table."""
        return {
            "send_query": self._on_send_query,
            "next_doubt": self._on_next_doubt,
            "send_answer": self._turns.send_answer,
            "run": self._turns.run_sql,
            "yes_no": self._page.sql.toggle_yes_no,
            "failure": self._page.result.toggle_failure,
            "to_sql": lambda: self._cursor.go_to(self._page.sql.editor),
            "to_query": lambda: self._cursor.go_to(self._page.query.field),
            "turn_list": self._on_turn_list,
            "find_turn": lambda: self._cursor.go_to(self._page.search),
            "correct": self._on_correct,
            "take_back": self._on_take_back,
            "fold": lambda: self._page.fold_right(self._page.right_shown),
        }

    def set_past(self, past: PastStatements) -> None:
        """The statements of earlier sessions, for Ctrl+Up."""
        self._past = past

    def leave(self) -> bool:
        """Esc: out of the list of turns, out of a correction, or back to the words as heard. False: there was none."""
        if self._page.turns.hasFocus() or self._page.search.hasFocus():
            self._page.search.clear()
            self._leave_turn_list()
        elif self._turns.correcting:
            leave, page = self._turns.leave_correcting, self._page
            ask_to_leave(page.look, leave, page.window()) if self._turns.correction_edited else leave()
        else:
            return self._page.query.field.hasFocus() and self._page.query.field.restore()
        return True

    def _wire(self) -> None:
        page = self._page
        self._turns.turn_changed.connect(self._on_turn_changed)
        self._turns.query_left.connect(self._on_query_left)
        self._turns.reply_left.connect(lambda _turn: self._cursor.typed_nothing())
        self._sql.attempt_made.connect(lambda turn, attempt: self._session.write([(attempt, turn)]))
        self._sql.changed.connect(self._remember)
        page.query.text_edited.connect(self._on_query_edited)
        page.query.doubt_requested.connect(self._on_next_doubt)
        page.query.send_requested.connect(self._on_send_query)
        page.result.send.send_requested.connect(self._turns.send_answer)
        page.result.send.take_back_requested.connect(self._on_take_back)
        page.query.field.offer_changed.connect(self._on_offer_changed)
        page.sql.text_edited.connect(self._on_sql_edited)
        page.sql.yes_no_chosen.connect(self._on_yes_no)
        page.result.failure_chosen.connect(self._on_failure)
        page.answers.maximum_edited.connect(self._on_maximum_edited)
        page.sql.run_requested.connect(self._turns.run_sql)
        page.sql.stop_requested.connect(self._turns.run_sql)
        page.sql.editor.earlier_requested.connect(lambda: self._walk(earlier=True))
        page.sql.editor.later_requested.connect(lambda: self._walk(earlier=False))
        page.schema.name_chosen.connect(self._on_name_chosen)
        # From the words to what they found; a turn that is looked at ends the search, or later turns would stay hidden.
        page.search.left.connect(self._on_turn_list)
        page.turns.look_requested.connect(lambda _turn: page.search.clear())

    def show_words(self, turn: int, hearing: Hearing, *, whole: bool) -> None:
        """What was heard of this turn stands grey behind what is typed on it, until its query is sent."""
        at_work, field = self._turns.turn, self._page.query.field
        here = at_work.number if at_work is not None and at_work.query is None else self._turns.coming
        if turn == here and not self._turns.correcting:
            field.show_offer(OfferedText(hearing, whole, field.toPlainText(), self._turns.fields.past))

    def _on_send_query(self) -> None:
        """What stands in the field, with the grey words if they are whole."""
        if self._turns.turn is not None:
            self._page.query.field.take()
        self._turns.send_query()

    def _on_next_doubt(self) -> None:
        """To the next doubtful word, which sounds."""
        self._cursor.go_to(self._page.query.field)
        doubt = self._page.query.field.next_doubt()
        turn = self._turns.turn
        if doubt is None:
            self.notice.emit(self.tr("No word of this question is doubtful."))
        elif turn is not None and self._listen.turn == turn.number:
            self._listen.play_part(max(0.0, doubt.word.start_s - _AROUND_S), doubt.word.end_s + _AROUND_S)

    def _on_turn_changed(self) -> None:
        typing = self._cursor.typing_elsewhere
        self._page.turns.forget_selection()
        self._past.leave()
        self.changed.emit()
        self._emit_typed()
        if not typing:
            self._cursor.go_on()

    def _on_query_left(self) -> None:
        # A transcriber has done with the turn: the next one must find the cursor free.
        self._page.query.field.show_offer(OfferedText())
        self._cursor.typed_nothing()
        self._cursor.go_to(self._page.sql.editor)

    def _remember(self) -> None:
        """A statement that has run and stands in the editor is the newest one for Ctrl+Up."""
        good, before = self._sql.good, self._good
        self._good = good
        if good is not None and good is not before and self._sql.state is SqlState.DONE:
            self._past.add(good.sql)

    def _walk(self, earlier: bool) -> None:
        editor = self._page.sql.editor
        statement = self._past.earlier(editor.toPlainText()) if earlier else self._past.later()
        if statement is not None:
            editor.replace_text(statement)

    def _on_query_edited(self) -> None:
        if not self._page.showing:
            self._cursor.typed()
            self._turns.set_query(self._page.query.field.toPlainText())
            self._emit_typed()
            self.changed.emit()

    def _on_offer_changed(self) -> None:
        offer = self._page.query.field.offer
        if offer.hearing.words and not self._page.showing:
            self._turns.put_away(offer.past)
        self.changed.emit()

    def _on_sql_edited(self) -> None:
        if not self._page.showing:
            self._cursor.typed()
            self._turns.set_sql(self._page.sql.editor.toPlainText())
            self._emit_typed()
            self.changed.emit()

    def _on_yes_no(self, marked: bool) -> None:
        self._turns.mark_yes_no(marked)
        self.changed.emit()

    def _on_failure(self, marked: bool) -> None:
        self._turns.mark_failure(marked)
        self.changed.emit()

    def _on_maximum_edited(self, sql_max: str) -> None:
        self._cursor.typed()
        self._turns.set_sql_max(sql_max)
        self.changed.emit()

    def _emit_typed(self) -> None:
        fields = self._turns.fields
        self.typed.emit(fields.query, fields.sql)

    def _on_name_chosen(self, name: str) -> None:
        self._cursor.go_to(self._page.sql.editor)
        self._page.sql.editor.insert_name(name)

    def _on_turn_list(self) -> None:
        """To the list of turns, and back again."""
        if self._page.turns.hasFocus():
            self._leave_turn_list()
            return
        self._cursor.go_to(self._page.turns)
        self.changed.emit()

    def _leave_turn_list(self) -> None:
        self._page.turns.forget_selection()
        self._cursor.go_on()
        self.changed.emit()

    def _on_take_back(self) -> None:
        """The reply that waits longest for its moment."""
        first = next(iter(self._outgoing.held), None)
        if first is None or not self._outgoing.take_back(first):
            self.notice.emit(self.tr("No reply waits: what was sent last is on its way. F8 corrects it."))

    def _on_correct(self) -> None:
        latest = self._outgoing.latest
        if latest is not None:
            self._outgoing.take_back(latest[0])
            return
        chosen = self._page.turns.selected
        sent = self._session.progress.turns.get(chosen) if chosen is not None else None
        self._turns.correct(chosen if chosen is not None and sent is not None and sent.sent else 0)
        if self._turns.correcting:
            self._cursor.go_to(self._page.sql.editor)
