import os

from subject_app.spool import Spool


def make(spool, session_id, age=0.0, closed=False, journal=b"{}\n"):
    folder = spool.folder(session_id)
    folder.make()
    folder.journal.write_bytes(journal)
    os.utime(folder.journal, (1000 - age, 1000 - age))
    if closed:
        folder.mark_closed()
    return folder


def test_the_session_worked_on_last_is_found(tmp_path):
    spool = Spool(tmp_path)
    make(spool, "e00-01", age=50)
    make(spool, "e01-01", age=10)
    assert spool.unclosed().session_id == "e01-01"


def test_a_closed_session_is_passed_over(tmp_path):
    spool = Spool(tmp_path)
    make(spool, "e00-01", age=50)
    make(spool, "e01-01", closed=True)
    assert spool.unclosed().session_id == "e00-01"


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
