"""What came of a command, in one sentence: from the values that it gives at its end, never from what it printed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from curtain.ports.result import NOTHING, CommandResult
from curtain_home.control.plans import CommandPlan

# What only a terminal asks of a command stands at the end of a help text.
_FOR_TERMINALS = re.compile(
    r" Exit \d .*|; - is standard input|; may stand several times| For several values, repeat the option\."
    r"|; “curtain[^”]*”[^.;]*(?: does the same| opens it too)"
)


def in_our_words(text: str) -> str:
    """The help of a command or an option, without what only a terminal needs."""
    return _FOR_TERMINALS.sub("", text)


def result_sentence(plan: CommandPlan, end: str, result: CommandResult, lines: Sequence[str]) -> str:
    """One sentence for a person. A refusal is the last of the `lines` that the command printed."""
    if end == "stopped":
        return f"{plan.title}: stopped. What was begun is left out."
    if plan.kind in _SENTENCES and result != NOTHING:
        return _SENTENCES[plan.kind](plan, result)
    if end == "bad":
        printed = filter(None, (*map(str.strip, lines), result.sentence))
        return [f"{plan.title}: it failed without a word.", *printed][-1]
    return result.sentence or f"{plan.title}: it is done."


def _verified(plan: CommandPlan, result: CommandResult) -> str:
    count = result.counts["faults"]
    if not count:
        return f"Session {plan.about}: everything is there and unchanged."
    faults = f"{count} faults are" if count > 1 else "one fault is"
    return f"Session {plan.about} is damaged: {faults} listed in its job. “Repair” makes a repaired copy."


def _checked(plan: CommandPlan, result: CommandResult) -> str:
    bad = result.counts["bad"]
    if not bad:
        return "Everything that a session needs is there."
    return result.sentence if bad == 1 else f"{bad} things are missing; the first: {result.sentence}"


def _played(plan: CommandPlan, result: CommandResult) -> str:
    return f"The sample session {PurePath(result.made[0]).name} was played. It is marked as a trial."


_SENTENCES = {"verify": _verified, "check": _checked, "sample_session": _played}
