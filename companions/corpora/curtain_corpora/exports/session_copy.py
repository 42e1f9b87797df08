"""A copy of a session's folder that may leave: journals, layers and recordings, without the names of people.

Wizards and annotators have their pseudonyms, everything bears the speaker's id in the corpus, and times of day count
from the session's beginning as if that had been at midnight. Numbers of processes and ids of consent forms are gone.
Lines are sealed anew, so that the copy can be checked as the session could.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from curtain.base.clock import iso_utc
from curtain.corpus.annotation.first_words import BY as RECOGNISER
from curtain.corpus.annotation.layers import Layers
from curtain.corpus.annotation.row import LAYERS
from curtain.corpus.model.utterance import Corpus, Session
from curtain.corpus.redaction.pseudonyms import CONSENT_WITHHELD, domain_name
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.checks import NOTE
from curtain.session.bundle.heads import HAS_HEADS
from curtain.session.journal.journals import Journals
from curtain.session.journal.lines import JournalEntry, write_line
from curtain.session.journal.sealed_lines import seal

_PEOPLE = {"wizard_ids", "wizard_id", "handed_by", "confirmed_by", "by"}
_TIMES = {"wall_utc", "at_utc"}
_SOME_DAY = "1970-01-01"
_TYPED = "part_typed"

_REPAIRED = "This session is a repaired copy: it is sound, but some of it was lost.\n"

_Rule = Callable[[Any], Any]


def write_copy(corpus: Corpus, session: Session, id_before: str, target: Path, journals: Journals) -> None:
    """Fill the folder `target`, which is there and empty. Raises what reading the session raises."""
    bundle, copy = Bundle(session.path), Bundle(target)
    wizard, subject = journals.wizard.entries, journals.subject.entries
    cleaned = _Cleaning(corpus, session, id_before, _midnight(wizard))
    # Heads stay in the study: a copy has none.
    about = cleaned.value(bundle.read_session_json()) | _allowed(session) | {HAS_HEADS: False}
    copy.session_json.write_text(json.dumps(about, ensure_ascii=False, indent=2) + "\n", "utf-8", newline="\n")
    for path, entries in ((copy.wizard_journal, wizard), (copy.subject_journal, subject)):
        path.write_bytes(b"".join(write_line(cleaned.entry(one)) for one in entries))
    copy.audio.mkdir()
    for recording in sorted(bundle.audio.rglob("*.wav") if session.may_keep_audio else ()):
        target_folder = copy.audio / recording.parent.relative_to(bundle.audio)
        target_folder.mkdir(exist_ok=True)
        shutil.copyfile(recording, target_folder / cleaned.name(recording.name))
    if session.may_keep_video and bundle.video.is_dir():
        copy.video.mkdir()
        for video in sorted(bundle.video.iterdir()):
            shutil.copyfile(video, copy.video / cleaned.name(video.name))
    _copy_layers(Layers(bundle), copy, cleaned, session.recorded or _SOME_DAY)
    if bundle.repair_note is not None:
        # The note itself names folders of the machine on which the session was repaired.
        (target / NOTE).write_text(_REPAIRED, "utf-8", newline="\n")
    if session.closed:
        copy.write_manifest()


def _allowed(session: Session) -> dict[str, Any]:
    """What the consent allows now: the study may have noted a later word of the speaker."""
    if session.consent_scopes is None:
        return {}
    return {"consent_scopes": list(session.consent_scopes), "consent_signed_on": session.consent_signed_on}


def _copy_layers(layers: Layers, copy: Bundle, cleaned: _Cleaning, day: str) -> None:
    rows = {layer: layers.rows(layer) for layer in LAYERS}
    # Of the times at which somebody annotated only their order counts.
    order = sorted({row.at_utc for found in rows.values() for row in found})
    # After the session, which a copy begins at midnight: what was said before its last answer would not count.
    begin = datetime.fromisoformat(f"{day}T00:00:00+00:00") + timedelta(days=1)
    times = {at: iso_utc(begin + timedelta(milliseconds=number)) for number, at in enumerate(order)}
    for layer in LAYERS:
        if rows[layer]:
            copy.annotations.mkdir(exist_ok=True)
            values = (cleaned.value(msgspec.to_builtins(row)) | {"at_utc": times[row.at_utc]} for row in rows[layer])
            lines = (seal(number, value) for number, value in enumerate(values, 1))
            (copy.annotations / f"{layer}.jsonl").write_bytes(b"".join(lines))


class _Cleaning:
    """What changes in any value of the session's files."""

    def __init__(self, corpus: Corpus, session: Session, id_before: str, shift: _Rule) -> None:
        self._allowed = _allowed(session)
        self._ids = {id_before: session.session_id, id_before[:3]: session.speaker_id}
        # Only where a session id follows: three characters alone may be part of any word.
        self._id = re.compile(rf"(?<![0-9A-Za-z]){re.escape(id_before[:3])}-[0-9]{{2}}(?![0-9A-Za-z])")

        def person(name: Any) -> Any:
            if isinstance(name, list):
                return [person(one) for one in name]
            is_person = isinstance(name, str) and name != RECOGNISER
            return corpus.pseudonym(session, name) if is_person else name

        self._rules: Mapping[str, _Rule] = {
            **dict.fromkeys(_PEOPLE, person),
            **dict.fromkeys(_TIMES, shift),
            "consent_id": lambda one: CONSENT_WITHHELD if one else one,
            "pid": lambda _: 0,
            # It leads from the data to the laboratory's list of people.
            "lab_speaker_id": lambda _: "",
            # Nobody looks through these for names: what was taken back before it was sent does not leave.
            "earlier_texts": lambda _: [],
            "domain": lambda one: domain_name(one) if isinstance(one, str) else one,
            "speaker_id": self._speaker,
        }

    def entry(self, entry: JournalEntry) -> JournalEntry:
        data = self.value(entry.data)
        if entry.type == _TYPED:
            # As with earlier texts: it was typed, perhaps taken back, and nobody looks through it for names.
            data |= {"text": ""}
        # The journal has the last word on both, so whoever receives it would have only the first.
        if entry.type == "consent_confirmed":
            data |= {name.removeprefix("consent_"): value for name, value in self._allowed.items()}
        elif entry.type == "session_opened":
            data |= {"disclose": False}
        return msgspec.structs.replace(entry, wall_utc=self._rules["wall_utc"](entry.wall_utc), data=data)

    def value(self, given: Any) -> Any:
        """The same with every text and every named value changed that must not leave as it is."""
        if isinstance(given, dict):
            return {key: self._rules[key](one) if key in self._rules else self.value(one) for key, one in given.items()}
        if isinstance(given, list):
            return [self.value(one) for one in given]
        return self.name(given) if isinstance(given, str) else given

    def name(self, text: str) -> str:
        """A text with the ids of the speaker's sessions and utterances as they are in the corpus."""
        return self._id.sub(lambda found: self._ids.get(found[0]) or self._speaker(found[0][:3]) + found[0][3:], text)

    def _speaker(self, given: Any) -> Any:
        return self._ids.get(given, given) if isinstance(given, str) else given


def _midnight(wizard: tuple[JournalEntry, ...]) -> _Rule:
    """Moves a time of day by what the session's beginning was past midnight; a text that is no time goes."""
    # The time of day at which somebody was there may reveal who it was.
    first = next((moment for entry in wizard if (moment := _moment(entry.wall_utc)) is not None), None)
    if first is None:
        return lambda _: ""
    since = first - first.replace(hour=0, minute=0, second=0, microsecond=0)

    def shifted(text: Any) -> str:
        moment = _moment(text)
        return "" if moment is None else iso_utc(moment - since)

    return shifted


def _moment(text: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (TypeError, ValueError):
        return None
