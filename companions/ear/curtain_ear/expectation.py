"""What is likely to be said in a domain, as texts that a recogniser is shown before it hears."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from curtain.base.words import words_in
from curtain.ports.ear import Expected

# A prompt of Whisper has room for some twenty questions.
_NEAR, _SPREAD = 6, 8
_RECENT = 3
_NAMES = 40
_CODE = 2
_SCENARIO_SIGNS = 300


@dataclass(frozen=True)
class Expectation(Expected):
    """What is expected, in the order in which Whisper is shown it."""

    def texts(self, scenario_id: str = "", recent: Sequence[str] = ()) -> list[str]:
        """The likeliest first: examples like the scenario and the queries before, a sample of the others, these
        queries, and the scenario. Examples stand next to the speech, since they have capitals and marks."""
        scenario, last = self.scenarios.get(scenario_id, ""), [*recent[-_RECENT:]]
        topic = self._topic(scenario_id, recent)
        near = sorted(self.examples, key=lambda text: -len(topic & _words(text)))[:_NEAR]
        others = [text for text in self.examples if text not in near]
        sample = others[:: max(1, len(others) // _SPREAD)][:_SPREAD]
        texts = [*near, *sample, *reversed(last), scenario[:_SCENARIO_SIGNS]]
        return [text for text in texts if text.strip()]

    def likely_names(self, scenario_id: str = "", recent: Sequence[str] = ()) -> list[str]:
        """Those of the topic first, then those that questions ask for most. Codes such as IN or ME come last: as words
        they are no names."""
        topic = self._topic(scenario_id, recent)
        asked = Counter(word for text in self.examples for word in _words(text))

        def rank(name: str) -> tuple[bool, bool, int]:
            words = _words(name)
            return len(name) <= _CODE, not words <= topic, -min((asked[word] for word in words), default=0)

        order = sorted(dict.fromkeys(self.names), key=rank)
        # Cities in capitals are read as codes, letter by letter.
        return [name.title() if len(name) > _CODE + 1 and name.isupper() else name for name in order[:_NAMES]]

    def _topic(self, scenario_id: str, recent: Sequence[str]) -> set[str]:
        return _words(" ".join((self.scenarios.get(scenario_id, ""), *recent[-_RECENT:])))


def _words(text: str) -> set[str]:
    return {word.lower() for word in words_in(text)}
