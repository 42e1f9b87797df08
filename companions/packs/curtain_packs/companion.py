"""What packs bring: a pack from a database or from files, and what a pack lacks."""

from curtain.ports.companion import Companion, Family

COMPANION = Companion(
    name="packs",
    about="Packs made from databases and from files, and looked over.",
    commands={
        "Study and database": {
            "domain": Family(
                "",
                {
                    "new": (
                        "curtain_packs.command:new",
                        "Make a pack from a database; it works at once, and you can change its guesses.",
                    ),
                    "check": (
                        "curtain_packs.command:check",
                        "List what is wrong or missing in a pack. Exit 1 if anything does not work.",
                    ),
                    "build": ("curtain_packs.command:build", "Build the DuckDB file of a pack."),
                },
            )
        }
    },
    week={
        "Prepare": {
            "domain new": "Make a pack of your own database",
            "domain check": "See what a database pack lacks",
            "domain build": "Build the database of a pack",
        }
    },
)
