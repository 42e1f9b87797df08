"""Every key of the judge's and the adjudicator's window, once: a table binds the shortcuts, fills F1 and words the
strip."""

from collections.abc import Iterator, Mapping

from curtain.qt.languages.key_table import APPEARANCE_KEYS, Binding, KeyTable, field_key, listed
from curtain_judge.labels import CLARITY, CORRECTNESS, LABELS

_CLARITY_KEYS, _CORRECTNESS_KEYS = "123", "QWER"

LABEL_KEYS: Mapping[str, tuple[tuple[str, str], ...]] = {
    CLARITY: tuple(zip(_CLARITY_KEYS, LABELS[CLARITY], strict=True)),
    CORRECTNESS: tuple(zip(_CORRECTNESS_KEYS, LABELS[CORRECTNESS], strict=True)),
}
"""(key, label) by question, in the order in which they are shown."""

_SHOWN = {"1": "1  2  3", "Q": "Q  W  E  R"}


def _table(adjudicates: bool) -> KeyTable:
    work = "Ruling" if adjudicates else "Judging"
    return KeyTable((
        *_labels(CLARITY, "the query is: ", work),
        *_labels(CORRECTNESS, "the response is: ", work),
        *(_RULING if adjudicates else _JUDGING),
        Binding("next", ("Ctrl+PgDown",), "Pairs", "next pair", "window", repeat=True),
        Binding("previous", ("Ctrl+PgUp",), "Pairs", "previous pair", "window", repeat=True),
        Binding("next_open", ("F12",), "Pairs", f"next pair that is not {'ruled on' if adjudicates else 'judged'}",
                "window"),
        Binding("play", ("F2",), "Listening", "play, stop", "window"),
        Binding("back", ("F3",), "Listening", "back one second", "window", repeat=True),
        Binding("slower", ("F4",), "Listening", "slower, with the same pitch", "window"),
        Binding("loop", ("F7",), "Listening", "repeat", "window"),
        Binding("full_screen", ("F11",), "Window", "full screen", "window"),
        *listed(APPEARANCE_KEYS),
        # F1 does not list itself.
        Binding("keys", ("F1",), "", "keys", "window"),
    ))  # fmt: skip


def _labels(question: str, asks: str, group: str) -> Iterator[Binding]:
    """A key each; F1 lists them in one line."""
    does = asks + ", ".join(LABELS[question])
    for place, (key, label) in enumerate(LABEL_KEYS[question]):
        yield Binding(f"{question} {label}", (key,), "" if place else group, does, "window", shown=_SHOWN.get(key, key))


_JUDGING = (
    Binding("undo", ("Ctrl+Z",), "Judging", "undo: the last label is withdrawn", "window", repeat=True),
    Binding("comment", ("F9",), "Judging", "comment on this pair", "window"),
    field_key("Judging", "Enter", "keep the comment, and leave its line", "keep"),
    Binding("leave_field", ("Escape",), "Judging", "the same", "window"),
)

_RULING = (
    Binding("comment", ("F9",), "Ruling", "reason of the ruling", "window"),
    field_key("Ruling", "Enter", "keep the ruling with its reason", "keep"),
    Binding("leave_field", ("Escape",), "Ruling", "leave the reason; nothing is ruled", "window"),
    Binding("reveal", ("F6",), "Ruling", "show what the judges said", "window"),
)

JUDGE_KEYS = _table(adjudicates=False)
RULING_KEYS = _table(adjudicates=True)
