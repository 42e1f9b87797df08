"""The list of all turns, with a search: typing narrows it, Return opens the chosen turn."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from curtain.qt.command_text import CommandLine
from curtain.qt.languages.translation import translate
from curtain.qt.style import GAP, LOOSE, Look, set_size
from curtain.qt.widgets import column, label, named
from curtain.qt.windows.dialog import TitledDialog
from curtain.review.control.turn_list import ListedTurn, matching

_HEADINGS = ("Session", "Turn", "State", "Class", "Query")
_QUERY = _HEADINGS.index("Query")
_WIDTHS = (90, 50, 70, 50)
_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_Index = QModelIndex | QPersistentModelIndex


class TurnsDialog(TitledDialog):
    """The keyboard stays in the search field; the arrows move in the list."""

    turn_chosen = Signal(str)
    is_search = True

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(look, self.tr("Go to a turn"), parent)
        self.setObjectName("turns_dialog")
        self._turns: Sequence[ListedTurn] = ()
        self._model = _Rows(look, self)
        self._search = named(CommandLine(), "turn_search", self.tr("Search"))
        self._search.setPlaceholderText(self.tr("words of the query, an id, “turn 12”, “class X”, “draft”, …"))
        self._list = _table(self._model, look)
        self._found = label("", look, small=True, quiet=True, name="turns_found")
        body = QWidget()
        body.setLayout(column(self._search, self._list, self._found, spacing=GAP))
        self.fill(body, spacing=LOOSE)
        self._search.textChanged.connect(self._narrow)
        self._search.installEventFilter(self)
        self._list.doubleClicked.connect(lambda index: self._choose(index.row()))
        self._search.setFocus()

    def show_turns(self, turns: Sequence[ListedTurn], open_turn: str) -> None:
        """All turns; the chosen one stays chosen, at first the one that is open."""
        before = self._chosen or open_turn
        self._turns = turns
        self._narrow(self._search.text(), before)

    @property
    def _chosen(self) -> str:
        at = self._list.currentIndex().row()
        return self._model.turns[at].utterance_id if 0 <= at < len(self._model.turns) else ""

    def _narrow(self, wanted: str, keep: str = "") -> None:
        keep = keep or self._chosen
        turns = matching(self._turns, wanted)
        self._model.show_turns(turns)
        at = next((n for n, one in enumerate(turns) if one.utterance_id == keep), 0)
        self._list.selectRow(at)
        self._list.scrollTo(self._model.index(at, 0), QAbstractItemView.ScrollHint.PositionAtCenter)
        self._found.setText(
            self.tr("{0} of {1} turns.  Up, Down: choose.  Enter: open.  Esc: back.").format(
                len(turns), len(self._turns)
            )
        )
        self.setProperty("found", len(turns))

    def _choose(self, at: int) -> None:
        if 0 <= at < len(self._model.turns):
            self.turn_chosen.emit(self._model.turns[at].utterance_id)
            self.accept()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() in _LIST_KEYS:
            # Handed on by hand: the list has no focus, so that typing goes into the search.
            self._list.keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self._list.currentIndex().row())
        else:
            return False
        return True


class _Rows(QAbstractTableModel):
    """The turns that are shown, a row each."""

    def __init__(self, look: Look, parent: QObject) -> None:
        super().__init__(parent)
        self._look = look
        self.turns: Sequence[ListedTurn] = ()

    def show_turns(self, turns: Sequence[ListedTurn]) -> None:
        self.beginResetModel()
        self.turns = turns
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.turns)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(_HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        shown = role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal
        return self.tr(_HEADINGS[section]) if shown else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        turn = self.turns[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (
                turn.session_id,
                str(turn.turn),
                translate("State of a turn", turn.state),
                turn.eval_class,
                turn.query,
            )[index.column()]
        if role == Qt.ItemDataRole.ForegroundRole and index.column() != _QUERY:
            return QColor(self._look.quiet)
        return None


def _table(model: _Rows, look: Look) -> QTableView:
    made = named(QTableView(showGrid=False, wordWrap=False), "turns", translate("Review", "Turns"))
    made.setModel(model)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    made.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    made.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    made.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    set_size(made, look.small_pt)
    made.verticalHeader().hide()
    made.verticalHeader().setDefaultSectionSize(made.fontMetrics().height() + 8)
    made.horizontalHeader().setSectionResizeMode(_QUERY, QHeaderView.ResizeMode.Stretch)
    made.horizontalHeader().setHighlightSections(False)
    made.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    for at, width in enumerate(_WIDTHS):
        made.setColumnWidth(at, width)
    made.setMinimumSize(860, 420)
    return made
