import os

from curtain.link.messages import SessionName
from subject_app.session.spool import Spool

HERE, ELSEWHERE = "a" * 32, "b" * 32


def make(spool, session_id, age=0.0, closed=False, journal=b"{}\n", identity=""):
    folder = spool.folder(SessionName(session_id, identity))
    folder.make()
    folder.journal.write_bytes(journal)
    os.utime(folder.journal, (1000 - age, 1000 - age))
    if closed:
        folder.mark_closed()
    return folder


def test_the_open_session_worked_on_last_is_found(tmp_path):
    spool = Spool(tmp_path)
    make(spool, "e00-01", age=50)
    make(spool, "e01-01", age=10)
    make(spool, "e02-01", closed=True)
    assert spool.unclosed().session_id == "e01-01"


def test_an_empty_or_missing_spool_holds_nothing(tmp_path):
    assert Spool(tmp_path).unclosed() is None
    assert Spool(tmp_path / "none").unclosed() is None
    make(Spool(tmp_path), "e00-01", journal=b"")
    assert Spool(tmp_path).unclosed() is None


def test_a_take_that_had_to_be_kept_elsewhere_is_found_there(tmp_path):
    folder = make(Spool(tmp_path), "e00-01")
    assert folder.audio_of("e00-01-001") == folder.audio / "e00-01-001.wav"
    folder.rescue.mkdir()
    (folder.rescue / "e00-01-001.wav").write_bytes(b"RIFF")
    (folder.audio / "e00-01-001.wav").write_bytes(b"what a failing disk left")
    assert folder.audio_of("e00-01-001") == folder.rescue / "e00-01-001.wav"


def test_namesakes_of_two_studies_have_two_folders(tmp_path):
    here = make(Spool(tmp_path), "e00-01", identity=HERE)
    elsewhere = make(Spool(tmp_path), "e00-01", identity=ELSEWHERE)
    assert here.path != elsewhere.path
    assert here.session == SessionName("e00-01", HERE) and here.session_id == elsewhere.session_id == "e00-01"


def test_a_folder_of_an_earlier_curtain_is_a_session_without_an_identity(tmp_path):
    (tmp_path / "e00-01").mkdir()
    (tmp_path / "e00-01" / "subject.events.jsonl").write_bytes(b"{}\n")
    assert Spool(tmp_path).unclosed().session == SessionName("e00-01")
    assert not Spool(tmp_path).holds(SessionName("e00-01", HERE))


def test_only_closed_sessions_are_removed_after_the_days_that_were_set(tmp_path):
    gone, stays = make(Spool(tmp_path), "e00-01", closed=True, identity=HERE), make(Spool(tmp_path), "e01-01")
    os.utime(gone.path / "closed", (1000, 1000))
    young = make(Spool(tmp_path), "e02-01", closed=True)
    Spool(tmp_path, keep_days=7).remove_closed()
    assert not gone.path.exists() and stays.journal.exists() and young.journal.exists()
    Spool(tmp_path).remove_closed()
    assert stays.journal.exists() and not young.path.exists()


def test_what_a_killed_removal_left_is_no_session_and_goes_next_time(tmp_path):
    left = tmp_path / f".e00-01-{HERE}.removed"
    left.mkdir()
    (left / "subject.events.jsonl").write_bytes(b"{}\n")
    assert Spool(tmp_path).unclosed() is None
    Spool(tmp_path).remove_closed()
    assert not left.exists()


def test_the_secret_is_for_this_person_alone(tmp_path):
    folder = make(Spool(tmp_path), "e00-01")
    assert folder.secret == ""
    folder.keep_secret(HERE)
    assert folder.secret == HERE
    assert (folder.path / "seat").stat().st_mode & 0o077 == 0
