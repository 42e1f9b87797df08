"""The open study: what to do next, what can be done, and its sessions."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QPushButton, QSizePolicy, QTreeWidget, QTreeWidgetItem, QWidget

from curtain.commands.sessions.facts import SessionFacts, StudyFacts
from curtain.qt.command_text import SearchLine
from curtain.qt.languages.translation import figure_here, sentence_here, translate
from curtain.qt.style import GAP, PAGE, PANEL, Look, set_size, set_text_colour
from curtain.qt.widgets import OneLine, column, heading, label, line_within, named, plain_tip, row, say
from curtain.qt.wrapping_row import WrappingRow
from curtain_home.panels.action_buttons import ActionButtons, action_button
from curtain_home.panels.keys import key_of


class StudyPanel(QWidget):
    """`action_requested` carries the name of an action of the key table."""

    action_requested = Signal(str)
    next_requested = Signal()
    study_folder_requested = Signal()
    task_sheets_requested = Signal()
    consent_form_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._title = OneLine("study_title", look)
        set_size(self._title, look.large_pt, bold=True)
        set_text_colour(self._title, look.text)
        self._place = OneLine("study_place", look)
        self._next_step = label("", look, bold=True, name="next_step", wraps=True)
        self._next_step.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._do = named(QPushButton(default=True), "do_next")
        self._do.setProperty("primary", True)
        self._do.clicked.connect(self.next_requested)
        set_size(self._do, look.body_pt, bold=True)
        self.sessions = SessionTable(look)
        self._search = named(SearchLine(), "session_search", self.tr("Search the sessions"))
        self._search.setPlaceholderText(self.tr("search  ({0})").format(key_of("find_session")))
        self._search.setToolTip(plain_tip(self.tr("Speaker, id, state, day, or words of a question")))
        self._search.textChanged.connect(self.sessions.search)
        self._search.left.connect(self.sessions.setFocus)
        self._study_folder = named(QPushButton(self.tr("Open folder"), autoDefault=True), "study_folder",
                                   self.tr("Open the folder of the study"))  # fmt: skip
        self._study_folder.clicked.connect(self.study_folder_requested)
        self._tasks = named(QPushButton(self.tr("Scenario sheets …"), autoDefault=True), "task_sheets",
                            self.tr("Save the scenario sheets as a page to print"))  # fmt: skip
        self._tasks.clicked.connect(self.task_sheets_requested)
        self._consent = named(QPushButton(self.tr("Consent form …"), autoDefault=True), "consent_form",
                              self.tr("Save a consent form as a page to print"))  # fmt: skip
        draft = self.tr("A draft of what the settings promise: add what your lab must say.")
        self._consent.setToolTip(plain_tip(draft))
        self._consent.clicked.connect(self.consent_form_requested)
        self._of_session = {
            # Its key has no letter for a mnemonic; so the name is not that of the action.
            "timeline": named(
                QPushButton(self.tr("Timeline"), autoDefault=True),
                "show_timeline",
                self.tr("Timeline of the chosen session, {0}").format(key_of("timeline")),
            ),
            "session_folder": action_button("session_folder", self.tr("Open folder")),
            "verify": action_button("verify", self.tr("Verify")),
            "repair": action_button("repair", self.tr("Repair a copy")),
        }
        self._find_action = action_button("more_actions", self.tr("Look for an action …"))
        for name, made in (*self._of_session.items(), ("more_actions", self._find_action)):
            made.clicked.connect(partial(self.action_requested.emit, name))
        for small in (self._search, self._study_folder, self._tasks, self._consent, self._find_action,
                      *self._of_session.values()):  # fmt: skip
            set_size(small, look.small_pt)
        self._search.ensurePolished()
        hint = self._search.fontMetrics().horizontalAdvance(self._search.placeholderText())
        self._search.setMinimumWidth(hint + 2 * PANEL.left())
        self.buttons = ActionButtons(self._groups(), look)
        self.buttons.action_requested.connect(self.action_requested)
        box = named(QFrame(frameShape=QFrame.Shape.StyledPanel), "next_box")
        # The sentence has the whole width: with large letters it needs few lines.
        box.setLayout(column(row(heading(self.tr("Next"), look), 1, self._do), self._next_step, margins=PANEL))
        parts = column(
            row((self._title, 1), self._find_action),
            row((self._place, 1), self._consent, self._tasks, self._study_folder), box, self.buttons,
            row(heading(self.tr("Sessions"), look), (self._search, 1), WrappingRow(*self._of_session.values())),
            (self.sessions, 1),
            margins=PAGE, spacing=GAP,
        )  # fmt: skip
        self.setLayout(parts)

    def show_study(self, study: StudyFacts | None, reading: bool) -> None:
        """The study's name, folder, domain and sessions; None is no study yet."""
        if study is None:
            self._title.setText(self.tr("Reading the study") if reading else self.tr("Welcome to Curtain"))
            self._place.setText("")
            self._study_folder.hide()
            self._tasks.hide()
            self._consent.hide()
            self.sessions.show_sessions(())
            return
        self._title.setText(study.name)
        self._study_folder.show()
        for paper in (self._tasks, self._consent):
            paper.setVisible(not study.problem)
        home = Path.home()
        where = str("~" / study.folder.relative_to(home) if study.folder.is_relative_to(home) else study.folder)
        self._place.setText(f"{study.domain}   ·   {where}" if study.domain else where)
        self.sessions.show_sessions(study.sessions)

    def show_next(self, sentence: str, button: str, action: str, study: StudyFacts | None) -> None:
        """What to do next, and how far each stage of the study is; without a text the button goes."""
        self.buttons.show_states(self._states(study), action)
        sentence, button = sentence_here(sentence), translate("Home", button)
        self._next_step.setText(sentence)
        self._do.setText(button)
        self._do.setAccessibleDescription(sentence)
        self._do.setVisible(bool(button))

    def show_possible(self, possible: Mapping[str, bool]) -> None:
        """Which actions can be done now."""
        self.buttons.show_possible({name: can for name, can in possible.items() if name not in self._of_session})
        for name, made in self._of_session.items():
            made.setEnabled(possible[name])

    def find_session(self) -> None:
        """Put the cursor into the search, on what is there to type over."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def take_focus(self) -> None:
        """Put the cursor on what comes next."""
        target: QWidget = self._do if self._do.isVisibleTo(self) else self.sessions
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _groups(self) -> list[tuple[str, list[tuple[str, str]]]]:
        return [
            (self.tr("Plan"), [
                ("settings", self.tr("Settings …")), ("words", self.tr("Scenarios, messages, texts …")),
                ("check", self.tr("Check this machine")),
            ]),
            (self.tr("Run"), [
                ("both_stations", self.tr("Both stations")), ("wizard_station", self.tr("Wizard’s station")),
                ("subject_station", self.tr("Subject’s station")), ("trial_session", self.tr("Trial session")),
                ("sample_session", self.tr("Play the sample")),
            ]),
            (self.tr("Annotate"), [("annotate", self.tr("Annotate"))]),
            (self.tr("Evaluate"), [("score", self.tr("Score answers …"))]),
            (self.tr("Publish"), [("export", self.tr("Export …")), ("retention", self.tr("Days to keep"))]),
        ]  # fmt: skip

    def _states(self, study: StudyFacts | None) -> list[str]:
        if study is None or study.problem:
            return [""] * 5
        data = study.data
        trials = sum(one.pilot for one in study.sessions)
        turns, annotated = sum(one.turns for one in data), sum(one.annotated for one in data)
        exported = sum(one.session_id in study.exported for one in data)
        return [
            "", self.tr("Sessions: {0}, trials: {1}").format(len(data), trials),
            self.tr("{0} of {1} turns").format(annotated, turns), self.tr("Turns to score: {0}").format(annotated),
            self.tr("{0} of {1} exported").format(exported, len(data)),
        ]  # fmt: skip


_ID = int(Qt.ItemDataRole.UserRole)
_RIGHT = (2, 3, 4)
_SIZE = 4


class SessionTable(QTreeWidget):
    """One line a session. Enter or a double click asks to verify it."""

    session_activated = Signal(str)
    session_chosen = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._shown: tuple[SessionFacts, ...] | None = None
        self._wanted = ""
        named(self, "sessions", self.tr("Sessions of the study"))
        self.setRootIsDecorated(False)
        self.setAlternatingRowColors(True)
        self.setAllColumnsShowFocus(True)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHeaderLabels([
            self.tr("Session"), self.tr("Begun (UTC)"), self.tr("Turns"), self.tr("Annotated"), self.tr("Size"),
            self.tr("State"),
        ])  # fmt: skip
        for at in _RIGHT:
            self.headerItem().setTextAlignment(at, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        set_size(self, look.small_pt)
        self._empty = line_within(self, look)
        self.itemActivated.connect(lambda item: self.session_activated.emit(item.data(0, _ID)))
        self.currentItemChanged.connect(lambda now, _: self.session_chosen.emit(now.data(0, _ID) if now else ""))

    @property
    def chosen(self) -> str:
        """The id of the chosen session, or an empty text."""
        item = self.currentItem()
        return str(item.data(0, _ID)) if item is not None else ""

    def show_sessions(self, sessions: Sequence[SessionFacts]) -> None:
        """The sessions in this order; the chosen one stays chosen, at first it is the last."""
        if tuple(sessions) == self._shown:
            return
        chosen, before, self._shown = self.chosen, self._shown or (), tuple(sessions)
        if [one.session_id for one in before] == [one.session_id for one in sessions]:
            # A few sessions were read meanwhile: the others stay, with cursor and scroll bar.
            for at, (old, new) in enumerate(zip(before, sessions, strict=True)):
                if old != new and (item := self.topLevelItem(at)) is not None:
                    self._fill(item, new)
        else:
            self.clear()
            self.addTopLevelItems([self._item(session) for session in sessions])
            ids = [session.session_id for session in sessions]
            self.setCurrentIndex(self.model().index(ids.index(chosen) if chosen in ids else len(ids) - 1, 0))
        self._hide_others()
        self._fit_columns()

    def search(self, wanted: str) -> None:
        """Only the sessions that hold all these words or parts of words, whatever their case: in the id, the day, the
        state, or a question that was typed."""
        self._wanted = wanted
        self._hide_others()

    def _hide_others(self) -> None:
        # Loaded when somebody searches: its table of marks takes a while to make.
        if self._wanted:
            from curtain.base.words import holds_words
        left = []
        for at, session in enumerate(self._shown or ()):
            searched = f"{session.session_id} {session.begun} {self._state(session)} {session.words}"
            fits = not self._wanted or holds_words(searched, self._wanted)
            self.setRowHidden(at, self.rootIndex(), not fits)
            left += [at] if fits else []
        if left and self.currentIndex().row() not in left:
            self.setCurrentIndex(self.model().index(left[-1], 0))
        elif not left:
            self.setCurrentIndex(QModelIndex())
        self.setProperty("found", len(left))
        say(self._empty, self.tr("No session has these words.") if self._wanted and not left else "")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for at, session in enumerate(self._shown or ()):
                if (item := self.topLevelItem(at)) is not None:
                    self._colour(item, session)
        elif event.type() == QEvent.Type.FontChange:
            self._fit_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()
        # What a command prints takes room from below, where the last session is.
        self.scrollTo(self.currentIndex())

    def sizeHint(self) -> QSize:
        return QSize(400, self._height_of(3))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self._height_of(3))

    def _height_of(self, rows: int) -> int:
        """The heading and so many rows, at each size of text, above a scroll bar."""
        row = self.sizeHintForRow(0) if self.topLevelItemCount() else self.fontMetrics().lineSpacing() + 4
        bar = self.horizontalScrollBar().sizeHint().height()
        return self.header().sizeHint().height() + rows * row + bar + 2 * self.frameWidth()

    def _item(self, session: SessionFacts) -> QTreeWidgetItem:
        item = QTreeWidgetItem()
        item.setData(0, _ID, session.session_id)
        for at in _RIGHT:
            item.setTextAlignment(at, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._fill(item, session)
        return item

    def _fill(self, item: QTreeWidgetItem, session: SessionFacts) -> None:
        state = self._state(session)
        counts = [
            str(session.turns),
            self.tr("{0} of {1}").format(session.annotated, session.turns) if session.turns else "",
            figure_here(size_text(session.size)),
        ] if session.is_read or session.size else ["…", "", "…"]  # fmt: skip
        for at, text in enumerate((session.session_id, session.begun, *counts, state)):
            item.setText(at, text)
        item.setToolTip(5, plain_tip(session.problem or state))
        self._colour(item, session)

    def _colour(self, item: QTreeWidgetItem, session: SessionFacts) -> None:
        if session.problem or session.soundness == "damaged":
            item.setForeground(5, QColor(self._look.bad))
        elif session.closed and session.soundness == "sound":
            item.setForeground(5, QColor(self._look.good))

    def _fit_columns(self) -> None:
        room = self.viewport().width() if self.isVisible() else self.width()
        self.header().setStretchLastSection(False)
        self.setColumnHidden(_SIZE, False)
        for at in range(self.columnCount()):
            self.resizeColumnToContents(at)
            self.setColumnWidth(at, self.columnWidth(at) + 14)
        # With large letters the state is worth more than the size. What is still too wide scrolls, and is not cut.
        self.setColumnHidden(_SIZE, self.header().length() > room)
        self.header().setStretchLastSection(self.header().length() <= room)

    def _state(self, session: SessionFacts) -> str:
        if session.problem:
            return self.tr("cannot be read")
        state = self.tr("closed") if session.closed else self.tr("not ended")
        soundness = {"sound": self.tr(", verified"), "damaged": self.tr(", damaged"), "unknown": ""}[session.soundness]
        return (self.tr("trial, ") if session.pilot else "") + state + soundness


def size_text(size: int) -> str:
    """Bytes as people write them, in powers of 1000: “820 bytes”, “4.5 MB”."""
    if size < 1000:
        return f"{size} bytes"
    amount = size / 1000
    for unit in ("kB", "MB", "GB"):
        # 999.95 and more would be printed as 1000.0.
        if amount < 999.95:
            return f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} TB"
