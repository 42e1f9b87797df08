"""The copies of the subject's journal and audio, and the mirror of the wizard's journal."""

import errno
import hashlib
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from curtain.audio.wav import WavFormat, header
from curtain.base.clock import Clock
from curtain.base.disk import Disk
from curtain.link.messages import AudioChunk, AudioSafe, JournalLine, LiveSound, Message, WantAudio
from curtain.qt.background import Background
from curtain.session.events.subject_events import TakeSaved
from curtain.session.events.wizard_events import Note
from curtain.session.journal.journal import Journal, Replica
from curtain.session.journal.lines import read_journal
from wizard_app.desk.session import mirror as mirrors
from wizard_app.desk.session.mirror import Mirror
from wizard_app.desk.session.subject import audio_fetch, subject_copy
from wizard_app.desk.session.subject.audio_fetch import WINDOW, AudioFetch
from wizard_app.desk.session.subject.early_sound import MOST_EARLY, EarlySound, FileStart
from wizard_app.desk.session.subject.quota import Allowance
from wizard_app.desk.session.subject.subject_copy import SubjectCopy

UTTERANCE = "e00-01-001"
DAMAGED = AudioChunk(utterance_id=UTTERANCE, offset=0, total=1004, data=b"XXXX" + bytes(1000))


@pytest.fixture(autouse=True)
def nobody_waits_for_room(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (mirrors, audio_fetch, subject_copy):
        monkeypatch.setattr(module, "RETRY_MS", 1)


class FullDisk(Disk):
    """Takes nothing while it is full."""

    def __init__(self) -> None:
        self.full = False

    def write(self, descriptor: int, data: bytes) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(descriptor, data)


class Pipe:
    """Plays the subject's side of a transfer."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.sent: list[Message] = []

    def __call__(self, message: Message) -> None:
        self.sent.append(message)

    def chunks(self, want: WantAudio, size: int = 64 * 1024) -> list[AudioChunk]:
        end = min(len(self.data), want.offset + want.length)
        pieces = [(at, self.data[at : min(at + size, end)]) for at in range(want.offset, end, size)]
        return [
            AudioChunk(utterance_id=want.utterance_id, offset=at, total=len(self.data), data=piece)
            for at, piece in pieces
        ]


def fetching(folder: Path, pipe: Pipe, background: Background, start: FileStart | None = None) -> AudioFetch:
    fetch = AudioFetch(folder, pipe, background, Allowance(10**8, 10**6, lambda: 0))
    fetch.link_up()
    fetch.want(1, UTTERANCE, hashlib.sha256(pipe.data).hexdigest(), len(pipe.data), start)
    return fetch


def asked(qtbot: QtBot, pipe: Pipe, times: int = 1) -> None:
    qtbot.waitUntil(lambda: sum(isinstance(one, WantAudio) for one in pipe.sent) >= times)


def deliver(qtbot: QtBot, fetch: AudioFetch, pipe: Pipe) -> None:
    """All that was asked for last."""
    with qtbot.waitSignal(fetch.take_here):
        for chunk in pipe.chunks(pipe.sent[-1]):
            fetch.take_chunk(chunk)


def test_a_long_take_comes_in_windows_and_is_safe_only_at_the_end(
    qtbot: QtBot, tmp_path: Path, background: Background
) -> None:
    pipe = Pipe(bytes(range(256)) * 5000)
    fetch = fetching(tmp_path, pipe, background)
    asked(qtbot, pipe)
    with qtbot.waitSignal(fetch.take_here) as here:
        while isinstance(want := pipe.sent[-1], WantAudio) and want.offset < len(pipe.data):
            before = len(pipe.sent)
            for chunk in pipe.chunks(want):
                fetch.take_chunk(chunk)
            if len(pipe.sent) == before:
                break
    wants = [one for one in pipe.sent if isinstance(one, WantAudio)]
    assert [want.offset for want in wants] == [0, WINDOW]
    assert here.args == [1, tmp_path / "e00-01-001.wav"]
    assert (tmp_path / "e00-01-001.wav").read_bytes() == pipe.data
    assert pipe.sent[-1] == AudioSafe(utterance_id="e00-01-001", sha256=hashlib.sha256(pipe.data).hexdigest())
    assert fetch.idle
    assert list(tmp_path.glob("*.part")) == []


def test_damaged_audio_is_never_called_safe_and_is_asked_for_again(
    qtbot: QtBot, tmp_path: Path, background: Background
) -> None:
    pipe = Pipe(b"RIFF" + bytes(1000))
    fetch = fetching(tmp_path, pipe, background)
    asked(qtbot, pipe)
    with qtbot.waitSignal(fetch.problem):
        fetch.take_chunk(DAMAGED)
    assert not any(isinstance(one, AudioSafe) for one in pipe.sent)
    assert not (tmp_path / "e00-01-001.wav").exists()
    qtbot.waitUntil(lambda: len(pipe.sent) == 2)
    deliver(qtbot, fetch, pipe)


def test_a_broken_link_begins_the_take_anew(qtbot: QtBot, tmp_path: Path, background: Background) -> None:
    pipe = Pipe(bytes(200_000))
    fetch = fetching(tmp_path, pipe, background)
    asked(qtbot, pipe)
    fetch.take_chunk(pipe.chunks(pipe.sent[-1])[0])  # type: ignore[arg-type]
    fetch.link_lost()
    fetch.link_up()
    asked(qtbot, pipe, 2)
    assert pipe.sent[-1] == WantAudio(utterance_id="e00-01-001", offset=0, length=WINDOW)
    fetch.take_chunk(AudioChunk(utterance_id="e00-01-001", offset=64 * 1024, total=200_000, data=b"late"))
    deliver(qtbot, fetch, pipe)
    assert (tmp_path / "e00-01-001.wav").read_bytes() == pipe.data


def test_a_recording_that_is_here_already_is_not_fetched(qtbot: QtBot, tmp_path: Path, background: Background) -> None:
    pipe = Pipe(b"RIFF" + bytes(1000))
    (tmp_path / "e00-01-001.wav").write_bytes(pipe.data)
    with qtbot.waitSignal(fetching(tmp_path, pipe, background).take_here):
        pass
    assert pipe.sent == [AudioSafe(utterance_id="e00-01-001", sha256=hashlib.sha256(pipe.data).hexdigest())]


def test_a_different_recording_of_the_same_name_is_kept_beside(
    qtbot: QtBot, tmp_path: Path, background: Background
) -> None:
    pipe = Pipe(b"RIFF" + bytes(1000))
    (tmp_path / "e00-01-001.wav").write_bytes(b"RIFX" + bytes(1000))
    fetch = fetching(tmp_path, pipe, background)
    qtbot.waitUntil(lambda: bool(pipe.sent))
    deliver(qtbot, fetch, pipe)
    assert (tmp_path / "e00-01-001.wav").read_bytes() == pipe.data
    assert (tmp_path / "e00-01-001.wav.damaged-1").read_bytes() == b"RIFX" + bytes(1000)


def test_a_recording_that_the_other_side_lacks_holds_up_no_other(
    qtbot: QtBot, tmp_path: Path, background: Background
) -> None:
    pipe = Pipe(b"RIFF" + bytes(1000))
    fetch = fetching(tmp_path, pipe, background)
    fetch.want(2, "e00-01-002", hashlib.sha256(pipe.data).hexdigest(), len(pipe.data))
    qtbot.waitUntil(lambda: bool(pipe.sent))
    fetch.take_chunk(AudioChunk(utterance_id="e00-01-001", offset=0, total=0, data=b""))
    qtbot.waitUntil(lambda: len(pipe.sent) == 2)
    deliver(qtbot, fetch, pipe)
    assert fetch.idle and [one.turn for one in fetch.missing] == [1]
    fetch.link_up()
    qtbot.waitUntil(lambda: pipe.sent[-1] == WantAudio(utterance_id="e00-01-001", offset=0, length=WINDOW))


def test_a_recording_that_comes_damaged_three_times_is_given_up(
    qtbot: QtBot, tmp_path: Path, background: Background
) -> None:
    pipe = Pipe(b"RIFF" + bytes(1000))
    fetch = fetching(tmp_path, pipe, background)
    for tries in range(1, 4):
        asked(qtbot, pipe, tries)
        fetch.take_chunk(DAMAGED)
    qtbot.waitUntil(lambda: bool(fetch.missing))
    assert fetch.idle


def test_a_recording_that_brings_more_than_was_announced_is_refused_and_holds_up_no_other(
    qtbot: QtBot, tmp_path: Path, background: Background
) -> None:
    pipe = Pipe(b"RIFF" + bytes(1000))
    fetch = fetching(tmp_path, pipe, background)
    fetch.want(2, "e00-01-002", hashlib.sha256(pipe.data).hexdigest(), len(pipe.data))
    asked(qtbot, pipe)
    with qtbot.waitSignal(fetch.overlong) as shown:
        fetch.take_chunk(AudioChunk(utterance_id="e00-01-001", offset=0, total=10**9, data=bytes(64 * 1024)))
    assert shown.args == [1] and [one.turn for one in fetch.missing] == [1]
    asked(qtbot, pipe, 2)
    deliver(qtbot, fetch, pipe)
    fetch.link_up()
    background.run(lambda: None).result()
    assert sum(isinstance(one, WantAudio) for one in pipe.sent) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["e00-01-002.wav"]


def test_more_than_was_asked_for_is_refused(qtbot: QtBot, tmp_path: Path, background: Background) -> None:
    pipe = Pipe(bytes(3 * WINDOW))
    fetch = fetching(tmp_path, pipe, background)
    asked(qtbot, pipe)
    with qtbot.waitSignal(fetch.overlong):
        fetch.take_chunk(AudioChunk(utterance_id="e00-01-001", offset=0, total=len(pipe.data), data=bytes(WINDOW + 1)))


def test_recordings_wait_until_so_much_may_come(qtbot: QtBot, tmp_path: Path, background: Background) -> None:
    now = [0]
    pipe = Pipe(b"RIFF" + bytes(1000))
    fetch = AudioFetch(tmp_path, pipe, background, Allowance(1500, 10_000, lambda: now[0]))
    fetch.link_up()
    for turn in (1, 2):
        fetch.want(turn, f"e00-01-00{turn}", hashlib.sha256(pipe.data).hexdigest(), len(pipe.data))
    asked(qtbot, pipe)
    deliver(qtbot, fetch, pipe)
    assert sum(isinstance(one, WantAudio) for one in pipe.sent) == 1 and not fetch.idle
    now[0] = 10**9
    asked(qtbot, pipe, 2)


def lines_of(folder: Path, count: int) -> list[JournalLine]:
    with Journal(folder / "subject.jsonl", Clock()) as journal:
        for number in range(count):
            journal.append(Note(text=str(number))).result()
        return [JournalLine(seq=seq, line=line) for seq, line in journal.lines_after(0)]


def test_a_line_is_acknowledged_when_it_is_in_the_copy(qtbot: QtBot, tmp_path: Path, background: Background) -> None:
    acked: list[int] = []
    replica = Replica(tmp_path / "copy.jsonl")
    copy = SubjectCopy(replica, acked.append, background)
    for line in lines_of(tmp_path, 3):
        copy.take_line(line)
    assert acked == []
    qtbot.waitUntil(lambda: bool(acked) and acked[-1] == 3)
    assert copy.settled
    copy.close()
    assert len(read_journal(tmp_path / "copy.jsonl").entries) == 3


def test_on_a_full_disk_nothing_is_acknowledged_and_nothing_is_forgotten(
    qtbot: QtBot, tmp_path: Path, background: Background
) -> None:
    acked: list[int] = []
    disk = FullDisk()
    copy = SubjectCopy(Replica(tmp_path / "copy.jsonl", disk), acked.append, background)
    first, second = lines_of(tmp_path, 2)
    disk.full = True
    with qtbot.waitSignal(copy.problem):
        copy.take_line(first)
    copy.take_line(second)
    assert acked == []
    disk.full = False
    with qtbot.waitSignal(copy.problem_over):
        pass
    qtbot.waitUntil(lambda: bool(acked) and acked[-1] == 2)
    copy.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to write to")
@pytest.mark.parametrize("size", [1000, 300_000, 1_500_000])
def test_a_recording_that_the_full_disk_does_not_take_comes_when_there_is_room(
    qtbot: QtBot, tmp_path: Path, background: Background, size: int
) -> None:
    pipe, missing, problems, over = Pipe(bytes(size)), list[object](), list[str](), list[bool]()
    part = tmp_path / f"{UTTERANCE}.wav.part"
    part.symlink_to("/dev/full")
    fetch = fetching(tmp_path, pipe, background)
    fetch.missing_changed.connect(lambda: missing.extend(fetch.missing))
    fetch.problem.connect(problems.append)
    fetch.problem_over.connect(lambda: over.append(True))
    answered = 0
    while not fetch.safe:
        qtbot.waitUntil(lambda so_far=answered: bool(fetch.safe) or len(pipe.sent) > so_far)
        for want in pipe.sent[answered:]:
            answered += 1
            # More often than a damaged recording is tried.
            if answered == 5:
                part.unlink()
            for chunk in pipe.chunks(want) if isinstance(want, WantAudio) else ():
                fetch.take_chunk(chunk)
    assert (tmp_path / f"{UTTERANCE}.wav").read_bytes() == pipe.data
    assert missing == [] and over == [True]
    assert len(problems) == 1 and problems[0].startswith("The disk of this computer is full")


def test_a_line_of_another_record_is_reported_and_not_acknowledged(
    qtbot: QtBot, tmp_path: Path, background: Background
) -> None:
    acked: list[int] = []
    copy = SubjectCopy(Replica(tmp_path / "copy.jsonl"), acked.append, background)
    _, second = lines_of(tmp_path, 2)
    with qtbot.waitSignal(copy.problem):
        copy.take_line(second)
    assert acked == []
    copy.close()


def test_the_mirror_holds_every_line_of_the_journal(qtbot: QtBot, tmp_path: Path, background: Background) -> None:
    with Journal(tmp_path / "wizard.jsonl", Clock()) as journal:
        journal.append(Note(text="before")).result()
        mirror = Mirror(tmp_path / "mirror" / "wizard.jsonl", journal, background)
        mirror.follow()
        journal.append(Note(text="after")).result()
        mirror.follow()
        qtbot.waitUntil(lambda: (tmp_path / "mirror" / "wizard.jsonl").exists())
        background.run(lambda: None).result()
        mirror.close()
    assert (tmp_path / "mirror" / "wizard.jsonl").read_bytes() == (tmp_path / "wizard.jsonl").read_bytes()


def test_a_mirror_that_cannot_be_written_is_told_once_stops_nothing_and_catches_up_by_itself(
    qtbot: QtBot, tmp_path: Path, background: Background
) -> None:
    folder, reported = tmp_path / "mirror", list[str]()
    folder.write_text("a file stands where the folder should be")
    with Journal(tmp_path / "wizard.jsonl", Clock()) as journal:
        mirror = Mirror(folder / "wizard.jsonl", journal, background)
        mirror.problem.connect(reported.append)
        for number in range(3):
            journal.append(Note(text=str(number))).result()
            mirror.follow()
            background.run(lambda: None).result()
        qtbot.waitUntil(lambda: bool(reported))
        assert journal.last_seq == 3
        with qtbot.waitSignal(mirror.problem_over):
            folder.unlink()
        mirror.close()
    assert len(reported) == 1
    assert len(read_journal(folder / "wizard.jsonl").entries) == 3


def recording(frames: int) -> tuple[bytes, EarlySound, TakeSaved]:
    """The file of a recording, what was heard of all of it and a little more, and what is announced."""
    rate = 16000
    spoken = bytes(range(256)) * (frames // 128 + 2)
    early = EarlySound()
    for frame in range(0, frames + 100, 100):
        early.keep(LiveSound(turn=1, frame=frame, rate=rate, data=spoken[2 * frame : 2 * frame + 200]))
    file = header(WavFormat(rate), frames) + spoken[: 2 * frames]
    digest = hashlib.sha256(file).hexdigest()
    return file, early, TakeSaved(utterance_id=UTTERANCE, frames=frames, sample_rate=rate, sha256=digest, peak_dbfs=-6)


def test_what_was_heard_while_it_was_spoken_is_not_fetched(
    qtbot: QtBot, tmp_path: Path, background: Background
) -> None:
    file, early, take = recording(48_050)
    pipe = Pipe(file)
    fetch = fetching(tmp_path, pipe, background, early.file_start(1, take))
    with qtbot.waitSignal(fetch.take_here):
        pass
    assert fetch.path_of(UTTERANCE).read_bytes() == file
    assert [type(message) for message in pipe.sent] == [AudioSafe]


def test_only_what_follows_a_gap_is_fetched(qtbot: QtBot, tmp_path: Path, background: Background) -> None:
    file, _, take = recording(48_050)
    gapped = EarlySound()
    samples = file[44:]
    for frame in [*range(0, 24_000, 100), *range(24_100, 48_000, 100)]:
        gapped.keep(LiveSound(turn=1, frame=frame, rate=16000, data=samples[2 * frame : 2 * frame + 200]))
    pipe = Pipe(file)
    fetch = fetching(tmp_path, pipe, background, gapped.file_start(1, take))
    asked(qtbot, pipe)
    want = pipe.sent[0]
    assert isinstance(want, WantAudio) and want.offset == 44 + 48_000
    deliver(qtbot, fetch, pipe)
    assert fetch.path_of(UTTERANCE).read_bytes() == file


def test_a_file_that_is_not_what_was_heard_is_fetched_whole(
    qtbot: QtBot, tmp_path: Path, background: Background
) -> None:
    _, early, take = recording(16_000)
    pipe = Pipe(header(WavFormat(16000, 2), 16_000) + bytes(64_000))
    fetch = fetching(tmp_path, pipe, background, early.file_start(1, take))
    problems: list[str] = []
    fetch.problem.connect(problems.append)
    asked(qtbot, pipe)
    want = pipe.sent[0]
    assert isinstance(want, WantAudio) and want.offset == 0
    deliver(qtbot, fetch, pipe)
    assert fetch.path_of(UTTERANCE).read_bytes() == pipe.data and problems == []


def test_what_is_kept_early_has_a_bound_and_is_of_one_turn() -> None:
    early = EarlySound()
    block = bytes(64 * 1024)
    for frame in range(0, 2 * MOST_EARLY, len(block) // 2):
        early.keep(LiveSound(turn=1, frame=frame, rate=16000, data=block))
    take = TakeSaved(utterance_id=UTTERANCE, frames=2 * MOST_EARLY, sample_rate=16000, sha256="", peak_dbfs=-6)
    start = early.file_start(1, take)
    assert start is not None and len(start.data) == 44 + MOST_EARLY and not start.whole
    assert early.file_start(2, take) is None
    early.keep(LiveSound(turn=2, frame=0, rate=16000, data=block))
    assert early.file_start(1, take) is None and early.file_start(2, take) is not None
