"""The same questions to `muninn query` and, over the files of `muninn export`, to DuckDB."""

import csv
import io
import os
from pathlib import Path

from measure import PYTHON, Figure, in_turns, missing, muninn, ratio, run, table

HERE = Path(__file__).parent
MATCHES = int(os.environ.get("PEERS_MATCHES", 4000))
QUESTIONS = {
    "nothing: the start of the process": "SELECT 1 AS one",
    "events by game and type": "SELECT game, event_type, count(*) AS events FROM events GROUP BY game, event_type ORDER BY game, event_type",
    "points by reason": "SELECT game, reason, count(*) AS awards, sum(points) AS points, min(points) AS least, max(points) AS most"
                        " FROM awards WHERE NOT taken_back GROUP BY game, reason ORDER BY game, reason",
    "draws by kind and number of candidates": "SELECT draw_kind, candidates, count(*) AS draws, sum(drawn_index) AS sum FROM draws"
                                              " GROUP BY draw_kind, candidates ORDER BY draw_kind, candidates",
    "legal commands by number of seats, a join": "SELECT matches.game, seat_count, command_type, count(*) AS commands, sum(legal_before) AS legal FROM commands"
                                                 " JOIN matches USING (match_no) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
}


def measure(folder: Path) -> list[str]:
    absent = missing("duckdb")
    data, tables = folder / "data", folder / "tables"
    for game, seats, matches in (("rosenkoenig", 2, MATCHES), ("voluspa", 3, max(1, MATCHES // 4))):
        muninn("simulate", "--game", game, "--seats", seats, "--matches", matches, "--keep", data)
    exported = muninn("export", "--data", data, "--out", tables)
    filled = muninn("query", "--data", data, "SELECT 1 AS one")
    ours = lambda sql: muninn("query", "--data", data, "--format", "csv", sql)  # noqa: E731
    duck = lambda sql: run(PYTHON, HERE / "duck.py", tables, sql)  # noqa: E731
    contestants = {}
    for question, sql in QUESTIONS.items():
        contestants["Muninn", question] = lambda sql=sql: ours(sql)
        if absent is None:
            contestants["DuckDB", question] = lambda sql=sql: duck(sql)
    rounds = in_turns(contestants)
    rows = []
    for question in QUESTIONS:
        mine = Figure([done.cpu for done in rounds["Muninn", question]])
        if absent is not None:
            rows.append([question, mine.told(2), f"not installed: {absent}", ""])
            continue
        same(rounds, question)
        theirs = Figure([done.cpu for done in rounds["DuckDB", question]])
        rows.append([question, mine.told(2), theirs.told(2), ratio(theirs, mine)])
    head = ["CPU seconds of the whole process", "`muninn query`", "DuckDB over the export", "DuckDB's to Muninn's"]
    return ["### Questions in SQL", "", *table(head, rows), "",
            f"Made before: {exported.said.split(' in ')[0]}. The export took {exported.cpu:.1f} CPU seconds, and filling the tables of `muninn query`"
            f" {filled.cpu:.1f}."]


def same(rounds: dict, question: str) -> None:
    """Do both answer the same, every time?"""
    rows = lambda done: list(csv.reader(io.StringIO(done.said)))  # noqa: E731
    first = rows(rounds["Muninn", question][0])
    assert len(first) > 1, first
    for who in ("Muninn", "DuckDB"):
        for done in rounds[who, question]:
            assert rows(done) == first, (who, question, rows(done), first)
