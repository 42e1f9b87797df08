"""Words that compare: “more than”, “at least”, “or older”, “between ... and ...”, “the most expensive”, “not”. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .column_words import ADJECTIVES, adjective_forms, words_in
from .words import is_number

__all__ = [
    "COMPARING",
    "CONTRACTED",
    "CONTRARY",
    "DISLIKES",
    "Bound",
    "Superlative",
    "asks_for_a_later_one",
    "bound_after",
    "bound_before",
    "negated_at",
    "range_words",
    "superlative_at",
]

CONTRARY = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}
"""For each of more and less its contrary."""

_BEFORE = {
    tuple(phrase.split()): op
    for op, phrases in {
        ">": "more than,greater than,higher than,over,above,after,later than,exceeding,exceeds,exceed,beyond",
        ">=": "more than or equal to,greater than or equal to,"
        "at least,not less than,no less than,on or after,at or after,in or after,no earlier than,"
        "not earlier than,since,starting,not under,from,minimum of",
        "<": "less than,fewer than,lower than,under,below,before,earlier than,prior to,beneath",
        "<=": "less than or equal to,fewer than or equal to,"
        "at most,no more than,not more than,on or before,at or before,in or before,no later than,not later than,"
        "up to,until,till,by,not over,maximum of,within",
        "=": "exactly,equal to,precisely,only,just,is,of,on,in,at",
        "<>": "not,other than,except,not in,not on,not at",
    }.items()
    for phrase in phrases.split(",")
}
# These leave it open whether the end belongs to it; “at least” and “on or after” do not.
_OPEN_END = frozenset(
    [("since",), ("starting",), ("from",), ("until",), ("till",), ("by",), ("not", "under"), ("not", "over")]
)
_WEAK = frozenset([("is",), ("of",), ("on",), ("in",), ("at",), ("from",), ("by",)])
_AFTER = {
    ("or", "more"): ">=",
    ("or", "over"): ">=",
    ("or", "above"): ">=",
    ("and", "above"): ">=",
    ("and", "over"): ">=",
    ("or", "better"): ">=",
    ("or", "higher"): ">=",
    ("or", "later"): ">=",
    ("or", "less"): "<=",
    ("or", "fewer"): "<=",
    ("or", "under"): "<=",
    ("or", "below"): "<=",
    ("or", "earlier"): "<=",
    ("or", "lower"): "<=",
}
_SKIPPED = words_in("the a an about approximately around usd")
_APART = frozenset(
    [("other", "than"), ("apart", "from"), ("aside", "from")]
    + [(word, "but") for word in ("anything", "anywhere", "anyone", "everything", "everyone", "all")]
)
# What looks like a denial and is none: “isn't there”, “why not”, “not only”, “I don't mind”.
_NO_DENIAL = frozenset([("not", "only"), ("dont", "care"), ("dont", "mind"), ("not", "mind"), ("not", "care")])
# These deny what stands right behind them alone: “I hate stopovers, Boston to Denver please”.
DISLIKES = words_in("hate hates dislike dislikes skip skipping")
_NOT = DISLIKES | words_in(
    "not no without except excluding besides avoid avoiding outside never neither nor cannot non"
)
_LATER = words_in("second third fourth fifth sixth seventh eighth ninth tenth next")
_MOST = {"most": 1, "maximum": 1, "max": 1, "top": 1, "least": -1, "fewest": -1, "minimum": -1, "min": -1, "last": 1}

COMPARING = (
    frozenset(word for phrase in (*_BEFORE, *_AFTER, *_APART, *_NO_DENIAL) for word in phrase)
    | (_SKIPPED | _NOT | _LATER | set(_MOST))
    | words_in("first latter former sooner later earlier between both either")
)
"""All words that compare or deny."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A comparison: words [first, last), its operator, the adjective it was said with (“older than”), whether its words
    are said of many other things, too (“in”), and whether they say that the end belongs to it (“or more”)."""

    first: int
    last: int
    op: str
    adjective: str = ""
    weak: bool = False
    with_end: bool = False


@dataclass(frozen=True, slots=True)
class Superlative:
    """Words [first, last) that ask for the most (1) or the least (-1). Without an adjective, of what follows; `plain`
    says that it goes with any column that follows."""

    first: int
    last: int
    sign: int
    adjective: str = ""
    plain: bool = True


def bound_before(words: Sequence[str], at: int) -> Bound | None:
    """The comparison that ends before the word at this place."""
    end = at
    while end and words[end - 1] in _SKIPPED:
        end -= 1
    for size in (5, 3, 2, 1):
        phrase = tuple(words[max(0, end - size) : end])
        if len(phrase) == size and phrase in _BEFORE:
            op = _BEFORE[phrase]
            with_end = op in (">=", "<=") and phrase not in _OPEN_END
            return Bound(end - size, at, op, weak=phrase in _WEAK, with_end=with_end)
    if end >= 2 and words[end - 1] == "than":
        form = adjective_forms(words[end - 2])
        if form and form[1] == 2:
            return Bound(end - 2, at, ">", form[0])
        if end >= 3 and words[end - 3] in ("more", "less") and words[end - 2] in ADJECTIVES:
            return Bound(end - 3, at, ">" if words[end - 3] == "more" else "<", words[end - 2])
    return None


def bound_after(words: Sequence[str], at: int) -> Bound | None:
    """The comparison that begins at this place or one word later, behind a unit: “20 or more”, “30 years or older”."""
    for start in (at, at + 1):
        phrase = tuple(words[start : start + 2])
        behind = words[start + 2] if start + 2 < len(words) else ""
        # “Less than 20 or more than 90”, “below 20 or above 90” say nothing of 20.
        if behind == "than" or is_number(behind):
            continue
        if phrase in _AFTER:
            return Bound(start, start + 2, _AFTER[phrase], with_end=True)
        form = adjective_forms(phrase[1]) if len(phrase) == 2 and phrase[0] == "or" else None
        if form and form[1] == 2:
            return Bound(start, start + 2, ">=", form[0])
    return None


def range_words(words: Sequence[str], first: int, between: tuple[int, int]) -> bool:
    """Whether two numbers are the ends of a range: the word before the first, and the words between them."""
    link = [word for word in words[between[0] : between[1]] if word not in _SKIPPED]
    before = words[first - 1] if first else ""
    if link in (["and"], ["to"], ["through"], ["until"], ["till"]):
        return before in ("between", "from") or (link != ["and"] and before not in ("or",))
    return False


def superlative_at(words: Sequence[str], at: int) -> Superlative | None:
    """The superlative that begins at this word."""
    word, after = words[at], words[at + 1] if at + 1 < len(words) else ""
    if word in ("most", "least") and after in ADJECTIVES:
        sign = 1 if word == "most" else -1
        return Superlative(at, at + 2, sign, after, False)
    if word in _MOST:
        # “at least” and “at most” compare; “the most” alone asks for any column.
        return (
            None
            if (at and words[at - 1] == "at") or after in ("name", "names")
            else Superlative(at, at + 1, _MOST[word])
        )
    adjective = _adjective(after) if word == "as" else None
    if adjective and (far := _as_far(words, at + 2)):
        return Superlative(at, far, 1, adjective, False)
    form = adjective_forms(word)
    if form and form[1] == 3:
        return Superlative(at, at + 1, 1, form[0], ADJECTIVES[form[0]].generic)
    return None


def _adjective(word: str) -> str | None:
    """The adjective that stands behind “as”, also of an adverb: “as cheaply”."""
    word = {"soon": "early"}.get(word, word)
    return next((one for one in (word, word.removesuffix("ly")) if one in ADJECTIVES), None)


def _as_far(words: Sequence[str], at: int) -> int | None:
    """Where the words end that belong to “as early”, if it goes on with “as possible” or “as I can”: there, or, if
    something else stands between (“as early in the morning as possible”), right here."""
    for second in range(at, min(len(words) - 1, at + _BETWEEN_AS)):
        behind = words[second + 1 : second + 3]
        size = 1 if behind[0] == "possible" else 2 if len(behind) == 2 and behind[1] in ("can", "could") else 0
        if words[second] == "as" and size:
            return second + 1 + size if second == at else at
    return None


def asks_for_a_later_one(words: Sequence[str], things: Collection[str] = ()) -> tuple[str, str] | None:
    """The two words that ask for the second, third ... best, or for the second of some `things`, if any do: “the second
    cheapest”, “the second flight”."""
    for at, (word, behind) in enumerate(pairwise(words)):
        if word in _LATER and (superlative_at(words, at + 1) is not None or (word != "next" and behind in things)):
            return word, behind
    return None


def negated_at(words: Sequence[str], at: int) -> int | None:
    """How many words say “not” at this place, if any do."""
    if _asks_only(words, at):
        return None
    if words[at] in _NOT or (words[at].endswith("nt") and words[at] in CONTRACTED):
        return None if tuple(words[at : at + 2]) in _NO_BOUND or tuple(words[at : at + 3]) in _BEFORE else 1
    if tuple(words[at : at + 2]) in _APART:
        return 2
    # “Any airline but Delta”.
    return 1 if words[at] == "but" and not _ANY.isdisjoint(words[max(0, at - 2) : at]) else None


def _asks_only(words: Sequence[str], at: int) -> bool:
    """Whether a “not” here denies nothing: at the head of a question (“doesn't united fly”, “does united not fly”),
    behind “why”, before “only”, “care”, “mind”."""
    behind = tuple(words[at : at + 2])
    heads = at == 0 and words[0] in CONTRACTED and (words[0] != "dont" or behind == ("dont", "you"))
    asks = words[at] == "not" and words[0] in _ASKING
    return behind in _NO_DENIAL or heads or asks or (at > 0 and words[at - 1] == "why")


CONTRACTED = words_in("dont doesnt didnt isnt arent aint wasnt werent hasnt havent cant wont couldnt")
_ANY = words_in("any every all")
_BETWEEN_AS = 6
_ASKING = words_in("does do did")
_NO_BOUND = frozenset(
    [("no", "more"), ("no", "less"), ("not", "less"), ("not", "more"), ("not", "under"), ("not", "over")]
)
