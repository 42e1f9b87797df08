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

from curtain.corpus.exports.names import Names
from curtain.corpus.exports.sql.spider import LeftOut, about, question_of
from curtain.corpus.exports.sql.sqlite_copy import definitions_of
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus, Utterance

_SHAREGPT = {"system": "system", "user": "human", "assistant": "gpt"}
_TASK = "Answer each question with one DuckDB SQL statement over this database."

Message = tuple[str, str]


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """Write the files of each part. Raises CurtainError."""
    names, system = Names(), dict[str, str]()
    for session in corpus.sessions():
        if session.domain not in system:
            system[session.domain] = "\n\n".join(_about(corpus, session.domain))
        for stretch in session.stretches():
            dialogue = _dialogue(stretch, progress)
            if dialogue:
                part = "unsplit" if dialogue[0].split == "none" else dialogue[0].split
                messages = [("system", system[session.domain]), *_messages(dialogue)]
                _add(folder / part, messages, names.of(session.domain), dialogue)
    names.write(folder)


def _about(corpus: Corpus, domain: str) -> Iterator[str]:
    yield _TASK
    yield from definitions_of(corpus.database(domain))
    if units := corpus.units(domain):
        yield units


def _dialogue(stretch: Sequence[Utterance], progress: ExportProgress) -> list[Utterance]:
    taken: list[Utterance] = []
    for utterance in stretch:
        try:
            question_of(utterance, {one.utterance_id for one in taken})
        except LeftOut as reason:
            progress.dropped_one(str(reason))
        else:
            taken.append(utterance)
            progress.wrote()
    return taken


def _messages(dialogue: Sequence[Utterance]) -> list[Message]:
    asked = [question_of(one, {before.utterance_id for before in dialogue}) for one in dialogue]
    return [message for text, best in asked for message in (("user", text), ("assistant", str(best.sql_min).strip()))]


def _add(part: Path, messages: Sequence[Message], db_id: str, dialogue: Sequence[Utterance]) -> None:
    common = {"db_id": db_id, "utterances": [about(one) for one in dialogue]}
    forms = {
        "jsonl": {"messages": [{"role": role, "content": text} for role, text in messages]},
        "sharegpt.jsonl": {"conversations": [{"from": _SHAREGPT[role], "value": text} for role, text in messages]},
    }
    for ending, form in forms.items():
        with part.with_name(f"{part.name}.{ending}").open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps({**form, **common}, ensure_ascii=False) + "\n")
