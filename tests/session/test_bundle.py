"""The folder of a session: closed, verified, repaired; hostile ones are looked at and lead nowhere."""

import hashlib
import os
import random
import shutil
import subprocess
import sys
import wave
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.session.bundle.bundle import Bundle, BundleUnreadable
from curtain.session.events.subject_events import KeyDown, SubjectEpoch, TakeCancelled, TakeSaved
from curtain.session.events.wizard_events import GapAccepted, MessageSent, SessionClosed, SessionOpened
from curtain.session.journal.journal import Journal
from curtain.session.journal.lines import JournalEntry, parse_line, read_journal, stand_in, write_line
from curtain.session.study.study import new_study
from curtain.session.turns.turns import read_turns
from curtain.session.untrusted_files import manifest_bytes, manifest_lines

TAKE = "audio/e00-01-001.wav"
SUBJECT = "subject.events.jsonl"
WIZARD = "wizard.events.jsonl"
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs links and special files")


def write_wav(path: Path, frames: int = 1600) -> TakeSaved:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        file.writeframes(random.Random(path.name).randbytes(2 * frames))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return TakeSaved(utterance_id=path.stem, frames=frames, sample_rate=16000, sha256=digest, peak_dbfs=-3.0)


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    """An open session with two turns; the second was withdrawn before its take was saved."""
    bundle = Bundle.create(new_study(tmp_path / "lab", "personnel"), "e00-01", {"consent_id": "c1"})
    take = write_wav(bundle.utterance("e00-01-001"))
    with Journal(bundle.subject_journal, Clock()) as subject:
        subject.append(SubjectEpoch(number=1, app_version="0", pid=1, session_id="e00-01"))
        for turn in (1, 2):
            subject.append(KeyDown(source="key", pressed_ns=1), turn=turn)
        subject.append(take, turn=1)
        subject.append(TakeCancelled(reason="cancelled"), turn=2)
    with Journal(bundle.wizard_journal, Clock()) as wizard:
        wizard.append(SessionOpened(session_id="e00-01", speaker_id="e00", wizard_ids=[], scenario_ids=[]))
        wizard.append(MessageSent(message_id="unable", blanks={}, text="Sorry", counts_as="no_answer"), turn=1)
    return bundle


@pytest.fixture
def closed(bundle: Bundle) -> Bundle:
    bundle.write_manifest()
    return bundle


def flip(path: Path, at: int, bit: int = 0) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1 << bit
    path.write_bytes(data)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def problems(bundle: Bundle) -> list[tuple[str, str]]:
    return [(problem.file, problem.what) for problem in bundle.verify()]


# -- sound sessions ------------------------------------------------------------------------------------


def test_the_journal_of_a_namesake_is_a_problem(bundle: Bundle) -> None:
    """Two studies have a session e00-01; a journal of one was copied into the other."""
    bundle.update_session_json(identity="a" * 32)
    bundle.subject_journal.unlink()
    with Journal(bundle.subject_journal, Clock()) as subject:
        subject.append(SubjectEpoch(number=1, app_version="0", pid=1, session_id="e00-01", identity="b" * 32))
    shown = [what for file, what in problems(bundle) if "different sessions" in what]
    assert len(shown) == 1 and "session.json, subject.events.jsonl" in shown[0]


def test_an_open_and_a_closed_session_are_sound_also_those_of_an_earlier_curtain(bundle: Bundle) -> None:
    assert "identity" not in bundle.read_session_json()
    assert (bundle.state, bundle.verify()) == ("open", [])
    bundle.write_manifest()
    assert (bundle.state, bundle.verify()) == ("closed", [])


GONE, ANOTHER = "The recording is missing.", "The recording is not the one that was saved."


@pytest.mark.parametrize(("harm", "what"), [(Path.unlink, GONE), (lambda path: flip(path, 200), ANOTHER)])
def test_a_session_is_closed_without_its_recording_only_when_the_wizard_goes_on_without_it(
    bundle: Bundle, harm: Callable[[Path], object], what: str
) -> None:
    harm(bundle.utterance("e00-01-001"))
    with pytest.raises(CurtainError, match=f"cannot be closed yet: {TAKE}.*Start both stations again"):
        bundle.write_manifest()
    assert bundle.state == "open"
    with Journal(bundle.wizard_journal, Clock()) as wizard:
        wizard.append(GapAccepted(missing=["the recording of turn 1"]))
    bundle.write_manifest()
    assert (bundle.state, problems(bundle)) == ("closed", [(TAKE, what)])


def test_turns_that_only_the_wizards_journal_knows_are_a_problem(bundle: Bundle, tmp_path: Path) -> None:
    bundle.utterance("e00-01-001").unlink()
    bundle.subject_journal.write_bytes(b"")
    lost = (SUBJECT, "The lines of turn 1 are missing.")
    assert problems(bundle) == [lost]
    assert [(problem.file, problem.what) for problem in bundle.problems_in_journals()] == [lost]
    bundle.write_manifest()
    assert problems(bundle) == [lost]
    bundle.repair(tmp_path / "copy")
    assert Bundle(tmp_path / "copy").verify() == []
    assert "The lines of turn 1 are missing." in (tmp_path / "copy" / "repair-note.txt").read_text()


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs sha256sum")
def test_the_manifest_is_what_sha256sum_checks(closed: Bundle) -> None:
    names = [line[66:] for line in closed.manifest.read_text().splitlines()]
    assert names == [TAKE, "session.json", SUBJECT, WIZARD]
    check = subprocess.run(
        ["sha256sum", "--check", "--strict", closed.manifest.name], cwd=closed.path, capture_output=True
    )
    assert check.returncode == 0, check.stderr


def test_a_manifest_half_written_by_a_killed_station_is_written_anew(bundle: Bundle) -> None:
    (bundle.path / "manifest-sha256.txt.part").write_text("0123")
    bundle.write_manifest()
    assert bundle.verify() == []
    assert list(bundle.path.glob("*.part")) == []


@given(st.dictionaries(st.text(st.characters(exclude_characters="\0/"), min_size=1), st.binary(), max_size=4))
def test_odd_names_come_back_from_the_manifest_as_they_were(files: dict[str, bytes]) -> None:
    sums = {}
    for name, data in files.items():
        try:
            os.fsencode(name)
        except UnicodeEncodeError:
            continue
        sums[name] = hashlib.sha256(data).hexdigest()
    assert dict(entry for entry in manifest_lines(manifest_bytes(sums)) if entry) == sums


def test_session_json_keeps_what_it_does_not_know_and_says_when_it_cannot_be_read(bundle: Bundle) -> None:
    bundle.session_json.write_text('{"schema_version": 1, "mood": {"a": [1]}}')
    bundle.update_session_json(app_version="0.1.0")
    assert bundle.read_session_json() == {"schema_version": 1, "mood": {"a": [1]}, "app_version": "0.1.0"}
    assert not list(bundle.path.glob("*.part"))
    bundle.session_json.write_text("[" * 100_000)
    with pytest.raises(BundleUnreadable):
        bundle.read_session_json()


def test_turns_are_read_from_the_bundle(bundle: Bundle) -> None:
    assert [(turn.turn, turn.outcome, turn.audio) for turn in read_turns(bundle)] == [
        (1, "message", TAKE),
        (2, "cancelled", None),
    ]
    (bundle.path / TAKE).unlink()
    assert read_turns(bundle)[0].audio is None


# -- damage --------------------------------------------------------------------------------------------

Damage = Callable[[Path], object]
DAMAGES: dict[str, tuple[Damage, list[tuple[str, str]]]] = {
    "a flipped bit in a recording": (lambda b: flip(b / TAKE, 99), [(TAKE, "altered after")]),
    "a recording is missing": (lambda b: (b / TAKE).unlink(), [(TAKE, "is missing")]),
    "a recording is cut": (lambda b: os.truncate(b / TAKE, 900), [(TAKE, "altered after")]),
    "a file more": (lambda b: (b / "x\u202e\n.txt").write_text("x"), [("x\\u202e\\u000a.txt", "added after")]),
    "session.json is missing": (lambda b: (b / "session.json").unlink(), [("session.json", "is missing")] * 2),
    "session.json is no JSON": (
        lambda b: (b / "session.json").write_text("{"),
        [("session.json", "altered"), ("session.json", "damaged")],
    ),
    "a journal is missing": (lambda b: (b / WIZARD).unlink(), [(WIZARD, "is missing")] * 2),
    "a flipped bit in a journal": (
        lambda b: flip(b / WIZARD, 40),
        [(WIZARD, "altered after"), (WIZARD, "Line 1 is damaged or missing")],
    ),
    "a torn journal": (
        lambda b: (b / WIZARD).write_bytes((b / WIZARD).read_bytes()[:-4]),
        [(WIZARD, "altered"), (WIZARD, "After line 1 follow")],
    ),
    "a manifest line that is none": (
        lambda b: (b / "manifest-sha256.txt").open("a").write("hello\n"),
        [("manifest-sha256.txt", "Line 5 does not name")],
    ),
    "a manifest that is cut": (
        lambda b: os.truncate(b / "manifest-sha256.txt", (b / "manifest-sha256.txt").stat().st_size - 1),
        [("manifest-sha256.txt", "last line is cut off")],
    ),
    "a manifest that names a file twice": (
        lambda b: (b / "manifest-sha256.txt").write_bytes((b / "manifest-sha256.txt").read_bytes() * 2),
        [("manifest-sha256.txt", f"Line {line} names a file a second time") for line in (5, 6, 7, 8)],
    ),
    "a manifest that leads outside": (
        lambda b: (
            (b / "manifest-sha256.txt").open("a").write(f"{'0' * 64}  ../../../etc/passwd\n{'0' * 64}  /etc/passwd\n")
        ),
        [("manifest-sha256.txt", "Line 5 does not name"), ("manifest-sha256.txt", "Line 6 does not name")],
    ),
}


@pytest.mark.parametrize("case", DAMAGES)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_damage_to_a_closed_session_is_named_in_one_sentence_each(closed: Bundle, case: str) -> None:
    damage, expected = DAMAGES[case]
    damage(closed.path)
    found = problems(closed)
    assert [file for file, _ in found] == [file for file, _ in expected]
    for (_, what), (_, part) in zip(found, expected, strict=True):
        assert part in what and what.endswith(".")
    assert all(problem.remedy for problem in closed.verify())


def test_every_flipped_bit_of_a_closed_session_is_noticed(closed: Bundle) -> None:
    names = [TAKE, "session.json", SUBJECT, WIZARD, "manifest-sha256.txt"]
    chance = random.Random(7)
    for _ in range(150):
        path = closed.path / chance.choice(names)
        at, bit = chance.randrange(path.stat().st_size), chance.randrange(8)
        flip(path, at, bit)
        assert closed.verify(), (path.name, at, bit)
        flip(path, at, bit)
    assert closed.verify() == []


def test_an_ended_session_without_its_list_of_checksums_is_at_problem(bundle: Bundle) -> None:
    with Journal(bundle.wizard_journal, Clock()) as wizard:
        wizard.append(SessionClosed(reason="finished"))
    assert problems(bundle) == [("manifest-sha256.txt", "The session was ended, but its list of checksums is missing.")]
    bundle.write_manifest()
    assert problems(bundle) == []


OPEN_DAMAGES: dict[str, tuple[Damage, list[tuple[str, str]]]] = {
    "a recording still on its way": (lambda b: (b / TAKE).unlink(), [(TAKE, "has not arrived yet")]),
    "a recording that is another": (lambda b: write_wav(b / TAKE, 800), [(TAKE, "not the one that was saved")]),
    "a torn journal": (lambda b: (b / SUBJECT).open("ab").write(b'{"se'), [(SUBJECT, "After line 5 follow 4 bytes")]),
    "no wizard's journal": (lambda b: (b / WIZARD).unlink(), [(WIZARD, "is missing")]),
}


@pytest.mark.parametrize("case", OPEN_DAMAGES)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_damage_to_an_open_session_is_named(bundle: Bundle, case: str) -> None:
    damage, expected = OPEN_DAMAGES[case]
    damage(bundle.path)
    ((file, what),) = problems(bundle)
    assert file == expected[0][0] and expected[0][1] in what


def test_a_recording_whose_header_and_length_disagree_with_the_journal_is_named(bundle: Bundle) -> None:
    take = write_wav(bundle.utterance("e00-01-003"), 100)
    with Journal(bundle.subject_journal, Clock()) as subject:
        subject.append(TakeSaved(**{**{f: getattr(take, f) for f in take.__struct_fields__}, "frames": 101}), turn=3)
    assert problems(bundle) == [("audio/e00-01-003.wav", "The recording has 100 frames, 101 were saved.")]


def test_a_take_that_is_named_like_a_path_is_named_and_not_followed(bundle: Bundle) -> None:
    with Journal(bundle.subject_journal, Clock()) as subject:
        subject.append(
            TakeSaved(utterance_id="../../secret", frames=1, sample_rate=16000, sha256="0", peak_dbfs=0.0), turn=3
        )
    assert problems(bundle) == [(SUBJECT, "'../../secret' is not an utterance id such as e00-01-007.")]


@pytest.mark.parametrize(
    "sound", [b"", b"RIFF", b"RIFF\x04\0\0\0WAVE", b"RIFF\xff\xff\xff\xffWAVEfmt \x02\0\0\0\1\0", b"x" * 99]
)
def test_a_recording_that_is_no_wav_is_named(bundle: Bundle, sound: bytes) -> None:
    (bundle.path / TAKE).write_bytes(sound)
    digest = hashlib.sha256(sound).hexdigest()
    with Journal(bundle.subject_journal, Clock()) as subject:
        subject.append(
            TakeSaved(utterance_id="e00-01-001", frames=5, sample_rate=16000, sha256=digest, peak_dbfs=0.0), turn=1
        )
    assert problems(bundle) == [(TAKE, "The recording has 0 frames, 5 were saved.")]


@pytest.mark.parametrize("make", [lambda p: None, lambda p: p.mkdir(), lambda p: p.write_text("x")])
def test_what_is_no_session_is_reported(tmp_path: Path, make: Callable[[Path], object]) -> None:
    path = tmp_path / "e00-01"
    make(path)
    for act in (Bundle(path).verify, Bundle(path).read_session_json, lambda: read_turns(Bundle(path))):
        with pytest.raises(CurtainError):
            act()


# -- links and special files -----------------------------------------------------------------------------


@posix_only
def test_links_are_not_followed_and_pipes_are_not_opened(closed: Bundle, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.wav").write_text("secret")
    (closed.path / "audio/link").symlink_to(outside)
    (closed.path / "loop").symlink_to(closed.path)
    (closed.path / TAKE).unlink()
    (closed.path / TAKE).symlink_to(outside / "secret.wav")
    os.mkfifo(closed.path / "pipe")
    found = problems(closed)
    assert sorted(file for file, _ in found) == sorted(["audio/link", "loop", TAKE, "pipe"])
    copy = tmp_path / "copy"
    closed.repair(copy)
    assert b"secret" not in b"".join(contents(copy).values())
    assert contents(outside) == {"secret.wav": b"secret"}


@posix_only
def test_a_journal_that_is_a_link_or_a_pipe_stops_nobody(bundle: Bundle, tmp_path: Path) -> None:
    bundle.wizard_journal.rename(tmp_path / "elsewhere")
    bundle.wizard_journal.symlink_to(tmp_path / "elsewhere")
    bundle.subject_journal.unlink()
    os.mkfifo(bundle.subject_journal)
    assert [file for file, _ in problems(bundle)] == [SUBJECT, WIZARD]
    with pytest.raises(CurtainError):
        read_turns(bundle)


@posix_only
def test_folders_nested_beyond_reason_are_no_crash(bundle: Bundle) -> None:
    here, deep = os.getcwd(), 1200
    os.chdir(bundle.path)
    for _ in range(deep):
        os.mkdir("d")
        os.chdir("d")
    try:
        assert bundle.verify() == []
    finally:
        for _ in range(deep):
            os.chdir("..")
            os.rmdir("d")
        os.chdir(here)


# -- repair --------------------------------------------------------------------------------------------


def test_repair_mends_a_copy_and_leaves_the_original_alone(closed: Bundle, tmp_path: Path) -> None:
    with closed.wizard_journal.open("ab") as file:
        file.write(b'{"seq":3,"ty')
    (closed.path / TAKE).unlink()
    before = contents(closed.path)
    shown = closed.repair(tmp_path / "copy")
    assert contents(closed.path) == before
    copy = Bundle(tmp_path / "copy")
    assert f"{WIZARD}: 12 bytes after line 2 were moved to {WIZARD}.torn-1." in shown
    assert (copy.path / f"{WIZARD}.torn-1").read_bytes() == b'{"seq":3,"ty'
    assert read_journal(copy.wizard_journal).torn_bytes == 0
    assert problems(copy) == [(TAKE, "The recording is missing.")]
    assert (copy.path / "repair-note.txt").read_text().splitlines() == shown
    assert any(line.startswith(f"{TAKE}: The file is missing") for line in shown)


def test_lines_behind_a_damaged_one_are_kept(closed: Bundle, tmp_path: Path) -> None:
    second = closed.read_subject_journal().starts[1]
    flip(closed.subject_journal, second + 20)
    assert [turn.turn for turn in read_turns(closed)] == [1, 2]
    shown = closed.repair(tmp_path / "copy")
    copy = Bundle(tmp_path / "copy")
    assert [(turn.turn, turn.outcome, turn.audio) for turn in read_turns(copy)] == [
        (1, "message", TAKE),
        (2, "cancelled", None),
    ]
    assert any("After line 1: 1 line was marked as damaged and 3 lines were kept" in line for line in shown)
    aside = copy.path / f"{SUBJECT}.torn-1"
    assert aside.read_bytes() == closed.subject_journal.read_bytes()[second:]
    assert (copy.verify(), copy.problems_in_journals()) == ([], [])


def test_lines_that_were_lost_before_the_end_are_reported_by_repair_and_by_the_copy(
    bundle: Bundle, tmp_path: Path
) -> None:
    written = bundle.wizard_journal.read_bytes().splitlines(keepends=True)
    number = len(written) + 1
    stands_in = stand_in(number, parse_line(written[-1]), "")
    closed = write_line(JournalEntry(number + 1, None, 1, "", "session_closed", {"reason": "finished"}))
    bundle.wizard_journal.write_bytes(b"".join([*written, stands_in, closed]))
    bundle.write_manifest()
    assert problems(bundle) == [(WIZARD, f"Line {number} is damaged or missing and was not read.")]
    shown = bundle.repair(tmp_path / "copy")
    lost = f"{WIZARD}: Line {number} was lost before the session was closed and cannot be recovered."
    assert shown == [lost]
    copy = Bundle(tmp_path / "copy")
    assert (copy.path / "repair-note.txt").read_text().splitlines() == [lost]
    assert copy.verify() == []
    assert copy.notes() == [copy.repair_note, f"{WIZARD}: Line {number} is lost."]
    assert copy.repair(tmp_path / "again") == ["Nothing was wrong."]
    assert Bundle(tmp_path / "again").notes() == copy.notes()


def misspelt(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"speaker_id": "e00"', b'"speaker_id": "e08"'))


SESSION_JSON_DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "gone": (Path.unlink, "The file is missing."),
    "noise": (lambda path: path.write_bytes(b"\xff\xfe"), "The file is damaged and cannot be read."),
    "another speaker": (misspelt, "The wizard’s journal says something else about speaker_id."),
}


@pytest.mark.parametrize("damage", SESSION_JSON_DAMAGES)
def test_session_json_is_compared_with_the_journal_and_repaired_from_it(
    bundle: Bundle, tmp_path: Path, damage: str
) -> None:
    harm, what = SESSION_JSON_DAMAGES[damage]
    harm(bundle.session_json)
    assert problems(bundle) == [("session.json", what)]
    shown = bundle.repair(tmp_path / "copy")
    assert any(line.startswith("session.json: written again from wizard.events.jsonl") for line in shown)
    copy = Bundle(tmp_path / "copy")
    assert copy.verify() == []
    about = copy.read_session_json()
    assert (about["session_id"], about["speaker_id"]) == ("e00-01", "e00")


def test_a_repair_that_mends_nothing_says_so(closed: Bundle, tmp_path: Path) -> None:
    (closed.path / TAKE).unlink()
    shown = closed.repair(tmp_path / "copy")
    assert shown[-1] == "Nothing here could be repaired: the copy is the same as the original."
    assert any("missing" in line for line in shown[:-1])


JOURNAL_PROBLEMS: dict[str, tuple[Damage, list[str]]] = {
    "nothing": (lambda b: None, []),
    "a recording": (lambda b: flip(b / TAKE, 99), []),
    "the first line": (lambda b: flip(b / SUBJECT, 20), [f"{SUBJECT}: Line 1 is damaged or missing and was not read."]),
    "the last line but one": (
        lambda b: flip(b / WIZARD, 20),
        [f"{WIZARD}: Line 1 is damaged or missing and was not read."],
    ),
    "the end": (
        lambda b: (b / WIZARD).open("ab").write(b'{"se'),
        [f"{WIZARD}: After line 2 follow 4 bytes that are torn or altered."],
    ),
    "two lines": (
        lambda b: [flip(b / SUBJECT, at) for at in (20, 400)],
        [f"{SUBJECT}: 2 lines (1, 3) are damaged or missing and were not read."],
    ),
    "a whole journal": (lambda b: (b / WIZARD).unlink(), [f"{WIZARD}: The journal is missing."]),
}


@pytest.mark.parametrize("case", JOURNAL_PROBLEMS)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_what_is_not_read_of_a_journal_is_counted(closed: Bundle, case: str) -> None:
    damage, shown = JOURNAL_PROBLEMS[case]
    damage(closed.path)
    found = [str(problem) for problem in closed.problems_in_journals()]
    assert found == shown
    read_turns(closed)


def test_a_repair_can_be_run_again_also_one_that_was_killed(closed: Bundle, tmp_path: Path) -> None:
    half = tmp_path / ".copy.part"
    (half / "audio").mkdir(parents=True)
    (half / "audio" / "x.wav").write_bytes(b"half")
    assert closed.repair(tmp_path / "copy") == ["Nothing was wrong."]
    assert sorted(contents(tmp_path / "copy")) == sorted([*contents(closed.path), "repair-note.txt"])
    assert not half.exists()
    assert Bundle(tmp_path / "copy").repair(tmp_path / "again") == ["Nothing was wrong."]
    assert contents(tmp_path / "again") == contents(tmp_path / "copy")
    assert Bundle(tmp_path / "again").verify() == []
    flip(closed.subject_journal, 300)
    shown = closed.repair(tmp_path / "mended")
    first = contents(tmp_path / "mended")
    assert closed.repair(tmp_path / "mended") == shown
    assert contents(tmp_path / "mended") == first
    # A mended copy says that it is one.
    assert closed.repair_note is None and "repair-note.txt" in (Bundle(tmp_path / "mended").repair_note or "")


def test_a_copy_is_never_put_over_or_inside_anything(closed: Bundle, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    for target in (tmp_path / "mine", closed.path, closed.path / "sub", tmp_path / "mine" / "notes.txt" / "x"):
        with pytest.raises(CurtainError, match=r"another folder|not empty|is there already|cannot be"):
            closed.repair(target)
    assert (tmp_path / "mine" / "notes.txt").read_text() == "mine"
    assert closed.verify() == []
