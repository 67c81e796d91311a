"""How does a match of Copenhagen reach twelve points, and what must a player value to get there?

usage: python3 copenhagen_twelve_points.py [http://127.0.0.1:8080 [seed]]     needs only Python 3.10

Agnes builds her facade with care; Bo builds only the cheapest tiles, so that the cards last. Both know the shapes of the tiles
from `GET /v1/games/copenhagen` and choose from their legal commands. Twelve points are hard to reach: if the end card comes
first, they play again, until a match ends by twelve points. Exits with 1 if that never happens, or if a check fails.
"""

import random
import sys
from collections import Counter

from asking import ask, check

DICE = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 12)
MATCHES = 60  # give up after so many
NAMES = ["Agnes", "Bo"]


# The board, from the printed data of the game.

PRINTED = ask("/v1/games/copenhagen")["data"]
WIDTH, HEIGHT = PRINTED["board"]["width"], PRINTED["board"]["height"]
COATS = {(at["x"], at["y"]) for at in PRINTED["board"]["coat_cells"]}
COAT_ROWS = PRINTED["board"]["coat_rows"]
SCORING = PRINTED["scoring"]
SHAPES = {tile["id"]: tile["shape"] for tile in [*PRINTED["tiles"], PRINTED["special_tile"]]}
LINES = [("row", y, [(x, y) for x in range(WIDTH)]) for y in range(HEIGHT)]
LINES += [("column", x, [(x, y) for y in range(HEIGHT)]) for x in range(WIDTH)]


def squares(tile: str, orientation: int, left: int, top: int) -> dict:
    """The squares of a placed tile: mirrored if the orientation is 4 or more, turned clockwise, shifted to its corner (C-106)."""
    cells = {(x, y): fill for y, row in enumerate(SHAPES[tile]) for x, fill in enumerate(row) if fill != "."}
    if orientation >= 4:
        cells = {(-x, y): fill for (x, y), fill in cells.items()}
    for _ in range(orientation % 4):
        cells = {(-y, x): fill for (x, y), fill in cells.items()}
    least_x, least_y = min(x for x, _ in cells), min(y for _, y in cells)
    return {(x - least_x + left, y - least_y + top): fill for (x, y), fill in cells.items()}


def facade(tiles: list) -> dict:
    board = {}
    for placed in tiles:
        board |= squares(placed["tile"], placed["orientation"], placed["x"], placed["y"])
    return board


def points(board: dict) -> int:
    full = [(kind, all(board[at] == "W" for at in line)) for kind, _, line in LINES if all(at in board for at in line)]
    return sum(SCORING[kind + ("_all_windows" if windows else "")] for kind, windows in full)


def picture(board: dict) -> list:
    rows = ["".join(board.get((x, y), "c" if (x, y) in COATS else ".") for x in range(WIDTH)) for y in range(HEIGHT)]
    return [row + (" <" if y in COAT_ROWS else "  ") for y, row in enumerate(rows)]


CARD, PATIENCE = 0.04, 1.2  # what a card and a turn of taking are worth, in points

# Agnes: what a facade promises. A line that is nearly full is worth nearly its points, most of all if it shows only windows.

def promise(board: dict) -> float:
    total = 0.0
    for kind, index, line in LINES:
        fills = [board[at] for at in line if at in board]
        worth = SCORING[kind if "B" in fills else kind + "_all_windows"]
        full = len(fills) == len(line)
        total += worth if full else 0.6 * worth * (len(fills) / len(line)) ** 2
        total += 0.8 * (full and kind == "row" and index in COAT_ROWS)
    return total + 0.8 * len(COATS & board.keys())


def worth(board: dict, now: float, view, command) -> float:
    """What a command of Agnes is worth to her, in points."""
    match command["type"]:
        case "PlaceTile" | "PlaceSpecialTile":
            cells = squares(command.get("tile", "special"), command.get("orientation", 0), command["x"], command["y"])
            holes = sum(y + 1 < HEIGHT and (x, y + 1) not in board and (x, y + 1) not in cells for x, y in cells)
            price = CARD * len(command.get("payment", []))
            return promise(board | cells) - now - price - 0.15 * holes
        case "TakeAbility":
            return 0.6 + 0.2 * (command["ability"] in ("construction_discount", "both_actions"))
        case "ReactivateAbilities":
            return 0.25 * list(view["players"][0]["abilities"].values()).count("used")
        case "TakeCard":
            colors = Counter(view["players"][0]["hand"])
            slots = [view["harbor"][command["slot"]]]
            if view["phase"] == "action":  # the best neighbour comes along
                near = [view["harbor"][slot] for slot in (command["slot"] - 1, command["slot"] + 1) if 0 <= slot <= 6]
                slots.append(max(near, key=lambda color: colors[color] + 3 * (color == slots[0])))
            gain = sum(min(colors[color], 4) + 3 * (slots.count(color) == 2) for color in slots)
            return PATIENCE + 0.01 * gain
        case "DiscardCard":
            return -Counter(view["players"][0]["hand"])[command["color"]]
        case _:
            return 0.0


def thoughtful(view, legal: list) -> dict:
    board = facade(view["players"][0]["tiles"])
    now = promise(board)
    full = len(view["players"][0]["hand"]) >= 6 and view["phase"] == "action"
    builds = [command for command in legal if command["type"] == "PlaceTile"] if full else []
    return max(builds or legal, key=lambda command: worth(board, now, view, command))


def modest(view, legal: list) -> dict:
    """Bo: builds whenever he can, and with few cards."""
    builds = [command for command in legal if command["type"] == "PlaceTile"]
    if builds:
        return min(builds, key=lambda command: (len(command["payment"]), -command["y"], DICE.random()))
    return DICE.choice(legal)


# A match, and its story.

def play() -> tuple:
    seats = [{"name": name} for name in NAMES]
    opened = ask("/v1/matches", {"game": "copenhagen", "options": {}, "seats": seats})
    match, tokens = opened["match"], opened["seat_tokens"]
    view = ask(f"/v1/matches/{match}/view")
    while (seat := view["active_seat"]) is not None:
        legal = ask(f"/v1/matches/{match}/legal-commands", token=tokens[seat])["items"]
        view = ask(f"/v1/matches/{match}/view", token=tokens[seat])
        command = (thoughtful, modest)[seat](view, legal)
        view = ask(f"/v1/matches/{match}/commands", {"command": command}, tokens[seat])["view"]
    return match, view


def tell(match: str) -> None:
    """The log of a match aloud: what each placed, why there were points, and what the facade looked like then."""
    boards, totals = [{}, {}], [0, 0]
    page = ask(f"/v1/matches/{match}/events?limit=1000")
    check(page["next"] is None, "a match has more than a thousand events")
    for event in (item["event"] for item in page["items"]):
        seat, name = event.get("seat"), NAMES[event["seat"]] if "seat" in event else ""
        match event["type"]:
            case "TilePlaced":
                cells = {(cell["x"], cell["y"]): "WB"[cell["fill"] == "brick"] for cell in event["cells"]}
                check(cells == squares(event["tile"], event["orientation"], event["x"], event["y"]), f"another shape: {event}")
                boards[seat] |= cells
                paid = f"for {', '.join(event['payment']) or 'nothing'}" if event["price"] else "from a coat of arms"
                if seat == 0:
                    print(f"{name} places {event['tile']} {paid}.")
            case "ScoreAwarded":
                lines = [f"{line['kind']} {line['index']}{', all windows' * line['all_windows']}" for line in event["lines"]]
                totals[seat] += event["points"]
                check(event["total"] == totals[seat] == points(boards[seat]), f"the facade is worth {points(boards[seat])}: {event}")
                print(f"    {name} scores {event['points']} ({'; '.join(lines)}), and has {event['total']}.")
                if seat == 0:
                    print("\n".join("        " + row for row in picture(boards[seat])))
            case "AbilityTaken":
                print(f"    A coat of arms gives {name} {event['ability']}.")
            case "AbilitiesReactivated" if seat == 0:
                print(f"    A coat of arms turns back {', '.join(event['abilities'])}.")


for attempt in range(1, MATCHES + 1):
    match, view = play()
    result = view["result"]
    print(f"match {attempt} ended by {result['reason']}: {' : '.join(str(player['score']) for player in view['players'])}")
    if result["reason"] == "twelve_points":
        break
check(result["reason"] == "twelve_points", f"none of {MATCHES} matches reached twelve points")
print("\nW window, B brick, c coat of arms, < coat of arms beside a row\n")
tell(match)

winner = result["winners"][0]
check(len(result["winners"]) == 1, "twelve points are won by more than one")
check(view["players"][winner]["score"] >= PRINTED["game"]["target_points"], "the winner has not twelve points")
for player in view["players"]:
    check(player["score"] == points(facade(player["tiles"])), f"the facade of {NAMES[player['seat']]} is worth something else")
print("\nThe facades at the end, " + " and ".join(f"{name}'s" for name in NAMES) + ":\n")
for left, right in zip(*(picture(facade(player["tiles"])) for player in view["players"])):
    print(f"    {left}     {right}")
print()
for place in result["standing"]:
    print(f"{place['rank']}. {NAMES[place['seat']]} with {place['score']} points, {place['empty_spaces']} spaces empty")
