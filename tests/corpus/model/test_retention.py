"""How long sessions are kept, and which are past their last day."""

from datetime import date
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.commands.people import erasure
from curtain.corpus.model.retention import day_of, last_day

TODAY = date(2026, 3, 1)


def with_months(study: Path, months: int) -> Path:
    file = study / "study.toml"
    text = "\n".join(line for line in file.read_text("utf-8").splitlines() if not line.startswith("retention_months"))
    file.write_text(f"retention_months = {months}\n{text}\n", "utf-8")
    return study


@pytest.mark.parametrize(
    ("recorded", "months", "until"),
    [
        ("2026-03-05", 12, "2027-03-05"), ("2026-12-31", 2, "2027-02-28"), ("2024-01-31", 1, "2024-02-29"),
        ("2026-11-30", 1, "2026-12-30"), ("2026-12-01", 12, "2027-12-01"),
    ],
)  # fmt: skip
def test_the_last_day_is_the_same_day_months_later_or_the_end_of_that_month(recorded, months, until):
    assert last_day(date.fromisoformat(recorded), months) == date.fromisoformat(until)


def test_a_day_is_today_or_a_date():
    assert (day_of("today", TODAY), day_of("2027-01-02", TODAY)) == (TODAY, date(2027, 1, 2))
    with pytest.raises(CurtainError, match="“soon” is no day; write “today” or a day such as 2026-03-01"):
        day_of("soon", TODAY)


def test_a_study_that_does_not_say_how_long_is_told_what_to_set(own_toy):
    with pytest.raises(CurtainError, match="set “retention_months” there"):
        erasure.retention(own_toy, today=TODAY)
    with pytest.raises(CurtainError, match="“yesterday” is no day"):
        erasure.retention(own_toy, due="yesterday", today=TODAY)


def test_all_sessions_are_listed_with_their_last_days(own_toy, capsys):
    assert erasure.retention(with_months(own_toy, 12), today=TODAY) == 0
    printed = capsys.readouterr().out
    assert "0a1-01" in printed and "2026-03-05" in printed and "2027-03-05" in printed
    assert all(path.name in printed for path in (own_toy / "sessions").iterdir())


def test_sessions_past_their_last_day_are_listed_with_what_to_do(own_toy, capsys):
    study = with_months(own_toy, 12)
    assert erasure.retention(study, due="2027-03-05", today=TODAY) == 0
    assert "0a1-01" not in capsys.readouterr().out
    assert erasure.retention(study, due="2027-03-06", today=TODAY) == 0
    printed = capsys.readouterr().out
    assert "0a1-01" in printed
    assert f"To erase a speaker: curtain forget {study} SPEAKER" in " ".join(printed.split())
    erasure.retention(study, due="today", today=TODAY)
    assert "Past the last day or without a known day: 0 sessions." in " ".join(capsys.readouterr().out.split())
