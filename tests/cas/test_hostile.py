"""Texts that are no answers, by accident or by intent: a plain sentence or a verdict, soon, and never a crash."""

from random import Random

import pytest

from curtain.cas import CasError, compare, parse

from .reading_cases import read_cases

MUTANTS = 10_000
STEPS = 100_000
PIECES = ("(", ")", '"', " ", "\n", "\t", "OR", " OR ", "NIL", "/*", "*/", "-", ".", "0", "9" * 30, "\x00", "é", "\\")


@pytest.mark.parametrize("dialect", ["1989", "1990", "1992"])
def test_mutated_answers_are_read_or_refused_within_a_few_steps(dialect: str):
    rng = Random(dialect)
    seeds = [case.reference for case in read_cases()] + [case.hypothesis for case in read_cases()]
    refused = 0
    for _ in range(MUTANTS):
        text = mutated(rng.choice(seeds), rng)
        # A limit on steps, not on seconds: beyond it the verdict is “undecided”, on any machine.
        verdict = compare(text, "((4456))", dialect=dialect, limit=STEPS)
        refused += verdict.outcome == "malformed"
        assert verdict.outcome in ("correct", "incorrect", "no_answer", "malformed"), text
    assert 0.2 * MUTANTS < refused < MUTANTS


def mutated(text: str, rng: Random) -> str:
    """A text with one to four pieces inserted, cut out, doubled or exchanged."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randint(0, len(text))
        end = min(len(text), start + rng.randint(0, 6))
        change = rng.randrange(4)
        piece = rng.choice(PIECES) if change < 2 else text[start:end] * 2 if change == 2 else ""
        text = text[:start] + piece + text[start if change == 0 else end :]
    return text


LARGE = 100_000_000
HOSTILE = [
    ("100 MB of opening parentheses", lambda: "(" * LARGE, "line 1, column 4: expected a value"),
    ("100 MB of both, balanced", lambda: "(" * (LARGE // 2) + ")" * (LARGE // 2), "line 1, column 4: expected a value"),
    ("50 MB of parentheses in an open string", lambda: '(("' + ")" * (LARGE // 2), "a second quote"),
    ("tuples 200,000 deep", lambda: "(" * 200_000 + "1" + ")" * 200_000, "line 1, column 4: expected a value"),
    ("alternatives 50,000 deep, unclosed", lambda: "(1 OR " * 50_000, "line 1, column 300001: expected an answer"),
    ("binary", lambda: bytes(range(256)).decode("latin-1") * 1_000, "control character 0"),
    ("a second answer", lambda: "((1)) " * 100_000, "line 1, column 7: expected the end of the text"),
    ("a ragged row at the end", lambda: "(" + "(1 2)" * 20_000 + "(3))", "line 1, column 100004: expected 2 values"),
    ("a row 100,000 wide and one not", lambda: "((" + "1 " * 100_000 + ")(1))", "expected 100000 values"),
]


@pytest.mark.parametrize(("make", "message"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE])
def test_hostile_texts_get_a_plain_sentence(make, message: str):
    with pytest.raises(CasError) as raised:
        parse(make())
    assert message in str(raised.value)
    assert len(str(raised.value)) < 200


def test_alternatives_50_000_deep_are_an_answer():
    text = "(1 OR " * 50_000 + "2" + ")" * 50_000
    reference = parse(text)
    assert len(reference.answers) == 50_001
    assert compare("2", reference).is_correct
    assert compare(reference, "2").outcome == "malformed"


def test_numbers_of_100_000_digits_are_compared():
    digits = "7" * 100_000
    assert compare(f"{digits}.5", f"{digits}.25").is_correct
    assert compare(f"{digits}1", f"{digits}2").outcome == "incorrect"
    assert compare(f"(({digits}1 1.0))", f"((1.0 {digits}2.0))").is_correct


def test_a_table_much_wider_than_any_answer_is_compared():
    row = " ".join(map(str, range(2_000)))
    assert compare(f"(({row}))", f"(({row}))").is_correct
    assert compare(f"(({row}))", "((1999 0))").is_correct
