"""The annotator's window: its pages, its keys, its strip. It decides nothing.

What a driver may read of it, beside the texts and the focus of named widgets:

==================  ======================================================================================
property            means
==================  ======================================================================================
state               loading, annotating, ruling, editing_ruling, failed
utterance           the open turn's id
turn                its number
session             its session's id
place, total        where it stands among all turns
done                how many of them are annotated, or ruled
eval_class          the class that follows, A, D1, D or X
category            the category, 0 to 3 or X
reasons             the names of the reasons for leaving it out
problems              how many rules keep it from being saved
dirty               something is unsaved
writing             something is on its way to the disk
sql_settled         no statement is running
reading, readings   which reading is in sight, of how many
filter              all, open, differing
saved               the turn that was saved last
drafts_settled      what is unsaved is safe on the disk
unread              how many sessions are still to be read
==================  ======================================================================================

Widgets: turns_dialog (found), turn_search, scenario_title, scenario_text, tags (chosen), earlier (pointed), sro, lsn,
sro_problems, query, deeds, message, sql_min, sql_max, sql_status, cas_min, cas_max, reading, reads, weight, yes_no,
note, hidden, context, reasons_line, problems, class_banner, waveform (place, part), listening, ruling (picks, layer),
ruling_notice, reasons, keys, key_strip, top, notice_text, problem_text.
"""

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from curtain.qt.key_strip import KeyStrip
from curtain.qt.languages.translation import number_here, sentence_here, translate
from curtain.qt.style import LOOSE, Look, sized
from curtain.qt.widgets import Band, column, label, plain_tip
from curtain.qt.windows.keyed_window import KeyedWindow
from curtain.review.control.progress import AnnotationProgress
from curtain.review.control.shelf import Filter, Person

_SIZE = QSize(1280, 720)
_NOTICE_MS = 8000


class ReviewWindow(KeyedWindow):
    """The frame that is there at once; pages are added when there is something to show. `may_close` is asked when a
    person closes the window."""

    def __init__(self, title: str, look: Look) -> None:
        super().__init__()
        self.setObjectName("review_window")
        self.setWindowTitle(title)
        self.setProperty("state", "loading")
        self.look = look
        self.top = TopLine(look)
        self.problem = Band("problem", look.bad, look)
        self.notice = Band("notice", look.accent, look)
        self.strip = KeyStrip(look)
        self.strip.pressed.connect(self.press)
        self.pages = QStackedWidget()
        self._loading = label(self.tr("Reading the sessions"), look, quiet=True, name="loading", wraps=True)
        self._loading.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pages.addWidget(self._loading)
        self.setLayout(column(self.top, self.problem, (self.pages, 1), self.notice, self.strip, spacing=0))
        self._notice_timer = QTimer(self, singleShot=True, interval=_NOTICE_MS)
        self._notice_timer.timeout.connect(lambda: self.notice.show_text(""))
        self.resize(_SIZE)

    def show_loading(self, text: str) -> None:
        """The line on the first page while the study is read."""
        self._loading.setText(sentence_here(text))

    @Slot(str)
    def show_notice(self, sentence: str) -> None:
        """Say something until it is over; an empty sentence takes it back."""
        # The same sentence again keeps its place and only stays longer.
        if sentence != self.notice.text:
            self.notice.show_text(sentence)
        if sentence:
            self._notice_timer.start()


class TopLine(QWidget):
    """One painted line over a bar that fills as turns are annotated."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("top")
        self._look = look
        self._where = self._how_far = self._who = ""
        self._share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_place(
        self,
        where: str,
        progress: AnnotationProgress,
        chosen: Filter,
        person: Person,
        *,
        saved: bool,
        unsaved: bool,
        again: bool = False,
        seconds: float | None = None,
    ) -> None:
        """`again`: it was saved, and has to be looked at again. `seconds` is the median of a turn in this sitting."""
        p = progress
        state = (
            translate("Review", "unsaved, kept as a draft")
            if unsaved
            else translate("Review", "saved")
            if saved
            else translate("Review", "not annotated")
        )
        if person.adjudicates and not unsaved:
            state = translate("Review", "ruled") if saved else translate("Review", "to be ruled")
        state = translate("Review", "to look at again") if again else state
        self._where = f"{where}   {state}"
        in_session = _done(person, p.done_in_session, p.due_in_session)
        in_all = _done(person, p.done_in_all, p.due_in_all)
        self._how_far = "      ".join((
            translate("Review", "session: {0} of {1}, {2}").format(p.in_session, p.of_session, in_session),
            translate("Review", "all: {0} of {1}, {2}").format(p.in_all, p.of_all, in_all),
            *([translate("Review", "{0} s a turn").format(number_here(seconds))] if seconds is not None else []),
            *([_unread(p.unread)] if p.unread else []),
        ))  # fmt: skip
        self._who = f"{filter_in_words(chosen, person)}      {person.by}{_role(person)}"
        self._share = p.done_in_all / p.due_in_all if p.due_in_all else 0.0
        self.setAccessibleName("; ".join((self._where, self._how_far, self._who)))
        self.setToolTip(plain_tip(self.accessibleName()))
        self.setProperty("text", self.accessibleName())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(600, self._look.px(34))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        look, width = self._look, self.width()
        painter.fillRect(self.rect(), QColor(look.base))
        painter.fillRect(QRectF(0, self.height() - 3, width, 3), QColor(look.line))
        done = width * self._share
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        painter.fillRect(QRectF(width - done if mirrored else 0, self.height() - 3, done, 3), QColor(look.accent))
        box = QRectF(12, 0, width - 24, self.height() - 3)
        painter.setFont(sized(self.font(), look.body_pt, bold=True))
        painter.setPen(QColor(look.text))
        small = sized(self.font(), look.small_pt)
        taken = QFontMetrics(small).horizontalAdvance(self._who) + LOOSE
        shown = painter.fontMetrics().elidedText(self._where, Qt.TextElideMode.ElideRight, int(box.width()) - taken)
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        where = painter.fontMetrics().horizontalAdvance(shown)
        painter.setFont(small)
        painter.setPen(QColor(look.quiet))
        # Between the two others, and cut where they leave too little.
        between = box.adjusted(where + 12, 0, -taken, 0) if not mirrored else box.adjusted(taken, 0, -where - 12, 0)
        how_far = painter.fontMetrics().elidedText(self._how_far, Qt.TextElideMode.ElideRight, int(between.width()))
        painter.drawText(between, Qt.AlignmentFlag.AlignCenter, how_far)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._who)


def _unread(count: int) -> str:
    return (
        translate("Review", "1 session to read")
        if count == 1
        else translate("Review", "{0} sessions to read").format(count)
    )


def _done(person: Person, done: int, due: int) -> str:
    """An adjudicator rules on few of the turns that are gone through."""
    return (
        translate("Review", "{0} of {1} ruled").format(done, due)
        if person.adjudicates
        else translate("Review", "{0} done").format(done)
    )


def _role(person: Person) -> str:
    roles = {
        translate("Review", "adjudicator"): person.adjudicates,
        translate("Review", "second"): person.second,
        translate("Review", "sample {0}").format(person.sample): person.sample,
    }
    held = [name for name, holds in roles.items() if holds]
    return f" ({', '.join(held)})" if held else ""


def filter_in_words(chosen: Filter, person: Person) -> str:
    """Which turns are gone through, and the key that changes it."""
    open_turns = translate("Review", "to be ruled") if person.adjudicates else translate("Review", "not done")
    return {
        "all": translate("Review", "all turns"),
        "open": open_turns,
        "differing": translate("Review", "annotators differ"),
    }[chosen] + "  (F12)"
