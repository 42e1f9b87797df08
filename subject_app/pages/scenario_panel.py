"""The task: always there, folds to one line."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QWidget

from curtain.link.messages import ScenarioShown
from curtain.qt import icons
from curtain.qt.style import LOOSE, TIGHT, Look
from curtain.qt.widgets import column, named, row
from subject_app.pages.widgets import ReadingText, Sheet, button, label
from subject_app.session.texts import Texts, fill


class ScenarioPanel(Sheet):
    """The task of the scenario that runs, and its number."""

    def __init__(self, look: Look, texts: Texts) -> None:
        super().__init__(look)
        self._texts = texts
        self._scenario: ScenarioShown | None = None
        self._over = False
        self._folded = self._chosen = False
        self._task = label(look, look.body_pt, bold=True, colour=look.accent, name="task")
        self._line = label(look, look.read_pt, name="task_line")
        self._fold = button(look, "task_sheet", quiet=True)
        self._text = named(ReadingText(look, look.title_pt), "task_text")
        self._text.label.setObjectName("scenario")
        self._fold.clicked.connect(self.toggle)
        self._lay_out()

    @property
    def text_widget(self) -> QWidget:
        """The widget that shows the task now."""
        return self._line if self._folded else self._text.label

    def show_scenario(self, scenario: ScenarioShown | None, over: bool) -> None:
        """A new task is always unfolded: it must be read."""
        self._scenario, self._over = scenario, over
        self._folded = self._chosen = False
        self._refresh()

    def toggle(self) -> None:
        """Fold to one line, or back; so it stays until the next task."""
        self._folded, self._chosen = not self._folded, True
        self._refresh()

    def needed(self, width: int) -> int:
        """The height in pixels at which this width shows all of the task, or its one line."""
        return self.minimumSizeHint().height() if self._folded else self._whole(width)

    def give_way(self, width: int, room: int) -> None:
        """Fold when less room is left than all of it needs in this width, both in pixels, and unfold where there is
        enough. What the subject has folded or unfolded stays."""
        needed = self._whole(width) > room
        if needed != self._folded and not self._chosen and not self._over and self._scenario is not None:
            self._folded = needed
            self._refresh()

    def _whole(self, width: int) -> int:
        shown = TIGHT if self._folded else -self._text.minimumSizeHint().height()
        return self.minimumSizeHint().height() + shown + self._text.needed(width - 2 * self.inset(width))

    def _refresh(self) -> None:
        self._task.setText(self._heading())
        self._text.set_name(self._heading() or self._body())
        self._task.setVisible(self._scenario is not None)
        self._text.set_text(self._body())
        self._text.setVisible(not self._folded)
        self._line.setVisible(self._folded)
        self._fold.setText(self._texts.task_sheet_show if self._folded else self._texts.task_sheet_hide)
        self._fold.setIcon(icons.icon("unfold" if self._folded else "fold"))
        self._fold.setVisible(self._scenario is not None and not self._over)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        """The icon takes the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_fold"):
            self._fold.setIcon(icons.icon("unfold" if self._folded else "fold"))

    def _heading(self) -> str:
        scenario = self._scenario
        if scenario is None:
            return ""
        if scenario.practice:
            return self._texts.practice
        return fill(self._texts.task, number=scenario.number, of=scenario.of)

    def _body(self) -> str:
        if self._over:
            return self._texts.task_over
        return self._scenario.text if self._scenario else self._texts.task_coming

    def _elide(self) -> None:
        metrics = QFontMetrics(self._line.font())
        beside = self._task.sizeHint().width() + self._fold.sizeHint().width() + 4 * LOOSE
        room = max(80, self.width() - 2 * self.inset(self.width()) - beside)
        text = " ".join(self._body().split())
        self._line.setText(metrics.elidedText(text, Qt.TextElideMode.ElideRight, room))

    def _lay_out(self) -> None:
        top = row(self._task, self._line, 1, self._fold, spacing=LOOSE)
        self.setLayout(column(top, self._text, spacing=TIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The folded line is cut anew."""
        super().resizeEvent(event)
        self._elide()
