"""What a store teaches about ranking counts only where it holds for known and for new questions."""

import numpy as np
import pytest

from curtain_drafts.tool.ranking.candidate import FEATURES, START
from curtain_drafts.tool.ranking.ranker import Group
from curtain_drafts.tool.ranking.training import Learned


def asked(nearest_is_right: bool) -> Group:
    """A question with the nearest example's statement and one put together; the first weights prefer this."""
    features = np.zeros((2, len(FEATURES)))
    features[0, FEATURES.index("alike")] = 0.5
    features[1, FEATURES.index("answered")] = 1.0
    return Group(features, np.array([nearest_is_right, not nearest_is_right]))


@pytest.mark.parametrize(("new_like_known", "learns"), [(True, True), (False, False)])
def test_weights_are_learned_only_where_known_and_new_questions_gain(new_like_known: bool, learns: bool) -> None:
    learned = Learned.of({})
    by_lot, by_statement = ([[asked(right)] * 40] * 4 for right in (True, new_like_known))
    learned.tune([by_lot, by_statement])
    assert (learned.ranker.tolist() != list(START)) == learns
