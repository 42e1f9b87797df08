"""What one annotator says about one turn: a value that is edited as a whole, and the layers that it becomes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

import msgspec

from curtain.base.record_file import by_name
from curtain.corpus.annotation.letters import lower
from curtain.corpus.annotation.row import Layer
from curtain.corpus.annotation.sro import lsn_of, lsn_of_query
from curtain.corpus.annotation.values import (
    BadValue,
    CategoryValue,
    NoteValue,
    RedactionValue,
    ReferencesValue,
    TranscriptionValue,
    as_value,
    category_of,
)
from curtain.corpus.model.utterance import ContextLink, Redaction, Reference, Utterance

V = TypeVar("V")
Reads = Literal["any", "with_context", "without_context"]
Values = Mapping[Layer, dict[str, Any]]
"""What is said in each layer; a layer without a word is not in it."""


@dataclass(frozen=True)
class EditedReading:
    """One reading of the query. `fresh`: the answers are those of the statements as they stand. An empty `sql_max` is
    derived; `max_edited` keeps one written by hand when the minimum changes. The last run is no part of what
    is said: `rows`, a `problem` with its line and column, why there is no maximum."""

    sql_min: str = ""
    sql_max: str = ""
    cas_min: str | None = None
    cas_max: str | None = None
    weight: float = 1.0
    reads: Reads = "any"
    fresh: bool = True
    max_edited: bool = False
    rows: int | None = field(default=None, compare=False)
    problem: str = field(default="", compare=False)
    problem_at: tuple[int, int] | None = field(default=None, compare=False)
    max_problem: str = field(default="", compare=False)

    @property
    def is_empty(self) -> bool:
        """Whether the reading has neither SQL nor an answer."""
        return not self.sql_min.strip() and self.cas_min is None

    @property
    def must_run(self) -> bool:
        """Whether its statement has to run before the answers can be kept."""
        return bool(self.sql_min.strip()) and not self.fresh


@dataclass(frozen=True)
class TurnAnnotation:
    """Everything an annotator says about a turn. `ellipsis` makes category 2 of a turn that depends on another."""

    sro: str = ""
    tags: tuple[str, ...] = ()
    site_tags: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    context: tuple[ContextLink, ...] = ()
    ellipsis: bool = False
    readings: tuple[EditedReading, ...] = field(default=(EditedReading(),))
    yes_no: bool = False
    note: str = ""
    redactions: tuple[Redaction, ...] = ()

    @property
    def references(self) -> tuple[Reference, ...]:
        """The readings that say something, as they are kept."""
        return tuple(_reference(one) for one in self.readings if not one.is_empty)


def prefilled(turn: Utterance) -> TurnAnnotation:
    """What the live session knows already: the words of the query, the answer that was sent, the tags that follow."""
    words = "" if turn.query is None else lower(lsn_of_query(turn.query, turn.language), turn.language)
    return TurnAnnotation(
        sro=words,
        tags=turn.tags,
        site_tags=turn.site_tags,
        reasons=turn.reasons,
        readings=_readings(turn.references),
        yes_no=turn.yes_no,
    )


def work_of(values: Values, start: TurnAnnotation) -> TurnAnnotation:
    """What these rows say; `start` stands in for layers that say nothing. Raises BadValue for none of ours."""
    words, category = _typed(values, "transcription", TranscriptionValue), _typed(values, "category", CategoryValue)
    answers = _typed(values, "sql", ReferencesValue) or _typed(values, "cas", ReferencesValue)
    hidden, note = _typed(values, "redaction", RedactionValue), _typed(values, "note", NoteValue)
    work = start
    if words is not None:
        work = replace(work, sro=words.sro)
    if category is not None:
        work = replace(
            work,
            tags=category.tags,
            site_tags=category.site_tags,
            reasons=category.reasons,
            context=category.context,
            ellipsis=category.category == "2",
        )
    if answers is not None:
        work = replace(work, readings=_readings(answers.references), yes_no=answers.yes_no)
    if hidden is not None:
        work = replace(work, redactions=hidden.spans)
    return replace(work, note=note.text) if note is not None else work


def said_on(turn: Utterance, values: Values) -> TurnAnnotation:
    """What these rows say, on top of what the live session knew. Raises BadValue."""
    start = prefilled(turn)
    if values.get("category"):
        # Whoever has judged a turn has also seen what stands in its other layers, and what does not.
        start = replace(start, readings=(EditedReading(),), yes_no=False, sro="")
    return work_of(values, start)


def as_said(turn: Utterance, values: Values) -> Utterance:
    """The turn with what these rows say of it, class and category as they were saved. Raises BadValue."""
    category = _typed(values, "category", CategoryValue) or CategoryValue()
    return replace(judged(said_on(turn, values), turn), eval_class=category.eval_class, category=category.category)


def values_of(work: TurnAnnotation, annotation: Utterance) -> dict[Layer, dict[str, Any]]:
    """What is to be kept of it, by layer. The category is always there; nothing said is no layer."""
    values: dict[Layer, dict[str, Any]] = {"category": as_value(category_of(annotation))}
    if work.sro.strip():
        sro = work.sro.strip()
        values["transcription"] = as_value(TranscriptionValue(sro=sro, lsn=lsn_of(sro)))
    if work.references or work.yes_no:
        # An answer without any statement has a layer of its own, so that both can be distinguished later.
        by_hand = bool(work.references) and not any(one.sql_min for one in work.references)
        value = ReferencesValue(references=work.references, yes_no=work.yes_no)
        values["cas" if by_hand else "sql"] = as_value(value)
    if work.redactions:
        values["redaction"] = as_value(RedactionValue(spans=work.redactions))
    if work.note.strip():
        values["note"] = as_value(NoteValue(text=work.note.strip()))
    return values


def judged(work: TurnAnnotation, turn: Utterance) -> Utterance:
    """What the rules look at, without class and category."""
    judgements = by_name(work, "sro", "tags", "site_tags", "reasons", "context", "references", "yes_no", "redactions")
    notes = (*turn.notes, *([work.note] if work.note else []))
    return replace(turn, **judgements, notes=notes, eval_class=None, category=None)


def _typed(values: Values, layer: Layer, kind: type[V]) -> V | None:
    if not values.get(layer):
        return None
    try:
        return msgspec.convert(values[layer], kind)
    except msgspec.ValidationError as error:
        raise BadValue(f"annotations/{layer}.jsonl holds something that is no value of this layer: {error}.") from error


def _readings(references: tuple[Reference, ...]) -> tuple[EditedReading, ...]:
    """Never none: there is always a field to write in."""
    return tuple(_reading(one) for one in references) or (EditedReading(),)


def _reading(reference: Reference) -> EditedReading:
    is_known = reference.cas_min is not None or not reference.sql_min
    return EditedReading(
        reference.sql_min or "",
        reference.sql_max or "",
        reference.cas_min,
        reference.cas_max,
        reference.weight,
        reference.reads,
        fresh=is_known,
    )


def _reference(reading: EditedReading) -> Reference:
    """Answers that belong to an older statement are not kept."""
    fresh = reading.fresh or not reading.sql_min.strip()
    return Reference(
        sql_min=reading.sql_min.strip() or None,
        cas_min=reading.cas_min if fresh else None,
        sql_max=reading.sql_max.strip() or None,
        cas_max=reading.cas_max if fresh else None,
        weight=reading.weight,
        reads=reading.reads,
    )
