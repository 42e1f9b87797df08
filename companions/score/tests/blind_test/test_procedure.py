"""A blind test from its release to its final results (papers/001, section 2): both results are kept."""

import json
import re
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from curtain.base.errors import CurtainError
from curtain.base.record_file import write_records
from curtain.corpus.model.consents import NotedConsent, note_consents
from curtain.corpus.model.filters import Filters
from curtain.systems.offline.questions import read_test_questions
from curtain_score.blind_test.test_set import ReferenceRuling, TestSet, final_key, open_test_set
from curtain_score.commands.test_sets import list_reports, release, release_turns, report, rule, score
from tests.corpus.test_hidden_in_sessions import hide
from tests.corpus.toy import make_toy

AT = "2026-03-01T09:30:00.000Z"


def quiet(_: str) -> None:
    pass


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_toy(tmp_path_factory.mktemp("toy") / "study")


@pytest.fixture(scope="module")
def release_once(study: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "test"
    release([study], folder, "parquet", Filters(with_consent=False), AT, quiet)
    return folder


@pytest.fixture
def test_set(release_once: Path, tmp_path: Path) -> TestSet:
    shutil.copytree(release_once, tmp_path / "test")
    return open_test_set(tmp_path / "test")


def scored(test_set: TestSet) -> list[str]:
    return [str(row["id"]) for row in test_set.rows if "ref" in row]


def perfect(test_set: TestSet, path: Path) -> Path:
    lines = [{"id": row["id"], "hyp": row["ref"]} for row in test_set.rows if "ref" in row]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def ruling(utterance: str, decision: str, **more: str) -> ReferenceRuling:
    return ReferenceRuling(id=utterance, decision=decision, by="ada", why="see the paper", at_utc=AT, **more)  # type: ignore[arg-type]


def right(folder: Path) -> int:
    return int(json.loads((folder / "score.json").read_text("utf-8"))["systems"][0]["total"]["right"])


def page(folder: Path) -> str:
    return (folder / "score.html").read_text("utf-8")


def test_what_is_released_holds_no_answer(test_set: TestSet) -> None:
    answers = [str(row["ref"]).encode() for row in test_set.rows if len(str(row.get("ref", ""))) > 8]
    assert answers
    released = b"".join(path.read_bytes() for path in (test_set.folder / "inputs").rglob("*") if path.is_file())
    assert [answer for answer in answers if answer in released] == []


def test_every_released_turn_can_be_asked(test_set: TestSet) -> None:
    asked = read_test_questions(test_set.folder / "inputs" / "utterances.jsonl")
    assert [one.id for one in asked] == list(test_set.ids)


def test_a_release_counts_what_its_format_holds(study: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    release([study], tmp_path / "test", "kaldi", Filters(with_consent=False), AT, lines.append)
    spoken = sum(len(path.read_text("utf-8").splitlines()) for path in (tmp_path / "test").rglob("wav.scp"))
    assert lines[0].startswith(f"{spoken} utterances released")
    assert len(open_test_set(tmp_path / "test").ids) == spoken


def test_nothing_is_released_that_nobody_could_answer_or_that_may_not_be_shared(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = Path(shutil.copytree(study, tmp_path / "study"))
    note_consents(own, [NotedConsent(session_id="m10-01", scopes=["take_part"])])
    whole = "Who is Mary Graham's supervisor?"
    hide(own, "e00-01-004", whole, whole)
    release_turns([own], tmp_path / "test")
    printed = capsys.readouterr().out
    rows = {str(row["id"]): row for row in open_test_set(tmp_path / "test").rows}
    asked = [json.loads(line) for line in (tmp_path / "test/inputs/utterances.jsonl").read_text("utf-8").splitlines()]
    assert asked and not [one for one in asked if one["query"] == "[redacted]"]
    assert not [row for row in rows.values() if "no reference" in row.get("tags", ())]
    sessions = {name[:6] for name in rows}
    assert "e00-01-004" not in rows and {"0a1-01", "e00-01"} < sessions and "m10-01" not in sessions
    for line in (r"1 \(its words are hidden\)", r"\d+ \(no reference\)", r"11 \(the consent does not cover sharing"):
        assert re.search(f"left out: {line}", printed), line


def test_preliminary_and_final_results_stay_beside_each_other(test_set: TestSet, tmp_path: Path) -> None:
    answers, out = perfect(test_set, tmp_path / "answers.jsonl"), tmp_path / "results"
    # A question that leans on a withdrawn one cannot be scored either, so these are ones on which none leans.
    leaned_on = {name for row in test_set.rows for name in row.get("context", [])}
    first, second, third = [name for name in scored(test_set) if name not in leaned_on][:3]
    score(test_set.folder, [answers], out, final=False, say=quiet)
    for utterance in (first, second, third):
        report(test_set.folder, utterance, by="ben", why="it is wrong", at_utc=AT, say=quiet)
    rule(test_set.folder, ruling(first, "keep"), quiet)
    rule(test_set.folder, ruling(second, "replace", ref="((99999999))"), quiet)
    rule(test_set.folder, ruling(third, "withdraw"), quiet)
    before = test_set.key.read_bytes()
    score(test_set.folder, [answers], out, final=True, say=quiet)
    assert "<h1>Preliminary results, of the references as released on 2026-03-01</h1>" in page(out / "preliminary")
    assert "<h1>Final results: 3 rulings, 2 references changed</h1>" in page(out / "final")
    assert right(out / "preliminary") == len(scored(test_set))
    assert right(out / "final") == len(scored(test_set)) - 2
    assert test_set.key.read_bytes() == before


def test_answers_that_cannot_be_read_have_no_results(test_set: TestSet, tmp_path: Path) -> None:
    said: list[str] = []
    answers = tmp_path / "answers.jsonl"
    answers.write_text("no JSON\n", "utf-8")
    with pytest.raises(CurtainError, match=r"answers.jsonl"):
        score(test_set.folder, [answers], tmp_path / "results", final=False, say=said.append)
    assert said == []


def test_final_results_wait_until_every_report_has_its_ruling(test_set: TestSet, tmp_path: Path) -> None:
    utterance = scored(test_set)[0]
    report(test_set.folder, utterance, by="ben", why="it is wrong", at_utc=AT, say=quiet)
    with pytest.raises(CurtainError, match=f"1 reported reference yet: {utterance}"):
        final_key(test_set)


def test_the_last_ruling_about_an_utterance_counts(test_set: TestSet) -> None:
    utterance = scored(test_set)[0]
    rule(test_set.folder, ruling(utterance, "withdraw"), quiet)
    rule(test_set.folder, ruling(utterance, "keep"), quiet)
    assert final_key(test_set) == list(test_set.rows)


def test_a_new_reference_leaves_nothing_of_the_old_one(test_set: TestSet) -> None:
    utterance = next(str(row["id"]) for row in test_set.rows if "sql_min" in row and "max" in row)
    rule(test_set.folder, ruling(utterance, "replace", ref="((20))"), quiet)
    (row,) = [row for row in final_key(test_set) if row["id"] == utterance]
    assert (row["ref"], {"max", "sql_min"} & set(row)) == ("((20))", set())


def test_a_report_after_the_ruling_is_open_again(test_set: TestSet) -> None:
    utterance = scored(test_set)[0]
    rule(test_set.folder, ruling(utterance, "keep"), quiet)
    report(test_set.folder, utterance, by="ben", why="it is wrong", at_utc=AT, say=quiet)
    with pytest.raises(CurtainError, match=f"1 reported reference yet: {utterance}"):
        final_key(test_set)
    rule(test_set.folder, ruling(utterance, "keep"), quiet)
    assert test_set.open_reports() == []


def test_a_ruling_without_a_number_of_reports_answers_the_earlier_ones(test_set: TestSet) -> None:
    first, second = scored(test_set)[:2]
    for utterance, at_utc in ((first, "2026-03-01T09:29:59.000Z"), (second, "2026-03-01T09:30:01.000Z")):
        report(test_set.folder, utterance, by="ben", why="it is wrong", at_utc=at_utc, say=quiet)
    write_records(test_set.folder / "rulings.jsonl", [ruling(first, "keep"), ruling(second, "keep")])
    assert test_set.open_reports() == [second]


def test_what_was_reported_and_who_ruled_why_is_listed(
    test_set: TestSet, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    first, second, third = scored(test_set)[:3]
    for utterance in (first, second):
        report(test_set.folder, utterance, by="ben", why="two are missing", at_utc=AT, say=quiet)
    rule(test_set.folder, ruling(first, "replace", ref="((20))"), quiet)
    rule(test_set.folder, ruling(third, "withdraw"), quiet)
    list_reports(test_set.folder)
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert f"{first} ben two are missing replace by ((20)) ada see the paper" in lines
    assert f"{second} ben two are missing open - -" in lines
    assert f"{third} - - withdraw ada see the paper" in lines


@pytest.mark.parametrize("changed", ["inputs-references.jsonl", "inputs/README.md"])
def test_a_released_test_set_does_not_change_without_a_word(test_set: TestSet, changed: str) -> None:
    path = test_set.folder / changed
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(CurtainError, match="has changed since the release"):
        open_test_set(test_set.folder)
    with pytest.raises(CurtainError, match="There is no test set in"):
        open_test_set(path)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (ruling("a00-01-999", "keep"), "has no utterance"),
        (ruling("{first}", "replace"), "needs the new one"),
        (ruling("{first}", "keep", ref="((1))"), "takes no new reference"),
        (ruling("{first}", "replace", ref="((1"), "is no CAS answer"),
        (ruling("{first}", "replace", ref=""), "is no CAS answer"),
        (ruling("{first}", "replace", ref="((20))", max="((21 72))"), "not inside the maximum"),
        (ruling("{unscored}", "replace", ref="((20))"), "is not scored"),
    ],
    ids=[
        "an unknown utterance", "no reference", "a reference too many", "no CAS", "nothing",
        "a minimum outside the maximum", "an utterance of Class X",
    ],
)  # fmt: skip
def test_a_ruling_that_cannot_be_is_refused(test_set: TestSet, wrong: ReferenceRuling, sentence: str) -> None:
    ids = {"first": scored(test_set)[0], "unscored": next(name for name in test_set.ids if not test_set.scores(name))}
    changed = replace(wrong, id=wrong.id.format(**ids))
    with pytest.raises(CurtainError, match=sentence):
        rule(test_set.folder, changed, quiet)


def test_a_folder_that_is_there_is_left_alone(study: Path, tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    with pytest.raises(CurtainError, match="is not empty"):
        release([study], tmp_path, "parquet", Filters(with_consent=False), AT, quiet)


def test_a_release_that_fails_leaves_nothing(study: Path, tmp_path: Path) -> None:
    with pytest.raises(CurtainError):
        release([study], tmp_path / "test", "nonsense", Filters(with_consent=False), AT, quiet)
    assert not (tmp_path / "test").exists()
