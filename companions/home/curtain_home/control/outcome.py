"""What came of a command, in one sentence, from what it printed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from curtain_home.control.actions import Field
from curtain_home.control.plans import CommandPlan
from curtain_home.control.week import NAMES

# As a rehearsal counts its steps: “ 3/12 turn: how many employees are there”.
_COUNTED = re.compile(r"\s*(\d+)/(\d+) (.+)")


# What only a program asks of a command.
_EXIT = re.compile(r" Exit \d .*\Z")

# “curtain judge anna.packet” is “Judge a packet”.
_COMMAND = re.compile(r"“curtain ([a-z][^”]*)”")
# “--allow (repeatable)” is “Allow” in a form.
_OPTION = re.compile(r"(?<!\S)“?(--[a-z][a-z-]*)(?: \(repeatable\)| [A-Z]+\b)?”?")

# What a command proposes as options, in the words of the window.
_OPTIONS = {
    "or add --encoding ": "or choose at “Text that is not UTF-8” ",
    ", or --encoding ": ", or ",
    "Add --dates dmy or --dates mdy to read them": "Choose their order at “Dates”",
    "if that is wrong, add --decimal ": "if that is wrong, choose at “Decimal sign” the ",
    "add --header ": "choose at “Names of columns” line ",
    "add --without-consent": "tick “Also trial sessions”",
    "“--use own” is for work in your own lab": "“Work in our own lab” at “For” needs no more than the signed form",
    "--practice takes practice turns": "Practice is no data",
    "“curtain annotate STUDY” does that, “--include-live” takes": "“Annotate” does that; a tick at “Also turns” takes",
    "“curtain annotate STUDY --check” says which and why": "“Annotate” shows them",
    " For several values, repeat the option.": "",
    "; may stand several times": "; one a line",
    "; - is standard input": "",
    "; “curtain judge PACKET” does the same": "",
    "; “curtain” alone opens it too": "",
    "Nothing was erased. Add --yes to erase without being asked.": "Nothing was erased.",
    "--pilot takes pilot sessions": "A tick at “Also trial sessions” takes them",
}


def counted_step(line: str) -> tuple[str, float] | None:
    """The words of a counted line, and the share that is done when it begins; None for any other line."""
    counted = _COUNTED.fullmatch(line)
    if counted is None or not 0 < int(counted[1]) <= int(counted[2]):
        return None
    return counted[3], (int(counted[1]) - 1) / int(counted[2])


def result_sentence(plan: CommandPlan, end: str, lines: Sequence[str]) -> str:
    """One sentence for a person, from the lines on standard output, or from all lines if it did not go well.

    Everything that the command printed stays beside it.
    """
    if end == "stopped":
        return f"{plan.title}: stopped. What was begun is left out."
    sentences = [in_window_words(line) for line in lines if line.strip()]
    if end == "bad" and plan.kind not in ("verify", "check"):
        # A refusal is the one sentence that the command printed last.
        return sentences[-1].strip() if sentences else f"{plan.title}: it failed without a word."
    return _SENTENCES.get(plan.kind, _last)(plan, end, sentences)


def in_our_words(line: str) -> str:
    """A sentence of a command, with the fields of the window in place of its options."""
    for option, words in _OPTIONS.items():
        line = line.replace(option, words)
    return _EXIT.sub("", line)


def in_window_words(line: str) -> str:
    """What a command printed, with the names of actions and fields in place of commands and options."""
    line = _COMMAND.sub(_action_name, in_our_words(line))
    return _OPTION.sub(lambda option: f"“{Field(option[1], '', option=option[1]).label}”", line)


def _action_name(quoted: re.Match[str]) -> str:
    words = quoted[1].split()
    names = (NAMES.get(command) for command in (" ".join(words[:2]), words[0], f"{words[0]} open"))
    return next((f"“{name}”" for name in names if name), quoted[0])


def _last(plan: CommandPlan, end: str, sentences: Sequence[str]) -> str:
    # The last row of a table, or of lines for a program, says nothing by itself.
    whole = [line for line in sentences if line.endswith(".") and not line.startswith((" ", "{", "["))]
    last = whole[-1] if whole else sentences[0].strip() if len(sentences) == 1 and sentences[0][:1] not in "{[" else ""
    return last or _done(plan)


def _first(plan: CommandPlan, end: str, sentences: Sequence[str]) -> str:
    return sentences[0].strip() if sentences else _done(plan)


def _done(plan: CommandPlan) -> str:
    return f"{plan.title}: it is done."


def _exported(plan: CommandPlan, end: str, sentences: Sequence[str]) -> str:
    apart = [line.strip() for line in sentences if line.startswith("Their references are apart")]
    return " ".join([_first(plan, end, sentences), *apart])


def _verified(plan: CommandPlan, end: str, sentences: Sequence[str]) -> str:
    if end == "good":
        return f"Session {plan.about}: everything is there and unchanged."
    faults = f"{len(sentences)} faults are" if len(sentences) > 1 else "one fault is"
    return f"Session {plan.about} is damaged: {faults} listed below. “Repair” makes a repaired copy."


def _checked(plan: CommandPlan, end: str, sentences: Sequence[str]) -> str:
    bad = [line for line in sentences if line.startswith("BAD")]
    if not bad:
        return "Everything that a session needs is there."
    first = bad[0].removeprefix("BAD").strip()
    return first if len(bad) == 1 else f"{len(bad)} things are missing; the first: {first}"


def _played(plan: CommandPlan, end: str, sentences: Sequence[str]) -> str:
    # The last line of standard output is the session's folder.
    name = re.split(r"[/\\]", sentences[-1].strip())[-1] if sentences else ""
    return f"The sample session {name} was played. It is marked as a trial."


_SENTENCES = {
    "verify": _verified, "check": _checked, "sample_session": _played,
    "export": _exported, "new_domain": _first,
}  # fmt: skip
