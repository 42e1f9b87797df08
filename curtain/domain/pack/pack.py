"""Domain packs: load one, get its database. Neither imports duckdb; a child process builds.

`named_pack` is for what a person named on the command line, `agreed_pack` for what a file names.
"""

from curtain.domain.pack.store import content_sha256, database

from .reader import Pack, PackError, PackExample, Scenario, Solution, bundled_packs, load_pack, loading_problems
from .trust import agree_to_pack, agreed_pack, named_pack

__all__ = [
    "Pack",
    "PackError",
    "PackExample",
    "Scenario",
    "Solution",
    "agree_to_pack",
    "agreed_pack",
    "bundled_packs",
    "content_sha256",
    "database",
    "load_pack",
    "loading_problems",
    "named_pack",
]
