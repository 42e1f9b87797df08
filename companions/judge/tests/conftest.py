"""The toy corpus and the windows of the annotator's tests."""

from tests.review.conftest import annotated, annotated_toy, bare, bare_toy, hands, window  # noqa: F401
