"""Pairing without sockets: the right code pairs, a wrong one costs one try, and nobody in the middle learns it."""

import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain_rooms.network.pairing import (
    CodeDesk,
    PairDone,
    PairFrames,
    PairingError,
    PairProof,
    PairRefused,
    PairStart,
    SubjectPairing,
    WizardPairing,
    pair_frame,
)

SECOND = 1_000_000_000
WIZARD, SUBJECT, MIDDLE = b"wizard's certificate", b"subject's certificate", b"certificate of somebody in the middle"


def try_once(desk, code, now=0, seen=WIZARD):
    """One whole try; `seen` is the certificate that the subject sees."""
    wizard = WizardPairing(desk, "desk", WIZARD)
    subject = SubjectPairing(code, "booth 1", SUBJECT, seen)
    proof = subject.take(wizard.take(subject.begin(), now))
    subject.take(wizard.take(proof, now))
    return wizard.paired, subject.paired


def test_the_right_code_makes_both_know_the_other_by_its_certificate():
    desk = CodeDesk(0, "123456")
    of_wizard, of_subject = try_once(desk, " 123 456 ")
    assert (of_wizard.name, of_wizard.certificate) == ("booth 1", SUBJECT)
    assert (of_subject.name, of_subject.certificate) == ("desk", WIZARD)
    # Each code is used once.
    with pytest.raises(PairingError):
        try_once(desk, "123456")


def test_a_wrong_code_is_refused_and_five_close_pairing_for_a_minute():
    desk = CodeDesk(0, "123456")
    for wrong in ("000000", "111111", "222222", "333333", "444444"):
        with pytest.raises(PairingError, match="wrong_code"):
            try_once(desk, wrong)
    for code in ("555555", "123456"):
        with pytest.raises(PairingError, match="closed"):
            try_once(desk, code, now=59 * SECOND)
    assert desk.seconds_closed(59 * SECOND) == 1
    # After the minute there is another code, so what was tried is worth nothing.
    with pytest.raises(PairingError, match="wrong_code"):
        try_once(desk, "123456", now=61 * SECOND)
    assert try_once(desk, desk.code, now=62 * SECOND)[0] is not None


def test_each_five_wrong_codes_close_pairing_for_twice_as_long_until_a_right_one():
    desk, now, pauses = CodeDesk(0), 0, []
    for _ in range(12):
        while desk.open_at(now):
            with pytest.raises(PairingError):
                try_once(desk, "x", now)
        pauses.append(round(desk.seconds_closed(now) / 60))
        now += int(desk.seconds_closed(now) * SECOND)
    assert pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024]
    assert desk.wrong_in_all == 60
    assert desk.open_at(now) and try_once(desk, desk.code, now)[0] is not None and desk.wrong_in_all == 0
    for _ in range(5):
        with pytest.raises(PairingError):
            try_once(desk, "x", now)
    assert desk.seconds_closed(now) == 60


def test_nobody_is_paired_while_no_screen_shows_the_code():
    desk = CodeDesk(0, "123456")
    desk.in_sight = False
    with pytest.raises(PairingError, match="closed"):
        try_once(desk, "123456")
    desk.in_sight = True
    assert desk.wrong_in_all == 0 and try_once(desk, "123456")[0] is not None


@pytest.mark.parametrize("said", ["wizard", "observer", "", "nobody"])
def test_the_code_of_one_chair_pairs_a_desk_as_no_other(said):
    desk = CodeDesk(0, chairs=("wizard", "observer"))
    assert len(set(desk.codes.values())) == 2
    wizard = WizardPairing(desk, "desk", WIZARD)
    subject = SubjectPairing(desk.codes["observer"], "kim", SUBJECT, WIZARD, said)
    if said == "observer":
        wizard.take(subject.take(wizard.take(subject.begin(), 0)), 0)
        assert wizard.paired is not None and wizard.paired.chair == "observer"
        return
    with pytest.raises(PairingError, match="wrong_code"):
        subject.take(wizard.take(subject.begin(), 0))
    assert wizard.paired is None


def test_hanging_up_after_the_reply_is_a_try_too():
    desk = CodeDesk(0, "123456")
    for _ in range(5):
        WizardPairing(desk, "desk", WIZARD).take(SubjectPairing("000000", "x", SUBJECT, WIZARD).begin(), 0)
    assert not desk.open_at(0)


def test_an_old_code_is_replaced():
    desk = CodeDesk(0, "123456")
    assert desk.open_at(11 * 60 * SECOND)
    assert desk.code != "123456"


def test_somebody_in_the_middle_with_his_own_certificate_is_found_out_even_with_the_right_code_on_both_sides():
    with pytest.raises(PairingError, match="wrong_code"):
        try_once(CodeDesk(0, "123456"), "123456", seen=MIDDLE)


def test_what_the_middle_sees_does_not_tell_which_code_was_right():
    """The wizard's proof under another certificate is a keyed hash with a key that every code gives differently."""
    proofs = set()
    for code in ("123456", "654321"):
        wizard = WizardPairing(CodeDesk(0, code), "desk", WIZARD)
        reply = wizard.take(SubjectPairing("123456", "x", SUBJECT, MIDDLE).begin(), 0)
        proofs.add(reply.proof)
    assert len(proofs) == 2


def test_a_replayed_try_is_refused():
    desk = CodeDesk(0, "123456")
    wizard = WizardPairing(desk, "desk", WIZARD)
    subject = SubjectPairing("123456", "booth", SUBJECT, WIZARD)
    start = subject.begin()
    proof = subject.take(wizard.take(start, 0))
    wizard.take(proof, 0)
    # The same bytes at a new connection: the wizard's element is another one.
    desk = CodeDesk(0, "123456")
    again = WizardPairing(desk, "desk", WIZARD)
    again.take(start, 0)
    with pytest.raises(PairingError, match="wrong_code"):
        again.take(proof, 0)


def test_the_subject_gives_no_proof_to_a_station_that_did_not_prove_itself():
    subject = SubjectPairing("123456", "booth", SUBJECT, WIZARD)
    reply = WizardPairing(CodeDesk(0, "999999"), "desk", WIZARD).take(subject.begin(), 0)
    with pytest.raises(PairingError, match="wrong_code"):
        subject.take(reply)


@pytest.mark.parametrize(
    "messages",
    [
        [PairProof(b"x" * 32)], [PairDone()], [PairStart(b"", SUBJECT, "x")],
        [PairStart(b"A" + b"\xff" * 32, SUBJECT, "x")], [PairStart(b"A\x00\x10", SUBJECT, "x")],
        [PairStart(b"A" + bytes(32), b"", "x")], [PairStart(b"A" + bytes(32), b"x" * 9000, "x")],
        [PairRefused("closed")],
    ],
)  # fmt: skip
def test_messages_out_of_order_or_without_sense_end_the_try(messages):
    wizard = WizardPairing(CodeDesk(0, "123456"), "desk", WIZARD)
    with pytest.raises(PairingError):
        for message in messages:
            wizard.take(message, 0)
    assert wizard.paired is None


@given(st.binary(max_size=80), st.binary(max_size=40))
def test_no_element_and_no_proof_from_the_network_pairs_or_crashes(element, proof):
    wizard = WizardPairing(CodeDesk(0, "123456"), "desk", WIZARD)
    with pytest.raises(PairingError):
        wizard.take(PairStart(element, SUBJECT, "x"), 0)
        wizard.take(PairProof(proof), 0)
    assert wizard.paired is None


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_frames_of_a_pairing(data):
    frames = PairFrames()
    try:
        list(frames.feed(data))
    except PairingError as failed:
        assert failed.why == "bad_message"


def test_messages_cross_the_wire_in_pieces():
    frames, whole = PairFrames(), pair_frame(PairProof(b"p" * 32)) + pair_frame(PairDone())
    got = [message for byte in whole for message in frames.feed(bytes([byte]))]
    assert [type(message) for message in got] == [PairProof, PairDone]
    assert hmac.compare_digest(got[0].proof, b"p" * 32)
