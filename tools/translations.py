"""Makes the source of translations of the wizard's window: `make translations`, or with a file's name as argument.

The file holds every text that goes through `tr` or `translate`, and those of the tables of keys, which stand there
without either. It is made when somebody translates, and not kept: the texts stand in the code.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from wizard_app.keys import KEYS

ROOT = Path(__file__).resolve().parent.parent
# What of the shared parts the wizard's window shows.
QT = ("listen_control.py", "answer_table.py", "sql_editor.py", "level_meter.py")


def main() -> int:
    made = Path(sys.argv[1] if sys.argv[1:] else ROOT / "wizard_app" / "translations" / "wizard_en.ts")
    made.parent.mkdir(parents=True, exist_ok=True)
    # lupdate keeps what a file held before, also texts that are gone.
    made.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        _write(made, Path(scratch))
    print(f"{made.read_text('utf-8').count('<source>')} texts in {made}")
    return 0


def _write(made: Path, scratch: Path) -> None:
    keys = scratch / "keys.py"
    keys.write_text(_key_texts(), "utf-8")
    sources = sorted((ROOT / "wizard_app").rglob("*.py"))
    sources += [ROOT / "curtain" / "qt" / name for name in QT]
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
