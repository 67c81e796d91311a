"""Random play inside a process: OpenSpiel, shakmaty and `muninn simulate`, on one thread each."""

import re
from pathlib import Path

from measure import PEERS, PYTHON, SECONDS, Figure, in_turns, missing, muninn, ratio, run, table

HERE = Path(__file__).parent
OURS = {"rosenkoenig": "Rosenkönig", "voluspa": "Völuspá"}
SPIEL = {"backgammon": "backgammon", "hex": "hex, 11 × 11"}
SAID = re.compile(r"^(\d+) matches, (\d+) commands, ", re.MULTILINE)


def measure(folder: Path) -> list[str]:
    absent = missing("spiel")
    contestants = {}
    for game in OURS:
        check(game, folder / game)
        matches = enough(game)
        contestants[game] = lambda game=game, matches=matches: simulate(game, matches, len(contestants))
    contestants["chess"] = lambda: run(PEERS, "chess", SECONDS).json()
    for game in SPIEL if absent is None else ():
        contestants[game] = lambda game=game: run(PYTHON, HERE / "spiel.py", game, SECONDS).json()
    rounds = in_turns(contestants)
    rates = {name: Figure.of(rounds[name], "done", "cpu") for name in rounds}
    length = lambda name: f"{Figure.of(rounds[name], 'done', 'matches').middle:,.0f}"  # noqa: E731
    row = lambda name, text: [text, rates[name].told(), length(name), *(ratio(rates[name], rates[other]) for other in OURS)]  # noqa: E731
    rows = [row(game, f"Muninn, {title}") for game, title in OURS.items()]
    rows.append(row("chess", "shakmaty, chess"))
    rows += [row(game, f"OpenSpiel, {title}") if game in rates else [f"OpenSpiel, {title}", f"not installed: {absent}", "", "", ""]
             for game, title in SPIEL.items()]
    head = ["one thread, random play", "moves per CPU second", "moves a match", *(f"to Muninn's {title}" for title in OURS.values())]
    return ["### Random play in a process", "", *table(head, rows)]


def simulate(game: str, matches: int, seed: int) -> dict:
    done = muninn("simulate", "--game", game, "--matches", matches, "--threads", 1, "--seed", seed)
    played, commands = map(int, SAID.search(done.said).groups())
    assert played == matches and commands > matches, done.said
    return {"done": commands, "matches": played, "cpu": done.cpu}


def enough(game: str) -> int:
    """So many matches that they take about as long as the others."""
    matches = 200
    while (used := simulate(game, matches, 1)["cpu"]) < SECONDS / 8:
        matches *= 4
    return int(matches * SECONDS / used)


def check(game: str, folder: Path) -> None:
    """Does what is simulated follow the rules? Some matches are kept, and decided again."""
    muninn("simulate", "--game", game, "--matches", 20, "--keep", folder)
    said = muninn("verify", "--data", folder).said
    assert said.startswith("20 matches, ") and said.rstrip().endswith("nothing differs"), said
