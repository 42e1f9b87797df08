"""Questions that lean on the turn before: “which of those serve breakfast”, “how about Paul Tai”, “the cheapest one”.

Here is which do, what an example of one teaches, and which earlier turn counts; `going_on` edits its statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ..learned.compose import nested_alike
from ..learned.evidence import Evidence, sure
from ..learned.memory import literal
from ..query.recognise import Reading
from ..query.small_words import LIGHT, POINTERS, POSSESSIVE, SILENT
from ..sql.align import places_of
from ..sql.parsing import Parser
from ..sql.statements import Clause, Hole, Statement, Sub, map_holes
from ..values import Asked, Choice

__all__ = [
    "Continued",
    "before_it",
    "is_a_piece",
    "leans",
    "loses_context",
    "may_be_of_all",
    "may_lean",
    "out_of_context",
    "reduced",
    "stands_alone",
    "with_choices",
]

_OPENERS = re.compile(
    r"^(and|or|but|only|just|instead|also|then|not|except|without|(what|how) about|which of|how many of|any of|"
    r"of (those|these)|which ones?|who else|the same|now (going|the|only|just|in|on|from|to|with|for)|"
    r"how many (are|is|of|in|on|at|from)|(sort|order|rank|arrange|count) (them|by|it|those|these)|"
    r"(make|change) (it|that)|the (other|return|reverse|opposite)|same|which (is|are|was|were|has|have|leaves?|goes?)|"
    r"(let|lets|let us) (try|see|do|say|take|make)|i meant?|try|switch to|include|add|now do|"
    r"leave out|drop|skip|exclude|remove|the (first|last|\w+est|most \w+|least \w+) ones?|"
    r"any (that|who|with|in|on|at|from|to|before|after|under|over|between|earlier|later|cheaper|others?))\b"
)
_THAT = re.compile(
    r"\b(do|does|did|is|was|of|for|about|like) (that|this)\b|\brather\b|\b(only|just) (the|those|these)\b|"
    r"^any \w+( \w+)?$|^any \w+ but\b|\bthe (\w+ )?ones? (that|which|who|with|in|on|leaving|arriving)\b|"
    r"^which (takes?|costs?|arrives?|serves?|flies|fly|lands?|lives?|works?|earns?|makes?)\b"
)
_NONE_NAMED = re.compile(
    r"\b(is|are) (there )?(any|one|some) (that|who|with|in|on|at|from|to|before|after|under|over|between)\b"
)
_MODIFIER = re.compile(
    r"^(please )?(at|in|on|with|before|after|between|under|over|above|below|by|to|from|for|leaving|departing|arriving|"
    r"returning|earlier|later|born|hired)\b"
)
_SHORT = 6
_HARDLY_MORE = 2
_ASKING = (["how"], ["when"], ["where"])
_LOOSE = 0.5
_BEFORE_THEIRS = frozenset(["of", "is", "are", "was", "were", "what", "whats", "show", "list", "in", "about", "for"])
_THERE_IS = re.compile(r"\b(is|are|was|were|be) there\b|\bthere (is|are|was|were)\b")
_WHOLE = re.compile(
    r"^(please |can you |could you |now |in |on |at |from |for |to |by )*"
    r"(who|whose|what|whats|which|when|where|why|how|is|are|was|were|do|does|did|"
    r"has|have|can|list|show|give|display|find|tell|name|count|i|id|im|we|get|let|any|anybody|anyone)\b"
)
# “Who earns more than 50000” is said of everybody, or of those before.
_OF_WHOM = re.compile(r"^who (?!is\b|are\b|was\b|were\b|do\b|does\b|did\b)\w")
# “Who is the oldest” is said of those before, or of everybody.
_WHO_IS_BEST = re.compile(r"^(and |so )?who( is|s| was| are| were) the \w+est$")


@dataclass(frozen=True)
class Continued:
    """A statement made from the one before, the values of the query that it uses, and what speaks for it; `loose` if
    it may ask about other rows than those before."""

    statement: Statement
    used: tuple[int, ...]
    evidence: Evidence
    loose: bool = False

    @property
    def chance(self) -> float:
        """How likely it is meant."""
        return min(sure(self.evidence), _LOOSE) if self.loose else sure(self.evidence)


def leans(reading: Reading) -> bool:
    """Whether the words point back to an earlier turn. “Are there” points to nothing."""
    text = " ".join(word.text for word in reading.words)
    words = _THERE_IS.sub("is", text).split()
    if may_be_of_all(reading):
        return True
    one = any(pair[0] != "which" and pair[1] == "one" and not pair[2] for pair in _pairs(words))
    if _OPENERS.match(" ".join(words)) or POINTERS - {"one"} - POSSESSIVE & set(words) or one or _of_before(words):
        return True
    return bool(_THAT.search(text) or text.endswith((" only", " instead")) or _NONE_NAMED.search(text)) or _is_modifier(
        reading, text
    )


def _of_before(words: Sequence[str]) -> bool:
    """Whether “their” and the like belong to what an earlier turn was about, and not to what the words name themselves
    before: “the clerks and their salaries”."""
    for at, word in enumerate(words):
        if word in POSSESSIVE:
            named = any(one not in SILENT and one not in LIGHT for one in words[:at])
            return not named or words[at - 1] in _BEFORE_THEIRS
    return False


def _is_modifier(reading: Reading, text: str) -> bool:
    """Whether a few words with one value at most say only which of some things: “at level 20 or above”."""
    values = [one for one in reading.found if not one.weak]
    return bool(_MODIFIER.match(text)) and len(values) <= 1 + (" and " in text) and len(reading.words) <= _SHORT


def stands_alone(reading: Reading) -> bool:
    """Whether the words are a question or an order by themselves, and not a piece that an earlier turn completes."""
    return bool(_WHOLE.match(" ".join(word.text for word in reading.words))) and not leans(reading)


def is_a_piece(reading: Reading) -> bool:
    """Whether words are nothing but values, or hardly more than a question word: “men”, “Paul Tai”, “how old”."""
    words = [word.text for word in reading.words]
    if not reading.found:
        return len(words) <= _HARDLY_MORE and words[:1] in _ASKING
    taken = {at for one in reading.found for at in range(one.first, one.last)}
    return all(at in taken or word in SILENT for at, word in enumerate(words)) and not stands_alone(reading)


def may_lean(reading: Reading) -> bool:
    """Whether words that could stand alone may as well be said of what an earlier turn gave."""
    return bool(_OF_WHOM.match(" ".join(word.text for word in reading.words)))


def may_be_of_all(reading: Reading) -> bool:
    """Whether words ask who is first in something, and do not say of whom."""
    return bool(_WHO_IS_BEST.match(" ".join(word.text for word in reading.words)))


def _pairs(words: Sequence[str]) -> Iterable[tuple[str, str, str]]:
    padded = [*words, "", ""]
    return zip(padded, padded[1:], padded[2:], strict=False)


def before_it(previous: Sequence[Asked], parser: Parser) -> list[Statement]:
    """The statements of the turns before that can be taken apart, oldest first."""
    read = (parser.parse(asked.sql) for asked in previous)
    return [statement for statement in read if statement is not None and statement.root]


def loses_context(previous: Sequence[Asked], parser: Parser) -> bool:
    """Whether an edit of the turn before loses something of it: it cannot be taken apart."""
    if not previous:
        return False
    last = parser.parse(previous[-1].sql)
    return last is None or not last.root


def reduced(statement: Statement, previous: Sequence[Asked], parser: Parser) -> Statement:
    """What a question that leans on the turn before says itself: its statement without what was there already."""
    before = parser.parse(previous[-1].sql) if previous else None
    if before is None or not before.root or before.root != statement.root:
        return statement
    said = {clause.key for clause in before.clauses}
    own = tuple(clause for clause in statement.clauses if clause.key not in said)
    return replace(statement, clauses=own) if len(own) < len(statement.clauses) else statement


def out_of_context(statement: Statement, foreign: Callable[[Clause], bool]) -> Statement:
    """The statement without these clauses, also in nested SELECTs."""
    clauses = []
    for clause in statement.clauses:
        if not foreign(clause):
            parts = (Sub(out_of_context(p.statement, foreign)) if isinstance(p, Sub) else p for p in clause.parts)
            clauses.append(Clause(tuple(parts)))
    return replace(statement, clauses=tuple(clauses))


def with_choices(statement: Statement, choices: Iterable[Choice]) -> Statement:
    """The statement before, after the wizard's changes to values that it brings along."""
    for choice in choices:
        if choice.start < 0:
            texts = {choice.said, literal(choice.said, "'")}
            if choice.value is None:
                kept = (clause for clause in statement.clauses if not _holds(clause, texts))
                statement = nested_alike(replace(statement, clauses=tuple(kept)))
            else:
                value = choice.value.value
                statement = map_holes(
                    statement,
                    lambda hole, texts=texts, value=value: (
                        Hole(hole.index, literal(value, hole.text)) if hole.text in texts else hole
                    ),  # type: ignore[misc]
                )
    return statement


def _holds(clause: Clause, texts: set[str]) -> bool:
    return any(hole.text in texts for _, hole in places_of([part for part in clause.parts]))
