"""`curtain draft`: for one question, for a file of them, and for a study that learns and forgets."""

import gzip
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companions.drafts.tests.tool.plugged import plug_in
from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.base.privacy import own_cache
from curtain.base.table import Table
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.domain.worker.answer import answer_statement
from curtain.session.bundle.bundle import Bundle
from curtain.session.events import wizard_events
from curtain.session.events.subject_events import KeyDown
from curtain.session.journal.journal import Journal
from curtain.session.study.study import Study, load_study, new_study
from curtain_drafts.commands import draft_questions as commands
from curtain_drafts.commands.draft import DraftOptions, change_withdrawal, run, show_examples
from curtain_drafts.commands.draft_questions import QuestionLine
from curtain_drafts.drafting.values import Asked, Draft, Example, Request
from curtain_drafts.tool.drafter import local
from curtain_drafts.tool.drafter.local import LocalDrafter
from curtain_drafts.tool.serving.checks import Checks
from curtain_drafts.tool.serving.settings import agreements_of, read_settings

COUNT = "SELECT COUNT(*) FROM employee"
ODD = "SELECT DISTINCT employee.ethnic_group FROM employee WHERE employee.level > 12"
TABLE = Table(headings=[], rows=[], numeric=[], total=0)


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack("personnel")


@pytest.fixture(scope="module", autouse=True)
def learned_once(pack: Pack) -> Iterator[None]:
    """The commands of this module share one process of the database and, for the same examples, one drafter of ours."""
    kept: dict[object, LocalDrafter] = {}

    def own(pack: Pack, path: Path, examples: Sequence[Example], *_: object) -> LocalDrafter:
        asked = tuple(examples)
        return kept.setdefault(asked, kept.get(asked) or LocalDrafter(pack, path, examples, own_cache()))

    with closing(Checks(pack, database(pack), 20.0, correct=False)) as checks, pytest.MonkeyPatch.context() as patch:
        shared = SimpleNamespace(passed=partial(checks.passed, within=20.0), close=lambda: None)
        patch.setattr(commands, "Checks", lambda *_, correct: shared)
        patch.setattr(local, "LocalDrafter", own)
        yield


def written(path: Path, lines: Sequence[object]) -> Path:
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def printed(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_question_that_was_answered_before_is_answered_again(capsys: pytest.CaptureFixture[str], pack: Pack) -> None:
    example = pack.examples()[0]
    assert run(DraftOptions("personnel", question=example.question, as_json=True)) == 0
    (reported,) = printed(capsys)
    assert reported["question"] == example.question
    best = reported["drafts"][0]
    assert answer_statement(pack, best["sql"]).cas_min == answer_statement(pack, example.sql).cas_min
    assert 0 <= best["confidence"] <= 1


def test_drafts_for_a_person_are_numbered_with_their_confidence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(DraftOptions("personnel", question="How many employees are there?", n=2)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1  ") and any(line.strip().startswith("SELECT") for line in lines)


def test_a_file_of_questions_gives_a_line_for_each_in_its_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[dict[str, object]] = [
        {"id": f"q{number}", "question": question} for number, question in enumerate(["how many", "", "who"] * 15)
    ]
    asked.append({"question": "which of those are managers", "previous": [{"question": "who", "sql": COUNT}]})
    questions = written(tmp_path / "questions.jsonl.gz", asked)
    assert run(DraftOptions("personnel", questions=questions, n=2)) == 0
    reported = printed(capsys)
    assert [line["id"] for line in reported] == [*(f"q{number}" for number in range(45)), 46]
    assert all(set(draft) == {"sql", "confidence"} for line in reported for draft in line["drafts"])
    assert all(len(line["drafts"]) <= 2 for line in reported)
    assert reported[1]["drafts"] == []


def test_a_turn_before_that_cannot_be_run_is_reported_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [{"id": "a", "question": "how many of them", "previous": ["SELECT nothing FROM nowhere"]}]
    assert run(DraftOptions("personnel", questions=written(tmp_path / "questions.jsonl", asked))) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["id"] == "a"
    assert err.startswith("question a: “previous” “SELECT nothing FROM nowhere” cannot be run: ")
    assert err.rstrip().endswith("It is left out.")


def test_examples_of_a_file_are_drafted_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question = "list the strange groups of the highest levels"
    more = written(tmp_path / "more.jsonl.gz", [{"question": question, "sql": ODD}])
    assert run(DraftOptions("personnel", question=question, examples=(more,), as_json=True)) == 0
    assert printed(capsys)[0]["drafts"][0]["sql"] == ODD


class Careless:
    """Proposes what could not run, and the same twice."""

    def __init__(self, *_: object) -> None:
        self.asked: list[Request] = []
        self.sure = 0.5

    def drafts(self, request: Request) -> Iterator[Draft]:
        self.asked.append(request)
        tried = ("DROP TABLE employee", "SELECT nobody", COUNT, f"{COUNT} -- again")
        yield from (Draft(sql, self.sure) for sql in tried)


def test_what_could_not_run_is_not_printed(
    pack: Pack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    careless = Careless()
    monkeypatch.setattr("curtain_drafts.tool.drafter.local.LocalDrafter", lambda *_: careless)
    question = QuestionLine("x", "how many", (Asked("who", ODD),))
    assert commands.draft_all(pack, [], [question], 5, "published") == 0
    assert printed(capsys) == [{"id": "x", "drafts": [{"sql": COUNT, "confidence": 0.99}]}]
    assert careless.asked == [Request("how many", (Asked("who", ODD),), reading="published", n=5)]
    # A person reads that nothing fits, in place of drafts that are hardly ever right.
    careless.sure = 0.01
    assert commands.draft_one(pack, [], question, 5, "published", as_json=False) == 0
    assert capsys.readouterr().out.startswith("No draft: nothing in the question fits")


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        (DraftOptions("nowhere", question="who"), "nowhere"),
        (DraftOptions("personnel", question="who", n=0), "--n is 0: ask for 1 to 50 drafts."),
        (DraftOptions("personnel", question="who", reading="mine"), "--reading is “mine”, not pack or published."),
        (
            DraftOptions("personnel", question="who", previous=(COUNT, "SELECT x FROM y")),
            "--previous “SELECT x FROM y”",
        ),
        (DraftOptions("personnel", questions=Path("gone.jsonl")), "gone.jsonl cannot be read"),
        (DraftOptions("personnel", question="who", examples=(Path("gone.jsonl"),)), "gone.jsonl cannot be read"),
    ],
)
def test_bad_arguments_are_reported_in_one_sentence(options: DraftOptions, reported: str) -> None:
    with pytest.raises(CurtainError) as refused:
        run(options)
    assert reported in str(refused.value)


@pytest.mark.parametrize(
    ("line", "reported"),
    [
        ({"id": 1}, "line 1 has no “question”"),
        ({"id": 1, "question": "x", "previous": 5}, "line 1: “previous” must be"),
    ],
)
def test_a_bad_line_of_questions_is_named(tmp_path: Path, line: object, reported: str) -> None:
    with pytest.raises(CurtainError, match=reported):
        run(DraftOptions("personnel", questions=written(tmp_path / "q.jsonl", [line])))


# -- a study -------------------------------------------------------------------------------------------------


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """With one session: an answered turn that a draft had helped with, and one that was answered by hand."""
    made = new_study(tmp_path / "study", "personnel")
    shown = wizard_events.DraftShown(drafts=[ODD], confidences=[0.5], drafters=["curtain"], question="odd groups")
    facts: list[tuple[int | None, wizard_events.WizardFact]] = [
        (
            None,
            wizard_events.SessionOpened(session_id="e00-01", speaker_id="e00", wizard_ids=["w"], scenario_ids=["1"]),
        ),
        (1, wizard_events.QuerySent(text="list the odd groups")),
        (1, shown),
        (1, wizard_events.DraftTaken(sql=ODD, place=1)),
        (1, wizard_events.AnswerSent(sql=ODD, table=TABLE, cas_min="()")),
        (2, wizard_events.QuerySent(text="how many of them")),
        (2, wizard_events.AnswerSent(sql=COUNT, table=TABLE, cas_min="((423))")),
    ]
    bundle = Bundle.create(made, "e00-01", {"wizard_ids": ["w"], "domain": "personnel"})
    with (closing(Journal(bundle.wizard_journal, Clock())) as journal,
          closing(Journal(bundle.subject_journal, Clock())) as subject):  # fmt: skip
        for turn, fact in facts:
            journal.append(fact, turn)
        # Of turns that the subject's record lacks, nothing is learned.
        for turn in (1, 2):
            subject.append(KeyDown(source="key", pressed_ns=0), turn)
    return made


def test_a_study_shows_what_it_has_learnt_and_forgets_what_is_withdrawn(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show_examples(study.folder, as_json=True) == 0
    assert [(one["id"], one["sql"]) for one in printed(capsys)] == [("e00-01-001", ODD), ("e00-01-002", COUNT)]
    assert change_withdrawal(study.folder, "e00-01-001", "ann", back=False) == 0
    assert change_withdrawal(study.folder, "pack:3", None, back=False) == 0
    capsys.readouterr()
    assert show_examples(study.folder, as_json=False) == 0
    assert capsys.readouterr().out.splitlines() == ["e00-01-002  how many of them", f"    {COUNT}"]
    assert change_withdrawal(study.folder, "e00-01-001", "ann", back=True) == 0
    lines = [json.loads(line) for line in (study.folder / "withdrawn.jsonl").read_text().splitlines()]
    assert [(line["id"], line["back"]) for line in lines] == [
        ("e00-01-001", False), ("pack:3", False), ("e00-01-001", True),
    ]  # fmt: skip
    assert lines[0]["who"] == "ann" and lines[1]["who"] and lines[0]["when"].endswith("+00:00")


def test_a_study_drafts_from_its_answered_turns_unless_it_must_not_learn(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = DraftOptions("personnel", study.folder, question="list the odd groups", as_json=True)
    run(ask)
    assert printed(capsys)[0]["drafts"][0]["sql"] == ODD
    (study.folder / "study.toml").write_text('domain = "personnel"\nlearn = false\n', "utf-8")
    assert not load_study(study.folder).learn
    run(ask)
    assert ODD not in [draft["sql"] for draft in printed(capsys)[0]["drafts"]]


def named(study: Study, table: str) -> Path:
    (study.folder / "study.toml").write_text(f'domain = "personnel"\n[drafters]\n{table}', "utf-8")
    for drafter in read_settings(load_study(study.folder).drafters, study.folder).drafters:
        for agreement in agreements_of(drafter):
            agreement.give()
    return study.folder


def test_the_drafters_that_a_study_names_are_asked_and_distinguished_and_their_errors_reported(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plug_in(tmp_path / "site", monkeypatch, ("toy", "other", "bad"))
    says = "{says = {'SELECT 5' = 0.25, 'DROP TABLE x' = 1}}"
    folder = named(study, f"curtain = false\ntoy = true\nother = {says}\nbad = {{broken = true}}\n")
    lines = [{"id": one, "question": said} for one, said in (("a", "how many of them"), ("b", "mine"), ("c", "raise"))]
    assert run(DraftOptions("personnel", folder, questions=written(tmp_path / "q.jsonl", lines))) == 0
    out, err = capsys.readouterr()
    assert [json.loads(line) for line in out.splitlines()] == [
        {"id": "a", "drafts": [{"sql": COUNT, "confidence": 0.5, "drafter": "toy"}]},
        {"id": "b", "drafts": [{"sql": "SELECT 5", "confidence": 0.25, "drafter": "other"}]},
        {"id": "c", "drafts": []},
    ]
    # One that fails costs its own drafts alone.
    assert sorted(err.splitlines()) == [
        "The drafter “bad” failed with RuntimeError: the model is missing.",
        "The drafter “other” failed with ValueError: no luck today.",
        "The drafter “toy” failed with ValueError: no luck today.",
    ]
    folder = named(study, f"curtain = false\nother = {says}\n")
    assert run(DraftOptions("personnel", folder, question="mine")) == 0
    assert capsys.readouterr().out == "1  0.25  of other\n   SELECT 5\n"
    folder = named(study, "curtain.meaning = 'sub'\n")
    with pytest.raises(CurtainError, match=f"finds no model of meaning in “{folder}/sub”"):
        run(DraftOptions("personnel", folder, question="mine", own=True))


@pytest.mark.parametrize(
    ("table", "reported"),
    [
        ("curtain = false\n", "Drafts are switched off in .*; --own asks our drafter."),
        ("curtain = false\nnobodys = true\n", "The drafter “nobodys” is not installed"),
    ],
)
def test_a_study_without_any_drafter_to_ask_is_reported_in_one_sentence_and_ours_can_be_asked(
    study: Study, capsys: pytest.CaptureFixture[str], table: str, reported: str
) -> None:
    folder = named(study, table)
    with pytest.raises(CurtainError, match=reported) as refused:
        run(DraftOptions("personnel", folder, question="how many employees are there"))
    assert len(str(refused.value).splitlines()) == 1
    assert run(DraftOptions("personnel", folder, question="how many employees are there", own=True, as_json=True)) == 0
    assert printed(capsys)[0]["drafts"][0]["sql"] == COUNT


def test_only_what_is_there_can_be_withdrawn_and_only_what_is_withdrawn_restored(study: Study) -> None:
    with pytest.raises(CurtainError, match="There is no example “e00-01-009”"):
        change_withdrawal(study.folder, "e00-01-009", None, back=False)
    with pytest.raises(CurtainError, match="“e00-01-001” is not withdrawn"):
        change_withdrawal(study.folder, "e00-01-001", None, back=True)


def test_an_unreadable_session_costs_itself_alone(study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    (study.sessions_folder / "e01-01").mkdir()
    assert show_examples(study.folder, as_json=True) == 0
    reported = capsys.readouterr()
    assert len(reported.out.splitlines()) == 2 and "e01-01" in reported.err
