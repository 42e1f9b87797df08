"""`doc/` of an ATIS tree: who spoke, how our names and the tree's belong together, what is what."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TextIO

from curtain.base.input_file import read_input
from curtain.corpus.model.utterance import EVERYWHERE, Session, Utterance
from curtain.session.events.speaker import SpeakerDescription
from curtain_corpora.atis.names import Name

_IDS = ("name", "utterance_id", "session_id", "speaker_id", "scenario_id", "turn", *EVERYWHERE)
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_COUNTED = ("speakers", "queries", "recordings", "without_sro", "without_cat")
SPEAKERS_FILE = "spkrinfo.log"
_SPEAKER_COLUMNS = ";; speaker\tid\tsite\tsex\tage\tdialect\tnative_english"
_UNKNOWN = "unknown"
_NATIVE: dict[bool | None, str] = {True: "yes", False: "no"}
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}

_README = """{title}
{line}

Speech of subjects who asked a database, with transcriptions, categories and reference answers.
Layout and names: MADCOW file and directory specification for ATIS3 (20 Jul 1994).

    spon/<speaker>/<scenario-session>/<XXX><UU><S><M><P>.<type>

A scenario-session is one speaker with one scenario; a sitting with three scenarios gives three. Numbers are in base 36,
query 00 stands for the whole scenario-session. M is s (spontaneous). P is s for the recording, whatever the microphone
was, and x for everything else.

    wav   SPHERE, 16-bit PCM            sro   detailed transcription      lsn   words, derived from sro
    cat   class and tags                win   what the NL tool was asked  log   what happened and when
    sql   query of the minimum answer   ref   minimum answer
    sq2   query of the maximum answer   rf2   maximum answer
    com   the wizard's notes            squ   the subject's questionnaire

In sql and sq2 the readings of an ambiguous query are separated by the line “-- OR”; in ref and rf2 they are
alternatives. In cat the comment “put by the export” marks a tag that nobody gave, because the notation wants one.
Times in log count hours, minutes and seconds since the sitting began.

    doc/ids.tsv        the names of the tree and the ids of the corpus; who says the words, the answers and the class
                       (live session, annotated, ruled); whether none, part or the whole of the query is hidden
    doc/spkrinfo.log   the speakers: sex, age band, dialect region, native speaker of English, as they stated it
    *00*x.jsonl        what the files beside it cannot hold; “curtain import” reads it

Speakers {speakers}, queries {queries}, recordings {recordings}.
Queries without a detailed transcription: {without_sro}. Queries without a category: {without_cat}.
"""


@dataclass(frozen=True)
class _SpeakerRow:
    code: str
    speaker_id: str
    site: str
    speaker: SpeakerDescription

    @property
    def cells(self) -> tuple[str, ...]:
        """In the order of the columns."""
        native = self.speaker.native_english
        answers_given = (self.site, self.speaker.sex, self.speaker.age, self.speaker.region, _NATIVE.get(native))
        return (self.code, self.speaker_id, *(cell or _UNKNOWN for cell in answers_given))


def _description(session: Session) -> SpeakerDescription:
    """What the wizard noted; where nothing was noted, the answers to such questions of a questionnaire."""
    answers = {question.strip().lower(): answer or None for question, answer in session.questionnaire}
    asked = SpeakerDescription(answers.get("age"), answers.get("sex"), answers.get("dialect"))
    return _joined(session.speaker or SpeakerDescription(), asked)


def _joined(first: SpeakerDescription, second: SpeakerDescription) -> SpeakerDescription:
    """What the first states, and for the rest what the second states."""
    stated = {name: value for name, value in asdict(first).items() if value is not None}
    return replace(second, **stated)


class Documents:
    """Writes the documents while the tree is written: nothing is kept in memory but counts."""

    def __init__(self, ids: TextIO, speakers: TextIO) -> None:
        self._ids = ids
        self._speakers = speakers
        self._last_speaker: _SpeakerRow | None = None
        self.counts: Counter[str] = Counter()

    def speaker(self, code: str, session: Session) -> None:
        """Describe a speaker; sessions of one speaker come one after the other."""
        row = _SpeakerRow(code, session.speaker_id, session.site, _description(session))
        last = self._last_speaker
        if last is not None and last.code == code:
            # What one session leaves out another of the same speaker may state.
            row = replace(last, speaker=_joined(last.speaker, row.speaker))
        else:
            self.end_speakers()
        self._last_speaker = row

    def end_speakers(self) -> None:
        """Write the last speaker: no further session is theirs."""
        last, self._last_speaker = self._last_speaker, None
        if last is not None:
            self.counts["speakers"] += 1
            self._speakers.write("\t".join(map(escaped, last.cells)) + "\n")

    def utterance(self, name: Name, utterance: Utterance) -> None:
        """Add a line to the table of ids, and count what the files of this query lack."""
        row = (
            name.stem,
            utterance.utterance_id,
            utterance.session_id,
            utterance.speaker_id,
            utterance.scenario_id or "",
            str(utterance.turn),
            *(value or "" for value in utterance.origins.values()),
        )
        self._ids.write("\t".join(map(escaped, row)) + "\n")
        self.counts["queries"] += 1
        self.counts["recordings"] += utterance.audio is not None
        self.counts["without_sro"] += utterance.sro is None
        self.counts["without_cat"] += utterance.eval_class is None


@contextmanager
def open_documents(folder: Path, title: str) -> Iterator[Documents]:
    """`doc/ids.tsv` and `doc/spkrinfo.log`, and at the end `doc/readme.doc`."""
    doc = folder / "doc"
    doc.mkdir()
    with _new(doc / "ids.tsv") as ids, _new(doc / SPEAKERS_FILE) as speakers:
        ids.write("\t".join(_IDS) + "\n")
        speakers.write(_SPEAKER_COLUMNS + "\n")
        documents = Documents(ids, speakers)
        yield documents
        documents.end_speakers()
    counts = {name: documents.counts[name] for name in _COUNTED}
    heading = " ".join(title.split()) or "A corpus"
    with _new(doc / "readme.doc") as readme:
        readme.write(_README.format(title=heading, line="=" * len(heading), **counts))


def _new(path: Path) -> TextIO:
    # "x": an export overwrites nothing. Half of a surrogate pair has no UTF-8 and is spelt out.
    return path.open("x", encoding="utf-8", errors="backslashreplace", newline="\n")


def escaped(text: str) -> str:
    """One cell of a table: tabs and line breaks are written as `\\t` and `\\n`."""
    return "".join(_ESCAPES.get(sign, sign) for sign in text)


def read_speakers(path: Path) -> dict[str, SpeakerDescription]:
    """From a speaker's code in the tree to what is stated about them; empty for a file of another notation.

    Raises OSError.
    """
    first, *lines = read_input(path).decode("utf-8", "replace").split("\n")
    # Another site's list has other columns: nothing is read of it by guess.
    if first != _SPEAKER_COLUMNS:
        return {}
    rows = ([_unescaped(cell) for cell in line.split("\t")] for line in lines if line)
    return {row[0]: _stated(row) for row in rows if len(row) == _SPEAKER_COLUMNS.count("\t") + 1}


def _stated(row: Sequence[str]) -> SpeakerDescription:
    sex, age, region, native = (None if cell == _UNKNOWN else cell for cell in row[3:])
    is_native = {word: value for value, word in _NATIVE.items()}.get(native or "")
    return SpeakerDescription(age, sex, region, is_native)


def _unescaped(text: str) -> str:
    plain = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
    out, rest = "", text
    while rest:
        mark, _, rest = rest.partition("\\")
        out += mark
        if rest:
            out, rest = out + plain.get(rest[0], rest[0]), rest[1:]
    return out


def sphere_fields(name: Name, utterance: Utterance, session: Session) -> dict[str, int | float | str]:
    """The fields of a recording's header besides those that its samples give."""
    return {
        "database_id": "curtain",
        "database_version": "1.0",
        "utterance_id": name.stem,
        "speaker_id": name.speaker,
        "session_id": name.session,
        "speaking_mode": "spontaneous",
        "recording_site": session.site or "unknown",
        "recording_date": _date(session.recorded),
        "recording_environment": "unknown",
        "microphone": "unknown",
        "curtain_utterance_id": utterance.utterance_id,
    }


def _date(iso: str | None) -> str:
    """`2026-11-20` as `20-NOV-2026`."""
    parts = (iso or "")[:10].split("-")
    if len(parts) != 3 or not all(part.isdigit() for part in parts) or not 1 <= int(parts[1]) <= 12:
        return "unknown"
    return f"{parts[2]}-{_MONTHS[int(parts[1]) - 1]}-{parts[0]}"
