"""What leaves of the texts of a redacted utterance: hidden in one is hidden in both, figures too; in doubt less."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.corpus.model.utterance import Redaction
from curtain.corpus.redaction.figures import forms_of_figures, knows_numbers_of, numbers_in, plain_letters
from curtain.corpus.redaction.hidden_words import HiddenWords
from curtain.corpus.redaction.texts import Leaving, cut, hidden_in, leaving
from curtain.corpus.redaction.utterances import TurnSecrets

QUERY = "this is quill speaking where is department 45"


def marked(words: str, text: str, start_ms: int | None = 100, end_ms: int | None = 200, sro: bool = False) -> Redaction:
    start = text.index(words)
    return Redaction("name", start_ms, end_ms, start, start + len(words), in_text="sro" if sro else "query")


TRANSCRIPTIONS = [
    ("quill", "this is quill speaking", "this is [redacted] speaking"),
    ("quill", "this is *quill* speaking", "this is [redacted] speaking"),
    ("quill", "QUILL [cough] it is quill", "[redacted] [cough] it is [redacted]"),
    ("quill", "this is qui- !quill: speaking", "this is [redacted] [redacted] speaking"),
    ("quill", "q- <quill> q- is !qu- -ill", "[redacted] [redacted] q- is [redacted] [redacted]"),
    ("quill", "quill QUI(LL)- Q(UILL)- QUE(EN)-", "[redacted] [redacted] [redacted] QUE(EN)-"),
    ("quill", "((quill)) and quill's", "[redacted] and [redacted]"),
    ("quill speaking", "is quill [uh] <speaking> now", "is [redacted] now"),
    ("is quill", "this is is quill", "this is [redacted]"),
    ("quill", "this is kwill speaking", None),
    ("quill", "", None),
]


@pytest.mark.parametrize(("hidden", "sro", "left"), TRANSCRIPTIONS)
def test_the_redacted_words_go_from_the_transcription_or_all_of_it_goes(
    hidden: str, sro: str, left: str | None
) -> None:
    given_back = leaving(QUERY, sro, [marked(hidden, QUERY)])
    assert (given_back.sro, given_back.without_sro) == (left, left is None)


def test_a_span_marked_in_the_transcription_itself_needs_no_search() -> None:
    sro = "this is kwill speaking"
    left = leaving(QUERY, sro, [marked("quill", QUERY), marked("kwill", sro, sro=True)])
    assert (left.query, left.sro) == (cut(QUERY, [marked("quill", QUERY)], "query"), "this is [redacted] speaking")


QUERIES = [
    ("this is quill speaking", "this is [redacted] speaking"),
    ("Is Quill's department 45", "Is [redacted] department 45"),
    ("speaking here, 45", "speaking here, 45"),
    ("this is kwill speaking", "[redacted]"),
]


@pytest.mark.parametrize(("query", "left"), QUERIES)
def test_what_is_hidden_in_the_transcription_goes_from_the_query_or_all_of_it_goes(query: str, left: str) -> None:
    sro = "this is quill speaking here department forty five"
    given_back = leaving(query, sro, [marked("quill", sro, sro=True)])
    assert (given_back.query, given_back.without_query) == (left, left == "[redacted]")
    assert given_back.sro == "this is [redacted] speaking here department forty five"


FIGURES = [
    ("my room is forty five", "forty five", "my room is 45", "my room is [redacted]"),
    ("my room is four five", "four five", "my room is 45", "my room is [redacted]"),
    ("is it seven three one b", "seven three one b", "is it 731-B", "is it [redacted]"),
    ("leaving at five twenty", "five twenty", "leaving at 17:20", "leaving at [redacted]"),
    ("leaving at half past five", "half past five", "leaving at 5:30", "[redacted]"),
    ("leaving at noon", "noon", "leaving at 12:00", "[redacted]"),
    ("the fifth of may", "fifth of may", "the May 5th", "the [redacted] [redacted]"),
    ("forty five or fifty five", "forty five", "45 or 55", "[redacted] or 55"),
    ("room forty five please", "forty five", "room 45, no, 46", "[redacted]"),
    ("zimmer fünfundvierzig", "fünfundvierzig", "Zimmer 45", "Zimmer [redacted]"),
    ("chambre quarante-cinq", "quarante-cinq", "chambre 45", "[redacted]"),
    ("王小明的电话是四十五号", "四十五", "王小明的电话是45号", "王小明的电话是[redacted]号"),
    ("王小明的电话是四十五号", "王小明", "王小明的电话是45号", "[redacted]的电话是45号"),
    ("this is q u i l l", "q u i l l", "this is Quill", "this is [redacted]"),
    ("this is quill", "quill", "this is Q.U.I.L.L.", "this is [redacted]."),
    ("from boston to denver", "boston", "from BOS to Denver", "[redacted]"),
]


@pytest.mark.parametrize(("sro", "hidden", "query", "left"), FIGURES)
def test_what_is_written_otherwise_goes_or_the_whole_query_goes(sro: str, hidden: str, query: str, left: str) -> None:
    assert leaving(query, sro, [marked(hidden, sro, sro=True)]).query == left


@pytest.mark.parametrize(("query", "hidden", "sro", "left"), [
    ("my room is 45", "45", "my room is forty five", "my room is [redacted]"),
    ("call 555-1234", "555-1234", "call five five five twelve thirty four", "call [redacted]"),
    ("call 555-1234", "555-1234", "call five five five one two four three", None),
])  # fmt: skip
def test_figures_that_are_hidden_in_the_query_are_hidden_as_words(
    query: str, hidden: str, sro: str, left: str | None
) -> None:
    assert leaving(query, sro, [marked(hidden, query)]).sro == left


@pytest.mark.parametrize("sro", [False, True])
def test_blanks_at_the_edges_of_a_span_stay(sro: bool) -> None:
    left = leaving(QUERY, QUERY, [marked(" quill ", QUERY, sro=sro)])
    assert left.query == left.sro == "this is [redacted] speaking where is department 45"


def test_words_that_say_nothing_alone_go_only_with_their_phrase() -> None:
    query = "I live in New York, what is new of York"
    assert leaving(query, None, [marked("New York", query)]).query == (
        "I live in [redacted], what is new of [redacted]"
    )


def test_spans_that_overlap_become_one() -> None:
    spans = [marked("is quill", QUERY), marked("quill speaking", QUERY)]
    assert cut(QUERY, spans, "query") == "this [redacted] where is department 45"


TWICE = "quill it is quill"
SILENT = [
    ("once, marked once", QUERY, "it is quill", [marked("quill", QUERY)], False),
    ("twice, marked once", QUERY, TWICE, [marked("quill", QUERY)], True),
    ("a restart", QUERY, "it is qui- quill", [marked("quill", QUERY)], True),
    ("not transcribed, once", QUERY, None, [marked("quill", QUERY)], False),
    ("not transcribed, twice", TWICE, None, [marked("quill", TWICE)], True),
    ("twice, each marked", QUERY, TWICE, [marked("quill", QUERY), marked("quill", TWICE, 500, 600, sro=True)], False),
    ("two marked the same", QUERY, TWICE, [marked("quill", QUERY), marked("quill", QUERY, 110, 210)], True),
    ("marked as a whole", QUERY, TWICE, [marked("quill", QUERY), marked(TWICE, TWICE, sro=True)], False),
]


@pytest.mark.parametrize(("case", "query", "sro", "spans", "silent"), SILENT)
def test_a_word_heard_more_often_than_it_is_marked_silences_the_recording(
    case: str, query: str, sro: str | None, spans: list[Redaction], silent: bool
) -> None:
    left = leaving(query, sro, spans)
    assert left.silent is silent, case
    assert any(one.start_ms is None for one in left.redactions) is silent, case


@given(
    st.text("abc qx'-*<>~.:", max_size=25), st.none() | st.text("abc qx'-*<>~.:", max_size=25),
    st.lists(st.builds(
        Redaction, st.just("x"), st.just(0), st.just(0),
        st.none() | st.integers(-3, 28), st.none() | st.integers(-3, 28),
        st.just("\0"), st.sampled_from(["query", "sro"])), max_size=3),
)  # fmt: skip
def test_the_redactions_that_leave_say_all_that_is_missing(query: str, sro: str | None, spans: list[Redaction]) -> None:
    left = leaving(query, sro, spans)
    assert cut(query, left.redactions, "query") == left.query
    assert left.sro is None or cut(sro, left.redactions, "sro") == left.sro
    again = leaving(left.query, left.sro, [])
    assert again == Leaving(left.query, left.sro, ())


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(-3, 33), st.integers(-3, 33)), max_size=4))
def test_no_redacted_sign_stays_and_no_other_goes(query: str, places: list[tuple[int, int]]) -> None:
    spans = [Redaction("x", start_char=start, end_char=end, replacement="\0") for start, end in places]
    left = cut(query, spans, "query")
    hidden = {at for start, end in places for at in range(max(0, start), min(len(query), max(0, end)))}
    assert left.replace("\0", "") == "".join(c for at, c in enumerate(query) if at not in hidden).replace("\0", "")


SPOKEN = [
    ("forty five", ["45"]), ("four five", ["4", "5"]), ("nineteen ninety", ["19", "90"]),
    ("two thousand five", ["2005"]), ("three hundred and five", ["305"]),
    ("one hundred twenty three thousand", ["123000"]), ("seven oh seven", ["7", "0", "7"]),
    ("twenty first third", ["21", "3"]), ("five and six", ["5", "6"]), ("oh show me", []), ("and y und", []),
    ("fünfundvierzig", ["45"]), ("fünf und vierzig", ["45"]), ("neunzehnhundertneunzig", ["1990"]),
    ("eintausendzwei", ["1002"]), ("treinta y cinco", ["35"]), ("veinticinco", ["25"]),
    ("mil novecientos noventa", ["1990"]), ("四 十 五", ["45"]), ("七 三 一", ["731"]), ("两 万 三 千", ["23000"]),
]  # fmt: skip


@pytest.mark.parametrize(("words", "figures"), SPOKEN)
def test_number_words_are_figures(words: str, figures: list[str]) -> None:
    assert [number for number, _, _ in numbers_in([plain_letters(word) for word in words.split()])] == figures


@pytest.mark.parametrize(("figures", "forms"), [("520", {"520", "1720"}), ("1205", {"1205"}), ("575", {"575"})])
def test_a_time_is_also_one_of_24_hours(figures: str, forms: set[str]) -> None:
    assert forms_of_figures(figures) == forms


@pytest.mark.parametrize(
    "spellings", [("Müller", "MUELLER", "mu\u0308ller"), ("Łódź", "lodz"), ("Straße", "STRASSE"), ("Ørsted", "orsted")]
)
def test_spellings_of_one_name_have_the_same_plain_letters(spellings: tuple[str, ...]) -> None:
    assert len({plain_letters(name) for name in spellings}) == 1


@pytest.mark.parametrize(
    ("language", "known"),
    [("en", True), ("de", True), ("es", True), ("zh", True), ("zh-Hans", True), ("texts/de.toml", True),
     ("fr", False), ("it", False), ("pt-BR", False), ("nl", False), ("und", False), ("texts/ours.toml", False)],
)  # fmt: skip
def test_where_number_words_are_not_known_every_figure_of_another_turn_is_withheld(language: str, known: bool) -> None:
    hidden = HiddenWords.of_all(
        [hidden_in("qui est au quarante-cinq", None, [Redaction("name", start_char=11, end_char=24)])]
    )
    secrets = TurnSecrets(hidden, any_figure=not knows_numbers_of(language))
    assert secrets.text("no figure here") == "no figure here"
    assert (secrets.text("he asks for 45") == "he asks for 45") is known
    assert secrets.may_leave("SELECT name FROM employee WHERE room = 45", "((12))") is known


@pytest.mark.parametrize(
    ("said", "written"),
    [("who came in may", "05"), ("wer kam im März", "03"), ("quién llegó en diciembre", "12"), ("en août", "08")],
)
def test_a_hidden_month_is_hidden_as_a_number_too(said: str, written: str) -> None:
    start = said.rindex(" ") + 1
    hidden = HiddenWords.of_all([hidden_in(said, None, [Redaction("name", start_char=start, end_char=len(said))])])
    note = TurnSecrets(hidden).text(f"born on 1964-{written}-07")
    assert note == "born on [redacted]"


@pytest.mark.parametrize(
    ("said", "note", "leaves"),
    [("где Петров", "Петрову не дозвониться", False), ("gdzie Kowalski", "pytał o Kowalskiego", False),
     ("где Иван", "спросил Ивана", False), ("wo ist Jansen", "Jansens Büro", False),
     ("where is quillard", "asks about the queue", True), ("где Петров", "спросил о петле", True)],
)  # fmt: skip
def test_a_note_with_a_case_of_a_hidden_name_is_withheld(said: str, note: str, leaves: bool) -> None:
    start = said.rindex(" ") + 1
    hidden = HiddenWords.of_all([hidden_in(said, None, [Redaction("name", start_char=start, end_char=len(said))])])
    assert (TurnSecrets(hidden).note(note) == note) is leaves
