"""A full disk is told in one sentence, and nothing is left on it."""

from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import BundleCorpus

OURS = (
    "parquet", "huggingface", "kaldi", "nist", "lhotse", "bagit", "atis", "spider", "bird",
    "chat", "labelstudio", "elan", "textgrid",
)  # fmt: skip


@pytest.mark.parametrize("format_name", OURS)
def test_a_full_disk_is_reported_and_nothing_is_left(corpus: BundleCorpus, small_disk: Path, format_name: str) -> None:
    (small_disk / "there").write_bytes(bytes(180_000))
    with pytest.raises(CurtainError, match=r"The disk of .* is full: nothing was exported\. Make room"):
        export(corpus, format_name, small_disk / "out")
    assert [path.name for path in small_disk.iterdir()] == ["there"]
