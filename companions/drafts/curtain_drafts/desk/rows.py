"""What the panel of drafts says: a row for each draft, how far the tool is, and the line on the draft pointed at."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import zip_longest

from curtain.domain.display.shown_answer import verdict_of
from curtain.domain.wire import Result
from curtain.qt.languages.translation import PARTS, number_here, sentence_here, translate
from curtain_drafts.desk.control import DraftsOnScreen, DraftState
from curtain_drafts.drafting.values import GUESS, Draft
from curtain_drafts.tool.service import OURS, Spent, Standing

_ROWS_SHOWN = 3
_QUOTED = re.compile("(?<=“)[^”]+(?=”)")
_GAP = "\ue000"


@dataclass(frozen=True)
class DraftRow:
    """One line: `sketch` is the SQL in short, `rows` what it would answer, empty as long as nobody knows, `word` the
    confidence as a word, `new` the mark of a draft that came after the first list. `apart` are the places of the words
    of the sketch at which other sketches go another way."""

    number: int
    confidence: float
    sketch: str
    rows: str = ""
    apart: tuple[int, ...] = ()
    sql: str = ""
    taken: bool = False
    word: str = ""
    new: str = ""

    @property
    def figure(self) -> str:
        """The confidence with two decimals and without the leading zero, `.99` at most."""
        # Never 1.00: no draft is sure, and all figures are equally wide.
        return f"{min(0.99, max(0.0, self.confidence)):.2f}".lstrip("0")

    @property
    def in_words(self) -> str:
        """The whole row in words, for a screen reader."""
        return " ".join(part for part in self._parts if part)

    @property
    def _parts(self) -> tuple[str, ...]:
        return str(self.number), self.new, self.figure, self.word, self.sketch, self.rows


def draft_rows(shown: DraftsOnScreen, taken_sql: str = "", kept: Collection[str] = ()) -> list[DraftRow]:
    """A row for each draft but those whose answer a better one gives, unless their statements are `kept`; each has its
    number, whichever goes: a hand may be on its way to it. The row of the statement `taken_sql` stands out."""
    twice, sketches = repeated(shown.drafts, shown.previews), shown.sketches
    return [
        DraftRow(
            number=number,
            confidence=draft.confidence,
            sketch=sketch,
            rows=_row_count(shown.previews.get(draft.sql)),
            sql=draft.sql,
            taken=draft.sql == taken_sql,
            word=_how_sure(draft.confidence, shown.previews.get(draft.sql)),
            new=translate("Drafts", "new") if draft.sql in shown.new else "",
            apart=_apart(sketch, sketches),
        )
        for number, (draft, sketch) in enumerate(zip(shown.drafts, sketches, strict=True), 1)
        if number not in twice or draft.sql in kept
    ]


def _apart(sketch: str, sketches: Sequence[str]) -> tuple[int, ...]:
    words = sketch.split()
    others = (other.split() for other in sketches if other != sketch)
    pairs = (zip_longest(words, other) for other in others)
    places = {next(at for at, (one, two) in enumerate(pair) if one != two) for pair in pairs}
    return tuple(sorted({min(place, len(words) - 1) for place in places}))


def fitted(row: DraftRow, fits: Callable[[str], bool]) -> str:
    """As much of the sketch as `fits`: the words by which it differs from others, those behind these, then as many as
    there is room for from the beginning."""
    words = row.sketch.split()
    shown = set(row.apart) or {0}
    # What follows such a word says how it is meant.
    for place in (*(place + more for more in (1, 2) for place in row.apart), *range(len(words))):
        if not fits(_with_gaps(words, shown | {place})):
            break
        shown.add(place)
    return _with_gaps(words, shown)


def _with_gaps(words: Sequence[str], shown: Set[int]) -> str:
    return " ".join(word if at in shown else "…" for at, word in enumerate(words) if {at, at - 1} & shown or not at)


def draft_details(draft: Draft, preview: Result | None, ignored: Sequence[str]) -> str:
    """The words that a draft ignores, how sure it is, its first rows, where it comes from and its reason; and that it
    has no chips, where its statement cannot be taken apart."""
    # First, since the line is cut where it does not fit, and this is the reason to doubt a draft.
    without = translate("Drafts", "ignored: {0}").format(", ".join(ignored)) if ignored else ""
    sure = translate("Drafts", "confidence {0}").format(number_here(draft.confidence, 2))
    source = ": ".join(filter(None, [source_of(draft), _because(draft.because)]))
    parts = [without, sure, _first_rows(preview) if preview is not None else "", source]
    parts += [] if any(chip.start < 0 for chip in draft.chips) else [translate("Drafts", "no chips: change its SQL")]
    return "      ".join(part for part in parts if part)


def _because(reason: str) -> str:
    """Why there is this draft, in the language of the window; what the drafter quotes stays as it is."""
    quoted = iter(_QUOTED.findall(reason))
    parts = _QUOTED.sub(_GAP, reason).split("; ")
    return re.sub(_GAP, lambda _: next(quoted, ""), "; ".join(translate(PARTS, part) for part in parts))


def source_of(draft: Draft) -> str:
    """Where a draft comes from, in a word."""
    if draft.drafter != OURS:
        return translate("Drafts", "model")
    return translate("Drafts", "asked before") if draft.example is not None else translate("Drafts", "rules")


def heading_note(state: DraftState, standing: Standing, spent: Spent | None = None) -> str:
    """What stands beside the title of the panel: how the drafts are, and what served models took."""
    parts = [_state_note(state, standing)]
    if spent and spent.tokens_in + spent.tokens_out:
        parts.append(translate("Drafts", "model: {0} tokens").format(f"{spent.tokens_in + spent.tokens_out:,}"))
    if spent and spent.cost:
        parts.append(translate("Drafts", "cost {0}").format(f"{spent.cost:.4f}"))
    return "   ".join(filter(None, parts))


def _state_note(state: DraftState, standing: Standing) -> str:
    match state:
        case DraftState.STALE:
            return translate("Drafts", "for earlier words")
        case DraftState.WAITING:
            return translate("Drafts", "drafting")
    if standing.ready and standing.learning:
        # One drafter drafts while another still learns.
        return translate("Drafts", "learning, {0} %").format(_percent(standing))
    return ""


def calm_line(state: DraftState, standing: Standing, problem: str, has_turn: bool, english: bool = True) -> str:
    """The one line that stands where drafts would be; empty if there are some. Where subjects do not speak `english`,
    it says what is drafted then."""
    match state:
        case DraftState.STARTING if standing.learning:
            text = translate("Drafts", "Drafts: learning {0} examples, {1} %")
            return text.format(f"{standing.learning:,}", _percent(standing))
        case DraftState.STARTING:
            return translate("Drafts", "Preparing drafts…")
        case DraftState.EMPTY | DraftState.NONE if standing.problem:
            return translate("Drafts", "No drafts: {0}").format(standing.problem)
        case DraftState.OFF:
            return problem
        case DraftState.EMPTY if has_turn and not english:
            return translate("Drafts", "Drafts come from answered questions and models: the rules read only English.")
        case DraftState.NONE if not english:
            return translate("Drafts", "No draft fits: the rules read only English. Write the SQL below.")
        case DraftState.EMPTY:
            return translate("Drafts", "Drafts come as you type the query.") if has_turn else " "
        case DraftState.NONE:
            return translate(
                "Drafts", "No draft fits these words. Write the SQL below, or try other words with Ctrl+R."
            )
    return ""


def start_line(state: DraftState, standing: Standing, problem: str) -> str:
    """How far the tool is before a session begins; an empty text once it can draft."""
    if state is DraftState.OFF or standing.problem:
        return problem or standing.problem
    if state is not DraftState.STARTING and not (standing.learning and standing.share < 1):
        return ""
    if not standing.learning:
        return translate("Drafts", "Being prepared. A session may begin meanwhile.")
    text = translate("Drafts", "Learning {0} examples, {1} %. A session may begin meanwhile.")
    return text.format(f"{standing.learning:,}", _percent(standing))


def _percent(standing: Standing) -> int:
    return int(100 * standing.share)


def _how_sure(confidence: float, preview: Result | None) -> str:
    """A word by which nobody has to weigh .28 against .19; the figure stands with the first rows. What answers nothing
    is not likely, unless yes or no is asked for."""
    empty = preview is not None and preview.error is None and preview.total == 0 and not preview.yes_no
    if confidence >= 0.6 and not empty:
        return translate("Drafts", "sure") if confidence >= 0.9 else translate("Drafts", "likely")
    return translate("Drafts", "maybe") if confidence >= GUESS else translate("Drafts", "guess")


def _row_count(preview: Result | None) -> str:
    if preview is None:
        return ""
    if preview.error is not None:
        return translate("Drafts", "not counted")
    verdict = verdict_of(preview.cas_min or "") if preview.yes_no else None
    if verdict is not None:
        return (translate("Drafts", "Yes"), translate("Drafts", "No"), translate("Drafts", "neither yes nor no"))[
            verdict
        ]
    if preview.total == 1 and len(preview.rows) == 1:
        return ", ".join(filter(None, preview.rows[0])) or translate("Drafts", "1 empty row")
    if preview.total == 0:
        return translate("Drafts", "no rows")
    return translate("Drafts", "{0} rows").format(f"{preview.total:,}")


def _first_rows(preview: Result) -> str:
    if preview.error:
        return sentence_here(preview.error)
    rows = ["  ".join(cell for cell in row if cell) for row in preview.rows[:_ROWS_SHOWN]]
    more = " ..." if preview.total > len(rows) else ""
    return translate("Drafts", "gives {0}").format("  |  ".join(rows) + more) if rows else ""


# Two questions have one of these as their answer by chance too often.
_SAY_LITTLE = frozenset({"", "0", "Yes", "No", "true", "false"})

_Value = tuple[tuple[str, ...], ...]


def repeated(drafts: Sequence[Draft], previews: Mapping[str, Result]) -> dict[int, int]:
    """For the number of each draft whose answer a better one gives too: the number of that one, counted from 1.

    The better is the surer, and of two that are equally sure the earlier.
    """
    by_value: dict[_Value, list[int]] = {}
    for number, draft in enumerate(drafts, 1):
        value = _value(previews.get(draft.sql))
        if value is not None:
            by_value.setdefault(value, []).append(number)
    best = {
        value: max(numbers, key=lambda one: (drafts[one - 1].confidence, -one)) for value, numbers in by_value.items()
    }
    return {one: best[value] for value, numbers in by_value.items() for one in numbers if one != best[value]}


def _value(preview: Result | None) -> _Value | None:
    """The whole answer, whatever its order; None if it is not known whole or says too little to compare by."""
    if preview is None or not preview.rows or preview.total != len(preview.rows):
        return None
    if len(preview.rows) == 1 and len(preview.rows[0]) == 1 and preview.rows[0][0] in _SAY_LITTLE:
        return None
    return tuple(sorted(map(tuple, preview.rows)))
