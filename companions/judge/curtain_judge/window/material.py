"""What the judge's window works on: a packet, or, for an adjudicator, the pairs on which judges differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from curtain.base.clock import Clock
from curtain.base.table import Table
from curtain_judge.evaluation import BadEvaluation, Evaluation, JudgedRuling
from curtain_judge.labels import CLARITY, CORRECTNESS
from curtain_judge.packet import GivenLabel, Packet, PacketItem

COMMENT = "comment"


@dataclass(frozen=True)
class JudgedPair:
    """One pair as the window shows it. `ask` has the questions that are open to the person at the window."""

    id: str
    session: str
    number: int
    scenario: str
    query: str
    table: Table | None
    message: str
    behind: str
    filled: str
    has_audio: bool
    ask: tuple[str, ...]
    opinions: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    """For an adjudicator: (judge, label) by question."""
    own: bool = False
    """Whether the adjudicator is one of its judges."""


def pair_of(item: PacketItem, ask: tuple[str, ...]) -> JudgedPair:
    """A pair from a packet. What is missing in its content, as in a packet that somebody edited, is empty."""
    content = item.content
    return JudgedPair(
        id=item.id,
        session=str(content.get("session", "")),
        number=item.place,
        scenario=str(content.get("scenario") or ""),
        query=str(content.get("query") or ""),
        table=_table(content.get("table")),
        message=str(content.get("message") or ""),
        behind=str(content.get("behind") or ""),
        filled=str(content.get("filled") or ""),
        has_audio=item.has_audio,
        ask=ask,
    )


def _table(given: Any) -> Table | None:
    if not isinstance(given, dict):
        return None
    headings = [str(heading) for heading in given.get("headings") or ()]
    rows = [[str(cell) for cell in row] for row in given.get("rows") or () if isinstance(row, list)]
    # A row of another length would shift its cells under other headings.
    rows = [row for row in rows if len(row) == len(headings)]
    total = given.get("total")
    return Table(
        headings=headings,
        rows=rows,
        numeric=[False] * len(headings),
        total=total if isinstance(total, int) else len(rows),
    )


class JudgingMaterial:
    """A judge's packet: pairs in their order, those of a session together, and a place for what is said about them.
    Methods that keep raise CurtainError."""

    adjudicates = False
    """Whether this is an adjudicator's work, with rulings in place of labels."""

    def __init__(self, packet: Packet, clock: Clock) -> None:
        self._packet = packet
        self._clock = clock
        self.pairs = self._all = [pair_of(item, (CLARITY, CORRECTNESS)) for item in packet.items]

    def earlier(self, pair: JudgedPair) -> Sequence[JudgedPair]:
        """All pairs before this one in its session, also those on which the judges agree: a query often leans on what
        came before it."""
        of_session = [other for other in self._all if other.session == pair.session]
        return list(takewhile(lambda other: other.id != pair.id, of_session))

    def standing(self) -> dict[tuple[str, str], str]:
        """The label that stands on each (item, question), comments included."""
        return {key: label.label for key, label in self._packet.standing().items()}

    def reasons(self) -> dict[tuple[str, str], str]:
        """The reason of the ruling that stands on each (item, question): a judge gives none."""
        return {}

    def keep(self, item: str, question: str, label: str, seconds: float, reason: str = "") -> None:
        """Keep a label; an empty one withdraws."""
        self._packet.add(GivenLabel(item, question, label, seconds, self._clock.wall_utc()))

    def wav(self, item: str) -> bytes | None:
        """The recording of a pair."""
        return self._packet.wav(item)

    def close(self) -> None:
        """Let the files go."""
        self._packet.close()


class RulingMaterial(JudgingMaterial):
    """The pairs on which judges differ, from any packet of the evaluation; what is ruled goes to its folder."""

    adjudicates = True

    def __init__(self, evaluation: Evaluation, by: str, clock: Clock) -> None:
        evaluation.open_to_ruling()
        super().__init__(_any_packet(evaluation), clock)
        self._evaluation = evaluation
        self._by = by
        self.pairs = _differing(evaluation, self._packet.items, by)
        if not self.pairs:
            self._packet.close()
            raise BadEvaluation(f"{self._packet.path} holds none of the pairs on which judges differ.")

    def standing(self) -> dict[tuple[str, str], str]:
        """The rulings that stand."""
        return {key: ruling.label for key, ruling in self._evaluation.rulings().items()}

    def reasons(self) -> dict[tuple[str, str], str]:
        """Those of the rulings that stand."""
        return {key: ruling.reason for key, ruling in self._evaluation.rulings().items()}

    def keep(self, item: str, question: str, label: str, seconds: float, reason: str = "") -> None:
        """One ruling more; a comment is no ruling. Raises BadRecords."""
        if label and question != COMMENT:
            self._evaluation.rule(JudgedRuling(item, question, label, self._by, reason, self._clock.wall_utc()))


def _any_packet(evaluation: Evaluation) -> Packet:
    """Every packet holds every item, so any of them shows what the judges saw."""
    for judge in evaluation.design.judges:
        path = evaluation.folder / f"{judge.name}.packet"
        if path.exists():
            return Packet(path, read_only=True)
    raise BadEvaluation(f"{evaluation.folder} holds no packet; put one of its packets there to see the pairs.")


def _differing(evaluation: Evaluation, items: Sequence[PacketItem], by: str) -> list[JudgedPair]:
    """In the order of the design, so that the pairs of a session stay together."""
    differing = set(evaluation.dissent())
    opinions: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for label in evaluation.labels():
        opinions.setdefault((label.item, label.question), []).append((label.judge, label.label))
    by_id = {item.id: item for item in items}
    pairs: list[JudgedPair] = []
    for item in evaluation.design.items:
        ask = tuple(question for question in (CLARITY, CORRECTNESS) if (item.id, question) in differing)
        if ask and item.id in by_id:
            pair = pair_of(by_id[item.id], ask)
            by_question = {question: opinions[item.id, question] for question in ask}
            judged_before = by in (judge for said in by_question.values() for judge, _ in said)
            pairs.append(replace(pair, opinions=by_question, number=len(pairs) + 1, own=judged_before))
    return pairs
