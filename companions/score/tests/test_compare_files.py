"""`curtain compare`: two files, and streams of pairs."""

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from curtain.base.errors import CurtainError
from curtain.cas.scoring.readings import ComparisonRules
from curtain_score.compare_files import compare_pairs, compare_two

RULES = ComparisonRules()


class Written(io.BytesIO):
    @property
    def objects(self) -> list[dict[str, str]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


def saved(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


# -- two files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hypothesis", "code", "word"),
    [
        ("((2) (1))", 0, "correct"), ("((1))", 1, "incorrect"), ("((1", 1, "malformed"),
        (b"\xff\xfe\x00", 1, "malformed"), (b"", 1, "malformed"), ("no_answer", 3, "no_answer"),
    ],
)  # fmt: skip
def test_the_exit_code_and_the_first_word_say_the_verdict(
    tmp_path: Path, hypothesis: str | bytes, code: int, word: str
) -> None:
    said: list[str] = []
    files = saved(tmp_path, "ref", "((1) (2))"), saved(tmp_path, "hyp", hypothesis)
    assert compare_two(*files, rules=RULES, say=said.append) == code
    assert len(said) == 1
    assert said[0].split(":")[0] == word


def test_the_maximum_is_taken_into_account(tmp_path: Path) -> None:
    said: list[str] = []
    files = [saved(tmp_path, *one) for one in (("ref", '(("A"))'), ("hyp", '(("A" 1))'), ("max", '(("A" "B"))'))]
    assert compare_two(*files, rules=RULES, say=said.append) == 1
    assert compare_two(*files[:2], rules=RULES, say=said.append) == 0


def test_json_has_verdict_and_reason(tmp_path: Path) -> None:
    said: list[str] = []
    files = saved(tmp_path, "ref", "1"), saved(tmp_path, "hyp", "2")
    compare_two(*files, rules=RULES, as_json=True, say=said.append)
    found = json.loads(said[0])
    assert found["verdict"] == "incorrect"
    assert found["reason"]


@pytest.mark.parametrize(
    ("ref", "maximum", "said"),
    [
        ("((1", None, "ref is no answer: line 1"),
        (b"\xff", None, "ref is no answer: it is not UTF-8 text"),
        ("1", "((", "max is no answer: line 1"),
        ("(1 OR 2)", "1", "ref does not go with its maximum"),
    ],
)
def test_a_reference_or_maximum_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, ref: str | bytes, maximum: str | None, said: str
) -> None:
    most = saved(tmp_path, "max", maximum) if maximum else None
    with pytest.raises(CurtainError, match=said):
        compare_two(saved(tmp_path, "ref", ref), saved(tmp_path, "hyp", "1"), most, rules=RULES)


def test_a_file_that_is_not_there_and_a_folder_are_one_sentence(tmp_path: Path) -> None:
    here = saved(tmp_path, "here", "1")
    with pytest.raises(CurtainError, match=r"There is no file .*gone"):
        compare_two(here, tmp_path / "gone", rules=RULES)
    with pytest.raises(CurtainError, match="cannot be read"):
        compare_two(tmp_path, here, rules=RULES)


# -- pairs ------------------------------------------------------------------------------------------------

PAIRS: list[Any] = [
    {"id": "a", "ref": "((1) (2))", "hyp": "((2) (1))"}, {"id": "b", "ref": "1", "hyp": "2"},
    {"id": "c", "ref": "1", "hyp": "NO_ANSWER"}, {"id": "d", "ref": "1", "hyp": "((1"},
    {"id": "e", "ref": '(("A"))', "hyp": '(("A" 1))', "max": '(("A" "B"))'},
    {"id": 6, "ref": "1", "hyp": None, "max": None, "yes_no": None},
    {"id": "ü\ud800", "ref": "1", "hyp": "1", "yes_no": False},
]  # fmt: skip
VERDICTS = ["correct", "incorrect", "no_answer", "malformed", "incorrect", "no_answer", "correct"]


def lines_of(pairs: list[Any]) -> str:
    return "".join(json.dumps(pair) + "\n" for pair in pairs)


def test_each_pair_gives_a_line_with_id_verdict_and_reason_in_order(tmp_path: Path) -> None:
    out = Written()
    assert compare_pairs(saved(tmp_path, "p.jsonl", lines_of(PAIRS)), rules=RULES, out=out) == 0
    assert [one["verdict"] for one in out.objects] == VERDICTS
    assert [one["id"] for one in out.objects] == [pair["id"] for pair in PAIRS]
    assert all(list(one) == ["id", "verdict", "reason"] for one in out.objects)


def test_the_yes_no_mark_belongs_to_the_pair(tmp_path: Path) -> None:
    pairs: list[dict[str, object]] = [
        {"id": mark, "ref": "((1))", "hyp": "YES", "yes_no": mark == "marked"} for mark in ("marked", "not")
    ]
    out = Written()
    compare_pairs(saved(tmp_path, "p.jsonl", lines_of(pairs)), rules=ComparisonRules("1990"), out=out)
    assert [one["verdict"] for one in out.objects] == ["correct", "incorrect"]


def test_a_packed_file_and_standard_input_are_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = lines_of(PAIRS).encode()
    packed, piped = Written(), Written()
    compare_pairs(saved(tmp_path, "p.jsonl.gz", gzip.compress(text)), rules=RULES, out=packed)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    compare_pairs(Path("-"), rules=RULES, out=piped)
    assert packed.getvalue() == piped.getvalue()
    assert len(packed.objects) == len(PAIRS)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "line 2 is no JSON: expecting value at column 1."),
        ("[1]", "line 2 is no JSON object in { }."),
        (b"\xff\xfe\x01", "line 2 is not UTF-8 text (byte 1)."),
        (b"\x00" * 50, "line 2 is no JSON"),
        ('{"id": "x", "ref": "1"}', "line 2 has no “hyp”."),
        ('{"ref": "1", "hyp": "1"}', "line 2 has no “id”."),
        (
            '{"id": "x", "ref": "1", "hyp": "1", "hypo": 1}',
            "line 2 has the unknown key “hypo”; known are id, ref, hyp, max, yes_no, sorted_by.",
        ),
        ('{"id": "x", "id": "y", "ref": "1", "hyp": "1"}', "line 2 has “id” twice."),
        ('{"id": "x", "ref": 1, "hyp": "1"}', "line 2 has a number for “ref” where a text belongs."),
        ('{"id": "x", "ref": null, "hyp": "1"}', "line 2 has null for “ref”"),
        ('{"id": "x", "ref": "1", "hyp": ["1"]}', "line 2 has a list for “hyp”"),
        ('{"id": "x", "ref": "1", "hyp": "1", "yes_no": "yes"}', "line 2 has a text for “yes_no”"),
        ('{"id": [], "ref": "1", "hyp": "1"}', "line 2 has no text for “id”."),
        ('{"id": NaN, "ref": "1", "hyp": "1"}', "line 2 has NaN, which is no JSON."),
        ('{"id": ' + "9" * 5000 + ', "ref": "1", "hyp": "1"}', "line 2 has a number of 5000 digits."),
        ('{"id": "x", "ref": "((1", "hyp": "1"}', "order that cannot be used: line 1"),
        ('{"id": "x", "ref": "1", "max": ")", "hyp": "1"}', "line 2 has a reference, maximum or order"),
        ("[" * 200_000, "line 2 is nested too deeply."),
    ],
)
def test_a_line_that_cannot_be_used_is_named_and_nothing_else_is_lost(
    tmp_path: Path, line: str | bytes, said: str
) -> None:
    data = line.encode() if isinstance(line, str) else line
    good = lines_of(PAIRS[:1]).encode()
    out, sentences = Written(), list[str]()
    path = saved(tmp_path, "p.jsonl", good + data + b"\n" + good)
    assert compare_pairs(path, rules=RULES, out=out, say=sentences.append) == 2
    assert [one["verdict"] for one in out.objects] == ["correct", "correct"]
    assert len(sentences) == 1
    assert said in sentences[0]
    assert sentences[0].startswith(str(path))


def test_many_bad_lines_are_reported_one_by_one_up_to_twenty(tmp_path: Path) -> None:
    sentences: list[str] = []
    compare_pairs(saved(tmp_path, "p.jsonl", "x\n" * 50), rules=RULES, out=Written(), say=sentences.append)
    assert len(sentences) == 21
    assert sentences[-1] == "30 more lines could not be used either."


@pytest.mark.parametrize("text", ["(" * 1_000_000, "((" * 200_000 + "1", '"' + "x" * 5_000_000])
def test_a_monstrous_answer_is_malformed_and_soon(tmp_path: Path, text: str) -> None:
    out = Written()
    pairs: list[dict[str, object]] = [{"id": "x", "ref": "((1))", "hyp": text}]
    assert compare_pairs(saved(tmp_path, "p.jsonl", lines_of(pairs)), rules=RULES, out=out) == 0
    assert out.objects[0]["verdict"] == "malformed"
    assert len(out.getvalue()) < 1000


def test_an_empty_file_has_no_pairs_and_empty_lines_are_none(tmp_path: Path) -> None:
    out = Written()
    assert compare_pairs(saved(tmp_path, "p.jsonl", "\n \n"), rules=RULES, out=out) == 0
    assert out.getvalue() == b""


def test_a_damaged_archive_is_one_sentence(tmp_path: Path) -> None:
    broken = gzip.compress(lines_of(PAIRS).encode())[:-20]
    with pytest.raises(CurtainError, match=r"p\.jsonl\.gz cannot be read"):
        compare_pairs(saved(tmp_path, "p.jsonl.gz", broken), rules=RULES, out=Written())
