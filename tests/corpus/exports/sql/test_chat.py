"""Chats for training language models: whole dialogues in the two usual forms, with SQL that answers as it should."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest

from curtain.cas import compare, from_rows
from curtain.corpus.exports.sql import chat
from curtain.corpus.model.corpus import BundleCorpus
from tests.corpus.given import written_by

exported = partial(written_by, chat.write)


def lines(folder: Path, ending: str) -> list[dict[str, Any]]:
    files = sorted(path for path in folder.iterdir() if path.name.partition(".")[2] == ending)
    return [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def folder(given_toy: BundleCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out, _ = exported(given_toy, tmp_path_factory.mktemp("chat") / "out")
    return Path(out)


def test_both_forms_say_the_same_in_turns(folder: Path) -> None:
    ours, theirs = lines(folder, "jsonl"), lines(folder, "sharegpt.jsonl")
    names = {"system": "system", "human": "user", "gpt": "assistant"}
    for one, other in zip(ours, theirs, strict=True):
        messages = [{"role": names[turn["from"]], "content": turn["value"]} for turn in other["conversations"]]
        assert one["messages"] == messages
        roles = [message["role"] for message in messages]
        assert roles == ["system", *["user", "assistant"] * len(one["utterances"])]


def test_the_schema_of_the_system_makes_the_tables_and_every_reply_is_the_reference(
    folder: Path, given_toy: BundleCorpus
) -> None:
    known = {one.utterance_id: (one, session) for session in given_toy.sessions() for one in session.utterances}
    dialogues = lines(folder, "jsonl")
    assert max(len(one["utterances"]) for one in dialogues) > 1
    _, _, schema = dialogues[0]["messages"][0]["content"].partition("\n\n")
    schema, _, units = schema.rpartition("\n\n")
    assert units == "Units: employee.salary USD."
    duckdb.connect().execute(schema)
    with duckdb.connect(str(given_toy.database("personnel")), read_only=True) as database:
        for one in dialogues:
            for turn, reply in zip(one["utterances"], one["messages"][2::2], strict=True):
                utterance, session = known[turn["utterance_id"]]
                answer = from_rows(database.execute(reply["content"]).fetchall(), session.dialect)
                best = max(utterance.references, key=lambda reading: reading.weight)
                assert compare(
                    answer, best.cas_min, best.cas_max, dialect=session.dialect, yes_no=utterance.yes_no
                ).is_correct


def test_a_question_stands_behind_those_that_it_needs(folder: Path, given_toy: BundleCorpus) -> None:
    needs = {one.utterance_id: one.context for session in given_toy.sessions() for one in session.utterances}
    dialogues = lines(folder, "jsonl")
    asked = [[turn["utterance_id"] for turn in one["utterances"]] for one in dialogues]
    assert any(needs[turn] for turns in asked for turn in turns)
    for turns in asked:
        for place, turn in enumerate(turns):
            assert {link.utterance_id for link in needs[turn]} <= set(turns[:place])
