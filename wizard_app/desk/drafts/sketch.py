"""The drafts of a list in one line each, so that no two read alike where a small window cuts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from curtain.base.sql_tokens import sql_words
from curtain.drafting.values import Draft

# As much of a sketch is seen in a small window.
_SEEN = 60
_MOST_CHARS = 80
_WORDLESS = frozenset("(),;")


def sketches(drafts: Sequence[Draft]) -> list[str]:
    """A line for each draft. Of drafts that begin alike each shows first what only it has."""
    texts = [draft.sketch.text or " ".join(draft.sql.split()) for draft in drafts]
    beginnings = [text[:_SEEN] for text in texts]
    for beginning in [each for each, count in Counter(beginnings).items() if count > 1]:
        places = [at for at, each in enumerate(beginnings) if each == beginning]
        for at, apart in zip(places, _apart([drafts[at] for at in places]), strict=True):
            texts[at] = f"[{apart}]  {texts[at]}"
    return texts


def _apart(drafts: Sequence[Draft]) -> list[str]:
    """What only each has: clauses of its sketch, else words of its SQL, else its number."""
    by_clauses = [_cut(", ".join(each)) for each in _beyond_shared([draft.sketch.clauses for draft in drafts])]
    words = [[word for word in sql_words(draft.sql) if word not in _WORDLESS] for draft in drafts]
    by_words = [_cut(" ".join(dict.fromkeys(each))) for each in _beyond_shared(words)]
    ways = [by_clauses, by_words]
    return [next((way[at] for way in ways if way.count(way[at]) == 1), str(at + 1)) for at in range(len(drafts))]


def _beyond_shared(many: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Of each list what not all of them have, in its order."""
    shared = Counter(many[0])
    for parts in many[1:]:
        shared &= Counter(parts)
    for parts in many:
        left = Counter(parts) - shared
        kept: list[str] = []
        # From the end: of a part that stands twice the last one is beyond what is shared.
        for part in reversed(parts):
            if left[part] > 0:
                left[part] -= 1
                kept.insert(0, part)
        yield kept


def _cut(text: str) -> str:
    text = text or "plain"
    return text if len(text) <= _MOST_CHARS else f"{text[: _MOST_CHARS - 1]}…"
