"""All commands under the headings of `curtain --help`, in its order; what a command is for stands here alone.

Below a heading stand folders of the same name. A command is one function there: its annotated parameters are the
options, and the number that it returns is the exit code.
"""

from collections.abc import Iterable

from curtain.ports.companion import Companion, Family, Headings, Place
from curtain.ports.discovery import EntryPoint, installed

_HERE = "curtain.commands."

COMPANION = Family(
    "Write a companion: a package that adds commands, formats and checks.",
    {"new": ("run.companions:new", "Write a package to begin with: a format, a check, and a test that passes.")},
)
STUDY = Family(
    "Make a study, and agree to one from elsewhere.",
    {
        "new": ("study.studies:new", "Make a study folder with a commented study.toml."),
        "texts": ("study.studies:texts", "Write a file of all that the subject reads, to translate or to word anew."),
        "trust": (
            "study.trust:trust",
            "Show what a study from elsewhere would run and send, and agree to it on this machine.",
        ),
    },
)
DOMAIN = Family(
    "Make, check and build domain packs: a database and what its words mean.",
    {
        "trust": (
            "study.trust:trust_pack",
            "Agree that a pack may run on this machine when a study or a session names it.",
        )
    },
)
MODEL = Family(
    "Fetch, check, serve, measure and remove the models that hear and draft.",
    {
        "list": ("study.weights:list_models", "List the models with size and licence, and which are on this machine."),
        "get": ("study.weights:get", "Fetch a model, once. It says size, licence and place before."),
        "check": ("study.weights:check", "Check that no file of a model is missing or changed. Exit 1 if one is."),
        "remove": ("study.weights:remove_model", "Delete a model from this machine."),
    },
)
_CORE: Headings = {
    "Run": {
        "demo": (
            "run.stations:demo",
            "Run both stations on this machine over a sample database; without a display, play a script.",
        ),
        "companion": COMPANION,
        "companions": ("run.companions:companions", "List the companions that are installed, and what does not load."),
        "check": (
            "run.check:check",
            "Check microphone, loudspeaker, disk, database, link, display, settings and network.",
        ),
        "wizard": ("run.stations:wizard", "Start the wizard's station, or another desk that joins its session."),
        "subject": ("run.stations:subject", "Start the subject's station."),
        "rehearse": ("run.stations:rehearse", "Play a script through both stations by pressing their keys."),
    },
    "Study and database": {
        "study": STUDY,
        "domain": DOMAIN,
        "answer": ("study.answer:answer", "Run one statement and show its table, minimum and maximum answer."),
        "model": MODEL,
    },
    "Sessions": {
        "sessions": ("sessions.sessions:sessions", "List the sessions of a study: state, turns, size and annotation."),
        "turns": (
            "sessions.sessions:turns",
            "Print one JSON object for each turn. Exit 1 if a journal is damaged: turns may be missing or incomplete.",
        ),
        "verify": (
            "sessions.sessions:verify",
            "Check that every file of a session, or of all sessions of a study, is present and unchanged. "
            "Exit 1 if not.",
        ),
        "discard": ("people.erasure:discard", "Delete a trial session for good; a session of data is never deleted."),
        "repair": ("sessions.sessions:repair", "Repair a copy of a bundle; the original never changes."),
        "solution": (
            "sessions.solution:solution",
            "List whether the answers that subjects stated are correct, or rule on one; sessions stay as they are.",
        ),
    },
    "People": {
        "consent": ("people.consent:consent", "List what the consents allow, or note what one allows from now on."),
        "retention": ("people.erasure:retention", "List until when sessions may be kept."),
        "forget": (
            "people.erasure:forget_speaker",
            "Erase everything of a speaker and leave tombstones. Exit 1 if something of them is still there.",
        ),
        "tombstones": ("people.erasure:tombstones", "List which utterances were erased, and when."),
    },
    "Corpus": {
        "annotate": (
            "corpus.annotate:annotate",
            "Annotate the turns of a study: listen, transcribe, judge, compute reference answers.",
        ),
        "agreement": (
            "corpus.upkeep:agreement",
            "Measure how far annotators agree: per cent, kappa, alpha, AC1, and word error rate.",
        ),
        "split": ("corpus.upkeep:split", "Put speakers into train, dev and test; later sessions move nobody."),
        "export": (
            "corpus.export:export_corpus",
            "Export a corpus to a new folder in one of the formats. For several values, repeat the option.",
        ),
    },
}


def _whole(entry: tuple[Place, str] | Family) -> tuple[Place, str] | Family:
    """The entry with the whole place of its function."""
    if isinstance(entry, Family):
        commands = {name: (_HERE + place, text) for name, (place, text) in entry.commands.items()}
        return Family(entry.help, commands, entry.first)
    return _HERE + entry[0], entry[1]


def with_companions(core: Headings, found: Iterable[tuple[Companion, EntryPoint]]) -> tuple[Headings, tuple[str, ...]]:
    """The table with the commands of companions at the end of their headings, and sentences on those left out: no
    companion takes the name of a command that is there. A family that is there gets what it has not."""
    headings = {heading: dict(entries) for heading, entries in core.items()}
    taken = {name for entries in headings.values() for name in entries}
    problems = []
    for companion, point in found:
        offered = [(heading, name) for heading, entries in companion.commands.items() for name in entries]
        for heading, name in offered:
            given, there = companion.commands[heading][name], headings.get(heading, {}).get(name)
            if isinstance(given, Family) and isinstance(there, Family) and not given.commands.keys() & there.commands:
                headings[heading][name] = Family(there.help, {**there.commands, **given.commands}, there.first)
            elif name in taken:
                whose = f"the companion “{companion.name}” ({point.package})"
                problems.append(f"“curtain {name}” of {whose} is left out: there is a command of that name.")
            else:
                taken.add(name)
                headings.setdefault(heading, {})[name] = given
    return headings, tuple(problems)


_WHOLE = {heading: {name: _whole(entry) for name, entry in entries.items()} for heading, entries in _CORE.items()}
ALL, PROBLEMS = with_companions(_WHOLE, installed().companions)
"""The commands of Curtain and of its companions; and what is left out of them."""
