"""How fast a session went: queries an hour, and how long the subject waited (papers/000 section 6.1: 50 an hour)."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from curtain.base.plural import count_of
from curtain.session.turns.turns import Turn

_MS_PER_HOUR = 3_600_000
_SHORTEST_MS = 60_000
"""Within a shorter time a rate by the hour says nothing."""


@dataclass(frozen=True)
class Pace:
    """`queries` were asked within `span_ms`, from the first key to the last reply. `to_query_ms` and `to_reply_ms` are
    the waits of spoken queries from the release of the key to the query and to the first reply, sorted;
    `typed_to_reply_ms` are those of typed ones from Enter, for which nobody had to write the words down first."""

    queries: int = 0
    span_ms: int = 0
    to_query_ms: tuple[int, ...] = ()
    to_reply_ms: tuple[int, ...] = ()
    typed: int = 0
    typed_to_reply_ms: tuple[int, ...] = ()

    @property
    def per_hour(self) -> float | None:
        """Queries an hour; None for a span of less than a minute."""
        return self.queries * _MS_PER_HOUR / self.span_ms if self.span_ms >= _SHORTEST_MS else None

    def sentence(self) -> str:
        """For the session's summary; "" if nothing was asked."""
        if not self.queries:
            return ""
        sentences = [f"Queries: {self.queries}."]
        sentences += [f"Typed: {self.typed}."] if self.typed else []
        sentences += [f"Queries an hour: {self.per_hour:.0f}."] if self.per_hour is not None else []
        if self.to_query_ms:
            sentences.append(f"From the end of speech to the query: {_seconds(self.to_query_ms, 0.5)} at the median.")
        if waits := self.to_reply_ms:
            median, most = _seconds(waits, 0.5), _seconds(waits, 0.9)
            sentences.append(f"To the reply: {median} at the median, up to {most} for nine in ten.")
        if waits := self.typed_to_reply_ms:
            median, most = _seconds(waits, 0.5), _seconds(waits, 0.9)
            sentences.append(f"From Enter: {median} at the median, up to {most} for nine in ten.")
        return " ".join(sentences)


def pace_of(turns: Iterable[Turn]) -> Pace:
    """Over the turns of one session; practice and cancelled turns are left out."""
    counted = _counted(turns)
    typed = [turn for turn in counted if turn.modality == "text"]
    spoken = [turn for turn in counted if turn.modality == "speech"]
    begins = [at for turn in counted if (at := turn.times.get("key_down")) is not None]
    ends = [at for turn in counted for at in turn.times.values() if at is not None]
    return Pace(
        queries=len(counted),
        # Without a key no span: the session's first moment is not known.
        span_ms=max(ends) - min(begins) if begins else 0,
        to_query_ms=_waits(spoken, lambda turn: turn.times.get("query_sent")),
        to_reply_ms=_waits(spoken, _first_reply),
        typed=len(typed),
        typed_to_reply_ms=_waits(typed, _first_reply),
    )


def shared_work_of(turns: Iterable[Turn]) -> str:
    """Of a session with several people behind the curtain, how many turns an hour they did and who did what; "" where
    one wizard worked alone."""
    counted = _counted(turns)
    queries = Counter(turn.query_wizard_id for turn in counted if turn.query_wizard_id)
    replies = Counter(turn.reply.wizard_id for turn in counted if turn.reply and turn.reply.wizard_id)
    pace = pace_of(counted)
    if len(queries | replies) < 2 or not pace.span_ms:
        return ""
    rate = pace.queries * _MS_PER_HOUR / pace.span_ms
    work = f"Queries by {_shares(queries)}; replies by {_shares(replies)}."
    return f"{count_of(pace.queries, 'turn')} in {pace.span_ms / 1000:.0f} s, {rate:.0f} an hour. {work}"


def _counted(turns: Iterable[Turn]) -> list[Turn]:
    return [turn for turn in turns if not turn.practice and turn.outcome != "cancelled"]


def _shares(people: Counter[str]) -> str:
    return ", ".join(f"{who} ({count})" for who, count in people.most_common()) or "nobody"


def _first_reply(turn: Turn) -> int | None:
    # A correction comes after the subject had an answer: the wait ended with the first one.
    replies = (*turn.corrections, *((turn.reply,) if turn.reply else ()))
    return replies[0].sent if replies else None


def _waits(turns: Iterable[Turn], until: Callable[[Turn], int | None]) -> tuple[int, ...]:
    """Known waits; a negative one comes from clocks that were not tied and says nothing."""
    ends = ((turn.times.get("key_up"), until(turn)) for turn in turns)
    waits = (end - up for up, end in ends if up is not None and end is not None)
    return tuple(sorted(wait for wait in waits if wait >= 0))


def _seconds(values: Sequence[int], share: float) -> str:
    """The smallest value that is not below this share of them."""
    # The nearest rank, without interpolation: a wait that somebody really had.
    return f"{values[max(0, ceil(share * len(values)) - 1)] / 1000:.1f} s"
