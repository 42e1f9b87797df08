"""What the wizard's journal knows of session.json: enough to write it again, and to notice an altered byte."""

from collections.abc import Iterable, Mapping
from typing import Any

from curtain.session.bundle.identity import identity_in
from curtain.session.journal.lines import JournalEntry

_OF_OPENING = (
    "session_id", "speaker_id", "wizard_ids", "scenario_ids", "practice_id", "pilot", "domain", "plan", "conditions",
    "design_seed", "analysis", "language", "lab_speaker_id",
)  # fmt: skip
_NOT_COMPARED = frozenset(
    {"app_version", "consent_id", "consent_scopes", "consent_signed_on", "speaker", "lab_speaker_id"}
)
# Every session.json has these. The others came with later versions, and imported sessions lack some.
_ALWAYS = frozenset({"session_id", "speaker_id"})


def known_of(wizard: Iterable[JournalEntry]) -> dict[str, Any]:
    """Keys and values of session.json as the wizard's journal has them; empty if the line of the opening is lost.

    Raises SessionsMixed.
    """
    entries = list(wizard)
    opened = next((entry.data for entry in entries if entry.type == "session_opened"), None)
    if opened is None:
        return {}
    # No practice scenario is a value; a domain of None is that of a journal which did not name it yet.
    from_journal = {
        key: opened[key] for key in _OF_OPENING if key in opened and (key != "domain" or opened[key] is not None)
    }
    if "wizard_ids" in from_journal:
        from_journal["wizard_ids"] = wizards_of(entries)
    confirmed = [entry.data for entry in entries if entry.type == "consent_confirmed"]
    consents = [data.get("consent_id") for data in confirmed]
    versions = [entry.data.get("app_version") for entry in entries if entry.type == "epoch"]
    described = [entry.data.get("speaker") for entry in entries if entry.type == "speaker_described"]
    # A speaker who stated nothing stands in session.json as null.
    from_journal["speaker"] = described[-1] if described else None
    if_stated = {
        "identity": identity_in(entries) or None,
        "consent_id": consents[-1] if consents else None,
        "consent_scopes": confirmed[-1].get("scopes") if confirmed else None,
        "consent_signed_on": confirmed[-1].get("signed_on") if confirmed else None,
        "app_version": versions[0] if versions else None,
    }
    return from_journal | {key: value for key, value in if_stated.items() if value is not None}


def wizards_of(wizard: Iterable[JournalEntry]) -> list[str]:
    """Who sat at the session's own station or in a chair that could touch a turn, in the order of their coming."""
    named: list[str] = []
    for entry in wizard:
        if entry.type == "session_opened":
            named += map(str, entry.data.get("wizard_ids") or [])
        elif entry.type == "chair_joined" and entry.data.get("chair") != "observer":
            named.append(str(entry.data.get("wizard_id")))
    return list(dict.fromkeys(named))


def altered_keys(about: Mapping[str, Any], from_journal: Mapping[str, Any]) -> list[str]:
    """The keys whose value in session.json is not what the journal knows; a missing one counts if it must be there."""
    # Another version may have written the file anew, and the consent may be corrected in it later.
    compared = (key for key in from_journal if key not in _NOT_COMPARED)
    return [key for key in compared if (key in about or key in _ALWAYS) and not _agree(key, about, from_journal)]


def _agree(key: str, about: Mapping[str, Any], from_journal: Mapping[str, Any]) -> bool:
    ours, theirs = from_journal[key], about.get(key)
    if key == "wizard_ids" and isinstance(theirs, list) and theirs:
        # Who joins later is in the file only when the session is closed, and never in one of an earlier Curtain.
        return bool(theirs == ours[: len(theirs)])
    return bool(ours == theirs)
