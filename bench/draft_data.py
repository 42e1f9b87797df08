"""Packs, and questions with their SQL: ours, and those in a folder that is no part of the project."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain_drafts.drafting.values import Example
from curtain_packs.new_pack import new_pack

sys.path.insert(0, str(Path(__file__).parent / "foreign"))
from databases import NAMES, STRANGE, write

DATA = Path(__file__).parents[2] / "shared" / "data"
PARAPHRASES = Path(__file__).with_name("personnel_paraphrases.jsonl")
SEEDS = (101, 202)


def pack_of(name: str, folder: Path, data: Path = DATA) -> Pack:
    """A pack of ours; else one made in the folder, as `curtain domain new` makes it, unless it is there."""
    if name not in (*NAMES, *STRANGE, "geography"):
        return load_pack(name)
    if not (folder / name / "domain.toml").exists():
        source = write(name, folder / f"{name}.sqlite") if name != "geography" else data / name
        new_pack(source, folder / name, lambda what, share: None)
    return load_pack(folder / name)


def databases(pack: Pack) -> list[Path]:
    """The pack's own database, and if the pack is ours, two of other seeds."""
    return [database(pack), *(database(pack, seed=seed) for seed in SEEDS if pack.name in ("atis", "personnel"))]


def paraphrases() -> list[Example]:
    """Questions about personnel that were written after the examples of the pack and are not in its store."""
    return [Example(**json.loads(line)) for line in PARAPHRASES.read_text("utf-8").splitlines()]


def read(path: Path, half: int | None = None) -> list[Example]:
    """The questions of a gzipped file, one JSON object a line; of the statements with odd (1) or even (0) numbers, or
    of all. Statements that differ in their values alone have one number, their `template`."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [
            Example(one["question"], one["sql"], id=one["id"], source="bench")
            for one in map(json.loads, file)
            if half is None or int(one["template"]) % 2 == half
        ]
