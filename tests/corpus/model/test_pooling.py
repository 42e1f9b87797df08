"""Several sites in one corpus: whose speaker is whose."""

import json
import shutil
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.base.errors import CurtainError
from curtain.commands.people.consent import note, scopes_of
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.gate import WITHDREW
from curtain.corpus.model.pooling import PooledSession, make_pool, read_pool, renamings
from curtain.session.study.ids import split_utterance_id
from curtain_corpora.commands.pool import pool
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two studies with the same speaker ids; to be read only."""
    folder = tmp_path_factory.mktemp("sites")
    return [make_toy(folder / name, site=name) for name in ("alpha", "beta")]


def test_speakers_of_two_sites_with_one_id_are_told_apart(sites: list[Path]) -> None:
    sessions = list(open_corpus(sites, Filters(live=True)).sessions())
    assert len({session.session_id for session in sessions}) == 12
    speakers = {site: {s.speaker_id for s in sessions if s.site == site} for site in ("alpha", "beta")}
    assert speakers["alpha"] == {"e00", "0a1", "zz9", "m10"}
    assert len(speakers["beta"]) == 4 and not speakers["alpha"] & speakers["beta"]


def test_everything_in_a_session_bears_the_new_ids(sites: list[Path]) -> None:
    for session in open_corpus(sites, Filters(live=True)).sessions():
        known = {one.utterance_id for one in session.utterances}
        assert session.session_id.startswith(session.speaker_id)
        for one in session.utterances:
            assert split_utterance_id(one.utterance_id) == (session.session_id, one.turn)
            assert one.speaker_id == session.speaker_id and one.session_id == session.session_id
            assert {link.utterance_id for link in one.context} <= known
            assert one.audio is None or one.audio.is_file()


def numbered_alike(folder: Path, site: str = "one") -> list[Path]:
    """Two studies with session e00-01 of their own, as every study numbers from 01."""
    first = [one for one in SITTINGS if one.session_id == "e00-01"]
    studies = [make_toy(folder / name, site=site, sittings=first) for name in ("a", "b")]
    for study in studies:
        identify(study, study.name * 32)
    return studies


def identify(study: Path, identity: str) -> None:
    about = study / "sessions/e00-01/session.json"
    about.write_text(json.dumps(json.loads(about.read_text("utf-8")) | {"identity": identity}), "utf-8")


def split_into(study: Path, split: str) -> None:
    text = json.dumps({"schema_version": 1, "seed": 1, "speakers": {"e00": split}})
    (study / "splits.json").write_text(text, "utf-8")


def test_a_person_in_two_studies_of_one_site_stays_one_person(tmp_path: Path) -> None:
    studies = numbered_alike(tmp_path)
    make_pool(tmp_path / "pool.json", studies)
    for named in (studies, [tmp_path / "pool.json"]):
        sessions = list(open_corpus(named, Filters(live=True)).sessions())
        assert [(one.session_id, one.speaker_id) for one in sessions] == [("e00-01", "e00"), ("e00-99", "e00")]
        assert {one.utterance_id[:6] for session in sessions for one in session.utterances} == {"e00-01", "e00-99"}
        for split in (("train", "test"), ("train", "train")):
            for study, name in zip(studies, split, strict=True):
                split_into(study, name)
            if split[0] != split[1]:
                with pytest.raises(CurtainError, match="Speaker e00 is in train"):
                    open_corpus(named)
        assert open_corpus(named, Filters(live=True)).count().kept
    # A session that comes later takes no number that another one bears.
    shutil.copytree(studies[0] / "sessions/e00-01", studies[0] / "sessions/e00-02")
    about = studies[0] / "sessions/e00-02/session.json"
    about.write_text(about.read_text("utf-8").replace("e00-01", "e00-02").replace("a" * 32, "c" * 32), "utf-8")
    make_pool(tmp_path / "pool.json", [])
    corpus = open_corpus([tmp_path / "pool.json"])
    assert [corpus.renaming.session_id(one) for one in corpus.sources] == ["e00-01", "e00-02", "e00-99"]


def test_a_copy_under_another_id_or_site_is_a_copy(tmp_path: Path) -> None:
    first, second = numbered_alike(tmp_path, site="")
    # Without an identity, as an earlier Curtain leaves it, the turns decide.
    for identity in (first.name * 32, ""):
        for study in (first, second):
            identify(study, identity)
        with pytest.raises(CurtainError, match="hold the same session"):
            open_corpus([first, second])
        with pytest.raises(CurtainError, match="hold the same session"):
            make_pool(tmp_path / "pool.json", [first, second])
        assert not (tmp_path / "pool.json").exists()


def test_without_a_site_no_doubt_may_part_train_from_test(tmp_path: Path) -> None:
    studies, pool, people = numbered_alike(tmp_path, site=""), tmp_path / "pool.json", tmp_path / "people.csv"
    for study, split in zip(studies, ("train", "test"), strict=True):
        split_into(study, split)
    make_pool(pool, studies)
    for named in (studies, [pool]):
        with pytest.raises(CurtainError, match="nobody says whether they are one person"):
            open_corpus(named)
    # Two people, and then one: the map decides.
    people.write_text("study,speaker,person\na,e00,e00\nb,e00,f07\n", "utf-8-sig")
    make_pool(pool, [], people)
    assert [one.session_id for one in open_corpus([pool], Filters(live=True)).sessions()] == ["e00-01", "f07-01"]
    people.write_text("sep=;\nstudy;speaker;person\n\na;e00;e00\nb;e00;e00\n", "utf-8")
    make_pool(pool, [], people)
    with pytest.raises(CurtainError, match="Speaker e00 is in train"):
        open_corpus([pool])
    split_into(studies[1], "train")
    assert [one.session_id for one in open_corpus([pool], Filters(live=True)).sessions()] == ["e00-01", "e00-99"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "people.csv line 1 lacks the column study"),
        ("study,speaker,person\n", "names nobody"),
        ("study,speaker,person\nc,e00,e00\n", "line 2: “c” is not one of the studies"),
        ("study,speaker,person\na,e01,e00\n", "line 2: a has no speaker “e01”"),
        ("study,speaker,person\na,e00,Anna\n", "people.csv: "),
        ("study,speaker\na,e00\n", "people.csv line 1 lacks the column person"),
        ("study,speaker,person\na,e00,e00\nb,e00", "people.csv line 3, the last one, .* cut short"),
    ],
)
def test_a_map_that_does_not_fit_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    studies = numbered_alike(tmp_path)
    (tmp_path / "people.csv").write_text(text, "utf-8")
    with pytest.raises(CurtainError, match=sentence):
        make_pool(tmp_path / "pool.json", studies, tmp_path / "people.csv")
    assert not (tmp_path / "pool.json").exists()


def test_a_pool_keeps_who_is_called_what(sites: list[Path], tmp_path: Path) -> None:
    path = tmp_path / "pool.json"
    make_pool(path, [sites[1]])
    make_pool(path, [sites[0]])
    pool = read_pool(path)
    assert [one.path for one in pool.studies] == sites[::-1]
    beta, alpha = (one.speakers for one in pool.studies)
    assert all(old == new for old, new in beta.items()) and not set(alpha.values()) & set(beta.values())
    ids, same = (
        [session.session_id for session in open_corpus(named, Filters(live=True)).sessions()]
        for named in ([path], [path, *sites])
    )
    assert ids == same and len(ids) == 12


def test_a_pool_below_its_studies_folder_can_be_moved_with_them(sites: list[Path], tmp_path: Path) -> None:
    for site in sites:
        shutil.copytree(site, tmp_path / "here" / site.name)
    make_pool(tmp_path / "here" / "pool.json", [tmp_path / "here" / site.name for site in sites])
    (tmp_path / "here").rename(tmp_path / "there")
    assert open_corpus([tmp_path / "there" / "pool.json"], Filters(live=True)).count().kept == 132


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"studies": 1}', '{"studies": [{"path": "x", "speakers": {"../..": "e00"}}]}']
)
def test_a_file_that_is_no_pool_is_reported(tmp_path: Path, text: str) -> None:
    (tmp_path / "pool.json").write_text(text)
    with pytest.raises(CurtainError):
        open_corpus([tmp_path / "pool.json"], Filters(live=True))


def test_the_table_by_site_counts_what_an_export_would_contain(
    sites: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = [sites[0], Path(shutil.copytree(sites[1], tmp_path / "beta"))]
    note(named[1], "e00-01", scopes_of((), withdrawn=True, only=False), None, date(2026, 4, 1))
    capsys.readouterr()
    assert pool(named, tmp_path / "pool.json", as_json=True) == 0
    printed = json.loads(capsys.readouterr().out)
    corpus = open_corpus([tmp_path / "pool.json"], Filters(with_consent=True))
    said = [(session.site, one) for session in corpus.sessions() for one in session.utterances]
    for site, counted in printed["sites"].items():
        here = [one for where, one in said if where == site]
        takes = [one.duration_s or 0 for one in here if one.audio]
        assert (counted["recordings"], counted["hours"]) == (len(takes), round(sum(takes) / 3600, 3))
        assert counted["sessions"] == len({one.session_id for one in here})
        assert counted["classes"] == Counter(one.eval_class for one in here)
    assert printed["sites"]["alpha"]["sessions"] > printed["sites"]["beta"]["sessions"] > 0
    assert printed["left_out"] == corpus.counts.dropped and printed["left_out"][WITHDREW] == 12
    assert pool(named, tmp_path / "pool.json") == 0
    assert f"left out: 12 ({WITHDREW})" in capsys.readouterr().out


SPEAKERS = st.from_regex(r"[ez]0[01]", fullmatch=True)
SOURCES = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["", "x", "y"]), SPEAKERS, st.integers(1, 2)), max_size=10
)


@given(SOURCES)
def test_no_two_sessions_share_an_id_and_nobody_is_split_in_two(parts: list[tuple[str, str, str, int]]) -> None:
    site_of = {name: site for name, site, _, _ in reversed(parts)}
    sources = list(
        {
            (name, who, n): PooledSession(Path(f"{name}/{who}-{n:02}"), f"{who}-{n:02}", Path(name), site_of[name])
            for name, _, who, n in parts
        }.values()
    )
    renaming = renamings(sources)
    new = [renaming.session_id(one) for one in sources]
    assert len(set(new)) == len(new)
    one_person = {(one.study, one.speaker_id): renaming.session_id(one)[:3] for one in sources}
    assert all(renaming.session_id(one)[:3] == one_person[one.study, one.speaker_id] for one in sources)
    people = {(one.site, one.speaker_id): renaming.session_id(one)[:3] for one in sources if one.site}
    assert all(renaming.session_id(one)[:3] == people[one.site, one.speaker_id] for one in sources if one.site)
    assert renamings(sources, renaming) == renaming
