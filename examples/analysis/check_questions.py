"""Runs questions.ipynb, and checks its answers: from every source the same, and from a server those of `GET /v1/stats/{game}`.

    pip install 'muninn[notebook]' nbclient
    python3 examples/analysis/check_questions.py ./tables                                    # what `muninn export` wrote
    python3 examples/analysis/check_questions.py ./tables --sql ./data                       # the same by the SQL of the folder `sql`, with `muninn query`
    python3 examples/analysis/check_questions.py http://127.0.0.1:8080 --players people mixed --play 4

`--play N` first plays N matches of Rosenkönig in which something is taken back on that server, which wants no limits then.
"""

import argparse
import base64
import json
import os
import pathlib
import random
import subprocess
import tempfile
import time
import urllib.request

import muninn
import nbclient
import nbformat
from muninn import models as m

NOTEBOOK = pathlib.Path(__file__).with_name("questions.ipynb")
QUESTIONS = {str(number) for number in range(1, 13)}
SQL = NOTEBOOK.with_name("sql")
# What tells the rows of an answer apart.
KEYS = "game seats turn_order option value reason rule kind move tenth table what players".split()


def play(address, matches):
    """People who take back their first command, and go on by chance."""
    dice = random.Random(7)
    with muninn.Muninn(address) as client:
        for _ in range(matches):
            seats = [m.SeatRequest(name="Ada"), m.SeatRequest(name="Ben")]
            options = m.RosenkoenigOptions(start=m.RosenkoenigStart.RED, light=True)
            opened = client.open(m.RosenkoenigOpenRequest(game="rosenkoenig", seats=seats, options=options))
            ada, ben = opened.seats
            ada.submit(ada.legal().options[0].command)
            ada.take_back()
            while True:
                info = ada.info()
                if info.status != m.Status.RUNNING:
                    break
                seat = (ada, ben)[info.active_seat]
                seat.submit(dice.choice(seat.legal().options).command)


def run(source, players, folder, charts):
    """Runs the notebook. Returns the answers; the charts go to a folder, if there is one."""
    notebook = nbformat.read(NOTEBOOK, 4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code), "the notebook is kept without its outputs"
    answers = pathlib.Path(folder, "answers.json")
    cache = pathlib.Path(folder, "cache")
    os.environ |= {"MUNINN_TABLES": source, "MUNINN_PLAYERS": players, "MUNINN_ANSWERS": str(answers), "MUNINN_CACHE": str(cache)}
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    outputs = [output for cell in code for output in cell.outputs]
    told = json.loads(answers.read_text())
    assert set(told["answers"]) == QUESTIONS, told["answers"].keys()
    pictures = [output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    for number, picture in enumerate(pictures if charts else [], 1):
        pathlib.Path(charts, f"{number:02}.png").write_bytes(base64.b64decode(picture))
    boards = sum("image/svg+xml" in output.get("data", {}) for output in outputs)
    slowest = max(told["seconds"].values())
    print(f"{source}, {players}: {sum(map(len, told['answers'].values()))} rows, {len(pictures)} charts, {boards} boards, the slowest answer took {slowest:.2f} s")
    return told["answers"]


def same(one, other, place, apart=1e-9):
    if isinstance(one, float) and isinstance(other, (int, float)):
        assert abs(one - other) <= apart * max(1, abs(other)), f"{place}: {one} and {other}"
    elif isinstance(one, list) and isinstance(other, list):
        assert len(one) == len(other), f"{place}: {len(one)} and {len(other)} rows"
        for number, (mine, theirs) in enumerate(zip(one, other)):
            same(mine, theirs, f"{place}[{number}]")
    elif isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys(), place
        for key in one:
            same(one[key], other[key], f"{place}.{key}")
    else:
        assert one == other, f"{place}: {one} and {other}"


def as_sql(program, data, players, answers, patience):
    """The questions of the folder `sql` beside the notebook: the same rows, and the same figures where both have them."""
    played, compared, slowest = SQL.joinpath("played.sql").read_text(), 0, 0
    for path in sorted(SQL.glob("[01]*.sql")):
        began = time.perf_counter()
        asked = [program, "query", "--data", data, "--param", f"players={players}", "--format", "ndjson"]
        told = subprocess.run(asked, input=played + path.read_text(), stdout=subprocess.PIPE, text=True, check=True)
        seconds = time.perf_counter() - began
        slowest = max(slowest, seconds)
        if patience:
            print(f"{path.name}: {seconds:.2f} s")
        key = lambda row: tuple(str(row.get(name)) for name in KEYS if name in row)
        rows = {key(row): row for row in map(json.loads, told.stdout.splitlines())}
        number = str(int(path.name[:2]))
        known = [{name: value for name, value in row.items() if value is not None} for row in answers[number]]
        left_out = {"5": lambda row: row["kind"] == "luck", "11": lambda row: row["what"] != "taken back", "12": lambda row: row["what"] in ("private", "closed")}
        known = [row for row in known if not left_out.get(number, lambda row: False)(row)]
        if number == "2":
            # The notebook compares each value with the usual one, the SQL shows all.
            assert len(rows) >= len(known), (path.name, len(rows), len(known))
        else:
            assert len(rows) == len(known), (path.name, len(rows), len(known))
        names = set().union(*rows.values())
        for row in known:
            mine = rows[tuple(str(row.get(name)) for name in KEYS if name in names)]
            both = [name for name in row if name in mine and mine[name] is not None and not (number == "2" and name in ("start_seat", "length"))]
            assert both, (path.name, row, mine)
            # What nobody did is 0 in both.
            assert number != "11" or "much" in both, (path.name, row, mine)
            same([row[name] for name in both], [mine[name] for name in both], f"{path.name} {mine}")
            compared += len(both)
    assert not patience or slowest < patience, f"the slowest took {slowest:.2f} s"
    print(f"{data}, {players}: {compared} figures by SQL are those of the notebook, the slowest answer took {slowest:.2f} s")


def explained(source, folder):
    """DuckDB and Polars read the same, and every point is explained: by awards, and in the last state."""
    with muninn.open(source, cache=pathlib.Path(folder, "cache")) as tables:
        lazy = tables.polars("events").group_by("game", "event_type").len().sort("game", "event_type").collect().rows()
        assert lazy == tables.sql("SELECT game, event_type, count(*) FROM events GROUP BY ALL ORDER BY ALL").fetchall()
        seats = tables.sql("""
            SELECT count(*), count(*) FILTER (final_points <> coalesce(a.points, 0)), count(*) FILTER (final_points <> scores[s.seat + 1])
            FROM seats s JOIN matches m USING (match_no)
            JOIN (SELECT match_no, arg_max(scores, commit_no) AS scores FROM states GROUP BY match_no) USING (match_no)
            LEFT JOIN (SELECT match_no, seat, sum(points) AS points FROM awards WHERE NOT taken_back GROUP BY ALL) a USING (match_no, seat)
            WHERE NOT m.loaded""").fetchall()[0]
        assert seats[0] and seats[1:] == (0, 0), seats


def as_served(address, players, answers):
    """Questions 1, 3 and 12 beside the statistics of the server."""
    compared = 0
    with urllib.request.urlopen(f"{address}/v1/games") as answer:
        games = [game["id"] for game in json.load(answer)["items"]]
    for game in games:
        told = {"complete": False}
        while not told["complete"]:
            with urllib.request.urlopen(f"{address}/v1/stats/{game}?players={players}") as answer:
                told = json.load(answer)["finished"]
        counted = [row["n"] for row in answers["12"] if row["game"] == game and row["what"] == "counted" and players in ("all", row["players"])]
        assert sum(counted) == told["matches"], (game, counted, told["matches"])
        for table in told["tables"]:
            place = f"{game} with {table['seats']}"
            seats = [row for row in answers["1"] if (row["game"], row["seats"]) == (game, table["seats"])]
            assert len(seats) == (table["seats"] if table["start_seat"]["n"] else 0), place
            for row in seats[:1]:
                assert row["turn_order"] == 0, place
                known = table["start_seat"]
                same([row["n"], row["share"], row["low"], row["high"]], [known["n"], known["rate"], known["low"], known["high"]], place)
            (row,) = [row for row in answers["3"] if (row["game"], row["seats"]) == (game, table["seats"])]
            known = table["commands"]
            names = {"n": "n", "mean": "mean", "low": "low", "high": "high", "quarter": "lower_quartile", "median": "median", "three_quarters": "upper_quartile"}
            same([row[mine] for mine in names], [known[theirs] for theirs in names.values()], place)
            compared += 1
    print(f"{address}, {players}: as its statistics say, of {compared} kinds of tables")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", metavar="SOURCE")
    parser.add_argument("--players", nargs="+", default=["people"])
    parser.add_argument("--play", type=int, default=0)
    parser.add_argument("--charts", help="a folder for the charts")
    parser.add_argument("--sql", metavar="DATA", help="ask `muninn query` of this folder of a store as well")
    parser.add_argument("--program", default="muninn", help="where `muninn` is")
    parser.add_argument("--patience", type=float, help="seconds that an answer by SQL may take")
    asked = parser.parse_args()
    if asked.play:
        play(asked.sources[0], asked.play)
    for players in asked.players:
        first = None
        for source in asked.sources:
            with tempfile.TemporaryDirectory() as folder:
                answers = run(source, players, folder, asked.charts)
                explained(source, folder)
            if source.startswith("http"):
                as_served(source, players, answers)
            # A folder does not know of matches that were closed.
            answers["12"] = [row for row in answers["12"] if row["what"] != "closed"]
            first = first or answers
            same(answers, first, f"{source}, {players}")
        if asked.sql:
            as_sql(asked.program, asked.sql, players, first, asked.patience)
        if asked.play and players == "people":
            (row,) = [row for row in first["11"] if row["what"] == "taken back"]
            assert row["some"] >= asked.play, row


if __name__ == "__main__":
    main()
