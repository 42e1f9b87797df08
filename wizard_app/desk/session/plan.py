"""What a session needs before it may begin."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from curtain.base.hearing import Input
from curtain.qt.languages.translation import translate
from curtain.session.consent import ConsentScope
from curtain.session.events.speaker import LONGEST_REGION, SpeakerDescription
from curtain.session.study import ids
from curtain.session.study.design import SubjectPlan

_SHORTEST = 3


@dataclass(frozen=True)
class SessionPlan:
    """The start page, filled in. `lab_speaker_id` is the laboratory's own id of the speaker, "" where there is none.
    `scenario_ids` are in the order in which they will be worked on; `speaker` is None where nothing was stated about
    the speaker; `signed_on` is the day of the consent (ISO 8601), "" for today. `subject_plan` is None where the study
    has no conditions. `wizard_level` is the share that the wizard had right in practice, and `level_reason` why
    somebody below the study's level takes the session; None where none is needed. `inputs` is how the subject
    asks by each scenario's own word, None where that is left to the study."""

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
    lab_speaker_id: str = ""
    inputs: Mapping[str, Input | None] = field(default_factory=dict)

    @property
    def all_ids(self) -> list[str]:
        """The practice scenario first, then the others."""
        first = [self.practice_id] if self.practice_id else []
        return [*first, *(one for one in self.scenario_ids if one != self.practice_id)]


def missing(plan: SessionPlan) -> list[str]:
    """What is still empty, in the order of the page, each in words. A trial needs no consent."""
    wants = [
        (plan.speaker_id, translate("Plan", "the speaker id")),
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
    return _wrong_speaker(plan.lab_speaker_id or plan.speaker_id) or _wrong_region(plan) or _wrong_day(plan.signed_on)


def _wrong_region(plan: SessionPlan) -> str:
    length = len(plan.speaker.region or "") if plan.speaker else 0
    if length <= LONGEST_REGION:
        return ""
    return translate("Plan", "The region has {0} characters; {1} at most.").format(length, LONGEST_REGION)


def _wrong_day(day: str) -> str:
    try:
        # fromisoformat also reads 20260301, which people may mean otherwise.
        if not day or date.fromisoformat(day).isoformat() == day:
            return ""
    except ValueError:
        pass  # the sentence below is for it as well
    return translate("Plan", "Write the day of the signature as 2026-03-01, not as “{0}”.").format(day)


def _wrong_speaker(speaker: str) -> str:
    if not speaker or ids.is_short(speaker):
        return ""
    if ids.is_short(speaker.lower()):
        return translate("Plan", "Write the speaker id “{0}” in small letters: {1}.").format(speaker, speaker.lower())
    if len(speaker) < _SHORTEST:
        text = translate("Plan", "The speaker id “{0}” is too short. Use three characters or more, such as e00.")
        return text.format(speaker)
    if len(speaker) > ids.LONGEST_LAB_ID:
        text = translate("Plan", "The speaker id has {0} characters; {1} at most.")
        return text.format(len(speaker), ids.LONGEST_LAB_ID)
    if ids.is_lab_id(speaker):
        return ""
    text = translate("Plan", "The speaker id “{0}” may only contain letters, digits, “.”, “_” and “-”, such as vp12.")
    return text.format(speaker)


def one_sentence(missing: list[str]) -> str:
    """“Still missing: the wizard id, a scenario.” or an empty text."""
    return translate("Plan", "Still missing: {0}.").format(", ".join(missing)) if missing else ""
