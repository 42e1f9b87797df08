"""The texts of a study that this station reads are those the study may name."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from curtain.session.study.study import Study
from curtain.session.study.text_names import SESSION_TEXTS, TEXT_NAMES
from wizard_app.desk.preparation import read_domain


class Watched(Mapping[str, str]):
    """No texts, and a memory of what was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __getitem__(self, name: str) -> str:
        self.asked.append(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def test_a_study_may_name_exactly_the_texts_that_are_read_here(tmp_path: Path) -> None:
    texts = Watched()
    read_domain(Study(folder=tmp_path, texts=texts, disclose=True))
    assert sorted(texts.asked) == sorted(SESSION_TEXTS)
    assert set(SESSION_TEXTS) <= set(TEXT_NAMES)


def test_a_german_study_has_its_domain_in_german(tmp_path: Path) -> None:
    content = read_domain(Study(folder=tmp_path, domain="personnel", language="de"))
    assert content.texts.title == "Personal"
    assert content.texts.database_description.startswith("Sie können nach den Menschen fragen")
    assert content.texts.scenarios["complaint"].text.startswith("Paul Hayes möchte sich beschweren")
    assert content.pack.headings["salary"] == "Gehalt"
    own = {"title": "Unsere Leute"}
    assert read_domain(Study(folder=tmp_path, language="de", texts=own)).texts.title == "Unsere Leute"
