"""Names that would go out: words hidden in one turn that stand in another, and those who made the corpus."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from curtain.base.sql_names import quoted
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.reader import read_with_record
from curtain.corpus.model.utterance import Session, Utterance
from curtain.corpus.redaction.figures import common_words
from curtain.corpus.redaction.hidden_words import HiddenWords, WordPlace, pieces_of_text
from curtain.corpus.redaction.texts import TextName, hidden_in, visible_text
from curtain.session.bundle.bundle import Bundle
from curtain_corpora.exports.sql.sqlite_copy import opened, tables_of

_SHORTEST = 3


@dataclass(frozen=True)
class KnownNames:
    """`words` give a person away by themselves, as do the `figures` in what is said; of `people` the whole name does.
    `repeated` has, by turn, the parts of longer hidden phrases that nobody has marked there. `known` words are no
    names, nor are several of them that are read as one: “is a” is not Isa."""

    words: HiddenWords
    known: frozenset[str]
    figures: HiddenWords
    people: HiddenWords
    repeated: Mapping[str, Collection[str]]

    def places(self, session: Session) -> Iterator[tuple[str, str]]:
        """The turns of a session as it may leave in which a name stands, each with the name."""
        for utterance in session.utterances:
            name = utterance.utterance_id
            yield from ((name, part) for part in self.repeated.get(name, ()))
            for text in _texts(utterance):
                pieces = pieces_of_text(text)
                # Any short fragment begins some name of a large corpus.
                long = [one for one in pieces if not one.broken or len("".join(one.parts)) > _SHORTEST]
                parts = (text[start:end].lower() for start, end in self.words.places(long))
                yield from ((name, part) for part in parts if not self._is_known(_words(pieces_of_text(part))))
                yield from ((name, text[start:end]) for start, end in self.people.places(pieces, whole_only=True))
            for text in _said(utterance):
                yield from ((name, text[start:end]) for start, end in self.figures.places(pieces_of_text(text)))

    def _is_known(self, words: frozenset[str]) -> bool:
        # Single letters spell a name, also where a database has them all.
        return words <= self.known and max(map(len, words), default=0) > 1


def known_names(bundles: Iterable[Path], spared: Iterable[str], databases: Iterable[Path]) -> KnownNames:
    """The names that these sessions' folders hide or bear. Words of the databases are asked for by everybody, and
    `spared` are those that a person knows to be no names. Raises as the reading of a session does."""
    domains, words, whole = Domains(), set[str](), list[list[WordPlace]]()
    no_names = HiddenWords.of(map(pieces_of_text, spared)).revealing
    known = no_names.union(common_words(), *map(_words_of, databases))
    repeated = dict[str, Collection[str]]()
    for path in bundles:
        session, _ = read_with_record(path, domains)
        hidden = HiddenWords.of_all(hidden_in(one.query, one.sro, one.redactions) for one in session.utterances)
        words |= hidden.revealing
        short = {one for one in hidden.figures - no_names if len(one) == _SHORTEST - 1}
        repeated.update(_repeated(session, hidden.parts, known, HiddenWords((), frozenset(short))))
        annotators = {name for utterance in session.utterances for name in utterance.annotators}
        lab_id = str(Bundle(path).read_session_json().get("lab_speaker_id") or "")
        for name in {*session.wizard_ids, *annotators, lab_id}:
            pieces = pieces_of_text(name)
            if len(_words(pieces)) == 1:
                words |= {word for word in _words(pieces) if word.isalpha()}
            elif pieces:
                whole.append(pieces)
    long = {word for word in words - known if len(word) >= _SHORTEST}
    figures = HiddenWords((), frozenset(filter(str.isdigit, long)))
    names = HiddenWords((), frozenset(filter(str.isalpha, long)))
    return KnownNames(names, known, figures, HiddenWords.of(whole), repeated)


def _repeated(
    session: Session, parts: HiddenWords, known: frozenset[str], short: HiddenWords
) -> Iterator[tuple[str, list[str]]]:
    """Names and numbers out of longer hidden phrases, and `short` numbers, which anybody says in other sessions."""
    parts = HiddenWords(tuple(one for one in parts.phrases if not _words(one) <= known))
    texts: tuple[TextName, ...] = ("query", "sro")
    for utterance in session.utterances if parts.phrases or short.others else ():
        for text in texts:
            rest, pieces = visible_text(getattr(utterance, text), utterance.redactions, text)
            places = [*parts.places(pieces, whole_only=True), *short.places(pieces)]
            if places:
                yield utterance.utterance_id, [rest[start:end] for start, end in places]


def _words(pieces: Iterable[WordPlace]) -> frozenset[str]:
    return frozenset(part for piece in pieces for part in piece.parts)


def _said(utterance: Utterance) -> Collection[str]:
    words = (utterance.query, utterance.sro, utterance.lsn, utterance.hypothesis, utterance.message)
    return dict.fromkeys(filter(None, words))


def _texts(utterance: Utterance) -> Collection[str]:
    answers = (text for one in utterance.references for text in (one.sql_min, one.cas_min, one.sql_max, one.cas_max))
    return dict.fromkeys((*_said(utterance), *filter(None, answers)))


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
