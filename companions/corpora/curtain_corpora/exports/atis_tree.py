"""The ATIS3 tree of NIST and LDC: `spon/<SPK>/<SESS>/<XXX><UU><S><M><P>.<TYPE>` (file specification, 20 Jul 1994).

One of our sessions becomes as many scenario-sessions as it has scenarios, since a log is of one speaker and one
scenario. What these files cannot hold is in a file of JSON lines beside them, so that `curtain import` gives the same
rows again.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus, Session, Utterance
from curtain_corpora.atis import documents, sphere
from curtain_corpora.atis.names import LAST_QUERY, LAST_SESSION, Name, Speakers, base36
from curtain_corpora.atis.session_log import write_log
from curtain_corpora.atis.sidecar import KIND, SidecarHead, SidecarUtterance, digest, write_sidecar
from curtain_corpora.atis.texts import comments_of, log_of, questionnaire_of, texts_of

_MICROPHONE = "s"


@dataclass(frozen=True)
class _Part:
    """What of a session belongs to one scenario: `number` of `of`."""

    session: Session
    scenario_id: str | None
    utterances: tuple[Utterance, ...]
    number: int
    of: int


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """Write the tree. Raises CurtainError beyond what its names hold: 35 scenario-sessions a speaker, 1,295 queries."""
    speakers, sessions = Speakers(), Counter[str]()
    with documents.open_documents(folder, corpus.title) as docs:
        for session in corpus.sessions():
            code = speakers.code(session.speaker_id)
            docs.speaker(code, session)
            for part in _parts(session):
                sessions[code] += 1
                name = Name(code, _session_digit(session, sessions[code]))
                _write_part(folder, name, part, docs, progress)


def _parts(session: Session) -> Iterator[_Part]:
    # By scenario and not by stretch: one that was taken up again stays one log.
    of_scenario: dict[str | None, list[Utterance]] = {}
    for utterance in session.utterances:
        of_scenario.setdefault(utterance.scenario_id, []).append(utterance)
    for number, (scenario_id, utterances) in enumerate(of_scenario.items(), 1):
        yield _Part(session, scenario_id, tuple(utterances), number, len(of_scenario))


def _session_digit(session: Session, number: int) -> str:
    if number > LAST_SESSION:
        raise CurtainError(
            f"Speaker {session.speaker_id} has more than {LAST_SESSION} scenario-sessions, which is as many as the "
            "ATIS tree can name. Export fewer sessions of this speaker at a time."
        )
    return base36(number, 1)


def _write_part(folder: Path, name: Name, part: _Part, docs: documents.Documents, progress: ExportProgress) -> None:
    if len(part.utterances) > LAST_QUERY:
        raise CurtainError(
            f"Session {part.session.session_id} has {len(part.utterances):,} queries in one scenario; the ATIS tree "
            f"can name {LAST_QUERY:,}. Export the session in two parts."
        )
    place = folder / name.folder
    place.mkdir(parents=True)
    numbers = {one.utterance_id: number for number, one in enumerate(part.utterances, 1)}
    sides = [_write_utterance(place, name, one, numbers, part, docs, progress) for one in part.utterances]
    files = _write_session_files(place, name, part, numbers)
    head = SidecarHead(part.session, part.scenario_id, part.number, part.of, files)
    _put(place / name.file(KIND), write_sidecar(head, sides))


def _write_utterance(
    place: Path,
    name: Name,
    utterance: Utterance,
    numbers: Mapping[str, int],
    part: _Part,
    docs: documents.Documents,
    progress: ExportProgress,
) -> SidecarUtterance:
    number = numbers[utterance.utterance_id]
    query_name = name.of_query(number)
    texts = {kind: _bytes(text) for kind, text in texts_of(utterance, numbers).items()}
    for kind, data in texts.items():
        _put(place / query_name.file(kind), data)
    sums = {kind: digest(data) for kind, data in texts.items()}
    if utterance.audio is not None:
        sound = name.of_query(number, _MICROPHONE)
        sums["wav"] = _write_recording(place / sound.file("wav"), sound, utterance, part.session)
    docs.utterance(query_name, utterance)
    progress.wrote()
    return SidecarUtterance(query_name.query, utterance, sums)


def _write_recording(path: Path, name: Name, utterance: Utterance, session: Session) -> str:
    from curtain.corpus.redaction.utterances import samples  # loads numpy

    made = BytesIO()
    sound, rate = samples(utterance)
    sphere.write(made, sound, rate, documents.sphere_fields(name, utterance, session))
    _put(path, made.getvalue())
    return digest(made.getvalue())


def _write_session_files(place: Path, name: Name, part: _Part, numbers: Mapping[str, int]) -> dict[str, str]:
    """Log, comments and, with the last scenario, the questionnaire; the SHA-256 of each by type."""
    log = log_of(part.session, part.scenario_id, part.utterances, name, (part.number, part.of))
    texts = {"log": write_log(log), "com": comments_of(part.utterances, numbers)}
    # A questionnaire is of the sitting, and stands once, where the sitting ends.
    if part.number == part.of:
        texts["squ"] = questionnaire_of(part.session)
    files = {kind: _bytes(text) for kind, text in texts.items() if text}
    for kind, data in files.items():
        _put(place / name.file(kind), data)
    return {kind: digest(data) for kind, data in files.items()}


def _bytes(text: str) -> bytes:
    # Half of a surrogate pair has no UTF-8; it is spelt out here and kept as it is beside.
    return text.encode("utf-8", "backslashreplace")


def _put(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
