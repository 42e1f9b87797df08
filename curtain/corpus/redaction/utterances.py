"""What may leave of an utterance besides its query and transcription (for these `redaction.texts`): recordings
with silence where something is redacted, and other texts and references without the hidden words.

When in doubt, less leaves: a text span without a span of the recording silences the whole recording; 0 to 0 ms says
that it is not heard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import read_sound
from curtain.base.sql_tokens import TokenKind, sql_tokens
from curtain.corpus.model.utterance import REDACTED, Redaction, Reference, Utterance
from curtain.corpus.redaction.hidden_words import HiddenWords, WordPlace, is_hidden_elsewhere, pieces_of_text, untied

if TYPE_CHECKING:
    # Loading numpy takes longer than reading a session, and every process that reads sessions imports this.
    import numpy as np
    from numpy.typing import NDArray

# A text that no tokenizer accepts comes as signs.
_VALUES = frozenset((TokenKind.STRING, TokenKind.NUMBER, TokenKind.COMMENT, TokenKind.SIGN))


def samples(utterance: Utterance) -> tuple[NDArray[np.int16], int]:
    """The samples as they may leave, and the rate in Hz. Shape (frames,), or (frames, channels) beyond one channel.

    Redacted spans are silence of equal length. Raises CurtainError.
    """
    if utterance.audio is None:
        raise CurtainError(f"The utterance {utterance.utterance_id} has no recording.")
    with os_errors_as(f"{utterance.audio} cannot be read as sound"):
        sound, rate = read_sound(utterance.audio)
    for redaction in utterance.redactions:
        start, end = redaction.silence(len(sound), rate)
        sound[start:end] = 0
    return (sound[:, 0] if sound.shape[1] == 1 else sound), rate


def redacted_text(text: str | None, hidden: HiddenWords) -> str | None:
    """A note or a sentence without the hidden words, also where only one of them stands."""
    if text is None or hidden.is_empty:
        return text
    for start, end in reversed(hidden.places(pieces_of_text(text))):
        text = text[:start] + REDACTED + text[end:]
    return text


@dataclass(frozen=True)
class TurnSecrets:
    """What is hidden in the session, and what may be seen of a turn in which something is hidden (`None` in others):
    there, only what stands in `visible` too is certain not to stand for what is hidden."""

    hidden: HiddenWords
    visible: tuple[Sequence[WordPlace], ...] | None = None
    redactions: tuple[Redaction, ...] = ()
    """Those of the turn, also of what other turns hide."""
    any_figure: bool = False
    """Any figure may stand for a hidden number: in this language nobody knows here how numbers are said."""

    def text(self, text: str | None) -> str | None:
        """A sentence that means something without what is hidden."""
        if text is not None and self._may_be_hidden(text):
            return REDACTED
        return redacted_text(text, self.hidden)

    def tied_text(self, text: str | None) -> str | None:
        """A sentence about what was said, as a question put otherwise: nothing of it, unless each word is certain."""
        if text is None or self.visible is None:
            return self.text(text)
        return REDACTED if self._unknown(text) else self.text(text)

    def message(self, message: str | None, blanks: Sequence[str]) -> str | None:
        """A canned message: nothing of it if a blank was filled with something that may be hidden."""
        if self.visible is not None and any(self._unknown(blank) for blank in blanks):
            return REDACTED
        return self.text(message)

    def note(self, text: str) -> str:
        """A note: nothing of it if it has a number that may be a hidden one, or a word that may be a case of one."""
        is_certain = not self.hidden.may_be_inflected_in(pieces_of_text(text)) and (
            self.visible is None or not any(one.isdigit() for one in self._unknown(text))
        )
        return (self.text(text) or "") if is_certain else REDACTED

    def may_leave(self, sql: str | None, *answers: str | None) -> bool:
        """Whether a statement quotes nothing hidden, and its answers hold nothing hidden. Without what it quotes, a
        statement would mean something else."""
        if self.hidden.is_empty:
            return True
        texts = [*_quoted(sql or ""), *filter(None, answers)]
        if any(self._may_be_hidden(text) or is_hidden_elsewhere(self.hidden, text) for text in texts):
            return False
        return not self.untied_in(sql)

    def untied_in(self, sql: str | None) -> frozenset[str]:
        """What a statement of this turn quotes and nobody can see in its texts, such as the code of a hidden city."""
        if self.visible is None or not sql:
            return frozenset()
        return frozenset(word for quoted in _quoted(sql, values_only=True) for word in self._unknown(quoted))

    def _may_be_hidden(self, text: str) -> bool:
        return self.any_figure and any(sign.isdigit() for sign in text)

    def _unknown(self, text: str) -> frozenset[str]:
        return untied(pieces_of_text(text), self.visible or (), self.hidden)


def redacted_references(references: tuple[Reference, ...], secrets: TurnSecrets) -> tuple[Reference, ...]:
    """All readings or none: those left over would reveal which one is missing."""
    leave = all(
        secrets.may_leave(reading.sql_min, reading.cas_min, reading.cas_max) and secrets.may_leave(reading.sql_max)
        for reading in references
    )
    return references if leave else ()


@lru_cache(maxsize=1024)
def _quoted(sql: str, *, values_only: bool = False) -> tuple[str, ...]:
    """Values and comments, and unless only these are wanted the names that the writer of a statement made up."""
    if not sql.strip():
        return ()
    tokens = sql_tokens(sql)
    beside_as = {near for at, token in enumerate(tokens) if token.text.upper() == "AS" for near in (at - 1, at + 1)}
    return tuple(
        token.text.replace("''", "'")
        for at, token in enumerate(tokens)
        if token.kind in _VALUES or (not values_only and (token.kind is TokenKind.NAME or at in beside_as))
    )
