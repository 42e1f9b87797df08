"""Domain packs: load one, get its database. Neither imports duckdb; a child process builds.

`named_pack` is for what a person named on the command line, `agreed_pack` for what a file names.
"""

from __future__ import annotations

from .agreement import agree_to_pack, agreed_pack, named_pack
from .reading import Example, Pack, PackError, Scenario, Solution, bundled_packs, load_pack, loading_faults
from .store import content_sha256, database

__all__ = [
    "Example",
    "Pack",
    "PackError",
    "Scenario",
    "Solution",
    "agree_to_pack",
    "agreed_pack",
    "bundled_packs",
    "content_sha256",
    "database",
    "load_pack",
    "loading_faults",
    "named_pack",
]
