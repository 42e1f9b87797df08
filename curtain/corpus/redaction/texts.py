"""What may leave of what was said: both texts of an utterance without the words that were hidden in either.

When in doubt, less leaves. The places found here become redactions like those that a person marked, so whoever reads
an export sees where something is missing.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from curtain.corpus.model.utterance import Redaction
from curtain.corpus.redaction.hidden_words import HiddenWords, Place, WordPlace, pieces_of_sro, pieces_of_text, untied

TextName = Literal["query", "sro"]
Range = tuple[int, int, str]
_GENITIVE = re.compile(r"['’]s?\b")


@dataclass(frozen=True)
class Leaving:
    """The texts as they may leave, and all redactions, the derived ones too. What was kept back besides what is
    marked: the whole transcription, the whole query, the whole recording."""

    query: str | None
    sro: str | None
    redactions: tuple[Redaction, ...]
    without_sro: bool = False
    without_query: bool = False
    silent: bool = False


def cut(text: str | None, redactions: Sequence[Redaction], name: TextName) -> str | None:
    """The text with the spans that are marked in it replaced, and nothing else."""
    return None if text is None else _replace(text, _ranges(text, redactions, name))


def visible_words(text: str | None, redactions: Sequence[Redaction], name: TextName) -> list[WordPlace]:
    """The words of a text outside of the spans that are marked in it."""
    return visible_text(text, redactions, name)[1]


def visible_text(text: str | None, redactions: Sequence[Redaction], name: TextName) -> tuple[str, list[WordPlace]]:
    """A text outside of the spans that are marked in it, and its words."""
    # A blank for each span: what stands beside it is a word by itself.
    rest = cut(text, [replace(one, replacement=" ") for one in redactions], name) or ""
    return rest, pieces_of_text(rest) if name == "query" else pieces_of_sro(rest)


def hidden_in(query: str | None, sro: str | None, redactions: Sequence[Redaction]) -> HiddenWords:
    """The words under the spans of both texts."""
    return HiddenWords.of([*_marked(query, redactions, "query"), *_marked(sro, redactions, "sro")])


def leaving(query: str | None, sro: str | None, redactions: Sequence[Redaction]) -> Leaving:
    """Both texts without the words that are hidden in either of them.

    A text in which these are not found is withheld: the transcription always, the query if it has other words than the
    transcription. The whole recording is silent if they stand more often than parts of it are marked.
    """
    given = tuple(_trimmed(one, query if one.in_text == "query" else sro) for one in redactions)
    hidden = hidden_in(query, sro, given)
    if hidden.is_empty:
        return Leaving(cut(query, given, "query"), cut(sro, given, "sro"), given)
    without_sro = sro is not None and _is_not_in(pieces_of_sro(sro), _spans(sro, given, "sro"), query, given, "query")
    shown = None if without_sro else sro
    in_query, in_sro = _others(query, given, "query", hidden), _others(shown, given, "sro", hidden)
    silent = _is_heard_elsewhere(
        shown,
        _unmarked(query, in_query, given, "query"),
        _unmarked(sro, in_sro, given, "sro"),
        _heard_parts(query, given),
    )
    without_query = _is_query_withheld(query, shown, given, hidden)
    if without_query and query:
        in_query = [(0, len(query))]
    derived = [*_derived(in_query, "query", given, silent), *_derived(in_sro, "sro", given, silent)]
    spans = (*given, *derived)
    return Leaving(cut(query, spans, "query"), cut(shown, spans, "sro"), spans, without_sro, without_query, silent)


def _trimmed(redaction: Redaction, text: str | None) -> Redaction:
    """Blanks at the edges of a span stay, so that the words beside it do not grow together."""
    if text is None or (redaction.start_char is None and redaction.end_char is None):
        return redaction
    start, end = _edges(redaction, text)
    inside = text[start:end]
    if not inside.strip() or inside == inside.strip():
        return redaction
    start += len(inside) - len(inside.lstrip())
    return replace(redaction, start_char=start, end_char=start + len(inside.strip()))


def with_repeated(
    query: str | None, sro: str | None, given: Sequence[Redaction], hidden: HiddenWords
) -> tuple[Redaction, ...]:
    """The redactions of a turn, and those of phrases that other turns of the session hide. Where they are heard nobody
    has marked, so that the whole recording is silent."""
    names: tuple[tuple[TextName, str | None], ...] = (("query", query), ("sro", sro))
    # What the turn itself hides leaves both of its texts, and its own marks say where that is heard.
    left = leaving(query, sro, given)
    # Where the whole query is withheld, nothing says where in it another turn's phrase is heard.
    leaves = given if left.without_query else left.redactions
    repeated: list[Redaction] = []
    for name, text in names:
        places = _others(text, leaves, name, hidden.anywhere, whole_only=True)
        unmarked = _unmarked(text, places, leaves, name)
        for start, end in places:
            ms = None if (start, end) in unmarked else 0
            repeated.append(Redaction("repeated", ms, ms, start, end, in_text=name))
    return (*given, *repeated)


def _unmarked(text: str | None, places: Sequence[Place], given: Sequence[Redaction], name: TextName) -> list[Place]:
    """The places of hidden words besides those that are marked but for the ending of a genitive: “Ann” in “Ann's”."""
    wider = [
        (start, end + len(ending[0]))
        for start, end in _spans(text, given, name)
        if (ending := _GENITIVE.match(text or "", end))
    ]
    return [place for place in places if not _inside(place, wider)]


def _is_not_in(
    pieces: Sequence[WordPlace], places: Sequence[Place], other: str | None, given: Sequence[Redaction], name: TextName
) -> bool:
    """More is hidden in the other text than is found here or marked here under another spelling."""
    return HiddenWords.of(_marked(other, given, name)).missing_in(pieces) > len(places)


def _is_query_withheld(query: str | None, sro: str | None, given: Sequence[Redaction], hidden: HiddenWords) -> bool:
    """The query has a word that is not among those left in the transcription: it may be what was hidden there. Where a
    number is hidden, so may be any other number."""
    if query is None or sro is None:
        return False
    pieces = pieces_of_text(query)
    spans = _spans(query, given, "query")
    places = [*spans, *_others(query, given, "query", hidden)]
    shown = [piece for piece in pieces if not _inside((piece.start, piece.end), places)]
    other = untied(shown, [visible_words(sro, given, "sro")], hidden)
    return bool(other) and (
        _is_not_in(pieces, spans, sro, given, "sro") or (bool(hidden.figures) and any(one.isdigit() for one in other))
    )


def _is_heard_elsewhere(sro: str | None, in_query: Sequence[Place], in_sro: Sequence[Place], heard_parts: int) -> bool:
    """Hidden words stand at more places than parts of the recording are marked for them."""
    return bool(in_query) if sro is None else len(in_sro) > heard_parts


def _heard_parts(query: str | None, given: Sequence[Redaction]) -> int:
    """Places of the query that are marked together with a part of the recording; those that overlap are one."""
    timed = [one for one in given if one.start_ms is not None or one.end_ms is not None]
    return len(_spans(query, timed, "query"))


def _marked(text: str | None, redactions: Sequence[Redaction], name: TextName) -> list[list[WordPlace]]:
    pieces = pieces_of_text if name == "query" else pieces_of_sro
    return [pieces((text or "")[start:end]) for start, end in _spans(text, redactions, name)]


def _others(
    text: str | None, given: Sequence[Redaction], name: TextName, hidden: HiddenWords, *, whole_only: bool = False
) -> list[Place]:
    """Where hidden words stand in a text besides where they are marked in it."""
    if text is None:
        return []
    pieces = pieces_of_text(text) if name == "query" else pieces_of_sro(text)
    spans = _spans(text, given, name)
    return [place for place in hidden.places(pieces, whole_only=whole_only) if not _inside(place, spans)]


def _derived(places: Iterable[Place], name: TextName, given: Sequence[Redaction], silent: bool) -> list[Redaction]:
    """0 to 0 ms: it is heard where a part of the recording is marked already."""
    like = next(one for one in given if one.start_char is not None or one.end_char is not None)
    ms = None if silent else 0
    return [
        replace(like, start_ms=ms, end_ms=ms, start_char=start, end_char=end, in_text=name) for start, end in places
    ]


def _inside(place: Place, places: Iterable[Place]) -> bool:
    return any(start <= place[0] and place[1] <= end for start, end in places)


def _spans(text: str | None, redactions: Sequence[Redaction], name: TextName) -> list[Place]:
    return [(start, end) for start, end, _ in _merged(_ranges(text or "", redactions, name))]


def _ranges(text: str, redactions: Sequence[Redaction], name: TextName) -> list[Range]:
    ranges = []
    for redaction in redactions:
        if redaction.in_text == name and (redaction.start_char is not None or redaction.end_char is not None):
            start, end = _edges(redaction, text)
            if start < end:
                ranges.append((start, end, redaction.replacement))
    return ranges


def _edges(redaction: Redaction, text: str) -> Place:
    """Where a span begins and ends in a text; one that ends before it begins, or before the text, is empty."""
    start = max(0, redaction.start_char or 0)
    return start, max(start, len(text) if redaction.end_char is None else min(redaction.end_char, len(text)))


def _merged(ranges: Iterable[Range]) -> list[Range]:
    """Spans that touch one another become one."""
    merged: list[Range] = []
    for start, end, replacement in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]), merged[-1][2])
        else:
            merged.append((start, end, replacement))
    return merged


def _replace(text: str, ranges: Iterable[Range]) -> str:
    # From the end, so that the places before stay true.
    for start, end, replacement in reversed(_merged(ranges)):
        text = text[:start] + replacement + text[end:]
    return text
