"""Annotation layers: rows that are only added, two windows at once, torn files, and what counts in the end."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.base.clock import Clock
from curtain.base.disk import Disk, lock
from curtain.base.errors import CurtainError
from curtain.corpus.annotation.layers import Layers, StandingRows, new_row
from curtain.corpus.annotation.row import LayerRow, Status
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.checks import ensure_whole, notes_of
from curtain.session.journal.sealed_lines import BadLine, read_sealed, seal
from curtain.session.study.ids import BadId
from curtain.session.study.study import new_study
from tests.support.child_program import Child

CLOCK = Clock(wall=lambda: datetime(2026, 3, 1, tzinfo=UTC))
ONE = "e00-01-001"


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    made = Bundle.create(new_study(tmp_path / "lab", "personnel"), "e00-01", {})
    made.wizard_journal.touch()
    return made


def note(
    text: str, by: str = "w1", supersedes: LayerRow | None = None, status: Status = "final", one: str = ONE
) -> LayerRow:
    value = {"text": text} if text else {}
    earlier = supersedes.id if supersedes else None
    return new_row(one, "note", value, by, CLOCK, supersedes=earlier, status=status)


def text_of(row: LayerRow | None) -> str | None:
    return row.value.get("text") if row else None


# -- what counts ---------------------------------------------------------------------------------------


def test_an_undo_is_one_row_more(bundle: Bundle) -> None:
    layers = Layers(bundle)
    first = note("first")
    layers.add(first)
    changed = note("changed", supersedes=first)
    layers.add(changed)
    layers.add(note("first", supersedes=changed))
    assert text_of(layers.standing("note").current(ONE)) == "first"
    assert [text_of(row) for row in layers.rows("note")] == ["first", "changed", "first"]


def test_an_adjudicator_rules_over_all_and_both_views_are_kept(bundle: Bundle) -> None:
    layers = Layers(bundle)
    ruling = note("so be it", by="judge", status="adjudicated")
    layers.add_all([note("a", by="w1"), note("b", by="w2"), ruling, note("still b", by="w2")])
    standing = layers.standing("note")
    assert text_of(standing.current(ONE)) == "so be it"
    assert [(row.by, text_of(row)) for row in standing.finals(ONE)] == [("w1", "a"), ("w2", "still b")]
    layers.add(note("or so", by="second judge", supersedes=ruling, status="adjudicated"))
    assert text_of(layers.standing("note").ruling(ONE)) == "or so"


@pytest.mark.parametrize(("by", "status"), [("w2", "final"), ("w2", "adjudicated"), ("w1", "adjudicated")])
def test_nobody_takes_the_place_of_somebody_elses_row(bundle: Bundle, by: str, status: Status) -> None:
    layers = Layers(bundle)
    first = note("mine", by="w1")
    layers.add(first)
    with pytest.raises(CurtainError, match="one's own"):
        layers.add(note("yours", by=by, supersedes=first, status=status))
    assert len(layers.rows("note")) == 1


@pytest.mark.parametrize(
    ("row", "error"),
    [(note("a", one="e00-02-001"), CurtainError), (note("a", by=" "), CurtainError), (note("a", one="../x"), BadId)],
)
def test_a_row_of_another_session_or_of_nobody_is_refused(
    bundle: Bundle, row: LayerRow, error: type[Exception]
) -> None:
    with pytest.raises(error):
        Layers(bundle).add(row)
    assert not bundle.annotations.exists()


def test_a_row_too_long_to_be_read_back_is_refused_and_nothing_is_written(bundle: Bundle) -> None:
    layers = Layers(bundle)
    with pytest.raises(BadLine):
        layers.add(note("x" * (16 << 20)))
    layers.add(note("short"))
    assert [text_of(row) for row in layers.rows("note")] == ["short"]


def test_a_copy_in_a_folder_of_another_name_can_be_annotated(bundle: Bundle) -> None:
    copy = bundle.path.rename(bundle.path.with_name("a copy"))
    Layers(Bundle(copy)).add(note("a"))
    assert [text_of(row) for row in Layers(Bundle(copy)).rows("note")] == ["a"]


# -- two windows ---------------------------------------------------------------------------------------


def test_each_window_sees_what_the_other_added(bundle: Bundle) -> None:
    here, there = Layers(bundle), Layers(bundle)
    here.add(note("a"))
    there.add(note("b"))
    here.add(note("c"))
    assert [text_of(row) for row in there.rows("note")] == ["a", "b", "c"]
    assert bundle.verify() == []


def test_windows_that_write_at_once_lose_nothing(bundle: Bundle) -> None:
    def annotate(name: str) -> None:
        layers = Layers(bundle)
        for number in range(20):
            layers.add(note(f"{name} {number}", by=name))

    threads = [threading.Thread(target=annotate, args=(name,)) for name in ("w1", "w2", "w3")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    said = [text_of(row) for row in Layers(bundle).rows("note")]
    assert sorted(map(str, said)) == sorted(f"{name} {n}" for name in ("w1", "w2", "w3") for n in range(20))
    assert bundle.verify() == []


def test_another_process_is_waited_for_and_then_told_of(bundle: Bundle) -> None:
    Layers(bundle).add(note("a"))
    descriptor = Disk().open_append(bundle.annotations / "note.jsonl")
    assert lock(descriptor)
    with pytest.raises(CurtainError, match="another window"):
        Layers(bundle, patience_s=0.05).add(note("b"))
    Disk().close(descriptor)
    Layers(bundle).add(note("b"))
    assert [text_of(row) for row in Layers(bundle).rows("note")] == ["a", "b"]


def test_a_process_killed_in_the_middle_leaves_whole_rows(bundle: Bundle) -> None:
    script = (
        "import os, sys; from pathlib import Path\n"
        "from curtain.corpus.annotation.layers import Layers, new_row\n"
        "from curtain.session.bundle.bundle import Bundle\n"
        "from curtain.base.clock import Clock\n"
        "layers = Layers(Bundle(Path(sys.argv[1])))\n"
        "while True:\n"
        "    layers.add(new_row('e00-01-001', 'note', {'text': 'x' * 50_000}, 'w1', Clock()))\n"
        "    print('.', flush=True)\n"
    )
    with Child([sys.executable, "-c", script, str(bundle.path)]) as child:
        printed = sum(1 for _ in zip(range(5), child.stdout, strict=False))
        child.kill()
        printed += len(child.stdout.read().split())
    layers = Layers(bundle)
    layers.add(note("afterwards"))
    assert len(layers.rows("note")) >= printed + 1
    assert bundle.verify() == []


# -- damage --------------------------------------------------------------------------------------------


class FullDisk(Disk):
    """Takes a part of a line and no more."""

    full = True

    def write(self, descriptor: int, data: bytes) -> int:
        if self.full:
            super().write(descriptor, data[: len(data) // 2])
            raise OSError(28, "No space left on device")
        return super().write(descriptor, data)


def test_a_full_disk_costs_only_the_row_it_did_not_take(bundle: Bundle) -> None:
    disk = FullDisk()
    disk.full = False
    layers = Layers(bundle, disk)
    layers.add(note("a"))
    disk.full = True
    with pytest.raises(CurtainError, match="make room"):
        layers.add(note("b"))
    disk.full = False
    layers.add(note("c"))
    assert [text_of(row) for row in Layers(bundle).rows("note")] == ["a", "c"]
    assert bundle.verify() == []


def test_a_torn_tail_is_set_aside_and_reported_and_writing_goes_on_also_in_a_mended_copy(
    bundle: Bundle, tmp_path: Path
) -> None:
    Layers(bundle).add_all([note("a"), note("b")])
    path = bundle.annotations / "note.jsonl"
    torn = path.read_bytes()[:-10]
    path.write_bytes(torn)
    assert [(problem.file, "torn or altered" in problem.what) for problem in bundle.verify()] == [
        ("annotations/note.jsonl", True)
    ]
    assert any(line.startswith("annotations/note.jsonl: ") for line in bundle.repair(tmp_path / "repaired"))
    repaired = Bundle(tmp_path / "repaired")
    assert [problem for problem in repaired.verify() if problem.file.startswith("annotations")] == []
    assert [text_of(row) for row in Layers(repaired).rows("note")] == ["a"]
    fresh = Layers(bundle)
    fresh.rows("note")
    assert "torn bytes" in fresh.problems()[0]
    fresh.add(note("c"))
    assert [text_of(row) for row in fresh.rows("note")] == ["a", "c"]
    aside = bundle.annotations / "note.jsonl.torn-1"
    assert torn.endswith(aside.read_bytes()) and b'"text":"b"' in aside.read_bytes()
    assert aside.name in fresh.problems()[0] and any(aside.name in shown for shown in notes_of(bundle.path))
    assert bundle.verify() == []


def test_a_file_put_back_from_a_copy_is_read_anew(bundle: Bundle) -> None:
    layers = Layers(bundle)
    layers.add(note("a"))
    copy = (bundle.annotations / "note.jsonl").read_bytes()
    layers.add(note("b"))
    (bundle.annotations / "note.jsonl").write_bytes(copy)
    layers.add(note("c"))
    assert [text_of(row) for row in layers.rows("note")] == ["a", "c"]


def test_a_closed_session_stays_sound_while_it_is_annotated(bundle: Bundle) -> None:
    bundle.subject_journal.touch()
    Layers(bundle).add(note("before"))
    bundle.write_manifest()
    Layers(bundle).add(note("afterwards"))
    assert (bundle.state, bundle.verify()) == ("closed", [])
    assert "annotations" not in bundle.manifest.read_text()
    (bundle.annotations / "diary.txt").write_text("x")
    assert [problem.file for problem in bundle.verify()] == ["annotations/diary.txt"]


@contextmanager
def temporary() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        yield Path(folder) / "layer.jsonl"


# -- properties ----------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(st.dictionaries(st.text(), JSON, max_size=4), max_size=4), st.data())
def test_sealed_lines_come_back_and_no_flipped_bit_goes_unseen(
    rows: list[dict[str, object]], data: st.DataObject
) -> None:
    rows = [{"value": row} for row in rows]
    with temporary() as path:
        lines = [seal(n, row) for n, row in enumerate(rows, 1)]
        path.write_bytes(b"".join(lines))
        reading = read_sealed(path)
        assert [line["value"] for line in reading.lines] == [row["value"] for row in rows]
        assert reading.torn_bytes == 0
        if lines:
            spoilt = bytearray(b"".join(lines))
            at = data.draw(st.integers(0, len(spoilt) - 1))
            spoilt[at] ^= 1 << data.draw(st.integers(0, 7))
            path.write_bytes(spoilt)
            after = read_sealed(path)
            assert not after.is_whole
            assert len(after.lines) >= len(reading.lines) - 1
            assert all(line in reading.lines for line in after.lines)


DAMAGES: dict[str, Callable[[list[bytes]], bytes]] = {
    "a row taken out": lambda rows: rows[0] + rows[2],
    "a row altered": lambda rows: rows[0] + rows[1].replace(b"value", b"valuE") + rows[2],
    "a blank line": lambda rows: rows[0] + b"\n" + rows[2],
    "the end of a row lost": lambda rows: rows[0] + rows[1][:-9] + rows[2],
    "binary bytes between": lambda rows: rows[0] + b"\x00\xff\xfe" + rows[2],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_rows_behind_a_gap_are_kept_when_one_is_added_and_the_gap_goes_on_being_reported(
    bundle: Bundle, damage: Callable[[list[bytes]], bytes], tmp_path: Path
) -> None:
    bundle.subject_journal.touch()
    Layers(bundle).add_all([note("a"), note("b"), note("c")])
    path = bundle.annotations / "note.jsonl"
    path.write_bytes(damage(path.read_bytes().splitlines(keepends=True)))
    layers = Layers(bundle)
    layers.add(note("d"))
    assert [text_of(row) for row in layers.rows("note")] == ["a", "c", "d"]
    assert [text_of(row) for row in Layers(bundle).rows("note")] == ["a", "c", "d"]
    assert not list(bundle.annotations.glob("*.torn-*"))
    assert "lost rows" in layers.problems()[0]
    assert [problem.file for problem in bundle.verify()] == ["annotations/note.jsonl"]
    with pytest.raises(CurtainError, match=r"annotations/note\.jsonl.*curtain verify.*curtain repair"):
        ensure_whole(bundle.path)
    bundle.repair(tmp_path / "repaired")
    repaired = Bundle(tmp_path / "repaired")
    assert [text_of(row) for row in Layers(repaired).rows("note")] == ["a", "c", "d"]
    assert repaired.verify() == []
    assert (repaired.annotations / "note.jsonl.torn-1").read_bytes() == path.read_bytes()
    ensure_whole(repaired.path)


def test_a_folder_or_an_empty_file_in_place_of_a_layer_is_reported(bundle: Bundle) -> None:
    bundle.annotations.mkdir()
    (bundle.annotations / "redaction.jsonl").mkdir()
    (bundle.annotations / "sql.jsonl").touch()
    assert [problem.file for problem in bundle.verify()] == ["annotations/redaction.jsonl", "annotations/sql.jsonl"]
    with pytest.raises(CurtainError, match=r"redaction\.jsonl"):
        ensure_whole(bundle.path)


def test_annotations_behind_a_link_that_leads_nowhere_are_reported(bundle: Bundle, tmp_path: Path) -> None:
    bundle.annotations.symlink_to(tmp_path / "gone")
    with pytest.raises(CurtainError, match="annotations"):
        ensure_whole(bundle.path)


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["w1", "w2"]), st.sampled_from(["draft", "final", "adjudicated"]), st.text(max_size=3),
        st.integers(0, 8),
    ),
    max_size=8,
)  # fmt: skip


@given(ROWS)
def test_whatever_is_written_the_last_of_the_strongest_kind_counts(said: list[tuple[str, Status, str, int]]) -> None:
    rows: list[LayerRow] = []
    for by, status, text, back in said:
        earlier = rows[-back] if 0 < back <= len(rows) else None
        rows.append(note(text, by, earlier, status))
    standing = StandingRows.of(rows)
    current = standing.current(ONE)
    left = standing.by_utterance.get(ONE, ())
    strongest = [r for r in left if r.value and r.status == "adjudicated"] or [
        r for r in left if r.value and r.status == "final"
    ]
    assert current == (strongest[-1] if strongest else None)
    assert all(row in rows for row in left) and (not rows or rows[-1] in left)
