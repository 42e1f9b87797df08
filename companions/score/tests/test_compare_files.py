"""`curtain compare`: two files."""

import json
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.cas.errors import CasError
from curtain.cas.scoring.readings import ComparisonRules
from curtain_score.compare_files import compare_two

RULES = ComparisonRules()


def saved(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("hypothesis", "code", "word"),
    [
        ("((2) (1))", 0, "correct"), ("((1))", 1, "incorrect"), ("((1", 1, "malformed"),
        (b"\xff\xfe\x00", 1, "malformed"), (b"", 1, "malformed"), ("no_answer", 3, "no_answer"),
        ("(" * 1_000_000, 1, "malformed"), ("((" * 200_000 + "1", 1, "malformed"),
        ('"' + "x" * 5_000_000, 1, "malformed"),
    ],
)  # fmt: skip
def test_the_exit_code_and_the_first_word_say_the_verdict(
    tmp_path: Path, hypothesis: str | bytes, code: int, word: str
) -> None:
    said: list[str] = []
    files = saved(tmp_path, "ref", "((1) (2))"), saved(tmp_path, "hyp", hypothesis)
    assert compare_two(*files, rules=RULES, say=said.append) == code
    assert len(said) == 1 and len(said[0]) < 1000
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


def test_a_dialect_or_tolerance_that_there_is_not_is_one_sentence(tmp_path: Path) -> None:
    here = saved(tmp_path, "here", "1")
    for rules in (ComparisonRules("1991"), ComparisonRules(epsilon="-1")):
        with pytest.raises(CasError):
            compare_two(here, here, rules=rules)
