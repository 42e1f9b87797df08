"""Texts from outside reach the terminal as texts."""

import json

import pytest

from curtain.base.terminal import print_error, print_line, print_table, shown, shown_name


@pytest.mark.parametrize("control", ["\x1b", "\x07", "\r", "\x7f", "\x9b", "\u202e", "\u2028"])
def test_a_control_character_is_shown_as_an_escape(control: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_line(f"a{control}[31mb")
    print_error(f"a{control}[31mb")
    seen = capsys.readouterr()
    assert seen.out == seen.err == f"a\\u{ord(control):04x}[31mb\n"


def test_a_line_of_json_keeps_its_meaning() -> None:
    line = json.dumps({"id": "a\x9b1m\x1b[0m"}, ensure_ascii=False)
    assert json.loads(shown(line)) == json.loads(line)
    assert shown(line).isprintable()


def test_other_letters_tabs_and_lines_stay() -> None:
    assert shown("Größe\t→ 👩‍🔬\r\n2 km") == "Größe\t→ 👩‍🔬\n2 km"


def test_a_table_takes_no_cell_for_markup(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(["[b]x", "n"], [["[/b]", ":smile:"], ["[bold]", "\x1b[2J"]], [False, True])
    out = capsys.readouterr().out
    assert all(part in out for part in ("[b]x", "[/b]", ":smile:", "[bold]", "\\u001b[2J"))


def test_a_name_in_a_sentence_stays_on_its_line_and_is_cut_where_it_is_asked() -> None:
    assert shown_name("audio\n\x1b[2J\udcff.wav") == "audio\\u000a\\u001b[2J\\udcff.wav"
    assert shown_name("e00-01-001", 3) == "e00…"


LONG = "x y" * 17_000


@pytest.mark.parametrize(
    "sentence",
    [f"{LONG} cannot be read.", f"No such command '{LONG}'.", "z" * 50_000 + " is too long.", f"“{LONG}z” is no id."],
)
def test_what_is_endless_is_not_repeated(
    sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["curtain", "compare", LONG, "1"])
    print_error(sentence)
    seen = capsys.readouterr().err
    assert len(seen) < 250 and "…" in seen
    assert seen.rpartition(" ")[2] == sentence.rpartition(" ")[2] + "\n" or seen.endswith("y'.\n")
    ordinary = "The folder “/lab/2026” has no study.toml."
    print_error(ordinary)
    assert capsys.readouterr().err == ordinary + "\n"
