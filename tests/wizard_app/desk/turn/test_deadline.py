import pytest

from wizard_app.desk.turn.deadline import Deadline, Urgency


@pytest.mark.parametrize(
    ("elapsed", "urgency", "text"),
    [
        (None, Urgency.NONE, ""), (-0.2, Urgency.CALM, "1:00"), (0.0, Urgency.CALM, "1:00"),
        (44.9, Urgency.CALM, "0:15"), (45.0, Urgency.SOON, "0:15"), (59.9, Urgency.SOON, "0:00"),
        (60.0, Urgency.OVER, "0:00"), (72.0, Urgency.OVER, "+0:12"),
    ],
)  # fmt: skip
def test_the_bar_changes_at_three_quarters_and_at_the_end(elapsed: float | None, urgency: Urgency, text: str) -> None:
    deadline = Deadline(60.0, elapsed)
    assert (deadline.urgency, deadline.text) == (urgency, text)


def test_the_bar_is_full_at_the_end_and_stays_full() -> None:
    assert Deadline(60.0, 30.0).fraction == 0.5
    assert Deadline(60.0, 90.0).fraction == 1.0
