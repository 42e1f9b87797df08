"""Asks the NL tool for drafts as the query is typed, and knows which drafts belong to which text. No widgets here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from curtain.base.clock import steady_s
from curtain.base.sql_tokens import sql_words
from curtain.domain.wire import Result
from curtain.qt.background import Background
from curtain_drafts.desk.value_choices import (
    Choices,
    ShownChip,
    moved,
    shown_chips,
    standing,
    with_choice,
    without_choice,
)
from curtain_drafts.drafting.values import LEAST_SURE, Asked, Chip, Draft, Request, Value
from curtain_drafts.tool.service import Spent, Standing

if TYPE_CHECKING:
    from curtain_drafts.tool.service import DraftService

# Shorter than a pause between words, longer than between letters.
PAUSE_MS = 150
# So long a hand takes from the eye to the key.
_SETTLES_S = 0.3
MOST_CHARS = 2000


class DraftState(Enum):
    """How the drafts stand to the text; the values are read by the driver."""

    OFF = "off"
    STARTING = "starting"
    EMPTY = "empty"
    WAITING = "waiting"
    STALE = "stale"
    HERE = "here"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class DraftInput:
    """What is drafted for on one turn: the query as it stands, or as it was re-worded for the tool alone; `yes_no` if
    the answer is to be a yes or a no; in which scenario."""

    query: str = ""
    reworded: str | None = None
    previous: tuple[Asked, ...] = ()
    choices: Choices = ()
    yes_no: bool = False
    scenario: str = ""

    @property
    def question(self) -> str:
        """The words that the tool reads."""
        return self.query if self.reworded is None else self.reworded

    @property
    def request(self) -> Request:
        """What the tool is asked, cut to `MOST_CHARS`."""
        return Request(self.question[:MOST_CHARS], self.previous, self.choices, scenario=self.scenario)


@dataclass(frozen=True)
class DraftsOnScreen:
    """The drafts on the screen: what they were asked for, what they would answer as far as it is known."""

    request: Request = field(default_factory=lambda: Request(""))
    drafts: tuple[Draft, ...] = ()
    previews: Mapping[str, Result] = field(default_factory=dict)
    new: frozenset[str] = frozenset()
    """The statements that came after the first list."""

    @cached_property
    def sketches(self) -> list[str]:
        """Each draft in one line."""
        return sketches(self.drafts)

    def draft(self, number: int) -> Draft | None:
        """The draft of this number, counted from 1."""
        return self.drafts[number - 1] if 1 <= number <= len(self.drafts) else None


class Places:
    """Which statement stood under which number when a hand set out for it. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = steady_s) -> None:
        self._clock = clock
        self._lists: list[tuple[float, tuple[str, ...]]] = []

    def show(self, statements: Iterable[str], afresh: bool) -> None:
        """A list is on the screen from now on; `afresh` if nobody can have aimed at the one before it."""
        if afresh:
            self._lists.clear()
        self._lists = [*self._lists[self._aimed_at() :], (self._clock(), tuple(statements))]

    def aimed(self, number: int) -> str | None:
        """What stood under this number, from 1, when the hand set out; None if nothing did."""
        statements = self._lists[self._aimed_at()][1] if self._lists else ()
        return statements[number - 1] if 1 <= number <= len(statements) else None

    def _aimed_at(self) -> int:
        """The last list that was there long enough, else the first one."""
        since = self._clock() - _SETTLES_S
        return max((at for at, (shown, _) in enumerate(self._lists) if shown <= since), default=0)


class DraftsControl(QObject):
    """One request at a time, a moment after the last key. `changed`: anything to show is different;
    `taken(number, draft)`: a draft goes into the editor; `notice` is a sentence for the wizard."""

    changed = Signal()
    taken = Signal(int, object)
    notice = Signal(str)
    _more = Signal(object, object)

    def __init__(
        self, background: Background, parent: QObject | None = None, pause_ms: int = PAUSE_MS,
        clock: Callable[[], float] = steady_s,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._background = background
        self._service: DraftService | None = None
        self._problem: str | None = None
        self._wanted: dict[int, DraftInput] = {}
        self._known: dict[int | None, list[Chip]] = {}
        self._last_chips: dict[int | None, tuple[Chip, ...]] = {}
        # The turn that is drafted for; None if no turn is open.
        self.turn: int | None = None
        self._asked: Request | None = None
        self._wish: tuple[int, str] | None = None
        self.shown = DraftsOnScreen()
        # The statement that a hand points at, by key or mouse; empty if none.
        self.pointed = ""
        self.standing = Standing()
        self._places = Places(clock)
        self._pause = QTimer(self, singleShot=True, interval=pause_ms)
        self._pause.timeout.connect(self._ask)
        self._more.connect(self._on_more)

    # -- state ---------------------------------------------------------------------------------------------

    @property
    def wanted(self) -> DraftInput:
        """What is to be drafted for now; nothing without a turn."""
        return self._wanted.get(self.turn, DraftInput()) if self.turn is not None else DraftInput()

    @property
    def problem(self) -> str:
        """Why there will be no drafts, in one sentence; empty if there is no reason."""
        return self._problem or ""

    @property
    def state(self) -> DraftState:
        """How the drafts on the screen stand to what is typed."""
        if self._service is None:
            return DraftState.STARTING if self._problem is None else DraftState.OFF
        if not self.wanted.question.strip():
            return DraftState.EMPTY
        if self.shown.request != self.wanted.request:
            return DraftState.STALE if self.shown.drafts else DraftState.WAITING
        return DraftState.HERE if self.shown.drafts else DraftState.NONE

    @property
    def spent(self) -> Spent:
        """What served models took since the station was started."""
        return self._service.spent if self._service is not None else Spent()

    def chips_of(self, number: int) -> list[ShownChip]:
        """The values that a draft rests on, and all that the wizard has changed. What was chosen may leave no draft
        at all: then the values of the last ones stay, so that it can be chosen otherwise."""
        draft, choices = self.shown.draft(number), self.wanted.choices
        chips: Sequence[Chip] = draft.chips if draft else ()
        if draft is None and choices:
            chips = standing(self._last_chips.get(self.turn, ()), self.wanted.question)
        return shown_chips(chips, choices, self.known_chips)

    @property
    def known_chips(self) -> list[Chip]:
        """Every value that was found on this turn, in the order in which they were found."""
        return self._known.setdefault(self.turn, [])

    # -- what happened -----------------------------------------------------------------------------------

    def set_service(self, service: DraftService) -> None:
        """The NL tool is ready; what was typed before is asked now."""
        self._service = service
        self._ask()

    def end(self) -> None:
        """Nothing is asked for any more."""
        self._pause.stop()
        self._service = None

    def give_up(self, problem: str) -> None:
        """There will be no drafts; why not is one sentence, or empty if they are not wished."""
        self._problem = problem
        self.changed.emit()

    def set_standing(self, standing: Standing) -> None:
        """How far the drafters are."""
        self.standing = standing
        self.changed.emit()

    def begin_session(self) -> None:
        """Forget what was chosen and found in the session before."""
        self._wanted.clear()
        self._known.clear()
        self._last_chips.clear()
        self.begin_turn(None, "", ())

    def begin_turn(self, turn: int | None, query: str, previous: tuple[Asked, ...], scenario: str = "") -> None:
        """Another turn, of the scenario of this id, is worked on; what was chosen and re-worded on it before is still
        there."""
        self.turn, self._wish = turn, None
        self._places.show((), afresh=True)
        self.shown = DraftsOnScreen()
        if turn is not None:
            self._wanted[turn] = replace(self.wanted, query=_one_line(query), previous=previous, scenario=scenario)
        self._ask()

    def set_query(self, text: str) -> None:
        """The query as it stands in the field; chosen values move with their words."""
        query, now = _one_line(text), self.wanted
        if query != now.query:
            # Choices stand at places of the text that is drafted for, which re-wording has made another one.
            kept = moved(now.choices, now.query, query) if now.reworded is None else now.choices
            self._want(replace(now, query=query, choices=kept))

    def set_previous(self, previous: tuple[Asked, ...]) -> None:
        """The earlier answered turns of the scenario are others now."""
        self._want(replace(self.wanted, previous=previous))

    def set_yes_no(self, marked: bool) -> None:
        """Whether yes or no is asked for: the same drafts then have other answers."""
        if self.turn is not None and marked != self.wanted.yes_no:
            self._wanted[self.turn] = replace(self.wanted, yes_no=marked)
            self.shown = replace(self.shown, previews={})
            self._ask_previews(self.shown.request)
            self.changed.emit()

    def draft_again(self) -> None:
        """What the tool knows is different now."""
        if self.turn is not None and self.wanted.question.strip():
            self.shown = replace(self.shown, request=Request(""))
            self._asked = None
            self._ask()

    # -- what the wizard wishes --------------------------------------------------------------------------

    def reword(self, text: str | None) -> None:
        """Draft for other words than those of the query; None goes back to the query."""
        now = self.wanted
        reworded = _one_line(text) if text is not None else None
        if reworded != now.reworded:
            then = replace(now, reworded=reworded)
            self._want(replace(then, choices=moved(now.choices, now.question, then.question)))

    def swap(self, chip: Chip, value: Value | None) -> None:
        """Another value in place of the one found, or none."""
        self._want(replace(self.wanted, choices=with_choice(self.wanted.choices, chip, value)), at_once=True)

    def put_back(self, chip: Chip) -> None:
        """The value that was found."""
        self._want(replace(self.wanted, choices=without_choice(self.wanted.choices, chip)), at_once=True)

    def take(self, number: int, pointed: bool = False) -> None:
        """Take a draft: what stood under this number when the hand set out for it, or, where a row is `pointed` at that
        moves with its statement, this row. One of a text that has just changed is waited for, and taken if the same
        statement still has the number under which it was seen; nobody takes what nobody has seen."""
        aimed = None if pointed or self.state is not DraftState.HERE else self._places.aimed(number)
        if aimed is not None:
            places = [draft.sql for draft in self.shown.drafts]
            if aimed not in places:
                self.notice.emit(self.tr("Draft {0} has changed. Check it, then take it.").format(number))
                return
            number = places.index(aimed) + 1
        match self.state:
            case DraftState.HERE if (draft := self.shown.draft(number)) is not None:
                self._wish = None
                self.taken.emit(number, draft)
            case DraftState.STALE | DraftState.WAITING:
                seen = self.shown.draft(number)
                self._wish = (number, seen.sql if seen is not None else "")
                self._ask()
            case DraftState.STARTING | DraftState.OFF:
                self.notice.emit(self.problem or self.tr("The drafts are not ready yet."))
            case _:
                self.notice.emit(self.tr("There is no draft {0}.").format(number))

    # -- inner -------------------------------------------------------------------------------------------

    def _want(self, wanted: DraftInput, at_once: bool = False) -> None:
        if self.turn is None or wanted == self.wanted:
            return
        same = wanted.request == self.wanted.request
        self._wanted[self.turn] = wanted
        if same:
            return
        self._wish = None
        if at_once:
            self._ask()
        else:
            self._pause.start()
        self.changed.emit()

    def _ask(self) -> None:
        """Ask for what is wanted now, unless it is on its way or there already."""
        self._pause.stop()
        request = self.wanted.request
        if self.state in (DraftState.OFF, DraftState.STARTING, DraftState.EMPTY):
            self.shown, self._asked = DraftsOnScreen(), None
        elif request not in (self._asked, self.shown.request) and self._service is not None:
            self._asked = request
            # A signal of our own, since `on_more` is called on any thread.
            coming = self._service.draft(request, partial(self._more.emit, request))
            self._background.when_done(coming, lambda done: self._on_more(request, done.result()))
        self.changed.emit()

    def _on_more(self, request: Request, drafts: tuple[Draft, ...]) -> None:
        """Drafts have come; those of an older text are of no use any more."""
        if request != self._asked:
            return
        if request != self.wanted.request:
            self._asked = None
            return
        same = self.shown.request == request
        drafts = late_list(self.shown.drafts, drafts, self.pointed if same else "", request.n)
        # A statement that stays keeps its preview, or its row would flicker.
        kept = {draft.sql: self.shown.previews[draft.sql] for draft in drafts if draft.sql in self.shown.previews}
        statements = [draft.sql for draft in drafts]
        self._places.show(statements, afresh=not same)
        seen = {draft.sql for draft in self.shown.drafts} - self.shown.new
        new = frozenset(statements) - seen if same and seen else frozenset()
        self.shown = DraftsOnScreen(request, drafts, kept, new)
        for chip in (chip for draft in drafts for chip in draft.chips):
            if chip not in self.known_chips:
                self.known_chips.append(chip)
        if drafts:
            self._last_chips[self.turn] = drafts[0].chips
        self._ask_previews(request)
        self.changed.emit()
        self._fulfil()

    def _fulfil(self) -> None:
        """A draft was wished before these were here."""
        if self._wish is None:
            return
        (number, seen), self._wish = self._wish, None
        draft = self.shown.draft(number)
        if draft is None or draft.sql == seen:
            self.take(number)
        else:
            self.notice.emit(self.tr("Draft {0} has changed. Check it, then take it.").format(number))

    def _ask_previews(self, request: Request) -> None:
        for draft in self.shown.drafts:
            if draft.sql not in self.shown.previews and self._service is not None:
                coming = self._service.preview(draft.sql, self.wanted.yes_no)
                self._background.when_done(coming, partial(self._on_preview, request))

    def _on_preview(self, request: Request, future: Future[Result]) -> None:
        preview = future.result()
        if request == self.shown.request and (preview.error or preview.yes_no == self.wanted.yes_no):
            self.shown = replace(self.shown, previews={**self.shown.previews, preview.sql: preview})
            self.changed.emit()


def late_list(before: Sequence[Draft], drafts: Sequence[Draft], pointed: str, n: int) -> tuple[Draft, ...]:
    """What is shown of a list that came later: at most `n` drafts, none below `LEAST_SURE`. The statement `pointed` at
    keeps its place, even where the list has it no more."""
    at = next((at for at, draft in enumerate(before) if draft.sql == pointed), None)
    others = [draft for draft in drafts if draft.confidence >= LEAST_SURE and (at is None or draft.sql != pointed)]
    if at is None:
        return tuple(others)
    least = min(draft.confidence for draft in (*drafts, before[at]))
    stays = next((draft for draft in drafts if draft.sql == pointed), replace(before[at], confidence=least))
    return (*others[:at], stays, *others[at:])[:n]


def _one_line(text: str) -> str:
    """Line ends become blanks; nothing else moves, so that places in the text stay what they are."""
    return "".join(" " if one.isspace() else one for one in text)


_MOST_CHARS = 80
_WORDLESS = frozenset("(),;")


def sketches(drafts: Sequence[Draft]) -> list[str]:
    """A line for each draft. Drafts that read alike show first what only they have."""
    texts = [draft.sketch or " ".join(draft.sql.split()) for draft in drafts]
    for text in [each for each, count in Counter(texts).items() if count > 1]:
        places = [at for at, each in enumerate(texts) if each == text]
        for at, apart in zip(places, _apart([drafts[at] for at in places]), strict=True):
            texts[at] = f"[{apart}]  {texts[at]}"
    return texts


def _apart(drafts: Sequence[Draft]) -> list[str]:
    """Of drafts that read alike what only each has: words of its SQL, else its number."""
    words = [[word for word in sql_words(draft.sql) if word not in _WORDLESS] for draft in drafts]
    ways = [_cut(" ".join(dict.fromkeys(each))) for each in _beyond_shared(words)]
    return [way if ways.count(way) == 1 else str(at) for at, way in enumerate(ways, 1)]


def _beyond_shared(many: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Of each list what not all of them have, in its order."""
    shared = Counter(many[0])
    for parts in many[1:]:
        shared &= Counter(parts)
    for parts in many:
        left = Counter(parts) - shared
        kept: list[str] = []
        # From the end: of a part that stands twice the last one is beyond what is shared.
        for part in reversed(parts):
            if left[part] > 0:
                left[part] -= 1
                kept.insert(0, part)
        yield kept


def _cut(text: str) -> str:
    text = text or "plain"
    return text if len(text) <= _MOST_CHARS else f"{text[: _MOST_CHARS - 1]}…"
