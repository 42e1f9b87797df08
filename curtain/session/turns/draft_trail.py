"""The revision trail of a turn (papers/000 section 6.3): which drafts were shown, which was taken, what was changed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from curtain.base.edit_distance import edits
from curtain.base.sql_tokens import sql_words
from curtain.session.events import wizard_events as wizard

Way = Literal["unaided", "revised", "by_hand"]
"""How an answer from the database came about: a draft taken and sent unchanged; one taken and then edited, or made for
a query that the wizard had re-worded or with other values, or sent in place of a wrong answer; no draft at all."""


@dataclass(frozen=True)
class ShownDraft:
    """One draft on the wizard's screen; `confidence` and `drafter` are None where the journal does not say."""

    sql: str
    confidence: float | None = None
    drafter: str | None = None


@dataclass(frozen=True)
class TakenDraft:
    """The draft that the answer began with; `place` from 1. `chips` are the values that were changed in it."""

    sql: str
    place: int | None = None
    drafter: str | None = None
    confidence: float | None = None
    chips: tuple[wizard.ChipChanged, ...] = ()


@dataclass(frozen=True)
class Trail:
    """What became of the drafts of one turn.

    `shown` is the list from which the last draft was taken, or else the last list; `lists` counts them. `question` is
    what the NL tool was asked, `reworded` if the wizard had put it otherwise for the tool. `edits` is the number of
    words and signs of SQL that were put in, left out or replaced after taking, 0 if none; `attempt` is the number,
    from 1, of the attempt that was sent. `way` is None if nothing was answered from the database.
    """

    shown: tuple[ShownDraft, ...] = ()
    lists: int = 0
    question: str | None = None
    reworded: bool = False
    taken: TakenDraft | None = None
    edits: int | None = None
    attempt: int | None = None
    way: Way | None = None
    times_taken: int = 0


def trail_of(facts: Iterable[object]) -> Trail:
    """The trail of one turn from its facts in the wizard's journal, in their order."""
    lists = [_NONE]
    taken: tuple[wizard.DraftTaken, wizard.DraftShown] | None = None
    attempts: list[str] = []
    answer: _Answered | None = None
    takes = replies = 0
    for fact in facts:
        match fact:
            case wizard.DraftShown():
                lists.append(fact)
            case wizard.DraftTaken():
                taken, takes = (fact, lists[-1]), takes + 1
            case wizard.StatementRun() if not fact.again_of or _bare(fact.sql) not in attempts:
                attempts.append(_bare(fact.sql))
            case wizard.AnswerSent():
                replies += 1
                answer = _Answered(_bare(fact.sql), tuple(attempts), taken, replies > 1)
            case wizard.MessageSent():
                replies, answer = replies + 1, None
    last = answer.taken if answer else taken
    source = last[1] if last else lists[-1]
    return Trail(
        shown=_shown(source),
        lists=len(lists) - 1,
        question=source.question,
        reworded=source.reworded,
        taken=_taken(last[0]) if last else None,
        edits=edits_between(last[0].sql, answer.sql) if last and answer else None,
        attempt=answer.attempt if answer else None,
        way=answer.way if answer else None,
        times_taken=takes,
    )


@dataclass(frozen=True)
class _Answered:
    """An answer that was sent, and what had been done up to then."""

    sql: str
    attempts: tuple[str, ...]
    taken: tuple[wizard.DraftTaken, wizard.DraftShown] | None
    corrects: bool

    @property
    def attempt(self) -> int | None:
        # The last run of the same statement: that is the one whose result was sent.
        backwards = self.attempts[::-1]
        return len(backwards) - backwards.index(self.sql) if self.sql in backwards else None

    @property
    def way(self) -> Way:
        if self.taken is None:
            return "by_hand"
        draft, shown = self.taken
        # An answer that replaces a wrong one was not reached by the draft alone.
        touched = draft.chips or shown.reworded or self.corrects or edits_between(draft.sql, self.sql)
        return "revised" if touched else "unaided"


_NONE = wizard.DraftShown(drafts=[])


def _shown(drafts_shown: wizard.DraftShown) -> tuple[ShownDraft, ...]:
    return tuple(
        ShownDraft(sql, _at(drafts_shown.confidences, number), _at(drafts_shown.drafters, number))
        for number, sql in enumerate(drafts_shown.drafts)
    )


def _at(values: Sequence[Any], number: int) -> Any:
    return values[number] if number < len(values) else None


def _taken(draft_taken: wizard.DraftTaken) -> TakenDraft:
    return TakenDraft(
        draft_taken.sql, draft_taken.place, draft_taken.drafter, draft_taken.confidence, tuple(draft_taken.chips)
    )


def _bare(sql: str) -> str:
    # A last semicolon is no edit.
    return " ".join(sql.split()).rstrip("; ")


def edits_between(before: str, after: str) -> int:
    """How many words and signs of SQL were put in, left out or replaced; white space and a last semicolon are none."""
    return edits(sql_words(_bare(before)), sql_words(_bare(after)))
