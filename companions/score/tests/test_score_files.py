"""`curtain score`: its two files, from the first line to the exit code."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from curtain.base.errors import CurtainError
from curtain.cas.scoring.intervals import wilson
from curtain.cas.scoring.readings import ComparisonRules, Judgement, judge
from curtain.cas.scoring.score import Item, OverAnswering
from curtain.commands.corpus.export import run
from curtain.corpus.model.filters import Filters
from curtain_score import score_files
from curtain_score.references import read_references
from curtain_score.score_files import ScoreOptions, make_report, score_run
from curtain_score.score_page import print_report, report_csv, report_json
from curtain_score.score_tables import Report, method_of, over_answering_of
from tests.corpus.toy import make_toy

OPTIONS = ScoreOptions(ComparisonRules())

REFERENCES: list[dict[str, Any]] = [
    {"id": "1", "ref": "((1) (2))", "class": "A", "speaker": "ann", "scenario": "s1", "site": "north"},
    {"id": "2", "ref": "5", "class": "A", "speaker": "ann", "scenario": "s1", "site": "north"},
    {"id": "3", "ref": "5", "class": "D1", "context": ["2"], "speaker": "bob", "scenario": "s2", "site": "south"},
    {"id": "4", "ref": '(("A"))', "max": '(("A" "B"))', "class": "D", "speaker": "bob", "scenario": "s2"},
    {"id": "5", "class": "X", "tags": ["unanswerable"], "speaker": "bob"},
    {"id": "6", "ref": "5", "class": "D", "context": ["5"], "speaker": "bob"},
]
ANSWERS = [
    {"id": "1", "hyp": "((2) (1))"}, {"id": "3", "hyp": "6"}, {"id": "4", "hyp": "((1"}, {"id": "5", "hyp": "17"},
]  # fmt: skip


def saved(folder: Path, name: str, lines: list[Any] | str | bytes) -> Path:
    path = folder / name
    if isinstance(lines, list):
        lines = "".join(json.dumps(line) + "\n" for line in lines)
    path.write_bytes(lines.encode() if isinstance(lines, str) else lines)
    return path


def report_of(folder: Path, references: Any, *answers: Any, options: ScoreOptions = OPTIONS) -> Report:
    files = [saved(folder, f"system{number}.jsonl", one) for number, one in enumerate(answers, 1)]
    return make_report(saved(folder, "refs.jsonl", references), files, options)


def outcomes(report: Report) -> dict[str, str]:
    return {item.id: item.outcome for item in report.sheets[0].items}


def item(report: Report, name: str) -> Item:
    return next(one for one in report.sheets[0].items if one.id == name)


# -- what counts ------------------------------------------------------------------------------------------


def test_right_wrong_missing_malformed_and_excluded_are_told_apart(tmp_path: Path) -> None:
    report = report_of(tmp_path, REFERENCES, ANSWERS)
    assert outcomes(report) == {"1": "correct", "2": "no_answer", "3": "incorrect", "4": "malformed"}
    counts = report.sheets[0].total.tally
    assert (counts.right, counts.wrong, counts.no_answer, counts.malformed, counts.missing) == (1, 2, 1, 1, 1)
    assert counts.score == -25
    sheet = report_of(tmp_path, REFERENCES, ANSWERS).sheets[0]
    assert dict(sheet.excluded) == {"unanswerable": 1, "context not evaluable": 1}


def test_a_context_is_followed_over_several_turns(tmp_path: Path) -> None:
    chain: list[dict[str, Any]] = [
        {"id": "c", "ref": "1", "class": "D", "context": ["b"]},
        {"id": "b", "ref": "1", "class": "D", "context": ["a"]},
        {"id": "a", "class": "X", "tags": ["trunc-utt"]},
        {"id": "z", "ref": "1"},
    ]
    assert list(outcomes(report_of(tmp_path, chain, []))) == ["z"]


def test_answers_may_come_in_any_order_and_as_plain_text(tmp_path: Path) -> None:
    plain = "3\t5\n\n1 ((2) (1))  \n2   NO_ANSWER\n4\n"
    report = report_of(tmp_path, REFERENCES, plain)
    assert outcomes(report) == {"1": "correct", "2": "no_answer", "3": "correct", "4": "no_answer"}
    assert report.sheets[0].total.tally.missing == 0


def test_the_names_of_the_utterance_view_are_understood(tmp_path: Path) -> None:
    references = [{"utterance_id": "1", "cas_min": "1", "cas_max": None, "eval_class": "A", "speaker_id": "e00"}]
    report = report_of(tmp_path, references, [{"utterance_id": "1", "cas": "1"}])
    assert item(report, "1").outcome == "correct"
    assert item(report, "1").speaker == "e00"


def test_null_is_no_answer_and_an_empty_text_is_malformed(tmp_path: Path) -> None:
    references = [{"id": 1, "ref": "1"}, {"id": 2, "ref": "1"}]
    report = report_of(tmp_path, references, [{"id": "1", "answer": None}, {"id": 2, "answer": ""}])
    assert outcomes(report) == {"1": "no_answer", "2": "malformed"}


def test_the_word_for_no_answer_is_one_in_every_dialect(tmp_path: Path) -> None:
    references = [{"id": name, "ref": "1", "dialect": name} for name in ("1989", "1990", "1992")]
    report = report_of(tmp_path, references, [{"id": name, "hyp": "NO_ANSWER"} for name in ("1989", "1990", "1992")])
    assert set(outcomes(report).values()) == {"no_answer"}


@pytest.mark.parametrize(
    "reference",
    [
        {"id": "1", "ref": "(1 OR 2)", "weights": [4, 1]},
        {"id": "1", "alternatives": [{"ref": "1", "weight": 1}, {"ref": "2", "weight": 0.25}]},
    ],
)
def test_a_less_preferred_reading_counts_its_share(tmp_path: Path, reference: dict[str, Any]) -> None:
    """papers/003, 7.2.2."""
    shares = [
        float(item(report_of(tmp_path, [reference], [{"id": "1", "hyp": hyp}]), "1").credit) for hyp in ("1", "2")
    ]
    assert shares == [1.0, 0.25]


def test_a_reference_may_ask_for_an_order(tmp_path: Path) -> None:
    """papers/000, 3.3: sorted answers; rows that are equal in the keys may stand in any order."""
    references = [
        {"id": 1, "ref": '(("A" 1) ("B" 2) ("C" 2))', "sorted_by": "2 desc"},
        {"id": 2, "alternatives": [{"ref": "((1) (2))"}, {"ref": "((3) (4))"}], "sorted_by": "1 desc"},
        {"id": 3, "ref": "(((1) (2)) OR ((3) (4)))", "weights": [2, 1], "sorted_by": "1"},
    ]
    for answers, right in (
        (['(("C" 2) ("B" 2) ("A" 1))', "((4) (3))", "((3) (4))"], "correct"),
        (['(("A" 1) ("C" 2) ("B" 2))', "((3) (4))", "((4) (3))"], "incorrect"),
    ):
        lines = [{"id": number, "hyp": answer} for number, answer in enumerate(answers, 1)]
        assert set(outcomes(report_of(tmp_path, references, lines)).values()) == {right}


def test_columns_beyond_minimum_and_maximum_stand_beside_the_score(tmp_path: Path) -> None:
    """papers/003, section 6: a system that shows all it has."""
    references = [{"id": 1, "ref": "((1))", "max": '((1 "A"))'}, {"id": 2, "ref": "((1))"}, {"id": 3, "ref": "5"}]
    answers = [{"id": 1, "hyp": '((1 "A" 9.5))'}, {"id": 2, "hyp": '((1 "A"))'}, {"id": 3, "hyp": "5"}]
    report = report_of(tmp_path, references, answers)
    assert report.sheets[0].over_answering == OverAnswering(2, 5, 3, 3, 1)
    table = over_answering_of(report)
    assert table and [row[1:] for row in table.rows] == [
        ("right", "1", "2", "1", "50.0", "0", "0", "–"),
        ("all", "2", "5", "3", "60.0", "3", "1", "33.3"),
    ]
    assert json.loads(report_json(report))["systems"][0]["over_answering_right"]["percent_beyond_minimum"] == 50
    assert over_answering_of(report_of(tmp_path, [{"id": 3, "ref": "5"}], answers[2:])) is None


def test_presupposition_failures_count_apart_and_in_other_dialects_not_at_all(tmp_path: Path) -> None:
    """papers/000, 3.3 and S-8."""
    references = [
        {"id": 1, "ref": "((1))"}, {"id": 2, "ref": "contingent-failure"}, {"id": 3, "ref": "necessary-failure"},
        {"id": 4, "ref": "((1))", "context": ["2"]},
    ]  # fmt: skip
    answers = [{"id": 1, "hyp": "((1))"}, {"id": 2, "hyp": "contingent-failure"}, {"id": 3, "hyp": "()"}]
    ours = report_of(tmp_path, references, answers, options=ScoreOptions(ComparisonRules("curtain"))).sheets[0]
    assert [item.id for item in ours.items] == ["1", "4"]
    assert [(row.label, row.tally.right, row.tally.total) for row in ours.by_failure] == [
        ("contingent-failure", 1, 1), ("necessary-failure", 0, 1),
    ]  # fmt: skip
    for dialect in ("1989", "1992"):
        sheet = report_of(tmp_path, references, answers, options=ScoreOptions(ComparisonRules(dialect))).sheets[0]
        assert [item.id for item in sheet.items] == ["1"]
        assert dict(sheet.excluded) == {"presupposition-failure": 2, "context not evaluable": 1}
        assert sheet.by_failure == ()
    pooled = [reference | {"dialect": "curtain"} for reference in references[:3]]
    assert len(report_of(tmp_path, pooled, answers).sheets[0].by_failure) == 2


def test_alternatives_without_weights_are_all_worth_the_same(tmp_path: Path) -> None:
    reference = {"id": "1", "alternatives": [{"ref": "1"}, {"ref": '(("A"))', "max": '(("A" 2))'}]}
    report = report_of(tmp_path, [reference], ['{"id": "1", "hyp": "((2 \\"A\\"))"}'][0])
    assert item(report, "1").outcome == "correct"
    assert report.sheets[0].total.tally.credit is None


def test_all_readings_can_be_asked_for(tmp_path: Path) -> None:
    """papers/000, 3.3."""
    references = [{"id": "1", "ref": "(((1)) OR ((2)))"}, {"id": "2", "ref": "(((1)) OR ((2)))"}]
    answers = [{"id": "1", "hyp": "((1))"}, {"id": "2", "hyp": "((1 2))"}]
    report = report_of(tmp_path, references, answers, options=ScoreOptions(ComparisonRules(all_readings=True)))
    assert outcomes(report) == {"1": "incorrect", "2": "correct"}


def test_tables_give_the_figures_of_lines(tmp_path: Path) -> None:
    kinds: list[dict[str, Any]] = [
        {"ref": "(({n}))", "max": '(({n} "A"))'},
        {"ref": "(({n}))", "class": "D1", "context": ["0000"], "scenario": "s{k}"},
        {"ref": "((({n})) OR ((5)))", "weights": [1, 0.3], "class": "A", "site": "north", "dialect": "1992"},
        {"alternatives": [{"ref": "((1))", "weight": 3}, {"ref": "(({n}))", "max": "(({n} 2))", "weight": 1}]},
        {"ref": "TRUE", "yes_no": True, "class": "D", "context": ["0000", "0001"]},
        {"class": "X", "tags": ["unanswerable", "arithmetic"]},
        {"ref": "5", "context": ["0005"], "class": "D"},
        {"ref": "()", "class": "A"},
        {"ref": "contingent-failure", "dialect": "curtain"},
    ]
    hyps = ["(({n}))", '(({n} "A" 3))', "5", "TRUE", "()", "((1", None, "contingent-failure"]

    def text(value: Any, n: int) -> Any:
        return json.loads(json.dumps(value).replace("{n}", str(n % 4)).replace("{k}", str(n % 5)))

    references = [
        text(kinds[n % len(kinds)], n) | {"id": f"{n:04}", "speaker": f"s{n % 7}" if n % 90 else None}
        for n in range(700)
    ]
    systems = [[{"id": f"{n:04}", "hyp": text(hyps[(n + n // step) % 8], n)} for n in range(690)] for step in (9, 7)]
    lines = report_of(tmp_path, references, *systems)
    paths = [tmp_path / name for name in ("refs.jsonl", "system1.jsonl", "system2.jsonl")]
    for path in paths:
        duckdb.sql(f"COPY (FROM read_json('{path}', format='newline_delimited')) TO '{path.with_suffix('.parquet')}'")
    tables = [path.with_suffix(".parquet") for path in paths]
    of_tables = make_report(tables[0], tables[1:], OPTIONS)
    assert [(one.items, one.failing) for one in of_tables.sheets] == [(one.items, one.failing) for one in lines.sheets]
    assert len(lines.sheets[0].items) == 467 and len(lines.sheets[0].failing) == 77
    assert of_tables.contrast == lines.contrast
    assert report_csv(of_tables) == report_csv(lines)
    assert [one.excluded for one in of_tables.sheets] == [one.excluded for one in lines.sheets]
    # Lines and tables go together.
    assert make_report(tables[0], paths[1:], OPTIONS).contrast == lines.contrast


def test_lines_of_an_exported_table_are_read_as_its_parquet_file(tmp_path: Path) -> None:
    run([make_toy(tmp_path / "toy")], "parquet", out := tmp_path / "out", Filters(live=True))
    lines, table = (list(read_references(out / f"utterances.{kind}").values()) for kind in ("jsonl", "parquet"))
    assert [replace(one, line=0) for one in lines] == [replace(one, line=0) for one in table] != []


def test_a_pair_that_stands_many_times_is_judged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[str | None] = []

    def counting(*arguments: Any, **options: Any) -> Judgement:
        judged.append(arguments[0])
        return judge(*arguments, **options)

    monkeypatch.setattr(score_files, "judge", counting)
    references = [{"id": str(n), "ref": "((1))"} for n in range(9)]
    report = report_of(tmp_path, references, [{"id": str(n), "hyp": f"(({n % 2}))"} for n in range(9)])
    assert (judged, report.sheets[0].total.tally.right) == (["((0))", "((1))"], 4)


def test_each_tag_has_its_score_with_its_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tagged = [["negation"], ["negation", "date"], [], ["date"]]
    references = [{"id": str(n), "ref": f"(({n}))", "tags": tags} for n, tags in enumerate(tagged)]
    report = report_of(
        tmp_path, references, [{"id": str(n), "hyp": "((0))"} for n in range(4)],
        options=ScoreOptions(ComparisonRules(), by_tag=True),
    )  # fmt: skip
    rows = {row.label: (row.tally.right, row.tally.total, row.right) for row in report.by_tag[0]}
    assert rows == {"date": (0, 2, wilson(0, 2)), "negation": (1, 2, wilson(1, 2))}
    assert {(row["table"], row["label"]) for row in csv.DictReader(io.StringIO(report_csv(report)))} >= {
        ("tag", "date"), ("tag", "negation"),
    }  # fmt: skip
    print_report(report)
    assert "By tag" in capsys.readouterr().out


def test_the_example_in_the_documentation_is_read_as_it_stands(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "scoring.md").read_text("utf-8").splitlines()
    lines = [line for line in page if line.startswith(('{"id": "e00', "e00-"))]
    references, answers = lines[:3], lines[3:]
    assert ["class" in line for line in lines] == [True] * 3 + [False] * 3
    report = report_of(tmp_path, "\n".join(references), "\n".join((answers[0], answers[2])))
    assert outcomes(report) == {"e00-01-001": "correct", "e00-01-002": "correct"}
    assert float(item(report, "e00-01-002").credit) == 0.5


# -- problems -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ('{"ref": "1"}', "line 2 has no “id”."),
        ('{"id": "1", "ref": "1"}', "line 2 has the id “1” again; it is already in line 1."),
        ('{"id": "2"}', "line 2 has neither “ref” nor “alternatives”."),
        ('{"id": "2", "reference": "1"}', "line 2 has the unknown key “reference”; known are id, ref, max,"),
        ('{"id": "2", "ref": "1", "cas_min": "1"}', "line 2 has “ref” under two names."),
        ('{"id": "2", "ref": "1", "class": "B"}', "line 2 has the class “B”; there are A, D1, D, X."),
        ('{"id": "2", "ref": "1", "dialect": "1991"}', "line 2 has the dialect “1991”; there are 1989, 1990, 1992 and"),
        ('{"id": "2", "ref": "1", "tags": "x"}', "line 2 has no list of texts for “tags”."),
        ('{"id": "2", "ref": "1", "speaker": ["x"]}', "line 2 has a list for “speaker” where a text belongs."),
        ('{"id": "2", "ref": "1", "yes_no": 1}', "line 2 has a number for “yes_no” where true or false belongs."),
        ('{"id": "2", "ref": "1", "context": ["7"]}', "line 2 names “7” in “context”, which is not in the file."),
        ('{"id": "2", "ref": "(1 OR 2)", "weights": [1, 0]}', "line 2 has a weight that is no number over 0."),
        ('{"id": "2", "ref": "(1 OR 2)", "weights": 3}', "line 2 has no list of numbers for “weights”."),
        (
            '{"id": "2", "ref": "(1 OR 2)", "weights": [1]}',
            "cannot be used: the reference has 2 alternatives, “weights” has 1.",
        ),
        ('{"id": "2", "ref": "1", "alternatives": [{"ref": "1"}]}', "line 2 has “alternatives” beside “ref”"),
        ('{"id": "2", "alternatives": []}', "line 2 has no list of objects for “alternatives”."),
        ('{"id": "2", "alternatives": ["1"]}', "line 2 has an alternative that is no object."),
        (
            '{"id": "2", "alternatives": [{"cas": "1"}]}',
            "line 2 has the unknown key “cas”; known are ref, max, weight.",
        ),
        ('{"id": "2", "alternatives": [{"ref": null}]}', "line 2 has null for “ref”"),
        ('{"id": "2", "ref": "1", "sorted_by": "name"}', "line 2 has the order “name” in “sorted_by”"),
        ('{"id": "2", "ref": "1", "sorted_by": "2"}', "the order names column 2, the reference has 1"),
        ('{"id": "2", "ref": "((1"}', "order that cannot be used: line 1"),
        (
            '{"id": "2", "ref": "1", "max": "(1 OR 2)"}',
            "line 2 has a reference, maximum or order that cannot be used: Alternatives",
        ),
    ],
)
def test_a_problem_in_the_references_is_one_sentence_with_its_line(tmp_path: Path, reference: str, said: str) -> None:
    with pytest.raises(CurtainError) as caught:
        report_of(tmp_path, f'{{"id": "1", "ref": "1"}}\n{reference}\n', [])
    assert str(caught.value).startswith(str(tmp_path / "refs.jsonl"))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ('{"id": "9", "hyp": "1"}', "line 2 answers “9”, which is not in"),
        ("\x1b[31mred 1", "line 2 answers “\\u001b[31mred”, which is not in"),
        ('{"id": "1", "hyp": "2"}', "line 2 has the id “1” again; it is already in line 1."),
        ("1 5", "line 2 has the id “1” again; it is already in line 1."),
        (
            '{"id": "2", "hypothesis": "1"}',
            "line 2 has the unknown key “hypothesis”; known are id, hyp, sql, latency_ms, hyp_text, ms, message, text, "
            "partial, fault, context.",
        ),
        ('{"id": "2", "hyp": "1", "answer": "1"}', "line 2 has “hyp” under two names."),
        ('{"id": "2", "hyp": 5}', "line 2 has a number for “hyp” where a text belongs."),
        ('{"id": "2", "hyp": "5"', "line 2 is no JSON"),
        ('[{"id": "2", "hyp": "5"}]', "line 2 is no JSON object in { }"),
        (b"\xff\xfe", "line 2 is not UTF-8 text (byte 1)."),
    ],
)
def test_a_problem_in_the_answers_is_one_sentence_with_its_line(tmp_path: Path, answer: str | bytes, said: str) -> None:
    data = answer.encode() if isinstance(answer, str) else answer
    references = [{"id": "1", "ref": "1"}, {"id": "2", "ref": "1"}]
    with pytest.raises(CurtainError) as caught:
        report_of(tmp_path, references, b'{"id": "1", "hyp": "1"}\n' + data + b"\n")
    assert str(caught.value).startswith(str(tmp_path / "system1.jsonl"))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_without_references_or_without_itself_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CurtainError, match="has no references"):
        report_of(tmp_path, [], [])
    with pytest.raises(CurtainError, match="gone cannot be read: No such file"):
        make_report(tmp_path / "gone", [tmp_path / "gone"], OPTIONS)


def test_strict_refuses_a_malformed_answer_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(CurtainError, match=r"system1\.jsonl line 3 has a malformed answer: line 1"):
        report_of(tmp_path, REFERENCES, ANSWERS, options=ScoreOptions(ComparisonRules(), strict=True))


def test_a_file_without_answers_is_a_system_that_answers_nothing(tmp_path: Path) -> None:
    counts = report_of(tmp_path, REFERENCES, []).sheets[0].total.tally
    assert (counts.no_answer, counts.missing, counts.total) == (4, 4, 4)


# -- two systems, and the command ------------------------------------------------------------------------


def test_two_systems_are_compared_on_the_same_items(tmp_path: Path) -> None:
    report = report_of(tmp_path, REFERENCES, ANSWERS, [{"id": "3", "hyp": "5"}])
    assert [sheet.system for sheet in report.sheets] == ["system1", "system2"]
    assert report.contrast.table == ((0, 0, 1), (1, 0, 1), (0, 0, 1))


def test_systems_of_the_same_file_name_are_called_by_their_folders(tmp_path: Path) -> None:
    references = saved(tmp_path, "refs.jsonl", REFERENCES)
    files = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        files.append(saved(tmp_path / name, "answers.jsonl", ANSWERS))
    report = make_report(references, files, OPTIONS)
    assert [sheet.system for sheet in report.sheets] == ["first/answers.jsonl", "second/answers.jsonl"]


def test_the_command_prints_tables_or_json_and_writes_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = saved(tmp_path, "refs.jsonl", REFERENCES), saved(tmp_path, "mine.jsonl", ANSWERS)
    assert score_run(*files, out=tmp_path / "page", options=OPTIONS) == 0
    said = capsys.readouterr().out
    assert "By class" in said and "By speaker" in said and "-25.0" in said and "unanswerable" in said
    assert {path.name for path in (tmp_path / "page").iterdir()} == {
        "score.html", "score.json", "score.csv", "items.csv",
    }  # fmt: skip
    files = saved(tmp_path, "refs.jsonl", REFERENCES), saved(tmp_path, "mine.jsonl", ANSWERS)
    score_run(*files, options=OPTIONS, as_json=True)
    assert json.loads(capsys.readouterr().out)["systems"][0]["total"]["score"] == -25.0


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    files = saved(tmp_path, "refs.jsonl", REFERENCES), saved(tmp_path, "mine.jsonl", ANSWERS)
    with pytest.raises(CurtainError, match="cannot be written"):
        score_run(*files, out=files[0], options=OPTIONS)


def test_each_line_counts_by_its_own_dialect(tmp_path: Path) -> None:
    answer = "(5 OR 6)"
    lines = [{"id": "1", "ref": "5", "dialect": "1989"}, {"id": "2", "ref": "5"}]
    report = report_of(tmp_path, lines, [{"id": one["id"], "hyp": answer} for one in lines])
    reasons = {}
    for dialect in ("1989", "1992"):
        options = ScoreOptions(ComparisonRules(dialect))
        alone = report_of(tmp_path, [{"id": "1", "ref": "5"}], [{"id": "1", "hyp": answer}], options=options)
        reasons[dialect] = item(alone, "1").reason
    assert (item(report, "1").reason, item(report, "2").reason) == (reasons["1989"], reasons["1992"])
    assert item(report, "1").reason != item(report, "2").reason


@pytest.mark.parametrize(
    ("dialects", "named"),
    [((), "1992"), (("1989",), "1989"), (("1989", None), "1989 and 1992"), (("1990", "1990"), "1990")],
)
def test_the_page_names_the_dialects_of_the_references(
    tmp_path: Path, dialects: tuple[str | None, ...], named: str
) -> None:
    lines = [{"id": str(at), "ref": "5", "dialect": name} for at, name in enumerate(dialects or (None,))]
    report = report_of(tmp_path, [{k: v for k, v in line.items() if v} for line in lines], [{"id": "0", "hyp": "5"}])
    assert any(f"CAS dialect {named}," in sentence for sentence in method_of(report))
    assert json.loads(report_json(report))["dialect"] == named
