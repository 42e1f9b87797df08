"""Refreshes the source of translations of the wizard's window: `make translations`.

Writes `wizard_app/translations/wizard_en.ts` with every text that goes through `tr` or `translate`, and those of the
tables of keys, which stand there without either. With --check nothing is written, and an outdated file is an error.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from wizard_app.keys import KEYS

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "wizard_app" / "translations" / "wizard_en.ts"
# What of the desk the wizard's window shows.
DESK = ("listen_control.py", "answer_table.py", "completion_list.py", "sql_editor.py", "level_meter.py")


def main() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / "wizard_en.ts"
        _write(made, Path(scratch))
        if "--check" in sys.argv[1:]:
            fresh = texts_of(made) == texts_of(SOURCE)
            print("up to date" if fresh else f"{SOURCE.relative_to(ROOT)} is outdated: run “make translations”.")
            return 0 if fresh else 1
        SOURCE.parent.mkdir(exist_ok=True)
        SOURCE.write_bytes(made.read_bytes())
    print(f"{len(texts_of(SOURCE))} texts in {SOURCE.relative_to(ROOT)}")
    return 0


def texts_of(path: Path) -> set[tuple[str, str]]:
    """Context and text of each message of a .ts file; none if there is no file."""
    if not path.is_file():
        return set()
    root = ElementTree.parse(path).getroot()
    return {
        (context.findtext("name", ""), message.findtext("source", ""))
        for context in root.iter("context")
        for message in context.iter("message")
    }


def _write(made: Path, scratch: Path) -> None:
    keys = scratch / "keys.py"
    keys.write_text(_key_texts(), "utf-8")
    sources = sorted((ROOT / "wizard_app").rglob("*.py"))
    sources += [ROOT / "curtain" / "desk" / name for name in DESK]
    program = Path(sys.executable).with_name("pyside6-lupdate")
    command = [str(program), "-silent", "-locations", "none", "-source-language", "en", "-target-language", "en"]
    subprocess.run([*command, *map(str, sources), str(keys), "-ts", str(made)], check=True, capture_output=True)


def _key_texts() -> str:
    """The words of the tables of keys as calls that lupdate finds."""
    shown = [(binding.group, binding.does, binding.shown) for binding in KEYS.bindings if binding.group]
    words = dict.fromkeys(text for binding in shown for text in binding if " " in text or text.isalpha())
    return "".join(f'translate("Keys", {text!r})\n' for text in words)


if __name__ == "__main__":
    sys.exit(main())
