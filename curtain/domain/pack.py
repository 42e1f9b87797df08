"""Domain packs: load one, get its database. Neither imports duckdb; a child process builds."""

from __future__ import annotations

from .reading import Example, Pack, PackError, Scenario, Solution, bundled_packs, load_pack, loading_faults
from .store import content_sha256, database

__all__ = [
    "Example",
    "Pack",
    "PackError",
    "Scenario",
    "Solution",
    "bundled_packs",
    "content_sha256",
    "database",
    "load_pack",
    "loading_faults",
]
