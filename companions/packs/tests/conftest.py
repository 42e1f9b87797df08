"""The small pack that tests of domains make."""

from tests.domain.conftest import cache, make_pack  # noqa: F401
