"""A system under test that does what its first argument says: answers, or one of the ways in which systems fail."""

import json
import os
import sys
import threading


def main() -> None:
    how = sys.argv[1]
    for line in sys.stdin:
        question = json.loads(line)
        words = (question["text"] or "").split()
        act = words[0] if words and how == "obeys" else how
        print(json.dumps(_reply(act, question)), flush=True)


def _reply(act: str, question: dict) -> dict:
    match act:
        case "crashes":
            os._exit(7)
        case "hangs":
            threading.Event().wait()
        case "babbles":
            print("Traceback (most recent call last):", flush=True)
        case "overdoes":
            print("x" * 2_000_000, flush=True)
        case "both":
            return {"sql": "SELECT 1", "no_answer": True}
        case "hears":
            return {"sql": "SELECT 1", "text": f"heard {os.path.basename(question['audio'] or '')}"}
        case "tells":
            earlier = [turn.get("sql") or turn.get("cas") for turn in question["previous"]]
            return {"cas": json.dumps(" ".join(filter(None, earlier)) or "none").replace('\\"', "'")}
        case "refuses":
            return {"no_answer": True}
        case "writes":
            return {"sql": "DROP TABLE employee"}
    return {"sql": "SELECT count(*) FROM employee", "partial": True, "future": [1]}


if __name__ == "__main__":
    main()
