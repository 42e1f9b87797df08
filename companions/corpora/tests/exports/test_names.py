"""Ids of any kind become safe names and come back exactly."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain_corpora.exports.names import Names, names_in, safe_name, speaker_name, utterance_name

ODD = ["José García", "..", ".", "../../etc/passwd", "a/b", "a\\b", "CON", "nul.wav", "com1", "x" * 300, "", " ", "A",
       "a ", "-rf", "a.", "北京", "a\nb", "a\0b", "\ud800", "e00-01-001 (2)", "a:b", "a*?b", "~", "a~b"]  # fmt: skip
PLAIN = ["e00", "e00-01", "e00-01-007", "a.b", "a_b", "0", "console"]
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
anything = st.text(max_size=120) | st.sampled_from(ODD + PLAIN)


def test_a_plain_id_is_its_own_name_and_an_odd_one_gets_another() -> None:
    assert list(map(safe_name, PLAIN)) == PLAIN
    assert [text for text in ODD if safe_name(text) == text] == []


@given(anything)
def test_a_name_is_safe_on_every_system(text: str) -> None:
    for name in (safe_name(text), speaker_name(text), utterance_name(text, text)):
        assert 0 < len(name) <= 200
        assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_.~")
        assert name[0] not in ".-~_" and name[-1] not in ".-"
        assert name.partition(".")[0] not in RESERVED


@given(anything, anything)
def test_different_ids_get_different_names(one: str, other: str) -> None:
    assert (safe_name(one) == safe_name(other)) == (one == other)
    assert (speaker_name(one) == speaker_name(other)) == (one == other)


@given(st.tuples(anything, anything), st.tuples(anything, anything))
def test_different_utterances_get_different_names(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (utterance_name(*one) == utterance_name(*other)) == (one == other)


@given(st.lists(st.tuples(anything, anything), max_size=20))
def test_names_of_utterances_sort_as_their_speakers_do(ids: list[tuple[str, str]]) -> None:
    named = sorted((utterance_name(speaker, text).encode(), speaker_name(speaker).encode()) for speaker, text in ids)
    assert all(before <= after for (_, before), (_, after) in pairwise(named))


@given(st.lists(anything, max_size=10))
def test_every_id_comes_back_exactly(tmp_path_factory: pytest.TempPathFactory, ids: list[str]) -> None:
    folder, names = tmp_path_factory.mktemp("names"), Names()
    given_names = [names.of(text) for text in ids]
    names.write(folder)
    back = names_in(folder)
    assert [back.get(name, name) for name in given_names] == ids


def test_plain_ids_need_no_file_of_names(tmp_path: Path) -> None:
    names = Names()
    assert names.of_utterance("e00", "e00-01-001") == "e00-01-001"
    names.write(tmp_path)
    assert list(tmp_path.iterdir()) == []
