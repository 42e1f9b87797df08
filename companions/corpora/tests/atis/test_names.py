"""Names in base 36, and the names of older discs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.base.errors import CurtainError
from curtain_corpora.atis.names import Name, Speakers, base36, number_of, read_name


@pytest.mark.parametrize(
    ("file", "name", "kind"),
    [
        ("e000e1ss.wav", Name("e00", "1", "0e", "s", "s"), "wav"),  # the example of the ATIS2 specification
        ("bf0011ss.wav", Name("bf0", "1", "01", "s", "s"), "wav"),  # ATIS0: speaker bf, utterance 001
        ("8K80Z3VC.WAV;1", Name("8k8", "3", "0z", "v", "c"), "wav"),  # as a disc of 1993 shows it
        ("e00001sx.log", Name("e00", "1", "00", "s", "x"), "log"),
        ("e000001sx.log", Name("e00", "1", "00", "s", "x"), "log"),  # `000`, as the ATIS2 specification says
        ("zzzzzzrx.rf2", Name("zzz", "z", "zz", "r", "x"), "rf2"),
    ],
)
def test_a_name_of_any_disc_is_read(file, name, kind):
    assert read_name(file) == (name, kind)


@pytest.mark.parametrize(
    "file", ["readme.doc", "e000e1ss", "e000e0ss.wav", "e000e1qs.wav", "é000e1ss.wav", "e000e1ss.wav~"]
)
def test_what_is_not_named_so_is_no_file_of_a_session(file):
    assert read_name(file) is None


@given(st.integers(0, 36**3 - 1))
def test_numbers_come_back_from_base_36(number):
    assert number_of(base36(number, 3)) == number


def test_a_number_that_does_not_fit_is_reported():
    with pytest.raises(CurtainError, match="1296"):
        base36(1296, 2)


def test_speakers_keep_an_id_that_can_be_a_name_and_others_get_a_free_one():
    speakers = Speakers()
    given_ids = ["e00", "000", "Zoë", "../..", "zzz", "e00"]
    assert [speakers.code(one) for one in given_ids] == ["e00", "zzz", "zzy", "zzx", "zzw", "e00"]


@given(st.lists(st.text(max_size=4), unique=True, max_size=30))
def test_no_two_speakers_share_a_name(ids):
    speakers = Speakers()
    codes = [speakers.code(one) for one in ids]
    assert len(set(codes)) == len(ids)
    assert all(number_of(code) > 0 and len(code) == 3 for code in codes)
