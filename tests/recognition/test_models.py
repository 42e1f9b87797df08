"""Which model a study names, and how one comes to this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from curtain.base.errors import CurtainError
from curtain.recognition import models
from curtain.recognition.measure import Speed, proposed

FILES = {"config.json": b"{}", "model.bin": b"weights", "tokenizer.json": b"{}", "vocabulary.txt": b"a"}
NAME = "Systran/faster-whisper-tiny.en"


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder of models with tiny.en and base."""
    monkeypatch.setattr(models, "models_folder", lambda: tmp_path / "models")
    monkeypatch.setattr(models, "is_installed", lambda: True)
    for name in ("models/tiny.en", "models/base", "study/ours"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "model.bin").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("settings", "language", "folder"),
    [
        ({}, "en", "models/tiny.en"),
        ({"model": "base"}, "en", "models/base"),
        ({"model": "base"}, "de", "models/base"),
        ({"model": "ours"}, "de", "study/ours"),
        ({"model": "../models/base"}, "en", "study/../models/base"),
    ],
)
def test_a_model_is_a_name_or_a_folder(mine: Path, settings: dict[str, Any], language: str, folder: str) -> None:
    for agreement in models.agreements_of(settings, mine / "study"):
        agreement.give()
    assert models.model_of(settings, language, mine / "study") == mine / folder


@pytest.mark.parametrize(
    ("settings", "language", "sentence"),
    [
        ({}, "zh", "The model tiny is not on this machine: “curtain ear get tiny” fetches it (78 MB)."),
        ({"model": "small.en"}, "en", "“curtain ear get small.en” fetches it (486 MB)."),
        ({"model": "tiny.en"}, "de", "The model tiny.en hears English alone, and this study speaks “de”: take tiny."),
        ({"model": "huge"}, "en", "There is no model “huge”, only: tiny.en,"),
        ({"model": "some/where"}, "en", "There is no model in"),
        ({"model": 3}, "en", "must be the name or the folder of a model"),
    ],
)
def test_what_is_missing_is_one_sentence(mine: Path, settings: dict[str, Any], language: str, sentence: str) -> None:
    with pytest.raises(CurtainError) as fault:
        models.model_of(settings, language, mine / "study")
    assert sentence in str(fault.value)


def test_the_largest_model_that_keeps_up_is_proposed() -> None:
    small, large, slow = Speed("s", 0.1, (0.2, 0.3, 5.0)), Speed("l", 0.4, (0.9, 0.9, 1.2)), Speed("x", 2.0, (3.0,))
    assert proposed([small, slow, large]) is large
    assert proposed([slow]) is None


class Hub(BaseHTTPRequestHandler):
    """Serves one model as the hub does."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.startswith("/api/models/") and "/tree/" in path:
            body = json.dumps([{"type": "file", "path": name, "size": len(data), "oid": "1" * 40}
                               for name, data in FILES.items()]).encode()  # fmt: skip
        elif path.startswith("/api/models/"):
            body = json.dumps({"id": NAME, "sha": "a" * 40, "siblings": [{"rfilename": one} for one in FILES]}).encode()
        else:
            body = FILES.get(path.rpartition("/")[2], b"")
        self.send_response(200 if body else 404)
        headers = {"Content-Length": str(len(body)), "ETag": f'"{len(body)}"', "X-Repo-Commit": "a" * 40}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def hub() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def get(hub: str, data: Path, *options: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "HF_ENDPOINT": hub, "HF_HUB_OFFLINE": "0", "XDG_DATA_HOME": str(data)}
    command = [sys.executable, "-m", "curtain", "ear", "get", "tiny.en", *options]
    return subprocess.run(command, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL)


@pytest.mark.skipif(not models.is_installed(), reason="needs the group “ear”: tools/prepare.sh ear")
def test_a_model_is_fetched_once_and_says_before_what_it_is(hub: str, tmp_path: Path) -> None:
    asked = get(hub, tmp_path)
    assert asked.returncode and "78 MB" in asked.stderr and "licence MIT" in asked.stderr
    assert list(tmp_path.iterdir()) == []
    fetched = get(hub, tmp_path, "--yes")
    assert fetched.returncode == 0, fetched.stderr
    assert (tmp_path / "curtain" / "models" / "tiny.en" / "model.bin").read_bytes() == b"weights"
    again = get("http://127.0.0.1:9", tmp_path, "--yes")
    assert "is there already" in again.stdout
    lost = get("http://127.0.0.1:9", tmp_path / "other", "--yes")
    assert lost.returncode and "The model tiny.en did not come" in lost.stderr and "Traceback" not in lost.stderr
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").touch()
    for out, sentence in (("mine", "holds other files"), ("mine/notes.txt/new", "No model can be put into")):
        refused = get(hub, tmp_path, "--yes", "--out", str(tmp_path / out))
        assert refused.returncode == 2 and sentence in refused.stderr, refused.stderr
