"""A recogniser that hears what a file says: line N of it in turn N, and crashes where that is `crash`."""

import json
import os
import sys
from pathlib import Path


def main() -> None:
    words = Path(sys.argv[1]).read_text("utf-8").splitlines()
    for line in sys.stdin:
        question = json.loads(line)
        text = words[question["turn"] - 1]
        if text == "crash":
            os._exit(3)
        print(json.dumps({"no_answer": True, "text": text}), flush=True)


if __name__ == "__main__":
    main()
