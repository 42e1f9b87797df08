"""The words that a recogniser heard, as they stand grey behind what is typed: which are left, which are doubtful."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from curtain.base.edit_distance import alignment
from curtain.base.hearing import HeardWord, Hearing, plain_word

NOTHING_HEARD = Hearing()

DOUBTFUL = 0.5
"""Below this confidence a word is underlined. More than half of the wrong words of Whisper tiny.en lie there, and one
right word in six (`bench/ear_keystrokes.py`)."""

_WORD = re.compile(r"\S+")
_MAKING = re.compile(r"\S+\Z")


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
    """

    hearing: Hearing = NOTHING_HEARD
    whole: bool = False
    typed: str = ""
    dropped: frozenset[int] = frozenset()
    """The places of words that the wizard wants none of."""

    # Asked for several times at each key, and each time the words are put side by side.
    @cached_property
    def rest(self) -> str:
        """The grey words, with the blank before them."""
        left, begun = self._behind(self.typed)
        text = " ".join(self._words[at].text for at in left)[begun:]
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
        return tuple(doubt for doubt in self._places() if doubt.word.confidence < DOUBTFUL)

    def with_typed(self, typed: str) -> OfferedText:
        """The same words behind another text."""
        return self if typed == self.typed else replace(self, typed=typed)

    def taken(self) -> OfferedText:
        """All of it is typed; before the take is over nothing changes."""
        return self.with_typed(self.shown) if self.whole else self

    def taken_to(self, doubt: Doubt) -> OfferedText:
        """Typed as far as the end of this word."""
        return self.with_typed(max(self.typed, self.shown[: doubt.end], key=len))

    def without_next(self) -> OfferedText:
        """The first grey word is not wanted."""
        return replace(self, dropped=self.dropped | set(self._behind(self.typed)[0][:1])) if self.can_take else self

    def as_heard(self) -> OfferedText:
        """Everything as it was first offered."""
        return replace(self, typed="", dropped=frozenset())

    def next_doubt(self, cursor: int) -> Doubt | None:
        """The doubtful word at the cursor or behind it, else the first; None if there is none, or none yet."""
        doubts = self.doubts if self.whole else ()
        return next((doubt for doubt in doubts if doubt.start >= cursor), next(iter(doubts), None))

    # -- inner -------------------------------------------------------------------------------------------

    @property
    def _words(self) -> tuple[HeardWord, ...]:
        return self.hearing.words

    @property
    def _kept(self) -> list[int]:
        return [at for at in range(len(self._words)) if at not in self.dropped]

    def _behind(self, typed: str) -> tuple[list[int], int]:
        """The places of the words behind a text, and how many letters of the first one are typed already."""
        making = _MAKING.search(typed)
        if making:
            left, _ = self._behind(typed[: making.start()])
            heard = self._words[left[0]].text if left else ""
            if len(heard) > len(making[0]) and heard.casefold().startswith(making[0].casefold()):
                return left, len(making[0])
        kept = self._kept
        pairs = alignment([plain_word(self._words[at].text) for at in kept], _plain_words(typed), open_end=True)
        return kept[sum(at is not None for at, _ in pairs) :], 0

    def _places(self) -> Iterator[Doubt]:
        """Every heard word that stands unchanged, typed or grey, where it stands."""
        words, spans = [self._words[at] for at in self._kept], [match.span() for match in _WORD.finditer(self.shown)]
        heard, written = [plain_word(word.text) for word in words], _plain_words(self.shown)
        for at, to in alignment(heard, written):
            if at is not None and to is not None and heard[at] == written[to]:
                yield Doubt(*spans[to], words[at])


def _plain_words(text: str) -> list[str]:
    return [plain_word(word) for word in _WORD.findall(text)]
