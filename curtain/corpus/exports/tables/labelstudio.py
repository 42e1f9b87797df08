"""Label Studio: `<split>.json` with a task for each utterance, `config.xml` for the project, recordings in `audio/`.

Words, SQL and class are predictions, which people see filled in and may correct. Label Studio serves the recordings
from the export's folder (https://labelstud.io/guide/storage, “local storage”).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from curtain.base.record_file import by_name
from curtain.corpus.exports.flat import preferred
from curtain.corpus.exports.speech.utterances import SpeechItem, write_by_split
from curtain.corpus.exports.sql.proven import asked_text
from curtain.corpus.exports.text_files import json_array, new_text
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus

_CLASSES = ("A", "D1", "D", "X")
_CONFIG = """\
<View>
  <Audio name="audio" value="$audio"/>
  <TextArea name="transcription" toName="audio" rows="2" editable="true" maxSubmissions="1"/>
  <TextArea name="sql" toName="audio" rows="4" editable="true" maxSubmissions="1"/>
  <Choices name="class" toName="audio" choice="single">
{choices}  </Choices>
</View>
"""


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """One file of tasks a split. Raises CurtainError."""
    write_by_split(corpus, folder, progress, _tasks, "audio")
    with new_text(folder / "config.xml") as file:
        file.write(_CONFIG.format(choices="".join(f'    <Choice value="{one}"/>\n' for one in _CLASSES)))


@contextmanager
def _tasks(folder: Path, split: str) -> Iterator[Callable[[SpeechItem], object]]:
    with json_array(folder / f"{split}.json") as add:
        yield lambda item: add(_task(item))


def _task(item: SpeechItem) -> dict[str, Any]:
    utterance, best = item.utterance, preferred(item.utterance)
    data = {
        "audio": f"/data/local-files/?d=audio/{item.name}.wav",
        **by_name(utterance, "utterance_id", "session_id", "speaker_id", "category"),
        "language": item.session.language,
        "cas_min": best.cas_min if best else None,
        **utterance.origins,
    }
    results = [
        _result("transcription", "textarea", {"text": [asked_text(utterance)]}) if asked_text(utterance) else None,
        _result("sql", "textarea", {"text": [best.sql_min]}) if best and best.sql_min else None,
        _result("class", "choices", {"choices": [utterance.eval_class]}) if utterance.eval_class else None,
    ]
    known = [one for one in results if one is not None]
    return {"data": data, "predictions": [{"model_version": "curtain", "result": known}] if known else []}


def _result(name: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"id": name, "from_name": name, "to_name": "audio", "type": kind, "value": value}
