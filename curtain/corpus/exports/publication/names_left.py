"""Names that would go out: words hidden in one turn that stand in another, and those who made the corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from curtain.base.sql_names import quoted
from curtain.corpus.exports.sql.sqlite_copy import opened, tables_of
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.reader import read_with_record
from curtain.corpus.model.utterance import Session, Utterance
from curtain.corpus.redaction.figures import common_words
from curtain.corpus.redaction.hidden_words import HiddenWords, WordPlace, pieces_of_text
from curtain.corpus.redaction.texts import hidden_in
from curtain.session.bundle.bundle import Bundle

_SHORTEST = 3


@dataclass(frozen=True)
class KnownNames:
    """`words` give a person away by themselves; of `people` the whole name does."""

    words: frozenset[str]
    people: HiddenWords

    def places(self, session: Session) -> Iterator[tuple[str, str]]:
        """The turns of a session as it may leave in which a name stands, each with the name."""
        for utterance in session.utterances:
            for text in _texts(utterance):
                pieces = pieces_of_text(text)
                for word in sorted(_words(pieces) & self.words):
                    yield utterance.utterance_id, word
                for start, end in self.people.places(pieces, whole_only=True):
                    yield utterance.utterance_id, text[start:end]


def known_names(bundles: Iterable[Path], spared: Iterable[str], databases: Iterable[Path]) -> KnownNames:
    """The names that these sessions' folders hide or bear. Words of the databases are asked for by everybody, and
    `spared` are those that a person knows to be no names. Raises as the reading of a session does."""
    domains, words, whole = Domains(), set[str](), list[list[WordPlace]]()
    for path in bundles:
        session, _ = read_with_record(path, domains)
        for utterance in session.utterances:
            words |= hidden_in(utterance.query, utterance.sro, utterance.redactions).revealing
        annotators = {name for utterance in session.utterances for name in utterance.annotators}
        lab_id = str(Bundle(path).read_session_json().get("lab_speaker_id") or "")
        for name in {*session.wizard_ids, *annotators, lab_id}:
            pieces = pieces_of_text(name)
            if len(_words(pieces)) == 1:
                words |= _words(pieces)
            elif pieces:
                whole.append(pieces)
    known = _words(piece for word in spared for piece in pieces_of_text(word))
    known = known.union(common_words(), *map(_words_of, databases))
    names = {word for word in words - known if word.isalpha() and len(word) >= _SHORTEST}
    return KnownNames(frozenset(names), HiddenWords.of(whole))


def _words(pieces: Iterable[WordPlace]) -> frozenset[str]:
    return frozenset(part for piece in pieces for part in piece.parts)


def _texts(utterance: Utterance) -> Collection[str]:
    answers = (text for one in utterance.references for text in (one.sql_min, one.cas_min, one.sql_max, one.cas_max))
    words = (utterance.query, utterance.sro, utterance.lsn, utterance.hypothesis, utterance.message)
    return dict.fromkeys(text for text in (*words, *answers) if text)


def _words_of(database: Path) -> frozenset[str]:
    """What stands in a database, and what its tables and columns are called."""
    texts = set[str]()
    with closing(opened(database)) as duck:
        for table in tables_of(database):
            texts.add(table.name)
            for column in table.columns:
                texts.add(column.name)
                if column.kind == "text":
                    select = f"SELECT DISTINCT {quoted(column.name)}::VARCHAR FROM {quoted(table.name)}"
                    texts.update(text for (text,) in duck.execute(select).fetchall() if text)
    return frozenset(word for text in texts for word in _words(pieces_of_text(text)))
