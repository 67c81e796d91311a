"""Can a program that knows only the JSON of the server finish a match of The Oracle of Delphi?

usage: python3 delphi_match.py [http://127.0.0.1:8080 [seed [fewer_tasks]]]     needs only Python 3.10

Four seats sail until somebody has fulfilled all twelve tasks and returned to Zeus; `fewer_tasks` (0 to 4) is the short game. Each
looks at its own view, searches the map breadth-first for the next useful place, and picks one of its legal commands. Then the script
narrates the log: who fulfilled which task in which round. Exits with 1 if the log and the standing do not agree.
"""

import random
import sys
from collections import Counter

from asking import ask, check

DICE = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 4)
FEWER = int(sys.argv[3]) if len(sys.argv) > 3 else 0
NAMES = ["Kirke", "Medea", "Atalante", "Kassandra"]
COLORS = ["red", "black", "pink", "blue", "yellow", "green"]  # clockwise around the oracle
ACTIONS = {"RaiseStatue": 900, "DeliverOffering": 900, "BuildShrine": 900, "FightMonster": 800, "UseAmulet": 150,
           "TakeFavor": 120, "HealInjuries": 100, "DrawOracleCard": 80, "AdvanceGod": 75}
NEAR = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
ZEUS, FAR, WHIM = (0, 0), 99, 0.05  # now and then a random command, so that nobody is stuck for ever


def spot(at) -> tuple:
    return at["q"], at["r"]


def beside(at: tuple) -> list:
    return [(at[0] + q, at[1] + r) for q, r in NEAR]


def aims(view, seat: int) -> set:
    """Where is something to do for this seat? Pairs of a hex and the color of the action that is wanted there."""
    me, found = view["players"][seat], set()
    tasks, done, cargo = me["tasks"], me["fulfilled"], me["cargo"]

    def wanted(kind: str, color: str) -> bool:
        aboard = cargo.get(kind, [])
        white = sum(other not in tasks[kind] for other in [*aboard, color])
        return color not in done[kind] and color not in aboard and white <= tasks[kind].count("white")

    for place in view["monsters"]:
        found |= {(spot(place["at"]), color) for color in place["colors"] if wanted("monster", color)}
    if len(cargo["statue"]) + len(cargo["offering"]) < 2:
        for place in view["offerings"]:
            found |= {(spot(place["at"]), color) for color in place["colors"] if wanted("offering", color)}
        found |= {(spot(city["at"]), city["color"]) for city in view["cities"] if city["statues"] and wanted("statue", city["color"])}
    found |= {(spot(temple["at"]), temple["color"]) for temple in view["temples"] if temple["color"] in cargo["offering"]}
    found |= {(spot(site["at"]), site["color"]) for site in view["sites"] if site["seat"] is None and site["color"] in cargo["statue"]}
    shrines = [island for island in view["islands"] if tasks["shrine"] and island["shrine"] is None
               and (island["face"] is None or island["face"]["color"] == me["color"])]
    return found | {(spot(island["at"]), island["color"]) for island in shrines}


def distances(view, targets: set) -> dict:
    """Steps over water from each water space, and from Zeus, to the next water space beside a target."""
    water = {spot(at) for at in view["map"]["hexes"] if at["kind"] == "water"}
    queue = [at for target in targets for at in beside(target) if at in water]
    steps = dict.fromkeys(queue, 0)
    for at in queue:
        for other in beside(at):
            if other in water and other not in steps:
                steps[other] = steps[at] + 1
                queue.append(other)
    return steps | {ZEUS: 1 + min(steps.get(at, FAR) for at in beside(ZEUS))}


def worth_of_action(command, found: set, steps: dict, here: tuple) -> float:
    """What one action is worth, once its source is chosen."""
    kind = command["type"]
    if kind == "MoveShip":
        to = spot(command["to"])
        return 1000 if to == ZEUS else (steps.get(to, FAR) < steps.get(here, FAR)) * (600 - steps.get(to, FAR))
    if kind in ("LoadStatue", "LoadOffering", "ExploreIsland"):
        return 700 if any(at == spot(command["at"]) for at, _ in found) else 60
    return ACTIONS.get(kind, 10)


def worth_of_source(command, reach: dict, ready: set, steps: dict, here: tuple) -> float:
    """What one source is worth: for an action here, or to sail closer to one."""
    if command["type"] == "InvokeGod":
        arrives = command["god"] == "poseidon" and steps.get(spot(command["at"]), FAR) == 0 and steps.get(here, FAR) > 4
        return 950 if command["color"] else 850 if arrives else 0 if command["god"] == "poseidon" else 40
    if "as" not in command:
        return 50 if command["type"] == "EndTurn" else 0
    turn = (COLORS.index(command["as"]) - COLORS.index(command["color"])) % 6 if "color" in command else 3
    cost = 12 * turn + 6 * (command["type"] != "UseDie")
    if command["as"] in ready:
        return 900 - cost
    if ready or reach[command["as"]] >= steps.get(here, FAR):
        return (command["type"] == "UseDie") * (100 - cost)
    return 700 - 20 * reach[command["as"]] - cost


def choose(view, seat: int, legal: list) -> dict:
    if len(legal) == 1 or DICE.random() < WHIM:
        return DICE.choice(legal)
    if view["stage"] != "main" or view["pending"]:
        fight = [command for command in legal if command["type"] == "ContinueBattle"]
        return DICE.choice(fight or [command for command in legal if command["type"] != "Decline"])
    me, found = view["players"][seat], aims(view, seat)
    home = {ZEUS} if not any(me["tasks"].values()) else set()
    steps, here = distances(view, {at for at, _ in found} | home), spot(me["at"])
    if view["turn"]["source"]:
        return max(legal, key=lambda command: worth_of_action(command, found, steps, here))
    ready = {color for at, color in found if at in beside(here)} | (set(COLORS) if home and here in beside(ZEUS) else set())
    reach = dict.fromkeys(COLORS, FAR)
    for at, color in [(spot(at), at["color"]) for at in view["map"]["hexes"] if at["kind"] == "water"]:
        far = max(abs(at[0] - here[0]), abs(at[1] - here[1]), abs(sum(at) - sum(here)))
        if 0 < far <= 3 + 2 * (me["ship"] == "range_2"):
            reach[color] = min(reach[color], steps.get(at, FAR))
    return max(legal, key=lambda command: worth_of_source(command, reach, ready, steps, here))


def play() -> tuple:
    opened = ask("/v1/matches", {"game": "delphi", "options": {"fewer_tasks": FEWER}, "seats": [{"name": name} for name in NAMES]})
    match, tokens = opened["match"], opened["seat_tokens"]
    seat = ask(f"/v1/matches/{match}")["active_seat"]
    while seat is not None:
        view = ask(f"/v1/matches/{match}/view", token=tokens[seat])
        while view["active_seat"] == seat:
            legal = ask(f"/v1/matches/{match}/legal-commands", token=tokens[seat])["items"]
            command = choose(view, seat, legal)
            view = ask(f"/v1/matches/{match}/commands", {"command": command}, tokens[seat])["view"]
        seat = view["active_seat"]
    return match, view


# The log, told as players would.
DONE = {"shrine": "builds a shrine", "statue": "raises the {} statue",
        "offering": "delivers the {} offering", "monster": "defeats the {} monster"}
COUNTED = {"MonsterDefeated": "monsters beaten", "BattleEnded": "battles given up", "IslandRevealed": "islands explored",
           "GodAdvanced": "steps of gods", "GodInvoked": "gods called", "ShipMoved": "journeys"}


def tell(match: str) -> Counter:
    """Tells the log aloud, and counts by seat and word what happened."""
    counted, current, after = Counter(), 1, 0
    while items := ask(f"/v1/matches/{match}/events?after={after}&limit=1000")["items"]:
        after = items[-1]["version"]
        for event in (item["event"] for item in items):
            name, seat = event["type"], event.get("seat")
            say = f"Round {current:2}: {NAMES[seat or 0]}"
            counted[seat, COUNTED.get(name, name)] += 1
            match name:
                case "TaskFulfilled":
                    counted.update([(seat, event["kind"]), (seat, "tasks")])
                    print(say, DONE[event["kind"]].format(event["color"]), f"(task {counted[seat, 'tasks']}: {event['reward']})")
                case "ZeusReached":
                    print(say, "returns to Zeus, and the round is the last")
                case "InjuryDrawn" if event["reason"] == "titan":
                    counted[seat, "wounds of titans"] += 1
                case "TitanRolled":
                    counted.update({"titans": 1, "sixes": event["strength"] == 6})
                case "RoundEnded":
                    check(counted["titans"] == event["round"] == current, "the titan attacks once at the end of each round")
                    counted["rounds"], current = current, current + 1
    return counted


match, view = play()
counted, players = tell(match), view["players"]
print(f"\nThe titan attacked at the end of all {counted['rounds']} rounds, {counted['sixes']} times with a 6.\n")
for seat, name in enumerate(NAMES):
    print(f"{name}: " + ", ".join(f"{counted[seat, word]} {word}" for word in [*COUNTED.values(), "wounds of titans"]))
standing, first = view["standing"], view["standing"][0]
check(first["home"] and not any(players[first["seat"]]["tasks"].values()), "the first is not home, or has a task left")
keys = {}
for place in standing:
    seat, done = place["seat"], players[place["seat"]]["fulfilled"]
    same = all(counted[seat, kind] == (count if kind == "shrine" else len(set(count))) for kind, count in done.items())
    check(same, f"the tasks of {NAMES[seat]} are other ones in the log: {done}")
    check(counted[seat, "tasks"] == place["fulfilled"], f"{NAMES[seat]} has fulfilled {counted[seat, 'tasks']} tasks by the log")
    check((counted[seat, "ZeusReached"] == 1) == place["home"], f"by the log {NAMES[seat]} is somewhere else")
    keys[seat] = (not place["home"], 0 if place["home"] else -place["fulfilled"], -place["cards"], -place["favor"])
print()
for place in standing:
    check(place["rank"] == 1 + sum(key < keys[place["seat"]] for key in keys.values()), f"the rank is wrong: {place}")
    print(f"{place['rank']}. {NAMES[place['seat']]}, {'home with Zeus' if place['home'] else 'still at sea'}: "
          f"{place['fulfilled']} tasks, {place['cards']} oracle cards, {place['favor']} favor")
