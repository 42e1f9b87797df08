"""What exporters may rely on in the toy corpus."""

from pathlib import Path

from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters

TAGS = {
    "arithmetic", "bad-db", "book", "cancelled", "disallowed", "hopelessly-vague", "ill-formed", "multi-sentence",
    "presupposition-failure", "responding", "testably-ambiguous", "trunc-utt", "uncooperative", "unanswerable",
    "underspecified", "ungrammatical", "wh-question", "wizard-error", "yes/no",
}  # fmt: skip


def test_the_toy_has_every_class_category_and_tag(toy: Path) -> None:
    sessions = list(open_corpus([toy], Filters(live=True)).sessions())
    turns = [one for session in sessions for one in session.utterances]
    assert (len(sessions), len({session.speaker_id for session in sessions})) == (6, 4)
    assert len(turns) >= 60
    assert {one.eval_class for one in turns} == {"A", "D1", "D", "X", None}
    assert {one.category for one in turns} == {"0", "1", "2", "3", "X", None}
    assert {tag for one in turns for tag in one.tags} == TAGS
