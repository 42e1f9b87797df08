"""Words for who stands above others in a table that refers to itself: “manager”, “supervises”, “reports to”."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..query.column_words import lemma, words_in
from ..query.small_words import POINTERS, POSSESSIVE
from .marks import Question
from .names_beside import are_of, asked_of, is_named, names_from, unit_before, unit_from
from .pack_schema import Schema
from .verbs import BELOW, TO_THOSE_ABOVE, stands_for_above, table_of_verb

__all__ = ["Above", "above_in", "stands_below_somebody", "steps_above"]

_ARE = words_in("is are was were be been being isnt arent aint wasnt werent")
_HAVE = words_in("has have had having hasnt havent with without got")
_DO = words_in("do does did dont doesnt didnt")
_WHO = words_in("who that which")
_ARTICLES = words_in("a an any the no some")
_ANYBODY = words_in("anyone anybody someone somebody others")
_NOBODY = (("nobody",), ("noone",), ("no", "one"))
_OWN = POSSESSIVE | {"or", "own"}
_MINE = words_in("my your our")
_EACH = words_in("each every per")
_THOSE = words_in("he she they it him her them those these")
_BEHIND_VERBS = words_in("in from at with for on and or")
_ALSO = words_in("and with plus as")
_CLOSE = 2
_SOON = 5
_HAVING_CLOSE = 3


@dataclass(frozen=True, slots=True)
class Above:
    """Words [first, last) for who stands above others in a table: `way` is `of` (those above), `over` (the value is
    the one above), `are` (they stand above somebody), `no` (above nobody), `has` (somebody stands above them), `none`
    (nobody does), `count` (so many stand below them); `names` are the values, `denied` the “not” that is said of it.
    `path` leads from those who are asked about to those of the names: `u` a step up, `d` a step down; `behind` says
    that numbers further on belong to those at its end, `ahead` that superlatives before do, `others` that those at its
    end are not meant themselves."""

    table: str
    first: int
    last: int
    way: str
    names: tuple[int, ...] = ()
    denied: tuple[int, int] | None = None
    path: str = ""
    behind: bool = False
    ahead: bool = False
    others: bool = False

    @property
    def places(self) -> frozenset[int]:
        """The places of its words."""
        return frozenset(range(self.first, self.last))


def above_in(question: Question, schema: Schema) -> Above | None:
    """Words such as “manager” and “supervises”, where a table refers to itself."""
    named = {at for n in question.names for at in range(question.found[n].first, question.found[n].last)}
    for at, word in enumerate(question.words):
        if at in named:
            # “Gray's engineers”.
            kind = next((n for n in question.names if question.found[n].first == at), None)
            above = _over_kind(question, schema, kind) if kind is not None else None
            if above is not None:
                return above
            continue
        if _is_rival(question, at) or _is_beside(question.words, at) or _is_listed(question, schema, at):
            continue
        table = schema.boss_words.get(lemma(word))
        if table is not None:
            return _by_verb(question, table, at) if _is_verb(question, at) else _by_noun(question, schema, table, at)
        verb = table_of_verb(word, schema)
        if verb is not None:
            return _by_verb(question, verb, at)
        below = _of_those_below(question, schema, at)
        if below is not None:
            return below
    return None


def _over_kind(question: Question, schema: Schema, kind: int) -> Above | None:
    at = question.found[kind].first
    names = unit_before(question, at)
    for table in schema.bosses if names else ():
        if table in schema.people and _is_kind_of(question, kind, table) and are_of(question, names, table):
            return Above(table, at, at, "over", names, path="u")
    return None


def _is_rival(question: Question, at: int) -> bool:
    """Whether something is only compared with those above others: “more than his boss”."""
    words, named = question.words, [question.found[n] for n in question.names]
    than = max((place for place in range(at) if words[place] == "than"), default=-1)
    if than >= 0:
        return not any(amount.first <= at and than < amount.last for amount in question.amounts)
    start = at
    while start and (words[start - 1] in _OWN or any(one.first < start <= one.last for one in named)):
        start -= 1
    beside = words[start - 1] if start < at and start else ""
    return beside in ("before", "after") or (beside == "as" and "same" in words[:start])


def _is_beside(words: Sequence[str], at: int) -> bool:
    """Whether those above are only asked for beside others: “the clerks and their bosses”."""
    if at < 3 or words[at - 1] not in POSSESSIVE:
        return False
    return words[at - 2] in _ALSO or (words[at - 2] == "of" and not _ALSO.isdisjoint(words[max(0, at - 5) : at - 2]))


def _is_listed(question: Question, schema: Schema, at: int) -> bool:
    """Whether those above are one of several things that are asked for of somebody: “boss and department of Paul”,
    “Paul's boss and salary”."""
    words, table = question.words, schema.boss_words.get(lemma(question.words[at]))
    if table is None:
        return False
    start = _bare_start(words, at)
    others = (mark for mark in question.marks if not mark.first <= at < mark.last)
    columns = [mark for mark in others if any(one.table == table and one.column for one in mark.senses)]
    joins = words[start - 1 : start] == ("and",)
    before = any(mark.last == start - joins and (joins or start - 1 in question.commas) for mark in columns)
    last = at + 1 + (words[at + 1 : at + 2] == ("and",))
    last += words[last : last + 1] == ("the",)
    linked = last > at + 1 or at in question.commas
    behind = next((mark for mark in columns if linked and mark.first == last), None)
    if not (before or behind):
        return False
    end = behind.last if behind else at + 1
    return words[end : end + 1] == ("of",) or bool(unit_before(question, at))


def _of_those_below(question: Question, schema: Schema, at: int) -> Above | None:
    """“Who reports to Payne”, “who does Payne report to”, “Payne's subordinates”."""
    table = next((one for one in schema.bosses if one in schema.people), next(iter(schema.bosses), ""))
    words = question.words
    if not table:
        return None
    direct = words[at - 1 : at] == ("direct",)
    if words[at] == "reports" and words[at + 1 : at + 2] != ("to",) and unit_before(question, at - direct):
        return Above(table, at, at + 1, "over", unit_before(question, at - direct), path="u")
    if words[at] in BELOW:
        after = unit_from(question, at + 2) if words[at + 1 : at + 2] in (("of",), *((one,) for one in _DO)) else ()
        if not after and words[at - 1 : at] and words[at - 1] in POSSESSIVE and question.they == table:
            return Above(table, at - 1, at + 1, "over", path="u")
        names = unit_before(question, at) or after
        return Above(table, at, at + 1, "over", names, path="u") if names else None
    theirs = _people_of(question, table, at)
    if theirs:
        return Above(table, at, at + 1, "over", theirs, path="u")
    size = _reports(words, at)
    if not size:
        return None
    names = unit_from(question, at + size) or names_from(question, at + size)
    if words[at] == "under" and not (names and are_of(question, names, table)):
        return None
    if names:
        last, depth = at + size, _depth(question, schema, question.found[names[-1]].last)
        last = question.found[names[-1]].last + depth if depth else last
        return Above(table, at, last, "over", names, path="u" + "d" * depth)
    behind = words[at + size : at + size + 2]
    if behind[:1] and behind[0] in _ANYBODY and any(0 < one.first - at - size <= _SOON for one in question.amounts):
        return Above(table, at, at + size + 1, "over", path="u", behind=True)
    if question.they == table and _stand_there(behind[:1]):
        return Above(table, at, at + size + 1, "over", path="u")
    if question.they == table and behind[:1] and behind[0] in POSSESSIVE and _depth(question, schema, at + size + 1):
        return Above(table, at, at + size + 2, "over", path="ud", others=True)
    asked = asked_of(question, at)
    pronoun = question.they == table and _stand_there(words[at - 1 : at])
    return Above(table, at, at + size, "of", asked, path="d") if asked or pronoun else None


def _people_of(question: Question, table: str, at: int) -> tuple[int, ...]:
    """“Payne's people”, “how many employees does Payne have”: the names of who stands above these."""
    words = question.words
    mark = question.next_mark(at, 0)
    own = mark is not None and (mark.senses[0].table, mark.senses[0].column) == (table, "") and mark.last == at + 1
    if own and words[at] not in _WHO and words[at] not in POINTERS:
        names = unit_before(question, at)
        return names if are_of(question, names, table) else ()
    if words[at] in ("have", "has", "got") and at + 1 == len(words):
        names = asked_of(question, at)
        people = any((one.senses[0].table, one.senses[0].column) == (table, "") for one in question.marks[:2])
        people = people or any(_is_kind_of(question, n, table) for n in question.names if n not in names)
        return names if people and are_of(question, names, table) else ()
    return ()


def _is_kind_of(question: Question, n: int, table: str) -> bool:
    """Whether a value says of what kind rows of the table are: “engineers”."""
    forms = (form.strip("%") for one in question.found[n].meanings for form in one.forms)
    return not is_named(question, n) and any(form.startswith(f"{table}.") for form in forms)


def _stand_there(words: Sequence[str]) -> bool:
    """Whether a word stands for those of the turn before."""
    return bool(words) and words[0] in _THOSE


def stands_below_somebody(question: Question) -> bool:
    """Whether words say that somebody works for one who is named."""
    sizes = ((at, _reports(question.words, at)) for at in range(len(question.words)))
    return any(unit_from(question, at + size) for at, size in sizes if size and question.words[at] != "under")


def _reports(words: Sequence[str], at: int) -> int:
    """How many words say here that somebody stands below somebody; 0 if none do."""
    said = (lemma(words[at]), *words[at + 1 :])
    size = next((len(one) for one in TO_THOSE_ABOVE if said[: len(one)] == one), int(words[at] == "under"))
    return size or int(said[0] in ("report", "answer") and words[:2] == ("to", "whom"))


def _depth(question: Question, schema: Schema, at: int) -> int:
    """How many words for those above stand here in a row: “Paul's boss's boss”."""
    words, many = question.words, 0
    while at + many < len(words) and lemma(words[at + many]) in schema.boss_words:
        many += 1
    return many


def steps_above(question: Question, schema: Schema) -> tuple[str, int] | None:
    """The column that leads to those above others, and how often a query wants it at least; None if it speaks of none
    such."""
    above = above_in(question, schema) if schema.bosses else None
    return (schema.bosses[above.table].lower(), max(1, len(above.path))) if above else None


def _is_verb(question: Question, at: int) -> bool:
    """Whether a word that is noun and verb, as “mentor”, is a verb here: “who mentors”, “does Paul mentor”."""
    words = question.words
    if words[at].endswith(("ed", "ing")) or set(words[at + 1 : at + 2]) & _ANYBODY or _nobody_at(words, at + 1):
        return True
    start = min([at, *(question.found[n].first for n in unit_before(question, at))])
    start -= words[start - 1 : start] == ("not",)
    before = words[start - 1] if start else ""
    if before in _DO:
        # “Whom does Paul mentor”, and not “where does Paul's mentor live”.
        return at + 1 == len(words) or words[at + 1] in _BEHIND_VERBS
    return before in _WHO and (before == "who" or start > 1)


def _by_noun(question: Question, schema: Schema, table: str, at: int) -> Above:
    """“Manager” and the like: of somebody, over somebody, or by itself."""
    return (
        _of_those_before(question, schema, table, at)
        or _with_names(question, schema, table, at)
        or _by_itself(question, table, at)
    )


def _of_those_before(question: Question, schema: Schema, table: str, at: int) -> Above | None:
    """“His boss”, “my manager”, “each manager”."""
    start = _bare_start(question.words, at)
    before = question.words[start - 1] if start else ""
    if before in POSSESSIVE or before in _MINE:
        depth = _depth(question, schema, at)
        return Above(table, start - 1, at + depth, "of", path="d" * depth)
    by = before == "by" and start > 1 and not question.words[start - 2].endswith("ed")
    return Above(table, at, at + 1, "has") if before in _EACH or by else None


def _with_names(question: Question, schema: Schema, table: str, at: int) -> Above | None:
    """“Paul's boss”, “has Paul as a boss”, “the same boss as Paul”, “whose boss is Paul”, “the boss of the women”."""
    words, beside, after = question.words, unit_before(question, at), names_from(question, at + 1)
    start = _bare_start(words, at)
    before = words[start - 1] if start else ""
    held = unit_before(question, start - 1) if before == "as" else ()
    if held:
        return Above(table, at, at + 1, "over", held, path="u")
    if beside:
        return _of_somebody(question, schema, table, at, beside)
    same = unit_from(question, at + 2) if before == "same" and words[at + 1 : at + 2] == ("as",) else ()
    if same:
        return Above(table, start - 1, at + 2, "over", same, path="ud", others=True)
    if before == "same" and question.they == table and words[at + 1 : at + 2] != ("as",):
        return Above(table, start - 1, at + 1, "over", path="ud", others=True)
    if after and ("whose" in words[:at] or (before in _HAVE and is_named(question, after[0]))):
        return Above(table, at, at + 1, "over", after, path="u", behind=True)
    of = at + 1 + _is_table(question, table, at + 1)
    if after and words[of : of + 1] == ("of",) and question.found[after[0]].first <= of + 2:
        names = unit_from(question, question.found[after[0]].first) or after
        return _of_somebody(question, schema, table, at, names, of)
    best = any(one.adjective and one.first > at for one in question.superlatives)
    if words[at + 1 : at + 2] == ("of",) and _are_people(question, table, at + 2, 3 if best else 1):
        return Above(table, at, at + 2, "of", after, path="d", behind=True)
    soon = any(at < one.first <= at + _SOON for one in question.amounts)
    if soon and (before == "whose" or before in _HAVE):
        return Above(table, at, at + 1, "over", path="u", behind=True)
    return _with_kinds(question, table, at)


def _is_table(question: Question, table: str, at: int) -> bool:
    """Whether a word names the table here: “the parent category of fruit”."""
    mark = question.next_mark(at, 0)
    return mark is not None and mark.last == at + 1 and (mark.senses[0].table, mark.senses[0].column) == (table, "")


def _with_kinds(question: Question, table: str, at: int) -> Above | None:
    """“People with a female boss”, “the oldest person's boss”."""
    words = question.words
    kind = next((n for n in question.names if question.found[n].last == at and not is_named(question, n)), None)
    start = _bare_start(words, question.found[kind].first) if kind is not None else 0
    if kind is not None and start and words[start - 1] in _HAVE:
        return Above(table, at, at + 1, "over", (kind,), path="u")
    if kind is not None and words[start : start + 1] == ("the",) and lemma(words[at]) == words[at]:
        # “The president's boss”.
        return Above(table, at, at + 1, "of", (kind,), path="d")
    mark = next((one for one in question.marks if one.last == at), None)
    own = mark is not None and (mark.senses[0].table, mark.senses[0].column) == (table, "")
    if mark is not None and own and any(one.adjective and one.last == mark.first for one in question.superlatives):
        return Above(table, at, at + 1, "of", path="d", ahead=True)
    return None


def _by_itself(question: Question, table: str, at: int) -> Above:
    """“Managers”, “who is no manager”, “who has a manager”, “without a manager”."""
    words, start = question.words, _bare_start(question.words, at)
    had = start > 0 and words[start - 1] in _HAVE
    denied = _denied(question, at, _HAVING_CLOSE if had else _CLOSE)
    if had or (denied and words[denied[0]] == "no" and not set(words[denied[0] - 1 : denied[0]]) & _ARE):
        return Above(table, at, at + 1, "none" if denied else "has", denied=denied)
    return Above(table, at, at + 1, "no" if denied else "are", denied=denied)


def _are_people(question: Question, table: str, at: int, within: int = 1) -> bool:
    """Whether words speak of the rows of this table here: “the boss of the women”."""
    mark = question.next_mark(at, within)
    named = mark is not None and any(one.table == table and not one.column for one in mark.senses)
    begin = (question.found[n] for n in question.names if at <= question.found[n].first <= at + within)
    kinds = f"%{table}.", f"{table}."
    return named or any(form.startswith(kinds) for one in begin for it in one.meanings for form in it.forms)


def _of_somebody(
    question: Question, schema: Schema, table: str, at: int, names: tuple[int, ...], end: int = 0
) -> Above:
    """“Paul's boss”, “Paul's boss's boss”, “the boss of Paul's boss”; and those of “does Paul's boss supervise”."""
    behind = question.found[names[-1]].last
    depth = _depth(question, schema, at) + (_depth(question, schema, behind) if behind > at else 0)
    last = max(end, at + _depth(question, schema, at))
    if stands_for_above("".join(question.words[last : last + 1]), schema):
        return Above(table, at, last + 1, "over", names, path="u" + "d" * depth)
    return Above(table, at, last, "of", names, path="d" * depth)


def _bare_start(words: Sequence[str], at: int) -> int:
    """Where the articles begin that stand before this word."""
    while at and words[at - 1] in _ARTICLES:
        at -= 1
    return at


def _denied(question: Question, at: int, within: int) -> tuple[int, int] | None:
    """The “not” right before this word, with no value between them."""
    for first, last in question.nots:
        between = any(last <= question.found[n].first < at for n in question.names)
        if first < at <= last + within and not between:
            return first, last
    return None


def _by_verb(question: Question, table: str, at: int) -> Above:
    words, after = question.words, names_from(question, at + 1)
    before = asked_of(question, at) if _DO & set(words[:at]) else ()
    denied = _denied(question, at, _CLOSE)
    by = words[at + 1 : at + 2] == ("by",)
    last = at + 1 + by
    if question.they == table and not (before or after) and not words[at].endswith("ed"):
        if _stand_there(words[at - 1 : at]) and _DO & set(words[:at]):
            return Above(table, at, last, "over", path="u")
        if _stand_there(words[last : last + 1]):
            return Above(table, at, last + 1, "of", path="d")
    if by and after:
        return Above(table, at, last, "over", after, path="u")
    nobody = _nobody_at(words, last)
    if nobody:
        last += nobody
        return Above(table, at, last, "none" if by else "no", denied=_denied(question, last, nobody - 1))
    if by or (words[at].endswith("ed") and _stands_behind(words, at, _ARE)):
        return Above(table, at, last, "none" if denied else "has", denied=denied)
    if any(at < amount.first <= at + 2 for amount in question.amounts):
        return Above(table, at, last, "count")
    if before:
        return Above(table, at, last, "over", before, path="u")
    if denied and not any(is_named(question, n) for n in after):
        return Above(table, at, last, "no", denied=denied)
    if after:
        return Above(table, at, last, "of", after, path="d")
    best = any(one.adjective and one.first >= last for one in question.superlatives)
    if best and _are_people(question, table, last, 3):
        return Above(table, at, last, "of", path="d", behind=True)
    return Above(table, at, last, "are")


def _nobody_at(words: Sequence[str], at: int) -> int:
    """How many words say “nobody” here."""
    return next((len(said) for said in _NOBODY if tuple(words[at : at + len(said)]) == said), 0)


def _stands_behind(words: Sequence[str], at: int, others: frozenset[str]) -> bool:
    """Whether one of these words stands right before, “not” apart."""
    at -= words[at - 1 : at] == ("not",)
    return at > 0 and words[at - 1] in others
