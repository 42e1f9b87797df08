"""Is a query literally a yes/no question? Decided by its first words (001, rule 2.11); the wizard has the last word."""

import re

from ..guard.functions import names_in

_FILLERS = names_in("uh um er ah well so and but or now ok okay then hmm oh yes yeah no please sorry also")
_VERBS = names_in(
    "is are am was were do does did has have had can could will would shall should may might must isn't aren't wasn't "
    "weren't don't doesn't didn't hasn't haven't can't couldn't won't wouldn't isnt arent dont doesnt didnt"
)
_ASKING = names_in("you i we")
_WISHES = names_in(
    "show list give tell display find get see have repeat explain print look name help hear know read count sort"
)
_QUESTION_WORDS = names_in("which what who whom whose where when why how")
_MODALS = names_in("can could will would may might shall should do don't dont")


def is_yes_no(query: str) -> bool:
    """Whether the query asks for yes or no: “are there any clerks who ...”, not “can you show me the clerks”."""
    words = _without_fillers(re.findall(r"[\w']+", query.lower().replace("’", "'")))
    if not words or words[0] not in _VERBS:
        return False
    return not (_is_a_wish(words) or _offers_a_choice(query))


def _without_fillers(words: list[str]) -> list[str]:
    # People say “uh okay are there any”; a transcription keeps these words.
    while words and words[0] in _FILLERS:
        words = words[1:]
    return words


def _is_a_wish(words: list[str]) -> bool:
    """“Could you please list”, “may I see”, “do you know when”: orders and other questions, politely put."""
    if len(words) < 3 or words[0] not in _MODALS or words[1] not in _ASKING:
        return False
    rest = [word for word in words[2:6] if word not in _FILLERS]
    if words[0] in ("do", "don't", "dont"):
        return words[1] == "you" and rest[:1] == ["know"] and bool(_QUESTION_WORDS & set(words[3:6]))
    return bool(rest) and rest[0] in _WISHES


def _offers_a_choice(query: str) -> bool:
    """“Is it a 727 or a 757?” wants one of the two; “is there anybody who lives in Plano or Irving” does not."""
    return re.match(r"\W*(is|was) (it|that|this)\b.* or \b(?!not\b)", query.lower()) is not None
