#!/usr/bin/env python3
"""What became slower or faster: runs the short benches and compares their figures with those of tests/benches/baseline.json.

    tests/bench_check.py [BENCH ...]          compares all benches, or these
    tests/bench_check.py --write [BENCH ...]  measures them, and writes their figures into the file

The exit code is 1 if something is slower by more than 15 %, or a figure of the file is measured no longer; 3 if the only finding is that
figures are not in the file, and were compared with nothing; else 0.

A figure is a ratio to something that was measured in the same run: the rules of a game to a piece of work that never changes, the store to
bare sled, the server to its store and to a bare handler. So the file says the same on a slow machine and on a fast one, as far as their
processors weigh the same. Nothing else should run meanwhile. What moved once is measured once more before it is told.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASELINE = ROOT / "tests/benches/baseline.json"
MOVED = 0.15
BENCHES = {
    "games": ["-p", "catalog"],
    "store": ["-p", "store"],
    "http": ["-p", "acceptance", "--bench", "http"],
}


def measured(bench):
    """The figures of a bench, by name."""
    with tempfile.TemporaryDirectory() as folder:
        figures = pathlib.Path(folder, "figures")
        environment = dict(os.environ, BENCH_FIGURES=str(figures))
        subprocess.run(["cargo", "bench", "--locked", *BENCHES[bench]], cwd=ROOT, env=environment, check=True)
        lines = map(json.loads, figures.read_text().splitlines())
        return {f"{bench}: {line['name']}": line["ratio"] for line in lines}


def moves(figures, baseline):
    """By how much each figure that moved too far is another: 0.2 is a fifth faster."""
    changes = {name: figures[name] / baseline[name] - 1 for name in figures if name in baseline}
    return {name: change for name, change in changes.items() if abs(change) > MOVED}


def ending(slower, gone, new):
    """The exit code, by how many figures are slower, gone and new.

    >>> [ending(0, 0, 0), ending(1, 0, 0), ending(0, 1, 0), ending(0, 0, 24), ending(1, 0, 24)]
    [0, 1, 1, 3, 1]
    """
    return 1 if slower or gone else 3 if new else 0


def write(chosen, figures):
    known = json.loads(BASELINE.read_text()) if BASELINE.exists() else {"measured": {}, "figures": {}}
    figures |= {name: ratio for name, ratio in known["figures"].items() if name.split(":")[0] not in chosen}
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True).strip()
    said = {
        "measured": known["measured"] | dict.fromkeys(chosen, {"commit": commit, "date": datetime.date.today().isoformat()}),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        "figures": {name: float(f"{ratio:.4g}") for name, ratio in sorted(figures.items())},
    }
    BASELINE.write_text(json.dumps(said, indent=2, ensure_ascii=False) + "\n")
    print(f"{len(figures)} figures are in {BASELINE.relative_to(ROOT)}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("benches", nargs="*", metavar="BENCH", help=", ".join(BENCHES))
    arguments.add_argument("--write", action="store_true", help="write the figures into the baseline")
    wished = arguments.parse_args()
    unknown = set(wished.benches) - set(BENCHES)
    if unknown:
        arguments.error(f"no such bench: {', '.join(unknown)}")
    chosen = wished.benches or list(BENCHES)

    if wished.write:
        return write(chosen, {name: ratio for bench in chosen for name, ratio in measured(bench).items()})
    if not BASELINE.exists():
        arguments.error("there is no baseline to compare with; --write makes one")
    baseline = json.loads(BASELINE.read_text())["figures"]
    told, gone, new = {}, set(), set()
    for bench in chosen:
        figures = measured(bench)
        if moved := moves(figures, baseline):
            again = measured(bench)
            told |= {name: change for name, change in moves(again, baseline).items() if name in moved}
        expected = {name for name in baseline if name.startswith(f"{bench}: ")}
        gone |= expected - set(figures)
        new |= set(figures) - expected
    for name, change in sorted(told.items(), key=lambda item: item[1]):
        print(f"{'slower' if change < 0 else 'faster'} by {abs(change):4.0%}: {name}")
    for name in sorted(gone):
        print(f"gone: {name}")
    for name in sorted(new):
        print(f"new:  {name}")
    slower = sum(change < 0 for change in told.values())
    print(f"{slower} figures are slower by more than {MOVED:.0%}, {len(told) - slower} faster, {len(gone)} gone")
    if new:
        print(f"{len(new)} figures are not in the file, so they were compared with nothing; --write puts them there")
    sys.exit(ending(slower, len(gone), len(new)))


if __name__ == "__main__":
    main()
