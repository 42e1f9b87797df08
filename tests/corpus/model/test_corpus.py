"""Corpora: what goes in, what is left out and why, blind tests and their key; splits by speaker: nobody ever moves."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.base.errors import CurtainError
from curtain.commands.corpus import upkeep
from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import BundleCorpus, open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.references import NO_CLASS, NO_CONTEXT, ReferenceFile, key_beside
from curtain.corpus.model.splits import SPLITS_FILE, Splits, draw, read_splits, sizes_of, write_splits
from curtain.corpus.model.splits import counted as counted_turns
from curtain.corpus.model.utterance import Corpus, Session, Utterance
from tests.corpus.given import counted
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS
from tests.support.everywhere import Call


def rows(session: Session) -> list[Utterance]:
    return list(session.utterances)


def test_sessions_come_in_order_and_twice_the_same(toy: Path) -> None:
    corpus: Corpus = open_corpus([toy])
    first = list(corpus.sessions())
    assert [session.session_id for session in first] == ["0a1-01", "0a1-02", "e00-01", "e00-02", "m10-01", "zz9-01"]
    assert list(corpus.sessions()) == first


def test_a_bundle_and_its_study_count_once(toy: Path) -> None:
    corpus = open_corpus([toy / "sessions" / "e00-01", toy, toy / "study.toml"], Filters(live=True))
    assert counted(corpus).kept == 66
    assert counted(open_corpus([toy / "sessions" / "e00-01"])).kept == 11


def test_two_copies_of_a_session_are_refused(toy: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        shutil.copytree(toy / "sessions" / "e00-01", tmp_path / name)
    with pytest.raises(CurtainError, match="hold the same session e00-01"):
        open_corpus([tmp_path / "a", tmp_path / "b"])


def test_a_place_without_sessions_is_reported(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for places, said in (([tmp_path / "nowhere"], "."), ([tmp_path / "empty"], "."), ([], "no session in nothing")):
        with pytest.raises(CurtainError, match=said):
            open_corpus(places)


FILTERS: list[tuple[Filters, int, dict[str, int]]] = [
    (Filters(live=True), 66, {"pilot session": 2, "practice": 1}),
    (Filters(live=True, classes=frozenset({"D1"})), 12,
     {"pilot session": 2, "practice": 1, "no class yet": 4, "another class": 50}),
    (Filters(live=True, speakers=frozenset({"zz9"})), 11, {"another speaker": 57 + 1}),
    (Filters(live=True, sessions=frozenset({"zz9-01"})), 11, {"another session": 58}),
    (Filters(live=True, cancelled=False), 65, {"pilot session": 2, "practice": 1, "cancelled": 1}),
    (Filters(live=True, since="2026-03-05", until="2026-03-09"), 22,
     {"pilot session": 2, "before 2026-03-05": 23, "after 2026-03-09": 22}),
    (Filters(live=True, consents=frozenset({"c-2026-2"})), 22, {"pilot session": 2, "another consent": 45}),
    (Filters(live=True, with_consent=True), 55, {"pilot session": 2, "practice": 1, "no consent": 11}),
    (Filters(live=True, splits=frozenset({"test"})), 0, {"pilot session": 2, "practice": 1, "another split": 66}),
    (Filters(live=True, pilot=True, practice=True), 69, {}),
]  # fmt: skip


@pytest.mark.parametrize(("filters", "kept", "dropped"), FILTERS)
def test_every_utterance_left_out_has_a_reason(toy: Path, filters: Filters, kept: int, dropped: dict[str, int]) -> None:
    counts = counted(open_corpus([toy], filters))
    assert (counts.kept, dict(counts.dropped)) == (kept, dropped)
    assert counts.utterances == 69 == counts.kept + counts.dropped.total() and counts.sessions == 7


@pytest.mark.parametrize("filters", [
    Filters(classes=frozenset({"B"})), Filters(splits=frozenset({"all"})), Filters(since="1 March"),
    Filters(until="20260301"),
])  # fmt: skip
def test_a_filter_that_can_match_nothing_is_refused(toy: Path, filters: Filters) -> None:
    with pytest.raises(CurtainError):
        open_corpus([toy], filters)


def test_splits_of_the_study_reach_its_utterances(own_toy: Path) -> None:
    write_splits(own_toy, Splits(by_speaker={"e00": "test", "p00": "train"}))
    corpus = open_corpus([own_toy], Filters(pilot=True, practice=True))
    found = {session.session_id: session for session in corpus.sessions()}
    assert {one.split for one in rows(found["e00-02"])} == {"test"}
    assert [one.split for one in rows(found["e00-01"])][:2] == ["none", "test"]
    assert {one.split for one in (*rows(found["p00-01"]), *rows(found["zz9-01"]))} == {"none"}


# -- blind ---------------------------------------------------------------------------------------------


def test_a_session_of_an_earlier_version_has_the_language_of_its_study(own_toy: Path) -> None:
    settings = own_toy / "study.toml"
    settings.write_text(settings.read_text("utf-8").replace('language = "en"', 'language = "de"'), "utf-8")
    assert {one.language for one in open_corpus([own_toy]).sessions()} == {"de"}


def test_a_blind_corpus_tells_what_was_said_and_nothing_else(toy: Path) -> None:
    open_, blind = open_corpus([toy]), open_corpus([toy], blind=True)
    for seen, hidden in zip(open_.sessions(), blind.sessions(), strict=True):
        assert [one.query for one in seen.utterances] == [one.query for one in hidden.utterances]
        text = repr([replace(one, query=None, lsn=None, sro=None) for one in hidden.utterances])
        answers = {reading.cas_min or "" for one in seen.utterances for reading in one.references} - {"()"}
        assert not [word for word in ("SELECT", "D1", "unable", "answer_sent", *answers) if word in text]
        assert {one.outcome for one in hidden.utterances} == {"withheld"}
        assert not any(one.references or one.tags or one.reasons or one.context for one in hidden.utterances)


def read_rows(path: Path) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in map(json.loads, path.read_text("utf-8").splitlines())}


def write_references(corpus: BundleCorpus, path: Path, *, with_words: bool = False) -> int:
    key = ReferenceFile(path, with_words=with_words)
    corpus.key = key.add
    counted(corpus)
    key.finish()
    return len(path.read_bytes().splitlines())


def test_the_key_of_a_blind_test_lies_beside_it_and_can_be_scored(toy: Path, tmp_path: Path) -> None:
    key = key_beside(tmp_path / "test set")
    assert key == tmp_path / "test set-references.jsonl"
    assert write_references(open_corpus([toy], Filters(live=True), blind=True), key) == 66
    found = read_rows(key)
    assert found["e00-01-002"]["ref"] == "((52000))" and found["e00-01-002"]["class"] == "A"
    assert [one["weight"] for one in found["e00-02-008"]["alternatives"]] == [2.0, 1.0, 1.0]
    assert found["m10-01-007"]["class"] == "X" and NO_CLASS in found["m10-01-007"]["tags"]
    assert all("ref" in row or "alternatives" in row for row in found.values() if row["class"] != "X")


def test_the_key_to_recordings_alone_has_the_words_and_the_dialect(toy: Path, tmp_path: Path) -> None:
    from curtain_score.references import read_references

    write_references(open_corpus([toy], speech_only=True), tmp_path / "key.jsonl", with_words=True)
    assert read_rows(tmp_path / "key.jsonl")["0a1-01-002"]["words"] == "HER HOME PHONE"
    dialects = {one.session_id: one.dialect for one in open_corpus([toy]).sessions()}
    assert all(one.dialect == dialects[name[:6]] for name, one in read_references(tmp_path / "key.jsonl").items())


@pytest.mark.parametrize(("classes", "why_not"), [((), "arithmetic"), (("D1", "X"), NO_CONTEXT)])
def test_curtain_score_reads_the_key_and_the_utterance_table_alike(
    toy: Path, tmp_path: Path, classes: tuple[str, ...], why_not: str
) -> None:
    from curtain.cas.scoring.readings import ComparisonRules
    from curtain_score.score_files import ScoreOptions, make_report

    key, answers, table = tmp_path / "key.jsonl", tmp_path / "answers.jsonl", tmp_path / "table"
    filters = Filters(live=True, classes=frozenset(classes))
    write_references(open_corpus([toy], filters), key)
    export(open_corpus([toy], filters), "parquet", table)
    given = {name: row.get("ref", "5") for name, row in read_rows(key).items() if not name.endswith("4")}
    answers.write_text("".join(json.dumps({"id": one, "hyp": hyp}) + "\n" for one, hyp in given.items()), "utf-8")
    duckdb.sql(f"COPY (FROM '{answers}') TO '{answers.with_suffix('.parquet')}'")
    options = ScoreOptions(ComparisonRules())
    (lines,) = make_report(key, [answers], options).sheets
    assert make_report(table / "utterances.parquet", [answers.with_suffix(".parquet")], options).sheets == (lines,)
    assert why_not in dict(lines.excluded) and (classes or {one.eval_class for one in lines.items} == {"A", "D1", "D"})


def test_a_key_that_is_there_is_not_written_over(toy: Path, tmp_path: Path) -> None:
    (tmp_path / "key.jsonl").write_text("mine")
    with pytest.raises(CurtainError, match="there already"):
        write_references(open_corpus([toy]), tmp_path / "key.jsonl")
    with pytest.raises(CurtainError, match="cannot be written"):
        write_references(open_corpus([toy]), tmp_path / "no" / "key.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["key.jsonl"]


def test_sessions_of_two_studies_are_no_corpus(toy: Path, tmp_path: Path) -> None:
    with pytest.raises(CurtainError, match="not of one study; export each study by itself"):
        open_corpus([toy, make_toy(tmp_path / "other", sittings=SITTINGS[:1])])


SHARES = {"dev": 0.1, "test": 0.2}
SIZES = st.dictionaries(st.from_regex(r"[a-z0-9]{3}", fullmatch=True), st.integers(1, 60), max_size=40)


@given(SIZES, SIZES, st.integers(0, 10_000))
def test_later_speakers_move_nobody_and_the_seed_decides(
    first: dict[str, int], later: dict[str, int], seed: int
) -> None:
    before = draw(first, Splits(), SHARES, seed)
    after = draw({**later, **first}, before, SHARES, seed)
    assert all(after.by_speaker[who] == split for who, split in before.by_speaker.items())
    assert set(after.by_speaker) == {*first, *later}
    assert draw(first, Splits(), SHARES, seed) == before


@given(st.integers(0, 1000))
def test_many_speakers_come_near_the_aims(seed: int) -> None:
    sizes = {f"a{number:02}": 20 + number % 7 for number in range(60)}
    rows = {row.split: row for row in counted_turns(sizes, draw(sizes, Splits(), SHARES, seed))}
    # Each of two splits may be over by one speaker, and the third then lacks both.
    assert all(abs(row.utterances - row.aim) <= 2 * 26 for row in rows.values())
    assert sum(row.utterances for row in rows.values()) == sum(sizes.values())


@given(st.integers(0, 1000))
def test_three_speakers_are_enough_for_three_splits(seed: int) -> None:
    places = draw({"a00": 10, "b00": 50, "c00": 20}, Splits(), SHARES, seed).by_speaker
    assert sorted(places.values()) == ["dev", "test", "train"]


def test_another_seed_draws_otherwise() -> None:
    sizes = {f"a{number:02}": 10 for number in range(40)}
    assert draw(sizes, Splits(), SHARES, 1).by_speaker != draw(sizes, Splits(), SHARES, 2).by_speaker


@pytest.mark.parametrize("shares", [{"dev": -0.1, "test": 0}, {"dev": 0.5, "test": 0.5}, {"dev": 1.0, "test": 0}])
def test_shares_that_leave_nothing_to_train_on_are_refused(shares: dict[str, float]) -> None:
    with pytest.raises(CurtainError):
        draw({"a00": 1}, Splits(), shares, 1)


def test_a_share_of_nothing_gets_nobody() -> None:
    sizes = {f"a{number:02}": 10 for number in range(10)}
    assert set(draw(sizes, Splits(), {"dev": 0.0, "test": 0.0}, 1).by_speaker.values()) == {"train"}


def test_pilot_practice_and_cancelled_turns_do_not_count(toy: Path) -> None:
    sessions = open_corpus([toy], Filters(pilot=True, practice=True, live=True)).sessions()
    assert sizes_of(sessions) == {"e00": 21, "0a1": 22, "zz9": 11, "m10": 11}


def test_the_command_fixes_the_places_in_the_study(own_toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert upkeep.split(own_toy, as_json=True) == 0
    printed = json.loads(capsys.readouterr().out)
    first = dict(read_splits(own_toy).by_speaker)
    assert sum(one["speakers"] for one in printed["splits"].values()) == 4 and "p00" not in first
    assert printed["seed"] == 1992 and printed["shares"] == {"dev": 0.1, "test": 0.2}
    shutil.rmtree(own_toy / "sessions" / "zz9-01")
    assert upkeep.split(own_toy, dev=0.3, test=0.3) == 0
    assert dict(read_splits(own_toy).by_speaker) == first
    assert "0 new speakers" in capsys.readouterr().out


def test_the_seed_cannot_change_afterwards(own_toy: Path) -> None:
    upkeep.split(own_toy, seed=7)
    with pytest.raises(CurtainError, match="drawn with the seed 7"):
        upkeep.split(own_toy, seed=8)


@pytest.mark.parametrize("text", ["", "[]", '{"speakers": {"e00": "all"}}', "\xff"])
def test_a_damaged_file_of_splits_is_never_drawn_anew(own_toy: Path, text: str) -> None:
    (own_toy / SPLITS_FILE).write_text(text, "latin-1")
    with pytest.raises(CurtainError, match="damaged"):
        upkeep.split(own_toy)
    assert (own_toy / SPLITS_FILE).read_text("latin-1") == text


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["split", "nowhere"], "There is no study in nowhere"),
        (["split", "STUDY", "--test", "1.5"], "The share of test is 1.5"),
        (["forget", "STUDY", "e0"], "speaker id 'e0' cannot be used"),
        (["forget", "STUDY", "e00"], "Nothing was erased"),
    ],
)
def test_bad_input_is_one_sentence(toy: Path, call: Call, arguments: list[str], part: str) -> None:
    code, _, seen = call(*(str(toy) if one == "STUDY" else one for one in arguments))
    assert code == 2 and part in seen and len(seen.strip().splitlines()) == 1
    assert (toy / "sessions" / "e00-01").exists()
