"""Dialogues of a test set: where a system first goes wrong in one, and how an error spreads (papers/003, 7.2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curtain.cas.scoring.linked_groups import linked
from curtain.cas.scoring.score import NO_ANSWER, RIGHT, WRONG, Item, ScoreSheet
from curtain.cas.scoring.significance import Table
from curtain_score.references import OWN, ReferenceItem, SystemAnswer


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The scored turns that hang together by their `context`, two at least, in the order of the references."""

    turns: tuple[Item, ...]

    @property
    def break_turn(self) -> int | None:
        """The first turn, from 1, that is wrong or without an answer; None if there is none."""
        return next((at for at, turn in enumerate(self.turns, 1) if turn.kind in (WRONG, NO_ANSWER)), None)


@dataclass(frozen=True, slots=True)
class DialogueScore:
    """The dialogues of one run, and whose answers to earlier turns it was given. `spread[i][j]`: the turn on which one
    depends is RIGHT, WRONG or NO_ANSWER (i), and the turn itself is (j)."""

    system: str
    context: str
    dialogues: tuple[Dialogue, ...]
    spread: Table


def dialogue_score(
    sheet: ScoreSheet, references: Mapping[str, ReferenceItem], answers: Mapping[str, SystemAnswer]
) -> DialogueScore | None:
    """The dialogues of a run; None if no turn depends on another. Of several turns before, the last one counts."""
    scored = {item.id: item for item in (*sheet.items, *sheet.failing)}
    items = {name: scored[name] for name in references if name in scored}
    places = {name: place for place, name in enumerate(items)}
    before = {name: [one for one in references[name].context if one in items] for name in items}
    dialogues = tuple(Dialogue(tuple(items[name] for name in group)) for group in linked(before) if len(group) > 1)
    if not dialogues:
        return None
    pairs = ((max(names, key=places.__getitem__), name) for name, names in before.items() if names)
    counts = Counter((items[first].kind, items[second].kind) for first, second in pairs)
    spread = tuple(tuple(counts[i, j] for j in range(3)) for i in range(3))
    context = next((answer.context for answer in answers.values()), OWN)
    return DialogueScore(sheet.system, context, dialogues, spread)  # type: ignore[arg-type]


def breaks_of_context(runs: Sequence[DialogueScore]) -> tuple[int, int] | None:
    """Of the dialogues that break with own context, how many are right at that turn with the reference context, and how
    many break; None unless there is one run with each."""
    by_itself, with_displays = ([run for run in runs if (run.context == OWN) == mine] for mine in (True, False))
    if len(by_itself) != 1 or len(with_displays) != 1:
        return None
    pairs = zip(by_itself[0].dialogues, with_displays[0].dialogues, strict=True)
    broken = [other.turns[at - 1].kind == RIGHT for mine, other in pairs if (at := mine.break_turn) is not None]
    return sum(broken), len(broken)
