"""Chats on which language models are trained: questions of a user, SQL as replies, the schema as system message.

A line is one dialogue: what was asked about one scenario, up to where the subject started over. `<part>.jsonl` has
`messages` with `role` and `content`, as OpenAI takes them, `<part>.sharegpt.jsonl` the same as `conversations` with
`from` and `value`, as ShareGPT had them. `utterances` says which turns a dialogue is made of. A dialogue is in the part
of its speaker; what is in none is in `unsplit`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from curtain.corpus.exports.names import Names, split_name
from curtain.corpus.exports.sql.proven import LeftOut, about, question_of
from curtain.corpus.exports.sql.sqlite_copy import definitions_of
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus, Utterance

_SHAREGPT = {"system": "system", "user": "human", "assistant": "gpt"}
_TASK = "Answer each question with one DuckDB SQL statement over this database."


class _Asked(NamedTuple):
    """A turn of a dialogue: what was asked, and its likeliest correct SQL."""

    utterance: Utterance
    question: str
    sql: str


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """Write the files of each part. Raises CurtainError."""
    names, system = Names(), dict[str, str]()
    for session in corpus.sessions():
        if session.domain not in system:
            system[session.domain] = "\n\n".join(_about(corpus, session.domain))
        for stretch in session.stretches():
            dialogue = _dialogue(stretch, progress)
            if dialogue:
                split = next(iter(dialogue.values())).utterance.split
                part = folder / split_name(split)
                _add(part, system[session.domain], names.of(session.domain), list(dialogue.values()))
    names.write(folder)


def _about(corpus: Corpus, domain: str) -> Iterator[str]:
    yield _TASK
    yield from definitions_of(corpus.database(domain))
    if units := corpus.units(domain):
        yield units


def _dialogue(stretch: Sequence[Utterance], progress: ExportProgress) -> dict[str, _Asked]:
    """What of a stretch is in the dialogue, by its id."""
    taken: dict[str, _Asked] = {}
    for utterance in stretch:
        try:
            text, best = question_of(utterance, taken)
        except LeftOut as reason:
            progress.dropped_one(str(reason))
        else:
            taken[utterance.utterance_id] = _Asked(utterance, text, str(best.sql_min).strip())
            progress.wrote()
    return taken


def _add(part: Path, system: str, db_id: str, dialogue: Sequence[_Asked]) -> None:
    turns = [message for one in dialogue for message in (("user", one.question), ("assistant", one.sql))]
    messages = [("system", system), *turns]
    common = {"db_id": db_id, "utterances": [about(one.utterance) for one in dialogue]}
    forms = {
        "jsonl": {"messages": [{"role": role, "content": text} for role, text in messages]},
        "sharegpt.jsonl": {"conversations": [{"from": _SHAREGPT[role], "value": text} for role, text in messages]},
    }
    for ending, form in forms.items():
        with part.with_name(f"{part.name}.{ending}").open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps({**form, **common}, ensure_ascii=False) + "\n")
