"""The toy corpus as scripts for `curtain rehearse`: `python -m tests.corpus.toy_scripts DIR` writes one a session.

What only a crash or a person can do (a lost microphone, a clipped take, a cleared history, practice) is left out.
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from curtain.session.study.messages import load_message_set
from tests.corpus.toy_turns import SITTINGS, Said, Sitting


def playable() -> list[Sitting]:
    """The sessions as they can be played: without practice, and without turns that nobody answers."""
    return [
        replace(one, turns=tuple(said for said in one.turns if not (said.practice or said.open)))
        for one in SITTINGS
        if not one.pilot
    ]


def script_of(sitting: Sitting) -> list[dict[str, Any]]:
    """The steps of one session, a JSON object each."""
    steps: list[dict[str, Any]] = [{"do": "scenario", "id": sitting.scenario}]
    for said in sitting.turns:
        steps += _steps(said)
    steps.append({"do": "end", **({"answer": sitting.solution[0]} if sitting.solution else {})})
    return steps


def _steps(said: Said) -> Iterator[dict[str, Any]]:
    if said.cancelled or said.query is None:
        yield {"do": "cancel", "say": "never mind"}
        return
    turn: dict[str, Any] = {"say": said.query, "query": said.query}
    if said.message is not None:
        yield {**turn, **_message(said)}
        return
    yield {**turn, **_sql(said, [*said.tries, said.first or said.sql or ""])}
    if said.first is not None:
        yield {"do": "correct", **_sql(said, [said.sql or ""])}


def _sql(said: Said, statements: list[str]) -> dict[str, Any]:
    return {"sql": statements, **({"yes_no": True} if said.yes_no else {})}


def _message(said: Said) -> dict[str, Any]:
    assert said.message is not None
    name, text, _ = said.message
    known = load_message_set(("personnel",)).by_id[name]
    # The toy is of a time when messages had no full stop.
    pattern = re.escape(known.text.removesuffix(".")) + r"\.?"
    for blank in known.blanks:
        pattern = pattern.replace(re.escape("{" + blank + "}"), f"(?P<{blank}>.+)")
    found = re.fullmatch(pattern, text)
    return {"message": name, **({"blanks": found.groupdict()} if found and known.blanks else {})}


def write_scripts(folder: Path) -> list[tuple[str, Path]]:
    """(speaker, script) of each session, in the order in which they must be played."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for sitting in sorted(playable(), key=lambda one: one.session_id):
        path = folder / f"{sitting.session_id}.jsonl"
        path.write_text("".join(json.dumps(step, ensure_ascii=False) + "\n" for step in script_of(sitting)), "utf-8")
        written.append((sitting.session_id[:3], path))
    return written


if __name__ == "__main__":
    for speaker, path in write_scripts(Path(sys.argv[1])):
        print(f"curtain rehearse {path} --speaker {speaker} --out STUDY --headless")
