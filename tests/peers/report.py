"""The generated part of docs/performance.md: written by `compare.py`, and checked by `report.py --check`."""

import datetime
import hashlib
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

from measure import PROFILE, PROGRAM, ROOT, ROUNDS, SECONDS, WORK

HERE = Path(__file__).resolve().parent
PAGE = ROOT / "docs/performance.md"
BEGIN, END = "<!-- tests/peers/run.sh writes from here on -->", "<!-- and up to here -->"
HASH = re.compile(r"SHA-256 of `tests/peers`: `([0-9a-f]{64})`")


def scripts_hash() -> str:
    """SHA-256 over the names and bytes of all files here."""
    digest = hashlib.sha256()
    for path in sorted(HERE.rglob("*")):
        if path.is_file() and not {"target", "node_modules", "__pycache__"} & set(path.parts[len(HERE.parts):]):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(HERE).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def first_line(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.splitlines()[0].strip()
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


def found(pattern: str, path: Path) -> str:
    match = re.search(pattern, path.read_text(), re.MULTILINE) if path.exists() else None
    return match[1].strip() if match else "unknown"


def disk() -> str:
    """The file system under the working folder, and what kind of disk it is on."""
    source, kind = (first_line("findmnt", "-no", what, "-T", str(WORK)) for what in ("SOURCE", "FSTYPE"))
    block = Path("/sys/class/block") / Path(source).name
    queue = next((path for path in (block / "queue", block.resolve().parent / "queue") if path.exists()), None)
    rotates = (queue / "rotational").read_text().strip() if queue else ""
    model = found(r"(.+)", queue.parent / "device/model") if queue else "unknown"
    spins = "virtual" if Path(source).name.startswith(("vd", "xvd")) else {"0": "does not rotate", "1": "rotates"}.get(rotates, "of unknown kind")
    return f"{source}, {kind}, {spins}" + (f", {model}" if model != "unknown" else "")


def facts() -> list[str]:
    versions = [f"{name} {found(pattern, HERE / path)}" for name, path, pattern in (
        ("boardgame.io", "boardgame/package.json", r'"boardgame.io": "(.+)"'), ("OpenSpiel", "spiel.txt", r"^open_spiel==(.+)$"),
        ("shakmaty", "Cargo.toml", r'^shakmaty = "=(.+)"'), ("sled", "Cargo.toml", r'^sled = "=(.+)"'), ("fjall", "Cargo.toml", r'^fjall = "=(.+)"'),
        ("redb", "Cargo.toml", r'^redb = "=(.+)"'), ("rusqlite", "Cargo.toml", r'^rusqlite = .*?"=([^"]+)"'),
        ("actix-web", "Cargo.toml", r'^actix-web = .*?"=([^"]+)"'), ("DuckDB", "duckdb.txt", r"^duckdb==(.+)$"))]
    program = hashlib.sha256(Path(PROGRAM).read_bytes()).hexdigest()[:12]
    commit = first_line("git", "rev-parse", "--short=12", "HEAD") + (" with changes" if first_line("git", "status", "--porcelain") != "unknown" else "")
    processor = found(r"^model name\s*:(.+)$", Path("/proc/cpuinfo"))
    memory = int(found(r"^MemTotal:\s+(\d+)", Path("/proc/meminfo"))) / (1 << 20)
    lines = [
        f"* Measured on {datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M} UTC: medians of {ROUNDS} rounds in turns, {SECONDS:g} seconds each"
        f" (least to most of the rounds in brackets). Load before it began: {os.getloadavg()[0]:.1f}.",
        f"* Machine: {processor}, {os.cpu_count()} cores, {memory:.0f} GiB; Linux {platform.release()};"
        f" disk: {disk()}.",
        f"* Muninn: `{first_line(PROGRAM, '--version')}`, tree at {commit}, program `{program}`; {first_line('rustc', '--version')}; Node"
        f" {first_line('node', '--version')}; Python {platform.python_version()}.",
        f"* Peers: {', '.join(versions)}.",
        f"* SHA-256 of `tests/peers`: `{scripts_hash()}`.",
    ]
    if PROFILE != "release":
        lines.insert(0, f"* **The peers in Rust were built with the profile `{PROFILE}`: these figures mean nothing.**")
    return lines


def write(lines: list[str]) -> None:
    before, rest = PAGE.read_text().split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(before + "\n".join([BEGIN, "", *lines, "", END]) + after)


def check() -> int:
    """Were the tables made by these scripts?"""
    noted, now = HASH.search(PAGE.read_text()), scripts_hash()
    if noted is None:
        print("docs/performance.md has no measured tables: run tests/peers/run.sh")
    elif noted[1] != now:
        print(f"docs/performance.md was measured by other scripts: {noted[1]} there, {now} here. Run tests/peers/run.sh")
    else:
        print("docs/performance.md was measured by these scripts")
        return 0
    return 1


if __name__ == "__main__":
    if sys.argv[1:] != ["--check"]:
        sys.exit("usage: report.py --check")
    sys.exit(check())
