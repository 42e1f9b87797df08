"""What the window reads of a study is what is on the disk."""

import shutil
from datetime import date
from pathlib import Path

import pytest

from curtain.commands.sessions.facts import Verified
from curtain.commands.sessions.study_reader import manifest_sum, read_study
from curtain.corpus.model.consents import NotedConsent, note_consents
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.reader import read_session
from curtain.corpus.redaction.export_log import note_export
from curtain_home.control.memory import MOST_STUDIES, HomeMemory
from curtain_home.panels.study_panel import size_text

TODAY = date(2026, 4, 1)


@pytest.fixture
def study(toy: Path, tmp_path: Path) -> Path:
    """One that a test may change."""
    return Path(shutil.copytree(toy, tmp_path / "study"))


def test_every_session_is_read_with_its_state_and_its_size_and_the_domain_s_sample_is_found(toy: Path) -> None:
    facts = read_study(toy, {}, TODAY)
    assert (facts.name, facts.domain, facts.problem) == ("Étude 研究", "personnel", "")
    by_id = {session.session_id: session for session in facts.sessions}
    assert [one for one, session in by_id.items() if not session.closed] == ["m10-01"]
    assert [one for one, session in by_id.items() if session.pilot] == ["p00-01"]
    assert (by_id["e00-01"].turns, by_id["e00-01"].annotated, by_id["e00-01"].begun) == (11, 11, "2026-03-02 09:00")
    size = sum(path.stat().st_size for path in (toy / "sessions" / "e00-01").rglob("*") if path.is_file())
    assert by_id["e00-01"].size == size
    assert {session.soundness for session in facts.sessions} == {"unknown"}
    assert facts.sample is not None and facts.sample.name == "demo.jsonl" and facts.sample.is_file()


def test_practice_waits_for_no_annotator(toy: Path) -> None:
    practised = 0
    for facts in read_study(toy, {}, TODAY).sessions:
        turns = read_session(facts.path).utterances
        practised += sum(one.practice for one in turns)
        counted = [one for one in turns if not one.practice]
        assert (facts.turns, facts.annotated) == (len(counted), sum(bool(one.annotators) for one in counted))
    assert practised


def test_what_was_verified_counts_until_the_manifest_changes(study: Path) -> None:
    session = study / "sessions" / "e00-01"
    verified = {str(session): Verified(manifest_sum(session), True)}
    assert _soundness(study, verified) == "sound"
    assert _soundness(study, {str(session): Verified(manifest_sum(session), False)}) == "damaged"
    manifest = next(session.glob("manifest*"))
    manifest.write_bytes(manifest.read_bytes() + b"\n")
    assert _soundness(study, verified) == "unknown"


def _soundness(study: Path, verified: dict[str, Verified]) -> str:
    session = read_study(study, verified, TODAY).session("e00-01")
    return session.soundness


def test_an_export_that_is_there_counts_and_one_that_is_gone_does_not(study: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    note_export(study, out, "kaldi", ["e00-01"])
    assert read_study(study, {}, TODAY).exported == {"e00-01"}
    out.rmdir()
    assert read_study(study, {}, TODAY).exported == frozenset()


def test_the_references_of_the_latest_export_that_has_some_are_scored_against(study: Path, tmp_path: Path) -> None:
    key = tmp_path / "key.jsonl"
    for name, references in (("blind", key), ("later", None)):
        (tmp_path / name).mkdir()
        note_export(study, tmp_path / name, "kaldi", ["e00-01"], references)
    assert read_study(study, {}, TODAY).references is None
    key.touch()
    assert read_study(study, {}, TODAY).references == key


def test_sessions_past_their_last_day_are_named(study: Path) -> None:
    settings = study / "study.toml"
    settings.write_text(settings.read_text("utf-8").replace("retention_months = 0", "retention_months = 1"), "utf-8")
    assert read_study(study, {}, TODAY).due == ("p00-01",)
    assert "e00-01" in read_study(study, {}, date(2026, 4, 3)).due


def test_a_study_that_cannot_be_used_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text('colour = "blue"\n', "utf-8")
    facts = read_study(tmp_path, {}, TODAY)
    assert "colour" in facts.problem and facts.sessions == ()


def test_a_session_that_cannot_be_read_hides_no_other(study: Path) -> None:
    (study / "sessions" / "e00-01" / "wizard.events.jsonl").unlink()
    (study / "sessions" / "e00-01" / "wizard.events.jsonl").mkdir()
    facts = read_study(study, {}, TODAY)
    assert [session.session_id for session in facts.sessions if session.problem] == ["e00-01"]
    assert len(facts.sessions) == 7


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (874_200, "874.2 kB"), (999_949, "999.9 kB"),
     (999_950, "1.0 MB"), (4_500_000, "4.5 MB"), (3 * 10**9, "3.0 GB"), (2 * 10**12, "2.0 TB")],
)  # fmt: skip
def test_a_size_is_written_as_people_write_it(size: int, text: str) -> None:
    assert size_text(size) == text


def test_the_memory_survives_a_new_start(tmp_path: Path) -> None:
    memory = HomeMemory(tmp_path / "deep" / "home.json")
    memory.put_first(Path("/lab/a"))
    memory.put_first(Path("/lab/研究"))
    memory.put_first(Path("/lab/a"))
    memory.note_verified(Path("/lab/a/sessions/e00-01"), Verified("0" * 64, True))
    memory.save()
    again = HomeMemory(tmp_path / "deep" / "home.json")
    assert again.studies == (Path("/lab/a"), Path("/lab/研究"))
    assert again.verified == {"/lab/a/sessions/e00-01": Verified("0" * 64, True)}


def test_the_memory_is_bounded_and_a_study_can_be_dropped(tmp_path: Path) -> None:
    memory = HomeMemory(tmp_path / "home.json")
    for number in range(MOST_STUDIES + 5):
        memory.put_first(Path(f"/lab/{number}"))
    memory.drop(Path("/lab/20"))
    assert len(memory.studies) == MOST_STUDIES - 1
    assert memory.studies[0] == Path(f"/lab/{MOST_STUDIES + 4}") and Path("/lab/20") not in memory.studies


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"studies": 3}', b"\xff", b'{"studies": ["a"]'])
def test_a_memory_that_cannot_be_read_is_as_good_as_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "home.json").write_bytes(content)
    memory = HomeMemory(tmp_path / "home.json")
    assert (memory.studies, memory.verified) == ((), {})


def test_what_consents_say_is_known_as_exports_know_it(study: Path) -> None:
    corpus = open_corpus([study], Filters(pilot=True, practice=True, live=True, use=None))
    known = {one.session_id: "withdrawn" if one.withdrawn or one.consent_scopes == () else
             "" if one.has_consent else "no consent" for one in corpus.sessions()}  # fmt: skip

    def read() -> dict[str, str]:
        return {one.session_id: one.barred for one in read_study(study, {}, TODAY).sessions}

    assert read() == known and "no consent" in known.values()
    note_consents(study, [NotedConsent(session_id="e00-01", scopes=[])])
    assert read() == known | {"e00-01": "withdrawn"}
