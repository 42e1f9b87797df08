"""Whatever happens to the stations and the cable, each side gets the other's journal once and in order."""

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from curtain.link.core import Seat
from curtain.link.delivery import Delivered
from curtain.link.events import Acked, Closed, Happened, Joined, TurnedAway
from curtain.link.messages import Hello, Welcome
from tests.link.talking import Room, S, encoded, line, messages, of_type, seqs, shown, welcome

RUNS = int(os.environ.get("CURTAIN_LINK_RUNS", "70"))
STEPS = int(os.environ.get("CURTAIN_LINK_STEPS", "50"))


class TwoStations(RuleBasedStateMachine):
    """On disk: both journals and the wizard's copy of the subject's. In memory: everything else."""

    def __init__(self) -> None:
        super().__init__()
        self.room = Room()
        self.replica: list[int] = []
        self.arrived: list[int] = []
        self.on_screen: list[int] = []
        self.session_id = ""
        self.safe = 0
        self.connected = False

    # -- the stations --

    def wizard_hears(self, happened: list[Happened]) -> None:
        self.arrived += seqs(happened)
        for _ in of_type(happened, Joined):
            self.wizard_hears(self.room.wizard.answer(welcome(journal_have=len(self.replica))))
        self.notice_end(happened)

    def subject_hears(self, happened: list[Happened]) -> None:
        self.on_screen += seqs(happened)
        for message in messages(happened):
            if isinstance(message, Welcome):
                self.session_id = message.session_id
        self.safe = max([self.safe, *(event.seq for event in of_type(happened, Acked))])
        self.notice_end(happened)

    def notice_end(self, happened: list[Happened]) -> None:
        for event in of_type(happened, Closed):
            assert event.why == "silence", event
            self.hang_up()

    def hang_up(self) -> None:
        if self.connected:
            self.room.cut()
        self.connected = False

    # -- what people and machines do --

    @rule(hole=st.integers(1, 4), copies=st.integers(1, 2), size=st.sampled_from([0, 0, 0, 90_000]))
    def the_wizard_shows_something(self, hole: int, copies: int, size: int) -> None:
        store = self.room.wizard_store.kept
        store.append(shown((store[-1].seq if store else 0) + hole, "x" * size))
        for _ in range(copies if self.connected else 0):
            self.room.wizard.send(store[-1])

    @rule(lines=st.integers(1, 4), data=st.data())
    def the_subject_writes_lines(self, lines: int, data: st.DataObject) -> None:
        store = self.room.subject_store.kept
        new = [line(len(store) + number) for number in range(1, lines + 1)]
        store += new
        for one in data.draw(st.permutations(new + new[:1])) if self.connected else ():
            self.room.subject.send(one)

    @precondition(lambda self: self.connected)
    @rule(most=st.integers(1, 400))
    def some_bytes_reach_the_wizard(self, most: int) -> None:
        self.wizard_hears(self.room.wizard.receive(self.room.subject.take_outgoing(most), self.room.now))

    @precondition(lambda self: self.connected)
    @rule(most=st.integers(1, 200_000))
    def some_bytes_reach_the_subject(self, most: int) -> None:
        self.subject_hears(self.room.subject.receive(self.room.wizard.take_outgoing(most), self.room.now))

    @precondition(lambda self: self.connected)
    @rule()
    def all_bytes_arrive(self) -> None:
        for _ in range(4):
            self.wizard_hears(self.room.carry(self.room.subject, self.room.wizard))
            self.subject_hears(self.room.carry(self.room.wizard, self.room.subject))

    @precondition(lambda self: self.connected and self.session_id and self.on_screen and self.replica)
    @rule(data=st.data())
    def old_messages_come_again(self, data: st.DataObject) -> None:
        self.all_bytes_arrive()
        again = data.draw(st.sampled_from(self.room.wizard_store.kept[: len(self.on_screen)]))
        self.subject_hears(self.room.subject.receive(encoded(again), self.room.now))
        again = data.draw(st.sampled_from(self.room.subject_store.kept[: len(self.replica)]))
        self.wizard_hears(self.room.wizard.receive(encoded(again), self.room.now))

    @rule(count=st.integers(1, 5))
    def the_wizard_saves(self, count: int) -> None:
        self.replica += self.arrived[:count]
        del self.arrived[:count]
        if self.connected and self.replica:
            self.room.wizard.ack(self.replica[-1])

    @precondition(lambda self: self.connected and self.on_screen)
    @rule()
    def the_subject_acknowledges(self) -> None:
        self.room.subject.ack(self.on_screen[-1])

    @rule(quarters=st.integers(1, 30))
    def time_passes(self, quarters: int) -> None:
        for _ in range(quarters):
            self.room.now += S // 4
            if self.connected:
                self.wizard_hears(self.room.wizard.tick(self.room.now))
            if self.connected:
                self.subject_hears(self.room.subject.tick(self.room.now))

    @rule()
    def the_cable_is_cut(self) -> None:
        self.hang_up()

    @rule()
    def the_wizards_station_is_killed(self) -> None:
        self.hang_up()
        self.room.seat = Seat()
        self.arrived.clear()

    @rule()
    def the_subjects_station_is_killed(self) -> None:
        self.hang_up()
        self.room.delivered = Delivered()
        self.on_screen.clear()

    @precondition(lambda self: not self.connected)
    @rule()
    def the_subject_dials(self) -> None:
        self.room.connect(Hello(session_id=self.session_id))
        self.connected = True

    @precondition(lambda self: self.connected and self.room.seat.holder is self.room.wizard)
    @rule()
    def a_second_subject_dials(self) -> None:
        second = self.room.wizard_peer()
        assert [event.code for event in of_type(second.receive(encoded(Hello()), 0), TurnedAway)] == ["in_use"]

    # -- what must be true --

    @invariant()
    def the_wizard_has_the_beginning_of_the_subjects_journal(self) -> None:
        held = self.replica + self.arrived
        assert held == list(range(1, len(held) + 1)) and len(held) <= len(self.room.subject_store.kept)

    @invariant()
    def the_screen_has_the_beginning_of_what_was_shown(self) -> None:
        assert self.on_screen == [message.seq for message in self.room.wizard_store.kept][: len(self.on_screen)]

    @invariant()
    def only_what_is_saved_is_acknowledged(self) -> None:
        assert self.safe <= len(self.replica)

    def teardown(self) -> None:
        """In the end the cable is repaired, and both have everything."""
        self.hang_up()
        self.the_subject_dials()
        for _ in range(30):
            self.room.now += S // 4
            self.wizard_hears(self.room.wizard.tick(self.room.now))
            self.subject_hears(self.room.subject.tick(self.room.now))
            self.all_bytes_arrive()
        self.the_wizard_saves(len(self.arrived) or 1)
        self.all_bytes_arrive()
        assert self.connected
        assert self.replica == [message.seq for message in self.room.subject_store.kept]
        assert self.on_screen == [message.seq for message in self.room.wizard_store.kept]
        assert self.safe == len(self.replica)


TestEachSideGetsTheOthersJournalOnceAndInOrder = TwoStations.TestCase
TestEachSideGetsTheOthersJournalOnceAndInOrder.settings = settings(
    max_examples=RUNS,
    stateful_step_count=STEPS,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
