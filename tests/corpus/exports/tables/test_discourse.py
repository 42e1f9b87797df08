"""Pairs, triplets and chains of the toy corpus."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from curtain.corpus.model.corpus import BundleCorpus


def lines(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines()]


def test_what_is_in_each_file_follows_from_the_categories(
    exported: Callable[[str], Path], given_toy: BundleCorpus
) -> None:
    folder = exported("discourse")
    known = [one for session in given_toy.sessions() for one in session.utterances]
    answered = [one for one in known if one.references]
    of_category = {name: [one.utterance_id for one in answered if one.category == name] for name in "01"}
    assert [one["utterance"]["utterance_id"] for one in lines(folder, "pairs")] == of_category["0"]
    triplets = lines(folder, "triplets")
    assert [one["second"]["utterance_id"] for one in triplets] == of_category["1"]
    for one in triplets:
        assert [link["utterance_id"] for link in one["second"]["context"]] == [one["first"]["utterance_id"]]


def test_a_chain_holds_everything_that_leads_to_its_last_query(
    exported: Callable[[str], Path], given_toy: BundleCorpus
) -> None:
    chains = lines(exported("discourse"), "chains")
    dependent = [one.utterance_id for session in given_toy.sessions() for one in session.utterances if one.context]
    assert [one["utterances"][-1]["utterance_id"] for one in chains] == dependent
    for one in chains:
        members = {each["utterance_id"] for each in one["utterances"]}
        needed = {link["utterance_id"] for each in one["utterances"] for link in each["context"]}
        assert needed <= members | set(one["missing"])
        assert one["evaluable"] is (
            not one["missing"]
            and all(each["eval_class"] not in (None, "X") for each in one["utterances"])
            and bool(one["utterances"][-1]["references"])
        )
