"""What every export says about itself, whatever its format: card, citation, version, licence and tombstones."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from curtain.corpus.annotation.agreement import Agreement, Judgements, agreement_of_all
from curtain.corpus.annotation.layers import Layers
from curtain.corpus.exports.card import Card, Config, readme
from curtain.corpus.exports.census import Census
from curtain.corpus.exports.text_files import without_tags
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus
from curtain.corpus.redaction.tombstones import tombstone_line
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import TOMBSTONES

CARD = "README.md"
CITATION = "CITATION.cff"

_NOBODY = "Authors not stated"
SPDX = re.compile(r"CC0-1\.0|CC-BY(?:-NC)?(?:-SA|-ND)?-[234]\.0|Apache-2\.0|MIT|ODC-By-1\.0|ODbL-1\.0|PDDL-1\.0")


def citation(corpus: Corpus, day: date) -> str:
    """How the corpus is to be cited, in one line."""
    title = " ".join(corpus.title.split()) or "A corpus"
    return f"{'; '.join(_authors(corpus))} ({day.year}). {title} (Version {corpus.version}) [Data set]."


def write_card(
    corpus: Corpus, census: Census, progress: ExportProgress, folder: Path, loading: str, config: Config | None = None
) -> None:
    """Put the card of an export into its folder."""
    agreement = {} if corpus.blind else _agreement(census)
    cite_as = citation(corpus, date.today())
    made = Card(corpus, census, Counter(progress.dropped), config, loading, cite_as, agreement)
    _put(folder / CARD, readme(made))


def _agreement(census: Census) -> dict[str, Agreement]:
    judgements = Judgements.of(Layers(Bundle(path)) for path in census.annotated_twice)
    return agreement_of_all(judgements, list(census.annotated_twice.values()))


def write_release(corpus: Corpus, format_title: str, census: Census, progress: ExportProgress, folder: Path) -> None:
    """Put card, citation and tombstones into the export's folder; a card that the format has made stays."""
    if not (folder / CARD).exists():
        loading = f"Format: {format_title}. EXPORT.json says what is in this folder.{_counted_before(progress)}"
        write_card(corpus, census, progress, folder, loading)
    _put(folder / CITATION, "".join(f"{line}\n" for line in _cff(corpus, date.today())))
    if corpus.erased:
        _put(folder / TOMBSTONES, "".join(tombstone_line(*one) for one in corpus.erased))


def _counted_before(progress: ExportProgress) -> str:
    if not progress.dropped:
        return ""
    return f" The counts below include {progress.dropped.total()} utterances that this format cannot hold."


def _cff(corpus: Corpus, day: date) -> Iterator[str]:
    """Citation File Format 1.2.0. A text of JSON is one of YAML too."""
    yield "cff-version: 1.2.0"
    yield 'message: "Please cite this data set as below."'
    yield "type: dataset"
    yield f"title: {_text(' '.join(corpus.title.split()) or 'A corpus')}"
    yield f"version: {_text(corpus.version)}"
    yield f"date-released: {day.isoformat()}"
    # Citation files allow identifiers of SPDX only.
    if SPDX.fullmatch(corpus.licence):
        yield f"license: {corpus.licence}"
    yield "authors:"
    for name in _authors(corpus):
        yield f"  - name: {_text(name)}"


def _authors(corpus: Corpus) -> tuple[str, ...]:
    return corpus.authors or (_NOBODY,)


def _text(text: str) -> str:
    return without_tags(json.dumps(text))


def _put(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
