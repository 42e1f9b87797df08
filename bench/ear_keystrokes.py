"""How long a query takes the wizard, typed and with the words of a recogniser, by the Keystroke-Level Model.

    python bench/ear_keystrokes.py [--hypotheses bench/ear_hypotheses.jsonl]

The file has 100 questions of the ATIS pack as they are spoken, by six voices of espeak-ng, and what Whisper tiny.en
made of each (faster-whisper 1.2.1, 8 bits, prompted with five other questions of the pack). Every plan is pressed in
the real field: what stands there in the end must be what was said.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from size import sized

from curtain.base.edit_distance import alignment, edits
from curtain.base.hearing import DOUBTFUL, HeardWord, Hearing
from wizard_app.desk.turn.offered_text import OfferedText

FILE = Path(__file__).resolve().parent / "ear_hypotheses.jsonl"
SPEEDS = (40, 70)
# Silent reading (Brysbaert 2019: 238 words a minute for English).
READ_S = 60 / 238
# Getting ready for the next step (Card, Moran and Newell 1980, "The keystroke-level model").
M_S = 1.35
SEND_QUERY = "Ctrl+Return"


@dataclass(frozen=True)
class Plan:
    """Letters and chords in their order, and how often the wizard stops to think; `waits_s` while reading."""

    keys: tuple[str, ...]
    thoughts: int
    waits_s: float = 0.0

    @property
    def strokes(self) -> int:
        """A chord counts each of its keys; a capital and a sign above another count the shift key too."""
        shifted = '~!@#$%^&*()_+{}|:"<>?'
        return sum(key.count("+") + 1 if len(key) > 1 else 1 + (key.isupper() or key in shifted) for key in self.keys)

    def seconds(self, words_a_minute: int) -> float:
        """A word of typing tests has five keys."""
        return self.strokes * (12 / words_a_minute) + self.thoughts * M_S + self.waits_s


@dataclass(frozen=True)
class Question:
    """What was said, and what was heard."""

    said: str
    hearing: Hearing

    @property
    def right(self) -> bool:
        return self.hearing.text == self.said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hypotheses", type=Path, default=FILE, help="questions with what was heard")
    questions = list(_read(parser.parse_args().hypotheses))[: sized(100, 10)]
    press = field_pressed()
    plans = []
    for one in questions:
        # A way that the field does not lead to what was said is none.
        ways = [plan for plan in with_words(one) if press(one.hearing, plan.keys) == one.said]
        plans.append((typed(one), min(ways, key=lambda plan: plan.seconds(SPEEDS[0]))))
    _report(questions, plans)
    return 0


def _read(path: Path) -> Iterator[Question]:
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        words = tuple(HeardWord(*word) for word in row["heard"])
        yield Question(row["said"], Hearing(words, "tiny.en", "faster-whisper"))


def typed(question: Question) -> Plan:
    """Without a recogniser: one thought, every letter."""
    return Plan((*question.said, SEND_QUERY), 1)


def with_words(question: Question) -> Iterator[Plan]:
    """Ways to what was said: all words are read, and every doubtful one is heard again."""
    said, heard = question.said.split(), [word.text for word in question.hearing.words]
    reading_s = len(heard) * READ_S
    pairs = alignment(heard, said)
    last_wrong = max((to for at, to in pairs if to is not None and (at is None or heard[at] != said[to])), default=-1)
    left = OfferedText(question.hearing, whole=True, typed=question.said).rest.split()
    yield Plan((*question.said, *["Delete"] * len(left), SEND_QUERY), 2, reading_s)
    if question.right:
        doubts = [word for word in question.hearing.words if word.confidence < DOUBTFUL]
        yield Plan((*["F12"] * len(doubts), SEND_QUERY), 1 + len(doubts), reading_s)
        return
    over = " ".join(said[: last_wrong + 1])
    if OfferedText(question.hearing, whole=True, typed=over).shown == question.said:
        yield Plan((*over, SEND_QUERY), 2, reading_s)
    yield Plan((*_walk(heard, said, pairs), SEND_QUERY), 2 + len(_gaps(heard, said, pairs)), reading_s)


def _gaps(
    heard: Sequence[str], said: Sequence[str], pairs: Sequence[tuple[int | None, int | None]]
) -> list[tuple[int, int, str]]:
    """Each wrong stretch from the end: how many right words stand behind it, how many are wrong, what was said."""
    gaps: list[tuple[int, int, str]] = []
    behind, wrong, instead, open_gap = 0, 0, "", False
    for at, to in [*reversed(pairs), (None, None)]:
        if (at is None and to is None) or (at is not None and to is not None and heard[at] == said[to]):
            if open_gap:
                gaps.append((behind - sum(count for count, _, _ in gaps), wrong, instead.strip()))
                wrong, instead, open_gap = 0, "", False
                behind = sum(count for count, _, _ in gaps)
            behind += 1
        else:
            open_gap, wrong = True, wrong + (at is not None)
            instead = f"{said[to]} {instead}" if to is not None else instead
    return gaps


def _walk(heard: Sequence[str], said: Sequence[str], pairs: Sequence[tuple[int | None, int | None]]) -> Iterator[str]:
    """All words taken; from the end, the cursor goes back to each wrong stretch, and what belongs there is typed."""
    yield "Tab"
    at_end, typed_words = True, 0
    for back, wrong, instead in _gaps(heard, said, pairs):
        yield from ["Ctrl+Left"] * (back + typed_words)
        at_end = at_end and not back
        yield from ["Ctrl+Backspace"] * wrong
        if instead:
            # A blank stands before the cursor, but at the end of the text.
            yield from (f" {instead}" if at_end and not wrong else instead if at_end else f"{instead} ")
        at_end, typed_words = False, len(instead.split())


def field_pressed() -> Callable[[Hearing, Sequence[str]], str]:
    """Presses keys in the real field, over these words; gives what stands there in the end."""
    from PySide6.QtGui import QKeySequence
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from curtain.qt import style
    from wizard_app.window.panels.query_field import OfferField

    made = QApplication.instance() or QApplication(["ear_keystrokes"])
    assert isinstance(made, QApplication)
    field = OfferField(style.apply(made, "light"))

    def press(hearing: Hearing, keys: Sequence[str]) -> str:
        field.clear()
        field.show_offer(OfferedText(hearing, whole=True))
        for key in keys:
            if key == SEND_QUERY:
                field.take()
            elif key == "F12":
                field.next_doubt()
            elif len(key) == 1:
                QTest.keyClicks(field, key)
            else:
                pressed = QKeySequence(key)[0]
                QTest.keyClick(field, pressed.key(), pressed.keyboardModifiers())
        return " ".join(field.toPlainText().split())

    return press


def _report(questions: Sequence[Question], plans: Sequence[tuple[Plan, Plan]]) -> None:
    words = sum(len(one.said.split()) for one in questions)
    wrong = sum(edits(one.said.split(), one.hearing.text.split()) for one in questions)
    right = sum(one.right for one in questions)
    print(f"{len(questions)} questions, {words} words; {wrong / words:.1%} of words wrong, {right} questions right")
    _report_doubts(questions)
    print(f"one thought {M_S} s, reading {READ_S:.2f} s a word; every doubtful word of a right question is heard again")
    print(f"{'':30s}{'keys a query':>14s}" + "".join(f"{f'{speed} words/min':>16s}" for speed in SPEEDS))
    for name, chosen in (("typed", [plan for plan, _ in plans]), ("with the words heard", [plan for _, plan in plans])):
        seconds = "".join(f"{statistics.mean(one.seconds(speed) for one in chosen):>14.1f} s" for speed in SPEEDS)
        print(f"{name:30s}{statistics.mean(one.strokes for one in chosen):>14.1f}{seconds}")
    for name, group in _groups(questions, plans).items():
        times = "".join(
            f"{f'{_mean_s(group, 0, speed):.1f} -> {_mean_s(group, 1, speed):.1f} s':>18s}" for speed in SPEEDS
        )
        print(f"{name:38s}{len(group):4d}{times}")
    for speed in SPEEDS:
        saved = 1 - sum(two.seconds(speed) for _, two in plans) / sum(one.seconds(speed) for one, _ in plans)
        print(f"at {speed} words a minute {saved:.0%} of the time of typing is saved")


def _groups(questions: Sequence[Question], plans: Sequence[tuple[Plan, Plan]]) -> dict[str, list[tuple[Plan, Plan]]]:
    """The plans by how many words of the question are wrong."""
    groups: dict[str, list[tuple[Plan, Plan]]] = {"heard right": [], "one word wrong": [], "more wrong": []}
    for question, both in zip(questions, plans, strict=True):
        wrong = edits(question.said.split(), question.hearing.text.split())
        groups[["heard right", "one word wrong", "more wrong"][min(wrong, 2)]].append(both)
    return {name: group for name, group in groups.items() if group}


def _mean_s(group: Sequence[tuple[Plan, Plan]], which: int, speed: int) -> float:
    return statistics.mean(both[which].seconds(speed) for both in group)


def _report_doubts(questions: Sequence[Question]) -> None:
    """How many of the wrong words are underlined, and how many of the right ones."""
    marked = {True: [0, 0], False: [0, 0]}
    for one in questions:
        said, heard = one.said.split(), one.hearing.words
        for at, to in alignment([word.text for word in heard], said):
            if at is not None:
                counts = marked[to is not None and heard[at].text == said[to]]
                counts[0] += heard[at].confidence < DOUBTFUL
                counts[1] += 1
    (of_right, rights), (of_wrong, wrongs) = marked[True], marked[False]
    print(f"underlined below {DOUBTFUL}: {of_wrong} of {wrongs} wrong words, {of_right} of {rights} right ones")


if __name__ == "__main__":
    sys.exit(main())
