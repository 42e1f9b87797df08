"""The keys of the window, in one place: for the shortcuts, for F1 and for the strip at the bottom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from curtain.desk.key_strip import Step

__all__ = ["KEYS", "TAG_KEYS", "Now", "Place", "next_steps"]

TAG_KEYS = "1234567890qwertyuiopasdfghjkl"
"""The keys of the tags, in the order of the table; further tags are clicked."""

Place = Literal["tags", "sro", "minimum", "maximum", "note", "waveform", "query", "ruling", "elsewhere"]

KEYS: tuple[tuple[str, tuple[Step, ...]], ...] = (
    ("Turns", (
        ("Ctrl+Enter", "save and go to the next turn (Enter does the same among the tags)"),
        ("Ctrl+PgDn  Ctrl+PgUp", "next, previous turn; what is unsaved is kept as a draft"),
        ("Ctrl+Z  Ctrl+Shift+Z", "undo, redo; with nothing left to undo, the last saved turn comes back"),
        ("Ctrl+G", "list of all turns: type to search it, Enter opens the chosen one"),
        ("F12", "all turns, those not done, those on which annotators differ"),
    )),
    ("Listening", (
        ("F2", "play, stop"),
        ("F3", "back one second"),
        ("F4  Shift+F4", "slower, faster, with the same pitch"),
        ("F7", "again and again"),
        ("Ctrl+B  Ctrl+N", "a part begins here, ends here"),
        ("F8", "hear what is hidden, or silence in its place"),
    )),
    ("What is said of the turn", (
        ("1 – 0, Q – L", "tags, among the tags (Esc goes there)"),
        ("Alt+1 … Alt+9", "it depends on the turn so many back: its text, its answer, both, none"),
        ("Ctrl+K", "an ellipsis (category 2)"),
        ("Ctrl+E", "reasons for leaving it out"),
        ("Ctrl+T", "transcription"),
        ("Ctrl+W", "figures of the transcription as words: 45 becomes forty five"),
        ("F9", "note"),
    )),
    ("Answers", (
        ("Ctrl+M  Ctrl+Shift+M", "minimum, maximum statement (an empty maximum is derived)"),
        ("F5", "run it and take its answers"),
        ("F6", "yes/no question"),
        ("Ctrl+Shift+A  Ctrl+Shift+D", "one more reading, remove this one"),
        ("Alt+Up  Alt+Down", "other reading"),
        ("Ctrl+L", "weight of this reading"),
        ("Ctrl+P", "this reading counts with context, without, in any case"),
    )),
    ("Hiding", (
        ("Ctrl+R", "hide the marked part of the recording, the marked words, or both"),
        ("Ctrl+D", "show again what was hidden last"),
    )),
    ("Adjudicating", (
        ("1  2  3", "take everything from this annotator, and go to the next turn"),
        ("Up  Down, Left  Right", "choose layer by layer"),
        ("Enter", "rule as chosen, and go to the next turn"),
        ("E", "edit what is chosen before ruling"),
    )),
)  # fmt: skip


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
        return [("F12", "other turns"), ("F1", "keys")]
    if now.ruling and not now.editing_ruling:
        return [
            ("1  2", "take one side"), ("Arrows", "layer by layer"), ("Enter", "rule as chosen"), ("E", "edit"),
            ("F2", "play"), ("F1", "keys"),
        ]  # fmt: skip
    return [*_first(now), *_here(now), *_always(now)]


def _first(now: Now) -> list[Step]:
    if now.running:
        return [("", "the statement is running"), ("F5", "stop it")]
    if now.must_run and now.place in ("minimum", "maximum"):
        return [("F5", "run it"), ("Ctrl+Enter", "run, save, next")]
    if now.blocked and now.figures:
        return [("Ctrl+W", "figures as words"), ("Ctrl+PgDn", "next turn")]
    if now.blocked:
        return [("", "see what is wrong; it stays a draft"), ("Ctrl+PgDn", "next turn")]
    if now.editing_ruling:
        return [("Ctrl+Enter", "rule, next"), ("Esc Esc", "back to both")]
    return [("Enter" if now.place == "tags" else "Ctrl+Enter", "save, next")]


def _here(now: Now) -> list[Step]:
    if now.part_marked:
        return [("Ctrl+R", "hide the part")]
    if now.place == "tags":
        return [("1 – L", "tags"), ("Alt+1", "depends on the turn before"), ("Ctrl+T", "transcription"), ("F2", "play")]
    if now.place == "sro":
        return [("F2", "play"), ("F3", "back 1 s"), ("F4", "slower"), ("Esc", "tags")]
    if now.place in ("minimum", "maximum"):
        more = [("Alt+Down", "other reading")] if now.readings > 1 else []
        return [*([] if now.must_run else [("F5", "run")]), *more, ("F6", "yes/no"), ("Esc", "tags")]
    return [("Esc", "tags")]


def _always(now: Now) -> list[Step]:
    undo = [("Ctrl+Z", "undo")] if now.can_undo else []
    return [*undo, ("Ctrl+M", "SQL"), ("Ctrl+G", "list"), ("F1", "keys")]
