"""The conventions of the detailed transcription, as tables, and what holds for any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.corpus.annotation.letters import lower
from curtain.corpus.annotation.sro import check_sro, lsn_of, lsn_of_query, tokens

WORDS = [
    ("show me the flights", "SHOW ME THE FLIGHTS"),
    ("<show me> list the clerks", "SHOW ME LIST THE CLERKS"),
    ("the *reveloo* *two words*", "THE REVELOO TWO WORDS"),
    ("-ston boston", "BOSTON"),
    ("<cler-> clerks", "CLERKS"),
    ("list [<cough] them [door_slam>] now", "LIST THEM NOW"),
    ("[phone_ring/] list them [/phone_ring]", "LIST THEM"),
    ("~ and their salaries ~", "AND THEIR SALARIES"),
    ("~and their salaries~", "AND THEIR SALARIES"),
    (r"an I\. B\. M\. machine", "AN I. B. M. MACHINE"),
    (r"\[ is a sign", "[ IS A SIGN"),
    ("((forty or so)) of them", "FORTY OR SO OF THEM"),
    ("[uh] [um] well", "WELL"),
    ("josé o'hara twenty-one", "JOSÉ O'HARA TWENTY-ONE"),
    ("", ""),
]


@pytest.mark.parametrize(("sro", "lsn"), WORDS)
def test_the_lexical_form_keeps_the_words_and_drops_the_marks(sro: str, lsn: str) -> None:
    assert lsn_of(sro) == lsn
    assert [problem for problem in check_sro(sro) if problem.blocks] == []


PROBLEMS = [
    ("<show me", 0, 1, "the end is missing"),
    ("show> me", 4, 5, "the beginning is missing"),
    ("<> me", 0, 2, "nothing between"),
    ("<a <b> c", 0, 1, "the end is missing"),
    ("the *word", 4, 5, "one is missing"),
    ("[Lip Smack] list", 0, 1, "without spaces"),
    ("[Cough] list", 0, 7, "is no noise"),
    ("list[cough]", 4, 11, "a space on both sides"),
    ("list [cough", 5, 6, "without spaces"),
    ("[/cough] list", 0, 8, "missing before this end"),
    ("[cough/] list", 0, 8, "missing behind this beginning"),
    ("[cough/] a [cough/] b [/cough]", 11, 19, "a second time"),
    ("[<cough] list", 0, 8, "no word before"),
    ("list [cough>]", 5, 13, "no word behind"),
    ("list ~ them", 5, 6, "only at the very start or end"),
    ("REVO(LUTIONARY) plan", 4, 15, "ends in “-”"),
    ("re()- plan", 2, 4, "was not spoken"),
    ("(plan them", 0, 1, "no partner"),
    ("((forty of them", 0, 2, "the end is missing"),
    ("forty)) of them", 5, 7, "“((” and “))”"),
    ("list - them", 5, 6, "no word"),
    ("al!l", 2, 3, "before the stressed word"),
    ("all !", 4, 5, "before the stressed word"),
    (":all", 0, 1, "after the lengthened sound"),
    ("all \\", 4, 5, "backslash"),
]


@pytest.mark.parametrize(("sro", "start", "end", "part"), PROBLEMS)
def test_a_problem_is_named_with_its_place(sro: str, start: int, end: int, part: str) -> None:
    found = [problem for problem in check_sro(sro) if problem.blocks]
    assert (start, end) in [(problem.start, problem.end) for problem in found if part in problem.sentence], found


@pytest.mark.parametrize("sro", ["list them, please", "what?", r"the \5 key"])
def test_punctuation_is_no_more_than_a_remark(sro: str) -> None:
    assert not any(problem.blocks for problem in check_sro(sro))


@pytest.mark.parametrize("sro", ["department 45", "at 5:20", "the DC10"])
def test_figures_do_not_stay(sro: str) -> None:
    assert [problem.sentence for problem in check_sro(sro) if problem.blocks][:1] == [
        "Write numbers as the words that were spoken."
    ]


QUERIES = [
    ("What is Mary Smith's salary?", "WHAT IS MARY SMITH'S SALARY"),
    ("list the “clerks” (all of them), please!", "LIST THE CLERKS ALL OF THEM PLEASE"),
    ("who earns over $50000 at 9 a.m.", "WHO EARNS OVER $50000 AT 9 A.M."),
    ("what - if anything - is there", "WHAT IF ANYTHING IS THERE"),
    ("josé – or 北京?", "JOSÉ OR 北京"),
    ("{ a | b } [x]", "A B X"),
]


@pytest.mark.parametrize(("query", "lsn"), QUERIES)
def test_the_words_of_a_typed_query_stand_in(query: str, lsn: str) -> None:
    assert lsn_of_query(query) == lsn


# Every letter and mark stays, in the capitals of the language.
LANGUAGES = [
    ("de", "Wie heißt die Straße?", "WIE HEIẞT DIE STRAẞE"), ("tr", "ısı İstanbul iyi", "ISI İSTANBUL İYİ"),
    ("en", "ısı", "ıSı"), ("hi", "हिन्दी में।", "हिन्दी में"), ("th", "ภาษาไทยที่นี่", "ภาษาไทยที่นี่"),
    ("ar", "«كَتَبَ»", "كَتَبَ"), ("el", "ο σοφός", "Ο ΣΟΦΌΣ"), ("fa", "می\u200cخواهم", "می\u200cخواهم"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "query", "lsn"), LANGUAGES)
def test_the_lexical_form_keeps_the_letters_of_every_language(language: str, query: str, lsn: str) -> None:
    assert lsn_of_query(query, language) == lsn
    assert lsn_of(query.strip("«»?।"), language) == lsn
    assert lower(lsn, language) == lower(query.strip("«»?।"), language)


@given(st.text(st.sampled_from("ab é<>*-[]()/.~\\!:_ \t\n?5"), max_size=40))
def test_every_problem_lies_within_the_text_and_every_text_has_words(sro: str) -> None:
    for problem in check_sro(sro):
        assert 0 <= problem.start < problem.end <= len(sro)
        assert problem.sentence.endswith(".") and "\n" not in problem.sentence
    assert lsn_of(sro) == " ".join(lsn_of(sro).split()).upper()


MARKED = st.one_of(
    st.from_regex(r"[a-z]{2,6}", fullmatch=True).map(lambda word: (word, word)),
    st.sampled_from([("[cough]", ""), (".", ""), ("cler-", ""), ("<no>", "no"), ("*wrod*", "wrod"), ("((so))", "so")]),
    st.sampled_from([("!stop", "stop"), ("so:me", "some"), ("rev(olution)-", ""), (r"a\:b", "a:b")]),
)


@given(st.lists(MARKED, max_size=10))
def test_marked_words_map_one_by_one(parts: list[tuple[str, str]]) -> None:
    sro = " ".join(mark for mark, _ in parts)
    assert lsn_of(sro) == " ".join(word for _, word in parts if word).upper()
    assert [problem for problem in check_sro(sro) if problem.blocks] == []


@given(st.text(max_size=60))
def test_the_pieces_tell_where_they_stand(sro: str) -> None:
    assert all(sro[token.start : token.end] == token.text for token in tokens(sro))
