"""Twenty questions about four games, answered from an export: `muninn export --data ./data --out ./tables`.

    pip install duckdb polars matplotlib
    python3 examples/analysis/questions.py ./tables --plots ./plots

Each question is one SELECT over the tables of docs/dictionary.md. The answers are printed, and plotted as one image per game.
"""

import argparse
import pathlib
import textwrap

import duckdb
import matplotlib
import polars

matplotlib.use("Agg")
import matplotlib.pyplot as plt

# Seats counted from the one that began: 0 began, 1 came next.
BY_TURN = """
    SELECT CASE turn WHEN 0 THEN 'begins' ELSE '+' || turn END AS seat, 100 * avg(won::INT) AS won
    FROM (SELECT (s.seat - m.start_seat + m.seat_count) % m.seat_count AS turn, s.won
          FROM seats s JOIN matches m USING (match_no) WHERE m.game = '{game}' AND m.seat_count = {seats})
    GROUP BY turn ORDER BY turn"""

# Ten parts of a match, by version.
TENTH = "least(1 + (10 * ({version} - 1)) // m.event_count, 10)"

# By game: the question, the SELECT with a label and a number in each row, and what the number is.
QUESTIONS = {
    "voluspa": [
        ("Which tile earns most points per play, with four seats?", """
            WITH plays AS (SELECT p.tile, count(*) AS plays FROM voluspa_tile_placed p JOIN matches m USING (match_no)
                           WHERE m.seat_count = 4 AND NOT p.taken_back GROUP BY p.tile),
                 points AS (SELECT a.tile, sum(a.points) AS points FROM voluspa_score_awarded a JOIN matches m USING (match_no)
                           WHERE m.seat_count = 4 AND NOT a.taken_back GROUP BY a.tile)
            SELECT tile, coalesce(points, 0) / plays AS points FROM plays LEFT JOIN points USING (tile) ORDER BY 2 DESC LIMIT 12""",
         "points per play"),
        ("Does the seat that begins win more often?", BY_TURN.format(game="voluspa", seats=4), "% won, four seats"),
        ("What are points given for?", """
            SELECT reason, 100.0 * sum(points) / sum(sum(points)) OVER () AS share
            FROM awards WHERE game = 'voluspa' AND NOT taken_back GROUP BY reason ORDER BY 2 DESC""", "% of all points"),
        ("When are points made?", f"""
            SELECT {TENTH.format(version="a.version")}::TEXT AS part, sum(points) / count(DISTINCT match_no) AS points
            FROM awards a JOIN matches m USING (match_no) WHERE m.game = 'voluspa' AND NOT a.taken_back
            GROUP BY part ORDER BY part::INT""", "points, by tenth of a match"),
        ("How do tiles come to the table?", """
            SELECT mode, 100.0 * count(*) / sum(count(*)) OVER () AS share FROM voluspa_tile_placed GROUP BY mode ORDER BY 2 DESC""",
         "% of plays"),
    ],
    "rosenkoenig": [
        ("Does the seat that begins win more often?", BY_TURN.format(game="rosenkoenig", seats=2), "% won"),
        ("How do matches end?", "SELECT reason, count(*)::DOUBLE AS n FROM rosenkoenig_match_finished GROUP BY reason ORDER BY 2 DESC",
         "matches"),
        ("Do winners spend more heroes?", """
            SELECT CASE WHEN s.won THEN 'winners' ELSE 'losers' END AS who, avg(coalesce(h.n, 0)) AS heroes
            FROM seats s LEFT JOIN (SELECT match_no, seat, count(*) AS n FROM rosenkoenig_hero_spent WHERE NOT taken_back
                                    GROUP BY ALL) h USING (match_no, seat)
            WHERE s.game = 'rosenkoenig' GROUP BY who ORDER BY who DESC""", "heroes per match"),
        ("How far does the crown move?", """
            SELECT greatest(abs(to_x - from_x), abs(to_y - from_y))::TEXT AS steps, 100.0 * count(*) / sum(count(*)) OVER () AS share
            FROM rosenkoenig_crown_moved GROUP BY steps ORDER BY steps""", "% of moves, by fields"),
        ("What is a stone worth?", """
            SELECT reason, avg(points) AS points FROM awards WHERE game = 'rosenkoenig' AND NOT taken_back
            GROUP BY reason ORDER BY 2 DESC""", "points per stone"),
    ],
    "copenhagen": [
        ("Does the seat that begins win more often?", BY_TURN.format(game="copenhagen", seats=3), "% won, three seats"),
        ("How do matches end?", "SELECT reason, count(*)::DOUBLE AS n FROM copenhagen_match_finished GROUP BY reason ORDER BY 2 DESC",
         "matches"),
        ("How large are the tiles that are built?", """
            SELECT coalesce(price_size::TEXT, 'special') AS size, 100.0 * count(*) / sum(count(*)) OVER () AS share
            FROM copenhagen_tile_placed GROUP BY size ORDER BY size""", "% of tiles, by squares"),
        ("What are points given for?", """
            SELECT reason, sum(points) / (SELECT count(*) FROM seats WHERE game = 'copenhagen') AS points
            FROM awards WHERE game = 'copenhagen' AND NOT taken_back GROUP BY reason ORDER BY 2 DESC""", "points per seat"),
        ("Which ability is used most?", """
            SELECT ability, count(*)::DOUBLE / (SELECT count(*) FROM matches WHERE game = 'copenhagen') AS n
            FROM copenhagen_ability_used WHERE NOT taken_back GROUP BY ability ORDER BY 2 DESC""", "uses per match"),
    ],
    "delphi": [
        ("How many rounds does a race take?", """
            SELECT (5 * (rounds // 5))::TEXT || '–' || (5 * (rounds // 5) + 4) AS rounds, count(*)::DOUBLE AS n
            FROM (SELECT match_no, max(round) AS rounds FROM delphi_round_ended GROUP BY match_no) GROUP BY rounds // 5 ORDER BY rounds // 5""",
         "matches"),
        ("Which tasks come first?", """
            SELECT kind, 100 * avg(t.version::DOUBLE / m.event_count) AS moment
            FROM delphi_task_fulfilled t JOIN matches m USING (match_no) GROUP BY kind ORDER BY 2""", "% of the match gone by"),
        ("How often is a monster beaten?", """
            SELECT strength::TEXT AS strength, 100 * avg(event_won::INT) AS won FROM delphi_battle_rolled GROUP BY delphi_battle_rolled.strength
            ORDER BY delphi_battle_rolled.strength""", "% of rolls, by strength"),
        ("Which god is called most?", """
            SELECT god, count(*)::DOUBLE / (SELECT count(*) FROM matches WHERE game = 'delphi') AS n
            FROM delphi_god_invoked GROUP BY god ORDER BY 2 DESC""", "calls per match"),
        ("Which equipment do winners have?", """
            SELECT card, 100 * avg(s.won::INT) AS won FROM delphi_equipment_taken e JOIN seats s USING (match_no, seat)
            GROUP BY card HAVING 20 * count(*) >= (SELECT count(*) FROM matches WHERE game = 'delphi') ORDER BY 2 DESC LIMIT 12""", "% of its owners won"),
    ],
}

COLOURS = {"voluspa": "#4b6a88", "rosenkoenig": "#a3393d", "copenhagen": "#c07f2c", "delphi": "#2f7d74"}


def tables(folder):
    """A view for each table; what has no matches yet has no files, and no view."""
    db = duckdb.connect()
    for path in sorted(pathlib.Path(folder).iterdir()):
        if path.is_dir() and next(path.rglob("*.parquet"), None):
            db.execute(f"CREATE VIEW {path.name} AS SELECT * FROM read_parquet('{path}/**/*.parquet', hive_partitioning = true)")
    return db


def check(db, folder):
    """Two readers, one answer; and every point is explained."""
    lazy = polars.scan_parquet(f"{folder}/events/**/*.parquet", hive_partitioning=True)
    counted = lazy.group_by("game", "event_type").len().sort("game", "event_type").collect().rows()
    asked = db.execute("SELECT game, event_type, count(*) FROM events GROUP BY ALL ORDER BY ALL").fetchall()
    assert counted == asked, "Polars and DuckDB read the same"
    wrong = db.execute("""
        SELECT count(*) FROM seats s JOIN matches m USING (match_no)
        LEFT JOIN (SELECT match_no, seat, sum(points) AS points FROM awards WHERE NOT taken_back GROUP BY ALL) a USING (match_no, seat)
        WHERE NOT m.loaded AND s.final_points <> coalesce(a.points, 0)""").fetchall()
    assert wrong == [(0,)], "the awards of a seat are its points"
    return sum(row[2] for row in asked)


def draw(axis, question, rows, unit, colour):
    labels, values = [str(row[0]).replace("_", " ") for row in rows], [float(row[1]) for row in rows]
    across = len(rows) > 6 and max(map(len, labels)) > 3
    if across:
        axis.barh(labels[::-1], values[::-1], color=colour)
    else:
        axis.bar(labels, values, color=colour, width=0.7)
    axis.set_title(textwrap.fill(question, 34), fontsize=10, loc="left", fontweight="bold")
    (axis.set_xlabel if across else axis.set_ylabel)(unit, fontsize=8)
    axis.tick_params(labelsize=8, length=0)
    if not across and max(map(len, labels)) > 8:
        axis.set_xticks(range(len(labels)), [textwrap.fill(label, 10) for label in labels], fontsize=7)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)
    axis.grid(axis="x" if across else "y", alpha=0.25)
    axis.set_axisbelow(True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="what `muninn export` wrote")
    parser.add_argument("--plots", default="plots", help="where the pictures go")
    arguments = parser.parse_args()
    plots = pathlib.Path(arguments.plots)
    plots.mkdir(parents=True, exist_ok=True)
    db = tables(arguments.folder)
    events = check(db, arguments.folder)
    print(f"{events} events; Polars and DuckDB agree, and every point is explained")
    for game, questions in QUESTIONS.items():
        matches, = db.execute("SELECT count(*) FROM matches WHERE game = ?", [game]).fetchall()[0]
        if not matches:
            continue
        figure, axes = plt.subplots(2, 3, figsize=(11, 6.4), layout="constrained")
        print(f"\n{game}: {matches} matches")
        for (question, select, unit), axis in zip(questions, axes.flat):
            rows = db.execute(select).fetchall()
            assert rows, question
            print(f"  {question} ({unit})")
            print("    " + ", ".join(f"{label} {value:.2f}" for label, value in rows))
            draw(axis, question, rows, unit, COLOURS[game])
        axes.flat[5].axis("off")
        axes.flat[5].text(0.02, 0.95, f"{game}\n{matches} matches", fontsize=15, va="top", color=COLOURS[game])
        figure.savefig(plots / f"{game}.png", dpi=72)
        plt.close(figure)


if __name__ == "__main__":
    main()
