"""Two chairs against one wizard over the same 40 questions with the same typing speed.

    python bench/chairs.py [--turns 40]

The rules of the chairs are the product's own (`ChairHost`). Time is a model: a key takes K, a step of thought M, as in
the keystroke-level model of Card, Moran and Newell (1980). No station runs: links, windows and databases cost nothing.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from draft_data import paraphrases
from size import sized

from curtain.session.events import wizard_events as facts
from curtain.session.roles import Chair, Part
from curtain_rooms.chairs.host import ChairHost
from curtain_rooms.chairs.messages import ChairHello

K_S, M_S = 0.28, 1.35
"""Seconds for one key of an average typist, and for getting ready in one's mind (the paper's table 1)."""
SPEECH_S = 0.06
"""Seconds of speech for a letter: about 170 words a minute."""
PAUSE_S = 4.0
"""Seconds from what the subject waits for until the next question begins."""

ONE: dict[str, Chair] = {"w0": "wizard"}
TWO: dict[str, Chair] = {"t1": "transcriber", "a1": "answerer"}
SENT: dict[Part, facts.WizardFact] = {
    "transcription": facts.QuerySent(text=""),
    "answer": facts.MessageSent(message_id="", blanks={}, text="", counts_as="no_answer"),
}
"""What does a part. What stands in it costs nothing here: `Question` says how long it is."""


@dataclass(frozen=True)
class Question:
    """What is typed for one turn."""

    query: str
    sql: str

    @property
    def speech_s(self) -> float:
        """How long the subject speaks."""
        return len(self.query) * SPEECH_S

    def work_s(self, part: Part) -> float:
        """How long a person works on a part: think, type, and one key to send; before an answer leaves, look at it."""
        keys = len(self.query) + 1 if part == "transcription" else len(self.sql) + 2
        return keys * K_S + M_S * (1 if part == "transcription" else 2)


@dataclass(frozen=True)
class Played:
    """How a sitting went: seconds in all, and the wait of each turn from the end of speech to the answer."""

    span_s: float
    waits_s: Sequence[float]


class Desk:
    """People who take parts by the product's rules, each at one thing at a time."""

    def __init__(self, people: dict[str, Chair]) -> None:
        self._host = ChairHost()
        self._free_s = dict.fromkeys(people, 0.0)
        for place, (who, chair) in enumerate(people.items(), 1):
            self._host.receive(place, ChairHello(wizard_id=who, chair=chair), "wizard")

    def work(self, who: str, turn: int, part: Part, ready_s: float, lasts_s: float) -> float:
        """The moment at which the part is done, if it could be begun at `ready_s`; NotGranted if they may not."""
        self._host.around(who, [(SENT[part], turn)])
        self._free_s[who] = max(ready_s, self._free_s[who]) + lasts_s
        return self._free_s[who]


def play(questions: Sequence[Question], people: dict[str, Chair], ahead: int) -> Played:
    """One sitting. The subject asks once the last query is on the screen and at most `ahead` answers are awaited."""
    desk = Desk(people)
    names = list(people)
    hears, answers = names[0], names[-1]
    asks_s, spoken, done = 0.0, [], []
    for turn, question in enumerate(questions, 1):
        spoken_s = asks_s + question.speech_s
        # The wizard types while the take plays, so hearing costs no time of its own.
        query_s = desk.work(hears, turn, "transcription", spoken_s, question.work_s("transcription"))
        spoken.append(spoken_s)
        done.append(desk.work(answers, turn, "answer", query_s, question.work_s("answer")))
        awaited = done[-1 - ahead] if len(done) > ahead else 0.0
        asks_s = max(query_s, awaited) + PAUSE_S
    return Played(done[-1], [end - start for start, end in zip(spoken, done, strict=True)])


def main() -> None:
    """Print the throughput of one wizard and of two chairs, for both kinds of subject."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=sized(40, 4))
    options = parser.parse_args()
    questions = [Question(one.question, one.sql) for one in paraphrases()[: options.turns]]
    print(f"{len(questions)} turns; a model of time, no stations; K {K_S} s, M {M_S} s, pause {PAUSE_S} s")
    for ahead in (0, 1, 2):
        alone, pair = (play(questions, people, ahead) for people in (ONE, TWO))
        print(f"the subject asks on while {ahead} answers are awaited")
        for name, played in (("one wizard", alone), ("two chairs", pair)):
            per_hour, wait_s = 3600 * len(questions) / played.span_s, statistics.median(played.waits_s)
            print(f"  {name}: {per_hour:5.1f} turns an hour, wait {wait_s:5.1f} s at the median")
        print(f"  two chairs against one wizard: {alone.span_s / pair.span_s:.2f} times the turns")


if __name__ == "__main__":
    main()
