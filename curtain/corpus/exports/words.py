"""The words of an utterance as recognisers are scored on them."""

from __future__ import annotations

import re
import unicodedata

from curtain.corpus.utterance import Utterance

__all__ = ["words"]

_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


def words(utterance: Utterance) -> list[str] | None:
    """Lower case, letters and figures only, with `'` and `-` inside a word; None without a transcription.

    Parentheses and braces are syntax to NIST's tools, and `<s>` and `#0` to Kaldi; nothing of the kind is left. Spelt
    letters stand alone: `U. S.` gives `u` and `s`.
    """
    if utterance.lsn is None:
        return None
    return _WORD.findall(unicodedata.normalize("NFC", utterance.lsn.lower()).replace("’", "'"))
