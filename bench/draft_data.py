"""Packs, and questions with their SQL: ours, and those in a folder that is no part of the project."""

from __future__ import annotations

import gzip
import json
import random
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from curtain.domain.build.new_pack import new_pack
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.values import Example

sys.path.insert(0, str(Path(__file__).parent / "foreign"))
from databases import NAMES, write

DATA = Path(__file__).parents[2] / "shared" / "data"
PARAPHRASES = Path(__file__).with_name("personnel_paraphrases.jsonl")
SEEDS = (101, 202)
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@dataclass(frozen=True)
class Published:
    """A question with its SQL; `shape` is the same for SQL that differs in its values alone.
    `faulty`: it names a weekday, and its SQL a date of another one."""

    example: Example
    shape: str
    faulty: bool


def pack_of(name: str, folder: Path, data: Path = DATA) -> Pack:
    """A pack of ours; else one made in the folder, as `curtain domain new` makes it, unless it is there."""
    if name not in (*NAMES, "geography"):
        return load_pack(name)
    if not (folder / name / "domain.toml").exists():
        source = write(name, folder / f"{name}.sqlite") if name in NAMES else data / name
        new_pack(source, folder / name, lambda what, share: None)
    return load_pack(folder / name)


def databases(pack: Pack) -> list[Path]:
    """The pack's own database, and if the pack is ours, two of other seeds."""
    return [database(pack), *(database(pack, seed=seed) for seed in SEEDS if pack.name in ("atis", "personnel"))]


def paraphrases() -> list[Example]:
    """Questions about personnel that were written after the examples of the pack and are not in its store."""
    return [Example(**json.loads(line)) for line in PARAPHRASES.read_text("utf-8").splitlines()]


def read(path: Path) -> list[Published]:
    """The questions of a gzipped file, one JSON object a line."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [_published(json.loads(line)) for line in file]


def _published(line: dict[str, Any]) -> Published:
    example = Example(line["question"], line["sql"], id=line["id"], source="bench")
    return Published(example, str(line.get("template", "")), _false_date(example.question, example.sql))


def _false_date(question: str, sql: str) -> bool:
    said = {day for day in _DAYS if re.search(rf"\b{day}", question.lower())}
    return bool(said) and any(day not in said for day in _weekdays(sql))


def _weekdays(sql: str) -> Iterable[str]:
    """The weekdays of all whole dates in the SQL."""
    parts: dict[str, dict[str, int]] = {}
    for alias, part, number in re.findall(r"(\w+)\.(DAY_NUMBER|MONTH_NUMBER|YEAR) = (\d+)", sql, re.IGNORECASE):
        parts.setdefault(alias, {})[part.upper()] = int(number)
    for found in parts.values():
        try:
            yield _DAYS[date(found["YEAR"], found["MONTH_NUMBER"], found["DAY_NUMBER"]).weekday()]
        except (KeyError, ValueError):
            continue


def some(questions: Sequence[Published], many: int) -> list[Published]:
    """So many of the questions, evenly spread over a fixed shuffle."""
    return random.Random(17).sample(list(questions), min(many, len(questions)))
