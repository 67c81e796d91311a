"""How do I follow a match of Völuspá and understand every point from the events alone?

usage: python3 voluspa_match.py [http://127.0.0.1:8080 [seed]]     needs only Python 3.10

Two seats play with all eight modules and the Lightning Bolts. Each asks the server for its legal commands, and tries them in an
analysis of what it sees: points do not depend on hidden tiles, so a position without the pile and the other hands scores the same.
Meanwhile a spectator follows the stream and narrates it. It has no token, so it sees nobody's hand.
At the end the script checks what the spectator received, and exits with 1 if anything is not as promised.
"""

import random
import sys
import threading

from asking import ask, check, commits

SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 8
NAMES = ["Gróa", "Heid"]
MODULES = ["hel", "hermod", "jotunn", "sea_serpent", "dwarf", "freya", "raven", "niohoggr"]
OPTIONS = {"set": "custom", "custom_types": MODULES, "lightning_bolt": True, "no_late_hel": False}
TRIES = 40  # the number of commands that are tried before one is chosen


# The spectator: reads server-sent events until the server says that the match is over.

def listen(match: str, heard: list) -> None:
    for last, commit in commits(f"/v1/matches/{match}/stream?after=0"):  # ends with the match
        heard.append((last, commit))
        for event in commit["events"]:
            tell(event)


def cell(at) -> str:
    return f"({at['x']}, {at['y']})"


def tile(name: str, boost: int = 0) -> str:
    return name.replace("_", " ").title() + (f" boosted by {boost}" if boost else "")


def number(count: int, one: str) -> str:
    return f"{count} {one}" + ("" if count == 1 else "s")


def explained(part, event) -> str:
    name, count = tile(event["tile"]), part["count"]
    match event["reason"], part["kind"]:
        case "lines", line:
            words = f"{name} is the highest of a {line} of {number(count, 'tile')}"
        case "solitary", _:
            words = f"{name} lies alone"
        case "sea_serpent", line:
            words = f"the Sea Serpent rules its {line} over {number(count, 'cell')}, gaps included"
        case "lightning_bolt", line:
            words = f"the Lightning Bolt strikes its shortest line, a {line} of {number(count, 'tile')}"
        case "hel", _:
            words = f"Hel counts the {number(count, 'tile')} around it"
        case "dwarf", _:
            words = f"the Dwarf takes half of the {count} beside it, rounded down"
        case other:
            raise ValueError(f"an unknown reason for points: {other}")
    bonus = f", and {part['bonus']} more for Niohoggr" if part["bonus"] else ""
    return f"{words}{bonus}: {part['points']}"


def tell(event) -> None:
    who = NAMES[event["seat"]] if "seat" in event else ""
    match event["type"]:
        case "MatchStarted":
            print(f"A match of {number(len(event['tile_types']), 'type')} of tiles; {len(event['pile'])} are in the pile.")
        case "HelDealt":
            print(f"{who} is dealt {event['count']} Hel, for all to see.")
        case "StartTilePlaced":
            print(f"The first tile on the table is {tile(event['tile'])}.")
        case "StartSeatChosen":
            print(f"{who} begins.\n")
        case "FreyaDiscarded":
            print(f"{who} discards Freya: the next tile is worth {event['boost']} more.")
        case "TilePlaced":
            how = {"lay": "lays", "cover": "covers", "exchange": "exchanges", "bump": "bumps"}[event["mode"]]
            under = f" {tile(event['under'], event['under_boost'])}" if event["under"] else ""
            to = f" to {cell(event['bumped_to'])}" if event["bumped_to"] else ""
            name = tile(event["tile"], event["boost"])
            print(f"{who} {how} {name} at {cell(event['at'])}." if not under else
                  f"{who} {how}{under}{to} with {name} at {cell(event['at'])}.")
        case "RavenMoved":
            print(f"{who}'s Raven flies on from {cell(event['from'])} to {cell(event['at'])}.")
        case "ScoreAwarded":
            reasons = "; ".join(explained(part, event) for part in event["parts"])
            print(f"    + {number(event['points'], 'point')} ({reasons}). {who} has {event['total']}.")
        case "ExtraPlayGranted":
            print(f"    Hermod lets {who} place one more.")
        case "FreyaReturned":
            print(f"    {who} gets {event['count']} Freya back.")
        case "TileDiscarded":
            print(f"{who} discards {tile(event['tile'])}: {event['reason']}.")
        case "MatchFinished":
            print("\nNo tiles are left.")


# The players: try commands, and do the one that promises most.

def imagined(view) -> dict:
    """A position made of what a seat sees: the pile and the other hands, which it does not see, are left empty."""
    seen = {name: value for name, value in view.items() if name != "pile_count"}
    players = [{"hand": player["hand"] or [], "score": player["score"], "reached": player["reached"]} for player in view["players"]]
    return seen | {"players": players, "pile": []}


def promise(position, command) -> int:
    """Twice the points; a second placement counts as one, and a boost as one and a half, as they may bring more later."""
    request = {"position": position, "commands": [command], "chance": None, "include": []}
    events = ask("/v1/games/voluspa/analysis", request)["steps"][0]["events"]
    worth = {"ExtraPlayGranted": 2, "RavenFlightGranted": 2, "FreyaDiscarded": 3}
    return sum(2 * event["points"] if event["type"] == "ScoreAwarded" else worth.get(event["type"], 0) for event in events)


def play(match: str, tokens: list) -> int:
    dice, commands = random.Random(SEED), 0
    active = ask(f"/v1/matches/{match}")["active_seat"]
    while active is not None:
        token = tokens[active]
        legal = ask(f"/v1/matches/{match}/legal-commands", token=token)["items"]
        position = imagined(ask(f"/v1/matches/{match}/view", token=token))
        some = dice.sample(legal, min(TRIES, len(legal)))
        chosen = max(some, key=lambda command: promise(position, command)) if len(some) > 1 else some[0]
        active = ask(f"/v1/matches/{match}/commands", {"command": chosen}, token)["view"]["active_seat"]
        commands += 1
    return commands


seats = [{"name": name} for name in NAMES]
opened = ask("/v1/matches", {"game": "voluspa", "options": OPTIONS, "seats": seats})
match, heard = opened["match"], []
spectator = threading.Thread(target=listen, args=(match, heard), daemon=True)
spectator.start()
commands = play(match, opened["seat_tokens"])
spectator.join(timeout=30)
check(not spectator.is_alive(), "the stream did not end with the match")

numbers = [commit["commit"] for _, commit in heard]
check(numbers == list(range(1, commands + 2)), f"the spectator heard the commits {numbers}, not 1 to {commands + 1} in order")
check(all(last == commit["last_version"] for last, commit in heard), "a message's id is not the last version of its commit")
events = [event for _, commit in heard for event in commit["events"]]
drawn = [event for event in events if event["type"] == "TileDrawn"]
check(drawn != [], "no tile was drawn")
check(all(event["tile"] is None for event in drawn), "the spectator saw a tile that was drawn")
awarded = [sum(event["points"] for event in events if event["type"] == "ScoreAwarded" and event["seat"] == seat)
           for seat in range(len(NAMES))]
parts = all(sum(part["points"] for part in event["parts"]) == event["points"]
            for event in events if event["type"] == "ScoreAwarded")
check(parts, "the parts of an award do not add up to its points")
standing = ask(f"/v1/matches/{match}")["standing"]
check({place["seat"]: place["score"] for place in standing} == dict(enumerate(awarded)), f"awarded were {awarded}: {standing}")

print(f"The spectator heard {len(heard)} commits, each once and in order, and none of the {len(drawn)} tiles drawn.\n")
for place in standing:
    print(f"{place['rank']}. {NAMES[place['seat']]} with {place['display']} points")
