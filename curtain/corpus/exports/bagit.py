"""A BagIt bag of the sessions themselves (RFC 8493): `data/<session>/` with journals, layers and recordings.

A session goes in whole, practice turns included, only where nothing of it is withheld; its copy has pseudonyms in
place of names, the ids of the corpus, and times of day that count from the session's beginning (`session_copy`). Its
journals hold all that was said and answered; so where anything is redacted, where other utterances were filtered out,
or for a blind test, the session's folder holds the utterance table and the recordings as they may leave, and
`REDUCED.txt` says so.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from curtain.base.input_file import digest_of
from curtain.corpus.exports.names import Names
from curtain.corpus.exports.session_copy import write_copy
from curtain.corpus.exports.speech.recordings import recording_of
from curtain.corpus.exports.utterance_table import as_line, row_of
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.reader import read_session
from curtain.corpus.model.utterance import Corpus, Session
from curtain.session.journal.journals import Journals
from curtain.session.untrusted_files import look_through

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
        "bagit.txt": _DECLARATION,
        "bag-info.txt": "".join(f"{name}: {' '.join(value.split())}\n" for name, value in info.items() if value),
        "manifest-sha256.txt": _manifest(payload.sums),
    }
    for name, text in tags.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    sums = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in tags.items()}
    (folder / "tagmanifest-sha256.txt").write_text(_manifest(sums), encoding="utf-8", newline="\n")


def _manifest(sums: dict[str, str]) -> str:
    """One line a file. Line breaks and per cent signs in a name are written as the RFC says (2.1.3)."""
    return "".join(f"{sums[name]}  {_encoded(name)}\n" for name in sorted(sums))


def _encoded(name: str) -> str:
    return name.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
