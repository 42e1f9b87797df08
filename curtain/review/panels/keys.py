"""Every key of the annotator's window, once: this table binds the shortcuts, fills F1 and the key strip."""

from dataclasses import dataclass
from typing import Literal

from curtain.qt.languages.key_table import APPEARANCE_KEYS, Binding, KeyTable, Step, field_key, listed

TAG_KEYS = "1234567890qwertyuiopasdfghjkl"
"""The keys of the tags, in the order of the table; further tags are clicked."""

Place = Literal["tags", "sro", "minimum", "maximum", "note", "waveform", "query", "ruling", "elsewhere"]

# A key of the scope "work" edits the turn: it does nothing while an adjudicator compares both annotators.
KEYS = KeyTable((
    # A keypad's Enter has a name of its own.
    Binding("save", ("Ctrl+Return", "Ctrl+Enter"), "Turns", "save and go to the next turn", "window"),
    field_key("Turns", "Enter", "the same, among the tags", "save_in_tags"),
    Binding("next_turn", ("Ctrl+PgDown",), "Turns", "next turn; what is unsaved is kept as a draft", "window",
            repeat=True),
    Binding("previous_turn", ("Ctrl+PgUp",), "Turns", "previous turn", "window", repeat=True),
    Binding("undo", ("Ctrl+Z",), "Turns", "undo; with nothing left to undo, the last saved turn comes back", "window",
            repeat=True),
    Binding("redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "Turns", "redo", "window", repeat=True),
    Binding("turn_list", ("Ctrl+G", "Ctrl+F"), "Turns",
            "list of all turns: type to search it, Enter opens the chosen one", "window"),
    Binding("timeline", ("Ctrl+J",), "Turns", "the whole session in time: its sound, keys, replies; Enter plays there",
            "window"),
    Binding("filter", ("F12",), "Turns", "all turns, those not done, those on which annotators differ", "window"),
    Binding("play", ("F2",), "Listening", "play, stop", "window"),
    Binding("back", ("F3",), "Listening", "back one second", "window", repeat=True),
    Binding("slower", ("F4",), "Listening", "slower, with the same pitch", "window"),
    Binding("faster", ("Shift+F4",), "Listening", "faster, with the same pitch", "window"),
    Binding("loop", ("F7",), "Listening", "repeat", "window"),
    Binding("part_begin", ("Ctrl+B",), "Listening", "a part begins here", "window"),
    Binding("part_end", ("Ctrl+N",), "Listening", "a part ends here", "window"),
    Binding("hear_hidden", ("F8",), "Listening", "hear what is hidden, or silence in its place", "window"),
    Binding("hide", ("Ctrl+R",), "Hiding", "hide the marked part of the recording, the marked words, or both"),
    Binding("show_again", ("Ctrl+D",), "Hiding", "show again what was hidden last"),
    Binding("full_screen", ("F11",), "Window", "full screen", "window"),
    *listed(APPEARANCE_KEYS),
    field_key("Annotation", "1 – 0, Q – L", "tags, among the tags", "tag"),
    Binding("to_tags", ("Escape",), "Annotation", "to the tags", "window"),
    *(
        Binding(f"context_{turns}", (f"Alt+{turns}",), "Annotation" if turns == 1 else "",
                "depends on the nth turn back: text, answer, both, none",
                shown="Alt+1 … Alt+9" if turns == 1 else "")
        for turns in range(1, 10)
    ),
    Binding("ellipsis", ("Ctrl+K",), "Annotation", "an ellipsis (category 2)"),
    Binding("reasons", ("Ctrl+E",), "Annotation", "reasons for leaving it out"),
    Binding("to_transcription", ("Ctrl+T",), "Annotation", "transcription"),
    Binding("figures", ("Ctrl+W",), "Annotation", "figures of the transcription as words: 45 becomes forty five"),
    Binding("to_note", ("F9",), "Annotation", "note"),
    Binding("to_minimum", ("Ctrl+M",), "Answers", "minimum statement"),
    Binding("to_maximum", ("Ctrl+Shift+M",), "Answers", "maximum statement (an empty maximum is derived)"),
    Binding("run", ("F5",), "Answers", "run it and take its answers; stop it"),
    Binding("yes_no", ("F6",), "Answers", "yes/no question"),
    Binding("add_reading", ("Ctrl+Shift+A",), "Answers", "one more reading"),
    Binding("remove_reading", ("Ctrl+Shift+D",), "Answers", "remove this reading"),
    Binding("next_reading", ("Alt+Down",), "Answers", "next reading", "window"),
    Binding("previous_reading", ("Alt+Up",), "Answers", "previous reading", "window"),
    Binding("to_weight", ("Ctrl+L",), "Answers", "weight of this reading"),
    Binding("reading_context", ("Ctrl+P",), "Answers", "this reading counts with context, without, in any case"),
    field_key("Adjudicating", "1  2  3", "take everything from this annotator, and go to the next turn", "take_side"),
    field_key("Adjudicating", "Up  Down, Left  Right", "choose layer by layer"),
    field_key("Adjudicating", "Enter", "rule as chosen, and go to the next turn", "rule"),
    field_key("Adjudicating", "E", "edit what is chosen before ruling", "edit_ruling"),
    # F1 does not list itself.
    Binding("keys", ("F1",), "", "keys", "window"),
))  # fmt: skip

key_of = KEYS.key_of


@dataclass(frozen=True)
class Now:
    """What decides which key comes next."""

    place: Place = "tags"
    ruling: bool = False
    editing_ruling: bool = False
    any_turn: bool = True
    blocked: bool = False
    must_run: bool = False
    running: bool = False
    can_undo: bool = False
    part_marked: bool = False
    readings: int = 1
    figures: bool = False


def next_steps(now: Now) -> list[Step]:
    """The keys to show, the one to press now first."""
    if not now.any_turn:
        return [(key_of("filter"), "other turns"), (key_of("keys"), "keys")]
    if now.ruling and not now.editing_ruling:
        return [
            (key_of("take_side"), "take one side"), ("Arrows", "layer by layer"), (key_of("rule"), "rule as chosen"),
            (key_of("edit_ruling"), "edit"), (key_of("play"), "play"), (key_of("keys"), "keys"),
        ]  # fmt: skip
    return [*_first(now), *_here(now), *_always(now)]


def _first(now: Now) -> list[Step]:
    if now.running:
        return [("", "the statement is running"), (key_of("run"), "stop it")]
    if now.must_run and now.place in ("minimum", "maximum"):
        return [(key_of("run"), "run it"), (key_of("save"), "run, save, next")]
    if now.blocked and now.figures:
        return [(key_of("figures"), "figures as words"), (key_of("next_turn"), "next turn")]
    if now.blocked:
        return [("", "see what is wrong; it stays a draft"), (key_of("next_turn"), "next turn")]
    if now.editing_ruling:
        return [(key_of("save"), "rule, next"), (f"{key_of('to_tags')} {key_of('to_tags')}", "back to both")]
    return [(key_of("save_in_tags" if now.place == "tags" else "save"), "save, next")]


def _here(now: Now) -> list[Step]:
    if now.part_marked:
        return [(key_of("hide"), "hide the part")]
    if now.place == "tags":
        return [
            (key_of("tag"), "tags"), (key_of("context_1"), "depends on the turn before"),
            (key_of("to_transcription"), "transcription"), (key_of("play"), "play"),
        ]  # fmt: skip
    if now.place == "sro":
        return [
            (key_of("play"), "play"), (key_of("back"), "back 1 s"), (key_of("slower"), "slower"),
            (key_of("to_tags"), "tags"),
        ]  # fmt: skip
    if now.place in ("minimum", "maximum"):
        more = [(key_of("next_reading"), "other reading")] if now.readings > 1 else []
        run = [] if now.must_run else [(key_of("run"), "run")]
        return [*run, *more, (key_of("yes_no"), "yes/no"), (key_of("to_tags"), "tags")]
    return [(key_of("to_tags"), "tags")]


def _always(now: Now) -> list[Step]:
    undo = [(key_of("undo"), "undo")] if now.can_undo else []
    return [*undo, (key_of("to_minimum"), "SQL"), (key_of("turn_list"), "list"), (key_of("keys"), "keys")]
