"""File names for ids of any kind, safe on every system, and the way back to the ids."""

import hashlib
import json
import re
import unicodedata
from pathlib import Path

from curtain.base.disk import is_reserved
from curtain.corpus.exports.text_files import new_text
from curtain.corpus.model.utterance import Split

FILE = "names.jsonl"
"""Where a changed name is led back to its id: {"name", "id"} a line. Absent where no name had to change."""

# With the mark and the checksum 97 characters, which leaves room for an ending on every file system.
_LONGEST = 80
_PLAIN = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
_PLAIN_SPEAKER = re.compile(r"[a-z0-9]+(?:\.[a-z0-9]+)*")


def safe_name(text: str) -> str:
    """`text` itself where it can be a name on every system, else a readable likeness, `~` and a checksum of it.

    The result has only a-z, 0-9, `-`, `_`, `.` and `~`, is at most 97 characters long, is no reserved word of Windows,
    and differs from the name of any other text also where upper and lower case count as the same.
    """
    return text if _fits(text, _PLAIN) else _changed(text)


def speaker_name(text: str) -> str:
    """As `safe_name`, and without `-` and `_`, which in names of utterances end the speaker's part."""
    return text if _fits(text, _PLAIN_SPEAKER) else _changed(text)


def utterance_name(speaker: str, utterance: str) -> str:
    """The name of an utterance; it begins with `speaker_name(speaker)` and `-`.

    Byte by byte such names sort as their speakers do, which Kaldi asks for: `-` comes before all that a speaker's name
    may have.
    """
    begin, rest = f"{speaker}-", utterance.removeprefix(f"{speaker}-")
    plain = utterance.startswith(begin) and _fits(rest, _PLAIN)
    return f"{speaker_name(speaker)}-{rest if plain else _changed(utterance)}"


def split_name(split: Split) -> str:
    """The name of a split's file or folder: utterances of no split go into `unsplit`, not into `none`."""
    return "unsplit" if split == "none" else split


def _fits(text: str, pattern: re.Pattern[str]) -> bool:
    return len(text) <= _LONGEST and bool(pattern.fullmatch(text)) and not is_reserved(text)


def _changed(text: str) -> str:
    return f"{_likeness(text)}~{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _likeness(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text[:_LONGEST]).encode("ascii", "ignore").decode().lower()
    like = re.sub(r"[^a-z0-9]+", ".", folded)[: _LONGEST - 2].strip(".") or "x"
    return f"x.{like}" if is_reserved(like) else like


class Names:
    """Gives safe names and remembers which of them differ from their ids."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    def of(self, text: str) -> str:
        """A safe file name for any id. It is noted, so that `write` can list the way back."""
        return self._noted(safe_name(text), text)

    def of_speaker(self, speaker: str) -> str:
        """A speaker's name, as `speaker_name` makes it, noted likewise."""
        return self._noted(speaker_name(speaker), speaker)

    def of_utterance(self, speaker: str, utterance: str) -> str:
        """An utterance's name. It begins with the speaker's name: Kaldi sorts both and wants the same order."""
        return self._noted(utterance_name(speaker, utterance), utterance)

    def write(self, folder: Path) -> None:
        """The way back, in `names.jsonl`; no file if nothing was changed."""
        if self._ids:
            with new_text(folder / FILE) as file:
                for name, text in sorted(self._ids.items()):
                    file.write(json.dumps({"name": name, "id": text}) + "\n")

    def _noted(self, name: str, text: str) -> str:
        if name != text:
            self._ids[name] = text
        return name


def names_in(folder: Path) -> dict[str, str]:
    """From each changed name of an export to the id it stands for."""
    path = folder / FILE
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return {entry["name"]: entry["id"] for entry in map(json.loads, lines)}
