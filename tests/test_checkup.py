"""`curtain check --study` finds every setting that a session would stumble over, in one call."""

import errno
import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from curtain.audio import devices
from curtain.commands.cli import app
from curtain.commands.run.check import CheckResult, look_around
from curtain.domain.pack.pack import load_pack, named_pack
from curtain.session.study.study import new_study

BROKEN = """\
domain = "personnel"
scenarios = ["nowhere", "nothing"]
practice = "no-practice"
rule_book = 1950
messages = ["base", "no-such-set"]
microphone = "Golden Ear"
second_microphone = "Silver Ear"
mirror = "a-file/copy"
video = "camera"
lsl = true
[drafters]
nobodys = true
"""

STUDY = ("sessions folder", "mirror", "messages", "drafters", "database", "show", "rule_book", "scenarios", "practice")


def changed(folder: Path, text: str) -> Path:
    new_study(folder, "personnel")
    (folder / "study.toml").write_text(text, "utf-8")
    return folder


def bad(findings: list[CheckResult]) -> dict[str, str]:
    return {one.what: one.text for one in findings if not one.well}


@pytest.fixture(autouse=True)
def connected(monkeypatch: pytest.MonkeyPatch, looked_at_once: None) -> None:
    """One microphone and one loudspeaker, whatever this machine has."""
    made = devices.Device(index=0, name="Plain Mic", channels=1, default_rate=48000, is_default=True)
    monkeypatch.setattr(devices, "list_microphones", lambda: [made])
    monkeypatch.setattr(devices, "list_outputs", lambda: [made])


def test_every_setting_that_names_nothing_is_found_and_named(tmp_path: Path) -> None:
    study = changed(tmp_path / "study", BROKEN)
    (study / "a-file").write_text("", "utf-8")
    (study / "sessions").rmdir()
    (study / "sessions").write_text("", "utf-8")

    found = bad(look_around(None, study, "personnel"))

    assert str(study / "sessions") in found["sessions folder"]
    assert "“Golden Ear”" in found["microphone"] and "Plain Mic" in found["microphone"]
    assert "“Silver Ear”" in found["recording"]
    assert "“nowhere” and “nothing”" in found["scenarios"] and "has only: " in found["scenarios"]
    assert "“no-practice”" in found["practice"]
    assert "1950" in found["rule_book"]
    assert "“no-such-set”" in found["messages"]
    assert "a-file/copy" in found["mirror"]
    assert "“nobodys”" in found["drafters"]
    assert "records nothing any more" in found["video"] and "sends nothing any more" in found["lsl"]
    assert not {"study", "database"} & found.keys()


@pytest.mark.parametrize(("text", "wrong"), [
    ('input = "text"', set()), ('input = "both"', {"microphone", "loudspeaker"}),
    ('input = "text"\nspeak = true', {"microphone", "loudspeaker"}),
    ('language = "de"', {"microphone", "loudspeaker"}),
    ('input = "text"\nlanguage = "de"\nmessages = ["base"]', {"messages"}),
    ('input = "text"\nmessages = ["personnel-de"]', {"messages"}),
])  # fmt: skip
def test_sound_and_the_language_of_messages_are_those_that_the_study_needs(
    text: str, wrong: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("microphones", "outputs"):
        monkeypatch.setattr(devices, f"list_{kind}", list)
    found = bad(look_around(None, changed(tmp_path / "study", text), "personnel"))
    assert found.keys() & {"microphone", "loudspeaker", "messages"} == wrong
    assert "microphone" not in found or ("may type" in found["microphone"]) == ("input" in text)


def test_what_a_system_does_in_its_own_way_is_a_sentence_and_no_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(os, "fsync", refuse)
    monkeypatch.setattr("curtain.audio.voice.shutil.which", lambda name: f"/bin/{name}")
    texts = {one.what: one.text for one in look_around(None, None, "personnel") if one.well}
    assert "does not promise that files survive a power cut" in texts["disk"]
    assert "silence" not in texts["microphone"]
    monkeypatch.setattr(sys, "platform", "darwin")
    found = {one.what: one.text for one in look_around(None, None, "personnel") if one.well}
    assert "Privacy & Security, Microphone" in found["microphone"]


def test_a_study_as_it_was_made_is_well(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study", "personnel").folder
    findings = look_around(None, study, "atis")
    assert not bad(findings).keys() & set(STUDY)
    texts = {one.what: one.text for one in findings}
    assert texts.keys() >= set(STUDY)
    assert texts["show"] == "readable; 8 of 8 kinds of things are shown by name."


def test_a_domain_that_cannot_be_found_is_told_once(tmp_path: Path) -> None:
    study = changed(tmp_path / "study", 'domain = "nowhere"\n')
    found = bad(look_around(None, study, "personnel"))
    assert "nowhere" in found["database"]
    assert not {"scenarios", "practice", "rule_book"} & found.keys()


def test_a_study_that_cannot_be_read_hides_nothing_of_the_machine(tmp_path: Path) -> None:
    study = changed(tmp_path / "study", "colour = 1\n")
    findings = look_around(None, study, "personnel")
    assert "colour" in bad(findings)["study"]
    assert {"microphone", "disk", "link"} <= {one.what for one in findings}


def test_the_microphone_of_the_command_goes_before_that_of_the_study(tmp_path: Path) -> None:
    study = changed(tmp_path / "study", 'microphone = "Golden Ear"\n')
    assert "microphone" not in bad(look_around("Plain", study, "personnel"))


def test_the_command_ends_with_1_and_names_what_is_wrong(tmp_path: Path) -> None:
    study = changed(tmp_path / "study", 'scenarios = ["nowhere"]\n')
    done = CliRunner().invoke(app, ["check", "--study", str(study), "--json"])
    printed = {one["what"]: one for one in json.loads(done.stdout)}
    assert done.exit_code == 1
    assert not printed["scenarios"]["well"] and "nowhere" in printed["scenarios"]["text"]


def test_a_canned_message_without_a_full_stop_is_named(tmp_path: Path) -> None:
    study = changed(tmp_path / "study", 'messages = ["lab.toml"]\n')
    message = 'id = "late"\nnumber = 60\ntext = "It is late"\ncounts_as = "neutral"\nwhen = "Late."\n'
    (study / "lab.toml").write_text(f"[[message]]\n{message}", "utf-8")

    assert "60 (late)" in bad(look_around(None, study, "personnel"))["messages"]

    (study / "lab.toml").write_text(f"[[message]]\n{message}".replace("is late", "is late."), "utf-8")
    assert "messages" not in bad(look_around(None, study, "personnel"))


def test_a_domain_that_names_nothing_is_found_where_names_are_to_be_shown(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    shutil.copytree(load_pack("personnel").folder, pack)
    text = (pack / "domain.toml").read_text("utf-8")
    (pack / "domain.toml").write_text(text[: text.index("[readable.employee]")], "utf-8")
    named_pack(str(pack))
    study = changed(tmp_path / "study", f'domain = "{pack}"\nshow = "readable"\n')
    assert "has no [readable]" in bad(look_around(None, study, "personnel"))["show"]
    study = changed(tmp_path / "other", f'domain = "{pack}"\nshow = "minimum"\n')
    assert "show" not in bad(look_around(None, study, "personnel"))


def test_questionnaires_are_read_before_a_subject_comes(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study", "personnel").folder
    text = (study / "study.toml").read_text(encoding="utf-8")
    for names, well, sentence in (
        ("[]", True, "none."),
        ('["debriefing", "nasa-tlx"]', True, "debriefing, nasa-tlx."),
        ('["suss"]', False, "There is no questionnaire “suss”."),
    ):
        wanted = text.replace("questionnaires = []", f"questionnaires = {names}")
        (study / "study.toml").write_text(wanted, encoding="utf-8")
        finding = {one.what: one for one in look_around(None, study, "personnel")}["questionnaires"]
        assert finding.well == well and sentence in finding.text
