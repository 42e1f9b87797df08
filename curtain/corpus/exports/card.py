"""The card of a data set: front matter for the hub, and the seven parts of a datasheet, filled from counts.

The parts are those of Gebru et al., "Datasheets for Datasets" (2021). What only people know is left as a question.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from curtain.base.plural import count_of
from curtain.corpus.annotation.agreement import Agreement
from curtain.corpus.exports.census import NOTHING, Census
from curtain.corpus.exports.text_files import without_tags
from curtain.corpus.exports.utterance_table import Shape
from curtain.corpus.model.utterance import REDACTED, Corpus

_LICENCE = re.compile(r"apache-2\.0|mit|cc0-1\.0|cc-by(?:-nc)?(?:-sa|-nd)?-[234]\.0|odc-by|odbl|pddl|unknown|other")
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))

DTYPES = {"VARCHAR": "string", "BIGINT": "int64", "DOUBLE": "float64", "BOOLEAN": "bool"}
"""What the hub calls the types of columns."""


@dataclass(frozen=True)
class Config:
    """How to load the data: `splits` maps a name to the pattern of its files, its rows and its bytes; `columns` are
    the types that every split has, also where a column has no value in it."""

    splits: Mapping[str, tuple[str, int, int]]
    columns: Mapping[str, Shape]
    audio: bool = False


@dataclass(frozen=True)
class Card:
    """What a card is made from. `config` is None for a format that the hub does not load; `loading` is the text that
    says how to load it; `cite_as` is a sentence; `agreement` is that of all annotators together, by measure, empty
    where no turn was annotated twice."""

    corpus: Corpus
    census: Census
    dropped: Mapping[str, int]
    config: Config | None
    loading: str
    cite_as: str
    agreement: Mapping[str, Agreement]


def readme(card: Card) -> str:
    """The whole README.md."""
    parts = (
        "---",
        *_front_matter(card),
        "---",
        "",
        f"# {plain(card.corpus.title)}",
        "",
        card.loading.strip(),
        "",
        *_datasheet(card),
    )
    return "\n".join(parts) + "\n"


def _front_matter(card: Card) -> Iterator[str]:
    yield f"pretty_name: {_quoted(card.corpus.title)}"
    yield from _licence(card.corpus.licence)
    yield "\n".join(("language:", *(f"- {_quoted(code)}" for code in sorted(card.census.languages) or ["und"])))
    yield "task_categories:\n- automatic-speech-recognition\n- table-question-answering"
    yield "tags:\n- wizard-of-oz\n- text-to-sql\n- spoken-language-understanding"
    size = next((name for limit, name in _SIZES if card.census.utterances < limit), "n>1M")
    yield f"size_categories:\n- {size}"
    if card.config is not None:
        yield "configs:\n- config_name: default\n  data_files:"
        for split, (pattern, _, _) in card.config.splits.items():
            yield f"  - split: {split}\n    path: {_quoted(pattern)}"
        yield from _dataset_info(card.config)


def _licence(licence: str) -> Iterator[str]:
    # The hub has a list of licences; any other one is “other”, with a name of its own.
    if _LICENCE.fullmatch(licence.lower()):
        yield f"license: {licence.lower()}"
    else:
        yield f"license: other\nlicense_name: {_quoted(licence or 'not stated')}"


def _dataset_info(config: Config) -> Iterator[str]:
    yield "dataset_info:\n- config_name: default\n  features:"
    if config.audio:
        yield "  - name: audio\n    dtype: audio"
    yield from _yaml_lines(config.columns, "  ")
    yield "  splits:"
    for split, (_, rows, size) in config.splits.items():
        yield f"  - name: {split}\n    num_bytes: {size}\n    num_examples: {rows}"
    whole = sum(size for _, _, size in config.splits.values())
    yield f"  download_size: {whole}\n  dataset_size: {whole}"


def _quoted(text: str) -> str:
    return without_tags(json.dumps(text, ensure_ascii=False))


def _yaml_lines(columns: Mapping[str, Shape], indent: str) -> Iterator[str]:
    """`- name: ...` with `dtype` or `list`, as in the front matter of a data set's card."""
    for name, shape in columns.items():
        yield f"{indent}- name: {name}"
        if isinstance(shape, str):
            yield f"{indent}  dtype: {DTYPES[shape]}"
        elif isinstance(shape, list):
            yield from _yaml_list(shape[0], indent + "  ")


def _yaml_list(inner: Shape, indent: str) -> Iterator[str]:
    if isinstance(inner, str):
        yield f"{indent}list: {DTYPES[inner]}"
    elif isinstance(inner, dict):
        yield f"{indent}list:"
        yield from _yaml_lines(inner, indent)


def _datasheet(card: Card) -> Iterator[str]:
    yield from _part("Motivation", _MOTIVATION)
    yield from _part("Composition", *_composition(card))
    yield from _part("Collection process", *_collection(card))
    yield from _part("Preprocessing, cleaning, labelling", *_labelling(card))
    yield from _part("Uses", _USES)
    yield from _part("Distribution", *_distribution(card))
    yield from _part("Maintenance", f"Version: {plain(card.corpus.version)}.", _MAINTENANCE, *_withdrawn(card))


_MOTIVATION = (
    "Spoken questions to a database with reference answers, to train and to score systems that understand speech. "
    "*To be added: who made it, for whom, and who paid for it.*"
)
_USES = (
    "Made for speech recognition, for SQL from questions, and for understanding in context. Answers are in the Common "
    "Answer Specification. Speakers must not be identified from it."
)
_PERSONAL = (
    "A voice is personal data, also without a name: this data set is pseudonymous, not anonymous. Give it on only as "
    "the speakers' consent allows."
)
WHOM_TO_WRITE_TO = "*To be added: whom to write to.*"
_MAINTENANCE = (
    "EXPORT.json names the release (`source_sha256`), the filters, and what was left out. Speakers may withdraw: "
    f"compare with the newest release before use. {WHOM_TO_WRITE_TO}"
)


def _distribution(card: Card) -> Iterator[str]:
    yield f"Licence: {plain(card.corpus.licence or 'not stated')}."
    yield f"Cite as: {plain(card.cite_as)}"
    yield _PERSONAL
    if card.census.without_consent:
        yield (
            f"Without a signed consent form: {count_of(card.census.without_consent, 'session')} "
            "(exported with `--without-consent`). Do not give these on."
        )


def _withdrawn(card: Card) -> Iterator[str]:
    if card.corpus.erased:
        yield (
            f"{len(card.corpus.erased)} utterances were withdrawn. `tombstones.jsonl` names them: "
            "erase them from earlier versions too."
        )


def _part(title: str, *paragraphs: str) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    for paragraph in paragraphs:
        yield paragraph
        yield ""


def _duration(hours: float) -> str:
    return f"{hours:.2f} hours" if hours >= 1 else f"{60 * hours:.1f} minutes"


def _composition(card: Card) -> Iterator[str]:
    census = card.census
    yield (
        f"{count_of(census.utterances, 'utterance')} of {count_of(len(census.speakers), 'speaker')} in "
        f"{count_of(census.sessions, 'session')}, {_duration(census.hours)} of speech."
    )
    yield _table(("split", "utterances", "hours"), _by_split(census))
    yield _table(("class", "utterances"), _rows(census.classes))
    yield _table(("category", "utterances"), _rows(census.categories))
    yield _table(("outcome", "utterances"), _rows(census.outcomes))
    if census.tags:
        yield _table(("tag", "utterances"), _rows(census.tags))
    if card.corpus.blind:
        yield "This is a blind test set: references and categories are kept apart."


def _by_split(census: Census) -> Iterable[tuple[str, ...]]:
    for name, count in sorted(census.splits.items()):
        yield name, str(count), f"{census.seconds.get(name, 0) / 3600:.2f}"


def _collection(card: Card) -> Iterator[str]:
    census = card.census
    yield (
        "Wizard-of-Oz sessions: a speaker asks with a talk key; a hidden wizard transcribes, writes SQL and sends the "
        f"answer. Databases: {_listed(census.domains)}. Languages: {_listed(census.languages)}. "
        f"Sites: {_listed(census.sites)}. "
        f"Wizards: {_listed(census.wizards)}."
    )
    for domain in sorted(census.domains):
        if units := card.corpus.units(domain):
            yield f"{plain(domain)}: {units}"
    yield "*To be added: how speakers were found, what they were paid, what they agreed to.*"


def _labelling(card: Card) -> Iterator[str]:
    census = card.census
    yield (
        f"{census.referenced} utterances have a reference answer. {census.redacted} are redacted: in the recording "
        f"there is silence of equal length, in the words `{REDACTED}`. Annotators: {_listed(census.annotators)}."
    )
    yield (
        "Each row says in `text_from`, `sql_from` and `class_from` who says the words, the answers and the class: the "
        "live session, an annotator, or a ruling; and in `redacted` how much of it is hidden."
    )
    yield _by_origin(census)
    yield _table(("hidden", "utterances"), _rows(census.origins["redacted"]))
    if card.agreement:
        yield "Agreement of annotators on the turns that at least two of them finished:"
        yield _table(_AGREEMENT, _agreement(card.agreement))
    if census.reasons:
        yield _table(("excluded from evaluation because of", "utterances"), _rows(census.reasons))
    if card.dropped:
        yield _table(("left out of this export", "utterances"), _rows(Counter(card.dropped)))


_ORIGINS = ("live", "annotated", "ruled", NOTHING)


def _by_origin(census: Census) -> str:
    columns = [(name, counts) for name, counts in census.known_origins.items() if name != "redacted"]
    lines = ((name, *(str(counts[origin]) for origin in _ORIGINS)) for name, counts in columns)
    return _table(("column", *_ORIGINS), lines)


_AGREEMENT = ("judgement", "pairs", "agreed", "Krippendorff's alpha", "Gwet's AC1", "word error rate")


def _agreement(agreement: Mapping[str, Agreement]) -> Iterable[tuple[str, ...]]:
    for measure, measured in agreement.items():
        figures = (measured.share, measured.alpha, measured.ac1, measured.word_error_rate)
        yield measure, str(measured.turns), *("n/a" if value is None else f"{value:.3f}" for value in figures)


def _rows(counts: Mapping[str, int]) -> Iterable[tuple[str, ...]]:
    return ((name, str(count)) for name, count in sorted(counts.items()))


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "\n".join("| " + " | ".join(map(plain, line)) + " |" for line in lines)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{plain(name)} ({count})" for name, count in sorted(counts.items())) or "none stated"


# What Markdown or HTML would take for marks; an underline within a word is none.
_MARKS = re.compile(r"[\\`*|~<>]|&(?=#?\w+;)|\](?=[(\[:])|(?<!\w)_|_(?!\w)")


def plain(text: str) -> str:
    """The words of a study on one line, as they stand: no link, no picture, no script."""
    return _MARKS.sub(lambda mark: _ENTITIES.get(mark[0], f"\\{mark[0]}"), " ".join(text.split()))


_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
