"""What the annotator reads: why a turn has its class, what it depends on, what is hidden."""

from collections.abc import Iterable, Mapping, Sequence

from curtain.base.table import Table
from curtain.corpus.annotation.row import Layer
from curtain.corpus.annotation.rules import previous_evaluable
from curtain.corpus.annotation.tag_table import TagTable
from curtain.corpus.model.utterance import ContextLink, Redaction, Utterance
from curtain.qt.languages.translation import number_here, translate
from curtain.review.control.material import LiveTurn
from curtain.review.control.work import EditedReading, TurnAnnotation, Values

CLASSES = {"A": "stands alone", "D1": "needs the query before", "D": "needs earlier turns", "X": "not evaluable"}
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
        return translate("Review", "The wizard gave no database answer.")
    if excluding:
        named = _listed([f"“{translate('Reasons', _title(one, table))}”" for one in excluding])
        return translate("Review", "{0} excludes under the rule-book of {1}.").format(named, year)
    if not annotation.context:
        return translate("Review", "No tag excludes it, and it points to no earlier turn.")
    if annotation.eval_class == "D1":
        return translate("Review", "It points to {0}, the evaluable query before, of class A.").format(
            pointers(annotation.context)
        )
    return _why_not_d1(annotation, before)


def why_category(annotation: Utterance) -> str:
    """What the category of 1989 means; empty while there is none."""
    return translate("Review", CATEGORIES.get(annotation.category or "", ""))


def pointers(context: Sequence[ContextLink], none: str = "nothing") -> str:
    """“turn 3 (text), turn 2 (answer)”."""
    turns = [
        translate("Review", "turn {0} ({1})").format(int(link.utterance_id[-3:]), translate("Pointer", link.to))
        for link in context
    ]
    return ", ".join(turns) or translate("Review", none)


def turns_in_words(utterance_ids: Iterable[str]) -> str:
    """“turn 2, turn 5”, the first few."""
    named = [translate("Review", "turn {0}").format(int(one[-3:])) for one in sorted(utterance_ids)]
    return ", ".join(named[:5]) + (
        translate("Review", " and {0} more").format(len(named) - 5) if len(named) > 5 else ""
    )


def hidden(redaction: Redaction, query: str | None, sro: str) -> str:
    """What a redaction hides, shortly."""
    parts = []
    if redaction.start_ms is not None or redaction.end_ms is not None:
        end = (
            translate("Review", "the end")
            if redaction.end_ms is None
            else translate("Review", "{0} s").format(number_here(redaction.end_ms / 1000, 2))
        )
        parts.append(f"{number_here((redaction.start_ms or 0) / 1000, 2)} – {end}")
    text = sro if redaction.in_text == "sro" else query or ""
    if redaction.start_char is not None or redaction.end_char is not None:
        words = text[redaction.start_char or 0 : redaction.end_char]
        parts.append(
            translate("Review", "“{0}” in the transcription").format(words)
            if redaction.in_text == "sro"
            else f"“{words}” in the query"
        )
    return ", ".join(parts)


def summary(scene: LiveTurn) -> str:
    """What came of a turn, in a line."""
    if scene.turn.outcome == "answer" and scene.table is not None:
        return _of_table(scene.table)
    if scene.turn.reply is not None and scene.turn.reply.message:
        return scene.turn.reply.message
    withdrawn = scene.turn.outcome == "cancelled"
    return translate("Review", "withdrawn") if withdrawn else translate("Review", "no answer")


def _of_table(table: Table) -> str:
    rows = [" ".join(cell for cell in row if cell) for row in table.rows[:4]]
    if not rows:
        return translate("Review", "nothing was found")
    more = table.total - len(rows)
    return "; ".join(rows) + (translate("Review", "; {0} more").format(more) if more > 0 else "")


def in_layer(layer: Layer, values: Values, work: TurnAnnotation, query: str | None) -> str:
    """What an annotator says in one layer, to be read beside what another says."""
    value = values.get(layer)
    if not value:
        return translate("Review", "nothing")
    words_of = {
        "transcription": lambda: work.sro,
        "category": lambda: _of_category(work, value),
        "sql": lambda: "\n\n".join(map(_of_reading, work.readings)),
        "cas": lambda: "\n\n".join(map(_of_reading, work.readings)),
        "redaction": lambda: "\n".join(hidden(one, query, work.sro) for one in work.redactions),
        "note": lambda: work.note,
    }
    return words_of[layer]() or translate("Review", "nothing")


def _of_category(work: TurnAnnotation, value: Mapping[str, object]) -> str:
    lines = [
        translate("Review", "class {0}, category {1}").format(
            value.get("eval_class") or "–", value.get("category") or "–"
        )
    ]
    tags = ", ".join((*work.tags, *work.site_tags))
    lines += [translate("Review", "tags: {0}").format(tags)] if tags else []
    reasons = ", ".join(work.reasons).replace("_", " ")
    lines += [translate("Review", "reasons: {0}").format(reasons)] if work.reasons else []
    lines += [translate("Review", "depends on {0}").format(pointers(work.context))] if work.context else []
    return "\n".join(lines)


def _of_reading(reading: EditedReading) -> str:
    reads = translate("Review", READS[reading.reads])
    special = reading.reads != "any" or reading.weight != 1.0
    head = translate("Review", "{0}, weight {1}").format(reads, format(reading.weight, "g")) + "\n" if special else ""
    answer = "–" if reading.cas_min is None else " ".join(reading.cas_min.split())
    return f"{head}{' '.join(reading.sql_min.split())}\n= {shortened(answer, 200)}"


def shortened(text: str, letters: int) -> str:
    """The text, cut after `letters` with its full length named."""
    return (
        text if len(text) <= letters else translate("Review", "{0} ... ({1} letters)").format(text[:letters], len(text))
    )


def _why_not_d1(annotation: Utterance, before: Sequence[Utterance]) -> str:
    previous = previous_evaluable(annotation, before)
    pointing = translate("Review", "It points to {0}").format(pointers(annotation.context))
    if previous is None:
        return translate("Review", "{0}; there is no evaluable query before.").format(pointing)
    if {link.utterance_id for link in annotation.context} != {previous.utterance_id}:
        return translate("Review", "{0}; the evaluable query before is turn {1}.").format(pointing, previous.turn)
    return translate("Review", "{0}, which is of class {1}, not A.").format(pointing, previous.eval_class)


def _title(name: str, table: TagTable) -> str:
    return table.reasons[name].title if name in table.reasons else name


def _listed(names: Sequence[str]) -> str:
    return translate("Review", " and ").join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
