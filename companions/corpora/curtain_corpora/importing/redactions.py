"""What was redacted before it came to us: the texts as if they were the originals, with nothing where a secret was."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from curtain.corpus.model.utterance import Redaction, Utterance
from curtain.corpus.redaction.texts import cut

FILLER = "█"
"""For a character that nobody knows any more. It is no letter, so that no word of other texts is hidden by it."""


@dataclass(frozen=True)
class Unhidden:
    """Texts and spans which, redacted once more, give the texts that came."""

    query: str | None
    sro: str | None
    redactions: tuple[Redaction, ...]


def unhidden(utterance: Utterance) -> Unhidden:
    """Where the spans do not fit the texts, they are kept for the recording alone."""
    spans = utterance.redactions
    query = _widened(utterance.query, [span for span in spans if span.in_text == "query"])
    sro = _widened(utterance.sro, [span for span in spans if span.in_text == "sro"])
    if cut(query, spans, "query") == utterance.query and cut(sro, spans, "sro") == utterance.sro:
        return Unhidden(query, sro, spans)
    return Unhidden(
        utterance.query, utterance.sro, tuple(replace(span, start_char=None, end_char=None) for span in spans)
    )


def _widened(text: str | None, spans: Sequence[Redaction]) -> str | None:
    """The text with each replacement taken back, as long as the words that it replaced."""
    if text is None:
        return None
    ranges = _merged(spans)
    for start, end, replacement in ranges:
        # What stands before is as long as it was, since it was widened already.
        if text[start : start + len(replacement)] == replacement:
            # One sign at least, so that there is something to hide again.
            length = max(1, (end - start) if end is not None else 1)
            text = text[:start] + FILLER * length + text[start + len(replacement) :]
    return text


def _merged(spans: Sequence[Redaction]) -> list[tuple[int, int | None, str]]:
    """The spans in their order; those that touch one another are one, under the first one's replacement."""
    given = [s for s in spans if s.start_char is not None or s.end_char is not None]
    merged: list[tuple[int, int | None, str]] = []
    for span in sorted(given, key=lambda s: (s.start_char or 0, s.end_char is None, s.end_char or 0, s.replacement)):
        start, end = max(0, span.start_char or 0), span.end_char
        last = merged[-1] if merged else None
        if last is not None and (last[1] is None or start <= last[1]):
            merged[-1] = (last[0], None if last[1] is None or end is None else max(last[1], end), last[2])
        else:
            merged.append((start, end, span.replacement))
    return merged
