"""What the subject saw in this turn, and below it what the wizard did."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QTextCursor
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QSizePolicy, QStackedWidget, QWidget

from curtain.corpus.model.utterance import Redaction
from curtain.qt.answer_table import AnswerTable
from curtain.qt.languages.translation import rows_here, sentence_here, translate
from curtain.qt.style import TIGHT, Look, SubjectFrame, set_size, sized
from curtain.qt.widgets import column, heading, label, named
from curtain.review.control.material import LiveTurn
from curtain.review.panels.text_field import TextField
from curtain.session.turns.turns import Turn


class SeenPanel(QWidget):
    """The query can be marked, to be hidden; nothing here can be changed."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.query = TextField("query", self.tr("Query"), look, 2)
        self.query.setReadOnly(True)
        self.query.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.query.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self._table = AnswerTable()
        self._table.let_copy()
        self._table.set_name(self.tr("Answer"))
        self._message = _text_label("message", look)
        self._nothing = _text_label("no_reply", look)
        self._pages = QStackedWidget()
        for page in (self._table, self._message, self._nothing):
            self._pages.addWidget(page)
        inside = QWidget()
        inside.setLayout(column(self.query, self._pages, spacing=TIGHT))
        self._deeds = named(QPlainTextEdit(readOnly=True), "deeds", self.tr("What the wizard did"))
        self._deeds.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self._deeds.setFont(sized(fixed, look.small_pt))
        self._deeds.setFixedHeight(6 * self._deeds.fontMetrics().lineSpacing())
        frame = SubjectFrame(inside, look)
        frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._seen = label("", look, small=True, bold=True, name="seen_by_subject")
        did = heading(self.tr("What the wizard did"), look)
        self.setLayout(column(self._seen, frame, did, self._deeds, spacing=TIGHT))

    def show_scene(self, scene: LiveTurn) -> None:
        """The subject's side first: table, message or neither; below it the wizard's steps in order."""
        reply = scene.turn.reply
        self._seen.setText(self._seen_title(scene.turn))
        self.query.show_text(scene.turn.query or self.tr("(no query was sent)"))
        self.query.moveCursor(QTextCursor.MoveOperation.Start)
        self._deeds.setPlainText("\n".join(deeds(scene)))
        if scene.table is not None and scene.turn.outcome == "answer":
            self._table.show_table(scene.table, 0)
            self._pages.setCurrentIndex(0)
        elif reply is not None and reply.message:
            self._message.setText(reply.message)
            self._pages.setCurrentIndex(1)
        else:
            cancelled = scene.turn.outcome == "cancelled"
            words = self.tr("The subject withdrew this turn.") if cancelled else self.tr("No answer was sent.")
            self._nothing.setText(words)
            self._pages.setCurrentIndex(2)

    def _seen_title(self, turn: Turn) -> str:
        # What was typed stood on the screen before anybody sent anything.
        spoken = turn.modality == "speech"
        query = spoken and turn.query is not None and turn.times["query_painted"] is None
        reply = turn.reply is not None and turn.reply.painted is None
        if query and reply:
            return self.tr("What was sent (nothing shows that the subject saw it)")
        if reply:
            return self.tr("What was sent (nothing shows that the subject saw the answer)")
        if query:
            return self.tr("What was sent (nothing shows that the subject saw the query)")
        return self.tr("What the subject saw")

    def show_hidden(self, redactions: Sequence[Redaction], query: str | None) -> None:
        """Strike out what is redacted in the query; offsets are characters; without one the span has no end."""
        length = len(query or "")
        spans = [(one.start_char or 0, length if one.end_char is None else one.end_char)
                 for one in redactions
                 if one.in_text == "query" and (one.start_char is not None or one.end_char is not None)]  # fmt: skip
        self.query.show_marks([], [], spans)


def deeds(scene: LiveTurn) -> list[str]:
    """A line for each thing the wizard did, with what came of it."""
    turn, lines = scene.turn, []
    if scene.utterance.nl_input:
        lines.append(translate("Review", "asked for drafts: {0}").format(scene.utterance.nl_input))
    for attempt in turn.attempts:
        rows = sentence_here(attempt.error or "") or f"{rows_here(attempt.rows or 0)}, {attempt.ms} ms"
        lines += [" ".join(attempt.sql.split()), f"  = {rows}"]
    lines += [_correction(one.outcome, one.message, one.sql_min) for one in turn.corrections]
    if turn.reply is not None and turn.reply.message is not None:
        lines.append(translate("Review", "message “{0}”").format(turn.reply.message_id))
    lines += [translate("Review", "note: {0}").format(note) for note in turn.notes]
    flags = {
        translate("Review", "cut short"): turn.cut_short,
        translate("Review", "too loud"): turn.clipped,
        translate("Review", "recovered after a crash"): turn.recovered,
    }
    flag_names = [name for name, holds in flags.items() if holds]
    return [*lines, *([translate("Review", "recording: {0}").format(", ".join(flag_names))] if flag_names else [])]


def _correction(outcome: str, message: str | None, sql: str | None) -> str:
    what = (
        translate("Review", "message “{0}”").format(message) if outcome == "message" else " ".join((sql or "").split())
    )
    return translate("Review", "sent first, then corrected: {0}").format(what)


def _text_label(name: str, look: Look) -> QLabel:
    made = label("", look, name=name, wraps=True)
    made.setAlignment(Qt.AlignmentFlag.AlignTop)
    made.setMargin(6)
    set_size(made, look.body_pt)
    return made
