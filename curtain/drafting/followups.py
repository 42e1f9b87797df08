"""Questions that lean on the turn before: “which of those serve breakfast”, “how about Paul Tai”, “the cheapest one”.

The statement of the turn before is kept and changed: a value of the same role or kind takes the place of the old one,
what is new is added, and the head changes if the words ask for something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from .align import places_of
from .compose import nested_alike
from .features import masked
from .memory import Memory, Role, literal
from .parsing import Parser
from .reader import Guess
from .recognise import Found, Reading
from .statements import Clause, Hole, Statement, Sub, literals_of, map_clause, map_holes
from .values import Asked, Choice

__all__ = ["Continued", "continued", "leans", "out_of_context", "reduced", "stands_alone", "with_choices"]

_OPENERS = re.compile(
    r"^(and|or|but|only|instead|also|then|(what|how) about|which of|how many of|any of|of (those|these))\b"
)
_POINTERS = frozenset(
    [
        "those",
        "these",
        "them",
        "they",
        "their",
        "theirs",
        "it",
        "its",
        "ones",
        "same",
        "there",
        "he",
        "she",
        "his",
        "her",
        "him",
        "former",
        "latter",
    ]
)
_THERE_IS = re.compile(r"\b(is|are|was|were|be) there\b|\bthere (is|are|was|were)\b")
_WHOLE = re.compile(
    r"^(please |can you |could you |now )*(who|whose|what|whats|which|when|where|why|how|is|are|was|were|do|does|did|"
    r"has|have|can|list|show|give|display|find|tell|name|count|i|id|im|we|get|let|any|anybody|anyone)\b"
)
_SWAPS = re.compile(r"^(and |or |but )?((what|how) about|instead|make (it|that))\b")
_SURE = 0.5
_SURE_OF_CLAUSE = 0.2
_LIFT = 4.0


@dataclass(frozen=True)
class Continued:
    """A statement made from the one before, and the values of the query that it uses."""

    statement: Statement
    used: tuple[int, ...]


def leans(reading: Reading) -> bool:
    """Whether the words point back to an earlier turn. “Are there” points to nothing."""
    words = _THERE_IS.sub("is", " ".join(word.text for word in reading.words)).split()
    one = any(pair[0] != "which" and pair[1] == "one" and not pair[2] for pair in _pairs(words))
    return bool(_OPENERS.match(" ".join(words)) or _POINTERS & set(words) or one)


def stands_alone(reading: Reading) -> bool:
    """Whether the words are a question or an order by themselves, and not a piece that an earlier turn completes."""
    return bool(_WHOLE.match(" ".join(word.text for word in reading.words))) and not leans(reading)


def _pairs(words: Sequence[str]) -> Iterable[tuple[str, str, str]]:
    padded = [*words, "", ""]
    return zip(padded, padded[1:], padded[2:], strict=False)


def continued(reading: Reading, before: Statement, guess: Guess, bias: Guess, memory: Memory) -> list[Continued]:
    """Statements that go on from the one before, likeliest first; none if the query adds nothing to it."""
    statement, used = _with_values(reading, before, guess, memory)
    statement = _with_clauses(statement, guess, bias, memory, memory.expected(masked(reading)))
    head = _new_head(statement, guess, bias, memory)
    found = [replace(statement, head=head.head, tail=head.tail)] if head else []
    found += [statement] if statement.key != before.key else []
    return [Continued(nested_alike(one) if one.clauses != before.clauses else one, used) for one in found]


def _with_values(
    reading: Reading, before: Statement, guess: Guess, memory: Memory
) -> tuple[Statement, tuple[int, ...]]:
    statement, used = before, []
    swaps = bool(_SWAPS.match(" ".join(word.text for word in reading.words)))
    for number, one in enumerate(reading.found):
        if number in reading.removed or one.weak:
            continue
        changed = _with_value(statement, one, guess.roles[number], swaps, memory)
        if changed is not None:
            statement = changed
            used.append(number)
    return statement, tuple(used)


def _with_value(
    statement: Statement, one: Found, roles: dict[Role, float], swaps: bool, memory: Memory
) -> Statement | None:
    likeliest = sorted((role for role in roles if role), key=lambda name: -roles[name])
    clauses = next(filter(None, (_role_clauses(role, one, memory) for role in likeliest)), None)
    names = {generic(clause) for clause in clauses or ()}
    there = names & {generic(clause) for clause in statement.clauses}
    swapped = _swapped(statement, one) if swaps and not there else None
    if swapped is not None or not clauses:
        return swapped or _swapped(statement, one)
    kept = [clause for clause in statement.clauses if generic(clause) not in names and not _same_place(clause, clauses)]
    return replace(statement, clauses=(*kept, *clauses))


def _role_clauses(role: Role, one: Found, memory: Memory) -> list[Clause] | None:
    """The clauses of a role, filled; None if the value cannot fill them alone."""
    clauses = []
    for name in sorted(role):
        clause = memory.clauses.get(name)
        holes = [hole for hole in literals_of(clause.parts) if hole.name] if clause else []
        if clause is None or any(one.form(hole.name[1:-1]) is None for hole in holes):
            return None
        clauses.append(map_clause(clause, lambda hole: _put(hole, one)))
    return [*clauses, *memory.beside(role)] if clauses else None


def _put(hole: Hole, one: Found) -> Hole:
    value = one.form(hole.name[1:-1]) if hole.name else None
    return Hole(hole.index, hole.text if value is None else literal(value, hole.text))


def _same_place(clause: Clause, others: Iterable[Clause]) -> bool:
    """Whether another clause bounds the same column by a literal, so that both together would be a contradiction."""
    mine = {column for column, _ in places_of(clause.parts)}
    nodes = clause.parts[:1]
    return any(
        other.parts[:1] == nodes and mine == {column for column, _ in places_of(other.parts)} for other in others
    )


def _swapped(statement: Statement, one: Found) -> Statement | None:
    """The value in place of those literals that stand beside a column of its own."""
    forms = {
        form.split(".")[-1]: text
        for meaning in one.meanings[:1]
        for form, text in meaning.forms.items()
        if "#" not in form
    }
    old = {
        hole.text
        for clause in statement.clauses
        for column, hole in places_of(clause.parts)
        if column.split(".")[-1] in forms
    }
    if not old:
        return None
    first = next(hole.text for clause in statement.clauses for _, hole in places_of(clause.parts) if hole.text in old)
    columns = {
        hole.index: column.split(".")[-1] for clause in statement.clauses for column, hole in places_of(clause.parts)
    }

    def put(hole: Hole) -> Hole:
        form = columns.get(hole.index, "")
        return Hole(hole.index, literal(forms[form], hole.text)) if hole.text == first and form in forms else hole

    return map_holes(statement, put)


def _with_clauses(
    statement: Statement, guess: Guess, bias: Guess, memory: Memory, expected: frozenset[str]
) -> Statement:
    own = {generic(clause) for clause in statement.clauses}
    sure = [
        name
        for name, chance in guess.plain.items()
        if chance > _SURE_OF_CLAUSE and chance > _LIFT * bias.plain.get(name, 0.0)
    ]
    names = dict.fromkeys([*sure, *sorted(expected)])
    known = [memory.clauses[name] for name in names if name in memory.clauses]
    new = [clause for clause in known if generic(clause) not in own and not memory.is_unsaid(clause)]
    kept = [clause for clause in statement.clauses if not _same_place(clause, new)]
    return replace(statement, clauses=(*kept, *new)) if new else statement


def _new_head(statement: Statement, guess: Guess, bias: Guess, memory: Memory) -> Statement | None:
    """What the words ask for, if they do, it is something else, and the tables are there."""
    best = max(guess.heads, key=lambda name: guess.heads[name], default="")
    raised = guess.heads.get(best, 0.0) > max(_SURE, min(0.9, _LIFT * bias.heads.get(best, 0.0)))
    if not raised or best == statement.head_key or not best.startswith(f"{statement.root}|"):
        return None
    shapes = (memory.shapes[keys[0]] for (head, _, _), keys in memory.meanings.items() if head == best and keys)
    return next((shape.form.statement for shape in shapes), None)


def generic(clause: Clause) -> str:
    """A clause's name whatever its literals."""
    return map_clause(clause, lambda hole: Hole(0, "?")).key


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
