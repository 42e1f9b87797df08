"""Every key of the judge's window, once: this table binds the shortcuts, fills F1 and words the strip."""

from __future__ import annotations

from collections.abc import Mapping

from curtain.desk.key_table import Binding, KeyTable, field_key, listed
from curtain.desk.looks.appearance import APPEARANCE_KEYS
from curtain.evaluation.judging.labels import CLARITY, CORRECTNESS, LABELS

__all__ = ["JUDGE_KEYS", "LABEL_KEYS"]

_CLARITY_KEYS, _CORRECTNESS_KEYS = "123", "QWER"

LABEL_KEYS: Mapping[str, tuple[tuple[str, str], ...]] = {
    CLARITY: tuple(zip(_CLARITY_KEYS, LABELS[CLARITY], strict=True)),
    CORRECTNESS: tuple(zip(_CORRECTNESS_KEYS, LABELS[CORRECTNESS], strict=True)),
}
"""(key, label) by question, in the order in which they are shown."""

JUDGE_KEYS = KeyTable((
    *(
        Binding(f"{question} {label}", (key,), "Judging" if key in "1Q" else "", f"{question}: {label}", "window",
                shown=f"{key}" if key not in "1Q" else {"1": "1  2  3", "Q": "Q  W  E  R"}[key])
        for question, keys in LABEL_KEYS.items()
        for key, label in keys
    ),
    Binding("undo", ("Ctrl+Z",), "Judging", "undo: the last label is withdrawn", "window", repeat=True),
    Binding("comment", ("F9",), "Judging", "comment on this pair", "window"),
    field_key("Judging", "Enter", "keep the comment, or the reason of a ruling", "keep"),
    Binding("leave_field", ("Escape",), "Judging", "leave the comment", "window"),
    Binding("reveal", ("F6",), "Judging", "adjudicating: show what the judges said", "window"),
    Binding("next", ("Ctrl+PgDown",), "Pairs", "next pair", "window", repeat=True),
    Binding("previous", ("Ctrl+PgUp",), "Pairs", "previous pair", "window", repeat=True),
    Binding("next_open", ("F12",), "Pairs", "next pair that is not judged", "window"),
    Binding("play", ("F2",), "Listening", "play, stop", "window"),
    Binding("back", ("F3",), "Listening", "back one second", "window", repeat=True),
    Binding("slower", ("F4",), "Listening", "slower, with the same pitch", "window"),
    Binding("full_screen", ("F11",), "Window", "full screen", "window"),
    *listed(APPEARANCE_KEYS),
    # F1 does not list itself.
    Binding("keys", ("F1",), "", "keys", "window"),
))  # fmt: skip
