"""Packets that came back: checked against what their judges were given, and brought into the evaluation's folder."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from curtain.base.disk import replace_file
from curtain.base.errors import os_errors_as
from curtain.base.plural import count_of
from curtain.base.record_file import write_records
from curtain.base.text_file import csv_text
from curtain_judge.evaluation import LABELS_FILE, TABLE_FILE, BadEvaluation, Evaluation, KeptLabel
from curtain_judge.labels import CLARITY, CORRECTNESS, LABELS
from curtain_judge.packet import GivenLabel, Packet
from curtain_score.files.json_lines import shown_id


@dataclass(frozen=True)
class MergedPacket:
    """What a merge found in one packet."""

    judge: str
    labelled: int
    items: int
    seconds: float
    gone: int = 0
    """Labels that an earlier merge had and this packet lacks: it is another copy, or an older one."""

    @property
    def sentence(self) -> str:
        """For a person: whose, how far, how fast, and what is no longer there."""
        pace = f", {self.seconds / self.labelled:.1f} s an item" if self.labelled else ""
        gone = f" It lacks {count_of(self.gone, 'label')} of the packet merged before." if self.gone else ""
        if self.labelled == self.items:
            return f"{self.judge}: all {count_of(self.items, 'item')}{pace}.{gone}"
        of = f"{self.labelled} of {count_of(self.items, 'item')}"
        return f"{self.judge}: {of}{pace}; the packet is not finished.{gone}"


def merge_packets(evaluation: Evaluation, paths: Iterable[Path]) -> list[MergedPacket]:
    """Writes the labels of all packets into the folder, and says what each held.

    Labels of judges whose packet is not among them stay as they were merged before. Raises BadEvaluation for a packet
    of another evaluation, for two packets of one judge, for a packet whose items were changed, and for a label that is
    not on the scale; then nothing is written.
    """
    sums = {item.id: item.sha256 for item in evaluation.design.items}
    merged: dict[str, tuple[Path, list[GivenLabel]]] = {}
    for path in paths:
        with Packet(path, read_only=True) as packet:
            _check_packet(evaluation, packet, sums)
            labels = packet.labels()
            _check_labels(packet, labels)
            if packet.judge in merged:
                other = merged[packet.judge][0]
                raise BadEvaluation(f"{other} and {path} are both of {packet.judge}; keep the one that counts.")
            merged[packet.judge] = (path, labels)
    before = evaluation.kept_labels()
    new = _kept(evaluation, {judge: labels for judge, (_, labels) in merged.items()}, sums)
    others = [row for row in before if row.judge_id not in merged]
    _write_labels(evaluation, sorted([*others, *new], key=lambda row: row.judge_id))
    gone = Counter(row.judge_id for row in set(before) - set(new))
    return [_summary(judge, labels, len(sums), gone[judge]) for judge, (_, labels) in merged.items()]


def _check_packet(evaluation: Evaluation, packet: Packet, sums: Mapping[str, str]) -> None:
    design = evaluation.design
    if packet.about.get("evaluation") != design.id:
        raise BadEvaluation(
            f"{packet.path} belongs to the evaluation “{packet.about.get('evaluation', '')}”, not to “{design.id}”."
        )
    if packet.judge not in {judge.name for judge in design.judges}:
        raise BadEvaluation(f"{packet.path} is of {packet.judge}, who is no judge of “{design.id}”.")
    changed = packet.changed_item(sums)
    if changed is not None:
        raise BadEvaluation(
            f"{packet.path}: item {changed} is not what the judge was given; ask {packet.judge} for the packet again."
        )


def _check_labels(packet: Packet, labels: Sequence[GivenLabel]) -> None:
    for label in labels:
        if not isfinite(label.seconds):
            # JSON has no infinity: the line could never be read again.
            raise BadEvaluation(f"{packet.path} holds a time without end; ask {packet.judge} for the packet again.")
        scale = LABELS.get(label.question)
        if scale is not None and label.label and label.label not in scale:
            raise BadEvaluation(
                f"{packet.path} holds the label “{shown_id(label.label)}” for {label.question}, which is none of "
                f"{', '.join(scale)}; ask {packet.judge} for the packet again."
            )


def _kept(evaluation: Evaluation, labels: Mapping[str, list[GivenLabel]], sums: Mapping[str, str]) -> list[KeptLabel]:
    return [
        KeptLabel(
            evaluation.design.id,
            label.item,
            sums[label.item],
            judge,
            label.question,
            label.label,
            label.seconds,
            label.at_utc,
        )
        for judge, given in labels.items()
        for label in given
        if label.item in sums
    ]


def _write_labels(evaluation: Evaluation, kept: Sequence[KeptLabel]) -> None:
    write_records(evaluation.folder / LABELS_FILE, kept)
    with os_errors_as("The labels cannot be kept", BadEvaluation):
        table = [[row.item, row.judge, row.question, row.label] for row in evaluation.labels()]
        replace_file(evaluation.folder / TABLE_FILE, csv_text(("item", "judge", "question", "label"), table).encode())


def _summary(judge: str, labels: Sequence[GivenLabel], items: int, gone: int) -> MergedPacket:
    last = {(label.item, label.question): label for label in labels}
    standing = {(item, question) for (item, question), label in last.items() if label.label}
    both = {item for item, question in standing if question == CLARITY and (item, CORRECTNESS) in standing}
    return MergedPacket(judge, len(both), items, sum(label.seconds for label in labels), gone)
