"""What the list says of each turn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby

from curtain.base.words import holds_words
from curtain.qt.languages.translation import translate
from curtain.session.chairs.table import TurnPart
from curtain.session.turns.turn_progress import TurnProgress, TurnState
from wizard_app.desk.session.progress import Block, SessionProgress
from wizard_app.desk.session.scenarios import scenario_started


class RowMark(Enum):
    """How a row stands out; the value is its icon."""

    NOW = "play"
    CORRECTING = "back"
    WAITING = "pause"
    SPEAKING = "record"
    ANSWERED = "check"
    MESSAGED = "send"
    LEFT = "cross"
    UNSEEN = "warning"


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One line of the list: `word` names the state, `text` is what was said as far as it is known, `task` is the id of
    its scenario. `started_over`: after it the subject had the earlier answers taken off the screen."""

    number: int
    mark: RowMark
    word: str
    seconds: str = ""
    text: str = ""
    noted: bool = False
    task: str = ""
    started_over: bool = False

    @property
    def in_words(self) -> str:
        """The whole row in words, for a screen reader."""
        after = started_over_words() if self.started_over else ""
        return " ".join(part for part in (str(self.number), self.word, self.seconds, self.text, after) if part)


@dataclass(frozen=True, slots=True)
class TaskRow:
    """The heading of the turns of one task: which one it is, its title, how it stands."""

    place: str
    title: str
    state: str = ""

    @property
    def in_words(self) -> str:
        """The heading in words, for a screen reader."""
        return " ".join(part for part in (self.place, self.title, self.state) if part)


ListRow = TurnRow | TaskRow


def started_over_words() -> str:
    """What stands after a turn behind which the subject took the earlier answers off the screen."""
    return translate("Turns", "then started over")


@dataclass(frozen=True, slots=True)
class _Place:
    """What of a row does not follow from its turn alone."""

    at_work: bool = False
    correcting: bool = False
    waited_s: float | None = None
    started_over: bool = False
    unseen: bool = False
    leaving: bool = False
    holder: str = ""


_ELSEWHERE = _Place()


@dataclass(frozen=True, slots=True)
class _BlockRows:
    """The rows of a block of turns, and what they were made from; None for a tap."""

    block: Block
    places: Mapping[int, _Place]
    by_number: Mapping[int, TurnRow | None]
    rows: Sequence[TurnRow]


class TurnRows:
    """The rows of the list. A row is made anew only when its turn or its place in the work has changed, and blocks in
    which nothing changed are not looked at."""

    def __init__(self) -> None:
        self._made: dict[int, _BlockRows] = {}

    def rows(
        self,
        progress: SessionProgress,
        current: int | None,
        correcting: bool,
        waiting_s: Mapping[int, float],
        unseen: Iterable[int] = (),
        leaving: Iterable[int] = (),
    ) -> list[TurnRow]:
        """One row a turn, oldest first, none for a tap.

        `waiting_s` says how long each turn that waits has waited; `unseen` are the turns whose reply is not shown,
        `leaving` those whose reply waits for its moment.
        """
        places = {number: _Place(waited_s=waited) for number, waited in waiting_s.items()}
        if current is not None:
            places[current] = _Place(True, correcting, waiting_s.get(current))
        for number in progress.started_over_after:
            places[number] = replace(places.get(number, _ELSEWHERE), started_over=True)
        for number in unseen:
            places[number] = replace(places.get(number, _ELSEWHERE), unseen=True)
        for number in leaving:
            places[number] = replace(places.get(number, _ELSEWHERE), leaving=True)
        for number, holder in _holders(progress):
            places[number] = replace(places.get(number, _ELSEWHERE), holder=holder)
        rows: list[TurnRow] = []
        for at, block in progress.all_turns.blocks.items():
            here = {number: place for number, place in places.items() if number in block}
            rows += self._block(at, block, here).rows
        return rows

    def _block(self, at: int, block: Block, places: Mapping[int, _Place]) -> _BlockRows:
        made = self._made.get(at)
        if made is None or made.block is not block or made.places != places:
            by_number = {number: _row_again(turn, places, made) for number, turn in block.items()}
            rows = [row for row in by_number.values() if row is not None]
            made = self._made[at] = _BlockRows(block, places, by_number, rows)
        return made


def _holders(progress: SessionProgress) -> Iterator[tuple[int, str]]:
    """Who works on each open turn, where several people do."""
    if len(progress.chairs.chairs) > 1:
        for turn in progress.open_turns:
            if holder := progress.chairs.state(TurnPart(turn.number, turn.next_part)).holder:
                yield turn.number, holder


def _row_again(turn: TurnProgress, places: Mapping[int, _Place], made: _BlockRows | None) -> TurnRow | None:
    number = turn.number
    place = places.get(number, _ELSEWHERE)
    if made is not None and made.block.get(number) is turn and made.places.get(number, _ELSEWHERE) == place:
        return made.by_number[number]
    return None if turn.is_tap else _row(turn, place)


def by_task(
    rows: Iterable[TurnRow], progress: SessionProgress, titles: Mapping[str, str]
) -> Iterator[TurnRow | TaskRow]:
    """The rows with a heading before the turns of each task; `titles` are those of the scenarios, by id."""
    for task, turns in groupby(rows, lambda row: row.task):
        if task:
            yield _heading(task, progress, titles.get(task, ""))
        yield from turns


def found_rows(rows: Sequence[ListRow], progress: SessionProgress, wanted: str) -> Sequence[ListRow]:
    """The turns whose query or statements hold all these words, without headings; all rows where there are none."""
    if not wanted.strip():
        return rows
    return [row for row in rows if isinstance(row, TurnRow) and holds_words(_searched(row, progress), wanted)]


def _searched(row: TurnRow, progress: SessionProgress) -> str:
    turn = progress.turns.get(row.number)
    return " ".join((row.text, *(attempt.sql for attempt in turn.attempts))) if turn is not None else row.text


def _heading(task: str, progress: SessionProgress, title: str) -> TaskRow:
    running = progress.scenario is not None and progress.scenario.scenario_id == task
    reason = next((ended.reason for ended in reversed(progress.scenarios_ended) if ended.scenario_id == task), "")
    state = translate("Turns", "now") if running else _end(reason)
    if progress.opened is None:
        return TaskRow(translate("Turns", "Scenario"), title or task, state)
    started = scenario_started(progress.opened, task)
    numbered = translate("Turns", "Scenario {0} of {1}").format(started.number, started.of)
    place = translate("Turns", "Practice") if started.practice else numbered
    return TaskRow(place, title or task, state)


def _end(reason: str) -> str:
    """How a scenario ended, in a word; "" before that. Why it has no answer is in the data."""
    ended = translate("Turns", "done") if reason == "answered" else translate("Turns", "no answer")
    return ended if reason else ""


def _row(turn: TurnProgress, place: _Place) -> TurnRow:
    mark, word = _standing(turn, turn.number if place.at_work else None, place.correcting)
    if turn.state is TurnState.OPEN and place.holder and not place.at_work:
        word = translate("Turns", "with {0}").format(place.holder)
    if place.unseen and not place.at_work:
        mark, word = RowMark.UNSEEN, translate("Turns", "not shown")
    if place.leaving and not place.at_work:
        mark, word = RowMark.MESSAGED, translate("Turns", "sending")
    seconds = turn.waited_s if turn.sent else place.waited_s
    return TurnRow(
        number=turn.number,
        mark=mark,
        word=word,
        seconds=f"{seconds:.0f} s" if seconds is not None else "",
        text=turn.query or _reply(turn),
        noted=bool(turn.notes),
        task=turn.scenario_id or "",
        started_over=place.started_over,
    )


def _standing(turn: TurnProgress, current: int | None, correcting: bool) -> tuple[RowMark, str]:
    if turn.number == current:
        return (
            (RowMark.CORRECTING, translate("Turns", "correcting"))
            if correcting
            else (RowMark.NOW, translate("Turns", "now"))
        )
    match turn.state:
        case TurnState.SPEAKING:
            return RowMark.SPEAKING, translate("Turns", "speaking")
        case TurnState.SAVING:
            return RowMark.WAITING, translate("Turns", "arriving")
        case TurnState.OPEN:
            return RowMark.WAITING, translate("Turns", "waiting")
        case TurnState.ANSWERED:
            return RowMark.ANSWERED, _sent(turn, translate("Turns", "answer"))
        case TurnState.MESSAGED:
            return RowMark.MESSAGED, _sent(turn, translate("Turns", "message"))
        case TurnState.INTERRUPTED:
            return RowMark.LEFT, translate("Turns", "interrupted")
    without = {"no_sound": translate("Turns", "no sound"), "disk_full": translate("Turns", "disk full")}
    return RowMark.LEFT, without.get(turn.cancelled or "", translate("Turns", "cancelled"))


def _sent(turn: TurnProgress, word: str) -> str:
    return word if len(turn.sent) == 1 else translate("Turns", "corrected")


def _reply(turn: TurnProgress) -> str:
    """Without a query, what was sent distinguishes the turns."""
    last = turn.sent[-1].fact if turn.sent else None
    return getattr(last, "text", "") if last is not None else ""
