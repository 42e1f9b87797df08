"""What a session needs before it may begin."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from curtain.session.consent import ConsentScope
from curtain.session.events.speaker import SpeakerDescription
from curtain.session.study.design import SubjectPlan
from wizard_app.translation import translate

_SPEAKER_LENGTH = 3
_SPEAKER = re.compile(r"[a-z0-9]{3}")


@dataclass(frozen=True)
class SessionPlan:
    """The start page, filled in. `scenario_ids` are in the order in which they will be worked on; `speaker` is None
    where nothing was stated about the speaker; `signed_on` is the day of the consent (ISO 8601), "" for today.
    `subject_plan` is None where the study has no conditions. `wizard_level` is the share that the wizard had right in
    practice, and `level_reason` why somebody below the study's level takes the session; None where none is needed."""

    speaker_id: str = ""
    wizard_id: str = ""
    scenario_ids: tuple[str, ...] = ()
    practice_id: str | None = None
    consent: bool = False
    consent_id: str = ""
    pilot: bool = False
    output: str | None = None
    speaker: SpeakerDescription | None = None
    scopes: tuple[ConsentScope, ...] = ()
    signed_on: str = ""
    subject_plan: SubjectPlan | None = None
    wizard_level: float | None = None
    level_reason: str | None = None

    @property
    def all_ids(self) -> list[str]:
        """The practice scenario first, then the others."""
        first = [self.practice_id] if self.practice_id else []
        return [*first, *(one for one in self.scenario_ids if one != self.practice_id)]


def missing(plan: SessionPlan) -> list[str]:
    """What is still empty, in the order of the page, each as it is told. A trial needs no consent."""
    wants = [
        (plan.speaker_id, translate("Plan", "the speaker id (three of a-z and 0-9)")),
        (plan.wizard_id.strip(), translate("Plan", "the wizard id")),
        (plan.all_ids, translate("Plan", "a scenario")),
        (_is_explained(plan.subject_plan), translate("Plan", "the reason for departing from the design")),
        (plan.level_reason != "" or plan.pilot, translate("Plan", "the reason for a wizard below the level")),
        (plan.consent or plan.pilot, translate("Plan", "the subject’s consent")),
        (plan.consent_id.strip() or plan.pilot, translate("Plan", "the consent id")),
    ]
    return [text for given, text in wants if not given]


def _is_explained(plan: SubjectPlan | None) -> bool:
    return plan is None or not plan.planned or bool(plan.override)


def wrong(plan: SessionPlan) -> str:
    """What is filled in and cannot be taken, in one sentence, or an empty text."""
    return _wrong_speaker(plan.speaker_id) or _wrong_day(plan.signed_on)


def _wrong_day(day: str) -> str:
    try:
        # fromisoformat also reads 20260301, which people may mean otherwise.
        if not day or date.fromisoformat(day).isoformat() == day:
            return ""
    except ValueError:
        pass  # the sentence below is for it as well
    return translate("Plan", "Write the day of the signature as 2026-03-01, not as “{0}”.").format(day)


def _wrong_speaker(speaker: str) -> str:
    if not speaker or _SPEAKER.fullmatch(speaker):
        return ""
    if _SPEAKER.fullmatch(speaker.lower()):
        return translate("Plan", "Write the speaker id “{0}” in small letters: {1}.").format(speaker, speaker.lower())
    if len(speaker) < _SPEAKER_LENGTH:
        text = translate("Plan", "The speaker id “{0}” is too short. Use three characters a-z and 0-9, such as e00.")
        return text.format(speaker)
    return translate("Plan", "The speaker id “{0}” may only contain a-z and 0-9, such as e00.").format(speaker)


def one_sentence(missing: list[str]) -> str:
    """“Still missing: the wizard id, a scenario.” or an empty text."""
    return translate("Plan", "Still missing: {0}.").format(", ".join(missing)) if missing else ""
