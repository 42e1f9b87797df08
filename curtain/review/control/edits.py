"""Single edits of what is said about a turn: a value in, the changed value out. Nothing here knows of keys or files."""

from collections.abc import Callable
from dataclasses import replace

from curtain.base.speech.spoken_forms import spoken_forms
from curtain.corpus.annotation.recompute import Recomputed
from curtain.corpus.annotation.rules import MOST_READINGS
from curtain.corpus.annotation.tag_table import TagTable
from curtain.corpus.model.utterance import ContextLink, Redaction
from curtain.review.control.work import EditedReading, Reads, TurnAnnotation

_READS: tuple[Reads, ...] = ("any", "with_context", "without_context")


def toggle_tag(work: TurnAnnotation, name: str, table: TagTable) -> TurnAnnotation:
    """A tag of the site goes among the site's own; tags stand in the order of the table."""
    if name in table.tags and table.tags[name].site:
        return replace(work, site_tags=_toggled(work.site_tags, name, list(table.tags)))
    return replace(work, tags=_toggled(work.tags, name, list(table.tags)))


def toggle_reason(work: TurnAnnotation, name: str, table: TagTable) -> TurnAnnotation:
    """A reason brings the tag that goes with it, and takes it along unless another reason needs it."""
    work = replace(work, reasons=_toggled(work.reasons, name, list(table.reasons)))
    tag = table.reasons[name].tag
    if name in work.reasons:
        return work if tag in (*work.tags, *work.site_tags) else toggle_tag(work, tag, table)
    others = {table.reasons[other].tag for other in work.reasons if other in table.reasons}
    return toggle_tag(work, tag, table) if tag in work.tags and tag not in others else work


def next_pointer(work: TurnAnnotation, utterance_id: str, has_answer: bool) -> TurnAnnotation:
    """A pointer to an earlier turn: to its text, to its answer, to both, to none, and round."""
    mine = frozenset(link.to for link in work.context if link.utterance_id == utterance_id)
    kept = tuple(link for link in work.context if link.utterance_id != utterance_id)
    steps: list[tuple[str, ...]] = [(), ("text",), ("answer",), ("text", "answer")] if has_answer else [(), ("text",)]
    targets = [frozenset(step) for step in steps]
    following = steps[(targets.index(mine) + 1) % len(steps)] if mine in targets else ()
    links = tuple(ContextLink(utterance_id, to) for to in following)  # type: ignore[arg-type]
    return replace(work, context=tuple(sorted((*kept, *links), key=lambda one: (one.utterance_id, one.to != "text"))))


def _toggled(names: tuple[str, ...], name: str, order: list[str]) -> tuple[str, ...]:
    if name in names:
        return tuple(one for one in names if one != name)
    place = {known: number for number, known in enumerate(order)}
    return tuple(sorted((*names, name), key=lambda one: place.get(one, len(place))))


def toggle_yes_no(work: TurnAnnotation, table: TagTable) -> TurnAnnotation:
    """The mark of the answers and the tag go together; the answers have to be computed anew."""
    marked = not work.yes_no
    # The same rows are written as a boolean or as a table; an answer without a statement stays as it is.
    readings = tuple(replace(one, fresh=not one.sql_min.strip()) for one in work.readings)
    work = replace(work, yes_no=marked, readings=readings)
    return toggle_tag(work, "yes/no", table) if ("yes/no" in work.tags) != marked else work


def set_minimum(work: TurnAnnotation, number: int, sql: str) -> TurnAnnotation:
    """Another minimum: its answers are to be computed, and a derived maximum is to be derived anew."""

    def change(reading: EditedReading) -> EditedReading:
        if reading.sql_min == sql:
            return reading
        return replace(
            reading,
            sql_min=sql,
            sql_max=reading.sql_max if reading.max_edited else "",
            fresh=False,
            problem="",
            problem_at=None,
            rows=None,
        )

    return _change(work, number, change)


def set_maximum(work: TurnAnnotation, number: int, sql: str) -> TurnAnnotation:
    """A maximum by hand; an empty one is derived."""

    def change(reading: EditedReading) -> EditedReading:
        if reading.sql_max == sql:
            return reading
        return replace(reading, sql_max=sql, max_edited=bool(sql.strip()), fresh=False, max_problem="")

    return _change(work, number, change)


def taken_run(work: TurnAnnotation, number: int, result: Recomputed, sql_min: str) -> TurnAnnotation:
    """What came of running a reading; the outcome of a statement that was changed meanwhile is left aside."""

    def change(reading: EditedReading) -> EditedReading:
        if reading.sql_min.strip() != sql_min:
            return reading
        if result.reference is None:
            return replace(
                reading, fresh=False, rows=None, problem=result.error or "", problem_at=result.result.error_at
            )
        return replace(
            reading,
            cas_min=result.reference.cas_min,
            cas_max=result.reference.cas_max,
            sql_max=result.reference.sql_max or reading.sql_max,
            fresh=True,
            rows=result.result.total,
            problem="",
            problem_at=None,
            max_problem=result.max_error or "",
        )

    return _change(work, number, change)


def set_weight(work: TurnAnnotation, number: int, weight: float) -> TurnAnnotation:
    """The weight of reading `number`, from 0."""
    return _change(work, number, lambda one: replace(one, weight=weight))


def next_reads(work: TurnAnnotation, number: int) -> TurnAnnotation:
    """Whether a reading counts with context, without, or always."""
    return _change(work, number, lambda one: replace(one, reads=_READS[(_READS.index(one.reads) + 1) % len(_READS)]))


def add_reading(work: TurnAnnotation, number: int) -> TurnAnnotation:
    """One more behind this one, with its statement to start from; six are the most."""
    if len(work.readings) >= MOST_READINGS:
        return work
    reading = work.readings[number]
    # Without the answers: they are those of the statement before it is changed.
    copy = EditedReading(reading.sql_min, weight=reading.weight, reads=reading.reads, fresh=False)
    return replace(work, readings=(*work.readings[: number + 1], copy, *work.readings[number + 1 :]))


def remove_reading(work: TurnAnnotation, number: int) -> TurnAnnotation:
    """The last one leaves an empty field behind."""
    left = work.readings[:number] + work.readings[number + 1 :]
    return replace(work, readings=left or (EditedReading(),))


def _change(work: TurnAnnotation, number: int, change: Callable[[EditedReading], EditedReading]) -> TurnAnnotation:
    readings = tuple(change(one) if at == number else one for at, one in enumerate(work.readings))
    return replace(work, readings=readings)


def set_sro(work: TurnAnnotation, sro: str) -> TurnAnnotation:
    """Another transcription; what was hidden in it moves with its words."""
    if sro == work.sro:
        return work
    moved = tuple(_moved(one, work.sro, sro) for one in work.redactions)
    return replace(work, sro=sro, redactions=moved)


def speak_figures(work: TurnAnnotation) -> TurnAnnotation:
    """Each figure of the transcription in the words that are usually said for it."""
    # One by one and from behind, so that what is hidden between two of them moves with its words.
    for form in reversed(spoken_forms(work.sro)):
        work = set_sro(work, work.sro[: form.start] + form.words + work.sro[form.end :])
    return work


def hide(work: TurnAnnotation, span: Redaction) -> TurnAnnotation:
    """Add a redaction; one that is there already is not added twice."""
    return work if span in work.redactions else replace(work, redactions=(*work.redactions, span))


def show_again(work: TurnAnnotation, number: int = -1) -> TurnAnnotation:
    """Take a redaction back, the last one if none is named."""
    if not work.redactions:
        return work
    gone = work.redactions[number]
    return replace(work, redactions=tuple(one for one in work.redactions if one != gone))


def _moved(redaction: Redaction, before: str, after: str) -> Redaction:
    """The same span of characters after an edit; one that the edit touches takes the edit in: rather more is hidden."""
    if redaction.in_text != "sro" or redaction.start_char is None or redaction.end_char is None:
        return redaction
    start = _common_start(before, after)
    # Beginning and end must not share a character, as they would where one of two equal letters goes.
    tail = min(_common_start(before[::-1], after[::-1]), min(len(before), len(after)) - start)
    end, shift = len(before) - tail, len(after) - len(before)

    def place(at: int, inside: int) -> int:
        return at if at <= start else at + shift if at >= end else inside

    return replace(
        redaction, start_char=place(redaction.start_char, start), end_char=place(redaction.end_char, end + shift)
    )


def _common_start(text: str, other: str) -> int:
    return next((n for n, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))
