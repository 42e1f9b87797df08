"""Several people behind the curtain, with real stations or by a script: the journal says whose each part was."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from companions.rooms.tests.network.fault_proxy import BadLine
from companions.rooms.tests.network.rooms import Room
from curtain.rehearsal.player import begin_session, code_for, end_session, free_address, play, run_statements, speak
from curtain.rehearsal.stage import RehearsalPlan, Stage, StepSound, replay_into
from curtain.rehearsal.stations import RunningStation, own_places
from curtain.session.bundle.bundle import Bundle
from curtain.session.turns.turns import Turn, read_turns
from tests.stories.kept import await_on_disk
from tests.stories.kills import Place, write_noise
from tests.stories.sounds import tone

pytestmark = [pytest.mark.stations]

BETTER = "SELECT count(*) AS people FROM employee WHERE department = 45"
COUNT = "SELECT count(*) FROM employee WHERE department = 45"


@dataclass
class Scene:
    """The host, the subject, and whoever joined, each with a home of its own."""

    stage: Stage
    folder: Path
    study: Path
    address: str
    stack: ExitStack
    cable: BadLine
    chairs: dict[str, RunningStation] = field(default_factory=dict)

    def join(self, who: str, role: str, code: str = "") -> RunningStation:
        # One of them sits at the end of a cable that may be pulled.
        address = f"127.0.0.1:{self.cable.port}" if role == "answerer" else self.address
        options = ["--study", str(self.study), "--join", address, "--chair", role, "--wizard", who]
        options += ["--code", code] if code else []
        env = {"QT_QPA_PLATFORM": "offscreen", **own_places(self.folder, who)}
        self.chairs[who] = self.stack.enter_context(RunningStation("wizard", options, self.folder / f"{who}.txt", env))
        return self.chairs[who]


def pair_before(folder: Path, who: str, role: str) -> None:
    """Host and chair know each other from an earlier session."""
    host, chair = (
        Room.made(folder / f"{name}-home" / "curtain" / "stations", role)
        for name, role in (("host", "wizard"), (who, "chair"))
    )
    host.trust.add(msgspec.structs.replace(chair.known_as("chair"), chair=role))
    chair.trust.add(host.known_as("wizard"))


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("chairs")
    place = Place.make(folder, drafts=False)
    address = free_address()
    # Two of three chairs were paired at an earlier session, the third one is with the code.
    for who, role in (("ann", "answerer"), ("olga", "observer")):
        pair_before(folder, who, role)
    with ExitStack() as stack:
        cable = BadLine(int(address.rpartition(":")[2]))
        stack.callback(cable.close)
        options = ["--study", str(place.study), "--listen", place.link, "--chairs", address]
        env = {"QT_QPA_PLATFORM": "offscreen", **own_places(folder, "host")}
        wizard = stack.enter_context(RunningStation("wizard", options, folder / "host.txt", env))
        write_noise(place.silence, 0.02, None)
        options = ["--connect", place.link, "--mic-file", str(place.silence), "--spool", str(place.spool)]
        subject = stack.enter_context(RunningStation("subject", options, folder / "subject.txt", env))
        sound = StepSound(tone(folder), 0.5)
        stage = Stage(wizard, subject, replay_into(subject), sounds={0: sound, 1: sound})
        made = Scene(stage, folder, place.study, address, stack, cable)
        shown, tess = code_for(wizard, "transcriber")
        for who, role, code in (("tess", "transcriber", tess), ("ann", "answerer", ""), ("olga", "observer", "")):
            made.join(who, role, code)
        # Each pairing makes another code.
        wizard.wait("room_code", text={"not": shown})
        begin_session(stage, "c00")
        yield made


def test_two_people_share_a_turn_and_the_third_sees_it(room: Scene) -> None:
    stage, tess, ann, olga = room.stage, room.chairs["tess"], room.chairs["ann"], room.chairs["olga"]
    for chair in room.chairs.values():
        chair.wait("window", state="idle", people={"contains": "answerer"})
    speak(stage, stage.sounds[1])
    tess.wait("window", state="transcribe", turn=1)
    assert not ann.has("window", turn=1)
    # The next question waits already when the first query leaves: the cursor must be free for it at once.
    ask_on(stage)
    tess.wait("window", open_turns=2)
    send_query_of(tess, "how many work in department 45")
    stage.subject.wait("query", text="how many work in department 45")
    ann.wait("window", state="answer", turn=1)
    # The transcriber goes on to the next take while the answerer works.
    tess.wait("window", state="transcribe", turn=2)
    tess.wait("query", focus=True)
    assert ann.has("window", state="answer", turn=1)
    run_statements(ann, [COUNT])
    ann.keys("Ctrl+Shift+Return")
    stage.wizard.wait("window", answered_turn=1)
    olga.wait("window", answered_turn=1, turn=0)
    # Whoever answered corrects it, also while the next question waits for somebody else.
    ann.keys("F8")
    ann.wait("window", state="correct", turn=1)
    run_statements(ann, [BETTER])
    ann.keys("Ctrl+Shift+Return")
    ann.wait("window", state="idle")
    # An observer has nothing at work, and each take comes to the ears by itself.
    olga.wait("replay", enabled=True)
    # Everybody has the recordings, and nobody reads of a problem.
    assert not any(chair.has("problem_text", visible=True) for chair in room.chairs.values())
    send_query_of(tess, "and in department 43")
    ann.wait("window", state="answer", turn=2)


def test_what_is_not_ones_own_is_refused_in_a_sentence(room: Scene) -> None:
    olga, tess = room.chairs["olga"], room.chairs["tess"]
    olga.keys("Ctrl+P")
    olga.wait("notice_text", text={"contains": "olga sits here as observer"})
    assert not room.stage.wizard.has("window", state="paused")
    tess.keys("Ctrl+Shift+H")
    tess.wait("notice_text", text={"contains": "nothing to hand over"})


def test_what_is_typed_while_a_chair_s_link_is_down_is_there_when_it_is_back(room: Scene) -> None:
    ann, host = room.chairs["ann"], room.stage.wizard
    ann.wait("window", state="answer", turn=2)
    ann.keys("Ctrl+L")
    ann.wait("sql", focus=True)
    ann.type("SELECT 42 -- kept")
    await_typed(room, "kept")
    room.cable.problems.down = True
    room.cable.cut()
    ann.wait("problem_text", text={"contains": "not connected"})
    ann.type(" meanwhile")
    room.cable.problems.down = False
    ann.wait("problem_text", visible=False)
    # Whoever is faster has the turn: the host, while the chair was away, or the chair when it is back.
    host.wait("window", people={"contains": "ann: answerer"})
    host.wait("window", people={"contains": "turn 2"})
    if host.has("window", turn=2):
        host.keys("Ctrl+Shift+H")
    host.wait("window", people={"contains": "ann: answerer, turn 2"})
    ann.wait("window", state="answer", turn=2)
    ann.wait("sql", text={"contains": "kept meanwhile"})


def test_a_part_goes_to_another_desk_with_what_was_typed_when_its_chair_drops_out(room: Scene) -> None:
    ann, stage = room.chairs["ann"], room.stage
    ann.wait("window", state="answer", turn=2)
    ann.keys("Ctrl+L")
    ann.wait("sql", focus=True)
    ann.type("SELECT 43 -- half done")
    stage.wizard.wait("window", people={"contains": "ann: answerer, turn 2"})
    await_typed(room, "half done")
    ann.kill()
    stage.wizard.wait("window", state="answer", turn=2)
    stage.wizard.wait("sql", text={"contains": "half done"})
    run_statements(stage.wizard, ["SELECT count(*) FROM employee WHERE department = 43"])
    stage.wizard.keys("Ctrl+Shift+Return")
    stage.subject.wait("window", shown_turn=2)


def test_the_journal_says_who_did_what_and_the_session_is_whole(room: Scene) -> None:
    bundle = Bundle(end_session(room.stage))
    first, second = read_turns(bundle)
    done = [(step.part, step.by) for step in first.steps if step.end == "done"]
    assert done == [("transcription", "tess"), ("answer", "ann")]
    ends = [(step.part, step.by, step.end) for step in second.steps]
    # Once when the cable was pulled, once when the chair was killed; in between somebody else may have had it.
    assert (ends[0], ends[-1]) == (("transcription", "tess", "done"), ("answer", "rehearsal", "done"))
    assert ends.count(("answer", "ann", "left")) == 2
    assert first.outcome == second.outcome == "answer"
    assert [(attempt.sql, attempt.wizard_id) for attempt in first.attempts] == [(COUNT, "ann"), (BETTER, "ann")]
    assert [reply.wizard_id for reply in first.corrections] == ["ann"]
    assert who_did(first) == ("tess", "ann")
    assert who_did(second) == ("tess", "rehearsal")
    assert [str(problem) for problem in bundle.verify()] == []


def who_did(turn: Turn) -> tuple[str | None, str | None]:
    """Who sent the query, and who the reply."""
    return turn.query_wizard_id, turn.reply.wizard_id if turn.reply else None


def ask_on(stage: Stage) -> None:
    """A subject who asks on while an answer is awaited."""
    stage.subject.ask("press", key="Space")
    stage.subject.wait("window", state="listening")
    stage.voice(stage.sounds[1])
    stage.subject.ask("release", key="Space")


def send_query_of(chair: RunningStation, query: str) -> None:
    """As `send_query`, at a desk that has done its part with that."""
    chair.wait("query", focus=True)
    chair.keys("Ctrl+A")
    chair.type(query)
    chair.keys("Ctrl+Return")


def await_typed(room: Scene, text: str) -> None:
    """Until the host has on disk what was typed at the chair."""
    (journal,) = (room.study / "sessions").glob("*/wizard.events.jsonl")
    typed = lambda: (line for line in journal.read_text("utf-8").splitlines() if "part_typed" in line)  # noqa: E731
    await_on_disk(lambda: any(text in line for line in typed()), room.stage.wizard)


BY_TWO = {"query_by": "tess", "answer_by": "ann"}


@pytest.mark.soak  # The short form is tests/test_rehearsal.py.
def test_a_rehearsal_with_two_chairs_says_who_did_what(tmp_path: Path) -> None:
    write_noise(tmp_path / "ask.wav", 0.6, 1)
    steps = [
        {"do": "join", "who": "tess", "as": "transcriber"},
        {"do": "join", "who": "ann", "as": "answerer"},
        {"audio": "ask.wav", "query": "how many work in department 45", "sql": COUNT, **BY_TWO},
        {"audio": "ask.wav", "query": "will it rain", "message": "unable", **BY_TWO},
        {"type": "how many work in department 10", "draft": 1, "answer_by": "ann"},
        {"do": "correct", "message": "unable"},
    ]
    script = tmp_path / "script.jsonl"
    script.write_text("".join(json.dumps(step) + "\n" for step in steps), "utf-8")
    plan = RehearsalPlan(script, "personnel", tmp_path / "study", headless=True)
    bundle = Bundle(play(plan, lambda sentence: None))
    first, second, typed = read_turns(bundle)
    assert [(step.part, step.by, step.end) for step in typed.steps] == [("answer", "ann", "done")]
    assert (typed.modality, typed.query_by, len(typed.corrections)) == ("text", "subject", 1)
    assert (first.outcome, second.outcome) == ("answer", "message")
    for turn in (first, second):
        assert (turn.query_wizard_id, turn.reply.wizard_id if turn.reply else None) == ("tess", "ann")
        assert [(step.part, step.by, step.end) for step in turn.steps] == [
            ("transcription", "tess", "done"), ("answer", "ann", "done")
        ]  # fmt: skip
    assert [str(problem) for problem in bundle.verify()] == []
