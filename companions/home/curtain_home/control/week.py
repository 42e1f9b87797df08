"""Every command in the place and under the name that a researcher looks for: by what a lab does in a week."""

from collections.abc import Mapping

from curtain.ports.discovery import installed

_CORE: Mapping[str, Mapping[str, str]] = {
    "Prepare": {
        "study new": "Make a study",
        "study texts": "Put what the subject reads into a file",
        "check": "Check this machine and the study",
        "companions": "See which companions are installed",
        "companion new": "Begin a companion of your own",
        "model list": "See which models there are",
        "model get": "Fetch a model that hears or drafts",
        "model check": "Check that no model was changed",
        "model remove": "Delete a model from this machine",
        "answer": "See the answer of one statement",
        "study trust": "Agree to a study from elsewhere",
        "domain trust": "Agree to a database pack from elsewhere",
        "demo": "Try both stations over a sample",
        "home": "Open another home window",
    },
    "Run sessions": {
        "wizard": "Open the wizard’s station, or join one",
        "subject": "Open the subject’s station",
        "rehearse": "Play a script through both stations",
        "sessions": "List the sessions of the study",
        "turns": "List the turns of a session",
        "verify": "Check that no file is missing or changed",
        "repair": "Repair a copy of a session",
        "discard": "Delete a trial session",
    },
    "Care for the people": {
        "consent": "See or note what a consent allows",
        "retention": "See until when sessions may be kept",
        "forget": "Erase a speaker",
        "tombstones": "See what was erased",
    },
    "Annotate": {
        "annotate": "Annotate the turns of the study",
        "agreement": "Measure how far annotators agree",
        "solution": "See which stated answers are correct",
    },
    "Share": {"split": "Split into training and test sets", "export": "Export a corpus"},
}


def _with_companions() -> dict[str, dict[str, str]]:
    week = {part: dict(names) for part, names in _CORE.items()}
    for companion, _ in installed().companions:
        for part, names in companion.week.items():
            for command, name in names.items():
                week.setdefault(part, {}).setdefault(command, name)
    return week


WEEK = _with_companions()
"""By part of the week and command, in the order of the list, what the command is called."""

NAMES: Mapping[str, str] = {command: name for part in WEEK.values() for command, name in part.items()}

SOUGHT: Mapping[str, str] = {
    "domain new": "csv, excel, sqlite, own data",
    "check": "microphone, sound, test",
    "wizard": "observer, transcriber, answerer, second desk",
    "rehearse": "simulate, automatic",
    "repair": "backup, restore",
    "verify": "backup, damage",
    "discard": "remove, delete",
    "consent": "withdraw, withdrawal, permission",
    "retention": "delete, privacy, period",
    "forget": "withdraw, anonymise, delete, privacy",
    "annotate": "anonymise, redact, hide, second rater",
    "agreement": "kappa, second rater, reliability",
    "score": "pdf, accuracy, evaluate",
    "export": "csv, excel, archive, backup, anonymise",
    "questionnaires": "csv, excel, survey",
    "publish": "upload, repository",
    "report": "statistics, results, pdf",
}
"""By command, other words by which it is looked for."""
