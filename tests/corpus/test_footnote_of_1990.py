"""Papers/003, footnote 1 on page 103: 23 of the 90 queries of the June 1990 test set ask what a code means."""

from dataclasses import replace
from pathlib import Path

import pytest

from curtain.corpus.exports.description.census import Census
from curtain.corpus.model.reader import read_session
from tests.corpus.toy import make_toy

TAG = "abbreviation"


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_toy(tmp_path_factory.mktemp("june") / "toy")


def test_a_corpus_of_90_queries_tells_that_23_ask_what_an_abbreviation_means(toy: Path) -> None:
    session = read_session(toy / "sessions" / "e00-01")
    asked = session.utterances[0]
    queries = tuple(
        replace(
            asked, utterance_id=f"e00-01-{number:03}", turn=number, eval_class="A",
            site_tags=(TAG,) if number <= 23 else (),
        )
        for number in range(1, 91)
    )  # fmt: skip
    census = Census()
    census.add(replace(session, utterances=queries))
    assert (census.tags[TAG], census.utterances) == (23, 90)
