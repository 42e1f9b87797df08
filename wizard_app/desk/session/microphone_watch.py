"""What the wizard sees of the subject's microphone: device, level, test, and silence while somebody speaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from curtain.qt.languages.translation import translate
from curtain.session.events.subject_events import is_soundless

# The first page shows this before there is a session: neither the link nor the fold is loaded yet.
if TYPE_CHECKING:
    from curtain.link.messages import MicrophoneState, StationStatus
    from wizard_app.desk.session.progress import SessionProgress

# Two reports, half a second each: the first may cover the moment before the key went down.
_SILENT_REPORTS = 2


def _problems() -> dict[MicrophoneState, str]:
    typed = translate(
        "Microphone", 'Or end the session and write input = "both" into study.toml: the subject then types.'
    )
    return {
        "missing": translate(
            "Microphone",
            "The microphone “{0}” is not connected at the subject’s station. Connect it, or choose another there.",
        ),
        "none": translate(
            "Microphone",
            "No microphone is connected at the subject’s station. Connect one; “curtain check” there helps. {0}",
        ).format(typed),
        "unusable": translate(
            "Microphone", "The subject’s station cannot record sound. Run “curtain check” there. {0}"
        ).format(typed),
    }


def _lamps() -> dict[MicrophoneState, str]:
    missing = translate("Microphone", "mic missing")
    return {
        "opening": translate("Microphone", "mic opening"),
        "choose": translate("Microphone", "mic not chosen"),
        "missing": missing,
        "none": translate("Microphone", "no microphone"),
        "unusable": translate("Microphone", "no sound input"),
        "ready": translate("Microphone", "mic"),
        "lost": missing,
        "unused": translate("Microphone", "subject types"),
    }


def _tested() -> dict[str, str]:
    return {
        "waiting": translate("Microphone", "not tried yet"),
        "speaking": translate("Microphone", "listening"),
        "silent": translate("Microphone", "no sound"),
        "quiet": translate("Microphone", "too quiet"),
        "good": translate("Microphone", "good"),
        "loud": translate("Microphone", "too loud"),
    }


@dataclass(frozen=True)
class MicrophoneWatch:
    """The latest report, and how many in a row reported a take without sound."""

    status: StationStatus | None = None
    silent: int = 0

    def after(self, status: StationStatus) -> MicrophoneWatch:
        """The watch after one more report of the subject's station."""
        is_silent = status.recording and status.microphone_ok and is_soundless(status.level_dbfs)
        # Counted in a row: a report with sound begins anew.
        return MicrophoneWatch(status, self.silent + 1 if is_silent else 0)

    @property
    def state(self) -> MicrophoneState:
        """The state of the microphone; `ready` before the first report."""
        status = self.status
        if status is None:
            return "ready"
        # An older station reports no state, only whether all is well.
        return "lost" if status.microphone_state == "ready" and not status.microphone_ok else status.microphone_state

    @property
    def word(self) -> str:
        """What the lamp in the bar says."""
        tested = _tested().get(self.status.test if self.status else "", "")
        if tested and self.state == "ready":
            return translate("Microphone", "mic test: {0}").format(tested)
        return _lamps()[self.state]

    @property
    def bad(self) -> bool:
        """Whether nothing can be recorded as it is."""
        return self.state in ("missing", "none", "unusable", "lost") or self.test == "silent"

    @property
    def doubtful(self) -> bool:
        """Whether the test found the voice too quiet or too loud."""
        return self.test in ("quiet", "loud")

    @property
    def test(self) -> str:
        """What the microphone test said; empty if none is under way."""
        return self.status.test if self.status is not None else ""

    @property
    def test_sentence(self) -> str:
        """The microphone test in a sentence, or an empty text."""
        status = self.status
        if status is None or not status.test or self.state != "ready":
            return ""
        text = translate("Microphone", "The subject is at the microphone test with “{0}”: {1}.")
        return text.format(status.microphone, _tested()[status.test])

    def problem(self, progress: SessionProgress) -> str:
        """What to say in red, or an empty text."""
        if progress.microphone_lost is not None:
            text = translate(
                "Microphone", "The subject’s microphone “{0}” is gone. What was recorded is safe; connect it again."
            )
            return text.format(progress.microphone_lost)
        if self.state in _problems():
            return _problems()[self.state].format(self.status.microphone if self.status is not None else "")
        if self.silent >= _SILENT_REPORTS:
            return translate(
                "Microphone", "The subject is speaking, and no sound comes from the microphone. It may be muted."
            )
        silent = progress.soundless_turn
        if silent is not None:
            text = translate(
                "Microphone",
                "Turn {0} holds no sound: the subject’s microphone may be muted. Let the subject check it.",
            )
            return text.format(silent)
        return ""
