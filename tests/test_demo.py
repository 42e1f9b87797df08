"""The demonstration goes on where no microphone is connected: a recorded voice asks, or the questions are typed."""

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from curtain.audio import devices
from curtain.audio.devices import Device
from curtain.audio.sources import ReplaySource
from curtain.rehearsal import demo, stage
from curtain.rehearsal.demo import DemoVoice
from curtain.session.study.study import load_study, new_study
from subject_app.talk.sound import ReplayMicrophone
from tests.wizard_app.stand_in import write_tone

MICROPHONE = Device(0, "Headset", 1, 48000)
CASES: dict[str, tuple[list[Device], DemoVoice, str, str, int]] = {
    "a microphone": ([MICROPHONE], DemoVoice(), "speech", "hold SPACE and ask.", 0),
    "none, and nobody to ask": ([], DemoVoice(), "both", "type the questions; with --recorded", 0),
    "none, and typing": ([], DemoVoice(ask=lambda _: False), "both", "type the questions; with --recorded", 0),
    "none, and a voice": ([], DemoVoice(ask=lambda _: True), "both", "a recorded voice asks the next question", 9),
    "a voice at once": ([MICROPHONE], DemoVoice(wanted=True), "speech", "a recorded voice asks the next question", 9),
    "none, in a study of speech alone": ([], DemoVoice(), "old", "a recorded voice asks the next question", 9),
}


@pytest.mark.parametrize("case", CASES)
def test_a_demonstration_goes_on_without_a_microphone(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    microphones, voice, given, to_do, voices = CASES[case]
    out, said, opened, spoken = tmp_path / "demo", list[str](), dict[str, tuple[str, ...]](), list[Path]()

    def running_window(module: str, *options: str) -> object:
        opened[module] = options
        spoken.extend(Path(options[-1]).glob("*.wav") if "--mic-file" in options else ())
        return nullcontext(SimpleNamespace(wait=lambda: 0))

    monkeypatch.setattr(devices, "list_microphones", lambda: microphones)
    monkeypatch.setattr(stage, "say_to_file", lambda text, wav: wav.write_bytes(text.encode()))
    monkeypatch.setattr(demo, "running_window", running_window)
    if given == "old":
        new_study(out, "personnel")
    demo.open_stations("personnel", out, said.append, voice)
    assert to_do in " ".join(said)
    assert ("No microphone is connected." in said) == (not microphones)
    assert len(spoken) == voices
    assert load_study(out).input == given.replace("old", "speech")


def test_of_a_folder_the_next_voice_speaks_at_each_press(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken: list[str] = []
    monkeypatch.setattr(ReplaySource, "cue", lambda _self, wav: spoken.append(wav.name))
    for name in ("00.wav", "01.wav"):
        write_tone(tmp_path / name, 0.1)
    microphone = ReplayMicrophone(tmp_path)
    for _ in range(3):
        microphone.press()
    assert spoken == ["00.wav", "01.wav", "00.wav"]


@pytest.mark.parametrize("ended", [True, False])
def test_a_file_alone_is_spoken_again_at_a_press_once_it_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: bool
) -> None:
    spoken: list[str] = []
    monkeypatch.setattr(ReplaySource, "cue", lambda _self, wav: spoken.append(wav.name))
    monkeypatch.setattr(ReplaySource, "silent", ended)
    write_tone(tmp_path / "one.wav", 0.1)
    ReplayMicrophone(tmp_path / "one.wav").press()
    assert spoken == ["one.wav"] * ended
