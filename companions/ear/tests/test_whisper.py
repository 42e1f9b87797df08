"""What is heard with real weights, in this process: as a child it would give way to every other test."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

from curtain_ear.transcriber import Align, Expect, Hear, HearMore, Listen
from curtain_ear.whisper import RATE, BadModel, LoadedWhisper, Sound

Say = Callable[[str], Path]

QUESTION = "show me the flights from boston to denver at five twenty"


@pytest.fixture(scope="module")
def ear(tiny: Path) -> LoadedWhisper:
    loaded = LoadedWhisper(Listen(folder=str(tiny), language="en"))
    loaded.obey(Expect(texts=["What flights go from Denver to Boston before 6:30?"]))
    return loaded


@pytest.fixture(scope="module")
def question(say: Say) -> Path:
    return say(QUESTION)


def test_a_question_is_heard_in_the_spelling_of_a_transcription(ear: LoadedWhisper, question: Path) -> None:
    heard = ear.obey(Hear(path=str(question)))
    assert heard.text == QUESTION
    assert (heard.model, heard.version.split()[0]) == ("tiny.en", "faster-whisper")
    assert all(0 <= word.confidence <= 1 and word.start_s <= word.end_s for word in heard.words)
    assert heard.words[-1].end_s <= soundfile.info(str(question)).duration


def test_the_words_of_a_known_text_get_their_times(ear: LoadedWhisper, question: Path) -> None:
    aligned = ear.obey(Align(path=str(question), words=QUESTION.split())).words
    assert [word.text for word in aligned] == QUESTION.split()
    heard = {word.text: word for word in ear.obey(Hear(path=str(question))).words}
    assert all(abs(word.start_s - heard[word.text].start_s) < 0.3 for word in aligned)


def test_a_take_that_grows_ends_with_the_words_of_the_whole(ear: LoadedWhisper, question: Path) -> None:
    samples, rate = soundfile.read(str(question), dtype="int16")
    first = ear.obey(HearMore(key=1, rate=rate, samples=samples[: rate * 2].tobytes(), begins=True))
    ear.obey(HearMore(key=1, rate=rate, samples=samples[rate * 2 : rate * 3].tobytes(), begins=False))
    assert first.words[0].text == "show"
    assert ear.obey(Hear(path=str(question), key=1)).text == QUESTION


def noises() -> dict[str, Sound]:
    """Takes in which nobody speaks."""
    random, time = np.random.default_rng(1), np.arange(4 * RATE) / RATE
    breath = np.cumsum(random.normal(0, 1, 4 * RATE))
    breath -= np.convolve(breath, np.ones(400) / 400, "same")
    clicks = np.zeros(4 * RATE)
    clicks[::8000] = 0.9
    made = {
        "nothing": np.zeros(0),
        "silence": np.zeros(RATE),
        "noise": random.normal(0, 0.05, 4 * RATE),
        "loud noise": random.normal(0, 0.3, 4 * RATE),
        "hum": 0.1 * np.sin(2 * np.pi * 50 * time) + random.normal(0, 0.003, 4 * RATE),
        "breath": 0.2 * breath / np.abs(breath).max() * np.abs(np.sin(2 * np.pi * 0.4 * time)),
        "clicks": clicks,
        "tone": 0.2 * np.sin(2 * np.pi * 440 * time) * (time < 2),
        "chime": 0.3 * sum(np.sin(2 * np.pi * tone * time) * np.exp(-2 * time) for tone in (523, 659, 784)),
        "too short": random.normal(0, 0.02, 1900),
    }
    return {name: np.clip(sound, -1, 1).astype(np.float32) for name, sound in made.items()}


NOISES = noises()


def take_of(folder: Path, sound: Sound) -> str:
    soundfile.write(folder / "take.wav", sound, RATE, subtype="PCM_16")
    return str(folder / "take.wav")


@pytest.mark.parametrize("name", NOISES)
def test_where_nobody_speaks_there_are_no_words_and_the_model_is_named(
    ear: LoadedWhisper, tmp_path: Path, name: str
) -> None:
    whole = ear.obey(Hear(path=take_of(tmp_path, NOISES[name])))
    samples = (NOISES[name] * 32767).astype("<i2").tobytes()
    growing = ear.obey(HearMore(key=1, rate=RATE, samples=samples, begins=True))
    assert (whole.words, growing.words, whole.model) == ((), (), "tiny.en")


@pytest.mark.parametrize("name", ["noise", "hum", "breath", "clicks"])
def test_words_that_have_no_place_in_the_sound_are_not_heard(
    ear: LoadedWhisper, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a noise passes for speech."""
    everything = [{"start": 0, "end": len(NOISES[name])}]
    monkeypatch.setattr("faster_whisper.vad.get_speech_timestamps", lambda *_: everything)
    assert ear.obey(Hear(path=take_of(tmp_path, NOISES[name]))).words == ()


@pytest.mark.parametrize("pause_s", [4, 8, 40])
def test_a_question_behind_a_pause_is_heard_once_and_at_its_time(
    ear: LoadedWhisper, question: Path, tmp_path: Path, pause_s: int
) -> None:
    spoken, rate = soundfile.read(str(question), dtype="float32")
    floor = np.random.default_rng(1).normal(0, 0.0005, pause_s * rate).astype(np.float32)
    soundfile.write(tmp_path / "late.wav", np.concatenate([floor, spoken, floor, spoken]), rate)
    heard = ear.obey(Hear(path=str(tmp_path / "late.wav")))
    assert heard.text == f"{QUESTION} {QUESTION}"
    at_once = ear.obey(Hear(path=str(question))).words
    again_s = 2 * pause_s + len(spoken) / rate
    for first, word in ((pause_s, heard.words[1]), (again_s, heard.words[len(at_once) + 1])):
        assert abs(word.start_s - first - at_once[1].start_s) < 0.3


def test_more_than_a_window_holds_is_heard_to_its_end(ear: LoadedWhisper, say: Say) -> None:
    questions = (
        "show me all flights from Dallas to Chicago on Monday morning", "which airlines fly from Boston to Atlanta",
        "what is the cheapest fare to Houston", "does the first flight have dinner or only a snack",
        "I need ground transportation in Denver", "list the planes that leave before noon",
        "how long does it take from Oakland to Memphis", "is there a limousine at the airport in Orlando",
        "what does the code Q mean", "please give me the arrival times of all flights tomorrow evening",
        "how many seats has the biggest aircraft", "which of these stop in Philadelphia",
    )  # fmt: skip
    text = " ".join(f"{question}." for question in questions)
    long = say(text)
    heard = ear.obey(Hear(path=str(long)))
    assert len(heard.words) > 0.8 * len(text.split())
    assert heard.words[-1].end_s > soundfile.info(str(long)).duration - 2
    assert all(one.start_s <= next_one.start_s for one, next_one in zip(heard.words, heard.words[1:], strict=False))


@pytest.mark.parametrize("content", [None, b"", b"RIFF no sound at all"])
def test_a_file_that_is_no_sound_is_said_to_be_none(ear: LoadedWhisper, tmp_path: Path, content: bytes | None) -> None:
    bad = tmp_path / "bad.wav"
    if content is not None:
        bad.write_bytes(content)
    with pytest.raises(OSError, match=r"bad\.wav"):
        ear.obey(Hear(path=str(bad)))


def test_a_model_that_cannot_hear_is_refused_in_a_sentence(tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "model.bin").write_bytes(b"no weights")
    for folder, language, sentence in (
        (tmp_path / "absent", "en", "There is no model in"),
        (tmp_path, "en", "is damaged"),
        (tiny, "de", "The model tiny.en does not hear “de”"),
    ):
        with pytest.raises(BadModel, match=sentence):
            LoadedWhisper(Listen(folder=str(folder), language=language))


def test_a_model_that_does_not_fit_is_not_loaded(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Free:
        available = 1 << 20

    monkeypatch.setattr("psutil.virtual_memory", Free)
    with pytest.raises(BadModel, match=r"needs 1.. MiB of memory and 1 MiB are free"):
        LoadedWhisper(Listen(folder=str(tiny), language="en"))
