"""What the annotator reads: why a turn has its class, what it depends on, what is hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from curtain.base.table import Table
from curtain.corpus.annotation.row import Layer
from curtain.corpus.annotation.rules import previous_evaluable
from curtain.corpus.annotation.tag_table import TagTable
from curtain.corpus.model.utterance import ContextLink, Redaction, Utterance
from curtain.review.control.material import LiveTurn
from curtain.review.control.work import EditedReading, TurnAnnotation, Values

CLASSES = {
    "A": "stands alone",
    "D1": "needs the query before",
    "D": "needs earlier turns",
    "X": "not evaluable",
}
CATEGORIES = {
    "0": "needs no context",
    "1": "needs the text before",
    "2": "an ellipsis",
    "3": "needs an answer or an earlier turn",
    "X": "excluded",
}
LAYER_NAMES: Mapping[Layer, str] = {
    "transcription": "Transcription",
    "category": "Category",
    "sql": "Answers",
    "cas": "Answers by hand",
    "redaction": "Hidden",
    "note": "Note",
}
READS = {"any": "in any case", "with_context": "with context", "without_context": "without context"}


def why_class(annotation: Utterance, before: Sequence[Utterance], table: TagTable, year: int) -> str:
    """One sentence for the class that follows."""
    excluding = table.excluding((*annotation.tags, *annotation.site_tags), annotation.reasons, year)
    if annotation.outcome != "answer":
        return "The wizard gave no database answer."
    if excluding:
        return f"{_listed([f'“{_title(one, table)}”' for one in excluding])} excludes under the rule-book of {year}."
    if not annotation.context:
        return "No tag excludes it, and it points to no earlier turn."
    if annotation.eval_class == "D1":
        return f"It points to {pointers(annotation.context, ())}, the evaluable query before, of class A."
    return _why_not_d1(annotation, before)


def why_category(annotation: Utterance) -> str:
    """What the category of 1989 means; empty while there is none."""
    return CATEGORIES.get(annotation.category or "", "")


def pointers(context: Sequence[ContextLink], none: Sequence[str] = ("nothing",)) -> str:
    """“turn 3 (text), turn 2 (answer)”."""
    turns = [f"turn {int(link.utterance_id[-3:])} ({link.to})" for link in context]
    return ", ".join(turns or none)


def turns_in_words(utterance_ids: Iterable[str]) -> str:
    """“turn 2, turn 5”, the first few."""
    named = [f"turn {int(one[-3:])}" for one in sorted(utterance_ids)]
    return ", ".join(named[:5]) + (f" and {len(named) - 5} more" if len(named) > 5 else "")


def hidden(redaction: Redaction, query: str | None, sro: str) -> str:
    """What a redaction hides, shortly."""
    parts = []
    if redaction.start_ms is not None or redaction.end_ms is not None:
        end = "the end" if redaction.end_ms is None else f"{redaction.end_ms / 1000:.2f} s"
        parts.append(f"{(redaction.start_ms or 0) / 1000:.2f} – {end}")
    text = sro if redaction.in_text == "sro" else query or ""
    if redaction.start_char is not None or redaction.end_char is not None:
        where = "transcription" if redaction.in_text == "sro" else "query"
        parts.append(f"“{text[redaction.start_char or 0 : redaction.end_char]}” in the {where}")
    return ", ".join(parts)


def summary(scene: LiveTurn) -> str:
    """What came of a turn, in a line."""
    if scene.turn.outcome == "answer" and scene.table is not None:
        return _of_table(scene.table)
    if scene.turn.reply is not None and scene.turn.reply.message:
        return scene.turn.reply.message
    return "withdrawn" if scene.turn.outcome == "cancelled" else "no answer"


def _of_table(table: Table) -> str:
    rows = [" ".join(cell for cell in row if cell) for row in table.rows[:4]]
    if not rows:
        return "nothing was found"
    more = table.total - len(rows)
    return "; ".join(rows) + (f"; {more} more" if more > 0 else "")


def in_layer(layer: Layer, values: Values, work: TurnAnnotation, query: str | None) -> str:
    """What an annotator says in one layer, to be read beside what another says."""
    value = values.get(layer)
    if not value:
        return "nothing"
    words_of = {
        "transcription": lambda: work.sro,
        "category": lambda: _of_category(work, value),
        "sql": lambda: "\n\n".join(map(_of_reading, work.readings)),
        "cas": lambda: "\n\n".join(map(_of_reading, work.readings)),
        "redaction": lambda: "\n".join(hidden(one, query, work.sro) for one in work.redactions),
        "note": lambda: work.note,
    }
    return words_of[layer]() or "nothing"


def _of_category(work: TurnAnnotation, value: Mapping[str, object]) -> str:
    lines = [f"class {value.get('eval_class') or '–'}, category {value.get('category') or '–'}"]
    lines += [f"tags: {', '.join((*work.tags, *work.site_tags))}"] if work.tags or work.site_tags else []
    lines += [f"reasons: {', '.join(work.reasons).replace('_', ' ')}"] if work.reasons else []
    lines += [f"depends on {pointers(work.context)}"] if work.context else []
    return "\n".join(lines)


def _of_reading(reading: EditedReading) -> str:
    head = (
        f"{READS[reading.reads]}, weight {reading.weight:g}\n"
        if reading.reads != "any" or reading.weight != 1.0
        else ""
    )
    answer = "–" if reading.cas_min is None else " ".join(reading.cas_min.split())
    return f"{head}{' '.join(reading.sql_min.split())}\n= {shortened(answer, 200)}"


def shortened(text: str, letters: int) -> str:
    """The text, cut after `letters` with its full length named."""
    return text if len(text) <= letters else f"{text[:letters]} ... ({len(text)} letters)"


def _why_not_d1(annotation: Utterance, before: Sequence[Utterance]) -> str:
    previous = previous_evaluable(annotation, before)
    pointing = f"It points to {pointers(annotation.context)}"
    if previous is None:
        return f"{pointing}; there is no evaluable query before."
    if {link.utterance_id for link in annotation.context} != {previous.utterance_id}:
        return f"{pointing}; the evaluable query before is turn {previous.turn}."
    return f"{pointing}, which is of class {previous.eval_class}, not A."


def _title(name: str, table: TagTable) -> str:
    return table.reasons[name].title if name in table.reasons else name


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
