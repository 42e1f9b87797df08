from pathlib import Path

from wizard_app.desk.session.unsent import Unsent, UnsentTurn, read_unsent, write_unsent

TYPED = Unsent(
    turns={7: UnsentTurn(query="où est l’employé", sql="SELECT 1", marked=False, sql_max="SELECT 1, 2")},
    blanks={"topic": "the weather"},
)


def test_what_was_typed_is_read_back(tmp_path: Path) -> None:
    write_unsent(tmp_path / "state" / "e00-01.json", TYPED)
    assert read_unsent(tmp_path / "state" / "e00-01.json") == TYPED


def test_a_missing_or_broken_file_costs_only_what_was_in_it(tmp_path: Path) -> None:
    path = tmp_path / "e00-01.json"
    assert read_unsent(path) == Unsent()
    path.write_bytes(b'{"turns": [1, ')
    assert read_unsent(path) == Unsent()


def test_a_file_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    path = tmp_path / "e00-01.json"
    path.write_bytes(b'{"turns": {"7": {"query": "q", "sql": "s", "sent": null, "tried": 1}}, "blanks": {}}')
    assert read_unsent(path) == Unsent(turns={7: UnsentTurn(query="q", sql="s", tried=1)})
