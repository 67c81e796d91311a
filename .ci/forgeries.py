"""What whoever knows the seed could write into a finished match, seal and chain anew, and publish."""

import copy

from proof import chain
from proof.canonical import canonical

NONCE = "ee" * 32


def seal_anew(forged: dict) -> dict:
    """Numbers, seals and chains all commits as the server would, and lets the match agree."""
    seed, before, version = bytes.fromhex(forged["match"]["seed"]), chain.FIRST, 0
    for number, (entry, public) in enumerate(zip(forged["commits"], forged["public"]), 1):
        sides = list(filter(None, (entry, public)))
        for side in sides:
            side |= {"commit": number, "first_version": version + 1, "last_version": version + len(entry["events"])}
        version = entry["last_version"]
        salt = chain.digest(seed, number.to_bytes(8, "big"), b"salt")
        sealed = chain.digest(salt, canonical(chain.facts(entry)))
        linked = chain.digest(bytes.fromhex(before), chain.digest(canonical(chain.facts(public or entry))), sealed)
        for side in sides:
            side |= {"sealed": sealed.hex(), "prev_hash": before, "hash": linked.hex()}
        before = linked.hex()
    forged["match"] |= {"head_hash": before, "commit": len(forged["commits"]), "version": version,
                        "updated_at": forged["commits"][-1]["recorded_at"]}
    return forged


def of(kept: dict):
    """Forged matches: what was done, the match, and words of the finding that there must be. None, if this match has no event to forge."""
    for part in (outcomes, places, beside):
        for what, forged, words in part(kept):
            yield what, forged and seal_anew(forged), words


def outcomes(kept: dict):
    """Who gets what was drawn, what is revealed, who wins."""
    game, seats = kept["match"]["game"], kept["seats"]

    def next_seat(event: dict) -> dict:
        return {"seat": (event["seat"] + 1) % seats}

    changes = {
        "TileDrawn": [("who gets", next_seat)],
        "OracleCardDrawn": [("who draws the card", next_seat)],
        "InjuryDrawn": [("who draws the injury", next_seat), ("whether it is kept", lambda event: {"kept": not event["kept"]})],
        "BattleRolled": [("whether it is won", lambda event: {"won": not event["won"]})],
        "IslandRevealed": [("the face", lambda event: {"face": event["face"] | {"letter": event["face"]["letter"] + "x"}})],
        "HarborCardRevealed": [("the slot", lambda event: {"slot": (event["slot"] + 1) % 7})],
        "CardTaken": [("the card of the slot", lambda event: {"color": "red" if event["color"] != "red" else "blue"})],
        "CardDrawn": [("who draws", next_seat)],
        "ScoreAwarded": [("the points", lambda event: {"points": event["points"] + 1})],
    }
    if game == "voluspa":
        changes["ScoreAwarded"].append(("when it was reached", lambda event: {"reached": event["reached"] + 1}))
    if game == "copenhagen":
        other = {"twelve_points": "end_card", "end_card": "twelve_points"}
        changes["MatchFinished"] = [("the result", lambda event: {"reason": other[event["reason"]]})]
    for kind, edits in changes.items():
        for words, edit in edits:
            yield f"{kind}: {words}", changed(kept, kind, edit), words
    field = "ranking" if game == "voluspa" else "standing"
    if forged := changed(kept, "MatchFinished", lambda event: {field: swapped(event[field])}):
        forged["match"]["standing"] = forged["commits"][-1]["events"][-1][field]
    yield "the winner is another one", forged, "MatchFinished: the "


def swapped(standing: list) -> list:
    first, second, *rest = copy.deepcopy(standing)
    first["seat"], second["seat"] = second["seat"], first["seat"]
    return [first, second, *rest]


def changed(kept: dict, kind: str, edit) -> dict | None:
    """The last event of a type is another one, in full and in public."""
    for at in reversed(range(len(kept["commits"]))):
        kinds = [event["type"] for event in kept["commits"][at]["events"]]
        if kind in kinds:
            forged, place = copy.deepcopy(kept), kinds.index(kind)
            for side in filter(None, (forged["commits"][at], forged["public"][at])):
                side["events"][place] |= edit(kept["commits"][at]["events"][place])
            return forged
    return None


def places(kept: dict):
    """Events of the platform where none may stand, in commits of their own before the last one."""
    commits, last = kept["commits"], len(kept["commits"]) - 1
    opened, before = commits[0]["events"][-1], commits[-2]
    events = {"TableOpened": opened | {"nonce": NONCE}, "MatchClosed": {"by": "owner", "reason": "closed"}}
    events["ReplyRefused"] = None if opened.get("sandbox") else {"seat": 0, "reply": 0, "rule": "M-80"}
    may_take_back = opened["take_back"] or kept["match"]["options"].get("light")
    events["CommandTakenBack"] = None if may_take_back else {"seat": before["seat"], "to_version": before["first_version"] - 1}
    for kind, fields in events.items():
        if fields is None:
            yield f"{kind} in the middle", None, ""
            continue
        forged, event = copy.deepcopy(kept), fields | {"type": kind}
        entry = copy.deepcopy(before) | {"command": None, "seat": fields.get("seat"), "events": [event]}
        forged["commits"].insert(last, entry)
        forged["public"].insert(last, None)
        yield f"{kind} in the middle", forged, "it may not stand there"
    forged = copy.deepcopy(kept)
    for side in filter(None, (forged["commits"][last - 1], forged["public"][last - 1])):
        side["events"].append(opened | {"nonce": NONCE})
    yield "a second TableOpened in a command's commit", forged, "it may not stand there"
    forged = copy.deepcopy(kept) if commits[1]["events"][0]["type"] == "SeatTaken" and last > 2 else None
    for log in (forged["commits"], forged["public"]) if forged else ():
        log.insert(2, log.pop(1))
    yield "a command before all seats are taken", forged, "a command stands before"
    for what, kinds in [("drew", {"TileDrawn", "HarborCardRevealed", "OracleConsulted"}), ("took the top card", {"CardDrawn"})]:
        yield f"a command that {what} is taken back", may_take_back and drawn_again(kept, kinds) or None, "M-83"


def drawn_again(kept: dict, kinds: set) -> dict | None:
    """The last command that drew is taken back, and given once more, in a commit that draws something else."""
    for at in reversed(range(1, len(kept["commits"]) - 1)):
        entry = kept["commits"][at]
        if entry["command"] is None or not any(event["type"] in kinds for event in entry["events"]):
            continue
        forged = copy.deepcopy(kept)
        event = {"type": "CommandTakenBack", "seat": entry["seat"], "to_version": entry["first_version"] - 1}
        forged["commits"][at + 1:at + 1] = [copy.deepcopy(entry) | {"command": None, "events": [event]}, copy.deepcopy(entry)]
        forged["public"][at + 1:at + 1] = [None, copy.deepcopy(kept["public"][at])]
        return forged
    return None


def beside(kept: dict):
    """What is changed beside the events."""
    forged = copy.deepcopy(kept)
    for side in filter(None, (forged["commits"][2], forged["public"][2])):
        side["recorded_at"] = "2001-01-01T00:00:00.000Z"
    yield "a time that goes back", forged, "recorded_at is before"
    forged = copy.deepcopy(kept) if kept["match"]["seats"][0]["name"] else None
    if forged:
        seat = forged["match"]["seats"][0]
        seat["name_salt"], seat["name"] = seat["name_salt"] + seat["name"][0].encode().hex(), seat["name"][1:]
    yield "letters of the name in its salt", forged, "match.seats.0.name"
    forged = copy.deepcopy(kept)
    forged["match"]["sandbox"] = None if forged["match"].get("sandbox") else {"seed": kept["match"]["seed"], "forced": []}
    yield "another mark of a sandbox", forged, "match.sandbox"
    asked = kept["commits"][0]["events"][-1]["options"] or {}
    for name, value, other, words in [("map_seed", 42, None, "draw 1 (map_seed)"), ("light", True, None, "match.options.light"),
                                      ("start", "red", "random", "match.options.start")]:
        forged = copy.deepcopy(kept) if asked.get(name) == value else None
        for side in filter(None, (forged["commits"][0], forged["public"][0])) if forged else ():
            side["events"][-1]["options"] |= {name: other}
        yield f"another {name} was asked for", forged, words
