"""Markers and a video beside a session: what is sent and kept, and that nothing which fails there touches a session."""

import hashlib
import json
import os
import platform
import shutil
import signal
import stat
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from msgspec import structs
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from curtain.base.clock import steady_ns
from curtain.base.python_process import module_command, module_environment
from curtain.instruments.markers import offset_of
from curtain.instruments.video import NoVideo, try_source
from curtain.session.bundle.bundle import Bundle
from curtain.session.events.wizard_events import VideoBegan, VideoEnded
from curtain.session.study.study import Study
from tests.support.child_program import Child
from tests.wizard_app.room import PATIENCE_MS, PLAN, Room
from wizard_app.desk.instruments import Video
from wizard_app.desk.session.disk_watch import REFUSE_HOURS

FILMED = replace(PLAN, scopes=(*PLAN.scopes, "video"))
# It obeys as ffmpeg does: says when its first frame was, writes its last argument, and ends on “q”.
FFMPEG = """#!/bin/sh
for last; do :; done
echo "  Duration: N/A, start: $(date +%s.%6N), bitrate: N/A"
printf video > "$last"
head -c 1 > /dev/null
echo out_time_us=1500000
"""
DYING = """#!/bin/sh
echo ":0.0: Input/output error" >&2
exit 1
"""


def put_ffmpeg(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / "bin" / "ffmpeg"
    program.parent.mkdir()
    program.write_text(text, "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


class SessionStandIn(QObject):
    """A session that has begun, and what is written into its journal."""

    opened = Signal()
    progress_changed = Signal()

    def __init__(self, folder: Path, scopes: list[str] | None, pilot: bool) -> None:
        super().__init__()
        self.written: list[Any] = []
        self.ending = SimpleNamespace(also_awaited=list)
        self.session = SimpleNamespace(session_id="e00-01", bundle=Bundle(folder))
        self.progress = SimpleNamespace(
            closed=None, consent=SimpleNamespace(scopes=scopes), opened=SimpleNamespace(pilot=pilot)
        )

    def write(self, facts: list[tuple[Any, None]]) -> None:
        self.written += [fact for fact, _ in facts]


@pytest.fixture
def study(study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    put_ffmpeg(tmp_path, FFMPEG, monkeypatch)
    return structs.replace(study, lsl=True, video="screen")


def test_a_session_is_in_step_with_a_recorder_of_markers_and_has_its_video(room: Room, study: Study) -> None:
    pylsl = pytest.importorskip("pylsl", reason="pylsl is not installed (the extra “lsl”)")
    source = f"Curtain-{study.folder.name}-{platform.node()}"
    streams = pylsl.resolve_byprop("source_id", source, timeout=PATIENCE_MS / 1000)
    inlet = pylsl.StreamInlet(streams[0])
    inlet.open_stream(timeout=PATIENCE_MS / 1000)
    room.begin(FILMED)
    turn = room.speak()
    room.send_query("how many employees are there")
    room.send_message(turn)
    bundle = room.close_session()

    wizard, subject = bundle.read_wizard_journal().entries, bundle.read_subject_journal().entries
    markers: dict[tuple[str, int], tuple[list[str], float]] = {}
    while len(markers) < len(wizard) + len(subject):
        sample, at_s = inlet.pull_sample(timeout=PATIENCE_MS / 1000)
        assert sample is not None
        session_id, author, kind, number, seq = sample[0].split("/")
        markers[author, int(seq)] = ([session_id, kind, number], at_s)
    ahead, bound = offset_of(pylsl.local_clock)
    assert bound < 0.001
    moments = {"key_down": "pressed_ns", "key_up": "released_ns"}
    for author, entries in (("wizard", wizard), ("subject", subject)):
        sent = [markers[author, entry.seq] for entry in entries]
        assert [about for about, _ in sent] == [["e00-01", one.type, str(one.turn or 0)] for one in entries]
        stamps = [at_s for _, at_s in sent]
        assert stamps == sorted(stamps)
        # One machine, one clock: nothing but the reading of LSL's can be off.
        for entry, stamp in zip(entries, stamps, strict=True):
            assert abs(stamp - ahead - entry.data.get(moments.get(entry.type, ""), entry.t_ns) / 1e9) < 0.001

    assert bundle.verify() == []
    file = "video/e00-01-1.mkv"
    digest = hashlib.sha256((bundle.path / file).read_bytes()).hexdigest()
    assert f"{digest}  {file}" in bundle.manifest.read_text("utf-8")
    ended = {"file": file, "seconds": 1.5, "bytes": 5, "sha256": digest, "fault": ""}
    assert bundle.read_session_json()["videos"] == [ended]
    began = next(entry for entry in wizard if entry.type == "video_began")
    assert 0 <= began.t_ns - began.data["first_frame_ns"] < PATIENCE_MS * 1e6


@pytest.mark.parametrize(
    ("program", "scopes", "pilot", "fault", "sentence"),
    [
        (FFMPEG, ["take_part", "video"], False, "", "A video of this session is being recorded."),
        (FFMPEG, None, True, "", "A video of this session is being recorded."),
        (FFMPEG, ["take_part", "keep_audio"], False, None, "the form of this subject does not allow one"),
        (FFMPEG, None, False, None, "the form of this subject does not allow one"),
        (DYING, ["video"], False, ":0.0: Input/output error", ":0.0: Input/output error. The session goes on"),
        ("", ["video"], False, None, "There is no ffmpeg, so no video can be recorded."),
    ],
)
def test_a_video_is_made_where_the_form_allows_one_and_a_fault_costs_nothing_else(
    program: str, scopes: list[str] | None, pilot: bool, fault: str | None, sentence: str,
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    if program:
        put_ffmpeg(tmp_path, program, monkeypatch)
    else:
        monkeypatch.setenv("PATH", str(tmp_path))
    session = SessionStandIn(tmp_path, scopes, pilot)
    read: list[str] = []
    video = Video(session, "screen", session)  # type: ignore[arg-type]
    video.failed.connect(read.append)
    video.notice.connect(read.append)
    before = steady_ns()
    session.opened.emit()
    if fault == "":
        qtbot.waitUntil(lambda: len(session.written) == 1, timeout=PATIENCE_MS)
        assert isinstance(session.written[0], VideoBegan)
        assert before < session.written[0].first_frame_ns < steady_ns()
        assert session.ending.also_awaited() == ["the video to end"]
        session.progress.closed = object()
        session.progress_changed.emit()
    qtbot.waitUntil(lambda: session.ending.also_awaited() == [], timeout=PATIENCE_MS)
    assert [one.fault for one in session.written if isinstance(one, VideoEnded)] == [fault] * (fault is not None)
    assert len(read) == 1 and sentence in read[0]
    video.close()


def test_a_video_leaves_the_end_of_the_disk_to_the_recordings(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_ffmpeg(tmp_path, FFMPEG, monkeypatch)
    session = SessionStandIn(tmp_path, ["video"], False)
    video = Video(session, "screen", session)  # type: ignore[arg-type]
    session.opened.emit()
    qtbot.waitUntil(lambda: len(session.written) == 1, timeout=PATIENCE_MS)
    for hours in (None, REFUSE_HOURS):
        video.spare_disk(hours)
    with qtbot.waitSignal(video.failed, timeout=PATIENCE_MS) as sentence:
        video.spare_disk(REFUSE_HOURS / 2)
    assert "the disk is nearly full. The session goes on without it." in sentence.args[0]
    assert (session.written[1].bytes, session.written[1].fault) == (5, "the disk is nearly full")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_a_video_outlives_ctrl_c_and_is_ended_when_nobody_looks_after_it(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_ffmpeg(tmp_path, FFMPEG.replace("head -c 1 > /dev/null", "exec sleep 600"), monkeypatch)
    session = SessionStandIn(tmp_path, ["video"], False)
    video = Video(session, "screen", session)  # type: ignore[arg-type]
    session.opened.emit()
    qtbot.waitUntil(lambda: len(session.written) == 1, timeout=PATIENCE_MS)
    keeper = next(
        one
        for one in psutil.Process().children()
        if "curtain.instruments.video" in one.as_dict(["cmdline"], [])["cmdline"]
    )
    recorder = keeper.children()[0]
    # As the terminal does, to all of its session.
    keeper.send_signal(signal.SIGINT)
    assert recorder.is_running() and os.getsid(recorder.pid) != os.getsid(0)
    with qtbot.waitSignal(video.failed, timeout=PATIENCE_MS):
        keeper.kill()
    assert session.written[1].fault == "its program has ended"
    _, running = psutil.wait_procs([recorder], timeout=PATIENCE_MS / 1000)
    # Where process 1 takes in no orphans, an ended one keeps its number.
    assert all(one.status() == psutil.STATUS_ZOMBIE for one in running)


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
def test_ffmpeg_ends_its_file_when_nobody_is_left_to_ask(tmp_path: Path) -> None:
    path = tmp_path / "e00-01-1.mkv"
    arguments = ("lavfi:testsrc=size=65x49:rate=15", str(path))
    command = module_command("curtain.instruments.video", *arguments)
    with Child(command, env=module_environment()) as child:
        assert json.loads(child.stdout.readline())["ffmpeg"]
        began_ns = json.loads(child.stdout.readline())["began_ns"]
        # This source counts in fifteenths of a second, so that its first frame may seem to lie that much ahead.
        assert -1e9 / 15 <= steady_ns() - began_ns < PATIENCE_MS * 1e6
        # As the system does for a station that was killed.
        child.stdin.close()
        end = json.loads(child.stdout.readline())
    data = path.read_bytes()
    # The first bytes of every Matroska file (RFC 8794, section 11.2.1).
    assert data.startswith(b"\x1aE\xdf\xa3") and (end["fault"], end["bytes"]) == ("", len(data))
    assert hashlib.sha256(data).hexdigest() == end["sha256"]
    try_source("lavfi:testsrc=size=65x49:rate=15")
    with pytest.raises(NoVideo, match=r"ffmpeg gets no picture from “v4l2:/dev/none” .*study\.toml"):
        try_source("v4l2:/dev/none")
