"""Processes, what they use of the processor, and rounds in turns."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = Path(os.environ.get("PEERS_WORK", ROOT / "target/peers"))
PROGRAM = os.environ.get("MUNINN_PROGRAM", str(ROOT / "target/release/muninn"))
PROFILE = os.environ.get("PEERS_PROFILE", "release")
PEERS = str(WORK / "cargo" / ("debug" if PROFILE == "dev" else PROFILE) / "peers")
PYTHON = str(WORK / "venv/bin/python")
NODE = WORK / "node"
SECONDS = float(os.environ.get("PEERS_SECONDS", 4))
ROUNDS = int(os.environ.get("PEERS_ROUNDS", 5))

# All players come from one address.
NO_LIMITS = {f"MUNINN_{name}": "0" for name in (
    "RATE_LIMIT_ADDRESS", "RATE_LIMIT_TOKEN", "CONNECTIONS_PER_ADDRESS", "STREAMS_PER_ADDRESS", "MATCHES_PER_ADDRESS", "LIVE_MATCHES")}


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def missing(peer: str) -> str | None:
    """Why a peer could not be installed, if it could not."""
    reason = WORK / "missing" / peer
    return reason.read_text().strip() or "it says nothing" if reason.exists() else None


class Done:
    """A process that has ended well: what it said, and the processor time of it and its children, in seconds."""

    def __init__(self, command: list[str], **environment: str):
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(command, stdout=out, stdin=subprocess.DEVNULL, env=os.environ | environment)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            self.said = out.read().decode()
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}\n{self.said}")
        self.cpu = used.ru_utime + used.ru_stime

    def json(self) -> dict:
        return json.loads(self.said.splitlines()[-1])


def run(*command: object, **environment: str) -> Done:
    return Done([str(word) for word in command], **environment)


def muninn(*command: object) -> Done:
    return run(PROGRAM, *command)


@contextmanager
def server(*command: object, **environment: str):
    """A process that says where it listens: its address and its id."""
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True, env=os.environ | environment)
    try:
        line = process.stdout.readline()
        if "http://" not in line:
            raise SystemExit(f"{command}: it does not start: {line}")
        yield line.split("http://")[1].strip(), process.pid
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def in_turns(contestants: dict) -> dict[object, list]:
    """What each of them measures, round by round: whatever else the machine does then is done to all."""
    results = {name: [] for name in contestants}
    for number in range(ROUNDS):
        for name, measure in contestants.items():
            say(f"  round {number + 1} of {ROUNDS}: {name if isinstance(name, str) else ', '.join(map(str, name))}")
            results[name].append(measure())
    return results


class Figure:
    """Rounds of one figure. What counts is the one in the middle."""

    def __init__(self, values: list[float]):
        self.values, self.middle = values, statistics.median(values)

    @classmethod
    def of(cls, rounds: list[dict], name: str, by: str | None = None, times: float = 1) -> "Figure":
        return cls([times * one[name] / (one[by] if by else 1) for one in rounds])

    def told(self, digits: int = 0) -> str:
        number = lambda value: f"{value:,.{digits}f}"  # noqa: E731
        return f"{number(self.middle)} ({number(min(self.values))} to {number(max(self.values))})"


def ratio(ours: Figure, theirs: Figure) -> str:
    times = ours.middle / theirs.middle
    return f"{times:.1f}" if times >= 9.95 else f"{times:.2f}"


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]
