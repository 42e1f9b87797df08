"""The folder of one evaluation by judges: its design, the labels of the packets that came back, and rulings.

    design.json     which items there are, where they come from, their checksums, the judges, the seed
    NAME.packet     what each judge gets, and gives back
    labels.jsonl    every label of every packet, as given; labels.csv has those that stand
    rulings.jsonl   what an adjudicator decided where judges differ, added line by line

Raw labels are never changed: a merge writes both label files anew, from the packets it was given and from what other
judges gave before. A ruling stands beside them.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from curtain.base.disk import is_reserved, replace_files
from curtain.base.errors import CurtainError
from curtain.base.input_file import parse_json, read_input
from curtain.base.plural import count_of
from curtain.base.record_file import add_record, read_records
from curtain.base.scratch import whole_folder
from curtain.base.terminal import shown_name
from curtain.base.words import is_letter
from curtain_judge.items import ItemSource, shuffled_sessions
from curtain_judge.labels import CLARITY, CORRECTNESS, Label
from curtain_judge.packet import packet_bytes

_FORMAT = "curtain judging 1"
_DESIGN, LABELS_FILE, TABLE_FILE, _RULINGS = "design.json", "labels.jsonl", "labels.csv", "rulings.jsonl"
PACKET_SUFFIX = ".packet"


class BadEvaluation(CurtainError):
    """An evaluation, or packets of it, that cannot be used."""


class Judge(msgspec.Struct, frozen=True):
    """Whoever gets a packet."""

    name: str


class DesignItem(msgspec.Struct, frozen=True):
    """An item by its opaque id, and what only the maker of the packets knows of it."""

    id: str
    sha256: str
    utterance_id: str
    session_id: str
    study: str
    filled: str = ""


class EvaluationDesign(msgspec.Struct, frozen=True):
    """What design.json holds."""

    format: str
    id: str
    seed: int
    judges: list[Judge]
    items: list[DesignItem]


class JudgedRuling(msgspec.Struct, frozen=True):
    """What stands where judges differ, who decided it, and why. The last ruling on an item and question stands."""

    item: str
    question: str
    label: Annotated[str, msgspec.Meta(min_length=1)]
    by: str
    reason: str
    at_utc: str


class KeptLabel(msgspec.Struct, frozen=True):
    """A line of labels.jsonl; an empty label withdraws the one before it."""

    evaluation_id: str
    item_id: str
    item_sha256: str
    judge_id: str
    question: str
    label: str
    seconds_active: float
    at_utc: str


def new_evaluation(
    folder: Path, items: Sequence[ItemSource], judges: Sequence[Judge], *, seed: int, name: str
) -> list[Path]:
    """Makes the folder with its design and a packet for each judge; the paths of the packets.

    Raises BadEvaluation if there is nothing to judge, for a bad or doubled name, and for a folder that holds an
    evaluation already, or a study; CurtainError if it cannot be written.
    """
    check_plan(folder, judges)
    if not items:
        raise BadEvaluation("There is no pair of query and response to judge.")
    design = EvaluationDesign(
        _FORMAT,
        name,
        seed,
        list(judges),
        [
            DesignItem(
                drawn.item.id, drawn.item.sha256, drawn.utterance_id, drawn.session_id, drawn.study, drawn.item.filled
            )
            for drawn in items
        ],
    )
    files: dict[str, Iterable[bytes]] = {
        f"{judge.name}{PACKET_SUFFIX}": packet_bytes(
            shuffled_sessions([one.item for one in items], judge.name, seed), {"evaluation": name, "judge": judge.name}
        )
        for judge in judges
    }
    paths = [folder / packet for packet in files]
    with whole_folder(folder) as made:
        replace_files(made, {**files, _DESIGN: [msgspec.json.format(msgspec.json.encode(design), indent=2), b"\n"]})
    return paths


def check_plan(folder: Path, judges: Sequence[Judge]) -> None:
    """What can be refused before any session is read. Raises BadEvaluation."""
    _check_names([judge.name for judge in judges])
    if (folder / "study.toml").exists():
        raise BadEvaluation(f"{folder} holds a study; choose a folder for the packets alone with --out.")
    if (folder / _DESIGN).exists():
        raise BadEvaluation(f"{folder} holds an evaluation already; choose another folder with --out.")


def _check_names(names: Sequence[str]) -> None:
    """Names of judges are names of files: on any system, and of one file each."""
    if not names:
        raise BadEvaluation("Name at least one judge with --judges.")
    seen: dict[str, str] = {}
    for name in names:
        if not _is_plain(name):
            joined = "-".join(name.split())
            instead = f", such as “{joined}”" if _is_plain(joined) else ""
            raise BadEvaluation(
                f"“{shown_name(name)}” cannot name a judge; use letters, digits, - and _ without blanks{instead}."
            )
        if is_reserved(name):
            raise BadEvaluation(f"“{name}” cannot name a judge: Windows keeps this name for itself. Use another one.")
        other = seen.setdefault(unicodedata.normalize("NFKC", name).casefold(), name)
        if other != name:
            raise BadEvaluation(f"“{other}” and “{name}” in --judges differ in capitals only; give them unlike names.")
        if names.count(name) > 1:
            raise BadEvaluation(f"The judge {name} is named twice in --judges.")


def _is_plain(name: str) -> bool:
    """Letters of any language with their marks, digits, - and _."""
    return bool(name) and all(sign in "-_" or is_letter(sign) for sign in name)


class Evaluation:
    """An evaluation that was made, and what has come back."""

    def __init__(self, folder: Path, design: EvaluationDesign) -> None:
        self.folder = folder
        self.design = design

    def kept_labels(self) -> list[KeptLabel]:
        """Every label that was merged, as given; none before a merge. Raises BadRecords."""
        return read_records(self.folder / LABELS_FILE, KeptLabel, "Move it elsewhere, and merge all packets again.")

    def labels(self) -> list[Label]:
        """The labels that stand, by item in the order of the design. Raises BadEvaluation before a merge."""
        if not (self.folder / LABELS_FILE).exists():
            raise BadEvaluation(
                f"{self.folder} holds no labels yet; bring them in with “curtain judge merge PACKET...”."
            )
        last = {(row.item_id, row.judge_id, row.question): row for row in self.kept_labels()}
        places = {item.id: place for place, item in enumerate(self.design.items)}
        standing = [
            Label(row.item_id, row.judge_id, row.question, row.label)
            for row in last.values()
            if row.label and row.question in (CLARITY, CORRECTNESS)
        ]
        return sorted(standing, key=lambda label: (places.get(label.item, len(places)), label.judge, label.question))

    def rulings(self) -> dict[tuple[str, str], JudgedRuling]:
        """The ruling that stands on each (item, question). Raises BadRecords."""
        return {(row.item, row.question): row for row in read_records(self.folder / _RULINGS, JudgedRuling)}

    def rule(self, ruling: JudgedRuling) -> None:
        """Adds a ruling; it is on the disk when this returns. Raises BadRecords."""
        add_record(self.folder / _RULINGS, ruling)

    def settled(self) -> dict[tuple[str, str], tuple[str, str]]:
        """(label, where it comes from) by (item, question): `adjudicated` where there is a ruling, `unanimous` where
        all judges agree. Where they differ and nobody has ruled, nothing is settled."""
        given = self._given()
        settled = {key: (labels[0], "unanimous") for key, labels in given.items() if len(set(labels)) == 1}
        return settled | {key: (ruling.label, "adjudicated") for key, ruling in self.rulings().items()}

    def dissent(self) -> list[tuple[str, str]]:
        """(item, question) on which judges differ, the worst first."""
        given = self._given()
        differing = [key for key, labels in given.items() if len(set(labels)) > 1]
        return sorted(differing, key=lambda key: max(map(given[key].count, given[key])) / len(given[key]))

    def open_to_ruling(self) -> list[tuple[str, str]]:
        """As `dissent`. Raises BadEvaluation where there is nothing to rule on, and says why."""
        dissent = self.dissent()
        if not dissent:
            raise BadEvaluation(self.dissent_sentence())
        return dissent

    def dissent_sentence(self) -> str:
        """On how many pairs judges differ, or why on none. Raises BadEvaluation before a merge."""
        differing = len({item for item, _ in self.dissent()})
        if differing:
            return f"Judges differ on {count_of(differing, 'pair')}."
        judges = sorted({label.judge for label in self.labels()})
        if not judges:
            return f"{self.folder}: the merged packets hold no label yet, so there is nothing to rule on."
        if len(judges) == 1:
            return f"{self.folder} holds labels of {judges[0]} only; two judges are needed before anybody can rule."
        if all(len(labels) < 2 for labels in self._given().values()):
            return f"{self.folder}: no pair has labels of two judges yet, so there is nothing to rule on."
        return "The judges agree on every pair: there is nothing to rule on."

    def _given(self) -> dict[tuple[str, str], list[str]]:
        """The labels that stand, by (item, question), in the order of the judges."""
        given: dict[tuple[str, str], list[str]] = {}
        for label in self.labels():
            given.setdefault((label.item, label.question), []).append(label.label)
        return given


def open_evaluation(folder: Path) -> Evaluation:
    """The evaluation in a folder. Raises BadEvaluation."""
    path = folder / _DESIGN
    try:
        design = parse_json(read_input(path), EvaluationDesign)
    except OSError as error:
        raise BadEvaluation(
            f"{folder} holds no evaluation ({error.strerror or error}); “curtain judge new” makes one."
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadEvaluation(f"{path} cannot be read: {error}.") from error
    if design.format != _FORMAT:
        raise BadEvaluation(f"{path} has the format “{design.format}”, which this version of Curtain does not know.")
    return Evaluation(folder, design)
