import sys
from pathlib import Path

import pytest

from curtain.audio.voice import NoVoice, program_command, try_program, voice_command, writing_command
from curtain.audio.wav import WavFormat, header
from curtain.base.table import Table
from subject_app.session.screen_state import Exchange
from subject_app.session.texts import texts_in
from subject_app.talk.voice import Voice, VoiceProgram, spoken_words

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


# As Piper does: its output, a file, or the loudspeaker.
PROGRAM = """
import sys
text, way = sys.stdin.read(), sys.argv[1]
sound = bytes.fromhex(sys.argv[2])
if way == "output":
    sys.stdout.buffer.write(sound)
elif way == "fails":
    sys.exit("no model")
elif way == "hangs":
    import time
    time.sleep(600)
elif way != "aloud":
    open(way, "wb").write(sound)
"""
SOUND = header(WavFormat(22050), 2) + bytes(4)


class Loudspeaker:
    """Keeps what it is to play."""

    def __init__(self):
        self.played, self.silenced = [], 0

    def play(self, wav, done):
        self.played.append(wav.read_bytes())
        return True

    def silence(self):
        self.silenced += 1


@pytest.mark.parametrize(
    ("way", "played", "absent"),
    [("output", [SOUND], False), ("{wav}", [SOUND], False), ("aloud", [], False), ("fails", [], True),
     ("hangs", [], True)],
)  # fmt: skip
def test_a_program_says_the_text_or_its_recording_is_played(qtbot, tmp_path, background, way, played, absent):
    (tmp_path / "speaker.py").write_text(PROGRAM, "utf-8")
    loud = Loudspeaker()
    speech = VoiceProgram(f'"{sys.executable}" "{tmp_path / "speaker.py"}" {way} {SOUND.hex()}', loud, background)
    limit = 300 if way == "hangs" else 60_000
    voice = Voice(None, speech.command, speech.play, speech.silence, limit)
    voice.use(True, "en")
    with qtbot.waitSignal(voice.absent) as heard:
        voice.say("Two flights")
    assert heard.args == [absent]
    qtbot.waitUntil(lambda: loud.played == played)
    before = loud.silenced
    voice.hush()
    assert loud.silenced > before
    voice.close()
    speech.close()


@pytest.mark.parametrize(
    ("template", "sentence"),
    [("no-such-program --model x", "names a program that is not there: no-such-program"), ("", "not there: none"),
     ('piper "--model', "a quotation mark that does not end"),
     (f'"{sys.executable}" -c "import sys; sys.exit(str(2))"', r"The program of --voice fails \(2\)"),
     (f'"{sys.executable}" -c "print(1)"', "writes is no WAV file")],
)  # fmt: skip
def test_a_program_that_cannot_speak_is_reported_in_one_sentence(template, sentence):
    with pytest.raises(NoVoice, match=sentence):
        try_program(template)


def test_a_program_is_filled_in_and_tried():
    said = f'"{sys.executable}" -c "import sys; sys.stdout.buffer.write(bytes.fromhex(sys.argv[1]))" {SOUND.hex()}'
    assert try_program(said) == 2 / 22050
    command = program_command(f'"{sys.executable}" --voice {{language}} -o {{wav}}', "de", Path("a b.wav"))
    assert command == [sys.executable, "--voice", "de", "-o", "a b.wav"]


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
