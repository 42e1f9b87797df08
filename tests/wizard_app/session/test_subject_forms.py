"""Which questionnaires cross the curtain, and when."""

from __future__ import annotations

from pathlib import Path

import msgspec

from curtain.link.messages import ScenarioShown
from curtain.session.events.wizard_events import ScenarioStarted
from curtain.session.questionnaires.instrument import bundled_instruments, load_instrument, load_instruments
from wizard_app.session.outbox import Outbox

INSTRUMENTS = load_instruments(bundled_instruments(), Path())


def _shown(number: int, language: str = "en", practice: bool = False, **changes: str) -> ScenarioShown:
    each = tuple(
        msgspec.structs.replace(one, when=changes.get(one.id.replace("-", "_"), one.when)) for one in INSTRUMENTS
    )
    fact = ScenarioStarted(scenario_id="s2", number=number, of=2, practice=practice)
    message = Outbox({}, "", None, each, language).message_for(7, None, fact)
    assert isinstance(message, ScenarioShown)
    return message


def test_forms_of_the_session_come_after_the_last_scenario_alone() -> None:
    assert _shown(1).forms == []
    assert [one.name for one in _shown(2).forms] == ["debriefing", "subject-data", "sus", "ueq-s"]
    assert _shown(2, practice=True).forms == []


def test_a_form_of_each_scenario_bears_its_name() -> None:
    assert [one.name for one in _shown(1, sus="scenario").forms] == ["sus@s2"]


def test_what_the_wizard_is_asked_never_reaches_the_subject() -> None:
    wire = msgspec.json.encode([_shown(n, language, nasa_tlx="scenario") for n in (1, 2) for language in ("en", "de")])
    load = load_instrument("nasa-tlx", Path())
    canaries = [load.id, *load.title.values()]
    canaries += [text for item in load.items for text in item.text.values()]
    assert [one for one in canaries if one.encode() in wire] == []


def test_forms_are_in_the_studys_language_and_english_stands_in() -> None:
    assert {one.title for one in _shown(2, "de").forms} >= {"Wie es war", "Über Sie"}
    assert {one.title for one in _shown(2, "zh").forms} >= {"How it went", "About you"}
