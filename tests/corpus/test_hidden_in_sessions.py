"""What is redacted in a turn leaves nowhere: not from its texts, nor from what was written in the session."""

import re
import shutil
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.corpus.annotation.values import BadValue
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.reader import read_session
from curtain.corpus.model.utterance import AT_END, Redaction, Session, Utterance
from curtain.corpus.redaction.utterances import samples
from curtain.session.bundle.bundle import Bundle
from curtain.session.events.speaker import SpeakerDescription
from curtain.session.journal.sealed_lines import seal
from curtain_corpora.commands.publish import publish
from tests.corpus.given import stated
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import UNABLE, Said, Sitting

SALARY = "What is Mary Smith's salary?"


def say(study: Path, one: str, layer: Any, value: dict[str, Any], by: str = "w9") -> None:
    Layers(Bundle(study / "sessions" / one[:6])).add(new_row(one, layer, value, by, Clock()))


def hide(study: Path, one: str, text: str, words: str, in_text: str = "query", end_ms: int | None = 200) -> None:
    start = text.index(words)
    span = {"kind": "name", "start_char": start, "end_char": start + len(words), "in_text": in_text}
    say(study, one, "redaction", {"spans": [{**span, "start_ms": 100 if end_ms else None, "end_ms": end_ms}]})


def turn_of(session: Session, number: int) -> Utterance:
    return next(one for one in session.utterances if one.turn == number)


def test_notes_of_other_turns_lose_what_is_hidden(own_toy: Path) -> None:
    folder = own_toy / "sessions" / "e00-01"
    query = turn_of(read_session(folder), 2).query or ""
    say(own_toy, "e00-01-003", "note", {"text": "Mary said 52000; schön, quick"})
    hide(own_toy, "e00-01-002", query, "Mary Smith's salary")
    session = read_session(folder)
    assert "[redacted] said 52000; schön, quick" in turn_of(session, 3).notes
    assert stated(session) == [("balance", "52000", "typed")]  # has no hidden word


def test_a_hidden_word_takes_no_withdrawal_back(tmp_path: Path) -> None:
    turns = (Said("i withdraw", None, "X", "X", message=UNABLE),)
    sitting = Sitting("e00-01", "2026-03-02", "balance", turns, questionnaire={AT_END: "withdraw"})
    study = make_toy(tmp_path / "study", sittings=[sitting], answers={})
    hide(study, "e00-01-001", "i withdraw", "withdraw")
    assert list(open_corpus([study], Filters(live=True)).sessions()) == []


def test_where_the_speaker_grew_up_loses_the_words(own_toy: Path) -> None:
    bundle = Bundle(own_toy / "sessions" / "e00-01")
    bundle.update_session_json(speaker={"age": "20-29", "region": "Smith county"})
    query = turn_of(read_session(bundle.path), 2).query or ""
    hide(own_toy, "e00-01-002", query, "Mary Smith's salary")
    assert read_session(bundle.path).speaker == SpeakerDescription(age="20-29", region="[redacted] county")


def test_a_whole_name_is_hidden_in_every_turn_and_a_single_word_of_it_where_it_is_marked(own_toy: Path) -> None:
    for turn, sro in ((5, "mary smith's room"), (6, "mary's room")):
        say(own_toy, f"e00-01-{turn:03}", "transcription", {"sro": sro, "lsn": ""}, by="w9")
    hide(own_toy, "e00-01-002", SALARY, "Mary Smith")
    session = read_session(own_toy / "sessions" / "e00-01")
    assert [turn_of(session, turn).sro for turn in (5, 6)] == ["[redacted] room", "mary's room"]
    assert not samples(turn_of(session, 5))[0].any() and samples(turn_of(session, 6))[0].any()


# Hidden in the first turn; said in others; how that leaves; whether publishing stops there.
BADGE = "Zorblax Quintaris badge 48213"
ABOUT: dict[str, Any] = {
    "authors": ["The Lab"], "licence": "MIT", "contact": "lab@example.org", "include_live": True,
}  # fmt: skip
SPELLED = [(said, said, True) for said in (
    "is quintaris in", "q u i n t a r i s", "quin taris", "quin-taris", "zquintaris@lab.org", "drquintaris",
)]  # fmt: skip
PARTS = [
    (BADGE, [
        ("is zorblax quintaris in dallas", "is [redacted] in dallas", True),
        ("who is forty eight two thirteen", "who is [redacted]", True),
        ("is quintaris, zorblax here", "is [redacted] here", True),
        ("what is a badge", "what is a badge", True),
        ("who is four eight two", "who is four eight two", True),
        ("where is zorblax_quintaris48@lab.org", "where is [redacted]", True),
    ]),
    (BADGE, SPELLED),
    ("Zorblax T. Quintaris", [("is zorblax quintaris here", "is [redacted] here", True)]),
    ("Zorblax since May 5 1962", [("who came in nineteen sixty two", "who came in [redacted]", True)]),
    ("Zorblax in room 17", [
        ("who is in seventeen", "who is in seventeen", True), ("what is 17000 dollars", "what is 17000 dollars", False),
    ]),
    ("Zorblax Quintaris", SPELLED),
    ("Quintaris", [*SPELLED, ("where is quint-", "where is quint-", True)]),
    ("Vok", [
        ("mail jvok@lab.org", "mail jvok@lab.org", True), ("v o k", "v o k", True),
        ("can i revoke this", "can i revoke this", False),
    ]),
    ("Isa", [("where is a door qu-", "where is a door qu-", False)]),
    ("Mary Smith from 17 Plonk Street", [("who is smith mary", "who is [redacted]", False)]),
]  # fmt: skip


@pytest.mark.parametrize(("hidden", "parts"), PARTS)
def test_names_and_numbers_of_a_hidden_span_are_looked_for_each_on_its_own(
    tmp_path: Path, hidden: str, parts: list[tuple[str, str, bool]]
) -> None:
    asked = (hidden.lower(), "who", *(said for said, _, _ in parts))
    turns = tuple(Said(query, None, "X", "X", sro=query, message=UNABLE) for query in asked)
    study = make_toy(tmp_path / "study", sittings=[Sitting("e00-01", "2026-03-02", "balance", turns)], answers={})

    def hide_whole(turn: int) -> None:
        for text in ("query", "sro"):
            hide(study, f"e00-01-{turn:03}", asked[turn - 1], asked[turn - 1], text)

    hide_whole(1)
    for turn, (said, left, _) in enumerate(parts, 3):
        one = turn_of(read_session(study / "sessions" / "e00-01"), turn)
        assert (one.query, one.sro) == (left, left)
        assert samples(one)[0].any() == (left == said)
    stopping = [turn for turn, (_, _, stops) in enumerate(parts, 3) if stops]
    with pytest.raises(CurtainError) if stopping else nullcontext() as refused:
        publish(study, tmp_path / "out", **ABOUT)
    named = set(re.findall(r"e00-01-(\d+) \(", str(refused and refused.value)))
    assert named == {f"{turn:03}" for turn in stopping}
    for turn in stopping:
        hide_whole(turn)
    assert publish(study, tmp_path / "hidden", **ABOUT) == 0


def test_a_turn_whose_own_marks_say_where_it_is_heard_is_silent_there_alone(own_toy: Path) -> None:
    hide(own_toy, "e00-01-002", SALARY, "Mary Smith")
    hide(own_toy, "e00-01-004", "Who is Mary Graham's supervisor?", "Mary Graham")
    session = read_session(own_toy / "sessions" / "e00-01")
    # The third turn with a name has no mark of its own, so nobody knows where the name is heard.
    assert [turn_of(session, turn).redacted for turn in (2, 4, 11)] == ["part", "part", "whole"]
    assert turn_of(session, 4).sro == "who is [redacted] supervisor"
    assert turn_of(session, 11).query == "Tell me about [redacted]"
    sound, rate = samples(turn_of(session, 4))
    assert not sound[rate // 10 : rate // 5].any() and sound.any()


ASIDE = "redaction.jsonl.torn-1"


def _as_a_folder(layer: Path) -> None:
    layer.unlink()
    layer.mkdir()


def _set_aside(layer: Path) -> None:
    (layer.parent / ASIDE).write_bytes(layer.read_bytes()[:40])


DAMAGES = {
    "a key altered": lambda layer: layer.write_bytes(layer.read_bytes().replace(b'"kind"', b'"kinD"')),
    "a blank line": lambda layer: layer.write_bytes(b"\n" + layer.read_bytes()),
    "cut short": lambda layer: layer.write_bytes(layer.read_bytes()[:-5]),
    "emptied": lambda layer: layer.write_bytes(b""),
    "a gap": lambda layer: layer.write_bytes(layer.read_bytes().replace(b'{"seq":1,', b'{"seq":2,')),
    "a folder": _as_a_folder,
    "deleted": Path.unlink,
    "another one": lambda layer: layer.write_bytes(seal(1, {"id": "x"})),
    "set aside": _set_aside,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_nothing_is_read_to_leave_where_the_redactions_are_uncertain(own_toy: Path, damage: str) -> None:
    folder = own_toy / "sessions" / "0a1-01"
    DAMAGES[damage](folder / "annotations" / "redaction.jsonl")
    with pytest.raises(CurtainError, match=r"redaction\.jsonl.*hidden again"):
        read_session(folder)


@pytest.mark.parametrize(
    "value", [{"spanz": []}, {"spans": [{"kind": "name", "start_chr": 3}]}, {"spans": [{"start_ms": 3}]}, {"spans": 3}]
)
def test_a_redaction_with_something_unknown_in_it_is_never_passed_over(own_toy: Path, value: dict[str, Any]) -> None:
    say(own_toy, "e00-01-002", "redaction", value)
    with pytest.raises(BadValue, match=r"annotations/redaction\.jsonl"):
        read_session(own_toy / "sessions" / "e00-01")


def test_a_copy_whose_layer_was_set_aside_and_settled_leaves_again(own_toy: Path) -> None:
    folder = own_toy / "sessions" / "0a1-01"
    _set_aside(folder / "annotations" / "redaction.jsonl")
    shutil.move(folder / "annotations" / ASIDE, own_toy / ASIDE)
    assert any(one.redactions == (Redaction("name", 320, 480, 8, 13), one.redactions[-1]) for one in (
        turn for turn in read_session(folder).utterances if turn.redactions
    ))  # fmt: skip
