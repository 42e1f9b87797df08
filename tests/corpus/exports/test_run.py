"""What every export has in common, and what leaves in none; a full disk is one sentence, what was there stays whole."""

import contextlib
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.corpus.exports.run import export
from curtain.corpus.exports.text_files import without_tags
from curtain.corpus.model.corpus import BundleCorpus, open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.redaction.erasure import forget, plan_for
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import load_study
from curtain_corpora.exports.names import names_in, utterance_name
from tests.corpus.exports.small import HeldCorpus, all_texts, session, sound, utterance
from tests.corpus.formats import FORMATS
from tests.corpus.given import counted
from tests.corpus.test_hidden_in_sessions import say
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS
from tests.support.everywhere import Call

ROOT = Path(__file__).resolve().parents[3]
OURS = ("parquet", "huggingface", "kaldi", "nist")
TREES, QUERIES = ("atis", "textgrid"), ("spider",)
WITH_SOUND = ("huggingface", "kaldi", *TREES)
ODD = ["José García/../x", "..", "CON", "x" * 250, "a b", "A", "a", "ä\n"]


@pytest.mark.parametrize("format_name", [*OURS, *TREES, *QUERIES])
def test_an_export_tells_what_it_holds(exported: Callable[[str], Path], corpus: BundleCorpus, format_name: str) -> None:
    account = json.loads((exported(format_name) / "EXPORT.json").read_text("utf-8"))
    kept = counted(corpus)
    assert account["format"] == format_name
    assert account["tool"] == {"name": "curtain", "version": metadata.version("curtain-woz")}
    assert len(account["source_sha256"]) == 64
    assert account["corpus"]["utterances"] == kept.kept == 66
    assert (account["corpus"]["sessions"], account["corpus"]["speakers"]) == (6, 4)
    splits = {name: split["utterances"] for name, split in account["corpus"]["splits"].items()}
    assert splits == {"train": 44, "dev": 11, "test": 11}
    assert account["kept"] + sum(account["dropped"].values()) == kept.utterances


def test_the_source_has_another_hash_once_an_annotation_changes(toy: Path, own_toy: Path, tmp_path: Path) -> None:
    say(own_toy, "e00-01-002", "note", {"text": "loud"})
    hashes = set()
    for name, study in (("one", toy), ("same", toy), ("other", own_toy)):
        export(open_corpus([study]), "parquet", tmp_path / name)
        hashes.add(json.loads((tmp_path / name / "EXPORT.json").read_text("utf-8"))["source_sha256"])
    assert len(hashes) == 2


def alter(bundle: Bundle) -> None:
    path = min(bundle.audio.glob("*.wav"))
    path.write_bytes(path.read_bytes()[:-2] + b"\0\1")


CLOSED, OPEN = "e00-01", "m10-01"
ALTERED: dict[str, tuple[str, Callable[[Bundle], None], str]] = {
    "a recording": (CLOSED, alter, ".wav: The file was altered after the session was closed"),
    "a recording of an open session": (OPEN, alter, ".wav: The recording is not the one that was saved"),
    "a recording that is gone": (
        CLOSED, lambda b: b.utterance("e00-01-002").unlink(), "e00-01-002.wav: The file is missing",
    ),
    "no manifest": (CLOSED, lambda b: b.manifest.unlink(), "its list of checksums is missing"),
    "session.json": (
        CLOSED, lambda b: b.update_session_json(colour="red"), "session.json: The file was altered",
    ),
}  # fmt: skip


@pytest.mark.parametrize("damage", ALTERED)
def test_no_format_takes_an_altered_session(own_toy: Path, tmp_path: Path, damage: str) -> None:
    name, make, sentence = ALTERED[damage]
    make(Bundle(own_toy / "sessions" / name))
    assert Bundle(own_toy / "sessions" / name).verify()
    with pytest.raises(CurtainError, match=sentence):
        export(open_corpus([own_toy]), "parquet", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("annotations/category.jsonl", lambda data: data[: data.index(b"\n") + 1] + data[data.index(b"\n") + 9 :]),
        ("annotations/sql.jsonl", lambda data: b""),
        ("annotations/sql.jsonl", lambda data: data + b"\x00\xff"),
        ("wizard.events.jsonl", lambda data: data[:30]),
    ],
)
def test_nothing_leaves_a_study_with_a_damaged_layer_or_journal(
    own_toy: Path, tmp_path: Path, name: str, damage: Callable[[bytes], bytes]
) -> None:
    path = next(own_toy.glob(f"sessions/*/{name}"))
    path.write_bytes(damage(path.read_bytes()))
    session_folder = str(path)[: -len(name) - 1]
    with pytest.raises(CurtainError) as raised:
        export(open_corpus([own_toy]), "parquet", tmp_path / "out")
    assert all(part in str(raised.value) for part in (session_folder, name, "curtain repair"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("format_name", [*OURS, *TREES])
def test_a_blind_export_has_no_answers(
    exported: Callable[[str], Path], split_toy: Path, tmp_path: Path, format_name: str
) -> None:
    secrets = ("SELECT", 'LEASE" "SHARON', "wh-question", "The answer is", "no_database_answer")
    export(open_corpus([split_toy], blind=True), format_name, tmp_path / "blind")
    assert not [one for one in secrets for text in all_texts(tmp_path / "blind") if one in text]
    assert json.loads((tmp_path / "blind" / "EXPORT.json").read_text("utf-8"))["blind"] is True
    if format_name not in ("kaldi", "nist"):
        assert any("SELECT" in text for text in all_texts(exported(format_name)))


@pytest.fixture(scope="module")
def long(corpus: BundleCorpus) -> set[str]:
    """What was said in more than three words, in small letters."""
    said = {one.lsn for held in corpus.sessions() for one in held.utterances}
    return {text.lower() for text in said if text and len(text.split()) > 3}


@pytest.mark.parametrize("format_name", [one.name for one in FORMATS if one.speech])
def test_a_set_of_recordings_alone_has_no_words(
    split_toy: Path, tmp_path: Path, long: set[str], format_name: str
) -> None:
    export(open_corpus([split_toy], Filters(live=True), speech_only=True), format_name, tmp_path / "out")
    text = "\n".join(all_texts(tmp_path / "out")).lower()
    assert long and not [one for one in long if one in text]
    account = json.loads((tmp_path / "out" / "EXPORT.json").read_text("utf-8"))
    assert account["speech_only"] is True and account["kept"] > 60


@pytest.mark.parametrize("format_name", WITH_SOUND)
def test_the_original_recording_is_no_link_of_the_exported_one(
    exported: Callable[[str], Path], toy: Path, format_name: str
) -> None:
    originals = {path.stat().st_ino for path in toy.rglob("*.wav")}
    copies = list(exported(format_name).rglob("*.wav"))
    assert copies or format_name == "huggingface"
    assert not [path for path in copies if path.is_symlink() or path.stat().st_ino in originals]


@pytest.mark.parametrize("format_name", [*OURS, *TREES, *QUERIES])
def test_the_same_corpus_gives_the_same_bytes(
    exported: Callable[[str], Path], corpus: BundleCorpus, tmp_path: Path, format_name: str
) -> None:
    export(corpus, format_name, tmp_path / "again", left_out=lambda: corpus.counts.dropped)
    assert contents(tmp_path / "again") == contents(exported(format_name))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("format_name", OURS)
def test_odd_ids_never_leave_the_folder_and_come_back(tmp_path: Path, format_name: str) -> None:
    held = []
    for at, odd in enumerate(ODD):
        audio = sound(tmp_path / "in" / f"{at}.wav")
        one = utterance(audio, f"{odd}-{odd}", speaker_id=odd, session_id=f"{odd}-1")
        held.append(session(one, path=tmp_path / "in"))
    before = {path for path in tmp_path.rglob("*")}
    out = tmp_path / "out"
    export(HeldCorpus(held), format_name, out)
    new = {path for path in tmp_path.rglob("*")} - before
    assert all(path == out or out in path.parents for path in new)
    assert not any(set(path.name) & set('/\\:*?"<>| ') for path in new)
    if format_name != "parquet":
        names = {utterance_name(odd, f"{odd}-{odd}") for odd in ODD}
        back = names_in(out)
        assert {back.get(name, name) for name in names} == {f"{odd}-{odd}" for odd in ODD}
        assert all(any(name in text for text in all_texts(out)) for name in names)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"audio": None, "frames": None}, "without a recording"),
        ({"lsn": None}, "without a transcription"),
        ({"frames": 1601}, "recording is not as long as its journal says"),
        ({"audio": Path(__file__)}, "recording cannot be read"),
    ],
)
def test_what_a_format_cannot_hold_is_reported_with_its_reason(
    tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    audio = sound(tmp_path / "a.wav")
    good = utterance(audio)
    bad = replace(good, utterance_id="e00-01-002", turn=2, **changes)
    done = export(HeldCorpus([session(good, bad)]), "kaldi", tmp_path / "out")
    assert (done.kept, done.dropped) == (1, {reason: 1})


def test_nothing_is_exported_where_nothing_is_left(split_toy: Path, tmp_path: Path) -> None:
    corpus = open_corpus([split_toy], Filters(speakers=frozenset(["m10"]), classes=frozenset(["D"])))
    with pytest.raises(CurtainError, match=r"Nothing to export: .*another class"):
        export(corpus, "parquet", tmp_path / "out", left_out=lambda: corpus.counts.dropped)
    assert list(tmp_path.iterdir()) == []


def test_no_export_goes_into_a_session(own_toy: Path) -> None:
    with pytest.raises(CurtainError, match="lies inside the session"):
        export(open_corpus([own_toy]), "parquet", own_toy / "sessions" / "e00-01" / "out")


def test_an_unknown_format_is_reported_with_those_that_there_are(corpus: BundleCorpus, tmp_path: Path) -> None:
    with pytest.raises(CurtainError, match=r"no export format 'mp3'.*kaldi"):
        export(corpus, "mp3", tmp_path / "out")


def test_progress_is_reported_after_each_session(corpus: BundleCorpus, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    export(corpus, "kaldi", tmp_path / "out", watch=lambda sessions, utterances: seen.append((sessions, utterances)))
    assert [sessions for sessions, _ in seen] == [1, 2, 3, 4, 5, 6]
    assert seen == sorted(seen) and seen[-1] == (6, 66)


@pytest.mark.parametrize("format_name", [name for name in OURS if name != "parquet"])
def test_a_corpus_of_which_a_format_can_hold_nothing_is_no_export(tmp_path: Path, format_name: str) -> None:
    with pytest.raises(CurtainError, match=r"Nothing to export: 1 turn without a recording\."):
        export(HeldCorpus([session(utterance(None))]), format_name, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


SYSTEM = f"{sys.executable} {ROOT / 'companions/experiments/tests/systems/system_that.py'}"
COMMANDS = {
    "study": "study new DISK/new",
    "words": "study texts de --out DISK/words.toml",
    "test set": "export TOY --format parquet --blind --out DISK/new --include-live",
    "answers": f"system run '{SYSTEM} answers' --study TOY --questions IN/questions.jsonl --out DISK/new.jsonl",
    "scores": "score IN/key.jsonl IN/answers.jsonl --out DISK/new",
    "scores over others": "score IN/key.jsonl IN/answers.jsonl --out DISK/scores --overwrite",
    "report": "report TOY --out DISK/new",
    "packets": "judge new TOY --judges ann,ben --out DISK/new",
    "questionnaires": "questionnaires TOY --out DISK/new",
}


@pytest.mark.parametrize("format_name", [one.name for one in FORMATS])
def test_a_full_disk_is_reported_and_nothing_is_left(corpus: BundleCorpus, small_disk: Path, format_name: str) -> None:
    (small_disk / "there").write_bytes(bytes(180_000))
    with pytest.raises(CurtainError, match=r"The disk of .* is full: nothing was written\. Make room"):
        export(corpus, format_name, small_disk / "out")
    assert [path.name for path in small_disk.iterdir()] == ["there"]


@pytest.mark.parametrize("left", [0, 4096])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_on_a_full_disk_leaves_what_was_there_and_then_works(
    call: Call, named_study: Path, small_disk: Path, tmp_path: Path, command: str, left: int
) -> None:
    _inputs(tmp_path, small_disk)
    places = {"TOY": named_study, "IN": tmp_path, "DISK": small_disk}
    arguments = [re.sub(r"\A[A-Z]+", lambda name: str(places[name[0]]), one) for one in shlex.split(COMMANDS[command])]
    (small_disk / "fill").write_bytes(bytes(os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize - left))
    before = _files(small_disk)
    code, _, problem = call(*arguments)
    if not (left and code == 0):
        assert code == 2 and problem.count("\n") == 1 and re.search("is full|No space left", problem), problem
        # Answers that were given are kept, each a whole line: the next run goes on behind them.
        kept = (small_disk / "new.jsonl").read_bytes() if left and command == "answers" else b""
        assert _files(small_disk) == before | ({"new.jsonl": kept} if kept else {})
        assert all(map(json.loads, kept.splitlines()))
    subprocess.run(["mount", "-o", "remount,size=8m", small_disk], check=True)
    assert call(*arguments)[0] == 0 or left


def _inputs(folder: Path, disk: Path) -> None:
    with contextlib.closing(sqlite3.connect(folder / "x.sqlite")) as lite:
        lite.execute("CREATE TABLE t (a)")
    (folder / "gold.sql").write_text("SELECT a FROM t\tx\n" * 40)
    lines = [{"id": str(number), "class": "A", "ref": "((1))"} for number in range(40)]
    (folder / "key.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (folder / "questions.jsonl").write_text('{"id": "1", "text": "who is it"}\n{"id": "2", "text": "who is it"}\n')
    (folder / "answers.jsonl").write_text("".join(f'{{"id": "{number}", "hyp": "((1))"}}\n' for number in range(40)))
    (disk / "scores").mkdir()
    for name in ("score.html", "score.json", "score.csv", "items.csv"):
        (disk / "scores" / name).write_text("good")


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


NAMES = [one.name for one in FORMATS]
ABOUT = {"title": "Old Title", "licence": "CC-BY-4.0", "version": "3.1.4", "authors": ["The Lab & Sons"]}
CITE_AS = r"The Lab & Sons \(\d{4}\)\. Old Title \(Version 3\.1\.4\) \[Data set\]\."


@pytest.fixture(scope="module")
def named_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two speakers, one of them erased; the wizard, an annotator and the consent form have telling names."""
    folder = tmp_path_factory.mktemp("named") / "study"
    kept = [one for one in SITTINGS if one.session_id in ("e00-01", "0a1-01", "m10-01")]
    make_toy(folder, sittings=[replace(one, wizards=("ottokar",), consent="form-4711") for one in kept])
    row = new_row("e00-01-002", "note", {"text": "said so"}, "ottilie", Clock())
    Layers(Bundle(folder / "sessions" / "e00-01")).add(row)
    forget(plan_for(load_study(folder), "m10"), Clock())
    return folder


@pytest.fixture(scope="module")
def named_export(named_study: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    made: dict[str, Path] = {}

    def folder(format_name: str) -> Path:
        if format_name not in made:
            made[format_name] = tmp_path_factory.mktemp("out") / format_name
            export(open_corpus([named_study], Filters(live=True), **ABOUT), format_name, made[format_name])  # type: ignore[arg-type]
        return made[format_name]

    return folder


@pytest.mark.parametrize("format_name", NAMES)
def test_every_format_tells_title_licence_version_citation_and_tombstones(
    named_export: Callable[[str], Path], format_name: str
) -> None:
    folder = named_export(format_name)
    account = json.loads((folder / "EXPORT.json").read_text("utf-8"))
    assert {name: account[name] for name in ABOUT} == ABOUT
    assert re.fullmatch(CITE_AS, account["cite_as"])
    card = (folder / "README.md").read_text("utf-8")
    front = yaml.safe_load(card.split("---")[1])
    assert (front["pretty_name"], front["license"]) == ("Old Title", "cc-by-4.0")
    assert re.search(f"Cite as: {CITE_AS}", card) and "Version: 3.1.4." in card
    cited = yaml.safe_load((folder / "CITATION.cff").read_text("utf-8"))
    assert (cited["title"], cited["version"], cited["license"]) == ("Old Title", "3.1.4", "CC-BY-4.0")
    assert cited["authors"] == [{"name": "The Lab & Sons"}]
    stones = [json.loads(line) for line in (folder / "tombstones.jsonl").read_text("utf-8").splitlines()]
    assert account["tombstones"] == len(stones) == 11
    assert {one["utterance_id"][:6] for one in stones} == {"m10-01"}


@pytest.mark.parametrize("format_name", NAMES)
def test_no_format_holds_a_name_a_consent_id_or_a_time_of_day(
    named_export: Callable[[str], Path], format_name: str
) -> None:
    texts = list(all_texts(named_export(format_name)))
    assert not [text for text in texts if re.search(r"ottokar|ottilie|form-4711", text)]
    assert not [text for text in texts if re.search(r"20\d\d-\d\d-\d\dT(?!00:0)", text)]
    assert not [text for text in texts if re.search(r'"pid":\s*[1-9]', text)]
    assert not [text for text in texts if "taken back" in text]


def test_one_person_has_one_pseudonym_in_all_exports_of_a_study(named_study: Path) -> None:
    first, second = (
        {one.wizard_ids for one in open_corpus([named_study], Filters(live=True)).sessions()} for _ in range(2)
    )
    assert first == second
    ((pseudonym,),) = first
    assert re.fullmatch(r"p-[0-9a-f]{8}", pseudonym)


@pytest.mark.parametrize(
    "title", ["<script>alert(1)</script>", "![x](http://a.example/x.png) **b** `c` | &lt;", "a < b"]
)
def test_a_title_is_words_in_every_file_and_no_mark_of_any(named_study: Path, tmp_path: Path, title: str) -> None:
    export(open_corpus([named_study], Filters(live=True), **{**ABOUT, "title": title}), "parquet", tmp_path / "out")  # type: ignore[arg-type]
    card, cited = ((tmp_path / "out" / name).read_text("utf-8") for name in ("README.md", "CITATION.cff"))
    body = card.split("\n---\n", 1)[1]
    assert "<" not in body + cited and "<script" not in card and "![x](" not in body
    assert yaml.safe_load(cited)["title"] == title
    described = without_tags(json.dumps({"name": title}))
    assert "<" not in described and json.loads(described) == {"name": title}
