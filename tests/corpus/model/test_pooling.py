"""Several sites in one corpus: whose speaker is whose."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.commands.study import corpus_upkeep
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.pooling import BadPool, PooledSession, Renaming, make_pool, read_pool, renamings
from curtain.session.study.ids import split_utterance_id
from tests.corpus.toy import make_toy


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


def test_two_studies_of_one_site_share_their_speakers(tmp_path: Path) -> None:
    first, second = (make_toy(tmp_path / name, site="one") for name in ("a", "b"))
    shutil.rmtree(first / "sessions" / "e00-02")
    for path in (second / "sessions").iterdir():
        if path.name != "e00-02":
            shutil.rmtree(path)
    sessions = list(open_corpus([first, second], Filters(live=True)).sessions())
    assert {session.speaker_id for session in sessions if session.session_id.startswith("e00")} == {"e00"}
    assert len(sessions) == 6


def test_a_pool_keeps_who_is_called_what(sites: list[Path], tmp_path: Path) -> None:
    path = tmp_path / "pool.json"
    make_pool(path, [sites[1]])
    make_pool(path, [sites[0]])
    pool = read_pool(path)
    assert [one.site for one in pool.studies] == ["beta", "alpha"]
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
    with pytest.raises(BadPool):
        open_corpus([tmp_path / "pool.json"], Filters(live=True))


def test_the_table_by_site_counts_everything(
    sites: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert corpus_upkeep.pool(sites, tmp_path / "pool.json", as_json=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told["sites"]) == ["alpha", "beta"]
    for site in told["sites"].values():
        assert (site["speakers"], site["sessions"], site["utterances"]) == (4, 6, 66)
        assert sum(site["classes"].values()) == 66
    assert {one["from"] for one in told["renamed"]} == {"e00", "0a1", "zz9", "m10", "p00"}
    assert corpus_upkeep.pool(sites, tmp_path / "pool.json") == 0
    assert "alpha" in capsys.readouterr().out


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
    assert renamings(sources, renaming) == Renaming({**renaming.speakers})
