"""A challenge set from the first proposal to a score for each phenomenon (papers/003, section 7.1)."""

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from curtain.base.errors import CurtainError
from curtain.commands.cli import app
from curtain.commands.evaluation.challenge import (
    add_file,
    agree,
    list_questions,
    make_packet,
    new,
    propose,
    question_in,
    run,
)
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.references import rows_of
from curtain.corpus.redaction.export_log import read_exports
from curtain.evaluation.challenge.challenge_set import (
    BadChallenge,
    ChallengeSet,
    Proposal,
    new_challenge,
    open_challenge,
)
from curtain.evaluation.references import read_references
from curtain.systems.offline.questions import read_test_questions
from tests.corpus.toy import make_toy

AT = "2026-03-01T09:30:00.000Z"


def proposal(name: str = "q1", **changes: Any) -> Proposal:
    about = {"id": name, "ref": "((1) (2))", "phenomenon": "negation", "why": "two nots", "by": "ada", "at_utc": AT}
    return Proposal(**(about | changes))


@pytest.fixture
def challenge(tmp_path: Path) -> ChallengeSet:
    return new_challenge(tmp_path / "hard", "Hard questions", AT)


def agreed_on(challenge: ChallengeSet, name: str = "q1", *, frozen: bool = False, **changes: Any) -> None:
    """A question that ada proposes and ben agrees to, and a version of it if it is asked for."""
    challenge.add(proposal(name, **changes))
    challenge.agree(name, "ben", AT)
    if frozen:
        challenge.freeze(AT)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_toy(tmp_path_factory.mktemp("toy") / "study")


def test_only_questions_that_two_people_agree_on_are_frozen(challenge: ChallengeSet) -> None:
    for name in ("q1", "q2"):
        challenge.add(proposal(name))
    challenge.agree("q1", "ben", AT)
    version, left_out = challenge.freeze(AT)
    assert (version.number, list(version.phenomena), left_out) == (1, ["q1"], ["q2"])
    assert json.loads(challenge.key(1).read_text("utf-8")) == {
        "id": "q1", "class": "A", "ref": "((1) (2))", "tags": ["negation"],
    }  # fmt: skip


@pytest.mark.parametrize("changes", [{"ref": "((3))"}, {"question": "who works in a room"}])
def test_an_agreement_is_to_one_reference_and_its_words_and_not_to_later_ones(
    challenge: ChallengeSet, changes: dict[str, str]
) -> None:
    agreed_on(challenge, question="who works in no room")
    challenge.add(proposal(**{"question": "who works in no room"} | changes))
    assert challenge.judged()(challenge.proposals()["q1"])[0] == []


def test_versions_are_kept_beside_each_other(challenge: ChallengeSet) -> None:
    agreed_on(challenge)
    first, _ = challenge.freeze(AT)
    agreed_on(challenge, "q2", phenomenon="ellipsis")
    second, _ = challenge.freeze(AT)
    assert challenge.versions() == [1, 2]
    assert (challenge.version(1), challenge.version(None)) == (first, second)


def test_a_frozen_version_does_not_change_without_a_word(challenge: ChallengeSet) -> None:
    agreed_on(challenge, frozen=True)
    path = challenge.key(1)
    path.write_text(path.read_text("utf-8").replace("((1) (2))", "((1))"), "utf-8")
    with pytest.raises(BadChallenge, match="has changed since it was frozen"):
        challenge.version(1)


def test_a_system_is_scored_for_each_phenomenon(
    challenge: ChallengeSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, phenomenon in (("q1", "negation"), ("q2", "negation"), ("q3", "ellipsis")):
        agreed_on(challenge, name, phenomenon=phenomenon)
    challenge.freeze(AT)
    answers = tmp_path / "system.jsonl"
    given = {"q1": "((1) (2))", "q2": "((9))", "q3": "((2) (1))"}
    answers.write_text("".join(json.dumps({"id": name, "hyp": hyp}) + "\n" for name, hyp in given.items()), "utf-8")
    run(challenge.folder, [answers], tmp_path / "out")
    with (tmp_path / "out" / "phenomena.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["phenomenon"]: (row["n"], row["right"], row["wrong"]) for row in csv.DictReader(file)}
    assert rows == {"negation": ("2", "1", "1"), "ellipsis": ("1", "1", "0"), "all": ("3", "2", "1")}
    page = (tmp_path / "out" / "score.html").read_text("utf-8")
    assert "<h1>Hard questions, version 1</h1>" in page
    assert page.index("By phenomenon") < page.index("ellipsis") < page.index("By class")
    other = tmp_path / "other.jsonl"
    other.write_text("".join(json.dumps({"id": name, "hyp": "((9))"}) + "\n" for name in given), "utf-8")
    unusable = tmp_path / "unusable.jsonl"
    unusable.write_text("q9 ((1))\n", "utf-8")
    assert run(challenge.folder, [answers, other, unusable, other], tmp_path / "both") == 2
    assert "It is left out." in capsys.readouterr().err
    with (tmp_path / "both" / "phenomena.csv").open(encoding="utf-8-sig", newline="") as file:
        rights = {(row["system"], row["phenomenon"]): row["right"] for row in csv.DictReader(file)}
    assert rights == {("system", name): right for name, (_, right, _) in rows.items()} | {
        ("other", name): "0" for name in rows
    }


def test_an_annotated_class_a_utterance_brings_its_words_its_reference_and_its_dialect(study: Path) -> None:
    _, asked = question_in(study, "0a1-01-001")
    assert (asked.question, asked.ref, asked.dialect) == (
        "WHAT IS SHARON LEASE'S PHONE NUMBER", '(("6218"))', "1992",
    )  # fmt: skip


def test_the_study_notes_each_session_that_a_challenge_set_quotes(tmp_path: Path) -> None:
    study, folder = make_toy(tmp_path / "toy"), tmp_path / "hard"
    new(folder, "Hard", AT, lambda _: None)
    rows = [row for session in open_corpus([study], Filters()).sessions() for row in rows_of(session, with_words=True)]
    quoted = [str(row["id"]) for row in rows if row.get("class") == "A" and "ref" in row]
    for name in (quoted[0], quoted[-1]):
        propose(folder, name, "negation", "hard", "ada", study)
    [noted] = read_exports(study)
    sessions = {name.rpartition("-")[0] for name in (quoted[0], quoted[-1])}
    assert (noted.path, noted.format, set(noted.sessions)) == (folder, "challenge set", sessions)
    assert len(sessions) == 2 and not noted.is_corpus


def test_a_frozen_version_can_be_asked_and_scored(challenge: ChallengeSet) -> None:
    agreed_on(challenge, question="who works in no room", dialect="1989", frozen=True)
    (asked,), references = read_test_questions(challenge.key(1)), read_references(challenge.key(1))
    assert (asked.id, asked.text, references["q1"].dialect) == ("q1", "who works in no room", "1989")


def test_questions_are_listed_with_words_reference_and_who_agrees(challenge: ChallengeSet) -> None:
    agreed_on(challenge, question="who works in no room", max="((1 7) (2 8))")
    lines: list[str] = []
    list_questions(challenge.folder, lines.append)
    texts = ("q1", "negation", "ada", "ben", "two nots", "who works in no room", "((1) (2))", "((1 7) (2 8))")
    assert [text for text in texts if text not in "\n".join(lines)] == []


def test_whoever_agrees_sees_the_words_and_the_reference(challenge: ChallengeSet) -> None:
    challenge.add(proposal(question="who works in no room"))
    lines: list[str] = []
    agree(challenge.folder, "q1", "ben", AT, lines.append)
    assert [text for text in ("who works in no room", "((1) (2))") if text not in "\n".join(lines)] == []


def test_a_set_from_before_sets_kept_words_still_reads(challenge: ChallengeSet) -> None:
    about = '{"id":"q1","by":"%s","ref":"((1))",%s"at_utc":"2026-03-01T09:30:00.000Z"}\n'
    proposed = about % ("ada", '"phenomenon":"negation","why":"two nots",')
    (challenge.folder / "proposals.jsonl").write_text(proposed, "utf-8")
    (challenge.folder / "agreements.jsonl").write_text(about % ("ben", ""), "utf-8")
    assert list(challenge.freeze(AT)[0].phenomena) == ["q1"]


@pytest.mark.parametrize("lost", ["version.json", "references.jsonl", ""], ids=["its record", "its key", "all of it"])
def test_the_number_of_a_lost_version_is_given_to_no_other_questions(challenge: ChallengeSet, lost: str) -> None:
    agreed_on(challenge, frozen=True)
    folder = challenge.key(1).parent
    folder.rename(folder.with_name("away"))
    if lost:
        shutil.copytree(folder.with_name("away"), folder)
        (folder / lost).unlink()
    agreed_on(challenge, "q2")
    with pytest.raises(BadChallenge, match=r"Version 1 lacks .*put the file back"):
        challenge.freeze(AT)


@pytest.mark.parametrize(
    ("do", "sentence"),
    [
        (lambda one, study: one.agree("q9", "ben", AT), "Nobody has proposed"),
        (lambda one, study: one.agree("q1", "ada", AT), "somebody else has to agree"),
        (lambda one, study: one.agree("q1", " Ada ", AT), "somebody else has to agree"),
        (lambda one, study: one.agree("q1", " ", AT), "Say who you are"),
        (lambda one, study: one.add(proposal(" ")), "needs an id"),
        (lambda one, study: one.add(proposal("q2", ref="((1")), "is no CAS answer"),
        (lambda one, study: one.add(proposal("q2", ref="")), "is no CAS answer"),
        (lambda one, study: one.add(proposal("q2", ref="YES", dialect="1989")), "is no CAS answer"),
        (lambda one, study: one.add(proposal("q2", dialect="1991")), "no CAS dialect"),
        (lambda one, study: one.add(proposal("q2", ref="((1))", max="((2))")), "not inside the maximum"),
        (lambda one, study: one.freeze(AT), "two people agree on"),
        (lambda one, study: one.version(None), "has no version yet"),
        (lambda one, study: new_challenge(one.folder, "", AT), "is there already"),
        (lambda one, study: open_challenge(one.folder / "no"), "There is no challenge set"),
        (lambda one, study: open_challenge(Path(__file__)), "There is no challenge set"),
        (lambda one, study: question_in(study, "nobody-1"), "has no annotated utterance"),
    ],
    ids=[
        "an unknown question", "one's own question", "one's own question in capitals", "nobody", "no id", "no CAS",
        "nothing", "no CAS of 1989", "no dialect", "a minimum outside the maximum", "nobody agrees", "no version",
        "the folder is there",
        "no set", "a file", "an unknown utterance",
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(challenge: ChallengeSet, study: Path, do: Any, sentence: str) -> None:
    challenge.add(proposal())
    with pytest.raises(CurtainError, match=sentence):
        do(challenge, study)


QUESTIONS = [f"who {verb} in the {place}" for verb in ("works", "sleeps", "shouts") for place in ("kitchen", "attic")]
FAULTY = [
    ("{", "line 1 is no JSON"),
    ('{"id": "q9", "ref": "((1))", "phenomenon": "negation"}', "line 2 has no “question”"),
    ('{"id": 7, "question": "a", "ref": "((1))", "phenomenon": "b", "colour": "red"}', "line 3 has no text for “id”"),
    ("", "line 3 has the unknown key “colour”"),
    ('{"id": "q1", "question": "who", "ref": "((1))", "phenomenon": "b"}', "line 4 has the id “q1”, which the set has"),
    ('{"id": "q3", "question": "what", "ref": "((1", "phenomenon": "b", "yes_no": "maybe"}', "line 5 has a reference"),
    ("", "line 5 says neither yes nor no"),
    ('{"id": "q3", "question": "when", "ref": "((1))", "phenomenon": "b"}', "line 6 has the id of line 5, “q3”"),
]


def test_every_fault_of_a_file_is_listed_with_its_line_and_nothing_is_added(
    challenge: ChallengeSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    challenge.add(proposal())
    file = tmp_path / "questions.jsonl"
    file.write_text("".join(f"{line}\n" for line, _ in FAULTY if line), "utf-8")
    with pytest.raises(BadChallenge, match=r"Nothing was added: .*questions\.jsonl has 8 faults\."):
        add_file(challenge.folder, file, "ada", why="hard")
    printed = capsys.readouterr().err
    assert [sentence for _, sentence in FAULTY if f"{file} {sentence}" not in printed] == []
    table = tmp_path / "questions.csv"
    table.write_text("id;question;ref;phenomenon\nb;when;;x\na;who;((1));x;y\nc;what;;x\n", "utf-8")
    with pytest.raises(BadChallenge, match="3 faults"):
        add_file(challenge.folder, table, "ada", why="hard")
    assert [line.partition("csv ")[2] for line in capsys.readouterr().err.splitlines()][:3] == [
        "line 2 has no “ref”.", "line 3 has 5 values for 4 columns.", "line 4 has no “ref”.",
    ]  # fmt: skip
    assert list(challenge.proposals()) == ["q1"]


def test_near_copies_are_found_in_the_file_and_in_the_set(
    challenge: ChallengeSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    challenge.add(proposal(question="Which managers earn less than nobody?"))
    texts = ["which managers earn less then nobody", "who sits alone", "Who sits alone?", "who sits with nobody"]
    file = tmp_path / "near.jsonl"
    rows = [{"id": f"n{at}", "question": text, "ref": "((1))", "phenomenon": "x"} for at, text in enumerate(texts)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with pytest.raises(BadChallenge, match="2 near copies"):
        add_file(challenge.folder, file, "ada", why="hard")
    printed = capsys.readouterr().err
    assert "line 1 nearly repeats “q1” of the set" in printed and "line 3 nearly repeats line 2: “who sits" in printed
    assert add_file(challenge.folder, file, "ada", why="hard", near_copies=True) == 0
    assert len(challenge.proposals()) == 5


def test_two_sites_agree_in_packets_and_phenomena_are_counted(
    challenge: ChallengeSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for site, by in (("Alpha", "ada"), ("Beta", "ben")):
        lines = [f"{site}-{at},{site} {one},((1)),{one.split()[1]},hard\n" for at, one in enumerate(QUESTIONS)]
        (tmp_path / "q.csv").write_text("id,question,ref,phenomenon,why\n" + "".join(lines), "utf-8")
        add_file(challenge.folder, tmp_path / "q.csv", by, site, near_copies=True)
    sheet = tmp_path / "packet.csv"
    make_packet(challenge.folder, sheet, "bea", "Beta")
    rows = list(csv.DictReader(sheet.read_text("utf-8-sig").splitlines()))
    assert [row["id"] for row in rows] == [f"Alpha-{at}" for at in range(6)]
    given = ["yes", "yes", "no", "", "Yes", "yes"]
    rows[2]["remark"] = "two people do"
    for row, word in zip(rows, given, strict=True):
        row["agrees"] = word
    write_sheet(sheet, rows)
    with pytest.raises(BadChallenge, match="5 faults"):
        agree(challenge.folder, by="cyd", site="alpha", packet_file=sheet)
    assert "ada of Alpha proposed “Alpha-0”; somebody else of another site" in capsys.readouterr().err
    agree(challenge.folder, by="bea", site="Beta", packet_file=sheet)
    printed = capsys.readouterr().out
    assert "Alpha-2: bea objects. two people do" in printed and "4 of 5 references agreed to." in printed
    capsys.readouterr()
    list_questions(challenge.folder, phenomena=True, as_json=True)
    counted = {row["phenomenon"]: row for row in json.loads(capsys.readouterr().out)}
    assert counted["sleeps"] == {
        "phenomenon": "sleeps", "Alpha": 2, "Beta": 2, "questions": 4, "agreed": 0, "objected": 1,
    }  # fmt: skip
    assert counted["all"] == {"phenomenon": "all", "Alpha": 6, "Beta": 6, "questions": 12, "agreed": 4, "objected": 1}
    version, left_out = challenge.freeze(AT)
    assert list(version.phenomena) == ["Alpha-0", "Alpha-1", "Alpha-4", "Alpha-5"] and len(left_out) == 8
    # The packet holds what was said already, and a reference that is no longer the set's.
    make_packet(challenge.folder, tmp_path / "rest.csv", "bea", "Beta")
    assert "Alpha-3" in (rest := (tmp_path / "rest.csv").read_text("utf-8-sig")) and rest.count("Alpha-") == 1
    challenge.add(msgspec.structs.replace(challenge.proposals()["Alpha-0"], ref="((2))"))
    with pytest.raises(BadChallenge, match="1 fault"):
        agree(challenge.folder, by="bea", site="Beta", packet_file=sheet)
    assert "another reference for “Alpha-0” than the set: make a new packet" in capsys.readouterr().err


def write_sheet(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        sheet = csv.DictWriter(file, list(rows[0]))
        sheet.writeheader()
        sheet.writerows(rows)


def test_nothing_is_frozen_twice(challenge: ChallengeSet) -> None:
    agreed_on(challenge, frozen=True)
    with pytest.raises(BadChallenge, match="Nothing has changed since version 1"):
        challenge.freeze(AT)


def test_the_commands_go_from_a_proposal_to_a_version(tmp_path: Path) -> None:
    folder = str(tmp_path / "hard")
    about = ["--phenomenon", "negation", "--why", "two nots", "--by", "ada", "--ref", "((1))"]
    assert CliRunner().invoke(app, ["challenge", "new", folder]).exit_code == 0
    wordless = CliRunner().invoke(app, ["challenge", "add", folder, "q1", *about])
    assert "Give what is asked" in str(wordless.exception)
    for arguments in (
        ["add", folder, "q1", *about, "--words", "who?"], ["agree", folder, "q1", "--by", "ben"], ["freeze", folder],
    ):  # fmt: skip
        assert CliRunner().invoke(app, ["challenge", *arguments]).exit_code == 0
    assert open_challenge(tmp_path / "hard").versions() == [1]
