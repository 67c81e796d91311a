"""Muninn beside what one would use instead: `run.sh` installs and builds what this needs, and starts it.

Without arguments everything is measured, and docs/performance.md gets the tables. With the names of some parts these are measured and told.
"""

import sys
import tempfile
from pathlib import Path

import appends
import network
import random_play
import report
import sql
from measure import PROFILE, WORK, say

PARTS = {"network": network, "random": random_play, "appends": appends, "sql": sql}


def main(wanted: list[str]) -> None:
    unknown = set(wanted) - PARTS.keys()
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; the parts are {', '.join(PARTS)}")
    lines = report.facts()
    # Beside the programs, so on a disk and not in memory.
    with tempfile.TemporaryDirectory(dir=WORK, prefix="data-") as folder:
        for name in wanted or PARTS:
            say(name)
            place = Path(folder) / name
            place.mkdir()
            lines += ["", *PARTS[name].measure(place)]
    print("\n".join(lines))
    if wanted or PROFILE != "release":
        say("nothing is written down: that takes all parts, and peers built for release")
    else:
        report.write(lines)


main(sys.argv[1:])
