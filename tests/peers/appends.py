"""Durable appends: Muninn's store, and what else could keep its commits."""

import json
import shutil
import urllib.request
from pathlib import Path

from measure import NO_LIMITS, PEERS, PROGRAM, SECONDS, Figure, in_turns, muninn, ratio, run, server, table

ENGINES = {"file": "a file that is filled ahead, `fdatasync`", "sled": "sled", "fjall": "fjall", "redb": "redb", "sqlite": "SQLite", "muninn": "Muninn's store"}
WRITERS = (1, 64)
WARM = 0.5


def measure(folder: Path) -> list[str]:
    records = folder / "records"
    gather(folder / "data", records)
    contestants = {(engine, writers): lambda engine=engine, writers=writers: append(engine, writers, folder / "log", records)
                   for writers in WRITERS for engine in ENGINES}
    rounds = in_turns(contestants)
    size = rounds["muninn", 1][0]["record_bytes"]
    lines = []
    for writers in WRITERS:
        rates = {engine: Figure.of(rounds[engine, writers], "done", "seconds") for engine in ENGINES}
        rows = []
        for engine, text in ENGINES.items():
            of = lambda name, *more: Figure.of(rounds[engine, writers], name, *more)  # noqa: B023, E731
            rows.append([text, rates[engine].told(), of("cpu", "done", 1e6).told(), of("p50").told(), of("p99").told(),
                         f"{of('disk_bytes').middle:,.0f}", ratio(rates["muninn"], rates[engine])])
        who = "one writer" if writers == 1 else f"{writers} writers"
        head = [f"{who}, records of {size:,} bytes", "appends per second", "CPU µs each", "p50, µs", "p99, µs", "bytes on disk", "Muninn's store to it"]
        lines += ["", f"### Durable appends, {who}", "", *table(head, rows)]
    return lines[1:]


def append(engine: str, writers: int, folder: Path, records: Path) -> dict:
    shutil.rmtree(folder, ignore_errors=True)
    done = run(PEERS, "append", engine, writers, WARM, SECONDS, folder, records).json()
    assert done["read_again"] >= writers, done
    shutil.rmtree(folder)
    return done


def gather(data: Path, records: Path) -> None:
    """Commits of real matches as the records, without the hashes, which are a record's own business."""
    muninn("simulate", "--game", "rosenkoenig", "--matches", 40, "--keep", data)
    with server(PROGRAM, "serve", "--listen", "127.0.0.1:0", "--data", data, "--log", "error", **NO_LIMITS) as (address, _), records.open("w") as out:
        ask = lambda path: json.load(urllib.request.urlopen(f"http://{address}/v1/matches{path}"))["items"]  # noqa: E731
        for match in ask("?status=finished"):
            for commit in ask(f"/{match['match']}/commits?limit=1000"):
                kept = {name: value for name, value in commit.items() if name not in ("hash", "prev_hash")}
                out.write(json.dumps(kept, separators=(",", ":"), ensure_ascii=False) + "\n")
