"""A BagIt bag of the sessions themselves (RFC 8493): `data/<session>/` with journals, layers and recordings.

A session goes in whole, practice turns included, only where nothing of it is withheld; its copy has pseudonyms in
place of names, the ids of the corpus, and times of day that count from the session's beginning (`session_copy`). Its
journals hold all that was said and answered; so where anything is redacted, where other utterances were filtered out,
or for a blind test, the session's folder holds the utterance table and the recordings as they may leave, and
`REDUCED.txt` says so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from curtain.base.errors import os_errors_as
from curtain.base.input_file import LARGEST, digest_of
from curtain.corpus.exports.names import Names
from curtain.corpus.exports.recordings import recording_of
from curtain.corpus.exports.utterance_table import as_line, row_of
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.reader import read_session
from curtain.corpus.model.utterance import Corpus, Session
from curtain.session.bundle.checks import BundleFault
from curtain.session.journal.journals import Journals
from curtain.session.untrusted_files import MANIFEST, look_through, manifest_lines, read_plain
from curtain_corpora.exports.session_copy import write_copy

DECLARATION_FILE, _TAG_MANIFEST = "bagit.txt", "tagmanifest-sha256.txt"
_DECLARATION = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_REDUCED = """\
This folder is not the whole session: something of it may not leave. It holds the utterance table
(utterances.jsonl) and the recordings as they may leave, with silence where something is redacted. Journals and
annotation layers are left out, since they hold everything.
"""


@dataclass
class _Payload:
    """What the bag holds so far: checksums by name, and the count of bytes."""

    sums: dict[str, str] = field(default_factory=dict)
    size: int = 0

    def note(self, folder: Path, path: Path) -> None:
        self.sums[path.relative_to(folder).as_posix()] = digest_of(path)
        self.size += path.stat().st_size


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """Copy a session whole where nothing is held back from it; else write what may leave, and count the rest."""
    names, payload = Names(), _Payload()
    for session in corpus.sessions():
        target = folder / "data" / names.of(session.session_id)
        target.mkdir(parents=True)
        # Once more without filters, to see whether something of the session is missing in the corpus.
        journals = session.journals or Journals(session.path)
        raw = read_session(session.path, language=session.language, journals=journals)
        if not corpus.blind and _is_whole(session, raw):
            write_copy(corpus, session, raw.session_id, target, journals)
            progress.wrote(len(session.utterances))
        else:
            _write_reduced(session, target, names, progress)
        for path in look_through(target).plain.values():
            payload.note(folder, path)
    names.write(folder)
    _write_tags(corpus, folder, payload)


def sessions_in(bag: Path) -> list[Path]:
    """The folders of a bag's sessions, without the reduced ones."""
    return sorted(path.parent for path in bag.glob("data/*/session.json"))


def faults_in(bag: Path) -> Iterator[BundleFault]:
    """What is missing, altered or too much in a bag. Raises CurtainError."""
    content, sums = look_through(bag), dict[str, str]()
    for manifest in (MANIFEST, _TAG_MANIFEST):
        with os_errors_as(f"{bag / manifest} cannot be read", advice=" Take the bag from another copy."):
            sums |= dict(filter(None, manifest_lines(read_plain(bag / manifest, LARGEST))))
    there = {_encoded(name): name for name in (*content.plain, *content.odd)}
    for name in sorted(sums | {name: "" for name in there if name.startswith("data/")}):
        digest = content.sum_of(there[name]) if there.get(name) in content.plain else None
        if digest is None or digest != sums.get(name):
            what = "missing or cannot be read" if digest is None else "changed" if name in sums else "not listed"
            yield BundleFault(name, f"The file is {what}.", "Take the bag from another copy.")


def _is_whole(session: Session, raw: Session) -> bool:
    """Nothing in the session's folder is redacted, and no utterance but practice was filtered out."""
    counted = sum(not one.practice for one in raw.utterances)
    kept = [one for one in session.utterances if not one.practice]
    heard = {one.turn: one.audio is not None for one in raw.utterances}
    return (
        counted == len(kept)
        and not any(one.redactions for one in raw.utterances)
        and all(heard[one.turn] == (one.audio is not None) for one in kept)
    )


def _write_reduced(session: Session, target: Path, names: Names, progress: ExportProgress) -> None:
    (target / "REDUCED.txt").write_text(_REDUCED, encoding="utf-8", newline="\n")
    (target / "audio").mkdir()
    with (target / "utterances.jsonl").open("xb") as file:
        for utterance in session.utterances:
            recording = recording_of(session, utterance)
            row = row_of(session, utterance)
            row["audio"] = None
            if not isinstance(recording, str):
                row["audio"] = f"audio/{names.of_utterance(utterance.speaker_id, utterance.utterance_id)}.wav"
                recording.copy(target / row["audio"])
            file.write(as_line(row))
            progress.wrote()


def _write_tags(corpus: Corpus, folder: Path, payload: _Payload) -> None:
    info = {
        "Bag-Software-Agent": "Curtain",
        "Bagging-Date": date.today().isoformat(),
        "External-Description": corpus.title,
        "Rights": corpus.licence,
        "External-Identifier": f"version {corpus.version}",
        # Bytes and number of files (RFC 8493, 2.2.2): a bag that was cut short shows it before any checksum is taken.
        "Payload-Oxum": f"{payload.size}.{len(payload.sums)}",
    }
    tags = {
        DECLARATION_FILE: _DECLARATION,
        "bag-info.txt": "".join(f"{name}: {' '.join(value.split())}\n" for name, value in info.items() if value),
        MANIFEST: _manifest(payload.sums),
    }
    for name, text in tags.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    sums = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in tags.items()}
    (folder / _TAG_MANIFEST).write_text(_manifest(sums), encoding="utf-8", newline="\n")


def _manifest(sums: dict[str, str]) -> str:
    """One line a file. Line breaks and per cent signs in a name are written as the RFC says (2.1.3)."""
    return "".join(f"{sums[name]}  {_encoded(name)}\n" for name in sorted(sums))


def _encoded(name: str) -> str:
    return name.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
