"""A study becomes a folder for public repositories, or nothing at all."""

import hashlib
import json
import re
import shutil
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml

from curtain.base.errors import CurtainError
from curtain.corpus.redaction.export_log import note_export
from curtain.session.events.subject_events import DISCLOSURE, WITHDRAW
from curtain_corpora.commands.publish import publish, send
from curtain_corpora.publication.deposit import ConsentStatement, write_deposit
from tests.corpus import given
from tests.corpus.exports.conftest import SPLITS
from tests.corpus.exports.small import session, utterance
from tests.corpus.exports.test_run import all_texts, contents
from tests.corpus.test_consent import allow
from tests.corpus.test_hidden_in_sessions import say
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS

OPTIONS: dict[str, Any] = {
    "title": "Old Questions", "licence": "CC-BY-4.0", "release": "1.0.0", "authors": ["The Lab"],
    "contact": "lab@example.org", "leave_out": True,
}  # fmt: skip
ACCOUNT: dict[str, Any] = {
    "title": "Old", "version": "1.0.0", "authors": ["A"], "licence": "CC-BY-4.0", "kept": 3,
    "corpus": {"speakers": 2, "origins": {"redacted": {"none": 2, "part": 1}}}, "dropped": {"no consent": 4},
}  # fmt: skip


@pytest.fixture(scope="module")
def small_toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two speakers who agreed, and one of whom nobody recorded a form; to be read only."""
    kept = [one for one in SITTINGS if one.session_id in ("e00-01", "0a1-01", "m10-01", "zz9-01")]
    return make_toy(tmp_path_factory.mktemp("small") / "study", sittings=kept)


@pytest.fixture
def own_toy(small_toy: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_toy, tmp_path / "study"))


@pytest.fixture(scope="module")
def folder(small_toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("published") / "out"
    assert publish(small_toy, out, **OPTIONS) == 0
    return out


@pytest.fixture
def split(own_toy: Path) -> Path:
    (own_toy / "splits.json").write_text(json.dumps({"schema_version": 1, "seed": 1, "speakers": SPLITS}), "utf-8")
    return own_toy


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_the_folder_has_what_each_repository_asks_for(folder: Path) -> None:
    front = yaml.safe_load((folder / "README.md").read_text("utf-8").split("---")[1])
    assert (front["pretty_name"], front["license"], front["configs"][0]["config_name"]) == (
        "Old Questions", "cc-by-4.0", "default",
    )  # fmt: skip
    card = (folder / "README.md").read_text("utf-8")
    assert "Write to lab@example.org." in card and "whom to write to" not in card
    zenodo = read(folder / ".zenodo.json")
    assert zenodo.items() >= {
        "title": "Old Questions", "upload_type": "dataset", "access_right": "open", "license": "CC-BY-4.0",
        "creators": [{"name": "The Lab"}], "version": "1.0.0",
    }.items()  # fmt: skip
    assert zenodo["description"].startswith(f"{read(folder / 'EXPORT.json')['kept']} spoken questions")
    version = read(folder / "dataset.json")["datasetVersion"]
    fields = {one["typeName"]: one for one in version["metadataBlocks"]["citation"]["fields"]}
    # Without these five, Dataverse makes no data set.
    assert fields["title"]["value"] == "Old Questions"
    assert fields["author"]["value"][0]["authorName"]["value"] == "The Lab"
    assert fields["datasetContact"]["value"][0]["datasetContactEmail"]["value"] == "lab@example.org"
    assert fields["dsDescription"]["value"][0]["dsDescriptionValue"]["value"] == zenodo["description"]
    assert fields["subject"]["value"] == ["Computer and Information Science"]
    for one in (*fields.values(), *(part for value in fields["author"]["value"] for part in value.values())):
        assert set(one) == {"typeName", "typeClass", "multiple", "value"}
        assert one["multiple"] is isinstance(one["value"], list)
    assert version["license"]["uri"] == "http://creativecommons.org/licenses/by/4.0"
    assert "https://spdx.org/licenses/CC-BY-4.0" in (folder / "LICENSE").read_text("utf-8")
    assert yaml.safe_load((folder / "CITATION.cff").read_text("utf-8"))["license"] == "CC-BY-4.0"


def test_the_checksums_are_of_all_files(folder: Path) -> None:
    lines = [line.split("  ") for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines()]
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    del found["SHA256SUMS"]
    assert {name: total for total, name in lines} == {
        name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in found.items()
    }


def test_the_statement_says_what_was_withheld_and_why(own_toy: Path, tmp_path: Path) -> None:
    allow(own_toy, "m10", "keep_audio", "share")
    allow(own_toy, "e00", "keep_audio", "video", "share", "publish")
    (own_toy / "sessions/e00-01/video").mkdir()
    (own_toy / "sessions/e00-01/video/e00-01-1.mkv").write_bytes(b"a face")
    publish(own_toy, tmp_path / "out", **OPTIONS)
    text = (tmp_path / "out" / "CONSENT.md").read_text("utf-8")
    assert "| a video | 1 |" in text and "Videos stay in the lab" in text
    assert not any(path.is_file() and b"a face" in path.read_bytes() for path in (tmp_path / "out").rglob("*"))
    assert "believed that a machine answered" in text and "*To be added: how the subjects" in text
    for reason in ("no consent | 11", "practice | 1", "the consent does not cover publishing | 11"):
        assert f"\n| {reason} |\n" in text
    published = {row["session_id"][:3] for row in rows(tmp_path / "out")}
    assert published and not published & {"m10", "zz9"}
    assert "`CONSENT.md`" in (tmp_path / "out" / "README.md").read_text("utf-8")


def rows(out: Path) -> list[dict[str, Any]]:
    import duckdb

    found = duckdb.sql(f"SELECT * FROM read_parquet('{out}/data/*.parquet')")
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def names_said(study: Path) -> None:
    """In other turns: what one of them hides, and the name of an annotator."""
    said = {"m10-01-003": "what does QUILL's boss earn", "e00-01-002": "call ottilie"}
    for turn, words in said.items():
        say(study, turn, "transcription", {"sro": words, "lsn": words.upper()}, "ottilie")


REFUSED: dict[str, tuple[Callable[[Path], None], dict[str, Any], str]] = {
    "no consent": (lambda study: None, {"leave_out": False}, r"recorded a consent to publish zz9-01\. .*--leave-out”"),
    "nothing": (
        lambda study: [shutil.rmtree(one) for one in (study / "sessions").iterdir() if one.name != "zz9-01"] and None,
        {}, r"^Nothing to export: .*11 turns have no consent.* with --id\.$",
    ),
    "names": (names_said, {}, r"stands in e00-01-002 \(“ottilie”\), m10-01-003 \(“quill's”\)\. Hide it"),
    "a blind test": (
        lambda study: note_export(study, study / "test", "parquet", ["m10-01"], study / "key.jsonl"),
        {}, r"the blind test .*/test holds m10-01, and their answers would go out\. .*--tests-over”",
    ),
    "no repository": (lambda study: None, {"push": "old"}, "“old” is no repository of the hub: “--push” takes OWNER"),
    "inside": (lambda study: None, {"out": "study/reports/out"}, "lies inside the study, which is private"),
    "a file": (
        lambda study: (study / "notes.json").touch(),
        {"study": "study/notes.json"}, "give the folder of one study",
    ),
    "no split": (lambda study: None, {"blind": "tests"}, "There is no split “tests”"),
    "a blank title": (lambda study: None, {"title": " "}, r"^Nothing was published\. Still needed: a title"),
    "a blank author": (lambda study: None, {"authors": ["A", " "]}, "Still needed: an author"),
    "none of it": (
        lambda study: None, {"authors": [""], "licence": "", "contact": ""},
        "Still needed: an author .* citations; a licence .* use it; an address of mail .*, for Dataverse",
    ),
    "no address": (lambda study: None, {"contact": "the lab"}, "Still needed: an address of mail"),
    "only looking": (lambda study: None, {"licence": "", "look": True}, "Still needed: a licence"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_must_not_go_out_is_refused_and_leaves_nothing(own_toy: Path, tmp_path: Path, case: str) -> None:
    make, options, sentence = REFUSED[case]
    make(own_toy)
    places = {name: tmp_path / options.get(name, usual) for name, usual in (("study", "study"), ("out", "out"))}
    with pytest.raises(CurtainError, match=sentence) as refused:
        publish(**OPTIONS | options | places)
    assert not re.search("--(pilot|practice|without-consent)", str(refused.value))
    assert [path for path in tmp_path.iterdir() if path != own_toy and path.suffix != ".lock"] == []


def test_what_everybody_asks_for_is_no_name(own_toy: Path, tmp_path: Path) -> None:
    # Sharon is in the database, and “quill” was said to be no name.
    say(own_toy, "m10-01-003", "transcription", {"sro": "sharon or quill", "lsn": "SHARON OR QUILL"}, "sharon")
    assert publish(own_toy, tmp_path / "out", **OPTIONS, no_names=["Quill"]) == 0
    assert any(row["transcription"] == "SHARON OR QUILL" for row in rows(tmp_path / "out"))


def test_a_blind_split_lies_apart_and_its_answers_nowhere_in_the_folder(split: Path, tmp_path: Path) -> None:
    options = {**OPTIONS, "blind": "dev"}
    publish(split, tmp_path / "out", **options)
    assert {row["speaker_id"] for row in rows(tmp_path / "out")} == {"0a1", "e00"}
    apart, key = tmp_path / "out-blind", tmp_path / "out-blind-references.jsonl"
    assert {row["speaker_id"] for row in rows(apart)} == {"m10"}
    assert not any("SELECT" in text for text in all_texts(apart)) and "((" in key.read_text("utf-8")
    assert "The split dev is a blind test." in (tmp_path / "out" / "CONSENT.md").read_text("utf-8")
    # Now it is a test that the study knows of.
    with pytest.raises(CurtainError, match="blind holds m10-01, and their answers"):
        publish(split, tmp_path / "whole", **OPTIONS)
    assert publish(split, tmp_path / "over", **OPTIONS, tests_over=True) == 0


def test_the_statement_counts_whom_the_screen_debriefed() -> None:
    statement = ConsentStatement()
    for said in ("keep", "keep", ""):
        answers = ((f"{DISCLOSURE}.{WITHDRAW[0]}", said),)
        statement.add(session(utterance(None), questionnaire=answers, consent_scopes=("take_part", "publish")))
    text = statement.text(ACCOUNT, "")
    assert "At the end of 3 of 3 sessions the screen said" in text and "2 said yes, 1 gave no answer" in text
    assert "| publishing | 3 |" in text and "| quoting | 0 |" in text and "| no consent | 4 |" in text
    assert "In 1 utterance words are hidden" in text and "how the subjects" not in text
    statement.add(given.session(utterance(None, answered_by="robust")))
    assert statement.lacks_debriefing
    text = replace(statement, debriefed="By the assistant, in person.").text(ACCOUNT, "")
    assert "By the assistant, in person." in text and "In 1 utterance a system answered" in text


@pytest.mark.parametrize(
    ("licence", "access", "terms"),
    [
        ("CC0-1.0", {"access_right": "open", "license": "CC0-1.0"}, {"license": {"name": "CC0 1.0"}}),
        ("CC-BY-NC-SA-4.0", {"access_right": "open"}, {"license": {"name": "CC BY-NC-SA 4.0"}}),
        ("MIT", {"access_right": "open", "license": "MIT"}, {"termsOfUse": "MIT"}),
        ("Ask us", {"access_right": "restricted", "access_conditions": "Ask us"}, {"termsOfUse": "Ask us"}),
    ],
)
def test_each_licence_is_said_in_the_words_of_each_repository(
    tmp_path: Path, licence: str, access: dict[str, str], terms: dict[str, Any]
) -> None:
    write_deposit(tmp_path, {**ACCOUNT, "licence": licence}, "")
    assert read(tmp_path / ".zenodo.json").items() >= access.items()
    version = read(tmp_path / "dataset.json")["datasetVersion"]
    version.get("license", {}).pop("uri", None)
    assert {name: version[name] for name in terms} == terms


@pytest.fixture
def hub() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """A hub on this machine: its address, and what was sent to it."""
    sent: list[tuple[str, bytes]] = []

    class Hub(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
            sent.append((self.path, body))
            place = f"{address}/datasets/lab/old"
            answer: dict[str, Any] = {"url": place, "commitUrl": f"{place}/commit/{'0' * 40}", "commitOid": "0" * 40}
            if "preupload" in self.path:
                paths = [one["path"] for one in json.loads(body)["files"]]
                answer = {"files": [{"path": path, "uploadMode": "regular", "shouldIgnore": False} for path in paths]}
            self._say(answer)

        def do_GET(self) -> None:
            self._say({"sha": "0" * 40, "siblings": [], "id": "lab/old"})

        def _say(self, answer: dict[str, Any]) -> None:
            data = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    address = f"http://127.0.0.1:{server.server_address[1]}"
    Thread(target=server.serve_forever, daemon=True).start()
    yield address, sent
    server.shutdown()
    server.server_close()


def test_the_folder_goes_to_the_hub_only_if_a_person_agreed(
    small_toy: Path,
    tmp_path: Path,
    hub: tuple[str, list[tuple[str, bytes]]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from huggingface_hub import HfApi, constants

    address, sent = hub
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", address)
    monkeypatch.setenv("HF_ENDPOINT", address)
    monkeypatch.setenv("HF_TOKEN", "hf_x")
    # Nobody sits at the terminal.
    assert publish(small_toy, tmp_path / "asked", **OPTIONS, push="lab/old") == 0 and sent == []
    assert "Nothing was sent to lab/old, since nobody agreed." in capsys.readouterr().out
    assert publish(small_toy, tmp_path / "an out", **OPTIONS, push="lab/old", yes=True) == 0
    (created,) = (json.loads(body) for path, body in sent if path.endswith("/repos/create"))
    assert created == {"name": "old", "organization": "lab", "type": "dataset", "visibility": "private"}
    (commit,) = (body for path, body in sent if "/commit/" in path)
    lines = [json.loads(line)["value"] for line in commit.splitlines()]
    there = {one["path"]: b64decode(one["content"]) for one in lines if "content" in one}
    assert there == contents(tmp_path / "an out")
    assert "are in lab/old on the hub" in capsys.readouterr().out
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(
        CurtainError, match=r"out is whole, but it did not reach lab/old: .*“hf upload lab/old '.*an out' --"
    ) as refused:
        send(HfApi, tmp_path / "an out", "lab/old")
    assert "Errno" not in str(refused.value)
