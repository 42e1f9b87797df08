"""The rules of Kaldi's `utils/validate_data_dir.sh --no-feats`, as a list of what breaks them."""

from collections.abc import Iterator
from pathlib import Path

LISTS = ("wav.scp", "text", "utt2spk", "utt2dur")
FORBIDDEN = ("<s>", "</s>", "#0")


def problems_of(folder: Path, root: Path) -> list[str]:
    """What is wrong with a data folder; `root` is where its paths begin."""
    files = {name: (folder / name).read_bytes() for name in (*LISTS, "spk2utt") if (folder / name).is_file()}
    missing = [f"{name}: missing" for name in (*LISTS, "spk2utt") if name not in files]
    if missing:
        return missing
    return [*_forms(files), *_lists(files), *_speakers(files), *_texts(files["text"]), *_sounds(files["wav.scp"], root)]


def _lines(data: bytes) -> list[list[str]]:
    return [line.split() for line in data.decode("utf-8").split("\n") if line]


def _forms(files: dict[str, bytes]) -> Iterator[str]:
    for name, data in files.items():
        if not data.endswith(b"\n"):
            yield f"{name}: no newline at the end"
        keys = [line.split(b" ")[0] for line in data.split(b"\n") if line]
        if keys != sorted(keys):
            yield f"{name}: not sorted as bytes"
        if len(keys) != len(set(keys)):
            yield f"{name}: an id twice"
        if any(not line.strip() for line in data.rstrip(b"\n").split(b"\n")):
            yield f"{name}: an empty line"


def _lists(files: dict[str, bytes]) -> Iterator[str]:
    wanted = [line[0] for line in _lines(files["utt2spk"])]
    for name in LISTS:
        if [line[0] for line in _lines(files[name])] != wanted:
            yield f"{name}: other utterances than utt2spk"
    for name in ("utt2spk", "wav.scp", "utt2dur"):
        if any(len(line) != 2 for line in _lines(files[name])):
            yield f"{name}: a line without exactly two fields"


def _speakers(files: dict[str, bytes]) -> Iterator[str]:
    pairs = [line for line in _lines(files["utt2spk"]) if len(line) == 2]
    speakers = [speaker.encode() for _, speaker in pairs]
    if speakers != sorted(speakers):
        yield "utt2spk: not sorted by speaker"
    if any(not utterance.startswith(speaker) for utterance, speaker in pairs):
        yield "utt2spk: a speaker is not the beginning of the utterance"
    back = [[utterance, line[0]] for line in _lines(files["spk2utt"]) for utterance in line[1:]]
    if back != pairs:
        yield "spk2utt: not utt2spk the other way round"


def _texts(data: bytes) -> Iterator[str]:
    for _, *words in _lines(data):
        if set(words) & set(FORBIDDEN):
            yield "text: a forbidden word"
    text = data.decode("utf-8")
    if any(not sign.isprintable() for sign in text.replace("\n", "")) or any(
        s.isspace() for s in text if s not in " \n"
    ):
        yield "text: a sign that is not printable, or another blank than a space"


def _sounds(data: bytes, root: Path) -> Iterator[str]:
    for line in _lines(data):
        if len(line) == 2 and not (root / line[1]).is_file():
            yield "wav.scp: a file that is not there"
