import sys
from pathlib import Path

import pytest

from curtain.audio.voice import NoVoice, voice_command, writing_command
from curtain.base.table import Table
from subject_app.session.screen_state import Exchange
from subject_app.session.texts import texts_in
from subject_app.talk.voice import Voice, spoken_words

# Writes down what it is to say and then goes on speaking until it is killed.
SPEAKER = """
import sys, time
text = sys.stdin.read()
open(sys.argv[1], "a").write(text + "\\n")
if "long" in text:
    open(sys.argv[1] + ".speaking", "w").close()
    time.sleep(600)
open(sys.argv[1] + ".end", "w").close()
"""


@pytest.fixture
def said(tmp_path):
    return tmp_path / "said"


@pytest.fixture
def voice(qtbot, said):
    made = Voice(command=lambda language: [sys.executable, "-c", SPEAKER, str(said)])
    yield made
    made.close()


def test_the_voice_is_silent_at_once_when_the_subject_wants_to_talk(qtbot, voice, said):
    voice.use(True, "en")
    voice.say("a long text")
    qtbot.waitUntil(lambda: said.with_suffix(".speaking").exists())
    voice.hush()
    qtbot.waitUntil(lambda: not voice.speaking)
    assert not said.with_suffix(".end").exists()


@pytest.mark.parametrize("code", [0, 1])
def test_a_voice_that_fails_is_reported_until_it_speaks_again(qtbot, code):
    voice = Voice(command=lambda language: [sys.executable, "-c", f"import sys; sys.stdin.read(); sys.exit({code})"])
    voice.use(True, "en")
    with qtbot.waitSignal(voice.absent) as heard:
        voice.say("Two flights")
    assert heard.args == [bool(code)]
    voice.close()


def test_a_new_text_ends_the_last_and_is_said_once(qtbot, voice, said):
    voice.use(True, "en")
    voice.say("a long text")
    qtbot.waitUntil(lambda: said.with_suffix(".speaking").exists())
    voice.say("Two flights, 中文")
    qtbot.waitUntil(lambda: said.with_suffix(".end").exists())
    assert said.read_text("utf-8") == "a long text\nTwo flights, 中文\n"


def test_nothing_is_said_unless_the_study_says_so(voice):
    voice.use(False, "")
    voice.say("a text")
    assert not voice.speaking


def test_without_a_voice_the_station_is_silent_and_goes_on(qtbot, caplog):
    def none(language):
        raise NoVoice("This computer has no voice.")

    voice = Voice(command=none)
    voice.use(True, "en")
    voice.say("a text")
    assert not voice.speaking and "no voice" in caplog.text


@pytest.mark.parametrize(
    ("platform", "language", "command"),
    [("linux", "de", ["/bin/espeak-ng", "-v", "de", "--stdin"]),
     ("linux", "zh", ["/bin/espeak-ng", "-v", "cmn", "--stdin"]),
     ("darwin", "de", ["/bin/say", "-f", "-"])],
)  # fmt: skip
def test_each_system_has_its_command(platform, language, command):
    assert list(voice_command(language, platform, lambda name: f"/bin/{name}")) == command


@pytest.mark.parametrize(
    ("platform", "command"),
    [("linux", ["/bin/espeak-ng", "-v", "en-us", "-s", "150", "-w", "it's.wav", "--stdin"]),
     ("darwin", ["/bin/say", "-r", "150", "-o", "it's.wav", "--file-format=WAVE", "--data-format=LEI16@22050",
                 "-f", "-"])],
)  # fmt: skip
def test_each_system_has_its_command_that_records(platform, command):
    assert list(writing_command(Path("it's.wav"), 150, platform, lambda name: f"/bin/{name}")) == command


def test_on_windows_the_voice_of_the_system_speaks_and_records():
    program, *_, aloud = voice_command("de", "win32", lambda name: name)
    *_, script = writing_command(Path("it's.wav"), 150, "win32", lambda name: name)
    assert program == "powershell" and "SetOutputToWaveFile" not in aloud and "{" not in aloud + script
    # Before it speaks, and with the quote doubled, as PowerShell reads it.
    assert script.index("SetOutputToWaveFile('it''s.wav', $form)") < script.index("$voice.Speak([Console]::In")


def test_a_system_without_a_voice_is_reported_in_one_sentence():
    with pytest.raises(NoVoice, match=r"no voice.*install espeak-ng"):
        voice_command("en", "linux", lambda name: None)


def test_a_message_is_said_as_it_stands_and_of_a_table_the_first_rows():
    texts = texts_in("en")
    table = Table(headings=["Name", "Pay"], rows=[[f"P{n}", str(n)] for n in range(9)], numeric=[False, True], total=40)
    assert spoken_words(Exchange(1, message="Please wait."), texts) == "Please wait."
    assert spoken_words(Exchange(1, table=table), texts).startswith("First 5 of 40. P0, 0. P1, 1. ")
    assert spoken_words(Exchange(1, table=Table(headings=[], rows=[], numeric=[], total=0)), texts) == texts.empty
    assert spoken_words(Exchange(1), texts) == ""
