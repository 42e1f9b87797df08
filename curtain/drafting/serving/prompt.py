"""What a language model is told: schema, rules of interpretation, answered questions that are near, the query."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from curtain.domain.pack.reader import Pack
from curtain.domain.rules.principles import load_rules

from ..values import Example, Request

__all__ = ["messages_for", "nearest"]

_RULES = 40
_TURNS = 3

_TASK = """\
You translate questions into SQL for DuckDB. Write one SELECT statement over the tables below and nothing else: no \
remarks, no explanation. Today is {as_of}. Do not use functions of the current date, ORDER BY or LIMIT unless the \
question needs them.

{about}

Tables:
{tables}
{rules}"""


def messages_for(pack: Pack, examples: Iterable[Example], request: Request) -> list[dict[str, str]]:
    """The messages of one request: the task, examples as turns of talk, earlier turns of the session, the query."""
    messages = [{"role": "system", "content": _task(pack)}]
    pairs = [(example.question, example.sql) for example in examples]
    pairs += [(asked.question, asked.sql) for asked in request.previous[-_TURNS:]]
    for question, sql in pairs:
        messages += [{"role": "user", "content": question}, {"role": "assistant", "content": sql}]
    return [*messages, {"role": "user", "content": request.question}]


def nearest(question: str, examples: Iterable[Example], n: int) -> list[Example]:
    """The examples whose words are most like the question's, the nearest last, where a model heeds it most."""
    words = _words(question)
    scored = [(_likeness(words, _words(example.question)), example) for example in examples]
    best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])[:n]
    return [example for _, example in reversed(best)]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower()))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / math.sqrt(len(one) * len(other)) if one and other else 0.0


def _task(pack: Pack) -> str:
    rules = [f"- {reading}" for reading in _readings(pack)]
    told = "\nHow questions are read:\n" + "\n".join(rules) if rules else ""
    return _TASK.format(as_of=pack.as_of, about=pack.description, tables=_tables(pack), rules=told)


def _tables(pack: Pack) -> str:
    return "\n".join(
        f"{table}({', '.join(f'{column} {kind}' for column, kind in columns.items())})"
        for table, columns in pack.tables.items()
    )


def _readings(pack: Pack) -> Sequence[str]:
    readings = (" ".join(rule.reading.split()) for rule in load_rules(pack).rules)
    return [reading for reading in readings if reading][:_RULES]
