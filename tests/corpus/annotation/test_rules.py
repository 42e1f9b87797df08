"""The rules of annotation, case by case."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from curtain.base.errors import CurtainError
from curtain.corpus.annotation.rules import check, derive_category, derive_class
from curtain.corpus.annotation.tag_table import TagTable, era_of, load_table
from curtain.corpus.model.utterance import ContextLink, Redaction, Reference, Utterance

TABLE = load_table()
ONE = Reference("SELECT 1", "((1))")


def turn(number: int, eval_class: str | None = "A", outcome: str = "answer", **more: Any) -> Utterance:
    refs = () if eval_class == "X" or outcome != "answer" else (ONE,)
    more = {"scenario_id": "s", "query": "q", "references": refs, **more}
    return Utterance(f"e00-01-{number:03}", "e00-01", "e00", number, eval_class=eval_class, outcome=outcome, **more)


def link(number: int, to: str = "text") -> ContextLink:
    return ContextLink(f"e00-01-{number:03}", to)  # type: ignore[arg-type]


def said(number: int, eval_class: str | None, category: str | None, *tags: str, **more: Any) -> Utterance:
    more = {"references": () if eval_class == "X" else (ONE,), **more}
    return replace(turn(number, None), category=category, eval_class=eval_class, tags=tags, **more)  # type: ignore[arg-type]


def hiding(query: str, sro: str, in_text: Literal["query", "sro"] = "query") -> Utterance:
    """`quill` is hidden, with its part of the recording."""
    start = (query if in_text == "query" else sro).index("quill")
    one = said(1, "A", "0", sro=sro, redactions=(Redaction("name", 5, 9, start, start + 5, in_text=in_text),))
    return replace(one, query=query)


def blocking(annotation: Utterance, before: list[Utterance], year: int = 1992) -> list[tuple[str, str]]:
    return [(f.field, f.sentence) for f in check(annotation, before, TABLE, year) if f.blocks]


# -- from tags and context to the class -------------------------------------------------------------------

DERIVED: list[tuple[str, Utterance, list[Utterance], int, str, str]] = [
    ("no tag, no context", said(1, None, None), [], 1992, "A", "0"),
    ("a harmless tag", said(1, None, None, "wh-question"), [], 1992, "A", "0"),
    ("an excluding tag", said(1, None, None, "book"), [], 1992, "X", "X"),
    ("an excluding tag, context", said(2, None, None, "ill-formed", context=(link(1),)), [turn(1)], 1992, "X", "X"),
    ("the query before", said(2, None, None, context=(link(1),)), [turn(1)], 1992, "D1", "1"),
    ("the answer before", said(2, None, None, context=(link(1, "answer"),)), [turn(1)], 1992, "D1", "3"),
    ("text and answer before", said(2, None, None, context=(link(1), link(1, "answer"))), [turn(1)], 1992, "D1", "3"),
    ("further back", said(3, None, None, context=(link(1),)), [turn(1), turn(2)], 1992, "D", "3"),
    ("two turns", said(3, None, None, context=(link(1), link(2))), [turn(1), turn(2)], 1992, "D", "3"),
    ("over an excluded turn", said(3, None, None, context=(link(1),)), [turn(1), turn(2, "X")], 1992, "D1", "3"),
    ("over a turn without an answer", said(3, None, None, context=(link(1),)),
     [turn(1), turn(2, None, "message")], 1992, "D1", "3"),
    ("over a cancelled turn", said(3, None, None, context=(link(1),)), [turn(1), turn(2, "X", "cancelled")], 1992,
     "D1", "1"),
    ("on a dependent turn", said(3, None, None, context=(link(2),)), [turn(1), turn(2, "D1")], 1992, "D", "1"),
    ("no answer of the wizard", said(1, None, None, outcome="message"), [], 1992, "X", "X"),
    ("ambiguous in 1989", said(1, None, None, "testably-ambiguous"), [], 1989, "X", "X"),
    ("ambiguous in 1990", said(1, None, None, "testably-ambiguous"), [], 1990, "X", "X"),
    ("ambiguous in 1991", said(1, None, None, "testably-ambiguous"), [], 1991, "A", "X"),
    ("presupposition failure in 1989", said(1, None, None, "presupposition-failure"), [], 1989, "X", "X"),
    ("presupposition failure in 1990", said(1, None, None, "presupposition-failure"), [], 1990, "A", "X"),
    ("presupposition failure in 1993", said(1, None, None, "presupposition-failure"), [], 1993, "A", "X"),
    ("arithmetic in 1989", said(1, None, None, "arithmetic"), [], 1989, "A", "0"),
    ("arithmetic in 1990", said(1, None, None, "arithmetic"), [], 1990, "A", "0"),
    ("arithmetic in 1991", said(1, None, None, "arithmetic"), [], 1991, "X", "0"),
    ("a reason of 1989 in 1992", said(1, None, None, reasons=("sorting",)), [], 1992, "A", "X"),
    ("a reason of 1992", said(1, None, None, reasons=("beyond_language",)), [], 1992, "X", "0"),
]  # fmt: skip


@pytest.mark.parametrize(("why", "annotation", "before", "year", "eval_class", "category"), DERIVED)
def test_class_and_category_follow(
    why: str, annotation: Utterance, before: list[Utterance], year: int, eval_class: str, category: str
) -> None:
    assert derive_class(annotation, before, TABLE, year) == eval_class, why
    assert derive_category(annotation, before, TABLE) == category, why


# -- what may be saved ---------------------------------------------------------------------------------

# Beside what the annotated turns of the toy show, of which none breaks a rule.
LEGAL: list[tuple[str, Utterance, list[Utterance], int]] = [
    ("an ellipsis further back", said(3, "D", "2", context=(link(1),)), [turn(1), turn(2)], 1992),
    ("X with a tag that says nothing and one that does",
     said(1, "X", "X", "unanswerable", "wh-question", outcome="message"), [], 1992),
    ("X with a tag that says nothing and a note",
     said(1, "X", "X", "wh-question", outcome="message", notes=("about the weather",)), [], 1992),
]  # fmt: skip


@pytest.mark.parametrize(("why", "annotation", "before", "year"), LEGAL)
def test_a_good_annotation_has_no_problem(why: str, annotation: Utterance, before: list[Utterance], year: int) -> None:
    assert blocking(annotation, before, year) == [], why


SIX = tuple(Reference(f"SELECT {n}", f"(({n}))") for n in range(7))

ILLEGAL: list[tuple[Utterance, list[Utterance], str, str]] = [
    (said(1, None, "0"), [], "eval_class", "no class yet"),
    (said(1, "A", None), [], "category", "no category yet"),
    (said(1, "X", "X"), [], "tags", "only class A may stand alone"),
    (said(1, "X", "X", "wh-question", outcome="message"), [], "tags", "does not say why the class is X"),
    (said(1, "X", "X", "wh-question", outcome="message", reasons=("no_database_answer",)), [], "tags", "or a note"),
    (said(1, "X", "X", "wh-question"), [], "eval_class", "No tag and no reason here excludes"),
    (said(1, "A", "0", "book"), [], "eval_class", "“book” excludes"),
    (said(1, "A", "0", "book"), [], "category", "“book” excludes by the rules of 1989"),
    (said(1, "A", "0", outcome="message"), [], "eval_class", "no database answer"),
    (said(1, "D", "0"), [], "eval_class", "Without a pointer"),
    (said(2, "A", "1", context=(link(1),)), [turn(1)], "eval_class", "D1"),
    (said(3, "D1", "3", context=(link(1),)), [turn(1), turn(2)], "eval_class", "immediately before (turn 2)"),
    (said(3, "D1", "1", context=(link(2),)), [turn(1), turn(2, "D1")], "eval_class", "of class A"),
    (said(2, "D1", "0", context=(link(1),)), [turn(1)], "category", "Category 0 needs no context"),
    (said(1, "A", "1"), [], "category", "there is no pointer"),
    (said(2, "D1", "1", context=(link(1, "answer"),)), [turn(1)], "category", "the text of the query immediately"),
    (said(3, "D", "1", context=(link(1),)), [turn(1), turn(2)], "category", "immediately before"),
    (said(2, "D1", "3", context=(link(1),)), [turn(1)], "category", "this is category 1"),
    (said(1, "A", "X"), [], "category", "Nothing here excludes"),
    (said(2, "D1", "1", context=(link(1),), history_cleared=True), [turn(1)], "context", "pointed to"),
    (said(3, "D", "3", context=(link(1),)), [turn(1), turn(2, history_cleared=True)], "context", "pointed to"),
    (said(2, "D1", "1", context=(link(1),), scenario_id="t"), [turn(1)], "context", "pointed to"),
    (said(2, "D", "3", context=(link(2),)), [turn(1)], "context", "no earlier turn"),
    (said(2, "D", "3", context=(link(7),)), [turn(1)], "context", "no earlier turn"),
    (said(2, "D", "3", context=(link(1), link(1))), [turn(1)], "context", "stands twice"),
    (said(2, "D", "3", context=(link(1),)), [turn(1, "X", "cancelled")], "context", "nothing to point to"),
    (said(2, "D", "3", context=(link(1, "answer"),)), [turn(1, "X", "message")], "context", "has no answer"),
    (said(1, "A", "0", "wh-question", "wh-question"), [], "tags", "stands twice"),
    (said(1, "A", "0", "our-own"), [], "tags", "none of the 19"),
    (said(1, "A", "0", site_tags=("book",)), [], "tags", "one of the 19"),
    (said(1, "X", "X", "unanswerable", outcome="cancelled"), [], "tags", "“cancelled”"),
    (said(1, "X", "X", "book", reasons=("because",)), [], "reasons", "no reason “because”"),
    (said(1, "A", "0", references=()), [], "references", "needs a minimum answer"),
    (said(1, "A", "0", references=(Reference("SELECT 1", None),)), [], "references", "run its statement"),
    (said(1, "A", "0", references=(Reference(None, "((1)"),)), [], "references", "cannot be read"),
    (said(1, "A", "0", references=(Reference(None, "((1))", None, "(("),)), [], "references", "maximum answer"),
    (said(1, "A", "0", references=(replace(ONE, weight=0.0),)), [], "references", "over 0"),
    (said(1, "A", "X", "testably-ambiguous", references=SIX), [], "references", "More than 6 readings"),
    (said(1, "A", "0", references=SIX[:2]), [], "tags", "needs the tag “testably-ambiguous”"),
    (said(1, "A", "X", "testably-ambiguous"), [], "tags", "two to six readings"),
    (said(1, "A", "0", references=(replace(ONE, reads="with_context"),)), [], "references", "of each kind"),
    (said(1, "A", "0", references=(ONE, replace(ONE, reads="with_context"))), [], "references", "or none does"),
    (said(1, "A", "0", references=(replace(ONE, reads="with_context"), replace(ONE, reads="without_context"))), [],
     "context", "there is no pointer"),
    (said(1, "A", "0", "yes/no"), [], "tags", "“yes/no”"),
    (said(1, "A", "0", yes_no=True), [], "tags", "“yes/no”"),
    (said(1, "A", "0", sro="<show me"), [], "transcription", "At sign 1"),
    (said(1, "A", "0", sro="what is 5"), [], "transcription", "as the words that were spoken"),
    (said(1, "A", "0", redactions=(Redaction("name"),)), [], "redaction", "neither text nor recording"),
    (said(1, "A", "0", redactions=(Redaction("name", 5, 2),)), [], "redaction", "ends before it begins"),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "before", "field", "part"), ILLEGAL)
def test_a_bad_annotation_is_reported_in_one_sentence(
    annotation: Utterance, before: list[Utterance], field: str, part: str
) -> None:
    found = blocking(annotation, before)
    assert [sentence for where, sentence in found if where == field and part in sentence], found
    assert all(sentence.endswith((".", ")")) and "\n" not in sentence for _, sentence in found)


REMARKS: list[tuple[Utterance, list[Utterance], str]] = [
    (said(2, "D", "1", context=(link(1),)), [turn(1, "X")], "cannot be scored either"),
    (said(1, "A", "0", site_tags=("mumbling",)), [], "not in annotation.toml"),
    (said(1, "A", "0", cut_short=True), [], "trunc-utt"),
    (said(1, "A", "X", "testably-ambiguous", references=(ONE, replace(ONE, sql_min="SELECT 1.0"))), [], "same minimum"),
    (said(1, "A", "0", redactions=(Redaction("name", start_char=0, end_char=3),)), [], "whole recording"),
    (hiding("it is quill", "it is kwill"), [], "is not in the transcription"),
    (hiding("it is kwill", "it is quill", in_text="sro"), [], "is not in the query"),
    (hiding("it is quill", "quill it is quill"), [], "said once more"),
    (said(1, "A", "0", sro="what is this?"), [], "Leave out punctuation"),
]


@pytest.mark.parametrize(("annotation", "before", "part"), REMARKS)
def test_a_remark_does_not_keep_from_saving(annotation: Utterance, before: list[Utterance], part: str) -> None:
    remarks = [problem for problem in check(annotation, before, TABLE, 1992) if part in problem.sentence]
    assert remarks and not any(problem.blocks for problem in remarks)


# -- years, tables, the toy ----------------------------------------------------------------------------


@pytest.mark.parametrize(("year", "era"), [(1985, 1989), (1989, 1989), (1990, 1990), (1991, 1992), (1993, 1992)])
def test_a_year_belongs_to_a_rule_book(year: int, era: int) -> None:
    assert era_of(year) == era


def test_there_are_19_tags_and_each_reason_has_one_of_them() -> None:
    assert len(TABLE.tags) == 19
    assert {reason.tag for reason in TABLE.reasons.values()} <= set(TABLE.tags)


def own_table(folder: Path, text: str) -> TagTable:
    (folder / "annotation.toml").write_text(text, "utf-8")
    return load_table(folder)


def test_a_study_changes_the_table_and_adds_its_own(tmp_path: Path) -> None:
    table = own_table(
        tmp_path,
        "[tag.book]\nexcludes = false\n[tag.mumbling]\nexcludes = [1992]\n"
        '[reason.tired]\nyears = [1992]\ntag = "book"\n',
    )
    assert table.tags["book"].excludes == frozenset() and table.tags["book"].means == TABLE.tags["book"].means
    assert table.tags["mumbling"].site and not table.tags["book"].site
    assert derive_class(said(1, None, None, "book"), [], table, 1992) == "A"
    assert derive_class(said(1, None, None, site_tags=("mumbling",)), [], table, 1992) == "X"
    assert derive_class(said(1, None, None, site_tags=("mumbling",)), [], table, 1990) == "A"
    offered = {year: [one.name for one in table.offered_reasons(year) if one.site] for year in (1990, 1992)}
    assert offered == {1990: [], 1992: ["tired"]}


BAD_TABLES = [
    ("[tag.book]\nexcludes = 5\n", "line 1: “book”: “excludes” must be true, false or a list of years"),
    ("[tag.book]\nexclude = true\n", "line 2: “exclude” is not known here. Did you mean “excludes”"),
    ("[tags.book]\n", "Did you mean “tag”"),
    ("[tag]\nbook = true\n", "line 1: write [tag.name]"),
    ('[tag."two words"]\n', "a tag is one word"),
    ('[reason.x]\ntag = "nothing"\n', "there is no tag “nothing”"),
    ("[tag.book\n", "not readable as TOML"),
    ("[tag.book]\nmeans = 1\n", "“means” must be a text"),
]


@pytest.mark.parametrize(("text", "part"), BAD_TABLES)
def test_a_bad_table_is_named_with_its_line(tmp_path: Path, text: str, part: str) -> None:
    with pytest.raises(CurtainError) as raised:
        own_table(tmp_path, text)
    assert part in str(raised.value) and "annotation.toml" in str(raised.value)
