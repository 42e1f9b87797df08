"""What drafts bring: the desk's panel of drafts, the tool behind it, its commands, and models that are served."""

from curtain.ports.companion import Companion, Family

MODEL = Family(
    "Serve and measure models.",
    {
        "serve": (
            "curtain_drafts.commands.model:serve",
            "Serve a model of the list, or a GGUF file, check it with one question, and have a study's desk ask it.",
        ),
        "measure": (
            "curtain_drafts.commands.model:measure",
            "Measure models that hear on this machine; with --study how right and fast the study's served model is.",
        ),
    },
)

COMPANION = Companion(
    name="drafts",
    about="SQL drafted while the wizard types.",
    commands={
        "Study and database": {
            "draft": (
                "curtain_drafts.commands.draft:draft",
                "Draft SQL for a question, best first, with confidence; list what a study has learned.",
            ),
            "model": MODEL,
        }
    },
    week={
        "Prepare": {
            "draft": "Draft SQL for a question",
            "model serve": "Serve a language model for drafts",
            "model measure": "See how good and fast models are here",
        }
    },
    agreements="curtain_drafts.tool.serving.settings:needed_by",
    drafting="curtain_drafts.drafts_desk:DraftsDesk",
)
