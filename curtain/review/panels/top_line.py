"""The line at the top: where one is, how far, who, and which turns are gone through."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from curtain.base.plural import count_of
from curtain.desk.style import Look, sized
from curtain.review.control.progress import AnnotationProgress
from curtain.review.control.shelf import Filter, Person


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
        state = "unsaved, kept as a draft" if unsaved else "saved" if saved else "not annotated"
        if person.adjudicates and not unsaved:
            state = "ruled" if saved else "to be ruled"
        state = "to look at again" if again else state
        self._where = f"{where}   {state}"
        self._how_far = "      ".join((
            f"session: {p.in_session} of {p.of_session}, {_done(person, p.done_in_session, p.due_in_session)}",
            f"all: {p.in_all} of {p.of_all}, {_done(person, p.done_in_all, p.due_in_all)}",
            *([f"{seconds:.0f} s a turn"] if seconds is not None else []),
            *([f"{count_of(p.unread, 'session')} to read"] if p.unread else []),
        ))  # fmt: skip
        self._who = f"{filter_in_words(chosen, person)}      {person.by}{_role(person)}"
        self._share = p.done_in_all / p.due_in_all if p.due_in_all else 0.0
        self.setAccessibleName("; ".join((self._where, self._how_far, self._who)))
        self.setProperty("text", self.accessibleName())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(600, 34)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        look, width = self._look, self.width()
        painter.fillRect(self.rect(), QColor(look.base))
        painter.fillRect(QRectF(0, self.height() - 3, width, 3), QColor(look.line))
        painter.fillRect(QRectF(0, self.height() - 3, width * self._share, 3), QColor(look.accent))
        box = QRectF(12, 0, width - 24, self.height() - 3)
        painter.setFont(sized(self.font(), look.body_pt, bold=True))
        painter.setPen(QColor(look.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self._where)
        painter.setFont(sized(self.font(), look.small_pt))
        painter.setPen(QColor(look.quiet))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._how_far)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._who)


def _done(person: Person, done: int, due: int) -> str:
    """An adjudicator rules on few of the turns that are gone through."""
    return f"{done} of {due} ruled" if person.adjudicates else f"{done} done"


def _role(person: Person) -> str:
    roles = {"adjudicator": person.adjudicates, "second": person.second, f"sample {person.sample}": person.sample}
    held = [name for name, holds in roles.items() if holds]
    return f" ({', '.join(held)})" if held else ""


def filter_in_words(chosen: Filter, person: Person) -> str:
    """Which turns are gone through, and the key that changes it."""
    open_turns = "to be ruled" if person.adjudicates else "not done"
    return {"all": "all turns", "open": open_turns, "differing": "annotators differ"}[chosen] + "  (F12)"
