"""Tells the panel of drafts what to show; nothing here decides what happens."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Slot

from curtain.drafting.service import Preview, Standing
from curtain.drafting.values import Draft
from wizard_app.desk.drafts.control import DraftsControl, DraftsOnScreen, DraftState
from wizard_app.desk.drafts.same_answers import repeated
from wizard_app.desk.drafts.sketch import sketches
from wizard_app.window.drafts.draft_list import DraftRow
from wizard_app.window.pages.work_page import WorkPage

_ROWS_TOLD = 3
_STALE = (DraftState.STALE, DraftState.WAITING)


class DraftsPresenter(QObject):
    """Reads the drafts, writes the panel and marks the words of the query on which a draft rests."""

    def __init__(self, page: WorkPage, drafts: DraftsControl, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._page = page
        self._drafts = drafts
        self._sketches: dict[tuple[Draft, ...], list[str]] = {}
        self._taken_sql = ""

    @Slot()
    def show(self) -> None:
        """All of the panel."""
        panel, state, shown = self._page.drafts, self._drafts.state, self._drafts.shown
        stale = state in _STALE
        calm = self._calm(state)
        twice = repeated(shown.drafts, shown.previews)
        # Each keeps its number, whichever goes: a hand may be on its way to it.
        numbers = [number for number in range(1, len(shown.drafts) + 1) if number not in twice]
        rows = [] if calm else [self._row(number, shown) for number in numbers]
        panel.show_rows(rows, stale, self._told(state), calm)
        panel.show_rewording(self._drafts.wanted.reworded)
        self.show_pointed()

    @Slot()
    def show_pointed(self) -> None:
        """Values, first rows, reason and words of the draft that a hand points at, else of the first."""
        panel, shown = self._page.drafts, self._drafts.shown
        pointed = panel.list.selected
        draft = shown.draft(pointed or 1)
        stale = self._drafts.state in _STALE
        panel.show_chips(self._drafts.chips_of(pointed or 1), stale)
        preview = shown.previews.get(draft.sql) if draft is not None else None
        passed_over = draft.ignored if draft is not None and not stale else ()
        panel.show_details(self._details(draft, preview, passed_over) if draft is not None else "")
        current = panel.chips.current
        if current is not None and current.chip.start >= 0:
            self._mark(((current.chip.start, current.chip.end),), passed_over)
        else:
            resting = draft if pointed else self._taken(shown)
            self._mark(resting.rests_on if resting is not None and not stale else (), passed_over)

    @property
    def on_start_page(self) -> str:
        """How far the tool is before a session begins; an empty text once it can draft."""
        standing, state = self._drafts.standing, self._drafts.state
        if state is DraftState.OFF or standing.fault:
            return self._drafts.fault or standing.fault
        if state is DraftState.STARTING or (standing.learning and standing.share < 1):
            if not standing.learning:
                return self.tr("Being prepared. A session may begin meanwhile.")
            text = self.tr("Learning {0} examples, {1} %. A session may begin meanwhile.")
            return text.format(f"{standing.learning:,}", int(100 * standing.share))
        return ""

    def show_taken(self, sql: str) -> None:
        """This statement was taken; its row and its words stand out."""
        self._taken_sql = sql
        self.show()

    def forget_taken(self) -> None:
        """No draft counts as taken any more: another turn is worked on."""
        self._taken_sql = ""

    # -- inner -------------------------------------------------------------------------------------------

    def _row(self, number: int, shown: DraftsOnScreen) -> DraftRow:
        draft = shown.drafts[number - 1]
        sketch = self._sketches_of(shown)[number - 1]
        rows = self._rows_told(shown.previews.get(draft.sql))
        taken, word = draft.sql == self._taken_sql, self._how_sure(draft.confidence)
        return DraftRow(number, draft.confidence, sketch, rows, draft.sql, taken, word)

    def _how_sure(self, confidence: float) -> str:
        """A word by which nobody has to weigh .28 against .19; the figure stands with the first rows."""
        words = ((0.9, self.tr("sure")), (0.6, self.tr("likely")), (0.25, self.tr("maybe")))
        return next((word for least, word in words if confidence >= least), self.tr("guess"))

    def _sketches_of(self, shown: DraftsOnScreen) -> list[str]:
        """Made once for a list: each new row count shows it again."""
        if shown.drafts not in self._sketches:
            self._sketches = {shown.drafts: sketches(shown.drafts)}
        return self._sketches[shown.drafts]

    def _rows_told(self, preview: Preview | None) -> str:
        if preview is None:
            return ""
        if preview.total is None:
            return self.tr("not counted")
        if preview.total == 1 and len(preview.rows) == 1 and len(preview.rows[0]) == 1:
            return preview.rows[0][0] or self.tr("1 empty row")
        if preview.total < 2:
            return self.tr("1 row") if preview.total else self.tr("no rows")
        return self.tr("{0} rows").format(f"{preview.total:,}")

    def _details(self, draft: Draft, preview: Preview | None, passed_over: Sequence[tuple[int, int]]) -> str:
        question = self._drafts.wanted.question
        words = ", ".join(question[start:end] for start, end in passed_over)
        # First, since the line is cut where it does not fit, and this is the reason to doubt a draft.
        without = self.tr("ignored: {0}").format(words) if words else ""
        sure = self.tr("confidence {0}").format(DraftRow(0, draft.confidence, "").figure)
        parts = [without, sure, _first_rows(preview) if preview is not None else "", draft.because]
        return "      ".join(part for part in parts if part)

    def _taken(self, shown: DraftsOnScreen) -> Draft | None:
        return next((draft for draft in shown.drafts if draft.sql == self._taken_sql), None)

    def _mark(self, spans: Sequence[tuple[int, int]], passed_over: Sequence[tuple[int, int]]) -> None:
        """The marks go where the words stand: in the query, or in the words that only the tool gets."""
        reworded = self._drafts.wanted.reworded is not None
        self._page.query.mark(*(((), ()) if reworded else (spans, passed_over)))
        self._page.drafts.mark(*((spans, passed_over) if reworded else ((), ())))

    def _told(self, state: DraftState) -> str:
        match state:
            case DraftState.STALE:
                return self.tr("for earlier words")
            case DraftState.WAITING:
                return self.tr("drafting")
        standing = self._drafts.standing
        if standing.ready and standing.learning:
            # One drafter drafts while another still learns.
            return self.tr("learning, {0} %").format(int(100 * standing.share))
        return ""

    def _calm(self, state: DraftState) -> str:
        """The one line that stands where drafts would be; empty if there are some."""
        fault = self._drafts.standing.fault
        match state:
            case DraftState.STARTING:
                return self._starting(self._drafts.standing)
            case DraftState.EMPTY | DraftState.NONE if fault:
                return self.tr("No drafts: {0}").format(fault)
            case DraftState.OFF:
                return self._drafts.fault
            case DraftState.EMPTY:
                return self.tr("Drafts come as you type the query.") if self._drafts.turn is not None else " "
            case DraftState.NONE:
                return self.tr("No draft fits these words. Write the SQL below, or try other words with Ctrl+R.")
        return ""

    def _starting(self, standing: Standing) -> str:
        if not standing.learning:
            return self.tr("Preparing drafts…")
        text = self.tr("Drafts: learning {0} examples, {1} %")
        return text.format(f"{standing.learning:,}", int(100 * standing.share))


def _first_rows(preview: Preview) -> str:
    if preview.fault:
        return preview.fault
    rows = ["  ".join(cell for cell in row if cell) for row in preview.rows[:_ROWS_TOLD]]
    more = " ..." if preview.total is not None and preview.total > len(rows) else ""
    return "  |  ".join(rows) + more
