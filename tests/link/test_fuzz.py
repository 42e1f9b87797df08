"""Frames that somebody damaged: the connection may end, nothing may escape."""

import os
import random
from collections import Counter

import pytest

from curtain.base.table import Table
from curtain.link.core import Seat, SubjectPeer, WizardPeer
from curtain.link.delivery import Delivered
from curtain.link.events import Closed
from curtain.link.framing import frame
from curtain.link.messages import (
    Ack,
    AnswerShown,
    AudioChunk,
    AudioSafe,
    Goodbye,
    Hello,
    HelloRefused,
    LiveSound,
    MessageShown,
    PauseShown,
    Ping,
    Pong,
    ScenarioOver,
    ScenarioShown,
    SessionOver,
    StationStatus,
    Waiting,
    WantAudio,
)
from tests.link.talking import encoded, line, of_type, shown, welcome

MUTANTS = int(os.environ.get("CURTAIN_LINK_MUTANTS", "20000"))
TABLE = Table(headings=["Name", "Salary"], rows=[["Ümit", "41,000"], ["", "7"]], numeric=[False, True], total=2)
BOTH = [Ping(sent_ns=1), Pong(sent_ns=1, answered_ns=2), Ack(seq=3)]
TO_WIZARD = [
    *BOTH,
    Hello(),
    line(1),
    AudioChunk(utterance_id="e00-01-001", offset=0, total=9, data=b"RIFF\0\0\0\0x"),
    LiveSound(turn=1, frame=0, rate=16000, data=b"\0\1"),
    StationStatus(microphone="Desk", microphone_ok=True, recording=True, level_dbfs=-3.5),
    Goodbye(),
]
TO_SUBJECT = [
    *BOTH,
    Waiting(),
    HelloRefused(code="version"),
    welcome(audio_have={"e00-01-001": "ab"}, texts={"wait": "One moment"}),
    WantAudio(utterance_id="e00-01-001", offset=0, length=9),
    AudioSafe(utterance_id="e00-01-001", sha256="ab"),
    ScenarioShown(seq=2, scenario_id="s1", number=1, of=3, practice=False, text="Find out who"),
    shown(3),
    AnswerShown(seq=4, turn=1, table=TABLE),
    MessageShown(seq=5, turn=1, text="Sorry"),
    ScenarioOver(seq=6, scenario_id="s1"),
    PauseShown(seq=7, paused=True),
    SessionOver(seq=8, text="Thank you"),
]


def mutant(frames, dice):
    """A frame with a few bytes changed, cut, doubled or exchanged with another's; often its length is right."""
    data = bytearray(dice.choice(frames)[4:])
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(data) + 1)
        match dice.randrange(5):
            case 0 if at < len(data):
                data[at] = dice.randrange(256)
            case 1:
                del data[at : at + dice.randint(1, 8)]
            case 2:
                data[at:at] = data[at : at + dice.randint(1, 8)]
            case 3:
                data[at:at] = bytes([dice.choice(b"\x81\x91\xc1\xc4\xcf\xd9\xdb\xdd\xdf\xff")])
            case _:
                other = dice.choice(frames)
                data[at:] = other[dice.randrange(len(other)) :]
    return frame(bytes(data)) if dice.random() < 0.95 else bytes(data)


def wizard():
    peer = WizardPeer(Seat(), lambda after: (), 0)
    peer.receive(encoded(Hello()), 0)
    peer.answer(welcome())
    return peer


def subject():
    peer = SubjectPeer(Hello(), Delivered(), lambda after: (), 0)
    peer.receive(encoded(welcome()), 0)
    return peer


def stranger():
    return WizardPeer(Seat(), lambda after: (), 0)


# The long form: 100,000 before the hello and 100,000 after it.
LONG = 100_000 / MUTANTS


@pytest.mark.parametrize(
    ("new_peer", "said", "share"),
    [
        (wizard, TO_WIZARD, 0.45),
        (subject, TO_SUBJECT, 0.45),
        (stranger, [Hello()], 0.1),
        pytest.param(wizard, TO_WIZARD, LONG, marks=pytest.mark.soak),
        pytest.param(stranger, [Hello()], LONG, marks=pytest.mark.soak),
    ],
    ids=["at the wizard's", "at the subject's", "before the hello", "100,000 after the hello", "100,000 before it"],
)
def test_a_damaged_frame_ends_the_connection_or_is_a_message(new_peer, said, share):
    dice = random.Random(1)
    frames = [encoded(message) for message in said]
    seen = Counter()
    for _ in range(int(MUTANTS * share)):
        peer = new_peer()
        happened = peer.receive(mutant(frames, dice), 0)
        assert len(of_type(happened, Closed)) == peer.over
        peer.tick(1)
        peer.take_outgoing(1 << 16)
        seen["over" if peer.over else "on"] += 1
    print(f"{sum(seen.values())} damaged frames: {seen['over']} ended the connection, {seen['on']} were a message")
    assert seen["over"] > MUTANTS * share / 10 and seen["on"] > 0
