"""The page in headless Chromium, with the gateway as a process: who gets in with a link, and who does not."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from curtain.base.python_process import module_command, module_environment
from curtain_browser.station import Gate

from .browsers import Chromium

pytestmark = [
    pytest.mark.stations,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium: tools/prepare.sh browser chromium"),
]
WAITS = "document.body.dataset.page && document.getElementById('waiting').textContent"
REFUSED = "!document.getElementById('page-gone').hidden && document.getElementById('gone').textContent"
ASKED = ["/page", "/wire.py", "/%2e%2e/gateway.py", "/main.js"]


@contextmanager
def gateway(name: str, spool: Path) -> Iterator[str]:
    """The gateway as a process; gives its link."""
    options = msgspec.json.encode(Gate(connect=name, spool=str(spool))).decode()
    command = module_command("curtain_browser.gateway", options)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=module_environment()) as process:
        assert process.stdin and process.stdout
        yield next(link for line in process.stdout if (link := json.loads(line).get("link")))
        process.stdin.close()
        process.stdout.read()


def test_a_link_lets_one_browser_in_also_when_loaded_anew_and_shows_another_one_nothing(tmp_path: Path) -> None:
    with gateway("nobody-listens", tmp_path / "spool") as link, Chromium(tmp_path / "invited") as subject:
        subject.go(link)
        assert subject.until(WAITS).startswith("Please wait")
        assert "#" not in subject.run("location.href") and subject.run("document.cookie") == ""
        with Chromium(tmp_path / "visitor") as visitor:
            visitor.go(link)
            assert visitor.until(REFUSED).startswith("This link has been used")
            got = f"Promise.all({ASKED}.map((one) => fetch(one).then((answer) => answer.status))).then(JSON.stringify)"
            assert json.loads(visitor.run(got)) == [403, 404, 404, 200]
        subject.go("about:blank")
        subject.go(link.partition("#")[0])
        assert subject.until(WAITS).startswith("Please wait")
