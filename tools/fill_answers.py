"""Write the answers of a pack's examples: what its database gives now, as the pack's dialect writes it.

    .venv/bin/python tools/fill_answers.py [atis | FOLDER]

Run it after the database or a statement has changed, and look at the difference. An answer that is still right stays
as it stands. Keys of a line besides `question` and `sql`:

    answer     the minimum answer; alternatives where the question has more than one reading
    other      the statements of further readings
    yes_no     a literal yes/no question: the boolean and the table are alternatives
    context    the questions that came before, oldest first, where this one cannot be understood without them
    rule_book  the year of the rule-book it follows, where that is not the pack's own
    note       what a reader may stumble over
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from curtain.base.disk import rename
from curtain.cas import compare
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.domain.worker.worker import SqlWorker


def main(arguments: list[str]) -> None:
    pack = load_pack(arguments[0] if arguments else "atis")
    path = pack.folder / "examples.jsonl"
    examples = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    worker = SqlWorker(database(pack), pack)
    try:
        changed = [example["question"] for example in examples if _fill(example, worker, pack)]
    finally:
        worker.close()
    _write(path, examples)
    print(f"{len(changed)} of {len(examples)} answers are new")


def _fill(example: dict[str, Any], worker: SqlWorker, pack: Pack) -> bool:
    """Put the answer into an example; whether it is another one than before."""
    statements = [example["sql"], *example.get("other", [])]
    answer = _joined([_answer(worker, sql, example.get("yes_no", False)) for sql in statements])
    if _same(answer, example.get("answer"), pack):
        return False
    example["answer"] = answer
    return True


def _answer(worker: SqlWorker, sql: str, yes_no: bool) -> str:
    result = worker.run(sql, yes_no, with_maximum=False).result()
    if result.error or result.cas_min is None:
        raise SystemExit(f"{result.error or result.cas_error}\n{sql}")
    return result.cas_min


def _joined(answers: list[str]) -> str:
    distinct = list(dict.fromkeys(answers))
    return distinct[0] if len(distinct) == 1 else f"({' OR '.join(distinct)})"


def _same(new: str, old: str | None, pack: Pack) -> bool:
    """Answers with alternatives are compared as texts: one that went or came would not be noticed otherwise."""
    if new == old or old is None or " OR " in old:
        return new == old
    return compare(new, old, dialect=pack.dialect).is_correct


def _write(path: Path, examples: list[dict[str, Any]]) -> None:
    beside = path.with_suffix(".part")
    lines = [json.dumps(example, ensure_ascii=False) for example in examples]
    beside.write_text("\n".join(lines) + "\n", "utf-8")
    rename(beside, path)


if __name__ == "__main__":
    main(sys.argv[1:])
