"""Spider and SParC: questions with gold queries over a SQLite copy of the database.

A query is in it only if, run on the copy, it gives the reference answer. Questions that need no context are Spider's;
what was asked about one scenario is a SParC interaction.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from curtain.base.disk import rename
from curtain.base.plural import are
from curtain.corpus.exports.text_files import new_text
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus, Session, Split, Utterance
from curtain_corpora.exports.names import Names, split_name
from curtain_corpora.exports.sql.proven import LeftOut, ProvenDatabase, ProvenDatabases, about, json_array, question_of

_FILES = ("{}.json", "sparc/{}.json", "{}_gold.sql", "sparc/{}_gold.txt")


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """Write `<split>.json`, `<split>_gold.sql`, `sparc/`, `tables.json` and `database/`. Raises CurtainError."""
    with ExitStack() as stack:
        writer = _Writer(corpus, folder, progress, stack)
        for session in corpus.sessions():
            writer.add(session)
        if not writer.sheets:
            writer.sheet("none")
    writer.finish()


@dataclass(frozen=True)
class _Asking:
    """One question that made it: `alone` if it means something without what was asked before."""

    utterance: Utterance
    text: str
    query: str
    alone: bool


class _Writer:
    def __init__(self, corpus: Corpus, folder: Path, progress: ExportProgress, stack: ExitStack) -> None:
        self._folder = folder
        self._progress = progress
        self._stack = stack
        self._names = Names()
        self._databases = ProvenDatabases(corpus, folder / "database", self._names, stack)
        self.sheets: dict[Split, _Sheet] = {}
        self._alone = self._dependent = self._not_known = 0
        self._skipped = stack.enter_context(new_text(folder / "skipped.jsonl"))
        (folder / "sparc").mkdir()

    def add(self, session: Session) -> None:
        database = self._databases.of(session.domain)
        for stretch in session.stretches():
            taken: list[_Asking] = []
            for utterance in stretch:
                try:
                    taken.append(self._asking(utterance, session, database, taken))
                except LeftOut as reason:
                    self._leave(utterance, str(reason))
            self._write(taken, database.name)

    def _asking(
        self, utterance: Utterance, session: Session, database: ProvenDatabase, before: list[_Asking]
    ) -> _Asking:
        text, best = question_of(utterance, {asking.utterance.utterance_id for asking in before})
        query = database.proven(best, session.dialect, utterance.yes_no)
        return _Asking(utterance, text, query, utterance.stands_alone)

    def _leave(self, utterance: Utterance, reason: str) -> None:
        self._progress.dropped_one(reason)
        self._skipped.write(json.dumps({"utterance_id": utterance.utterance_id, "reason": reason}) + "\n")

    def _write(self, interaction: list[_Asking], db_id: str) -> None:
        for asking in interaction:
            self._progress.wrote()
            self._alone += asking.alone
            self._not_known += not asking.alone and asking.utterance.context_not_known
            self._dependent += not asking.alone and not asking.utterance.context_not_known
            if asking.alone:
                self.sheet(asking.utterance.split).add_question(asking, db_id)
        # Practice is in no part of the corpus, whatever its speaker is in: an interaction is in the part of its first.
        if interaction:
            self.sheet(interaction[0].utterance.split).add_interaction(interaction, db_id)

    def sheet(self, split: Split) -> _Sheet:
        """The files of a part of the corpus, begun when they are first asked for."""
        if split not in self.sheets:
            paths = [self._folder / pattern.format(split_name(split)) for pattern in _FILES]
            questions, interactions = (self._stack.enter_context(json_array(path)) for path in paths[:2])
            gold, gold_interactions = (self._stack.enter_context(new_text(path)) for path in paths[2:])
            self.sheets[split] = _Sheet(questions, interactions, gold, gold_interactions)
        return self.sheets[split]

    def finish(self) -> None:
        """Where no part was ever drawn, everything is the development set, the name that the tools ask for."""
        if set(self.sheets) == {"none"}:
            for pattern in _FILES:
                rename(self._folder / pattern.format(split_name("none")), self._folder / pattern.format("dev"))
        self._databases.describe(self._folder / "tables.json")
        self._names.write(self._folder)
        self._progress.notes += self._places()

    def _places(self) -> Iterator[str]:
        """Where the questions are, if not all of them are in both places."""
        if not (self._dependent or self._not_known):
            return
        yield f"{are(self._alone, 'question')} in Spider’s files (those beside sparc/)."
        if self._dependent:
            them = "it needs" if self._dependent == 1 else "they need"
            yield f"{are(self._dependent, 'question')} only in sparc/, because {them} earlier questions."
        if self._not_known:
            them = "it needs" if self._not_known == 1 else "they need"
            yield (
                f"{are(self._not_known, 'question')} only in sparc/, because nobody has said whether {them} earlier "
                "questions: “curtain annotate STUDY” does that."
            )


@dataclass(frozen=True)
class _Sheet:
    """The files of one part of the corpus, in the order of _FILES."""

    questions: Callable[[Any], None]
    interactions: Callable[[Any], None]
    gold: TextIO
    gold_interactions: TextIO

    def add_question(self, asking: _Asking, db_id: str) -> None:
        self.questions(
            {
                "db_id": db_id,
                "question": asking.text,
                "query": asking.query,
                "question_toks": _words(asking.text),
                "query_toks": _words(asking.query),
                **about(asking.utterance),
            }
        )
        self.gold.write(f"{asking.query}\t{db_id}\n")

    def add_interaction(self, interaction: list[_Asking], db_id: str) -> None:
        turns = [
            {"utterance": turn.text, "query": turn.query, "utterance_toks": _words(turn.text), **about(turn.utterance)}
            for turn in interaction
        ]
        final = {"utterance": interaction[-1].text, "query": interaction[-1].query}
        self.interactions({"database_id": db_id, "interaction": turns, "final": final})
        self.gold_interactions.write("".join(f"{one.query}\t{db_id}\n" for one in interaction) + "\n")


def _words(text: str) -> list[str]:
    # The evaluator makes tokens of its own; these are for other readers of the file.
    return re.findall(r"'[^']*'|\w+|[^\w\s]", text)
