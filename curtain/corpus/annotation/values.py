"""What a row's `value` holds, by layer: typed, and read without trust. An empty value takes back what was said."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

import msgspec

from curtain.base.errors import CurtainError
from curtain.corpus.annotation.row import Layer, LayerRow
from curtain.corpus.model.utterance import Category, ContextLink, EvalClass, Redaction, Reference


class BadValue(CurtainError):
    """A row of an annotation layer holds something other than its layer's value."""


class TranscriptionValue(msgspec.Struct, frozen=True, kw_only=True):
    """`sro` is the detailed transcription, `lsn` the words derived from it."""

    sro: str
    lsn: str = ""


class CategoryValue(msgspec.Struct, frozen=True, kw_only=True):
    """Category of 1989, class of 1991 with its tags, reasons for an exclusion, pointers to earlier turns."""

    category: Category | None = None
    eval_class: EvalClass | None = None
    tags: tuple[str, ...] = ()
    site_tags: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    context: tuple[ContextLink, ...] = ()


def category_of(source: object) -> CategoryValue:
    """Of an utterance or an annotation, which have its fields."""
    return msgspec.convert(source, CategoryValue, from_attributes=True)


class ReferencesValue(msgspec.Struct, frozen=True, kw_only=True):
    """Up to six readings with minimum and maximum each; none means that no answer counts as right."""

    references: tuple[Reference, ...] = ()
    yes_no: bool = False


class RedactionValue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Nothing unknown is passed over: it might have said what must not leave."""

    spans: tuple[Redaction, ...] = ()


class NoteValue(msgspec.Struct, frozen=True, kw_only=True):
    """A free remark of an annotator; it is no label and no rule checks it."""

    text: str


Value = TranscriptionValue | CategoryValue | ReferencesValue | RedactionValue | NoteValue
V = TypeVar("V", bound=Value)

_KINDS: Mapping[Layer, type[Value]] = {
    "transcription": TranscriptionValue,
    "category": CategoryValue,
    "sql": ReferencesValue,
    "cas": ReferencesValue,
    "redaction": RedactionValue,
    "note": NoteValue,
}


def as_value(value: Value) -> dict[str, Any]:
    """What `Row.value` holds for it."""
    plain: dict[str, Any] = msgspec.to_builtins(value)
    return plain


def value_of(row: LayerRow | None, kind: type[V]) -> V | None:
    """The typed value of a row; None for no row and for one that takes back what was said. Raises BadValue."""
    if row is None or not row.value:
        return None
    assert issubclass(_KINDS[row.layer], kind)
    try:
        value = msgspec.convert(row.value, kind)
        if isinstance(value, RedactionValue):
            _ensure_known(row.value)
    except msgspec.ValidationError as error:
        raise BadValue(f"The row {row.id} in annotations/{row.layer}.jsonl of {row.utterance_id}: {error}.") from error
    return value


def _ensure_known(value: Mapping[str, Any]) -> None:
    names = {field.name for field in fields(Redaction)}
    if "spans" not in value:
        raise msgspec.ValidationError("It does not say what is redacted")
    for span in value["spans"]:
        if unknown := set(span) - names:
            raise msgspec.ValidationError(f"A redaction has the unknown member “{min(unknown)}”")
