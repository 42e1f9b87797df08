"""A distribution that plugs drafters in, as a lab would install it: a module and its dist-info."""

import os
from pathlib import Path

import pytest

TOY = '''
import itertools, json, os, threading
from curtain_drafts.drafting.values import Draft
from curtain.ports.companion import Companion

HOSTILE = [
    "DROP TABLE employee", "SELECT 1; DROP TABLE employee", "SELECT * FROM read_csv('/etc/passwd')", "SELECT (((",
    "SELECT getenv('HOME')", "ATTACH 'x.db'", "SELECT * FROM employees_of_others", "hello", "SELECT now()",
    "SELECT salary + first_name FROM employee", "SELECT city FROM employee",
]


def wait_for(path):
    """Until the file is there: no test can set an event in this process."""
    while not os.path.exists(path):
        threading.Event().wait(0.005)


class Toy:
    """Does what the question says; else gives what it has learnt."""

    def __init__(self, options):
        self.options = options
        self.known = {}

    def drafts(self, request):
        said = request.question
        if said == "hang":
            threading.Event().wait()
        if said == "die":
            os._exit(3)
        if said == "exit":
            raise SystemExit(3)
        if said == "raise":
            raise ValueError("no luck\\ntoday")
        if said == "rubbish":
            return [None, 5, "SELECT 1", Draft(5, "x"), Draft("", 1.0), Draft("SELECT '\\ud800'", 0.5),
                    Draft("SELECT 7", 1),
                    Draft("SELECT 8", float("nan"), (), ((0, 4), (3, 900)), "a\\nb" * 500)]
        if said == "nothing":
            return None
        if said == "hostile":
            return [Draft(sql, 0.9) for sql in HOSTILE]
        if said == "endless":
            return (Draft(f"SELECT {number}", 0.5) for number in itertools.count())
        if said == "loud":
            print("{}" * 1000, flush=True)
            return [Draft(f"SELECT '{input('?') if False else os.read(0, 10).decode()}'", 0.5)]
        if said == "variable":
            return [Draft(f"SELECT '{os.environ.get('TOY_SECRET', 'unset')}'", 0.5)]
        if said.startswith("until "):
            wait_for(said.removeprefix("until "))
            said = "mine"
        # What each drafter is to say, and the file that it waits for before.
        mine = json.loads(said).get(self.options.get("me"), {}) if said.startswith("{") else self.options
        if said == "mine" or said.startswith("{"):
            if mine.get("gate"):
                wait_for(mine["gate"])
            return [Draft(sql, float(number)) for sql, number in mine.get("says", {}).items()]
        return [Draft(sql, 0.5) for question, sql in self.known.values() if question == said]

    def learn(self, example):
        self.known[example.id] = (example.question, example.sql)

    def withdraw(self, example_id):
        self.known.pop(example_id, None)


def make(pack, db_path, options):
    assert db_path.is_file() and pack.tables
    if options.get("starts"):
        with open(options["starts"], "a") as file:
            file.write("started\\n")
    if options.get("broken"):
        raise RuntimeError("the model is missing")
    if options.get("stuck"):
        threading.Event().wait()
    if "loads_with" in options:
        wait_for(options["loads_with"])
    return Toy(options)


COMPANION = Companion(name="toys", about="Toys.", drafters=OFFERED)
'''


def plug_in(folder: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...] = ("toy", "other")) -> None:
    """Installs the toy under these names for the processes that are started from now on."""
    info = folder / "toy_drafter-1.0.dist-info"
    info.mkdir(parents=True)
    offered = {name: "toy_drafter:make" for name in names}
    (folder / "toy_drafter.py").write_text(TOY.replace("OFFERED", repr(offered)), "utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-drafter\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text("[curtain.companions]\ntoys = toy_drafter:COMPANION\n", "utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")])))
