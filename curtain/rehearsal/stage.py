"""What a rehearsal needs before it can be played: a study, sounds, and both stations running."""

from __future__ import annotations

import itertools
import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from curtain.audio.levels import MOST_OFFSET, dc_offset, peak
from curtain.audio.voice import NoVoice, writing_command
from curtain.audio.wav import SAMPLE_BYTES, WavFormat, header, mono_at, read_wav
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.python_process import run_program
from curtain.base.terminal import Say
from curtain.qt.windows.display import ensure_windows
from curtain.rehearsal.script import ScriptStep, input_of, scenario_ids
from curtain.rehearsal.stations import RunningStation
from curtain.session.events.subject_events import DISCLOSURE

if TYPE_CHECKING:
    from curtain.domain.pack.pack import Pack, Scenario
    from curtain.session.questionnaires.instrument import Instrument
    from curtain.session.study.messages import MessageSet
    from curtain.session.study.study import Study

# Nobody presses a key again sooner, and the stations take a shorter gap for keyboard repeat.
BREATH_S = 0.15
RATE = 16000
# How far ahead the loudspeaker is fed; so far behind is its sound.
AHEAD_S = 0.5


@dataclass(frozen=True)
class RehearsalPlan:
    """What to rehearse, and where; `part` says which it is of how many, from 0."""

    script: Path
    domain: str
    study: Path
    headless: bool = False
    microphone: str | None = None
    speaker: str = "r00"
    shots: Path | None = None
    part: tuple[int, int] = (0, 1)
    wizard_options: tuple[str, ...] = ()


@dataclass(frozen=True)
class StepSound:
    """A step's sound: a WAV file and its length in seconds."""

    wav: Path
    seconds: float


@dataclass
class Stage:
    """Both stations of a running rehearsal, and the sounds to play."""

    wizard: RunningStation
    subject: RunningStation
    voice: Callable[[StepSound], None]
    turn: int = 0
    answered: int = 0
    answered_by: str | None = None
    sounds: dict[int, StepSound] = field(default_factory=dict)
    shots: Path | None = None
    wizard_forms: dict[str, dict[str, str]] = field(default_factory=dict)
    people: dict[str, RunningStation] = field(default_factory=dict)
    """Who joined, by id."""

    def desk(self, who: str | None) -> RunningStation:
        """The station at which this person sits; None stands for the session's own."""
        return self.wizard if who is None else self.people[who]


@contextmanager
def two_stations(plan: RehearsalPlan, study: Path, scratch: Path) -> Iterator[Stage]:
    """Both stations, connected to each other and closed at the end. Their logs are in `study/logs`."""
    # With our process id: rehearsals beside each other do not meet.
    name = f"curtain-{os.getpid()}"
    ensure_windows("offscreen" if plan.headless else "")
    env = {"QT_QPA_PLATFORM": "offscreen"} if plan.headless else {}
    # The replay device begins with a moment of silence; sounds are cued into it.
    microphone = ["--mic", plan.microphone] if plan.microphone else ["--mic-file", str(_silence(scratch))]
    logs = study / "logs"
    wizard = RunningStation(
        "wizard", ["--study", str(study), "--listen", name, *plan.wizard_options], logs / "wizard.txt", env
    )
    with wizard:
        # In the study, not in the person's own spool: a rehearsal must not touch real recordings.
        spool = ["--spool", str(study / "spool")]
        subject = RunningStation("subject", ["--connect", name, *microphone, *spool], logs / "subject.txt", env)
        with subject:
            voice = _loudspeaker() if plan.microphone else replay_into(subject)
            yield Stage(wizard, subject, voice)


def replay_into(subject: RunningStation) -> Callable[[StepSound], None]:
    """What speaks a sound into the subject's replay device, and returns when it is over."""

    def voice(sound: StepSound) -> None:
        subject.ask("cue", wav=str(sound.wav))
        _listen_out(sound)

    return voice


def _loudspeaker() -> Callable[[StepSound], None]:
    from curtain.audio.outputs import choose_output
    from curtain.audio.playback import Player, PlayerListener

    # Nobody waits for this sound, and a gap in it would be a gap in the recording.
    player = Player(choose_output(None, latency_s=AHEAD_S), PlayerListener())
    player.open()

    def voice(sound: StepSound) -> None:
        player.play(sound.wav)
        # What was handed over is still to be heard.
        wait_s(AHEAD_S)
        _listen_out(sound)

    return voice


def _listen_out(sound: StepSound) -> None:
    """Keeps the key down as long as the sound lasts, as a speaker does."""
    wait_s(sound.seconds + BREATH_S)


def wait_s(seconds: float) -> None:
    """Wait that many seconds of real time: the stations beside us live by it."""
    threading.Event().wait(seconds)


def study_for(plan: RehearsalPlan, steps: list[ScriptStep]) -> Path:
    """The folder to play in, once all that the plan and the script name has been found there. Raises CurtainError."""
    from curtain.domain.pack.pack import agreed_pack, database, named_pack
    from curtain.session.questionnaires.instrument import load_instruments
    from curtain.session.study.messages import load_message_set
    from curtain.session.study.study import NO_PRACTICE, load_study, new_study

    # Before the study is made, so that a missing microphone leaves no folder behind.
    if plan.microphone:
        from curtain.audio.devices import find_microphone

        find_microphone(plan.microphone)
    pack = named_pack(plan.domain)
    # Built now: the station's start would wait for it.
    database(pack)
    if (plan.study / "study.toml").exists():
        study = load_study(plan.study)
    else:
        offered, given = _offered(steps, pack), input_of(steps)
        study = new_study(
            plan.study, pack.lasting_name, scenarios=offered, practice=NO_PRACTICE, given=given, take_back_s=0
        )
    # Looked at before the stations start: a study on a full or locked disk is reported in one sentence.
    study.ensure_writable()
    check_against(steps, agreed_pack(study.domain), load_message_set(study.messages))
    _check_input(steps, study)
    check_forms(steps, load_instruments(study.questionnaires, study.folder), study.disclose)
    return study.folder


def _offered(steps: list[ScriptStep], pack: Pack) -> list[str] | None:
    """The script's scenarios; before them another one, if the script has turns before it names the first."""
    named = scenario_ids(steps)
    if not named or steps[0].do == "scenario":
        return named or None
    # A turn before the first scenario belongs to another one, so that the script's own begins when it says so.
    other = next((one.id for one in pack.scenarios if one.id not in named and not one.practice), None)
    return [other, *named] if other else named


def check_against(steps: list[ScriptStep], pack: Pack, messages: MessageSet) -> None:
    """Whether everything the script names is there. Raises CurtainError with the number of the step."""
    scenario: Scenario | None = None
    for number, step in enumerate(steps, 1):
        try:
            scenario = pack.scenario(step.id) if step.do == "scenario" and step.id else scenario
            if step.message is not None:
                _check_message(step, messages)
        except CurtainError as error:
            raise CurtainError(f"Step {number} of the script: {error}") from error
        typed = step.do == "end" and step.answer is not None and step.how == "typed"
        # The window has no field for it there.
        if typed and scenario is not None and not scenario.asks_answer:
            raise CurtainError(f"Step {number} of the script: no answer can be typed in scenario {scenario.id}.")


def _check_input(steps: Sequence[ScriptStep], study: Study) -> None:
    typed = next((number for number, step in enumerate(steps, 1) if step.type), None)
    # Scenarios and conditions may say otherwise than the study.
    if typed is not None and study.input == "speech" and not study.conditions:
        raise CurtainError(
            f'Step {typed} of the script: the subject types, and in this study they speak. Write input = "both" into '
            f"{study.folder / 'study.toml'}."
        )


def check_forms(steps: Sequence[ScriptStep], instruments: Sequence[Instrument], disclose: bool) -> None:
    """Whether the study asks each questionnaire of the script, and none before it that the script leaves out.

    Raises CurtainError with the number of the step.
    """
    task, filled = "", set[str]()
    for number, step in enumerate(steps, 1):
        task = f"@{step.id}" if step.do == "scenario" else task
        if step.do in ("form", "wizard_form") and step.id:
            due = _due(instruments, "subject" if step.do == "form" else "wizard", task)
            if step.do == "form" and disclose:
                due[DISCLOSURE] = None
            problem = _form_problem(step, due, filled)
            if problem:
                raise CurtainError(f"Step {number} of the script: {problem}.")
        if step.do == "form":
            # Without an id the line fills in whichever comes next.
            filled.add(step.id or next((name for name in _due(instruments, "subject", task) if name not in filled), ""))


def _due(instruments: Sequence[Instrument], who: str, task: str) -> dict[str, Instrument | None]:
    """The forms that follow the last scenario, by name and in the order in which they come."""
    asked = [one for one in instruments if one.asks == who]
    of_task = {one.id + task: one for one in asked if one.when == "scenario" and task}
    return {**of_task, **{one.id: one for one in asked if one.when == "session"}}


def _form_problem(step: ScriptStep, due: dict[str, Instrument | None], filled: set[str]) -> str:
    if step.id not in due:
        return f"no questionnaire “{step.id}” is asked there; the study asks {', '.join(due) or 'none'}"
    before = next((name for name in itertools.takewhile(lambda name: name != step.id, due) if name not in filled), None)
    if step.do == "form" and before is not None:
        return (
            f"the questionnaire “{before}” comes before “{step.id}”, and the script has no line for it. Write "
            f'{{"do": "form", "id": "{before}"}} above this line'
        )
    instrument = due[step.id]
    items = {one.id: one for one in instrument.items if one.kind != "text"} if instrument else {}
    for name, value in step.values.items() if instrument else ():
        if name not in items:
            return f"the questionnaire “{step.id}” has no question “{name}”; it has {', '.join(items)}"
        answers = [str(one) for one in items[name].values] if items[name].kind == "scale" else []
        answers += [one.id for one in items[name].options]
        if answers and value not in answers:
            return f"“{value}” is no answer to “{name}”; it may be {', '.join(answers)}"
    left_out = next((name for name, item in items.items() if item.required and name not in step.values), None)
    wanted = f"nobody goes on from “{step.id}” without an answer to “{left_out}”; write one in “values”"
    return wanted if left_out else ""


def _check_message(step: ScriptStep, messages: MessageSet) -> None:
    wanted = str(step.message)
    message = next((one for one in messages.messages if wanted in (one.id, str(one.number))), None)
    if message is None:
        offered = ", ".join(f"{one.number} {one.id}" for one in messages.messages)
        raise CurtainError(f"there is no message “{wanted}”; there are {offered}.")
    # Filled in here to find a missing or wrong blank; the text itself is not used.
    message.fill(step.blanks)
    for name in step.blanks:
        if name not in message.blanks:
            raise CurtainError(f"the message {message.id} has no blank “{name}”.")


def prepare_sounds(steps: list[ScriptStep], script: Path, scratch: Path, say: Say) -> dict[int, StepSound]:
    """The sound of each step by its number from 1; 0 is for the microphone test. Raises CurtainError."""
    wanted = {number: _what_is_said(step) for number, step in enumerate(steps, 1)}
    spoken = {0: _sound(_hum(scratch))}
    # 0 is the hum of the microphone test.
    for number, step in enumerate(steps, 1):
        text = wanted[number]
        if step.audio is not None:
            spoken[number] = _sound(script.parent / step.audio)
        elif text is not None:
            spoken[number] = _sound(say_to_file(text, scratch / f"{number:04d}.wav"))
    say(f"{len(spoken) - 1} sounds are ready.")
    return spoken


def _what_is_said(step: ScriptStep) -> str | None:
    if step.do == "end" and step.how == "spoken" and step.answer is not None:
        return f"End scenario. The answer is {step.answer}"
    return step.say


def _sound(wav: Path) -> StepSound:
    # As the replay device reads it; a header may name any length.
    sound = read_wav(wav)
    if not len(sound.samples):
        raise CurtainError(f"The sound {wav} is empty. Record it again.")
    # Two channels in opposite directions: noise alone is left of their mean.
    if peak(mono_at(sound, sound.sample_rate)) < peak(sound.samples) / 100:
        raise CurtainError(
            f"The channels of the sound {wav} cancel each other out, and nothing is left of it. "
            "Take one of them, for example with “sox IN.wav OUT.wav remix 1”."
        )
    offset = dc_offset(sound.samples)
    if abs(offset) > MOST_OFFSET:
        raise CurtainError(
            f"The sound {wav} has a direct current of {offset:.2f} of full scale, as of a faulty microphone. "
            "Take it out, for example with “sox IN.wav OUT.wav highpass 20”."
        )
    return StepSound(wav, sound.seconds)


def _silence(scratch: Path) -> Path:
    # 160 frames: 10 ms.
    return _write(scratch / "silence.wav", bytes(320))


def _hum(scratch: Path, seconds: float = 0.6) -> Path:
    """A sound that a microphone test takes for a voice: 150 Hz with overtones, at a fifth of full scale."""
    times = (frame / RATE for frame in range(int(seconds * RATE)))
    samples = (sum(math.sin(2 * math.pi * 150 * n * time) / n for n in range(1, 6)) for time in times)
    return _write(scratch / "hum.wav", b"".join(round(3000 * s).to_bytes(2, "little", signed=True) for s in samples))


def _write(path: Path, samples: bytes) -> Path:
    path.write_bytes(header(WavFormat(RATE), len(samples) // SAMPLE_BYTES) + samples)
    return path


def say_to_file(text: str, wav: Path, words_per_minute: int = 150) -> Path:
    """Writes `text`, spoken by the voice of the system, as 22,050 Hz mono PCM_16. Raises CurtainError."""
    try:
        # The text goes by standard input: one that begins with a dash would be read as an option.
        command = writing_command(wav, words_per_minute)
    except NoVoice as error:
        raise CurtainError(f"The script has lines to “say”. {error} Or give “audio” files instead.") from error
    # espeak-ng does not make folders.
    wav.parent.mkdir(parents=True, exist_ok=True)
    with os_errors_as(f"{Path(command[0]).stem} could not say “{text}”", advice=" Try it by hand."):
        done = run_program(command, input=text.encode())
    if done.returncode or not wav.exists():
        raise CurtainError(f"{Path(command[0]).stem} could not say “{text}”; try it by hand.")
    return wav
