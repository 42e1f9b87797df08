"""One pair of query and response, what came before it in its session, and the answers to choose from."""

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QPushButton, QSizePolicy, QStackedWidget, QWidget

from curtain.qt.answer_table import AnswerTable
from curtain.qt.command_text import CommandLine
from curtain.qt.languages.translation import translate
from curtain.qt.style import GAP, LOOSE, PAGE, TIGHT, Look, SubjectFrame, set_size
from curtain.qt.widgets import Hairline, Scrolling, box, button, column, heading, label, named, row, say
from curtain.qt.wrapping_row import WrappingRow
from curtain.review.panels.listen_bar import ListenBar
from curtain_judge.labels import CLARITY, CORRECTNESS
from curtain_judge.window.control import JudgingState
from curtain_judge.window.keys import LABEL_KEYS
from curtain_judge.window.material import JudgedPair

_MARGINS = PAGE
_EARLIER_WIDE, _SCENARIO_LINES, _LEAST_LINES = 330, 14, 4
_MOST_CELLS = 6


class JudgePage(QWidget):
    """Asks for labels, comments and reasons; shows what it is given."""

    label_chosen = Signal(str, str)
    comment_given = Signal(str)
    reason_given = Signal(str)
    writing_changed = Signal(bool)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.listen_bar = ListenBar(look)
        self._scenario = _ScrolledText("scenario_text", self.tr("Scenario"), look, most_lines=_SCENARIO_LINES)
        self._earlier = _ScrolledText("earlier", self.tr("Earlier pairs of this session"), look)
        self._query = label("", look, name="query")
        set_size(self._query, look.title_pt, bold=True)
        self._query.setWordWrap(True)
        self._table = named(AnswerTable(), "table")
        self._table.set_name(self.tr("What the subject saw"))
        self._message = label("", look, name="message")
        set_size(self._message, look.title_pt)
        self._message.setWordWrap(True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._response = QStackedWidget()
        for part in (self._table, self._message):
            self._response.addWidget(part)
        self._behind = label("", look, small=True, quiet=True, name="behind", wraps=True)
        self._own = label("", look, small=True, name="own_pair", wraps=True, colour=look.warning)
        self._rows = {
            CLARITY: ChoiceRow(CLARITY, self.tr("The query is"), LABEL_KEYS[CLARITY], look),
            CORRECTNESS: ChoiceRow(CORRECTNESS, self.tr("The response is"), LABEL_KEYS[CORRECTNESS], look, noted=True),
        }
        self._opinions = label("", look, name="opinions", wraps=True)
        self._note_title = label("", look, small=True, bold=True)
        self.note = named(CommandLine(), "note", self.tr("Note"))
        self._pair_id = ""
        self._reason = ""
        self._comment = ("", "")
        self._adjudicates = False
        self._lay_out(look)
        for question, choices in self._rows.items():
            choices.chosen.connect(lambda text, asked=question: self._on_clicked(asked, text))
        self.note.returnPressed.connect(self.keep_note)
        self.note.installEventFilter(self)

    def _lay_out(self, look: Look) -> None:
        left = QWidget()
        left.setLayout(
            column(heading(self.tr("What the subject worked on"), look), self._scenario,
                   heading(self.tr("Earlier in this session"), look), self._earlier, spacing=TIGHT)
        )  # fmt: skip
        left.setMaximumWidth(look.px(_EARLIER_WIDE))
        shown = SubjectFrame(self._response, look)
        right = column(
            heading(self.tr("The query"), look), self.listen_bar, self._query,
            heading(self.tr("The response"), look, self.tr("as the subject saw it")), shown, self._behind, self._own,
            self._rows[CLARITY], self._rows[CORRECTNESS], self._opinions, row(self._note_title, self.note), spacing=GAP,
        )  # fmt: skip
        right.setStretchFactor(shown, 1)
        self._response.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        line = Hairline(look, upright=True)
        # The pair has the larger half also with large letters.
        self.setLayout(row((left, 9), line, (Scrolling(box(right)), 11), margins=_MARGINS, spacing=LOOSE))

    def show_state(self, state: JudgingState, adjudicates: bool) -> None:
        """Show a pair with everything that was said about it."""
        self._adjudicates = adjudicates
        if state.pair.id != self._pair_id:
            self._show_pair(state.pair, state.earlier)
        for question, choices in self._rows.items():
            choices.setVisible(question in state.pair.ask)
            if question == CORRECTNESS:
                choices.show_choice(state.chosen.get(question, "") or state.filled, self._what_the_log_says(state))
            else:
                choices.show_choice(state.chosen.get(question, ""))
        self._opinions.setText(_opinions(state.pair))
        self._opinions.setVisible(state.revealed)
        # Its room is there before F6, so that no button moves.
        policy = self._opinions.sizePolicy()
        policy.setRetainSizeWhenHidden(adjudicates)
        self._opinions.setSizePolicy(policy)
        self._show_note(state)

    def write_note(self) -> None:
        """Put the cursor into the line for the comment or the reason."""
        self.note.setFocus()
        self.note.selectAll()

    def leave_note(self) -> None:
        """Let the keys of the labels work again. A comment is kept; a ruling is not made."""
        if self.note.hasFocus():
            self.setFocus()
        if not self._adjudicates:
            self.comment_given.emit(self.note.text())

    def keep_note(self) -> None:
        """Enter in the line: the comment, or the reason of a ruling."""
        text = self.note.text()
        self.setFocus()
        (self.reason_given if self._adjudicates else self.comment_given).emit(text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.note and event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.writing_changed.emit(event.type() == QEvent.Type.FocusIn)
            # The cursor may leave by the mouse, and the next pair take the line.
            if event.type() == QEvent.Type.FocusOut and not self._adjudicates:
                self.comment_given.emit(self.note.text())
        return super().eventFilter(watched, event)

    def _on_clicked(self, question: str, text: str) -> None:
        if not self._adjudicates:
            # The next pair may open, and a comment belongs to this one.
            self.leave_note()
        self.label_chosen.emit(question, text)

    def _what_the_log_says(self, state: JudgingState) -> str:
        label_here = translate("Judging", state.filled or state.pair.filled)
        if state.filled:
            return self.tr("The log says: {0}. Choose another one to overrule it.").format(label_here)
        return self.tr("The log says: {0}.").format(label_here) if state.pair.filled else ""

    def _show_pair(self, pair: JudgedPair, earlier: Sequence[JudgedPair]) -> None:
        self._pair_id = pair.id
        self._scenario.setPlainText(pair.scenario or self.tr("(not known here)"))
        self._earlier.setPlainText("\n\n".join(map(_in_short, earlier)) or self.tr("This is the first pair."))
        self._earlier.verticalScrollBar().setValue(self._earlier.verticalScrollBar().maximum())
        self._query.setText(pair.query or self.tr("(nobody has typed it: listen)"))
        if pair.table is not None:
            self._table.show_table(pair.table)
            self._response.setCurrentWidget(self._table)
        else:
            self._message.setText(pair.message or self.tr("(no response was recorded)"))
            self._response.setCurrentWidget(self._message)
        self._behind.setText(pair.behind)
        self._behind.setVisible(bool(pair.behind))
        say(self._own, self.tr("You judged this pair yourself; others may wish to rule on it.") if pair.own else "")

    def _show_note(self, state: JudgingState) -> None:
        if self._adjudicates:
            self._note_title.setText(self.tr("Reason  F9"))
            self.note.setAccessibleName(self.tr("Reason of the ruling"))
            self._show_reason(state)
            return
        self._note_title.setText(self.tr("Comment  F9"))
        self.note.setAccessibleName(self.tr("Comment on this pair"))
        # What is being typed, or what the disk did not take, is not replaced by what stands.
        shown = (state.pair.id, state.comment)
        if not self.note.hasFocus() and shown != self._comment:
            self._comment = shown
            self.note.setText(state.comment)

    def _show_reason(self, state: JudgingState) -> None:
        """The line takes the reason of the label that was chosen; before that it shows those of earlier rulings."""
        self.note.setReadOnly(not state.wants_reason)
        if not state.wants_reason:
            self.note.setText(_reasons(state))
            self.note.setCursorPosition(0)
        elif state.wants_reason != self._reason:
            self.note.clear()
        if state.wants_reason:
            self.write_note()
        self._reason = state.wants_reason


def _reasons(state: JudgingState) -> str:
    if len(state.pair.ask) == 1:
        return "".join(state.reasons.values())
    return ";  ".join(f"{translate('Judging', question)}: {reason}" for question, reason in state.reasons.items())


class _ScrolledText(QPlainTextEdit):
    """A text to read and to scroll by keys. With `most_lines` it is as high as its text, up to so many lines."""

    def __init__(
        self, name: str, title: str, look: Look, *, most_lines: int = 0, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._most_lines = most_lines
        named(self, name, title)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        set_size(self, look.small_pt)
        if most_lines:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def setPlainText(self, text: str) -> None:
        """Also asks for the height of the new text."""
        super().setPlainText(text)
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The document's size signal does not come when lines wrap anew.
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        if not self._most_lines:
            return self.minimumSizeHint()
        # A plain text counts the height of its document in lines.
        return QSize(super().sizeHint().width(), self._height_of(min(self._most_lines, self._lines())))

    def minimumSizeHint(self) -> QSize:
        least = min(_LEAST_LINES, self._lines()) if self._most_lines else _LEAST_LINES
        return QSize(super().minimumSizeHint().width(), self._height_of(least))

    def _lines(self) -> int:
        return max(1, round(self.document().size().height()))

    def _height_of(self, lines: int) -> int:
        first = self.document().begin()
        # Not of the font: a line of a document is a fraction of a pixel higher.
        line = self.blockBoundingRect(first).height() / max(1, first.lineCount())
        return ceil(lines * line + 2 * self.document().documentMargin()) + 1


def _in_short(pair: JudgedPair) -> str:
    """An earlier pair in a few lines."""
    if pair.table is None:
        return f"› {pair.query}\n  {pair.message}"
    cells = [cell for shown in pair.table.rows[:2] for cell in shown][:_MOST_CELLS]
    more = " ..." if pair.table.total > 2 else ""
    return f"› {pair.query}\n  {', '.join(cells) or '-'}{more}"


def _opinions(pair: JudgedPair) -> str:
    lines = []
    for question, labels in pair.opinions.items():
        said_by = ",  ".join(f"{judge} {translate('Judging', given)}" for judge, given in labels)
        lines.append(f"{translate('Judging', question)}:  {said_by}")
    return "\n".join(lines)


class ChoiceRow(QWidget):
    """Asks for a label; shows which one is chosen, and which one the log knows.

    `noted`: a remark may stand below. Its line keeps its room, so that no button moves under the hand.
    """

    chosen = Signal(str)

    def __init__(
        self,
        question: str,
        title: str,
        keys: Sequence[tuple[str, str]],
        look: Look,
        *,
        noted: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._buttons: dict[str, QPushButton] = {}
        for key, text in keys:
            words = translate("Judging", text)
            made = button(f"{key}   {words}", f"{question}_{key}")
            made.setCheckable(True)
            made.setAccessibleName(f"{title}: {words}")
            made.clicked.connect(lambda _checked, given=text: self.chosen.emit(given))
            self._buttons[text] = made
        self._note = label("", look, small=True, quiet=True, name=f"{question}_note", wraps=True)
        if not noted:
            self._note.hide()
        self.setLayout(
            column(
                label(title, look, small=True, bold=True),
                box(WrappingRow(*self._buttons.values())),
                self._note,
                spacing=TIGHT,
            )
        )
        self.setObjectName(question)

    def show_choice(self, chosen: str, note: str = "") -> None:
        """The label that stands, "" for none, and a remark below."""
        for text, made in self._buttons.items():
            made.setChecked(text == chosen)
            made.setProperty("primary", text == chosen)
            made.update()
        self._note.setText(note)
        self.setProperty("chosen", chosen)
