"""Two disks, one warning: the shorter one counts, and an unknown one is no full one."""

import pytest

from wizard_app.desk.session.disk_watch import DiskSpace


@pytest.mark.parametrize(
    ("own", "subject", "hours"),
    [(None, None, None), (9.0, None, 9.0), (None, 0.0, 0.0), (9.0, 0.0, 0.0), (2.0, 5.0, 2.0)],
)
def test_the_shorter_disk_counts_and_an_unknown_one_does_not(
    own: float | None, subject: float | None, hours: float | None
) -> None:
    assert DiskSpace(own, subject).hours == hours


def test_nothing_is_said_of_a_disk_that_nobody_has_looked_at() -> None:
    assert (DiskSpace().warning, DiskSpace().refusal) == ("", "")


def test_a_full_disk_is_reported_with_the_station_it_is_at() -> None:
    assert DiskSpace(wizard=9.0, subject=0.0).warning == "The subject’s disk is full. Make room now."
    assert DiskSpace(wizard=0.0, subject=9.0).warning == "This computer’s disk is full. Make room now."
    assert "nearly full: 30 minutes" in DiskSpace(wizard=0.5).warning
    assert "less than one hour" in DiskSpace(wizard=0.5).refusal
    assert DiskSpace(wizard=9.0, subject=9.0).warning == ""


def test_a_write_that_failed_at_the_subjects_is_told_whatever_the_hours_say() -> None:
    assert DiskSpace(9.0, 9.0, "full").warning.startswith("The subject’s disk is full. Make room now")
    assert DiskSpace(subject_problem="failing").warning.startswith("The subject’s disk fails")
