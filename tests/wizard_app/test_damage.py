"""Damaged sessions go on: what is intact counts, the damage is shown, and nothing is answered twice."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from curtain.base.errors import CurtainError
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.link.messages import AudioSafe, MessageShown
from curtain.session.bundle.bundle import Bundle
from curtain.session.journal.lines import read_journal
from curtain.session.study.study import Study, new_study
from curtain.session.turns.turns import read_turns
from tests.support.damages import DAMAGES
from tests.wizard_app.room import CONTROL, Opening, Room
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.session.restoring import take_from_mirror


def answer_with_a_message(room: Room) -> None:
    turn = room.speak()
    room.send_query(f"query {turn}")
    room.send_message(turn)


@pytest.fixture
def mirrored(room_of: Callable[..., Room], tmp_path: Path, study: Study) -> Callable[..., Room]:
    """Begins a session of a study whose journals are written to a mirror, too."""

    def begun(of: Study = study) -> Room:
        of = replace(of, named_mirror=tmp_path / "mirror")
        next(of.agreements()).give()
        room = room_of(of)
        room.begin()
        return room

    return begun


def flip(path: Path, kind: str) -> int:
    """Alter one bit in the first line of a type; the number of that line."""
    reading = read_journal(path)
    place = next(n for n, entry in enumerate(reading.entries) if entry.type == kind)
    data = bytearray(path.read_bytes())
    data[reading.starts[place] + 25] ^= 8
    path.write_bytes(data)
    return reading.entries[place].seq


def problem(room: Room) -> str:
    shown = room.window.findChild(QLabel, "problem_text")
    return shown.text() if shown is not None else ""


@pytest.mark.parametrize("kind", ["epoch", "scenario_started", "query_sent", "message_sent"])
def test_one_flipped_bit_in_the_wizards_journal_costs_its_line_alone(
    qtbot: QtBot, begun: Room, opening: Opening, tmp_path: Path, kind: str
) -> None:
    for _ in range(3):
        answer_with_a_message(begun)
    bundle = begun.leave()
    line = flip(bundle.wizard_journal, kind)
    entries = read_journal(bundle.wizard_journal).entries
    again = Room(qtbot, opening(resume=True), begun.subject, begun.link_name)
    again.wait(session="e00-01", link="up", open_turns=int(kind == "message_sent"))
    qtbot.waitUntil(lambda: f"Line {line} is damaged" in problem(again))
    assert again.close_session() == bundle
    assert read_journal(bundle.wizard_journal).entries[: len(entries)] == entries
    lost = ["open"] if kind == "message_sent" else ["message"]
    assert [turn.outcome for turn in read_turns(bundle)] == [*lost, "message", "message"]
    assert [problem.file for problem in bundle.verify()] == [bundle.wizard_journal.name]
    with pytest.raises(CurtainError, match=f"Line {line} is damaged"):
        list(open_corpus([bundle.path], Filters(live=True)).sessions())
    bundle.repair(tmp_path / "e00-01")
    assert Bundle(tmp_path / "e00-01").verify() == []
    bundle.path.rename(tmp_path / "damaged")
    (tmp_path / "e00-01").rename(bundle.path)
    assert len(list(open_corpus([bundle.path], Filters(live=True)).sessions())) == 1


# -- every damage to every file of the wizard's station ------------------------------------------------------

SUBJECT, WIZARD, AUDIO = "subject.events.jsonl", "wizard.events.jsonl", "audio/e00-01-002.wav"


def answer_all(room: Room, turns: int) -> None:
    """Reply to what waits, until nothing does."""
    room.wait(open_turns=turns)
    for left in range(turns, 0, -1):
        room.wait(open_turns=left)
        room.qtbot.waitUntil(lambda: room.window.property("state") in ("transcribe", "answer"))
        room.key(Qt.Key.Key_M, CONTROL)
        room.type("3")
        room.key(Qt.Key.Key_Return)
    room.wait(open_turns=0)


@pytest.mark.parametrize("names", [(WIZARD,), (SUBJECT, AUDIO)], ids=["wizard's", "subject's"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_session_with_damaged_files_goes_on_and_closes(
    qtbot: QtBot, begun: Room, opening: Opening, tmp_path: Path, names: tuple[str, ...], damage: str
) -> None:
    """What came from the subject's station is asked for again there, lines and recordings each for themselves."""
    for _ in range(2):
        answer_with_a_message(begun)
    qtbot.waitUntil(lambda: len(begun.subject.shown_of(AudioSafe)) == 2)
    bundle = begun.leave()
    before = read_journal(bundle.wizard_journal).last_seq
    for name in names:
        DAMAGES[damage](bundle.path / name)
    shown = len(begun.subject.shown)
    again = Room(qtbot, opening(), begun.subject, begun.link_name)
    qtbot.waitUntil(again.domain_is_there)
    assert again.app.station is not None
    again.app.window.start.resume_requested.emit("e00-01")
    again.wait(session="e00-01", link="up", scenario="anniversary")
    # What the wizard's journal lost is answered again, and the subject sees it: no number is used twice.
    qtbot.waitUntil(lambda: sum(not turn.is_no_turn for turn in progress_of(again).in_order) == 2)
    answer_all(again, len(progress_of(again).open_turns))
    answer_with_a_message(again)
    qtbot.waitUntil(lambda: len(begun.subject.shown_of(AudioSafe)) >= 3)

    def turns_shown() -> list[int]:
        return [one.turn for one in begun.subject.shown[shown:] if isinstance(one, MessageShown)]

    qtbot.waitUntil(lambda: turns_shown()[-1:] == [3])
    again.close_session()
    turns = read_turns(bundle)
    assert [(turn.turn, turn.outcome) for turn in turns] == [(number, "message") for number in (1, 2, 3)]
    assert all(turn.audio for turn in turns)
    subject = read_journal(bundle.subject_journal)
    assert not subject.is_damaged and not subject.torn_bytes
    numbers = [entry.seq for entry in read_journal(bundle.wizard_journal).entries]
    assert len(set(numbers)) == len(numbers) and max(numbers) > before
    problems = [problem.file for problem in bundle.verify()]
    assert problems == ([bundle.wizard_journal.name] if WIZARD in names else [])
    bundle.repair(tmp_path / "e00-01")
    assert Bundle(tmp_path / "e00-01").verify() == []


def progress_of(room: Room) -> SessionProgress:
    return room.app.station.controllers.session.progress


def test_the_mirror_gives_back_what_the_wizards_journal_lost_and_the_window_says_so(
    qtbot: QtBot, mirrored: Callable[..., Room], opening: Opening, tmp_path: Path, study: Study
) -> None:
    mirror = tmp_path / "mirror"
    room = mirrored()
    answer_with_a_message(room)
    bundle = room.leave()
    before = read_journal(bundle.wizard_journal).entries
    for damage in DAMAGES.values():
        damage(bundle.wizard_journal)
        take_from_mirror(mirror, bundle, "e00-01")
        # Not its bytes: of a damaged line end nothing is lost, so it stays.
        after = read_journal(bundle.wizard_journal)
        assert (after.entries, after.lost) == (before, ())
    flip(bundle.wizard_journal, "query_sent")
    again = Room(qtbot, opening(replace(study, named_mirror=mirror), resume=True), room.subject, room.link_name)
    again.wait(session="e00-01", link="up")
    sentence = f"{WIZARD}: Damage was found and repaired: 1 line came from the mirror."
    qtbot.waitUntil(lambda: sentence in problem(again))
    again.close_session()
    assert bundle.verify() == []
    assert bundle.notes() == [sentence]


def altered_speaker(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"speaker_id": "e00"', b'"speaker_id": "e08"'))


SESSION_JSON_DAMAGES: tuple[tuple[Callable[[Path], object], str], ...] = (
    (Path.unlink, "all of it"), (lambda path: path.write_bytes(b"{"), "all of it"), (altered_speaker, "speaker_id"),
)  # fmt: skip


def test_session_json_comes_back_from_the_journal_and_the_window_says_so(
    qtbot: QtBot, begun: Room, opening: Opening
) -> None:
    answer_with_a_message(begun)
    subject, sentences = begun.subject, []
    before = None
    for harm, what in SESSION_JSON_DAMAGES:
        bundle = begun.leave()
        before = before or bundle.read_session_json()
        harm(bundle.session_json)
        begun = Room(qtbot, opening(resume=True), subject, begun.link_name)
        begun.wait(session="e00-01", link="up")
        sentences.append(f"session.json: Damage was found and repaired: {what} came from the wizard’s journal.")
        qtbot.waitUntil(lambda: sentences[-1] in problem(begun))  # noqa: B023
    assert begun.close_session() == bundle
    after = bundle.read_session_json()
    # The hash of the database may come later than the first reading.
    kept = {key: value for key, value in before.items() if key != "domain_content_sha256"}
    assert {key: after[key] for key in kept} == kept
    assert bundle.verify() == []
    assert set(sentences) <= set(bundle.notes())


def test_session_json_that_vanishes_while_the_session_runs_is_there_at_its_end(begun: Room) -> None:
    answer_with_a_message(begun)
    station = begun.app.station
    assert station is not None and station.controllers.session.session is not None
    station.controllers.session.session.bundle.session_json.unlink()
    bundle = begun.close_session()
    assert bundle.verify() == []
    assert any(note.startswith("session.json: Damage was found and repaired") for note in bundle.notes())


def test_a_mirror_under_the_id_alone_is_still_read_and_one_of_a_namesake_gives_nothing(
    mirrored: Callable[..., Room], tmp_path: Path
) -> None:
    bundle = mirrored().leave()
    before = bundle.wizard_journal.read_bytes()
    copy = next((tmp_path / "mirror").glob("e00-01-*")).rename(tmp_path / "mirror" / "e00-01")
    bundle.wizard_journal.unlink()
    take_from_mirror(tmp_path / "mirror", bundle, "e00-01")
    assert bundle.wizard_journal.read_bytes() == before
    # In another study.
    bundle.update_session_json(identity="0" * 32)
    bundle.wizard_journal.unlink()
    for place in (f"e00-01-{'0' * 32}", "e00-01"):
        copy = copy.rename(tmp_path / "mirror" / place)
        take_from_mirror(tmp_path / "mirror", bundle, "e00-01")
        assert read_journal(bundle.wizard_journal).entries == ()


def test_two_studies_with_one_mirror_keep_their_copies_apart(
    mirrored: Callable[..., Room], tmp_path: Path, study: Study
) -> None:
    other = new_study(
        tmp_path / "other", "personnel", scenarios=["anniversary", "fair"], practice="practice", take_back_s=0
    )
    for one in (study, other):
        room = mirrored(one)
        bundle = room.leave()
        room.subject.close()
        written = bundle.wizard_journal.read_bytes()
        copies = [path.read_bytes() for path in (tmp_path / "mirror").glob("e00-01-*/wizard.events.jsonl")]
        assert copies.count(written) == 1
    assert len(copies) == 2


def test_a_recording_that_nobody_has_is_reported_and_the_session_closes_as_it_is(qtbot: QtBot, begun: Room) -> None:
    begun.subject.gone.add("e00-01-001")
    turn = begun.subject.speak()
    begun.wait(turn=turn)
    qtbot.waitUntil(lambda: "cannot give the recording of turn 1" in problem(begun))
    answer_all(begun, 1)
    answer_with_a_message(begun)
    begun.key(Qt.Key.Key_E, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    begun.press_in_dialog("end_session_confirmed")
    begun.wait(state="closing")
    button = begun.window.findChild(QPushButton, "close_as_it_is")
    waits = begun.window.findChild(QLabel, "closing_message")
    qtbot.waitUntil(lambda: waits.text() == "Waiting for the recording of turn 1.")
    assert button.isVisible()
    button.click()
    begun.press_in_dialog("close_as_it_is_confirmed")
    begun.wait(state="closed")
    assert waits.text().startswith("Closed without the recording of turn 1;")
    bundle = Bundle(Path(begun.window.property("bundle")))
    assert [(problem.file, problem.what) for problem in bundle.verify()] == [
        ("audio/e00-01-001.wav", "The recording is missing.")
    ]
    gaps = [entry.data for entry in read_journal(bundle.wizard_journal).entries if entry.type == "gap_accepted"]
    assert gaps == [{"missing": ["the recording of turn 1"]}]
    assert [turn.audio for turn in read_turns(bundle)] == [None, "audio/e00-01-002.wav"]


@pytest.mark.parametrize("harm", [lambda path: path.write_bytes(b""), Path.unlink], ids=["emptied", "gone"])
def test_an_emptied_copy_of_the_subjects_journal_is_reported_and_filled_again(
    qtbot: QtBot, begun: Room, opening: Opening, harm: Callable[[Path], object]
) -> None:
    for _ in range(2):
        answer_with_a_message(begun)
    bundle = begun.leave()
    harm(bundle.subject_journal)
    assert (SUBJECT, "The lines of turns 1, 2 are missing.") in [(one.file, one.what) for one in bundle.verify()]
    again = Room(qtbot, opening(resume=True), begun.subject, begun.link_name)
    again.wait(session="e00-01", link="up", open_turns=0)
    sentence = f"{SUBJECT}: The lines of turns 1, 2 are missing here. The subject’s station sends them again."
    qtbot.waitUntil(lambda: sentence in problem(again))
    again.close_session()
    assert bundle.verify() == []
    assert bundle.notes() == [
        f"{SUBJECT}: Damage was found and repaired: the lines of turns 1, 2 came from the subject’s station."
    ]
    assert [turn.outcome for turn in read_turns(bundle)] == ["message", "message"]
