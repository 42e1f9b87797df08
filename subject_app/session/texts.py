"""Every sentence the subject may read that is not the session's own. A study may change any of them."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from curtain.session.study.languages import bundled_texts
from curtain.session.study.text_names import SESSION_TEXTS

if TYPE_CHECKING:
    from curtain.base.hearing import Input

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Texts:
    """The sentences by their keys; “docs/texts.md” shows them. Blanks stand in braces: `{key}`, `{number}`, `{of}`,
    `{shown}`, `{total}`, `{count}`, `{name}`. Empty until the texts of a language are taken in with `changed`."""

    window_title: str = ""
    waiting: str = ""
    room_title: str = ""
    room_hint: str = ""
    room_address: str = ""
    room_code: str = ""
    room_found: str = ""
    room_connect: str = ""
    room_trying: str = ""
    trial: str = ""
    leave: str = ""
    leave_stay: str = ""
    leave_go: str = ""
    mic_title: str = ""
    mic_hint: str = ""
    mic_example: str = ""
    mic_looking: str = ""
    mic_choose: str = ""
    mic_missing: str = ""
    mic_none: str = ""
    mic_unusable: str = ""
    mic_opening: str = ""
    mic_listening: str = ""
    mic_playing: str = ""
    mic_too_short: str = ""
    mic_silent: str = ""
    mic_quiet: str = ""
    mic_loud: str = ""
    mic_good: str = ""
    mic_no_playback: str = ""
    mic_continue: str = ""
    form_continue: str = ""
    form_back: str = ""
    form_place: str = ""
    form_unanswered: str = ""
    form_missing: str = ""
    form_required: str = ""
    field_full: str = ""
    mic_use: str = ""
    briefing_title: str = ""
    briefing_session_title: str = ""
    briefing_session: str = ""
    briefing_database: str = ""
    briefing_talk: str = ""
    briefing_how: str = ""
    briefing_type: str = ""
    briefing_both: str = ""
    briefing_start: str = ""
    task: str = ""
    practice: str = ""
    task_sheet_hide: str = ""
    task_sheet_show: str = ""
    task_over: str = ""
    task_coming: str = ""
    ask_now: str = ""
    talk: str = ""
    talk_space: str = ""
    listening: str = ""
    one_moment: str = ""
    apart: str = ""
    no_microphone: str = ""
    no_sound: str = ""
    please_wait: str = ""
    cut_short: str = ""
    too_long: str = ""
    hold_longer: str = ""
    type_question: str = ""
    type_or_talk: str = ""
    level: str = ""
    cancel: str = ""
    start_over: str = ""
    start_over_sure: str = ""
    help: str = ""
    help_called: str = ""
    have_answer: str = ""
    you_said: str = ""
    you_typed: str = ""
    answer: str = ""
    replaced: str = ""
    empty: str = ""
    first_of: str = ""
    row_count: str = ""
    earlier: str = ""
    earlier_one: str = ""
    back_to_newest: str = ""
    not_heard: str = ""
    solution_label: str = ""
    solution_send: str = ""
    solution_back: str = ""
    solution_noted: str = ""
    paused_title: str = ""
    paused: str = ""
    stopped_title: str = ""
    stopped: str = ""
    closing_title: str = ""
    closing: str = ""

    def how_to_ask(self, given: Input) -> str:
        """What the briefing says of it."""
        return {"speech": self.briefing_how, "text": self.briefing_type, "both": self.briefing_both}[given]

    def with_key(self, talk_key: str) -> Texts:
        """With the talk key, as a person names it, in its blanks."""
        key = self.talk_space if talk_key.lower() == "space" else talk_key.upper()
        return replace(self, **{field.name: fill(getattr(self, field.name), key=key) for field in fields(self)})

    def changed(self, changes: Mapping[str, str]) -> Texts:
        """With the study's own wording; names we do not know are left aside."""
        text_names = {field.name for field in fields(self)}
        # Texts of the session are in the welcome itself.
        for name in changes.keys() - text_names - set(SESSION_TEXTS):
            log.warning("the study changes a text that does not exist: %s", name)
        return replace(self, **{name: text for name, text in changes.items() if name in text_names})


def texts_in(language: str) -> Texts:
    """All sentences in a language that comes with Curtain."""
    return Texts().changed(bundled_texts(language))


def fill(text: str, **blanks: object) -> str:
    """Fill the blanks that are there; other braces stay, since a study writes these texts."""
    # Not `str.format`: an unknown brace of a study's text must not raise.
    for name, value in blanks.items():
        text = text.replace("{" + name + "}", str(value))
    return text
