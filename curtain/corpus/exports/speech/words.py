"""The words of an utterance as recognisers are scored on them."""

from __future__ import annotations

import re
import unicodedata

from curtain.corpus.model.utterance import REDACTED, Utterance

__all__ = ["words"]

_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


def words(utterance: Utterance) -> list[str] | None:
    """Lower case, letters and figures only, with `'` and `-` inside a word; None without a transcription.

    Parentheses and braces are syntax to NIST's tools, and `<s>` and `#0` to Kaldi; nothing of the kind is left. Spelt
    letters stand alone: `U. S.` gives `u` and `s`. Where words are hidden stands `[redacted]`.
    """
    if utterance.lsn is None:
        return None
    plain = unicodedata.normalize("NFC", utterance.lsn.lower()).replace("’", "'")
    return [word for piece in plain.split() for word in ([piece] if piece == REDACTED else _WORD.findall(piece))]
