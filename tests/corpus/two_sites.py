"""A corpus of two sites and three speakers, half of it annotated, with a ruling and with redactions of every kind.

Every turn is there for what its name in `TURNS` says; statements and answers are those of the toy corpus.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curtain.base.clock import Clock
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.corpus.annotation.row import Layer
from curtain.session.bundle.bundle import Bundle
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import CLERKS, MANAGERS, SCIENTISTS, Said, Sitting, after, alone, out, salary

TURNS = {
    "stands alone": "a10-01-001", "follow-up": "a10-01-002", "follow-up that nobody annotated": "a10-01-003",
    "hidden in part": "a10-01-004", "silenced": "a10-01-005", "excluded": "a10-01-006", "ruled": "b10-01-001",
    "hidden under another text": "b10-01-002", "transcribed, not classed": "a20-01-001",
}  # fmt: skip
SPLITS = {"a10": "train", "a20": "dev", "b10": "test"}
ANNOTATED, LIVE = 7, 6
"""How many turns are annotated, and how many have only what the live session knew of words or class."""

_ALPHA = (
    Sitting("a10-01", "2026-04-01", "balance", (
        alone("List the managers.", MANAGERS, sro="list the managers"),
        after("Which of those are women?", f"{MANAGERS} AND sex = 'F'", "3", (1, "answer"), tags=("wh-question",)),
        Said("which of them make more than 50000", f"{MANAGERS} AND sex = 'F' AND salary > 50000", annotated=False),
        alone("this is quill speaking what is the name of department 45",
              "SELECT department_name FROM department WHERE department = 45", redact="quill",
              sro="this is *quill* speaking what is the name of department forty five"),
        alone("List the clerks with their salaries.", CLERKS, sro="list the clerks with their salaries"),
        out("Tell me about Mary Smith", "hopelessly-vague", message=("too_vague",
            "Your query is too general. Please state what you want to know about Mary Smith", "no_answer")),
    )),
    Sitting("a20-01", "2026-04-02", "wallet", (
        Said("How many scientists are there?", SCIENTISTS, annotated=False),
        Said("How many of them are women?", f"{SCIENTISTS} AND sex = 'F'", annotated=False),
        Said("what can you do", None, annotated=False, message=("no_meta_information",
             "No information about the information itself is available", "no_answer")),
    ), consent="c-2026-2"),
)  # fmt: skip
_BETA = (
    Sitting("b10-01", "2026-04-03", "balance", (
        alone("What is Mary Smith's salary?", salary("MARY", "SMITH"), sro="what is mary smith's salary",
              other={"category": "X", "eval_class": "X", "tags": ["underspecified"]},
              ruled={"category": "0", "eval_class": "A", "tags": []}),
        alone("How many women work here?", "SELECT COUNT(*) FROM employee WHERE sex = 'F'",
              sro="how many women work here"),
        Said("How many are men?", f"{SCIENTISTS} AND sex = 'M'", annotated=False),
        Said("Show me all the divisions.", "SELECT division FROM division", annotated=False),
    ), wizards=("w2",)),
)  # fmt: skip


def make_two_sites(folder: Path) -> Path:
    """The study in `folder`, which must not be there yet; always the same but for row ids."""
    study = make_toy(folder, site="alpha", sittings=(*_ALPHA, *_BETA))
    for sitting in _BETA:
        bundle = Bundle(study / "sessions" / sitting.session_id)
        bundle.update_session_json(site="beta")
        bundle.write_manifest()
    (study / "splits.json").write_text(json.dumps({"schema_version": 1, "seed": 1, "speakers": SPLITS}), "utf-8")
    _say(study, TURNS["silenced"], "redaction", {"spans": [{"kind": "noise", "start_char": 9, "end_char": 15}]})
    spans = [{"kind": "name", "start_ms": 100, "end_ms": 200, "start_char": 9, "end_char": 14, "replacement": "people"}]
    _say(study, TURNS["hidden under another text"], "redaction", {"spans": spans})
    words = {"sro": "how many scientists are there", "lsn": "HOW MANY SCIENTISTS ARE THERE"}
    _say(study, TURNS["transcribed, not classed"], "transcription", words)
    return study


def _say(study: Path, utterance_id: str, layer: Layer, value: dict[str, Any]) -> None:
    bundle = Bundle(study / "sessions" / utterance_id[:6])
    clock = Clock(wall=lambda: datetime(2026, 4, 9, tzinfo=UTC))
    Layers(bundle).add(new_row(utterance_id, layer, value, "w1", clock))
