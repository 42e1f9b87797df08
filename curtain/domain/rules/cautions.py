"""What a wizard may not mean by a statement, in any domain; the rules of one domain are in its principles.toml."""

from collections.abc import Iterator

from .statement_facts import Facts


def cautions(facts: Facts, yes_no: bool) -> Iterator[str]:
    """One sentence for each; nothing is forbidden. `yes_no`: the question is a yes/no question."""
    if facts.cut_anyhow:
        yield "LIMIT without ORDER BY keeps whichever rows come first, which may be others another time."
    if yes_no and facts.judged and len(facts.shown) == 1:
        yield "This says yes or no of each row, and one yes is enough; a condition in WHERE says it plainer."
    elif yes_no and facts.judged:
        yield "Any row makes the answer a yes, also one that says no: put the condition into WHERE."
