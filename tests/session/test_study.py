"""study.toml and the sessions beside it."""

import os
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.base.errors import CurtainError
from curtain.base.privacy import NotAgreed
from curtain.commands.study.trust import trust
from curtain.corpus.redaction.erasure import plan_for
from curtain.session.bundle.bundle import Bundle
from curtain.session.study import ids
from curtain.session.study.study import Study, StudyMissing, load_study, new_study

KEYS = [
    "domain", "scenarios", "order", "seed", "practice", "rule_book", "messages", "talk_key", "deadline_s",
    "input", "take_back_s", "microphone", "recording_rate", "second_microphone",
    "learn", "transcribe", "speak", "listen_live", "show", "judges_see_sql",
    "mirror", "site", "retention_months", "consent_scopes", "questionnaires", "disclose",
    "wizard_level", "language", "texts", "drafters",
]  # fmt: skip


def study_of(folder: Path, text: str) -> Path:
    (folder / "study.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_new_study_explains_every_key_and_holds_the_defaults(tmp_path: Path) -> None:
    made = new_study(tmp_path / "lab", "personnel")
    text = (tmp_path / "lab" / "study.toml").read_text()
    assert list(tomllib.loads(text)) == KEYS
    for key in KEYS:
        assert re.search(rf"^#.+\n(\[{key}\]|{key} = )", text, re.MULTILINE)
    assert made == Study(folder=(tmp_path / "lab").resolve(), messages=("personnel",), show="readable", take_back_s=2)
    assert made.sessions_folder.is_dir() and made.sessions() == []


def test_a_drafter_is_on_or_off_or_has_settings(tmp_path: Path) -> None:
    text = '[drafters]\ncurtain = false\n[drafters.chat]\naddress = "http://localhost:1"\n'
    study = load_study(study_of(tmp_path, text))
    assert study.drafters == {"curtain": False, "chat": {"address": "http://localhost:1"}}
    with pytest.raises(CurtainError, match="line 1: “drafters” must be a table of drafters"):
        load_study(study_of(tmp_path, '[drafters]\nmine = "yes"\n'))


def test_an_empty_study_file_has_all_defaults(tmp_path: Path) -> None:
    study = load_study(study_of(tmp_path, ""))
    assert (study.domain, study.talk_key, study.deadline_s, study.learn, study.mirror) == (
        "personnel", "Space", 60.0, True, None,
    )  # fmt: skip
    assert (study.scenarios, study.practice, study.messages, study.microphone) == ((), None, ("personnel",), "")
    # A study that began before the key goes on as it began.
    assert study.show == "minimum"


def test_every_key_is_read(tmp_path: Path) -> None:
    text = (
        'domain = "atis"\nscenarios = ["s2", "s1"]\npractice = "p"\nrule_book = 1990\nmessages = ["base", "lab.toml"]\n'
        'talk_key = "F13"\ndeadline_s = 45.5\nmicrophone = "Mic"\nlearn = false\n'
        'show = "maximum"\nmirror = "../copy"\n[texts]\none_moment = "Un momento"\n'
    )
    study = load_study(study_of(tmp_path, text))
    assert (study.domain, study.scenarios, study.practice, study.rule_book) == ("atis", ("s2", "s1"), "p", 1990)
    assert study.messages == ("base", str(tmp_path.resolve() / "lab.toml"))
    assert (study.talk_key, study.deadline_s, study.microphone, study.learn) == ("F13", 45.5, "Mic", False)
    assert study.show == "maximum"
    assert study.named_mirror == tmp_path.resolve() / ".." / "copy" and study.texts == {"one_moment": "Un momento"}


def test_a_pack_beside_the_study_is_found_from_anywhere(tmp_path: Path) -> None:
    assert load_study(study_of(tmp_path, 'domain = "./packs/library"')).domain == str(
        tmp_path.resolve() / "packs/library"
    )


def test_the_scenarios_of_a_new_study_can_be_named(tmp_path: Path) -> None:
    study = new_study(tmp_path / "lab", "atis", scenarios=["pilot", "é 3"], practice="none")
    assert (study.scenarios, study.practice, study.messages) == (("pilot", "é 3"), "none", ("atis",))


REFUSALS = {
    "a misspelt key": (
        'domain = "atis"\ndeadline = 3',
        "study.toml, line 2: “deadline” is not known here. Did you mean “deadline_s”?",
    ),
    "an unknown key": ("zzz = 1", "line 1: “zzz” is not known here. Known are: scenarios, order"),
    "a number for a text": ("domain = 3", "line 1: “domain” must be the name of a domain"),
    "a text for a list": ('\n\nscenarios = "1"', "line 3: “scenarios” must be a list"),
    "a list of numbers": ("scenarios = [1]", "“scenarios” must be a list"),
    "no messages": ("messages = []", "“messages” must be a list"),
    "no key to talk": ('talk_key = ""', "“talk_key” must be the name of a key"),
    "a key that does not exist": (
        'domain = "atis"\ntalk_key = "Bogus"',
        "line 2: “talk_key” must be the name of a key such as",
    ),
    "a key with a meaning of its own": ('talk_key = "Esc"', "“talk_key” must be the name of a key"),
    "a scenario named twice": ('scenarios = ["1", "2", "1"]', "“scenarios” must be a list of scenario ids"),
    "a misspelt text": ("[texts]\nclosin = 'Bye.'", "line 2: “closin” is not known here. Did you mean “closing”?"),
    "a text that nobody reads": ("[texts]\nzzz = 'Bye.'", "“zzz” is not known here. Known are: title, briefing"),
    "a mirror among the sessions": ('mirror = "sessions"', "line 1: “mirror” must be a folder outside"),
    "a mirror in a session": ('mirror = "sessions/e00-01"', "“mirror” must be a folder outside"),
    "a mirror that is a file": ('mirror = "study.toml"', "“mirror” names"),
    "a text for seconds": ('deadline_s = "60"', "“deadline_s” must be a number of seconds"),
    "a scope that there is not": (
        'consent_scopes = ["audio"]',
        '“consent_scopes” is “audio”; it must be a list of "keep_audio", "video", "share", "publish" and "quote"',
    ),
    "months in words": ('retention_months = "6"', "“retention_months” must be a number of months"),
    "no seconds": ("deadline_s = 0", "“deadline_s” must be a number of seconds"),
    "seconds without end": ("deadline_s = inf", "“deadline_s” must be a number of seconds"),
    "true for seconds": ("deadline_s = true", "“deadline_s” must be a number of seconds"),
    "a number for yes or no": ("learn = 1", "“learn” must be true or false"),
    "a word for yes or no": ('transcribe = "yes"', "“transcribe” must be true or false"),
    "more than there is": ('show = "all"', '“show” must be "minimum", "readable" or "maximum"'),
    "texts that are no table": ('texts = "a"', "“texts” must be a table"),
    "a text that is a number": ("[texts]\na = 1", "line 1: “texts” must be a table"),
    "broken TOML": ('domain = "a', "not readable as TOML: "),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_broken_study_is_refused_with_file_line_and_what_is_wanted(tmp_path: Path, case: str) -> None:
    text, shown = REFUSALS[case]
    with pytest.raises(CurtainError) as refusal:
        load_study(study_of(tmp_path, text))
    assert "study.toml" in str(refusal.value) and shown in str(refusal.value)


def test_a_folder_without_a_study_and_a_file_in_its_place_are_named(tmp_path: Path) -> None:
    with pytest.raises(StudyMissing, match="curtain study new"):
        load_study(tmp_path)
    file = tmp_path / "notes.json"
    file.write_text("{}", "utf-8")
    with pytest.raises(StudyMissing, match=r"notes\.json is a file; give the folder of one study"):
        load_study(file)


def test_a_study_is_never_overwritten(tmp_path: Path) -> None:
    new_study(tmp_path, "personnel")
    with pytest.raises(CurtainError, match="already"):
        new_study(tmp_path, "atis")


def test_a_place_that_takes_no_files_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CurtainError, match="cannot be written"):
        new_study(tmp_path / "file" / "lab", "personnel")
    with pytest.raises(CurtainError, match=r"The mirror .* cannot be written"):
        Bundle.create(load_study(study_of(tmp_path, 'mirror = "file/copy"')), "e00-01", {})
    study = load_study(study_of(tmp_path, ""))
    assert study.sessions() == []
    study.sessions_folder.rmdir()
    study.sessions_folder.write_text("")
    with pytest.raises(CurtainError, match="cannot be written"):
        Bundle.create(study, "e00-01", {})


def test_nothing_is_written_outside_the_study_without_an_agreement(tmp_path: Path) -> None:
    study = load_study(study_of(tmp_path, 'mirror = "../agreed copy"'))
    for way in (study.ensure_writable, lambda: Bundle.create(study, "e00-01", {}), lambda: plan_for(study, "e00")):
        with pytest.raises(NotAgreed, match=r"second copy of each session in .*copy\. .*curtain study trust"):
            way()
    assert not (tmp_path.parent / "agreed copy").exists() and trust(study.folder, yes=True) == 0
    study.ensure_writable()


def test_a_talk_key_is_known_by_its_name_in_any_capitals(tmp_path: Path) -> None:
    keys = ["space", "f13", "PGDOWN", "b"]
    studies = [load_study(study_of(tmp_path, f'talk_key = "{key}"')) for key in keys]
    assert [study.talk_key for study in studies] == ["Space", "F13", "PgDown", "B"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_read_only_study_is_reported_in_one_sentence(tmp_path: Path) -> None:
    study = new_study(tmp_path / "lab", "personnel")
    study.sessions_folder.chmod(0o500)
    with pytest.raises(CurtainError):
        study.ensure_writable()


def test_the_next_session_follows_the_speakers_last(tmp_path: Path) -> None:
    study = new_study(tmp_path / "lab", "personnel")
    for name in ("e00-01", "e00-04", "e01-07", "notes", "e00-4", "E00-05"):
        (study.sessions_folder / name).mkdir()
    assert [study.next_session_id(who) for who in ("e00", "e01", "e02")] == ["e00-05", "e01-08", "e02-01"]


def test_sessions_are_listed_open_or_closed(tmp_path: Path) -> None:
    study = new_study(tmp_path / "lab", "personnel")
    Bundle.create(study, "e01-01", {})
    Bundle.create(study, "e00-01", {}).write_manifest()
    assert [(one.session_id, one.state) for one in study.sessions()] == [("e00-01", "closed"), ("e01-01", "open")]
    assert [one.session_id for one in study.sessions() if one.state == "open"] == ["e01-01"]


def test_a_session_is_made_once(tmp_path: Path) -> None:
    study = new_study(tmp_path / "lab", "personnel")
    Bundle.create(study, "e00-01", {"consent_id": "c1"})
    with pytest.raises(CurtainError, match="e00-01"):
        Bundle.create(study, "e00-01", {})
    assert Bundle(study.sessions_folder / "e00-01").read_session_json()["consent_id"] == "c1"


# -- names ---------------------------------------------------------------------------------------------

ODD = [
    "..", ".", "", "a/b", "NUL", "e0", "e000", "é00", "e0\n", "E00", "e0 ", "\u202ee0", "٣٣٣", "a\0b", "x" * 300,
    "😀😀😀",
]  # fmt: skip


@pytest.mark.parametrize("speaker", ODD)
def test_an_odd_speaker_id_is_refused(speaker: str) -> None:
    with pytest.raises(CurtainError, match="three of a-z and 0-9"):
        ids.session_id(speaker, 1)


@given(st.text(max_size=12))
def test_only_an_utterance_id_names_a_recording(name: str) -> None:
    with pytest.raises(ids.BadId):
        Bundle(Path("b")).utterance(name)


def test_ids_have_a_fixed_width() -> None:
    assert (ids.session_id("e00", 1), ids.utterance_id("e00-01", 7)) == ("e00-01", "e00-01-007")
    assert ids.split_utterance_id("con-99-999") == ("con-99", 999)


@pytest.mark.parametrize(("number", "turn"), [(0, 1), (100, 1), (1, 0), (1, 1000), (1, -1)])
def test_numbers_that_do_not_fit_are_refused(number: int, turn: int) -> None:
    with pytest.raises(ids.BadId):
        ids.utterance_id(ids.session_id("e00", number), turn)


WORDS_OFFERED: dict[str, tuple[bool, str, bool, bool]] = {
    "off": (False, "", False, False),
    "on": (True, "", True, True),
    "on under a condition": (False, 'id = "a"\ntranscribe = true', True, True),
    "off under a condition": (True, 'id = "a"\ntranscribe = false', True, False),
    "as the study says": (True, 'id = "a"', True, True),
    "where nobody types": (True, 'id = "a"\nwho = "system"\nsystem = "drafts-robust"', True, False),
}


@pytest.mark.parametrize(("study", "condition", "loaded", "offered"), WORDS_OFFERED.values(), ids=WORDS_OFFERED)
def test_a_study_or_a_condition_says_whether_words_are_offered(
    tmp_path: Path, study: bool, condition: str, loaded: bool, offered: bool
) -> None:
    conditions = f"[[conditions]]\n{condition}\n" if condition else ""
    made = _written(tmp_path, f"transcribe = {str(study).lower()}\n{conditions}")
    assert made.transcribes is loaded
    assert made.transcribes_under(made.conditions[0] if made.conditions else None) is offered


def test_a_condition_offers_no_words_where_nobody_types(tmp_path: Path) -> None:
    with pytest.raises(CurtainError, match="nobody types"):
        _written(tmp_path, '[[conditions]]\nid = "a"\nwho = "system"\nsystem = "s"\ntranscribe = true\n')


def _written(folder: Path, settings: str) -> Study:
    (folder / "study.toml").write_text(f'domain = "personnel"\n{settings}', "utf-8")
    return load_study(folder)


@pytest.mark.parametrize("name", ['a "b"', "a:b", "a|b", "what?"])
def test_a_study_has_a_name_that_folders_can_have_everywhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(CurtainError, match="must be one that a folder can have"):
        new_study(tmp_path / name, "personnel")
    assert not list(tmp_path.iterdir())


def test_files_call_a_speaker_by_letters_without_accents() -> None:
    assert [ids.short_id(name, ()) for name in ("Ünïcode", "Weiß", "vp12")] == ["ude", "wss", "v12"]
