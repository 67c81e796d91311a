"""Tables with random players over the network: boardgame.io, Muninn, and actix-web that only answers."""

from contextlib import ExitStack
from pathlib import Path

from measure import NO_LIMITS, NODE, PEERS, PROGRAM, SECONDS, Figure, in_turns, missing, muninn, ratio, run, server, table

TABLES = 32
WARM = max(1.0, SECONDS / 4)
MOST_COMMANDS = 120
STONES = 52


def measure(folder: Path) -> list[str]:
    absent = missing("boardgame")
    with ExitStack() as stack:
        ours = stack.enter_context(server(PROGRAM, "serve", "--listen", "127.0.0.1:0", "--data", folder / "tables", "--log", "error", **NO_LIMITS))
        # How large an answer is; and a first round that does not count, for what is compiled or read only when it is used.
        size = players("post", ours)["answer_bytes"]
        bare = stack.enter_context(server(PEERS, "bare", size))
        contestants = {
            "Muninn, list and command": lambda: players("list", ours),
            "Muninn, command": lambda: players("post", ours),
            "Muninn, command and streams": lambda: players("live", ours),
            "actix-web": lambda: players("bare", bare),
        }
        if absent is None:
            io = stack.enter_context(server("node", NODE / "server.mjs", NODE_ENV="production"))
            script_players(io)
            contestants = {"boardgame.io": lambda: script_players(io)} | contestants
        rounds = in_turns(contestants)
    for name in rounds.keys() - {"actix-web"}:
        check([final for one in rounds[name] for final in one["finals"]])
    moves = sum(one["done"] for name in rounds if name.startswith("Muninn") for one in rounds[name])
    verify(folder / "tables", moves)
    return told(rounds, size, absent)


def players(how: str, where: tuple[str, int]) -> dict:
    return run(PEERS, "players", how, *where, TABLES, WARM, SECONDS).json()


def script_players(where: tuple[str, int]) -> dict:
    played = run("node", NODE / "players.mjs", f"http://{where[0]}", where[1], TABLES, WARM, SECONDS).json()
    return played | {"done": played["moves"]}


def check(finals: list[dict]) -> None:
    """Were the matches played to their end? The points are counted again here, from the boards."""
    assert finals, "no match was played to its end: take more seconds"
    for final in finals:
        board = "".join(final["board"])
        stones = len(board) - board.count(".")
        assert len(board) == 81 and 0 < final["commands"] <= MOST_COMMANDS, final
        assert final["reason"] == ("last_stone" if stones == STONES else "blocked"), final
        assert final["points"] == [points(board, "r"), points(board, "w")], final


def points(board: str, color: str) -> int:
    """The squares of the sizes of the areas, by joining fields until nothing changes (R-60, R-61)."""
    area = {field: field for field in range(81) if board[field] == color}
    changed = True
    while changed:
        changed = False
        for field in area:
            for other in ([field + 1] if field % 9 < 8 else []) + [field + 9]:
                if other in area and area[field] != area[other]:
                    area[field] = area[other] = min(area[field], area[other])
                    changed = True
    labels = list(area.values())
    return sum(labels.count(label) ** 2 for label in set(labels))


def verify(folder: Path, moves: int) -> None:
    """Is all that was counted in the store, and right?"""
    said = muninn("verify", "--data", folder).said.splitlines()[-1]
    commits = int(said.split(" matches, ")[1].split(" commits")[0])
    assert said.endswith("nothing differs") and commits >= moves, said


def told(rounds: dict, size: int, absent: str | None) -> list[str]:
    per_cpu = {name: Figure.of(rounds[name], "done", "cpu") for name in rounds}
    per_second = {name: Figure.of(rounds[name], "done", "seconds") for name in rounds}
    beside = lambda name, other: ratio(per_cpu[name], per_cpu[other]) if other in per_cpu else ""  # noqa: E731
    names = {
        "boardgame.io": "boardgame.io, an update to both seats for each move, with the list, in memory",
        "Muninn, list and command": "Muninn, `GET /legal-commands` and `POST /commands` for each move, durable",
        "Muninn, command": "Muninn, `POST /commands` for each move, durable",
        "Muninn, command and streams": "the same with both seats at the stream of the match",
    }
    rows = [[text, per_cpu[name].told(), per_second[name].told(), beside(name, "boardgame.io")] for name, text in names.items() if name in rounds]
    if absent:
        rows.insert(0, [names["boardgame.io"], f"not installed: {absent}", "", ""])
    lines = ["### Tables over the network", ""]
    lines += table([f"{TABLES} tables, random players", "moves per CPU second of the server", "moves per second", "to boardgame.io"], rows)
    micros = {name: Figure.of(rounds[name], "cpu", "done", 1e6) for name in rounds}
    rows = [[text, micros[name].told(1), per_second[name].told(), Figure.of(rounds[name], "p50").told(), Figure.of(rounds[name], "p99").told(),
             beside(name, "actix-web")] for name, text in {"actix-web": "actix-web alone", "Muninn, command": "Muninn, `POST /commands`"}.items()]
    lines += ["", "### An answer", ""]
    head = [f"answers of {size:,} bytes, {TABLES} at once", "CPU µs each", "answers per second", "p50, µs", "p99, µs", "per CPU second, to actix-web"]
    return lines + table(head, rows)
