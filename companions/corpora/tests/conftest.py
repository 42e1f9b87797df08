"""The toy corpus and its exports."""

from tests.corpus.conftest import bare_toy, own_toy, two_sites  # noqa: F401
from tests.corpus.exports.conftest import corpus, exported, given_toy, loaders_stay_at_home, split_toy  # noqa: F401
