"""An experiment through both real stations: a system answers, crashes, hangs and is taken over; the subject sees none
of that. Everything behind the curtain carries a mark, and nothing in front of it does."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from curtain.link.socket_paths import address, run_folder
from curtain.rehearsal.player import begin_session, end_session, play_step, run_statements, speak
from curtain.rehearsal.script import ScriptStep
from curtain.rehearsal.stage import Stage, StepSound, replay_into
from curtain.rehearsal.stations import RunningStation
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import Study, load_study
from curtain.session.turns.turns import Turn, read_turns
from curtain_experiments.runs.design import next_number
from curtain_experiments.runs.past_runs import past_runs
from curtain_experiments.systems.choice import recogniser_of, system_named
from curtain_experiments.systems.starting import agreements_of
from tests.stories.sounds import tone
from tests.stories.test_the_curtain import UnixTap
from tests.stories.tls_tap import Tap
from tests.support.driven_station import silent_wav
from tests.support.studies import short_study

pytestmark = [pytest.mark.stations]

MARK = "kanarie"
EARS = Path(__file__).parents[2] / "companions" / "experiments" / "tests" / "systems" / "ears_that.py"
HEARD = ("how many are there", "crash it now", "hang on please", "hang on again", "how many clerks", "say something")
SYSTEM = f'''
import json, os, sys, threading
for line in sys.stdin:
    question = json.loads(line)
    text = question["text"]
    print("{MARK} on standard error", file=sys.stderr, flush=True)
    if text.startswith("crash"):
        os._exit(9)
    if text.startswith("hang"):
        threading.Event().wait()
    reply = {{"sql": "SELECT count(*) FROM employee WHERE last_name <> '{MARK}' /* {MARK} */", "partial": True}}
    if text.startswith("say"):
        reply = {{"message": "{MARK}_message"}}
    print(json.dumps({{**reply, "text": "{MARK} heard", "latency_ms": 1}}), flush=True)
'''


@dataclass(frozen=True)
class Story:
    study: Study
    turns: list[Turn]
    sent: bytes
    texts: list[str]
    files: dict[str, bytes]
    journal: str
    about: dict[str, object]


def marked_study(folder: Path) -> Study:
    study = short_study(folder / f"study-{MARK}", ["complaint", "fair"])
    (study / "system.py").write_text(SYSTEM, "utf-8")
    (study / "heard.txt").write_text("\n".join(HEARD) + "\n", "utf-8")
    settings = f"""
[[conditions]]
id = "{MARK}-a"
who = "system"
system = "{MARK}-system"
notes = "{MARK} notes"

[[conditions]]
id = "{MARK}-b"
who = "system"
system = "{MARK}-system"
latency = 3.0

[design]
order = "alternate"

[systems.{MARK}-system]
command = ["{sys.executable}", "system.py"]
deadline_s = 5

[asr]
command = ["{sys.executable}", "{EARS}", "heard.txt"]
"""
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write(settings)
    read = load_study(study)
    for choice in (system_named(f"{MARK}-system", read.systems, study), recogniser_of(read.asr, study)):
        for agreement in agreements_of(choice) if choice is not None else ():
            agreement.give()
    return read


@contextmanager
def tapped(folder: Path, study: Study) -> Iterator[tuple[Stage, Tap, Path]]:
    name, front, spool = f"behind-{os.getpid()}-{MARK}", f"front-{os.getpid()}", folder / "spool"
    env = {"QT_QPA_PLATFORM": "offscreen"}
    with ExitStack() as stack:
        options = ["--study", str(study.folder), "--listen", name]
        wizard = stack.enter_context(RunningStation("wizard", options, folder / "wizard.txt", env))
        wizard.wait("window", state="start")
        tap = UnixTap(address(front, run_folder()), address(name, run_folder()))
        stack.callback(tap.close)
        sound = silent_wav(folder / "silence.wav", 0.02)
        options = ["--connect", front, "--mic-file", str(sound), "--spool", str(spool), "--keep-days", "1"]
        subject = stack.enter_context(RunningStation("subject", options, folder / "subject.txt", env))
        sound = StepSound(tone(folder), 0.5)
        yield Stage(wizard, subject, replay_into(subject), sounds={0: sound, 1: sound}), tap, spool


def ask(stage: Stage, turn: int, texts: list[str]) -> None:
    speak(stage, stage.sounds[1])
    stage.subject.wait("window", shown_turn=turn)
    texts += stage.subject.ask("texts")["texts"]


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    folder = tmp_path_factory.mktemp("experiment")
    study, texts = marked_study(folder), list[str]()
    with tapped(folder, study) as (stage, tap, spool):
        stage.wizard.wait("plan_runs", text={"contains": f"{MARK}-a"})
        begin_session(stage, "kan")
        for turn in (1, 2, 3):
            ask(stage, turn, texts)
        take_over(stage, turn=4)
        texts += stage.subject.ask("texts")["texts"]
        play_step(stage, 1, ScriptStep(do="scenario", id="fair"))
        for turn in (5, 6):
            ask(stage, turn, texts)
        bundle = Bundle(end_session(stage))
        texts += stage.subject.ask("texts")["texts"]
    files = {str(path): path.read_bytes() for path in [*spool.rglob("*"), folder / "subject.txt"] if path.is_file()}
    journal = bundle.wizard_journal.read_text("utf-8")
    return Story(study, read_turns(bundle), bytes(tap.to_subject), texts, files, journal, bundle.read_session_json())


def take_over(stage: Stage, turn: int) -> None:
    """While the system hangs, the person at the desk answers with the desk's own keys."""
    speak(stage, stage.sounds[1])
    stage.wizard.wait("operator_doing", text={"contains": f"Works on turn {turn}"})
    stage.wizard.keys("Ctrl+Shift+O")
    stage.wizard.wait("sql", visible=True)
    stage.wizard.keys("Ctrl+L")
    run_statements(stage.wizard, ["SELECT count(*) FROM employee WHERE department = 45"])
    stage.wizard.keys("Ctrl+Shift+Return")
    stage.subject.wait("window", shown_turn=turn)


def test_every_turn_is_answered_and_each_problem_costs_one(story: Story) -> None:
    outcomes = [(turn.outcome, turn.answered_by) for turn in story.turns]
    system = f"{MARK}-system"
    assert outcomes == [
        ("answer", system), ("message", system), ("message", system), ("answer", "wizard"), ("answer", system),
        ("message", system),
    ]  # fmt: skip
    problems = [turn.system_fault.how if turn.system_fault else None for turn in story.turns]
    assert problems == [None, "crash", "silence", None, None, "message"]
    assert [turn.taken_over for turn in story.turns] == [False, False, False, True, False, False]


def test_the_cells_are_filled_as_planned_and_the_next_subject_begins_with_the_other_condition(story: Story) -> None:
    ran = {(turn.scenario_id, turn.condition_id, turn.plan_number) for turn in story.turns}
    assert ran == {("complaint", f"{MARK}-a", 1), ("fair", f"{MARK}-b", 1)}
    past = past_runs(story.study)
    assert {(run.scenario_id, run.condition_id) for run in past} == {("complaint", f"{MARK}-a"), ("fair", f"{MARK}-b")}
    assert next_number(past) == 2
    plan = story.about["plan"]
    assert isinstance(plan, dict)
    assert [run["condition_id"] for run in plan["runs"]] == [f"{MARK}-a", f"{MARK}-b"]
    ran = story.about["ran"]
    assert isinstance(ran, list)
    assert [(run["scenario_id"], run["condition_id"]) for run in ran] == [
        ("complaint", f"{MARK}-a"),
        ("fair", f"{MARK}-b"),
    ]


def test_under_a_constant_latency_replies_wait_for_their_moment(story: Story) -> None:
    held = [turn for turn in story.turns if turn.condition_id == f"{MARK}-b"]
    # The subject's clock is known to half of a round trip, which is long where the machine is busy.
    unsure_ms = max(map(int, re.findall(r'"rtt_ns":(\d+)', story.journal))) / 2e6
    for turn in held:
        waited = turn.reply.sent - (turn.times["key_up"] or 0)
        # Late only where the machine was: never early.
        assert waited >= 2995 - unsure_ms
        assert (turn.reply.held_ms is None) != (turn.reply.late_ms is None)


def test_nothing_of_the_experiment_crosses_the_curtain(story: Story) -> None:
    mark = MARK.encode()
    assert story.journal.count(MARK) > 10
    assert b"how many are there" in story.sent
    for word in (mark, b"SELECT", b"condition", b"drafts-", b"exit code", b"taken"):
        assert word not in story.sent
    assert not [text for text in story.texts if MARK in text.lower()]
    assert not [name for name, data in story.files.items() if mark in data.lower()]
