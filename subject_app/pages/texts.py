"""Every sentence the subject may read that is not the session's own. A study may change any of them."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from curtain.session.study.text_names import SESSION_TEXTS

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Texts:
    """Blanks stand in braces: `{key}`, `{number}`, `{of}`, `{shown}`, `{total}`, `{count}`, `{name}`, `{time}`."""

    window_title: str = "Session"
    waiting: str = "Please wait. The session will begin shortly."
    trial: str = "Trial session"
    leave: str = "Leave the session?"
    leave_stay: str = "Stay"
    leave_go: str = "Leave"

    mic_title: str = "Microphone"
    mic_hint: str = "Hold {key}, say a sentence, and let go. You will hear what was recorded."
    mic_example: str = "For example: “Good morning, today is a fine day.”"
    mic_looking: str = "Looking for microphones."
    mic_choose: str = "Choose the microphone you will speak into, then press Enter."
    mic_missing: str = "The microphone “{name}” is not connected. Connect it, or choose another and press Enter."
    mic_none: str = "No microphone is connected. Please connect one."
    mic_unusable: str = "Sound cannot be recorded on this computer yet. Please ask the person who invited you."
    mic_opening: str = "One moment."
    mic_listening: str = "Listening"
    mic_playing: str = "This is what was recorded."
    mic_too_short: str = "That was very short. Hold {key} while you speak."
    mic_silent: str = "No sound. The microphone may be muted. Switch it on and try again."
    mic_quiet: str = "Too quiet. Move closer to the microphone and try again, or go on."
    mic_loud: str = "Too loud. Move away from the microphone a little and try again, or go on."
    mic_good: str = "Good. Try again, or go on."
    mic_no_playback: str = "Good. It cannot be played back here; you can go on."
    mic_continue: str = "Go on  (Enter)"
    mic_use: str = "Use this microphone  (Enter)"

    briefing_title: str = "Before we begin"
    briefing_session_title: str = "What you will do"
    briefing_session: str = (
        "You will work on a few tasks, one after the other. The task stands at the top of the screen. Ask for what "
        "you need in your own words; the answers appear below the task. There is no hurry, and you can stop at any "
        "time."
    )
    briefing_database: str = "What you can ask about"
    briefing_talk: str = "How to talk"
    briefing_how: str = (
        "Hold {key} while you speak and let go when you have finished. Speak as you would to a person. "
        "Esc withdraws a question while you hold the key."
    )
    briefing_start: str = "Start  (Enter)"

    task: str = "Task {number} of {of}"
    practice: str = "Practice"
    task_sheet_hide: str = "Fold the task"
    task_sheet_show: str = "Show the task"
    task_over: str = "This task is finished. The next one will begin shortly."
    task_coming: str = "The first task will appear here shortly."
    ask_now: str = "Ask your first question."

    talk: str = "Hold {key} to talk"
    talk_space: str = "SPACE"
    listening: str = "Listening"
    one_moment: str = "One moment"
    apart: str = "The connection is interrupted. What you said is kept. Please wait, or ask the person who invited you."
    no_microphone: str = "The microphone is not connected. Please connect it, or ask the person who invited you."
    no_sound: str = "No sound came from the microphone. It may be muted. Please check it, then ask again."
    please_wait: str = "One moment, please."
    cut_short: str = "Another window came to the front, so only the beginning was recorded. Click here to go on."
    too_long: str = "Only the first two minutes were recorded. Let the key go to go on."
    level: str = "Microphone level"
    cancel: str = "Cancel  (Esc)"
    start_over: str = "Start over"
    start_over_sure: str = "Clear what is shown?\nPress again"
    have_answer: str = "I have my answer"

    you_said: str = "You said"
    answer: str = "Answer"
    replaced: str = "This replaces the earlier answer."
    empty: str = "Nothing was found."
    first_of: str = "First {shown} of {total}"
    earlier: str = "Earlier questions ({count})"
    earlier_one: str = "Earlier question"
    back_to_newest: str = "Back to the newest"
    not_heard: str = "(no words)"

    solution_label: str = "Your answer to this task"
    solution_send: str = "Send  (Enter)"
    solution_back: str = "Back  (Esc)"
    solution_noted: str = "Your answer is noted: {name}"

    paused_title: str = "Pause"
    paused: str = "We will go on in a moment."
    stopped_title: str = "This screen cannot go on"
    stopped: str = "Please call the person who invited you. What you said until now is safe."
    closing_title: str = "Thank you"
    closing: str = "The session is over. Please wait for the person who invited you."

    def changed(self, changes: Mapping[str, str]) -> Texts:
        """With the study's own wording; names we do not know are left aside."""
        text_names = {field.name for field in fields(self)}
        # Texts of the session are in the welcome itself.
        for name in changes.keys() - text_names - set(SESSION_TEXTS):
            log.warning("the study changes a text that does not exist: %s", name)
        return replace(self, **{name: text for name, text in changes.items() if name in text_names})


def fill(text: str, **blanks: object) -> str:
    """Fill the blanks that are there; other braces stay, since a study writes these texts."""
    # Not `str.format`: an unknown brace of a study's text must not raise.
    for name, value in blanks.items():
        text = text.replace("{" + name + "}", str(value))
    return text
