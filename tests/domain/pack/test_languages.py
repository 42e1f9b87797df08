"""A pack in another language: what its file has replaces the pack's own words, and nothing else."""

import shutil
from pathlib import Path

import pytest

from curtain.domain.pack.pack import Pack, PackError, bundled_packs, load_pack, loading_faults


def words_of(pack: Pack) -> dict[str, str]:
    """Everything that a subject reads, by its place."""
    words = {"title": pack.title, "description": pack.description, **pack.headings}
    words |= {f"readable {entity} {at}": heading for entity, shown in pack.readable.items()
              for at, heading in enumerate(shown)}  # fmt: skip
    return words | {f"{one.id} {part}": getattr(one, part) for one in pack.scenarios for part in ("title", "text")}


@pytest.mark.parametrize("name", bundled_packs())
def test_a_bundled_pack_is_german_throughout(name: str) -> None:
    english, german = load_pack(name), load_pack(name).in_language("de")
    # The same in both languages.
    same = {"Premium", "Economy", "Code", "Service"}
    before, after = words_of(english), words_of(german)
    assert before.keys() == after.keys()
    assert [place for place, words in after.items() if words == before[place] and words not in same] == []
    assert german.formats.truth == ("Ja", "Nein", "Unbekannt")
    assert [one.id for one in german.scenarios] == [one.id for one in english.scenarios]
    assert {entity: list(shown.values()) for entity, shown in german.readable.items()} == {
        entity: list(shown.values()) for entity, shown in english.readable.items()
    }


def test_a_language_without_a_file_leaves_the_pack_as_it_is() -> None:
    pack = load_pack("personnel")
    assert pack.in_language("fr") is pack
    assert pack.in_language("und") is pack


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('[scenarios.no-such]\ntitle = "x"', "[scenarios] names “no-such”, which is no scenario of this pack"),
        ('[headings]\nno_such = "x"', "[headings] names “no_such”, which is no column of schema.sql"),
        ("title = 3", "“title” must be a text in quotes"),
        ('boolean = ["Ja"]', "boolean"),
    ],
)
def test_a_wrong_file_is_named_when_the_pack_is_checked(tmp_path: Path, text: str, fault: str) -> None:
    folder = tmp_path / "pack"
    shutil.copytree(load_pack("personnel").folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "languages" / "de.toml").write_text(text, "utf-8")
    (one,) = loading_faults(folder)
    assert isinstance(one, PackError)
    assert fault in str(one)
    assert str(folder / "languages" / "de.toml") in str(one)


def test_what_the_file_leaves_out_stays(tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    shutil.copytree(load_pack("personnel").folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "languages" / "de.toml").write_text('title = "Leute"', "utf-8")
    pack = load_pack(folder)
    assert pack.in_language("de").title == "Leute"
    assert {**words_of(pack.in_language("de")), "title": pack.title} == words_of(pack)
