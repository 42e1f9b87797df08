"""What a session waits for: every figure beside the least it could cost, measured in the same run.

    python bench/latency.py [--turns 30] [--starts 7] [--network-turns 12]

Both stations play a rehearsal; the times come from their journals (one monotonic clock on one machine). The
floors are an empty Qt window and a bare local socket (bench/floors.py). Without a display, and with Xvfb
installed, a virtual one is used; otherwise Qt's offscreen platform.

The columns of the network: both stations in two rooms, over a network in user space that delays every byte by 0, 5, 20
or 80 ms each way, beside a raw TLS echo of the same bytes over the same network (there and back).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from size import high, sized
from two_rooms import delayed, figures, play_session, spans_of, tls_echo, write_noise

HERE = Path(__file__).resolve().parent
DELAYS_MS = (0, 5, 20, 80)
TAIL_MS = 300


def main() -> None:
    options = _options()
    with _display() as shown, tempfile.TemporaryDirectory(prefix="curtain-latency-") as scratch:
        print(f"display: {shown}; {options.turns} turns, {options.starts} starts of each program")
        turns = _rehearse(Path(scratch), options.turns)
        answered = [turn for turn in turns if turn["outcome"] == "answer"]
        label = _floor("label", str(len(turns)))
        echo = _floor("echo", str(len(turns)), str(_answer_bytes(turns)))
        rows = [
            ("release -> “one moment” painted", "key_up", "one_moment_painted", 0, label, "<= 200 ms"),
            ("end of tail -> heard whole at the wizard's", "key_up", "heard", TAIL_MS, None, "<= 300 ms"),
            ("query sent -> painted at the subject's", "query_sent", "query_painted", 0, echo, "<= 50 ms"),
            ("answer sent -> painted at the subject's", "answer_sent", "painted", 0, echo, "<= 50 ms"),
        ]
        for name, start, end, less, floor, goal in rows:
            print(_line(name, spans_of(answered, start, end, less), floor, goal))
        _report_networks(Path(scratch), options.network_turns)
        _report_starts(Path(scratch), options.starts)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=sized(30, 2))
    parser.add_argument("--starts", type=int, default=sized(7, 1))
    parser.add_argument("--network-turns", type=int, default=sized(12, 2))
    return parser.parse_args()


@contextmanager
def _display() -> Iterator[str]:
    if os.environ.get("DISPLAY"):
        yield "the one at hand"
    elif shutil.which("Xvfb"):
        command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1920x1080x24", "-noreset"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
            assert server.stdout
            os.environ["DISPLAY"] = f":{int(server.stdout.readline())}"
            os.environ.pop("QT_QPA_PLATFORM", None)
            try:
                yield "Xvfb 1920x1080"
            finally:
                server.terminate()
    else:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        yield "offscreen"


def _rehearse(scratch: Path, count: int) -> list[dict[str, Any]]:
    from curtain.rehearsal import player, stage
    from curtain.session.bundle.bundle import Bundle
    from curtain.session.turns.turns import read_turns

    write_noise(scratch / "noise.wav", 0.6, 1)
    script = scratch / "script.jsonl"
    script.write_text("\n".join(json.dumps(_step(number)) for number in range(count)), "utf-8")
    plan = stage.RehearsalPlan(script=script, domain="personnel", study=scratch / "study")
    bundle = player.play(plan, say=lambda _: None)
    return [turn.as_json() for turn in read_turns(Bundle(bundle))]


def _step(number: int) -> dict[str, Any]:
    few = "SELECT employee_id, last_name FROM employee WHERE department = 45"
    many = "SELECT employee_id, last_name, first_name, job_title, salary, street, city FROM employee"
    return {"audio": "noise.wav", "query": f"question number {number}", "sql": [many if number % 3 == 0 else few]}


def _floor(*what: str) -> list[float]:
    done = subprocess.run([sys.executable, str(HERE / "floors.py"), *what], capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))


def _answer_bytes(turns: list[dict[str, Any]]) -> int:
    return max(200 * 60 if (turn["table_total"] or 0) > 200 else 500 for turn in turns)


def _line(name: str, spans: list[float], floor: list[float] | None, goal: str) -> str:
    beside = f"floor {high(floor):6.1f} ms" if floor else "                "
    return (
        f"{name:46s} p95 {high(spans):7.1f} ms   median {statistics.median(spans):7.1f} ms   {beside}   wanted {goal}"
    )


def _report_networks(scratch: Path, turns: int) -> None:
    rows: dict[str, list[str]] = {
        "query sent -> painted at the subject's": [],
        "answer sent -> painted at the subject's": [],
        "end of tail -> heard at the wizard's": [],
        "raw TLS echo of an answer, there and back": [],
    }
    for delay in DELAYS_MS:
        folder = scratch / f"network-{delay}"
        folder.mkdir()
        network = delayed(delay)
        played = play_session(folder, network, turns, 0.6)
        columns = (
            spans_of(played, "query_sent", "query_painted"),
            spans_of(played, "answer_sent", "painted"),
            spans_of(played, "key_up", "heard", TAIL_MS),
            tls_echo(folder, network, turns),
        )
        for row, spans in zip(rows.values(), columns, strict=True):
            row.append(figures(spans))
    print(f"over a network, {turns} turns each; median (p95) in ms" + "".join(f"{d:>13d} ms" for d in DELAYS_MS))
    for name, row in rows.items():
        print(f"{name:55s}" + "  ".join(row))


def _report_starts(scratch: Path, count: int) -> None:
    from curtain.session.study.study import new_study

    study = new_study(scratch / "empty-study", "personnel", take_back_s=0).folder
    name = f"curtain-start-{os.getpid()}"
    commands = {
        "an empty window": [sys.executable, str(HERE / "floors.py"), "window"],
        "the subject's station": _station("subject", "--connect", name, "--spool", str(scratch / "spool")),
        "the wizard's station": _station("wizard", "--study", str(study), "--listen", name),
        "the home window": [sys.executable, "-m", "curtain_home", "--drive"],
    }
    taken: dict[str, list[float]] = {what: [] for what in commands}
    for _ in range(count):
        for what, command in commands.items():
            taken[what].append(_start_ms(command))
    floor = statistics.median(taken["an empty window"])
    for what, times in taken.items():
        middle = statistics.median(times)
        beside = f"p95 {high(times):7.0f} ms   {middle / floor:4.2f} x   wanted <= 2.5 x"
        print(f"start to first paint, {what:24s} median {middle:7.0f} ms   {beside}")


def _station(name: str, *options: str) -> list[str]:
    return [sys.executable, "-m", f"{name}_app", *options, "--drive"]


def _start_ms(command: list[str]) -> float:
    began = time.monotonic_ns()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout and process.stdin
        line = json.loads(process.stdout.readline())
        process.stdin.close()
    return (line["painted_ns"] - began) / 1e6


if __name__ == "__main__":
    main()
