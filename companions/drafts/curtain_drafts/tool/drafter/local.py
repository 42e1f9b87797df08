"""The drafter that comes with Curtain. It learns from answered questions and runs on this machine alone.

A query is read into values and words. Answered examples, the rules of the schema and the turn before propose
statements; one ranker orders them. What was learned is kept in the user's cache, so that 5,000 questions are there soon
again: a file for each pack, database and store, and only questions that are new since then are read.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from curtain.base.disk import replace_file
from curtain.base.privacy import sweep
from curtain.domain.pack.names import split_name
from curtain.domain.pack.pack import Pack
from curtain_drafts.drafting.values import Draft, Example, Request
from curtain_drafts.tool.examples.propose import done_by
from curtain_drafts.tool.language.lexicon import Spelling

from ..algebra.query import Arg, Statement, held, key_of, nodes_in
from ..algebra.reading import SqlReader
from ..algebra.writing import write
from ..examples.meaning import MeaningModel, Vectors
from ..examples.query_view import NOTHING, Sight
from ..grammar.graph import Graph
from ..grammar.projection import outlines
from ..language.english import lemma
from ..language.lexicon import Lexicon, load_lexicon
from ..language.recognise import Reading, Recogniser
from ..language.tokens import words_of
from ..ranking.candidate import Candidate
from ..ranking.training import POINTS_BACK, Kept, Known, Progress, learned_from, parsed, usual_columns, usual_days
from ..turns.follow_up import AnsweredHead, continued, leaning
from .parts import chip_of, chosen, swaps_of

# A pack keeps its last two stores, so that small packs do not push a large one out.
_KEPT_OF_A_PACK = 2
_MOST_NEW = 300
# Of a file: what was learned, and the texts of which there are vectors.
_Content = tuple[Kept, list[str], Vectors]


class Shelf:
    """The files of one pack and database in a folder; the end of a file's name is the checksum of what is in it."""

    def __init__(self, folder: Path, pack: Pack, db_path: Path, meaning: MeaningModel | None = None) -> None:
        self._folder, self._meaning = folder, meaning
        self._of_pack = f"drafts-{pack.name}-"
        self._stem = f"{self._of_pack}{_key(pack, db_path, meaning.identity if meaning else '')}-"

    def find(self, examples: Sequence[Example]) -> Kept | None:
        """What was learned from exactly these examples, or from all but a few of them; None if there is nothing.
        Vectors of questions go to the model of meaning."""
        wanted = {example.digest for example in examples}
        for path in self._last_used(self._stem)[:_KEPT_OF_A_PACK]:
            try:
                data = path.read_bytes()
                content: _Content = msgspec.msgpack.decode(data, type=_Content, dec_hook=_unpacked)
                kept, texts, rows = content
                new = len(wanted - kept.digests)
                if path == self._path_of(data) and wanted >= kept.digests and new <= min(_MOST_NEW, len(kept.digests)):
                    if self._meaning:
                        self._meaning.known |= zip(texts, rows, strict=True)
                    # The time of the file is that of its last use.
                    path.touch()
                    return kept
            except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
                continue
        return None

    def keep(self, kept: Kept) -> None:
        """Writes a file, whole or not at all. A cache that cannot be written costs time and nothing else."""
        known = self._meaning.known if self._meaning else {}
        content = kept, list(known), np.array(list(known.values()))
        data = msgspec.msgpack.encode(content, enc_hook=_packed)
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._path_of(data), data)
            sweep(self._folder, ["drafts-*.part"])
            for path in self._last_used(self._of_pack)[_KEPT_OF_A_PACK:]:
                path.unlink(missing_ok=True)

    def _path_of(self, data: bytes) -> Path:
        return self._folder / f"{self._stem}{hashlib.sha256(data).hexdigest()[:16]}.msgpack"

    def _last_used(self, start: str) -> list[Path]:
        try:
            return sorted(self._folder.glob(f"{start}*.msgpack"), key=lambda path: -path.stat().st_mtime_ns)
        except OSError:
            return []


def _packed(array: Any) -> tuple[tuple[int, ...], bytes]:
    """An array of numbers with half the digits, which are enough on disk."""
    return array.shape, array.astype("f2").tobytes()


def _unpacked(kind: object, packed: Any) -> Vectors:
    """Raises TypeError or ValueError, from which msgspec makes its own."""
    shape, numbers = packed
    return np.frombuffer(numbers, "f2").reshape(shape).astype("f4")


def _key(pack: Pack, db_path: Path, meaning: str) -> str:
    """Of everything else that what is learned depends on: this program's own text, the pack's, and the database."""
    room = Path(__file__).parents[1]
    theirs = (pack.folder / name for name in ("domain.toml", "lexicon.toml", "schema.sql"))
    texts = [*sorted([*room.rglob("*.py"), *room.glob("*.toml")]), *(path for path in theirs if path.exists())]
    digested = hashlib.sha256(b"".join(path.read_bytes() for path in texts))
    status = db_path.stat()
    digested.update(f"{db_path.name} {status.st_size} {status.st_mtime_ns} {meaning}".encode())
    return digested.hexdigest()[:16]


_SAMPLE = 200
# Of fewer, nothing can be said of what most questions are about.
_FEW_FOR_A_HUB = 20
_VERBATIM = 0.97
_LIKELY = 0.5
_MOST_HEADS = 8


class LocalDrafter:
    """Drafts from the answered questions of a pack; odd queries get no draft or a cautious one, never an error.

    The first time it learns from its examples, for a few seconds, or for minutes where there are thousands; `progress`
    is called with what it does and a share between 0 and 1; `meaning` finds questions again beside their words.
    Queries that are not `english` are not read by rules: only answered questions propose, the pack's where no word is
    left over.
    Raises duckdb.Error if the database cannot be read.
    """

    def __init__(
        self,
        pack: Pack,
        db_path: Path,
        examples: Iterable[Example],
        cache: Path | None = None,
        progress: Progress | None = None,
        meaning: MeaningModel | None = None,
        english: bool = True,
    ) -> None:
        examples = list(examples)
        self._pack, self._english = pack, english
        questions = (example.question for example in examples)
        self._lexicon, self._graph, self._recogniser = words_and_values(pack, db_path, questions)
        self.swaps = swaps_of(self._lexicon)
        shelf = Shelf(cache, pack, db_path, meaning) if cache else None
        kept = shelf.find(examples) if shelf else None
        hub = kept.hub if kept else _hub_of(pack, examples)
        self._reader = SqlReader(pack.tables, hub, pack.keys.primary)
        self._plain_reader = SqlReader(pack.tables, "", pack.keys.primary)
        report = progress or (lambda what, share: None)
        report("Reading the examples", 0.0)
        new = [one for one in examples if not kept or one.digest not in kept.digests]
        first = parsed(new, self._recogniser, self._reader, self._stands_alone)
        columns, days = (kept.columns, kept.days) if kept else (usual_columns(first), usual_days(first))
        self._recogniser.usual, self._recogniser.calendar = columns, days
        known = [replace(one, reading=self._recogniser.read(one.example.question)) for one in first]
        self._learned = learned_from(known, pack.tables, report, meaning, kept, examples)
        if meaning and self._learned.memory.entries:
            meaning.vectors(chain.from_iterable(self._learned.memory.near.forms))
        if shelf and kept is None:
            shelf.keep(self._learned.kept(examples, hub, columns, days))
        self._asked: dict[tuple[str, ...], list[Example]] = {}
        for example in examples:
            self._asked.setdefault(words_of(example.question), []).append(example)

    def learn(self, example: Example) -> None:
        """From now on this question has been answered."""
        self.withdraw(example.id)
        self._asked.setdefault(words_of(example.question), []).append(example)
        for known in parsed([example], self._recogniser, self._reader, self._stands_alone):
            self._learned.add(known)

    def withdraw(self, example_id: str) -> None:
        """Forget the example of this id, if it is known."""
        if example_id:
            self._learned.memory.forget(example_id)
            for words, asked in self._asked.items():
                self._asked[words] = [one for one in asked if one.id != example_id]

    def drafts(self, request: Request) -> Sequence[Draft]:
        """Up to `request.n` drafts, best first."""
        reading, plain = (
            chosen(self._recogniser.read(request.question, usual), request.choices, self._lexicon)
            for usual in (True, False)
        )
        if not reading.words:
            return []
        periods = (period for period in self._pack.periods.values() if isinstance(period, Mapping))
        included = request.reading == "published" or any(period.get("ends_included") for period in periods)
        rules = partial(outlines, graph=self._graph, included=included) if self._english else lambda _: ()
        seen, candidates = self._learned.candidates(reading, rules, included, plain, request.scenario)
        before = self._plain_reader.last(request.previous) if self._english else None
        candidates = [one for one in candidates if self._english or self._answers(one)]
        lean = leaning(reading, self._graph) if before is not None else 0.0
        # A question with a subject of its own that does not point back carries nothing.
        if before is not None and lean:
            meant, done = self._meant(seen, before), self._done(seen, before.root)
            heads = self._heads(seen, before.root)
            edits = continued(reading, before, self._graph, included, meant, done, heads)
            candidates = self._learned.with_turn(candidates, edits, lean, seen)
        ranked = self._learned.ranked(candidates)[: request.n]
        made = [self._draft(one, chance, plain if one.alone else reading) for one, chance in ranked]
        first = self._verbatim(request, reading)
        others = [draft for draft in made if first is None or not self._same(draft.sql, first.sql)]
        return ([first] if first else []) + others[: request.n - bool(first)]

    def _stands_alone(self, known: Known) -> bool:
        """Whether a question needs no turn before it: it does not point back, and what its statement has in common with
        the one before it says itself."""
        before = self._reader.last(known.example.previous)
        if before is None or leaning(known.reading, self._graph) > POINTS_BACK:
            return not known.example.previous
        spoken = {text for one in known.reading.found for meaning in one.meanings for text in meaning.forms.values()}
        carried = set(map(key_of, before.conditions)).intersection(map(key_of, known.query.conditions))
        kept = [one for one in known.query.conditions if key_of(one) in carried]
        return all(literal.text.strip("%") in spoken for one in kept for _, literal in held(one))

    def _answers(self, one: Candidate) -> bool:
        """Whether it was answered to subjects, or to all words of the query: nothing of it is English by chance."""
        example = self._learned.memory.entries[one.like].example if one.like >= 0 else None
        return example is not None and (example.source != "pack" or not one.ignored)

    def _meant(self, seen: Sight, before: Statement) -> list[Arg]:
        """The conditions that words of the query nearly always mean in answered questions about the same table."""
        known = self._learned.memory.conditions
        new = (known[name] for name in sorted(seen.expected) if name in known)
        return [one for one in new if {node.split(">")[0] for node in nodes_in(one)} == {before.root}]

    def _done(self, seen: Sight, root: str) -> dict[int, list[Arg]]:
        """The conditions in which each value mostly stood in answered questions about a table."""
        roles = [max(own.items(), key=lambda one: one[1], default=(NOTHING, 0.0)) for own in seen.given(root).roles]
        made = {
            number: done_by(seen.reading.found[number], role, self._learned.memory, root)
            for number, (role, chance) in enumerate(roles)
            if chance >= _LIKELY
        }
        return {number: own for number, own in made.items() if own}

    def _heads(self, seen: Sight, root: str) -> list[AnsweredHead]:
        """What the nearest answered questions about a table show."""
        memory, found = self._learned.memory, dict[str, AnsweredHead]()
        for key, number in seen.entry_of.items():
            query = memory.shapes[key].query
            if query.root == root and query.head not in found and len(found) < _MOST_HEADS:
                words = frozenset(map(lemma, memory.entries[number].words))
                found[query.head] = AnsweredHead(query, words, seen.alike[key])
        return list(found.values())

    def _verbatim(self, request: Request, reading: Reading) -> Draft | None:
        """The answer that was given to this very question, after such a turn if it depends on one."""
        if any(choice.start >= 0 for choice in request.choices):
            return None
        context = request.previous[-1].sql if request.previous else ""
        for example in reversed(self._asked.get(words_of(request.question), [])):
            if not example.previous or (context and self._same(example.previous[-1].sql, context)):
                strong = [number for number, one in enumerate(reading.found) if not one.weak]
                return self._made(example.sql, _VERBATIM, strong, reading, f"like “{example.question}”", example)
        return None

    def _same(self, sql: str, other: str) -> bool:
        one, two = self._reader.read(sql), self._reader.read(other)
        return one is not None and two is not None and one.sense == two.sense

    def _draft(self, one: Candidate, chance: float, reading: Reading) -> Draft:
        example = self._learned.memory.entries[one.like].example if one.like >= 0 else None
        ignored = tuple((reading.words[at].start, reading.words[at].end) for at in one.ignored)
        # What speaks against a draft comes first, since the line is cut where it does not fit.
        because = "; ".join([*one.doubts, _because(one, example)])
        made = self._made(write(one.query), round(chance, 4), one.used, reading, because, example)
        return replace(made, ignored=ignored)

    def _made(
        self, sql: str, chance: float, used: Iterable[int], reading: Reading, because: str, example: Example | None
    ) -> Draft:
        chips = tuple(chip_of(reading.found[number], self.swaps) for number in used)
        return Draft(sql, chance, chips, tuple((one.start, one.end) for one in chips), because, example=example)


def words_and_values(pack: Pack, db_path: Path, questions: Iterable[str] = ()) -> tuple[Lexicon, Graph, Recogniser]:
    """What words mean in a domain, its schema, and who finds both in a query: also with near spellings of names and of
    the words of `questions`. Raises duckdb.Error and PackError."""
    lexicon = load_lexicon(pack, db_path)
    graph = Graph(pack, lexicon.words)
    names = [word for table, own in pack.tables.items() for name in (table, *own) for word in split_name(name)]
    names += [word for many in lexicon.words.values() for phrase in many for word in words_of(phrase)]
    spelling = Spelling.of(lexicon, names, questions)
    return lexicon, graph, Recogniser(lexicon, pack.as_of, spelling.corrected, graph.names)


def _because(one: Candidate, example: Example | None) -> str:
    if one.turn:
        return "the question before, changed"
    if example is None:
        return "put together from the names of the tables"
    return f"put together, nearest: “{example.question}”" if one.made else f"like “{example.question}”"


def _hub_of(pack: Pack, examples: Sequence[Example]) -> str:
    """The table that most statements ask for, by a sample of them; of a few nothing can be said."""
    if len(examples) < _FEW_FOR_A_HUB:
        return ""
    reader = SqlReader(pack.tables)
    read = (reader.read(example.sql) for example in examples[:: max(1, len(examples) // _SAMPLE)])
    roots = Counter(query.root for query in read if query is not None and query.root)
    return max(roots, key=lambda name: roots[name]) if roots else ""
