"""What every format says about itself, and what leaves in none: names, consent ids, processes, times of day."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from curtain.base.clock import Clock
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.corpus.exports.run import export
from curtain.corpus.exports.text_files import without_tags
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.redaction.erasure import forget, plan_for
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import load_study
from tests.corpus.exports.small import all_texts
from tests.corpus.formats import FORMATS
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS

NAMES = [one.name for one in FORMATS]
ABOUT = {"title": "Old Title", "licence": "CC-BY-4.0", "version": "3.1.4", "authors": ["The Lab & Sons"]}
CITE_AS = r"The Lab & Sons \(\d{4}\)\. Old Title \(Version 3\.1\.4\) \[Data set\]\."


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two speakers, one of them erased; the wizard, an annotator and the consent form have telling names."""
    folder = tmp_path_factory.mktemp("named") / "study"
    kept = [one for one in SITTINGS if one.session_id in ("e00-01", "0a1-01", "m10-01")]
    make_toy(folder, sittings=[replace(one, wizards=("ottokar",), consent="form-4711") for one in kept])
    row = new_row("e00-01-002", "note", {"text": "said so"}, "ottilie", Clock())
    Layers(Bundle(folder / "sessions" / "e00-01")).add(row)
    forget(plan_for(load_study(folder), "m10"), Clock())
    return folder


@pytest.fixture(scope="module")
def exported(study: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    made: dict[str, Path] = {}

    def folder(format_name: str) -> Path:
        if format_name not in made:
            made[format_name] = tmp_path_factory.mktemp("out") / format_name
            export(open_corpus([study], Filters(live=True), **ABOUT), format_name, made[format_name])  # type: ignore[arg-type]
        return made[format_name]

    return folder


@pytest.mark.parametrize("format_name", NAMES)
def test_every_format_tells_title_licence_version_citation_and_tombstones(
    exported: Callable[[str], Path], format_name: str
) -> None:
    folder = exported(format_name)
    account = json.loads((folder / "EXPORT.json").read_text("utf-8"))
    assert {name: account[name] for name in ABOUT} == ABOUT
    assert re.fullmatch(CITE_AS, account["cite_as"])
    card = (folder / "README.md").read_text("utf-8")
    front = yaml.safe_load(card.split("---")[1])
    assert (front["pretty_name"], front["license"]) == ("Old Title", "cc-by-4.0")
    assert re.search(f"Cite as: {CITE_AS}", card) and "Version: 3.1.4." in card
    cited = yaml.safe_load((folder / "CITATION.cff").read_text("utf-8"))
    assert (cited["title"], cited["version"], cited["license"]) == ("Old Title", "3.1.4", "CC-BY-4.0")
    assert cited["authors"] == [{"name": "The Lab & Sons"}]
    stones = [json.loads(line) for line in (folder / "tombstones.jsonl").read_text("utf-8").splitlines()]
    assert account["tombstones"] == len(stones) == 11
    assert {one["utterance_id"][:6] for one in stones} == {"m10-01"}


@pytest.mark.parametrize("format_name", NAMES)
def test_no_format_holds_a_name_a_consent_id_or_a_time_of_day(
    exported: Callable[[str], Path], format_name: str
) -> None:
    texts = list(all_texts(exported(format_name)))
    assert not [text for text in texts if re.search(r"ottokar|ottilie|form-4711", text)]
    assert not [text for text in texts if re.search(r"20\d\d-\d\d-\d\dT(?!00:0)", text)]
    assert not [text for text in texts if re.search(r'"pid":\s*[1-9]', text)]
    assert not [text for text in texts if "taken back" in text]


def test_one_person_has_one_pseudonym_in_all_exports_of_a_study(study: Path) -> None:
    first, second = ({one.wizard_ids for one in open_corpus([study], Filters(live=True)).sessions()} for _ in range(2))
    assert first == second
    ((pseudonym,),) = first
    assert re.fullmatch(r"p-[0-9a-f]{8}", pseudonym)


@pytest.mark.parametrize(
    "title", ["<script>alert(1)</script>", "![x](http://a.example/x.png) **b** `c` | &lt;", "a < b"]
)
def test_a_title_is_words_in_every_file_and_no_mark_of_any(study: Path, tmp_path: Path, title: str) -> None:
    export(open_corpus([study], Filters(live=True), **{**ABOUT, "title": title}), "parquet", tmp_path / "out")  # type: ignore[arg-type]
    card, cited = ((tmp_path / "out" / name).read_text("utf-8") for name in ("README.md", "CITATION.cff"))
    body = card.split("\n---\n", 1)[1]
    assert "<" not in body + cited and "<script" not in card and "![x](" not in body
    assert yaml.safe_load(cited)["title"] == title
    described = without_tags(json.dumps({"name": title}))
    assert "<" not in described and json.loads(described) == {"name": title}
