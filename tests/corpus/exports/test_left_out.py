"""What nobody has annotated, and what is silenced, stays out of exports unless somebody asks for it."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curtain.base.errors import CurtainError
from curtain.commands.corpus import export as commands
from curtain.corpus.exports.recordings import SILENCED
from curtain.corpus.model.filters import NOT_CLASSED, NOT_TRANSCRIBED, Filters
from tests.corpus.two_sites import ANNOTATED, LIVE, TURNS

Run = Callable[..., dict[str, Any]]
ALL = Filters(live=True)
# The sessions of these tests have no consent, and the export says that they were taken all the same.
WITHOUT_CONSENT = {"without_consent": True}


@pytest.fixture
def run(two_sites: Path, tmp_path: Path) -> Run:
    """Export both sites; gives what EXPORT.json says."""

    def exported(format_name: str, filters: Filters = Filters(), **options: Any) -> dict[str, Any]:  # noqa: B008
        commands.run([two_sites], format_name, tmp_path / format_name, filters, **options)
        account: dict[str, Any] = json.loads((tmp_path / format_name / "EXPORT.json").read_text("utf-8"))
        return account

    return exported


def test_one_sentence_says_how_many_why_and_how_to_take_them(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    account = run("parquet")
    assert (account["kept"], account["filters"]) == (ANNOTATED, WITHOUT_CONSENT)
    assert account["dropped"] == {NOT_TRANSCRIBED: LIVE - 1, NOT_CLASSED: 1}
    assert capsys.readouterr().out.splitlines()[-1] == (
        "6 utterances are left out because nobody has transcribed and classed them: "
        "“curtain annotate STUDY” does that, “--include-live” takes what the live session knew."
    )


def test_those_who_ask_get_all_and_the_account_and_the_card_say_so(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    account = run("parquet", ALL)
    assert (account["kept"], account["filters"]) == (ANNOTATED + LIVE, {"live": True, **WITHOUT_CONSENT})
    assert "left out" not in capsys.readouterr().out
    assert account["corpus"]["origins"] == {
        "text_from": {"annotated": 8, "live": 5},
        "sql_from": {"annotated": 4, "live": 5, "nothing": 4},
        "class_from": {"annotated": 6, "live": 1, "nothing": 5, "ruled": 1},
        "redacted": {"none": 10, "part": 2, "whole": 1},
    }
    card = (tmp_path / "parquet" / "README.md").read_text("utf-8")
    assert "| column | live | annotated | ruled | nothing |" in card
    assert "| class_from | 1 | 6 | 1 | 5 |" in card and "| whole | 1 |" in card


def test_where_nobody_has_annotated_the_sentence_says_what_to_do(two_sites: Path, tmp_path: Path) -> None:
    sessions = [two_sites / "sessions" / "a20-01"]
    with pytest.raises(CurtainError, match=r"3 utterances are left out .*“--include-live” takes"):
        commands.run(sessions, "parquet", tmp_path / "out", Filters())


@pytest.mark.parametrize("filters", [Filters(), ALL])
def test_no_follow_up_is_among_questions_that_stand_alone(run: Run, tmp_path: Path, filters: Filters) -> None:
    run("spider", filters)
    alone = _of_spider(tmp_path / "spider")
    assert alone and not alone & {TURNS["follow-up"], TURNS["follow-up that nobody annotated"], "a20-01-002"}


def _of_spider(folder: Path) -> set[str]:
    return {one["utterance_id"] for path in _splits(folder) for one in json.loads(path.read_text("utf-8"))}


def _splits(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*.json") if path.stem in ("train", "dev", "test")]


@pytest.mark.parametrize("name", ["huggingface", "kaldi", "nist"])
def test_a_silenced_recording_trains_nobody(run: Run, name: str) -> None:
    account = run(name)
    assert account["dropped"][SILENCED] == 1 and account["kept"] == ANNOTATED - 1


def test_hidden_words_are_no_words_to_be_aligned(run: Run, tmp_path: Path) -> None:
    run("nist")
    assert " redacted\n" not in (tmp_path / "nist" / "train.ctm").read_text("utf-8")


def test_a_blind_set_does_not_say_who_knows_the_answers(run: Run) -> None:
    account = run("parquet", blind=True)
    # Two of seven have no answer without their hidden words.
    hidden = {"none": 4, "part": 1}
    assert account["corpus"]["origins"] == {"text_from": {"annotated": 5}, "redacted": hidden}
    assert account["dropped"]["no reference"] == 2


@pytest.mark.parametrize("filters", [Filters(), ALL, Filters(speakers=frozenset({"no"}))], ids=["usual", "all", "none"])
def test_what_would_stay_out_is_said_before_as_the_export_says_it(
    run: Run, two_sites: Path, capsys: pytest.CaptureFixture[str], filters: Filters
) -> None:
    commands.show_left_out([two_sites], "parquet", filters, None, as_json=True)
    before = json.loads(capsys.readouterr().out)
    kept = sum(one["kept"] for one in before)
    dropped: Counter[str] = Counter()
    for one in before:
        dropped.update(one["dropped"])
    if kept:
        account = run("parquet", filters)
        assert (account["kept"], account["dropped"]) == (kept, dict(dropped))
    else:
        with pytest.raises(CurtainError, match="another speaker"):
            run("parquet", filters)
        assert dropped == {"another speaker": ANNOTATED + LIVE}
