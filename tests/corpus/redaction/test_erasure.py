"""Erasing a speaker, or a trial session: all of it goes, tombstones stay, and an interruption can be made good."""

import contextlib
import json
import shutil
from pathlib import Path

import pytest

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.commands.people import erasure
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.splits import Splits, read_splits, write_splits
from curtain.corpus.redaction.erasure import delete_trial, forget, plan_for, plan_for_trial
from curtain.corpus.redaction.export_log import PACKETS, POOL, REPORT, note_export, read_exports
from curtain.corpus.redaction.tombstones import read_tombstones
from curtain.session.events.wizard_events import WizardEpoch
from curtain.session.journal.journal import Journal
from curtain.session.study.study import load_study

SPEAKER = "e00"


@pytest.fixture
def study(own_toy: Path, tmp_path: Path) -> Path:
    """The toy with splits, a mirror, a spool, leftovers and an export outside of it."""
    write_splits(own_toy, Splits(by_speaker={"e00": "train", "0a1": "train", "zz9": "dev", "m10": "test"}))
    text = (own_toy / "study.toml").read_text("utf-8").replace('mirror = ""', f'mirror = "{tmp_path / "mirror"}"')
    (own_toy / "study.toml").write_text(text, "utf-8")
    next(load_study(own_toy).agreements()).give()
    for session in ("e00-01", "zz9-01"):
        for place in (tmp_path / "mirror", own_toy / "spool"):
            shutil.copytree(own_toy / "sessions" / session, place / session)
    shutil.copytree(own_toy / "sessions" / "e00-02", own_toy / "sessions" / "e00-02-repaired")
    (own_toy / "state").mkdir()
    (own_toy / "state" / "e00-02.json").write_text("{}")
    (own_toy / "logs").mkdir()
    (own_toy / "logs" / "wizard.txt").write_text("session e00-01 opened")
    (own_toy / "logs" / "other.txt").write_text("session zz9-01 opened")
    for name, sessions in (("with", ["e00-01", "zz9-01"]), ("without", ["zz9-01"])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "EXPORT.json").write_text("{}")
        note_export(own_toy, tmp_path / name, "kaldi", sessions)
    return own_toy


def everything(*folders: Path) -> set[str]:
    return {path.as_posix() for folder in folders for path in folder.rglob("*") if path.is_file()}


def test_everything_of_a_speaker_goes_and_nothing_of_anybody_else(study: Path, tmp_path: Path) -> None:
    before = everything(study, tmp_path / "mirror")
    done = forget(plan_for(load_study(study), SPEAKER), Clock(), remove_exports=True)
    after = everything(study, tmp_path / "mirror")
    assert not [name for name in after if "e00-0" in name]
    gone = before - after
    assert all("e00-0" in name or name.endswith("logs/wizard.txt") for name in gone)
    assert after - before == {(study / "tombstones.jsonl").as_posix()}
    assert (done.remaining, done.exports, done.tombstones) == ((), (), 23)
    assert SPEAKER not in read_splits(study).by_speaker and len(read_splits(study).by_speaker) == 3
    assert {session.speaker_id for session in open_corpus([study]).sessions()} == {"0a1", "m10", "zz9"}
    assert [load_study(study).next_session_id(speaker) for speaker in (SPEAKER, "zz9")] == ["e00-03", "zz9-02"]


def test_exports_that_hold_the_speaker_are_reported_or_removed(study: Path, tmp_path: Path) -> None:
    done = forget(plan_for(load_study(study), SPEAKER), Clock())
    assert [one.path for one in done.exports] == [tmp_path / "with"] and (tmp_path / "with").exists()
    done = forget(plan_for(load_study(study), SPEAKER), Clock(), remove_exports=True)
    assert done.exports == () and not (tmp_path / "with").exists() and (tmp_path / "without").exists()
    assert [one.path for one in read_exports(study)] == [tmp_path / "without"]


@pytest.mark.parametrize(("noted", "gone"), [(True, False), (False, False), (True, True)])
def test_the_references_of_a_blind_export_go_with_it_or_when_it_is_gone(
    study: Path, tmp_path: Path, noted: bool, gone: bool
) -> None:
    key = tmp_path / "with-references.jsonl"
    key.write_text('{"id": "e00-01-001"}')
    (tmp_path / "with" / "EXPORT.json").write_text('{"blind": true}')
    if noted:
        note_export(study, tmp_path / "with", "kaldi", ["e00-01"], key)
    if gone:
        shutil.rmtree(tmp_path / "with")
    assert [one.references for one in forget(plan_for(load_study(study), SPEAKER), Clock()).exports] == [key]
    done = forget(plan_for(load_study(study), SPEAKER), Clock(), remove_exports=True)
    assert done.exports == () and not key.exists() and not (tmp_path / "with").exists()


def test_a_copy_of_a_study_never_erases_the_exports_of_the_original(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = shutil.copytree(study, tmp_path / "copy")
    next(load_study(copy).agreements()).give()
    assert erasure.run_forget(copy, SPEAKER, yes=True, remove_exports=True) == 1
    assert (tmp_path / "with").exists()
    assert f"made from the study in {study}, so it is not erased from here" in capsys.readouterr().out
    assert erasure.run_forget(study, SPEAKER, yes=True, remove_exports=True) == 0
    assert not (tmp_path / "with").exists()


def test_tombstones_are_listed_for_people_and_programs(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert erasure.tombstones(study) == 0
    assert capsys.readouterr().out == "0 utterances were erased.\n"
    forget(plan_for(load_study(study), SPEAKER), Clock())
    assert erasure.tombstones(study) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "23 utterances were erased."
    erasure.tombstones(study, as_json=True)
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == 23 and {tuple(row) for row in rows} == {("utterance_id", "date")}
    (study / "splits.json").write_text("[1")  # erasing never needs the split
    forget(plan_for(load_study(study), "zz9"), Clock())
    assert len(read_tombstones(study)) == 34


def test_a_folder_that_is_no_export_is_never_removed(study: Path, tmp_path: Path) -> None:
    (tmp_path / "with" / "EXPORT.json").rename(tmp_path / "with" / "diary.txt")
    done = forget(plan_for(load_study(study), SPEAKER), Clock(), remove_exports=True)
    assert [one.path for one in done.exports] == [tmp_path / "with"] and (tmp_path / "with" / "diary.txt").exists()


def test_what_is_left_is_found_by_name_by_content_and_by_sound(study: Path) -> None:
    sound = next((study / "sessions" / "e00-01" / "audio").iterdir())
    shutil.copy(sound, study / "a nice sound.wav")
    video = study / "sessions" / "e00-01" / "video"
    video.mkdir()
    (video / "e00-01-1.mkv").write_bytes(b"of e00-01")
    shutil.copy(video / "e00-01-1.mkv", study / "a trip.mkv")
    (study / "thoughts.txt").write_text("as in e00-01-004, but not de00-01x")
    (study / "other.txt").write_text("de00-01 and e00-011 are somebody else")
    (study / "e00-01 copy").mkdir()
    (study / "e00-01 copy" / "x").write_text("")
    done = forget(plan_for(load_study(study), SPEAKER), Clock(), remove_exports=True)
    assert {path.name for path in done.remaining} == {"a nice sound.wav", "a trip.mkv", "thoughts.txt", "x"}
    assert not video.exists()


class Interrupted(Exception):
    """The power went."""


@pytest.mark.parametrize("steps", [0, 1, 2, 5, 9, 14])
def test_an_interruption_anywhere_can_be_made_good(study: Path, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    left = [steps]

    def step(*_: object) -> None:
        if left[0] == 0:
            raise Interrupted
        left[0] -= 1

    def rmtree(path: Path) -> None:
        # A folder is emptied file by file, and the power goes in the middle.
        files = sorted(one for one in path.rglob("*") if one.is_file())
        for one in files[: len(files) // 2]:
            one.unlink()
        step()
        original(path)
        step()

    original = shutil.rmtree
    with monkeypatch.context() as patched:
        patched.setattr("curtain.corpus.redaction.erasure.shutil.rmtree", rmtree)
        patched.setattr("curtain.corpus.redaction.erasure.sync_folder", step)
        with contextlib.suppress(Interrupted):
            forget(plan_for(load_study(study), SPEAKER), Clock(), remove_exports=True)
    done = forget(plan_for(load_study(study), SPEAKER), Clock(), remove_exports=True)
    assert (done.remaining, done.exports, len(read_tombstones(study))) == ((), (), 23)
    assert not [name for name in everything(study) if "e00-0" in name]


def test_a_session_in_use_is_left_alone(study: Path) -> None:
    with (
        Journal(study / "sessions" / "e00-02" / "wizard.events.jsonl", Clock()),
        pytest.raises(CurtainError, match="in use"),
    ):
        forget(plan_for(load_study(study), SPEAKER), Clock())
    assert (study / "sessions" / "e00-01").exists() and not read_tombstones(study)


def test_a_disk_that_refuses_is_reported_and_nothing_is_lost(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("curtain.corpus.redaction.erasure.shutil.rmtree", refuse)
    with pytest.raises(CurtainError, match="run “curtain forget” again"):
        forget(plan_for(load_study(study), SPEAKER), Clock())
    assert len(read_tombstones(study)) == 23


def test_the_recordings_in_a_spool_are_erased_also_after_an_earlier_run(
    study: Path, tmp_path: Path, shared: dict[str, Path]
) -> None:
    """A run that did not look into the spool leaves what tells the copies from those of another study."""
    forget(plan_for(load_study(study), SPEAKER), Clock(), remove_exports=True)
    assert shared["spooled"].exists()
    options = {"yes": True, "remove_exports": True}
    assert erasure.run_forget(study, SPEAKER, also_in=[tmp_path / "user"], **options) == 0
    assert not shared["spooled"].exists() and shared["empty"].exists()
    # Whoever names the folder of a session means that one.
    assert erasure.run_forget(study, SPEAKER, also_in=[shared["empty"]], **options) == 0
    assert not shared["empty"].exists()


@pytest.mark.parametrize("place", ["study/spool/logs", "user/logs", "logs"])
def test_a_log_of_an_earlier_version_with_an_id_goes_and_the_next_run_finds_nothing(
    study: Path, tmp_path: Path, place: str
) -> None:
    folder = study / "spool" / "logs" if place.startswith("study") else tmp_path / place
    folder.mkdir(parents=True)
    (folder / "subject.log.1").write_text("WARNING take e00-01-007.wav waits in memory")
    (folder / "subject.log").write_text("WARNING take zz9-01-007.wav waits in memory")
    options = {"yes": True, "remove_exports": True, "also_in": [tmp_path / "user"], "logs": [tmp_path / "logs"]}
    assert [erasure.run_forget(study, SPEAKER, **options) for _ in range(2)] == [0, 0]
    assert [path.name for path in folder.iterdir()] == ["subject.log"]


def test_what_else_may_hold_a_person_is_erased_or_named(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cache, withdrawn = tmp_path / "drafting", study / "withdrawn.jsonl"
    cache.mkdir()
    (cache / "learned").write_text("who is there")
    rows = [f'{{"id":"{one}","who":"w1","when":"2026-03-01"}}' for one in ("e00-01-002", "zz9-01-001")]
    withdrawn.write_text("\n".join(rows) + "\n")
    for name, kind in (("packets", PACKETS), ("report", REPORT), ("pool.json", POOL)):
        (tmp_path / name).mkdir()
        note_export(study, tmp_path / name, kind, ["e00-01", "zz9-01"])
    options = {"yes": True, "remove_exports": True, "caches": [cache]}
    assert erasure.run_forget(study, SPEAKER, **options) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert f"Still holds them: {tmp_path / 'packets'} (packets for judges)" in printed
    assert f"Still holds them: {tmp_path / 'report'} (report)" in printed
    # What earlier lists name as a pool holds ids alone.
    assert f"Still holds them: {tmp_path / 'pool.json'}" not in printed
    assert not list(cache.iterdir()) and withdrawn.read_text() == rows[1] + "\n"
    for name in ("packets", "report"):
        (tmp_path / name).rmdir()
    assert erasure.run_forget(study, SPEAKER, **options) == 0


def test_a_speaker_nobody_knows_is_reported(study: Path) -> None:
    with pytest.raises(CurtainError, match="q00"):
        plan_for(load_study(study), "q00")


def test_the_command_asks_first_and_says_what_it_does(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CurtainError, match="Nothing was erased"):
        erasure.run_forget(study, SPEAKER)
    assert (study / "sessions" / "e00-01").exists()
    assert erasure.run_forget(study, SPEAKER, ask=lambda question: True) == 1
    printed = capsys.readouterr().out
    assert "Still holds them" in printed and "23 utterances" in printed
    assert erasure.run_forget(study, SPEAKER, yes=True, remove_exports=True) == 0
    assert "finds nothing of them" in capsys.readouterr().out


# -- a mirror and a spool that several studies share -----------------------------------------------------


def journaled(folder: Path, identity: str) -> Path:
    """A folder of a mirror with the wizard's journal of a session; identity "" is that of an earlier Curtain."""
    folder.mkdir(parents=True)
    with Journal(folder / "wizard.events.jsonl", Clock()) as journal:
        journal.append(WizardEpoch(number=1, app_version="0", pid=1, session_id="e00-01", identity=identity))
    return folder


@pytest.fixture
def shared(study: Path, tmp_path: Path) -> dict[str, Path]:
    """Copies of this study's e00-01 and of its namesakes in a shared mirror and a shared spool."""
    mine, other = "a" * 32, "b" * 32
    about = study / "sessions" / "e00-01" / "session.json"
    about.write_text(json.dumps({**json.loads(about.read_text("utf-8")), "identity": mine}), "utf-8")
    places = {
        "mine": journaled(tmp_path / "mirror" / f"e00-01-{mine}", mine),
        "namesake": journaled(tmp_path / "mirror" / f"e00-01-{other}", other),
        "earlier": journaled(tmp_path / "mirror" / "e00-03", ""),
        "spooled": journaled(tmp_path / "user" / f"e00-01-{mine}", mine),
        "empty": tmp_path / "user" / f"e00-02-{other}",
    }
    places["empty"].mkdir()
    return places


def test_a_shared_mirror_and_spool_keep_the_namesakes_of_other_studies(
    study: Path, tmp_path: Path, shared: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"yes": True, "remove_exports": True, "also_in": [tmp_path / "user"]}
    assert erasure.run_forget(study, SPEAKER, **options) == 0
    assert [name for name, path in shared.items() if path.exists()] == ["namesake", "earlier", "empty"]
    assert (shared["namesake"] / "wizard.events.jsonl").is_file()
    # The copy under the id alone is of this study: its journal begins with the same line.
    assert not (tmp_path / "mirror" / "e00-01").exists()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[4] for line in lines if line.startswith("  left as it is: ")] == [
        str(shared[name]) for name in ("empty", "namesake", "earlier")
    ]


def test_an_interruption_never_loses_what_tells_the_copies_from_namesakes(
    study: Path, tmp_path: Path, shared: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    original = shutil.rmtree

    def rmtree(path: Path) -> None:
        if path.parent.name == "sessions":
            raise Interrupted
        original(path)

    with monkeypatch.context() as patched, pytest.raises(Interrupted):
        patched.setattr("curtain.corpus.redaction.erasure.shutil.rmtree", rmtree)
        forget(plan_for(load_study(study), SPEAKER, [tmp_path / "user"]), Clock())
    assert not shared["mine"].exists() and not shared["spooled"].exists() and shared["namesake"].exists()
    forget(plan_for(load_study(study), SPEAKER, [tmp_path / "user"]), Clock())
    assert not list((study / "sessions").glob("e00-*")) and shared["namesake"].exists()


def test_a_trial_goes_with_its_copies_and_its_id_never_comes_again(toy: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(toy, tmp_path / "lab"))
    copy = Path(shutil.copytree(folder / "sessions" / "p00-01", folder / "spool" / "p00-01-0123"))
    others = {one.session_id for one in load_study(folder).sessions()} - {"p00-01"}
    delete_trial(plan_for_trial(load_study(folder), "p00-01"), "p00-01", Clock())
    study = load_study(folder)
    assert {one.session_id for one in study.sessions()} == others
    assert not copy.exists()
    assert study.next_session_id("p00") == "p00-02"


@pytest.mark.parametrize(("session", "sentence"), [
    ("e00-01", "The session e00-01 is no trial, so it stays."),
    ("x99-01", "There is no session x99-01 in"),
])  # fmt: skip
def test_nothing_but_a_trial_is_deleted(toy: Path, session: str, sentence: str) -> None:
    with pytest.raises(CurtainError, match=sentence):
        plan_for_trial(load_study(toy), session)
