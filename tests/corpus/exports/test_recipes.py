"""The recipes in docs/recipes.md run as they stand, over the export that each names."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bagit
import duckdb
import pytest
import soundfile
from rocrate.rocrate import ROCrate

from curtain.domain.pack.pack import database, named_pack
from tests.corpus.test_hidden_in_sessions import hide

PAGE = Path(__file__).resolve().parents[3] / "docs" / "recipes.md"
RECIPE = re.compile(r"^## ([\w-]+)\n.*?^```python (\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
RECIPES = {name: (table, code) for name, table, code in RECIPE.findall(PAGE.read_text("utf-8"))}

Cook = Callable[[str], Path]


@pytest.fixture
def cook(exported: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cook:
    def run(name: str) -> Path:
        table, code = RECIPES[name]
        monkeypatch.chdir(tmp_path)
        exec(
            compile(
                code.replace("FOLDER", "" if table == "none" else str(exported(table))),
                f"docs/recipes.md, {name}",
                "exec",
            ),
            {},
        )
        return tmp_path

    return run


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_an_audiofolder_names_each_of_its_files(cook: Cook) -> None:
    folder = cook("AudioFolder") / "audiofolder" / "train"
    named = {str(row["file_name"]) for row in rows_of(folder / "metadata.jsonl")}
    assert len(named) == 43 and named == {path.name for path in folder.glob("*.wav")}


def test_a_nemo_manifest_has_each_recording_with_its_length(cook: Cook) -> None:
    folder = cook("NeMo") / "nemo"
    entries = rows_of(folder / "train.jsonl")
    for entry in entries:
        assert soundfile.info(str(folder / str(entry["audio_filepath"]))).duration == entry["duration"]
    assert len(entries) == 43


def test_librispeech_and_webdataset_hold_every_utterance(cook: Cook) -> None:
    assert len(list((cook("LibriSpeech") / "LibriSpeech").rglob("*.flac"))) == 43
    assert (cook("WebDataset") / "train-000000.tar").stat().st_size > 0


def test_a_discourse_corpus_has_what_leads_to_each_query(cook: Cook) -> None:
    folder = cook("Discourse")
    assert {row["category"] for row in rows_of(folder / "pairs.jsonl")} == {"0"}
    triplets = json.loads("[" + ",".join((folder / "triplets.jsonl").read_text("utf-8").splitlines()) + "]")
    ids = [(first["utterance_id"], second["utterance_id"]) for first, second in triplets]
    assert ids == [("0a1-02-003", "0a1-02-004"), ("e00-02-001", "e00-02-002"), ("zz9-01-004", "zz9-01-005")]
    chains = json.loads("[" + ",".join((folder / "chains.jsonl").read_text("utf-8").splitlines()) + "]")
    [turns] = [[one["turn"] for one in chain] for chain in chains if chain[-1]["utterance_id"] == "e00-02-005"]
    assert turns == [3, 4, 5]


def test_text2sql_data_has_each_statement_once(cook: Cook) -> None:
    entries = json.loads((cook("text2sql-data") / "text2sql.json").read_text("utf-8"))
    statements = [entry["sql"][0] for entry in entries]
    assert statements and len(set(statements)) == len(statements)


def test_a_chat_answers_each_question_after_those_that_it_needs(cook: Cook, tmp_path: Path) -> None:
    shutil.copyfile(database(named_pack("personnel")), tmp_path / "personnel.duckdb")
    chats = [row["messages"] for path in cook("Chats").glob("*.chat.jsonl") for row in rows_of(path)]
    roles = [[message["role"] for message in chat] for chat in chats]
    assert all(chat == ["system", *["user", "assistant"] * (len(chat) // 2)] for chat in roles)
    assert max(map(len, roles)) > 3 and all("CREATE TABLE employee" in chat[0]["content"] for chat in chats)


def test_a_label_studio_task_has_its_recording_and_its_words(cook: Cook) -> None:
    folder = cook("Label-Studio") / "labelstudio"
    tasks = json.loads((folder / "tasks.json").read_text("utf-8"))
    named = {task["data"]["audio"].rpartition("/")[2] for task in tasks}
    assert named == {path.name for path in folder.glob("audio/*")}
    assert all(task["predictions"][0]["result"] for task in tasks)


def test_spiders_own_parser_decides_what_its_evaluator_gets(
    cook: Cook, exported: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(schema: Path, query: str) -> dict[str, str]:
        assert schema.is_file() and "NULL" not in query
        return {"read": query}

    monkeypatch.setitem(sys.modules, "process_sql", SimpleNamespace(Schema=Path, get_schema=str, get_sql=read))
    folder = cook("Spider")
    kept = json.loads((folder / "spider" / "train.json").read_text("utf-8"))
    gold = (folder / "spider" / "train_gold.sql").read_text("utf-8").splitlines()
    assert gold == [f"{row['sql']['read']}\t{row['db_id']}" for row in kept]
    assert 0 < len(gold) < len(json.loads((exported("spider") / "train.json").read_text("utf-8")))


def test_predictions_for_spiders_files_are_judged_by_what_they_give(
    cook: Cook,
    exported: Callable[[str], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gold = (exported("spider") / "train_gold.sql").read_text("utf-8").splitlines()
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    wrong = ["SELECT 'nobody'", "no SQL", "", "SELECT 1; SELECT 2", "VACUUM INTO 'copy.sqlite'", endless]
    statements = [*wrong, *(line.partition("\t")[0] for line in gold[len(wrong) :])]
    (tmp_path / "predicted.sql").write_text("\n".join(statements), "utf-8")
    table, code = RECIPES["Spiders-files"]
    monkeypatch.setitem(RECIPES, "Spiders-files", (table, code.replace("range(3_000)", "range(30)")))
    folder = cook("Spiders-files")
    assert f"{len(gold) - len(wrong)} of {len(gold)} are right" in capsys.readouterr().out
    assert [path.name for path in folder.glob("*.sq*")] == ["predicted.sql"]


def test_bird_has_the_statement_of_each_question_on_the_same_line(cook: Cook) -> None:
    folder = cook("BIRD") / "bird" / "train"
    rows = json.loads((folder / "train.json").read_text("utf-8"))
    gold = (folder / "train.sql").read_text("utf-8").splitlines()
    assert gold == [f"{row['SQL']}\t{row['db_id']}" for row in rows] and rows
    assert all((folder / "train_databases" / row["db_id"] / f"{row['db_id']}.sqlite").is_file() for row in rows)


def test_a_bag_of_an_export_is_valid(cook: Cook) -> None:
    bagit.Bag(str(cook("BagIt") / "bag")).validate()


def test_a_crate_of_an_export_names_each_of_its_files(cook: Cook, exported: Callable[[str], Path]) -> None:
    crate = ROCrate(str(cook("RO-Crate") / "crate"))
    files = {path.relative_to(exported("huggingface")).as_posix() for path in exported("huggingface").rglob("*.*")}
    assert {one.id for one in crate.data_entities} >= files and (crate.name, crate.license) == ("Toy", "CC-BY-4.0")


def test_tables_of_two_sites_are_one_in_which_nobody_is_somebody_else(
    cook: Cook, exported: Callable[[str], Path], tmp_path: Path
) -> None:
    shutil.copytree(exported("parquet"), tmp_path / "OTHER")
    pool = cook("Pooled-tables") / "pool.parquet"
    rows = duckdb.sql(f"SELECT utterance_id, speaker_id, context FROM '{pool}'").fetchall()
    names = {name for name, _, _ in rows}
    speakers = duckdb.sql(f"SELECT DISTINCT speaker_id FROM '{tmp_path}/OTHER/utterances.parquet'").fetchall()
    assert len(names) == len(rows) and len({speaker for _, speaker, _ in rows}) == 2 * len(speakers)
    assert all(link["utterance_id"] in names for _, _, context in rows for link in context or ())


def test_a_wide_recording_is_silent_where_words_are_hidden(cook: Cook, toy: Path, tmp_path: Path) -> None:
    study = Path(shutil.copytree(toy, tmp_path / "STUDY"))
    take = next(path for path in study.rglob("e00-02-001.wav"))
    (take.parent / "wide").mkdir()
    soundfile.write(take.parent / "wide" / take.name, [[0.5, 0.5]] * 48_000, 48_000)
    hide(study, take.stem, "Thai", "Thai")
    sound, rate = soundfile.read(cook("Wide-recordings") / "wide" / take.name)
    assert (sound.shape, rate) == ((48_000, 2), 48_000) and not sound[4_800:9_600].any() and sound[9_600:].all()


def test_word_errors_come_at_their_rate_and_are_always_the_same(tmp_path: Path) -> None:
    (tmp_path / "errors.py").write_text(RECIPES["Word-errors"][1], "utf-8")
    (tmp_path / "words.txt").write_text("fox dog", "utf-8")
    asked = [{"session_id": "e00-01", "turn": turn, "text": "a b c d e f g h i j"} for turn in range(200)]
    echo = [sys.executable, "-c", "import sys; sys.stdout.writelines(sys.stdin)"]
    command = [sys.executable, "errors.py", "0.2", *echo]
    lines = "".join(json.dumps(one) + "\n" for one in asked)
    first, again = (subprocess.check_output(command, cwd=tmp_path, input=lines, text=True) for _ in range(2))
    heard = [json.loads(line)["text"].split() for line in first.splitlines()]
    assert first == again and len(heard) == 200
    assert 250 < sum(word in ("fox", "dog") for words in heard for word in words) < 390


def test_references_of_one_class_are_those_of_the_table(
    cook: Cook, exported: Callable[[str], Path], tmp_path: Path
) -> None:
    shutil.copytree(exported("parquet"), tmp_path / "OTHER")
    folder = cook("Errors-by-class")
    lines = [line for path in folder.glob("*.trn") for line in path.read_text("utf-8").splitlines()]
    every = [line for path in exported("nist").glob("*.trn") for line in path.read_text("utf-8").splitlines()]
    of_class = {row["utterance_id"]: row["eval_class"] for row in rows_of(tmp_path / "OTHER" / "utterances.jsonl")}
    assert 0 < len(lines) < len(every)
    assert [line for line in every if of_class[line.rpartition("(")[2][:-1]] == "A"] == sorted(lines, key=every.index)


def test_the_power_of_a_plan_is_printed_by_subjects(cook: Cook, capsys: pytest.CaptureFixture[str]) -> None:
    cook("Power")
    assert "24 subjects: 83 %\n32 subjects: 93 %" in capsys.readouterr().out


def test_every_recipe_is_tried() -> None:
    assert set(RECIPES) == {
        "AudioFolder", "NeMo", "LibriSpeech", "WebDataset", "Discourse", "text2sql-data", "Chats", "Label-Studio",
        "Spider", "Spiders-files", "BIRD", "BagIt", "RO-Crate", "Pooled-tables", "Word-errors", "Errors-by-class",
        "Power", "Wide-recordings",
    }  # fmt: skip
