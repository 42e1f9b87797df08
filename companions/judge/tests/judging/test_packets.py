"""Packets for judges: blind, in order within a session, safe from changes, and back again by commands alone."""

import json
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from curtain.base.errors import CurtainError
from curtain.base.record_file import BadRecords
from curtain.base.table import Table
from curtain.commands.cli import app
from curtain.corpus.model.consents import NotedConsent, note_consents
from curtain_judge.command import NewEvaluation, run_agreement, run_merge, run_new
from curtain_judge.evaluation import BadEvaluation, Judge, JudgedRuling, new_evaluation, open_evaluation
from curtain_judge.items import ItemSource, JudgedItem, read_selection
from curtain_judge.merging import merge_packets
from curtain_judge.packet import GivenLabel, Packet
from tests.corpus.test_hidden_in_sessions import hide
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS

STUDY = Path(__file__).parents[4] / "tests" / "data" / "version_0_1" / "study"
NOW = "2026-03-01T09:30:00.000Z"


def sources(sessions=4, pairs=3):
    return [
        ItemSource(
            JudgedItem(
                id=f"{session:08x}-{pair:03}",
                session=f"{session:08x}",
                number=pair,
                scenario="Find a flight.",
                query=f"show flights {pair}",
                table=Table(headings=["Flight"], rows=[["DL 139"]], numeric=[False], total=1),
                message=None,
                filled="",
                wav=b"RIFF" + bytes([session, pair]),
            ),
            f"e0{session}-01-{pair:03}",
            f"e0{session}-01",
            "study",
        )
        for session in range(1, sessions + 1)
        for pair in range(1, pairs + 1)
    ]


@pytest.fixture
def made(tmp_path):
    judges = [Judge("ada"), Judge("ben"), Judge("cy")]
    new_evaluation(tmp_path / "e1", sources(), judges, seed=7, name="e1")
    return open_evaluation(tmp_path / "e1")


def label_all(path, choose, count=None):
    with Packet(path) as packet:
        for item in packet.items[:count]:
            packet.add(GivenLabel(item.id, "clarity", "clear", 4.0, NOW))
            packet.add(GivenLabel(item.id, "correctness", choose(item), 3.0, NOW))


def test_sessions_are_shuffled_for_each_judge_and_pairs_keep_their_order(made):
    orders = {}
    for judge in ("ada", "ben", "cy"):
        with Packet(made.folder / f"{judge}.packet", read_only=True) as packet:
            items = [item.content for item in packet.items]
        sessions = list(dict.fromkeys(item["session"] for item in items))
        orders[judge] = tuple(sessions)
        for session in sessions:
            assert [item["number"] for item in items if item["session"] == session] == [1, 2, 3]
    assert len(set(orders.values())) > 1


def test_the_same_items_make_the_same_packet_byte_for_byte(tmp_path):
    for name in ("one", "two"):
        new_evaluation(tmp_path / name, sources(), [Judge("ada")], seed=7, name="e1")
    assert (tmp_path / "one" / "ada.packet").read_bytes() == (tmp_path / "two" / "ada.packet").read_bytes()


def test_labels_are_there_after_the_window_was_killed_and_the_last_one_stands(made):
    path = made.folder / "ada.packet"
    packet = Packet(path)
    first = packet.items[0].id
    packet.add(GivenLabel(first, "clarity", "clear", 2.0, NOW))
    packet.add(GivenLabel(first, "clarity", "unclear", 1.0, NOW))
    packet.add(GivenLabel(first, "correctness", "correct", 1.0, NOW))
    packet.add(GivenLabel(first, "correctness", "", 1.0, NOW))

    # A copy of what is on the disk while the first is still open.
    shutil.copy(path, made.folder / "copy.packet")
    with Packet(made.folder / "copy.packet") as copy:
        assert len(copy.labels()) == 4
        assert {key: label.label for key, label in copy.standing().items()} == {(first, "clarity"): "unclear"}
    packet.close()


def test_a_packet_is_open_in_one_window_at_a_time_and_can_be_read_meanwhile(made):
    path = made.folder / "ada.packet"
    with Packet(path) as packet:
        with pytest.raises(CurtainError, match=r"ada\.packet is open in another window"):
            Packet(path)
        with Packet(path, read_only=True) as reader:
            assert reader.judge == "ada"
        packet.add(GivenLabel(packet.items[0].id, "clarity", "clear", 2.0, NOW))
    Packet(path).close()
    assert not list(made.folder.glob(".*"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE item SET content = '{}'", "DELETE FROM label", "UPDATE label SET label = 'incorrect'",
        "UPDATE about SET value = 'ben'",
    ],
)  # fmt: skip
def test_nothing_in_a_packet_can_be_changed_by_accident(made, statement):
    label_all(made.folder / "ada.packet", lambda item: "correct")
    with sqlite3.connect(made.folder / "ada.packet") as database, pytest.raises(sqlite3.IntegrityError):
        database.execute(statement)


def test_labels_of_all_judges_come_together_and_dissent_waits_for_a_ruling(made):
    first = open_evaluation(made.folder).design.items[0].id
    for judge in ("ada", "ben", "cy"):
        wrong = "incorrect" if judge == "cy" else "correct"
        label_all(made.folder / f"{judge}.packet", lambda item, wrong=wrong: wrong if item.id == first else "correct")

    merged = merge_packets(made, [made.folder / f"{judge}.packet" for judge in ("ada", "ben", "cy")])

    assert next(one.sentence for one in merged) == "ada: all 12 items, 7.0 s an item."
    assert made.dissent() == [(first, "correctness")]
    assert (first, "correctness") not in made.settled()
    before = (made.folder / "labels.jsonl").read_bytes()
    made.rule(JudgedRuling(first, "correctness", "incorrect", "dee", "the fare is not shown", NOW))
    assert made.settled()[first, "correctness"] == ("incorrect", "adjudicated")
    assert (made.folder / "labels.jsonl").read_bytes() == before


def test_a_judge_who_stopped_half_way_is_named_and_nothing_is_lost(made):
    label_all(made.folder / "ada.packet", lambda item: "correct", count=5)
    (merged,) = merge_packets(made, [made.folder / "ada.packet"])
    assert merged.sentence == "ada: 5 of 12 items, 7.0 s an item; the packet is not finished."
    assert len(made.labels()) == 10


def test_a_merge_keeps_the_labels_of_judges_whose_packets_are_not_named(made):
    for judge in ("ada", "ben", "cy"):
        label_all(made.folder / f"{judge}.packet", lambda item: "correct", count=2)
    merge_packets(made, [made.folder / f"{judge}.packet" for judge in ("ada", "ben", "cy")])
    before = {row for row in made.kept_labels() if row.judge_id != "ada"}

    label_all(made.folder / "ada.packet", lambda item: "incorrect", count=2)
    lines = []
    run_merge([made.folder / "ada.packet"], None, say=lines.append)

    assert "ben, cy: as merged before." in lines
    assert {row for row in made.kept_labels() if row.judge_id != "ada"} == before
    # Four labels, though of clarity nobody differs.
    assert lines[-1].endswith("Judges differ on 2 pairs.")


def given(label, seconds):
    def harm(made):
        with Packet(made.folder / "ada.packet") as packet:
            packet.add(GivenLabel(packet.items[0].id, "clarity", label, seconds, NOW))

    return harm


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (given("wonderful", 1.0), "“wonderful” for clarity, which is none of clear, unclear, unintellig"),
        # No later merge could read it.
        (given("clear", float("inf")), "holds a time without end; ask ada for the packet again"),
        (lambda made: (made.folder / "labels.jsonl").write_text("{\n"),
         r"line 1: .*Move it elsewhere, and merge all packets again"),
        (lambda made: shutil.copy(made.folder / "ada.packet", made.folder / "ada (2).packet"),
         "are both of ada; keep the one that counts"),
    ],
)  # fmt: skip
def test_a_packet_that_cannot_count_is_refused_and_nothing_is_written(made, harm, sentence):
    harm(made)
    before = {path.name: path.read_bytes() for path in made.folder.glob("labels.jsonl")}
    with pytest.raises((BadEvaluation, BadRecords), match=sentence):
        merge_packets(made, sorted(made.folder.glob("ada*.packet")))
    assert {path.name: path.read_bytes() for path in made.folder.glob("labels.jsonl")} == before


def test_an_older_packet_says_what_it_lacks(made):
    shutil.copy(made.folder / "ada.packet", made.folder / "early.packet")
    label_all(made.folder / "ada.packet", lambda item: "correct")
    merge_packets(made, [made.folder / "ada.packet"])
    label_all(made.folder / "early.packet", lambda item: "correct", count=1)
    (merged,) = merge_packets(made, [made.folder / "early.packet"])
    assert merged.sentence.endswith("the packet is not finished. It lacks 22 labels of the packet merged before.")


@pytest.mark.parametrize(
    ("judges", "sentence"),
    [
        (None, "holds no labels yet; bring them in with"),
        ((), "hold no label yet, so there is nothing to rule on"),
        (("ben",), "holds labels of ben only; two judges are needed"),
        (("ada", "ben"), "The judges agree on every pair"),
    ],
)
def test_an_adjudicator_with_nothing_to_rule_on_reads_why(made, judges, sentence, monkeypatch):
    monkeypatch.setattr("curtain.commands.windows.open_window", lambda *_: pytest.fail("a window opened"))
    for judge in judges or ():
        label_all(made.folder / f"{judge}.packet", lambda item: "correct")
    if judges is not None:
        merge_packets(made, [made.folder / "ada.packet", made.folder / "ben.packet"])
    result = CliRunner().invoke(app, ["judge", "adjudicate", str(made.folder)])
    assert sentence in str(result.exception)


def changed(path, statement, *values):
    """Somebody takes the triggers away, changes a row and puts them back: the tables look untouched."""
    with sqlite3.connect(path) as database:
        triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE name LIKE '%UPDATE'").fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        database.execute(statement, values)
        for _, trigger in triggers:
            database.execute(trigger)
    database.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE item SET content = replace(content, 'DL 139', 'DL 140') WHERE place = 1",
        "UPDATE item SET wav = x'00' WHERE place = 1",
        "UPDATE item SET id = 'other' WHERE place = 1",
    ],
)
def test_a_packet_whose_items_changed_is_refused_and_nothing_is_written(made, statement):
    changed(made.folder / "ben.packet", statement)
    with pytest.raises(BadEvaluation, match="is not what the judge was given; ask ben for the packet again"):
        merge_packets(made, [made.folder / "ada.packet", made.folder / "ben.packet"])
    assert not (made.folder / "labels.jsonl").exists()


def test_a_packet_of_another_evaluation_or_judge_is_refused(made, tmp_path):
    new_evaluation(tmp_path / "e2", sources(), [Judge("ada"), Judge("zoe")], seed=7, name="e2")
    with pytest.raises(BadEvaluation, match="belongs to the evaluation “e2”, not to “e1”"):
        merge_packets(made, [tmp_path / "e2" / "ada.packet"])
    changed(tmp_path / "e2" / "zoe.packet", "UPDATE about SET value = 'e1' WHERE name = 'evaluation'")
    with pytest.raises(BadEvaluation, match="is of zoe, who is no judge of “e1”"):
        merge_packets(made, [tmp_path / "e2" / "zoe.packet"])


@pytest.mark.parametrize("words", [("judge",), ("judge", "merge")])
def test_a_file_that_is_no_packet_is_refused_before_anything_else_is_looked_for(tmp_path, words, monkeypatch):
    path = tmp_path / "ada.packet"
    path.write_bytes(b"PK\x03\x04 no database")
    monkeypatch.setattr("curtain.commands.windows.open_window", lambda *_: pytest.fail("a window opened"))
    result = CliRunner().invoke(app, [*words, str(path)])
    assert "is no packet, or it is damaged" in str(result.exception)
    assert "Ask for it again" in str(result.exception)


def test_a_packet_apart_from_its_evaluation_asks_for_the_folder(made, tmp_path):
    elsewhere = shutil.copy(made.folder / "ada.packet", tmp_path / "ada.packet")
    with pytest.raises(CurtainError, match=r"holds no evaluation .* Name the folder of the evaluation with --out"):
        run_merge([Path(elsewhere)], None)
    run_merge([Path(elsewhere)], made.folder, say=lambda line: None)
    assert (made.folder / "labels.jsonl").exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"", "is no packet"), (b"PK\x03\x04 no database", "is no packet"), (None, "cannot be read")],
)
def test_what_is_no_packet_is_refused_in_one_sentence(tmp_path, content, sentence):
    path = tmp_path / "ada.packet"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CurtainError, match=sentence):
        Packet(path)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"judges": ["ada", "ada"]}, "The judge ada is named twice"),
        ({"judges": [""]}, "Name at least one judge"),
        ({"judges": ["a/b"]}, "“a/b” cannot name a judge; use letters, digits, - and _ without blanks."),
        ({"judges": ["Jörg Müller"]}, "without blanks, such as “Jörg-Müller”"),
        ({"judges": ["Ada,ada"]}, "“Ada” and “ada” in --judges differ in capitals only"),
        ({"judges": ["ada,Con"]}, "“Con” cannot name a judge: Windows keeps this name"),
        ({"items": "colour=red"}, "--items colour=red cannot be; write KEY=NAME"),
        ({"items": "scenario=nowhere"}, "no pair of query and response to judge: --items scenario=nowhere may leave"),
        ({"without_consent": False}, "to judge: --without-consent takes sessions without a consent too"),
    ],
)
def test_what_cannot_be_judged_is_refused_in_one_sentence(tmp_path, changes, sentence):
    options = replace(NewEvaluation(["ada,ben"], "", 1, without_consent=True), **changes)
    with pytest.raises(CurtainError, match=sentence):
        run_new(STUDY, tmp_path / "out", options, say=lambda line: None)
    assert not (tmp_path / "out" / "design.json").exists()


def test_packets_do_not_go_into_the_folder_of_a_study_or_over_an_evaluation(tmp_path):
    (tmp_path / "study.toml").touch()
    with pytest.raises(BadEvaluation, match="holds a study; choose a folder for the packets alone with --out"):
        new_evaluation(tmp_path, sources(), [Judge("ada")], seed=7, name="e1")
    assert [path.name for path in tmp_path.iterdir()] == ["study.toml"]
    # Letters of any language name a judge.
    new_evaluation(tmp_path / "e1", sources(), [Judge("Jörg-Müller"), Judge("जोशी"), Judge("北京")], seed=7, name="e1")
    assert len(list((tmp_path / "e1").glob("*.packet"))) == 3
    with pytest.raises(CurtainError, match=r"is there already|holds an evaluation"):
        new_evaluation(tmp_path / "e1", sources(), [Judge("ada")], seed=7, name="e1")
    assert read_selection("scenario=1, scenario=2").names == {"scenario": {"1", "2"}}


def test_a_packet_of_a_study_shows_what_the_subject_saw_and_nothing_behind_the_curtain(tmp_path):
    lines = []
    options = NewEvaluation(["ada", "ben"], "", 1, without_consent=True)
    # A copy: the study notes which packets were made of it.
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    assert run_new(study, tmp_path / "out", options, say=lines.append) == 0

    with Packet(tmp_path / "out" / "ada.packet", read_only=True) as packet:
        everything = json.dumps([item.content for item in packet.items]) + json.dumps(packet.about)
        assert any(item.content["table"] for item in packet.items)
        assert all(packet.wav(item.id).startswith(b"RIFF") for item in packet.items if item.has_audio)
    for hidden in ("SELECT", "a00-01", "wizard", "condition"):
        assert hidden not in everything
    # The other judge is not named.
    assert "ben" not in everything
    assert run_merge([tmp_path / "out" / "ada.packet"], None, say=lines.append) == 0


def test_what_nobody_can_read_or_may_see_is_in_no_packet_and_the_sentences_count_it(tmp_path):
    study = make_toy(tmp_path / "study", sittings=[one for one in SITTINGS if one.session_id in ("e00-01", "m10-01")])
    whole = "Who is Mary Graham's supervisor?"
    hide(study, "e00-01-004", whole, whole)
    note_consents(study, [NotedConsent(session_id="m10-01", scopes=["take_part"])])
    lines = []
    assert run_new(study, tmp_path / "out", NewEvaluation(["ada"], use="share"), say=lines.append) == 0
    with Packet(tmp_path / "out" / "ada.packet", read_only=True) as packet:
        queries = [item.content["query"] for item in packet.items]
        assert len({item.content["session"] for item in packet.items}) == 1
    assert len(queries) == 9 and "[redacted]" not in queries
    assert lines[1:4] == ["left out: 1 (cancelled)", "left out: 1 (its words are hidden)", "left out: 1 (practice)"]
    assert "left out: 11 (the consent does not cover sharing with other labs)" in lines


def test_agreement_before_any_label_is_a_sentence(made, tmp_path, capsys):
    run_merge([tmp_path / "e1" / "ada.packet"], None, say=lambda _: None)
    run_agreement(tmp_path / "e1", seed=1, as_json=False)
    assert "There is no label yet." in capsys.readouterr().out


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"


@pytest.mark.parametrize(
    "script",
    [
        "DROP TABLE label; CREATE VIEW label AS SELECT 1 AS number, '' AS item, '' AS question, '' AS label, "
        "1.0 AS seconds, '' AS at_utc",
        f"DROP TABLE item; CREATE VIEW item AS {ENDLESS} SELECT i AS place, i AS id, '' AS content, '' AS wav FROM n",
        "DROP TABLE item; CREATE TABLE item (place, id, content, wav); INSERT INTO item VALUES (1, 2, 3, zeroblob(9))",
        f"DROP TABLE about; CREATE VIEW about AS {ENDLESS} SELECT i AS name, '' AS value FROM n",
        "CREATE TABLE more (a)",
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER more AFTER INSERT ON label BEGIN SELECT zeroblob(1000000000); END",
        "DROP TRIGGER label_update",
        "DROP TRIGGER item_update; UPDATE item SET content = '[]'",
    ],
)
def test_a_packet_with_anything_that_is_not_ours_is_refused_in_one_sentence(made, script):
    path = made.folder / "ada.packet"
    with sqlite3.connect(path) as database:
        database.executescript(script)
    database.close()
    with pytest.raises(CurtainError, match="is no packet: its tables are not ours"):
        Packet(path)


@pytest.mark.parametrize("content", ["[]", "1", "null", '"x"', "[" * 200_000, "{"])
def test_an_item_that_is_no_pair_is_refused_in_one_sentence(made, content):
    path = made.folder / "ada.packet"
    changed(path, "UPDATE item SET content = ? WHERE place = 1", content)
    with pytest.raises(CurtainError, match=r"item 1 .*make the packet anew"):
        Packet(path)


def test_a_full_disk_is_no_damage_of_the_packet(made):
    with Packet(made.folder / "ada.packet") as packet:
        pages = packet._database.execute("PRAGMA page_count").fetchone()[0]
        packet._database.execute(f"PRAGMA max_page_count = {pages}")
        label = GivenLabel(packet.items[0].id, "comment", "x" * 100_000, 1.0, NOW)
        with pytest.raises(CurtainError, match="disk of this computer is full: make room"):
            packet.add(label)
        assert packet.labels() == []
