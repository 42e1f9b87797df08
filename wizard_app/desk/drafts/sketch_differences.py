"""What tells statements apart whose sketches begin alike. No parser, no Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from wizard_app.desk.drafts.sql_words import all_words, is_value, plain, unquoted

_MOST_CHARS = 80
_SAY_NOTHING = ("(", ")", ",", "=", ";", "as", "and")


def apart(statements: Sequence[str], pieces: Sequence[Sequence[str]]) -> list[str]:
    """For each statement what only it has: pieces of its sketch, else words of its SQL, else the SQL from where they
    part, else its number. What has nothing of its own is `plain`."""
    ways = [[_cut(text) for text in way] for way in (_own_parts(pieces), _own_words(statements), _tails(statements))]
    return [_first_unique(ways, at) for at in range(len(statements))]


def _first_unique(ways: Sequence[Sequence[str]], at: int) -> str:
    return next((way[at] for way in ways if way.count(way[at]) == 1), str(at + 1))


def _own_parts(pieces: Sequence[Sequence[str]]) -> list[str]:
    return [", ".join(own) for own in _beyond_shared(pieces)]


def _own_words(statements: Sequence[str]) -> list[str]:
    return [_joined(own) for own in _beyond_shared([all_words(one) for one in statements])]


def _tails(statements: Sequence[str]) -> list[str]:
    words = [all_words(one) for one in statements]
    same = sum(1 for _ in takewhile(lambda here: len(set(here)) == 1, zip(*words, strict=False)))
    return [_joined(one[same:]) for one in words]


def _beyond_shared(many: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Of each list what not all of them have, in its order."""
    shared = Counter(many[0])
    for tokens in many[1:]:
        shared &= Counter(tokens)
    for tokens in many:
        beyond = Counter(tokens) - shared
        kept: list[str] = []
        for token in reversed(tokens):
            # The last ones are those beyond what is shared.
            if beyond[token] > 0:
                beyond[token] -= 1
                kept.append(token)
        yield kept[::-1]


def _joined(tokens: Iterable[str]) -> str:
    telling = [token for token in tokens if token not in _SAY_NOTHING]
    words = (unquoted(token) if is_value(token) else plain(token).replace("_", " ") for token in telling)
    return " ".join(dict.fromkeys(words))


def _cut(text: str) -> str:
    text = text or "plain"
    return text if len(text) <= _MOST_CHARS else text[: _MOST_CHARS - 1] + "…"
