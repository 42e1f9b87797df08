"""The rules of annotation that can be checked, and what follows from them. Pure: values in, sentences out.

Sources: papers/000 S-7, S-8 and section 5 (categories of 1989), papers/003 appendix A (class A of 1990), papers/001
2.2.2 and 2.4.2, and the categorisation files of 1991. The official procedure from tags to class is lost; ours is: any
tag or reason that excludes makes X; else without context A; else D1 if all pointers are to the evaluable query
immediately before and that one is of class A; else D.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from curtain.cas import CasError, parse
from curtain.corpus.annotation.sro import check_sro
from curtain.corpus.annotation.tag_table import TagTable, era_of
from curtain.corpus.model.utterance import Category, ContextLink, EvalClass, Reference, Utterance
from curtain.corpus.redaction.texts import leaving

MOST_READINGS = 6
Field = Literal["transcription", "category", "eval_class", "tags", "reasons", "context", "references", "redaction"]


@dataclass(frozen=True)
class AnnotationProblem:
    """What is wrong with an annotation, in one sentence. `blocks`: it cannot be saved as final so."""

    field: Field
    sentence: str
    blocks: bool = True


# -- what came before ----------------------------------------------------------------------------------


def reachable(turn: Utterance, before: Sequence[Utterance]) -> tuple[Utterance, ...]:
    """The earlier turns that a turn may depend on: a cleared history and a new scenario begin anew."""
    if turn.history_cleared:
        return ()
    reached: list[Utterance] = []
    for utterance in reversed(before):
        if utterance.scenario_id != turn.scenario_id:
            break
        reached.append(utterance)
        # This turn itself began anew, and may be pointed to; those before it may not.
        if utterance.history_cleared:
            break
    return tuple(reversed(reached))


def previous_query(turn: Utterance, before: Sequence[Utterance]) -> Utterance | None:
    """The query immediately before, whatever became of it; a cancelled turn is none."""
    return next((one for one in reversed(reachable(turn, before)) if one.outcome != "cancelled"), None)


def previous_evaluable(turn: Utterance, before: Sequence[Utterance]) -> Utterance | None:
    """The evaluable query immediately before: of class A, D1 or D, or answered and not yet classed."""
    return next((one for one in reversed(reachable(turn, before)) if _is_evaluable(one)), None)


def _is_evaluable(utterance: Utterance) -> bool:
    return utterance.eval_class != "X" and (utterance.eval_class is not None or utterance.outcome == "answer")


# -- derivation ----------------------------------------------------------------------------------------


def derive_class(annotation: Utterance, before: Sequence[Utterance], table: TagTable, year: int) -> EvalClass:
    """The class of 1991 that the tags, the reasons and the context give under a rule-book."""
    # Papers/003, A.4 a: no database answer, no evaluation, whatever the tags say.
    if annotation.outcome != "answer":
        return "X"
    if table.excluding((*annotation.tags, *annotation.site_tags), annotation.reasons, year):
        return "X"
    if not annotation.context:
        return "A"
    previous = previous_evaluable(annotation, before)
    pointed = {link.utterance_id for link in annotation.context}
    # D1 is one step from a query of class A; a turn not yet classed may still become one.
    one_step = previous is not None and pointed == {previous.utterance_id} and previous.eval_class in ("A", None)
    return "D1" if one_step else "D"


def derive_category(annotation: Utterance, before: Sequence[Utterance], table: TagTable) -> Category:
    """The category of 1989, but for 2: whether something is an ellipsis only a person can say."""
    excluded = table.excluding((*annotation.tags, *annotation.site_tags), annotation.reasons, 1989)
    if excluded or annotation.outcome != "answer" or annotation.eval_class == "X":
        return "X"
    if not annotation.context:
        return "0"
    previous = previous_query(annotation, before)
    pointed = {(link.utterance_id, link.to) for link in annotation.context}
    nearest = previous is not None and {(previous.utterance_id, "text")} == pointed
    return "1" if nearest else "3"


# -- what is wrong -------------------------------------------------------------------------------------


def check(
    annotation: Utterance,
    session_so_far: Sequence[Utterance],
    table: TagTable,
    year: int,
    dialect: str = "1992",
    *,
    lost_answers: bool = False,
) -> list[AnnotationProblem]:
    """All problems of an annotated turn under a rule-book. `session_so_far`: the annotated turns before it, in order.

    Nothing for one that may be saved as final. With `lost_answers` nothing follows from having none.
    """
    before = tuple(session_so_far)
    return [
        *_of_transcription(annotation),
        *_of_tags(annotation, table, year),
        *_of_context(annotation, before),
        *_of_class(annotation, before, table, year),
        *_of_category(annotation, before, table),
        *(() if lost_answers else _of_references(annotation, dialect, year)),
        *_of_yes_no(annotation),
        *_of_redactions(annotation),
        *_of_leaving(annotation),
    ]


def _of_transcription(annotation: Utterance) -> Iterator[AnnotationProblem]:
    for problem in check_sro(annotation.sro or ""):
        yield AnnotationProblem("transcription", f"At sign {problem.start + 1}: {problem.sentence}", problem.blocks)


def _of_tags(annotation: Utterance, table: TagTable, year: int) -> Iterator[AnnotationProblem]:
    for name, count in Counter((*annotation.tags, *annotation.site_tags)).items():
        if count > 1:
            yield AnnotationProblem("tags", f"The tag “{name}” stands twice.")
    for name in annotation.tags:
        if name not in table.tags or table.tags[name].site:
            yield AnnotationProblem(
                "tags", f"“{name}” is none of the 19 tags; a tag of your own goes to those of the site."
            )
    for name in annotation.site_tags:
        if name in table.tags and not table.tags[name].site:
            yield AnnotationProblem("tags", f"“{name}” is one of the 19 tags and goes among them.")
        elif name not in table.tags:
            yield AnnotationProblem(
                "tags", f"“{name}” is not in annotation.toml of the study; it excludes nothing.", blocks=False
            )
    yield from _of_reasons(annotation, table, year)
    # A hint only: the recording may be cut behind the last word.
    if annotation.cut_short and "trunc-utt" not in annotation.tags:
        yield AnnotationProblem(
            "tags", "The recording is cut off, and “trunc-utt” is not among the tags.", blocks=False
        )
    if annotation.outcome == "cancelled" and "cancelled" not in annotation.tags:
        yield AnnotationProblem("tags", "The subject withdrew this turn: it needs the tag “cancelled”.")


def _of_reasons(annotation: Utterance, table: TagTable, year: int) -> Iterator[AnnotationProblem]:
    for name in annotation.reasons:
        reason = table.reasons.get(name)
        if reason is None:
            yield AnnotationProblem("reasons", f"There is no reason “{name}”.")
        # Reasons of 1989 stay, since the category is of 1989 under every rule-book.
        elif era_of(year) not in reason.years and 1989 not in reason.years:
            yield AnnotationProblem(
                "reasons", f"“{reason.title}” is no reason under the rule-book of {year}.", blocks=False
            )
        elif annotation.eval_class == "X" and reason.tag not in annotation.tags and name != "no_database_answer":
            yield AnnotationProblem(
                "tags", f"The reason “{reason.title}” goes with the tag “{reason.tag}”.", blocks=False
            )


def _of_context(annotation: Utterance, before: tuple[Utterance, ...]) -> Iterator[AnnotationProblem]:
    earlier = {one.utterance_id: one for one in before}
    allowed = {one.utterance_id for one in reachable(annotation, before)}
    links = [(link.utterance_id, link.to) for link in annotation.context]
    if len(set(links)) < len(links):
        yield AnnotationProblem("context", "The same pointer stands twice.")
    for link in annotation.context:
        target = earlier.get(link.utterance_id)
        if target is None:
            yield AnnotationProblem("context", f"“{link.utterance_id}” is no earlier turn of this session.")
        elif link.utterance_id not in allowed:
            yield AnnotationProblem(
                "context",
                f"{_name(target)} cannot be pointed to: the history was cleared or a new scenario began after it.",
            )
        else:
            yield from _of_target(link, target)


def _of_target(link: ContextLink, target: Utterance) -> Iterator[AnnotationProblem]:
    if target.outcome == "cancelled":
        yield AnnotationProblem("context", f"{_name(target)} was cancelled; there is nothing to point to.")
    elif link.to == "answer" and target.outcome != "answer":
        yield AnnotationProblem("context", f"{_name(target)} has no answer; point to its text.")
    elif target.eval_class == "X":
        yield AnnotationProblem(
            "context", f"{_name(target)} is of class X, so this turn cannot be scored either.", blocks=False
        )


def _name(utterance: Utterance) -> str:
    return f"Turn {utterance.turn}"


def _of_class(
    annotation: Utterance, before: tuple[Utterance, ...], table: TagTable, year: int
) -> Iterator[AnnotationProblem]:
    given = annotation.eval_class
    if given is None:
        yield AnnotationProblem("eval_class", "The turn has no class yet.")
        return
    if annotation.outcome != "answer" and given != "X":
        yield AnnotationProblem(
            "eval_class", "The wizard gave no database answer, so the class is X (papers/003, A.4 a)."
        )
        return
    if given == "X" and not annotation.tags:
        yield AnnotationProblem("tags", "Class X needs a tag that says why; only class A may stand alone.")
        return
    derived = derive_class(annotation, before, table, year)
    if given != derived:
        yield AnnotationProblem("eval_class", _why(annotation, before, table, year, given, derived))
    elif given == "X" and not _is_explained(annotation, table):
        names = " and ".join(f"“{name}”" for name in annotation.tags)
        yield AnnotationProblem(
            "tags", f"{names} does not say why the class is X; add a tag that does, or a note (F9)."
        )


def _is_explained(annotation: Utterance, table: TagTable) -> bool:
    """Whether a tag excludes under any rule-book, or somebody wrote a note. A categorisation file knows no reasons."""
    tags = [table.tags.get(name) for name in (*annotation.tags, *annotation.site_tags)]
    # Only whoever wrote an unknown tag knows what it means.
    return any(note.strip() for note in annotation.notes) or any(tag is None or tag.excludes for tag in tags)


def _why(
    annotation: Utterance, before: tuple[Utterance, ...], table: TagTable, year: int, given: str, derived: str
) -> str:
    excluding = table.excluding((*annotation.tags, *annotation.site_tags), annotation.reasons, year)
    if derived == "X":
        return f"“{excluding[0]}” excludes under the rule-book of {year}, so the class is X, not {given}."
    if given == "X":
        return f"No tag and no reason here excludes under the rule-book of {year}: the class is {derived}."
    if derived == "A":
        return f"Without a pointer to an earlier turn the class is A, not {given}."
    if given == "D1":
        previous = previous_evaluable(annotation, before)
        nearest = f"turn {previous.turn}" if previous else "none"
        return f"D1 points to the evaluable query immediately before ({nearest}), of class A; here the class is D."
    return f"The pointers make the class {derived}, not {given}."


def _of_category(annotation: Utterance, before: tuple[Utterance, ...], table: TagTable) -> Iterator[AnnotationProblem]:
    given = annotation.category
    derived = derive_category(annotation, before, table)
    if given is None:
        yield AnnotationProblem("category", "The turn has no category yet.")
    elif given == "X" or derived == "X":
        if given != derived:
            yield AnnotationProblem("category", _why_not_x(annotation, table, given, derived))
    elif given == "0" and annotation.context:
        yield AnnotationProblem("category", "Category 0 needs no context, and there is a pointer.")
    elif given != "0" and not annotation.context:
        yield AnnotationProblem("category", f"Category {given} depends on an earlier turn, and there is no pointer.")
    elif given == "1" and derived != "1":
        yield AnnotationProblem(
            "category", "Category 1 points to the text of the query immediately before, and to nothing else."
        )
    elif given == "3" and derived == "1":
        yield AnnotationProblem("category", "Category 3 points to an answer or further back; this is category 1.")


def _why_not_x(annotation: Utterance, table: TagTable, given: str, derived: str) -> str:
    excluded = table.excluding((*annotation.tags, *annotation.site_tags), annotation.reasons, 1989)
    if given == "X":
        return f"Nothing here excludes by the rules of 1989: the category is {derived}."
    why = f"“{excluded[0]}” excludes by the rules of 1989" if excluded else "the turn is excluded"
    return f"The category is X, not {given}, since {why}."


# -- answers -------------------------------------------------------------------------------------------


def _of_references(annotation: Utterance, dialect: str, year: int) -> Iterator[AnnotationProblem]:
    yield from _of_twins(annotation.references)
    if annotation.eval_class == "X":
        return
    if annotation.eval_class is not None and not annotation.references:
        yield AnnotationProblem("references", f"Class {annotation.eval_class} needs a minimum answer.")
    for number, reference in enumerate(annotation.references, 1):
        yield from _of_reading(number, reference, dialect)
    yield from _of_readings(annotation)


def _of_yes_no(annotation: Utterance) -> Iterator[AnnotationProblem]:
    if annotation.eval_class != "X" and ("yes/no" in annotation.tags) != annotation.yes_no:
        where = "The answers are not marked as those of a yes/no question" if not annotation.yes_no else "The tag fails"
        yield AnnotationProblem("tags", f"{where}: the tag “yes/no” and the mark of the answers go together.")


def _of_twins(readings: Sequence[Reference]) -> Iterator[AnnotationProblem]:
    """Two readings with one minimum statement, white space aside, are one; also where the class is X."""
    seen: dict[tuple[str, str], int] = {}
    for number, reading in enumerate(readings, 1):
        statement = reading.sql_min if reading.sql_min is not None else reading.cas_min
        first = seen.setdefault((" ".join((statement or "").split()), reading.reads), number)
        if first != number:
            yield AnnotationProblem(
                "references", f"Readings {first} and {number} are the same; change one or remove it."
            )


def _of_reading(number: int, reference: Reference, dialect: str) -> Iterator[AnnotationProblem]:
    if reference.cas_min is None:
        yield AnnotationProblem("references", f"Reading {number} has no minimum answer; run its statement.")
    if reference.weight <= 0:
        yield AnnotationProblem("references", f"The weight of reading {number} must be over 0.")
    for what, text in (("minimum", reference.cas_min), ("maximum", reference.cas_max)):
        try:
            if text is not None:
                parse(text, dialect)
        except CasError as error:
            why = str(error).rstrip(".")
            yield AnnotationProblem("references", f"The {what} answer of reading {number} cannot be read: {why}.")


def _of_readings(annotation: Utterance) -> Iterator[AnnotationProblem]:
    readings = annotation.references
    by_kind = Counter(one.reads for one in readings)
    if len(readings) > MOST_READINGS:
        yield AnnotationProblem(
            "references", f"More than {MOST_READINGS} readings: such a turn counts as hopelessly vague."
        )
    if by_kind["any"] and (by_kind["with_context"] or by_kind["without_context"]):
        yield AnnotationProblem("references", "Either every reading says whether it counts with context, or none does.")
    elif bool(by_kind["with_context"]) != bool(by_kind["without_context"]):
        yield AnnotationProblem("references", "A query read with and without context has a reading of each kind.")
    elif by_kind["with_context"] and not annotation.context:
        yield AnnotationProblem("context", "A reading counts with context, and there is no pointer.")
    # A reading with and one without context are not ambiguous: each counts in its own test.
    ambiguous = max(by_kind.values(), default=0) > 1
    if ambiguous != ("testably-ambiguous" in annotation.tags):
        yield AnnotationProblem("tags", _of_ambiguity(ambiguous))
    same = Counter((one.cas_min, one.reads) for one in readings if one.cas_min is not None)
    if any(count > 1 for count in same.values()):
        yield AnnotationProblem("references", "Two readings have the same minimum answer.", blocks=False)


def _of_ambiguity(ambiguous: bool) -> str:
    if ambiguous:
        return "A query with several readings needs the tag “testably-ambiguous”."
    return "“testably-ambiguous” needs two to six readings."


# -- redactions ----------------------------------------------------------------------------------------


def _of_redactions(annotation: Utterance) -> Iterator[AnnotationProblem]:
    for redaction in annotation.redactions:
        in_text = redaction.start_char is not None or redaction.end_char is not None
        if in_text and redaction.start_ms is None and redaction.end_ms is None:
            yield AnnotationProblem(
                "redaction",
                "Only the text is marked, so the whole recording will be silent; mark where it is heard.",
                blocks=False,
            )
        if not in_text and redaction.start_ms is None and redaction.end_ms is None:
            yield AnnotationProblem("redaction", "The redaction marks neither text nor recording.")
        for start, end, what in (
            (redaction.start_ms, redaction.end_ms, "recording"),
            (redaction.start_char, redaction.end_char, "text"),
        ):
            if start is not None and end is not None and (start < 0 or end < start):
                yield AnnotationProblem("redaction", f"The redacted part of the {what} ends before it begins.")


def _of_leaving(annotation: Utterance) -> Iterator[AnnotationProblem]:
    """What is kept back besides what is marked, since in doubt less leaves."""
    left = leaving(annotation.query, annotation.sro, annotation.redactions)
    unreached = (
        (left.silent, "Hidden words are said once more, so the whole recording will be silent; hide each place."),
        (left.without_sro, "What is hidden in the query is not in the transcription: hide it there, or none leaves."),
        (left.without_query, "What is hidden in the transcription is not in the query: hide it there, or none leaves."),
    )
    yield from (AnnotationProblem("redaction", sentence, blocks=False) for holds, sentence in unreached if holds)
