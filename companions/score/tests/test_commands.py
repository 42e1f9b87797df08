"""The commands from their arguments to their exit codes."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companions.score.tests.test_compare_files import saved
from curtain.base.errors import CurtainError
from curtain.base.python_process import module_environment
from curtain_score.commands.answers import compare, score


@pytest.mark.parametrize(
    ("reference", "hypothesis", "options", "code"),
    [
        ("53200.0", "53198.8", {}, 0),  # papers/000, section 4: the allowance on 53200.0 is about 5.32
        ("53200.0", "53190.9", {}, 1),
        ("53200.0", "53190.9", {"epsilon": "0.001"}, 0),
        ("53200.0", "NO_ANSWER", {}, 3),
        ("((1))", "YES", {"dialect": "1990", "yes_no": True}, 0),
        ("((1))", "YES", {"dialect": "1990"}, 1),
        ("FALSE", "no /* as of old */", {"dialect": "1989"}, 1),
        ("FALSE", "no /* as of old */", {"dialect": "1989", "lenient": True}, 0),
    ],
)
def test_one_answer_is_judged_by_the_options(
    tmp_path: Path, reference: str, hypothesis: str, options: dict[str, Any], code: int
) -> None:
    files = saved(tmp_path, "ref", reference), saved(tmp_path, "hyp", hypothesis)
    assert compare(*files, **options) == code


def test_the_order_that_was_asked_for_is_an_option(tmp_path: Path) -> None:
    files = saved(tmp_path, "ref", "((1) (2))"), saved(tmp_path, "hyp", "((2) (1))")
    assert [compare(*files, sorted_by=order) for order in ("", "1 desc", "1")] == [0, 0, 1]
    with pytest.raises(CurtainError, match=r"ref does not go with .* the order names column 2, the reference has 1"):
        compare(*files, sorted_by="2")
    with pytest.raises(CurtainError, match="“2 desc, 1” would"):
        compare(*files, sorted_by="salary")


def test_pairs_go_to_standard_output_and_a_missing_answer_is_no_answer_in_every_dialect(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert compare(None, None, pairs=saved(tmp_path, "p.jsonl", '{"id": 1, "ref": "1", "hyp": "1"}')) == 0
    assert json.loads(capfdbinary.readouterr().out) == {"id": 1, "verdict": "correct", "reason": ""}
    pairs = saved(tmp_path, "p.jsonl", '{"id": 1, "ref": "1", "hyp": null}')
    assert compare(None, None, pairs=pairs, dialect="1989") == 0
    assert json.loads(capfdbinary.readouterr().out)["verdict"] == "no_answer"


@pytest.mark.parametrize(
    ("files", "options", "said"),
    [
        ((None, None), {}, "Give the files REF and HYP"),
        ((Path("a"), None), {}, "Give the files REF and HYP"),
        ((Path("a"), Path("b")), {"pairs": Path("c")}, "--pairs stands alone"),
        ((None, None), {"pairs": Path("c"), "yes_no": True}, "--pairs stands alone"),
        ((None, None), {"pairs": Path("gone.jsonl")}, "gone.jsonl cannot be read: No such file"),
        ((Path("a"), Path("b")), {"dialect": "2024"}, "choose 1989, 1990, 1992 or curtain"),
        ((Path("a"), Path("b")), {"epsilon": "1/10"}, "The tolerance '1/10'"),
    ],
)
def test_arguments_that_do_not_go_together_are_one_sentence(
    files: tuple[Path | None, Path | None], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(CurtainError, match=said):
        compare(*files, **options)


def test_scoring_gives_0_and_a_seed_below_0_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = saved(tmp_path, "refs.jsonl", '{"id": "1", "ref": "1"}'), saved(tmp_path, "mine.jsonl", "1 1")
    assert score(files[0], files[1], as_json=True) == 0
    assert json.loads(capsys.readouterr().out)["systems"][0]["total"]["right"] == 1
    with pytest.raises(CurtainError, match="--seed -1 cannot be"):
        score(files[0], files[1], seed=-1)


_HEAVY = {"PySide6", "duckdb", "sqlglot", "pydantic", "numpy", "multiprocessing"}


@pytest.mark.parametrize("words", [["--help"], ["compare", "ref.cas", "ref.cas"], ["score", "--help"]])
def test_what_needs_no_database_and_no_window_loads_none(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "ref.cas").write_text("((1 2))", "utf-8")
    code = (
        "import sys\nfrom curtain.commands.cli import main\n"
        f"sys.argv = ['curtain', *{words!r}]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print(sorted({_HEAVY!r} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=module_environment(), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
