from pathlib import Path

import pytest
from typer.testing import CliRunner

from curtain.base.errors import CurtainError
from curtain.base.settings_file import parse
from curtain.commands.cli import app
from curtain.session.study.messages import load_message_set
from curtain.session.study.study import load_study, new_study
from curtain.session.study.text_packs import load_texts, texts_template


def study_with(folder: Path, lines: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "study.toml").write_text(lines, encoding="utf-8")
    return folder


def test_a_study_speaks_its_language_and_its_own_wording_comes_first(tmp_path: Path) -> None:
    study = load_study(study_with(tmp_path / "s", 'language = "de"\n[texts]\ntask = "Nr. {number}"\n'))
    assert study.texts["waiting"] == load_texts("de")["waiting"]
    assert study.texts["task"] == "Nr. {number}"


def test_an_english_study_sends_its_own_wording_alone(tmp_path: Path) -> None:
    assert load_study(study_with(tmp_path / "s", '[texts]\ntask = "No {number}"\n')).texts == {"task": "No {number}"}


def test_a_language_brings_its_messages_unless_the_study_names_others(tmp_path: Path) -> None:
    assert load_study(study_with(tmp_path / "s", 'language = "es"\n')).messages == ("personnel-es",)
    named = load_study(study_with(tmp_path / "t", 'language = "es"\nmessages = ["base"]\n'))
    assert named.messages == ("base",)


def test_a_language_there_is_not_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(CurtainError, match=r"study.toml, line 2: .*“xx”.*de, en, es, zh"):
        load_study(study_with(tmp_path / "s", '\nlanguage = "xx"\n'))


def test_a_file_beside_the_study_may_be_the_language(tmp_path: Path) -> None:
    folder = study_with(tmp_path / "s", 'language = "fr.toml"\n')
    (folder / "fr.toml").write_text('waiting = "Veuillez patienter."\n', encoding="utf-8")
    texts = load_study(folder).texts
    assert (texts["waiting"], texts["leave"]) == ("Veuillez patienter.", load_texts("en")["leave"])


@pytest.mark.parametrize(
    ("line", "problem"), [("wating = 'x'", "line 1: .*wating.*waiting"), ("waiting = 3", "“waiting” must be a text"),
                        ("waiting =", "not readable as TOML")]
)  # fmt: skip
def test_a_bad_file_of_texts_is_named(tmp_path: Path, line: str, problem: str) -> None:
    folder = study_with(tmp_path / "s", 'language = "fr.toml"\n')
    (folder / "fr.toml").write_text(line, encoding="utf-8")
    with pytest.raises(CurtainError, match=problem):
        load_study(folder)


def test_a_new_study_in_another_language_says_so(tmp_path: Path) -> None:
    study = new_study(tmp_path / "s", "personnel", language="zh")
    assert (study.language, study.messages) == ("zh", ("personnel-zh",))


@pytest.mark.parametrize("language", ["de", "es", "zh"])
def test_translated_messages_keep_ids_numbers_keys_and_blanks(language: str) -> None:
    english, other = load_message_set("base").messages, load_message_set(f"base-{language}").messages
    fixed = [(each.id, each.number, each.key, each.blanks, each.counts_as, each.when) for each in english]
    assert [(each.id, each.number, each.key, each.blanks, each.counts_as, each.when) for each in other] == fixed
    assert not {each.text for each in english} & {each.text for each in other}


def test_the_template_holds_every_text_and_reads_back(tmp_path: Path) -> None:
    written = texts_template(load_texts("de"))
    assert parse("x", written) == load_texts("de")
    assert '# "Hold {key} to talk"' in written


def test_the_command_writes_a_template_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first = CliRunner().invoke(app, ["study", "texts", "fr"])
    assert first.exit_code == 0 and 'language = "fr.toml"' in first.output
    assert parse("fr.toml", (tmp_path / "fr.toml").read_text("utf-8")) == load_texts("en")
    again = CliRunner().invoke(app, ["study", "texts", "fr"])
    assert isinstance(again.exception, CurtainError) and "there already" in str(again.exception)


def test_the_command_writes_what_a_study_has_now(tmp_path: Path) -> None:
    folder = study_with(tmp_path / "s", 'language = "de"\n[texts]\ntask = "Nr. {number}"\n')
    assert CliRunner().invoke(app, ["study", "texts", str(folder)]).exit_code == 0
    assert parse("x", (folder / "texts.toml").read_text("utf-8"))["task"] == "Nr. {number}"
