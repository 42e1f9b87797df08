"""Who may take, hand over, return and finish which part, in any order of wishes, losses and returns."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import permutations, product

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from curtain.session.chairs.table import ChairFact, ChairLine, ChairTable, TurnPart
from curtain.session.events import wizard_events as facts
from curtain.session.roles import MAY_HOLD, PARTS, Chair, Part
from curtain_rooms.chairs import rules
from curtain_rooms.chairs.host import ChairHost, HostStep, table_of
from curtain_rooms.chairs.messages import (
    AnyRequest,
    ChairHello,
    ChairRefused,
    HandPartOver,
    RequestGranted,
    ReturnPart,
    TakePart,
    ToChair,
    ToHost,
    TypePart,
)

CHAIRS: dict[str, Chair] = {"w0": "wizard", "t1": "transcriber", "a1": "answerer", "o1": "observer"}
QUERY = TurnPart(1, "transcription")
SENT_QUERY = facts.QuerySent(text="flights")
SENT_REPLY = facts.MessageSent(message_id="unable", blanks={}, text="Sorry.", counts_as="no_answer")


def _seated() -> ChairTable:
    lines = [ChairLine(facts.ChairJoined(wizard_id=who, chair=chair)) for who, chair in CHAIRS.items()]
    return table_of(lines)


def _chair_lines(made: Sequence[rules.Written]) -> list[ChairLine]:
    return [ChairLine(fact, turn) for fact, turn in made if isinstance(fact, ChairFact)]


def _after(table: ChairTable, who: str, wish: AnyRequest | rules.Written) -> ChairTable:
    made = rules.around(table, who, [wish]) if isinstance(wish, tuple) else rules.decide(table, who, wish)
    for line in _chair_lines(made):
        table = table.after(line)
    return table


TAKEN = TakePart(number=1, turn=1, part="transcription")
ANSWERED = TakePart(number=1, turn=1, part="answer")


@pytest.mark.parametrize(
    ("before", "who", "wish", "sentence"),
    [
        ([("t1", TAKEN)], "w0", TAKEN, "t1 works on the transcription of turn 1"),
        ([("t1", TAKEN)], "t1", HandPartOver(number=2, turn=1, part="transcription", to="o1"), "o1 sits here as obs"),
        ([("a1", (SENT_REPLY, 1))], "w0", (SENT_REPLY, 1), "a1 has sent the answer of turn 1 already"),
        ([("a1", (SENT_REPLY, 1))], "w0", ANSWERED, "a1 has sent the answer of turn 1 already"),
        *(([], who, wish, "is for another chair") for who, wish in
          (("t1", ANSWERED), ("a1", TAKEN), ("o1", ANSWERED), ("o1", TAKEN))),
    ],
)  # fmt: skip
def test_what_is_another_s_or_for_another_chair_is_refused_with_a_sentence(
    before: list[tuple[str, AnyRequest | rules.Written]], who: str, wish: AnyRequest | rules.Written, sentence: str
) -> None:
    table = _seated()
    for earlier in before:
        table = _after(table, *earlier)
    with pytest.raises(rules.NotGranted, match=sentence):
        _after(table, who, wish)


def test_what_was_typed_stays_when_the_part_is_handed_over_and_when_its_holder_drops_out() -> None:
    table = _after(_seated(), "t1", TAKEN)
    table = _after(table, "t1", TypePart(number=2, turn=1, part="transcription", text="flights from"))
    table = _after(table, "t1", HandPartOver(number=3, turn=1, part="transcription", to="w0"))
    assert (table.state(QUERY).holder, table.state(QUERY).typed) == ("w0", "flights from")
    for line in rules.leave(table, "w0"):
        table = table.after(line)
    assert "w0" not in table.chairs
    assert (table.state(QUERY).holder, table.state(QUERY).typed) == (None, "flights from")


def test_the_transcriber_takes_the_next_turn_while_the_answerer_works() -> None:
    table = _after(_seated(), "t1", TAKEN)
    table = _after(table, "t1", (SENT_QUERY, 1))
    table = _after(table, "a1", ANSWERED)
    table = _after(table, "t1", TakePart(number=3, turn=2, part="transcription"))
    assert table.held_by("a1") == [TurnPart(1, "answer")]
    assert table.held_by("t1") == [TurnPart(2, "transcription")]


# -- conversations ---------------------------------------------------------------------------------------


def _sent_to(step: HostStep, connection: int) -> list[ToChair]:
    return [message for to, message in step.letters if to == connection]


def _hello(who: str) -> ChairHello:
    return ChairHello(wizard_id=who, chair=CHAIRS[who])


@pytest.mark.parametrize("first", [ANSWERED, ChairHello(wizard_id="t1", chair="transcriber", version=99)])
def test_whoever_begins_with_a_wish_or_with_another_version_is_turned_away_with_a_sentence(
    first: ChairHello | AnyRequest,
) -> None:
    step = ChairHost().receive(1, first, "wizard")
    assert (step.closed, step.lines) == ([1], [])
    assert isinstance(_sent_to(step, 1)[0], ChairRefused)


def test_two_chairs_of_one_id_are_not_let_in_and_the_first_goes_on() -> None:
    host = ChairHost()
    host.receive(1, _hello("t1"), "wizard")
    assert host.receive(2, _hello("t1"), "wizard").closed == [2]
    assert _sent_to(host.receive(1, TAKEN), 1)[-1] == RequestGranted(number=1)


def test_a_second_hello_closes_the_chair_and_frees_what_it_held() -> None:
    host = ChairHost()
    host.receive(1, _hello("t1"), "wizard")
    host.receive(1, TAKEN)
    step = host.receive(1, _hello("w0"), "wizard")
    assert step.closed == [1]
    assert host.table.chairs == {}
    assert host.table.state(QUERY).holder is None


def test_a_desk_that_dials_again_takes_its_own_place_and_nobody_else_does() -> None:
    host = ChairHost()
    host.receive(1, structs.replace(_hello("t1"), secret="ours"), "wizard")
    host.receive(1, TAKEN)
    for secret in ("", "theirs"):
        assert host.receive(2, structs.replace(_hello("t1"), secret=secret), "wizard").closed == [2]
    step = host.receive(3, structs.replace(_hello("t1"), secret="ours"), "wizard")
    assert step.closed == [1]
    assert (host.name_of(1), host.name_of(3)) == (None, "t1")
    assert host.table.state(QUERY).holder is None  # it takes the part again, with what was typed


# What may happen between two desks and the session's own station, whose wizard is w0. A host that was killed knows
# its journal alone, and desks dial again before the session is resumed or behind that.
_MOMENTS = ("join 1", "join 2", "drop 1", "kill", "resume", "rejoin 1")


@pytest.mark.parametrize("roles", list(product(CHAIRS, repeat=2)))
def test_after_any_order_of_kills_resumes_and_joins_every_part_has_somebody(roles: tuple[str, str]) -> None:
    for moments in permutations(_MOMENTS):
        host, journal, is_open = ChairHost(desk="w0"), list[ChairLine](), True
        for moment in moments:
            before, step = host, HostStep()
            match moment.split():
                case ["kill"]:
                    host, is_open = ChairHost(), False
                case ["resume"]:
                    host, is_open = ChairHost(journal, "w0"), True
                    step = host.begin(before)
                case ["drop", number]:
                    step = host.drop(int(number))
                case [_, number]:
                    role = roles[int(number) - 1]
                    hello = ChairHello(wizard_id=f"{role}x{number}", chair=CHAIRS[role], secret=role)
                    step = host.receive(int(number) + 10 * (moment[0] == "r"), hello, "wizard")
            journal += step.lines if is_open else []
            if is_open:
                assert table_of(journal) == host.table, moments
                # Alone the desk has no line; beside others it is one of them.
                assert host.table.chairs.get("w0") == ("wizard" if host.table.chairs else None), moments


def test_nobody_joins_as_the_person_at_the_session_s_own_desk() -> None:
    early = ChairHost()
    assert early.receive(1, _hello("w0"), "wizard").closed == []
    host = ChairHost(desk="w0")
    assert host.begin(early).closed == [1]
    assert host.receive(2, _hello("w0"), "wizard").closed == [2]
    assert host.table.chairs == {}


def test_who_is_connected_has_a_chair_again_once_the_disk_takes_lines() -> None:
    host = ChairHost(desk="w0")
    host.receive(1, _hello("t1"), "wizard")
    host.recall([])
    assert host.table.chairs == {}
    assert [line.fact.wizard_id for line in host.seat_all().lines] == ["w0", "t1"]


@pytest.mark.parametrize("turn", [0, -1, 2**31])
def test_a_turn_number_that_no_signal_can_carry_is_refused_when_the_frame_is_read(turn: int) -> None:
    bad = msgspec.msgpack.encode({"t": "take", "number": 1, "turn": turn, "part": "answer"})
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(bad, type=ToHost)


# -- any interleaving ------------------------------------------------------------------------------------

_TURNS = st.integers(1, 3)
_PARTS: st.SearchStrategy[Part] = st.sampled_from(("transcription", "answer"))
_SENT = st.tuples(st.sampled_from((SENT_QUERY, SENT_REPLY)), _TURNS)
_PEOPLE = st.sampled_from(sorted([*CHAIRS, "w1"]))


def _wishes() -> st.SearchStrategy[AnyRequest]:
    about = {"number": st.integers(1, 99), "turn": _TURNS, "part": _PARTS}
    return st.one_of(
        st.builds(TakePart, **about), st.builds(HandPartOver, **about, to=_PEOPLE), st.builds(ReturnPart, **about),
        st.builds(TypePart, **about, text=st.text(max_size=5)),
    )  # fmt: skip


def _hellos() -> st.SearchStrategy[ChairHello]:
    chairs: st.SearchStrategy[Chair] = st.sampled_from(("wizard", "transcriber", "answerer", "observer"))
    return st.builds(ChairHello, wizard_id=_PEOPLE, chair=chairs)


# None: this connection is lost.
Step = tuple[int, ChairHello | AnyRequest | rules.Written | None]
_STEPS = st.lists(st.tuples(st.integers(1, 4), st.one_of(st.none(), _hellos(), _wishes(), _SENT)), max_size=60)


def _play(steps: list[Step]) -> tuple[ChairHost, list[ChairLine]]:
    host, lines = ChairHost(), []
    for connection, what in [*enumerate(map(_hello, CHAIRS), 1), *steps]:
        if isinstance(what, tuple):
            with suppress(rules.NotGranted):
                lines += _chair_lines(host.around(host.name_of(connection) or "", [what]))
        else:
            lines += (host.drop(connection) if what is None else host.receive(connection, what, "wizard")).lines
    return host, lines


@settings(max_examples=100)
@given(_STEPS)
def test_after_any_steps_a_part_was_done_at_most_once_and_is_free_for_a_wizard_with_what_was_typed_last(
    steps: list[Step],
) -> None:
    host, lines = _play(steps)
    table = ChairTable()
    for line in lines:
        table = table.after(line)
        for what, state in table.parts.items():
            if state.holder is not None:
                assert what.part in MAY_HOLD[table.chairs[state.holder]]
                assert state.done_by is None
    # The journal makes the same table as the work did.
    assert table == host.table
    done = [(line.turn, line.fact.part) for line in lines if isinstance(line.fact, facts.PartDone)]
    assert len(done) == len(set(done))
    for connection in range(1, 5):
        lines += host.drop(connection).lines
    typed = {
        TurnPart(line.turn, line.fact.part): line.fact.text
        for line in lines
        if isinstance(line.fact, facts.PartTyped) and line.turn is not None
    }
    assert host.table.chairs == {}
    assert all(state.holder is None for state in host.table.parts.values())
    assert {what: state.typed for what, state in host.table.parts.items() if state.typed} == {
        what: text for what, text in typed.items() if text
    }
    host.receive(9, ChairHello(wizard_id="w9", chair="wizard"), "wizard")
    for turn, part in product((1, 2, 3), PARTS):
        if host.table.state(TurnPart(turn, part)).done_by is None:
            host.around("w9", [(SENT_QUERY if part == "transcription" else SENT_REPLY, turn)])
        assert host.table.state(TurnPart(turn, part)).done_by is not None
