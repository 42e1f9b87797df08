"""The words that a recogniser heard, as they stand grey behind what is typed: which are left, which are doubtful."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

from curtain.base.edit_distance import alignment
from curtain.base.hearing import DOUBTFUL, WORD, HeardWord, Hearing, plain_word, unchanged

NOTHING_HEARD = Hearing()

_MAKING = re.compile(r"\S+\Z")
_EVERY = 1 << 20


@dataclass(frozen=True)
class Doubt:
    """A doubtful word, and where it stands in `OfferedText.shown`."""

    start: int
    end: int
    word: HeardWord


@dataclass(frozen=True)
class OfferedText:
    """What is `typed`, and behind it the `rest` of the words whose place nothing typed has taken.

    Typed words take the place of heard ones as the fewest steps put them side by side, one for one in case of doubt.
    `whole`: the take is over. Until then the words may change, and none of them can be taken.
    `past` counts the first words that are never grey again: the wizard took them out, or deleted or replaced what
    stood for them.
    """

    hearing: Hearing = NOTHING_HEARD
    whole: bool = False
    typed: str = ""
    past: int = 0

    # Asked for several times at each key, and each time the words are put side by side.
    @cached_property
    def rest(self) -> str:
        """The grey words, with the blank before them."""
        first, begun = self._behind(self.typed)
        text = " ".join(word.text for word in self._words[first:])[begun:]
        return text if begun or not text or not self.typed or self.typed[-1].isspace() else f" {text}"

    @property
    def shown(self) -> str:
        """What stands in the field: typed and grey."""
        return self.typed + self.rest

    @property
    def can_take(self) -> bool:
        """Whether there are words to be taken now."""
        return self.whole and bool(self.rest)

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """The doubtful words that nobody has replaced, in their order."""
        places = [Doubt(start, end, self._words[at]) for at, start, end in unchanged(self._words, self.shown)]
        return tuple(doubt for doubt in places if doubt.word.confidence < DOUBTFUL)

    def with_typed(self, typed: str) -> OfferedText:
        """The same words behind another text; what was deleted or replaced on the way there takes its words along."""
        return self if typed == self.typed else replace(self, typed=typed, past=max(self.past, self._gone(typed)))

    def taken(self) -> OfferedText:
        """All of it is typed; before the take is over nothing changes."""
        return self.with_typed(self.shown) if self.whole else self

    def taken_to(self, doubt: Doubt) -> OfferedText:
        """Typed as far as the end of this word."""
        return self.with_typed(max(self.typed, self.shown[: doubt.end], key=len))

    def without_next(self) -> OfferedText:
        """The first grey word is not wanted."""
        return replace(self, past=self._behind(self.typed)[0] + 1) if self.can_take else self

    def without_all(self) -> OfferedText:
        """No word is wanted, of those that still come either."""
        return replace(self, past=_EVERY)

    def as_heard(self) -> OfferedText:
        """Everything as it was first offered."""
        return replace(self, typed="", past=0)

    def next_doubt(self, cursor: int) -> Doubt | None:
        """The doubtful word at the cursor or behind it, else the first; None if there is none, or none yet."""
        doubts = self.doubts if self.whole else ()
        return next((doubt for doubt in doubts if doubt.start >= cursor), next(iter(doubts), None))

    # -- inner -------------------------------------------------------------------------------------------

    @property
    def _words(self) -> tuple[HeardWord, ...]:
        return self.hearing.words

    @cached_property
    def _heard(self) -> list[str]:
        return [plain_word(word.text) for word in self._words]

    def _behind(self, typed: str) -> tuple[int, int]:
        """The place of the first word behind a text, and how many of its letters are typed already."""
        making = _MAKING.search(typed)
        if making:
            first, _ = self._behind(typed[: making.start()])
            heard = self._words[first].text if first < len(self._words) else ""
            if len(heard) > len(making[0]) and heard.casefold().startswith(making[0].casefold()):
                return first, len(making[0])
        pairs = alignment(self._heard, _plain_words(typed), open_end=True, free=self.past)
        return sum(at is not None for at, _ in pairs), 0

    def _gone(self, typed: str) -> int:
        """How many words another text takes along. A letter that is taken back leaves those that it did not spell:
        who mistypes gets them back."""
        if typed.startswith(self.typed):
            return 0
        if len(typed) == len(self.typed) - 1:
            return max((at + 1 for at, *_ in unchanged(self._words, self.typed)), default=0)
        return self._behind(self.typed)[0]


def _plain_words(text: str) -> list[str]:
    return [plain_word(word) for word in WORD.findall(text)]
