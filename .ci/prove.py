"""Does examples/verify_match.py accept true matches of all games, and find whatever is changed in one?

usage: python3 .ci/prove.py [http://127.0.0.1:8080]
environment: PROVE_ROUNDS=1 matches of each kind, PROVE_FLIPS=12 values and bytes changed in each, PROVE_MOST=200 commands at most

Plays matches over HTTP with all options that touch chance, take-backs, branches, loaded positions, what-ifs and a match closed by
its owner; keeps records while they are live; then checks them with the script, and checks that changed ones are refused with the
place of the change. Some of what is forged is only in a whole match of Delphi: examples/delphi_match.py plays one, before.
"""

import contextlib
import copy
import http.client
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "examples"))

import forgeries  # noqa: E402
import gateway  # noqa: E402
import verify_match  # noqa: E402
from proof import record  # noqa: E402
from proof.canonical import canonical, parse  # noqa: E402
from proof.chance import numpy_agrees  # noqa: E402
from proof.delphi_map import DATA as MAPS, random_map  # noqa: E402
from proof.games import GAMES  # noqa: E402

BASE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
ROUNDS, FLIPS, MOST = (int(os.environ.get(f"PROVE_{name}", value)) for name, value in [("ROUNDS", 1), ("FLIPS", 12), ("MOST", 200)])
DICE = random.Random(ROUNDS * 1000 + FLIPS)
NONCES = {}  # of each match, what opener and player sent
FORGED = {}  # whether a match had what to forge, by what is done
SEEN = set()  # of which games another seed was found out, and of which it drew the same
FOLDER = tempfile.TemporaryDirectory(prefix="prove-")  # removed at the end
WORK = Path(FOLDER.name)
SCRIPT = [sys.executable, str(ROOT / "examples/verify_match.py"), "--server", BASE]
connection = http.client.HTTPConnection(urllib.parse.urlsplit(BASE).netloc)

KINDS = {
    "rosenkoenig": [{"seats": 2}, {"seats": 2, "options": {"colors": ["white", "red"], "start": "red", "show_draw_pile": True}},
                    {"seats": 2, "options": {"light": True}, "take_back": True}],
    "voluspa": [{"seats": 3}, {"seats": 2, "options": {"set": "saga_of_edda", "lightning_bolt": True, "no_late_hel": True}},
                {"seats": 4, "options": {"set": "king_of_giants"}, "take_back": True},
                {"seats": 5, "options": {"set": "custom", "custom_types": ["freya", "raven", "hel"]}}],
    "copenhagen": [{"seats": 2}, {"seats": 3}, {"seats": 4, "take_back": True}],
    # A random match of Delphi goes on for thousands of turns; these begin where nothing is left but to sail home.
    "delphi": [{"seats": 2, "options": {"fewer_tasks": 4, "map": "random"}, "take_back": True, "homewards": True},
               {"seats": 3, "options": {"map": "cyclades", "fewer_tasks": 3, "colors": ["blue", "red", "green"]}, "homewards": True},
               {"seats": 3, "options": {"fewer_tasks": 3, "map": "random", "map_seed": 42, "ships": "choice"}},
               {"seats": 4, "options": {"fewer_tasks": 4, "map": "sporades", "start_seat": 1}}],
}
WISHES = {"RaiseStatue", "DeliverOffering", "BuildShrine", "FightMonster", "LoadStatue", "LoadOffering", "ExploreIsland",
          "TakeStatue", "TakeOffering", "ContinueBattle"}
NOTHING = {"shrine": 0, "statue": [], "offering": [], "monster": []}


def ask(path: str, body=None, token: str | None = None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    for again in (True, False):
        try:
            connection.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            break
        except (http.client.RemoteDisconnected, ConnectionError):
            connection.close()  # the server closed it while records were checked
            assert again
    text = answer.read()
    if answer.status >= 400:
        raise RuntimeError(f"{path}: {answer.status} {text.decode()}")
    return json.loads(text)


def choose(legal: list) -> dict:
    wished = [command for command in legal if command["type"] in WISHES]
    home = [command for command in legal if command["type"] == "MoveShip" and command["to"] == {"q": 0, "r": 0}]
    return DICE.choice(home or (wished if wished and DICE.random() < 0.9 else legal))


def play(game: str, kind: dict, **more) -> tuple[str, list[Path]]:
    """Plays a match; returns its id and what a spectator and seat 0 kept of it half way."""
    request = {"game": game, "options": kind.get("options"), "seats": [{"name": "Zoë 🎲"}] + [{}] * (kind["seats"] - 1), **more}
    if kind.get("homewards"):
        request["position"] = more.get("position") or homewards(game, kind)
    if "position" in request:
        del request["options"]
    fair = kind is not KINDS[game][0]  # the first kind is played without a ticket and nonces
    if fair:
        request |= {"ticket": ask("/v1/seeds", {})["ticket"], "nonce": DICE.randbytes(32).hex()}
        request["seats"][1] = {"open": True}
    opened = ask("/v1/matches", request | ({"take_back": True} if kind.get("take_back") else {}))
    match, tokens, kept = opened["match"], opened["seat_tokens"], []
    if fair:
        nonce = DICE.randbytes(32).hex()
        NONCES[match] = [request["nonce"], nonce]
        tokens[1] = ask(f"/v1/matches/{match}/seats/1", {"name": "Hugin", "nonce": nonce})["seat_token"]
    spectator = subprocess.Popen([*SCRIPT, match, "--follow"], stdout=subprocess.PIPE, text=True) if kind is KINDS[game][0] else None
    seat = ask(f"/v1/matches/{match}")["active_seat"]
    for number in range(MOST):
        if seat is None:
            seen = spectator.communicate(timeout=60)[0] if spectator else ""
            assert not spectator or spectator.returncode == 0 and "all of it is right" in seen, seen
            return match, kept
        if number == 25:
            kept = [keep_live(match, None), keep_live(match, tokens[0])]
        legal = ask(f"/v1/matches/{match}/legal-commands", token=tokens[seat])["items"]
        acted, seat = seat, ask(f"/v1/matches/{match}/commands", {"command": choose(legal)}, tokens[seat])["view"]["active_seat"]
        if kind.get("take_back") and DICE.random() < 0.1:
            try:
                ask(f"/v1/matches/{match}/take-back", {}, tokens[acted])
                seat = acted
            except RuntimeError as refused:
                assert '"rule"' in str(refused) or "finished" in str(refused), refused
    ask(f"/v1/matches/{match}/close", {}, opened["owner_token"])
    if spectator:
        assert "the seed is not open" in spectator.communicate(timeout=60)[0] and spectator.returncode == 0
    return match, kept


def homewards(game: str, kind: dict) -> dict:
    """A fresh position whose draws were checked, without tasks: the seats only have to sail home."""
    request = {"options": kind["options"], "seats": kind["seats"], "chance": None}
    while True:
        answer = ask(f"/v1/games/{game}/positions", request)
        drawn(request, answer)
        if not any(due["kind"] == "return_task" for due in answer["position"]["pending"]):
            break
    for player in answer["position"]["players"]:
        player["tasks"] = NOTHING
    return answer["position"]


def keep_live(match: str, token: str | None) -> Path:
    path = WORK / f"{match}-{'seat' if token else 'spectator'}.json"
    done = run(match, "--save", str(path), token=token)
    assert done.returncode == 0, done.stdout + done.stderr
    return path


def run(*args: str, token: str | None = None) -> subprocess.CompletedProcess:
    environment = os.environ | ({"MUNINN_TOKEN": token} if token else {})
    return subprocess.run([*SCRIPT, *args], capture_output=True, text=True, env=environment)


def found(kept: dict, earlier: dict | None = None) -> list:
    return verify_match.check(kept, earlier).findings


def leaves(value, path=()):
    if isinstance(value, (dict, list)) and value:
        for name in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[name], (*path, name))
    else:
        yield path, value


def other(value):
    match value:
        case bool():
            return not value
        case int():
            return value + DICE.choice([-1, 1])
        case str() if len(value) > 20 and set(value) <= set("0123456789abcdef"):
            return ("1" if value[0] == "0" else "0") + value[1:]
        case str():
            return value + "x"
    return 0 if value is None else None


def spoil_fields(kept: dict, count: int) -> None:
    """Changes one value at a time, anywhere."""
    places = list(leaves(kept))
    if kept["match"]["seed"] is None:
        places.remove((("match", "seed_commitment"), kept["match"]["seed_commitment"]))  # a promise: nothing contradicts it yet
    for path, value in DICE.sample(places, min(count, len(places))):
        spoilt = copy.deepcopy(kept)
        inner = spoilt
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = other(value)
        if path == ("format",):
            continue
        lines = found(spoilt)
        assert lines, f"nobody sees that {path} was {value!r} and is {inner[path[-1]]!r}"
        if path[0] == "commits":
            assert any(f"commit {path[1] + 1}" in line.where for line in lines), (path, lines)


def spoil_bytes(kept: dict, count: int) -> None:
    """Changes one byte at a time, anywhere; half of them stay plain text."""
    text, path = canonical(kept), WORK / "spoilt.json"
    for _ in range(count):
        place, spoilt = DICE.randrange(len(text)), bytearray(text)
        spoilt[place] = DICE.choice([spoilt[place] ^ 1 << DICE.randrange(8), DICE.choice(b'0123456789abcdef"{}[]:, ')])
        if spoilt == text:
            continue
        path.write_bytes(spoilt)
        try:
            lines = found(record.load(path))
        except ValueError:
            continue
        assert lines, f"nobody sees byte {place}: {text[place - 30:place + 30]!r} became {bytes(spoilt[place - 30:place + 30])!r}"


def spoil_order(kept: dict) -> None:
    """Leaves out, repeats, swaps."""
    count = len(kept["commits"])
    for change in ["drop the last", "drop the first", "drop one", "repeat one", "swap two", "drop an event", "swap two events"]:
        spoilt, at = copy.deepcopy(kept), DICE.randrange(1, count - 1)
        for log in (spoilt["commits"], spoilt["public"]):
            match change:
                case "drop the last":
                    log.pop()
                case "drop the first":
                    log.pop(0)
                case "drop one":
                    log.pop(at)
                case "repeat one":
                    log.insert(at, log[at])
                case "swap two":
                    log[at], log[at - 1] = log[at - 1], log[at]
        longest = max(spoilt["commits"], key=lambda entry: len(entry["events"]))
        if change == "drop an event":
            longest["events"].pop()
        elif change == "swap two events":
            longest["events"].insert(0, longest["events"].pop())
        assert found(spoilt), change


def forge(kept: dict) -> None:
    """Who knows the seed changes an outcome, and then seals and chains everything anew: the draws tell."""
    report = verify_match.check(kept, None)
    if kept["match"]["game"] == "rosenkoenig":
        return  # its outcomes lie in the setup and in reshuffles
    draw = DICE.choice([draw for draw in report.draws if draw["commit"] > 1 and draw["candidates"] > 1])
    forged = copy.deepcopy(kept)
    entry = forged["commits"][draw["commit"] - 1]
    event = entry["events"][draw["version"] - entry["first_version"]]
    for name in ("color", "tile", "roll", "strength", "refill"):
        if event.get(name) == draw["outcome"]:
            event[name] = {"color": "red" if draw["outcome"] != "red" else "green", "tile": "thor" if draw["outcome"] != "thor" else "loki",
                           "refill": "hold" if draw["outcome"] != "hold" else "scout"}.get(name, 1 if draw["outcome"] != 1 else 2)
            break
    else:
        return
    forgeries.seal_anew(forged)
    lines = found(forged)
    assert any(f"commit {draw['commit']}, event {draw['version']}" in line.where for line in lines), (draw, lines)


def forge_places(kept: dict) -> None:
    """Whatever else whoever knows the seed could write, sealed and chained anew."""
    for what, forged, words in forgeries.of(kept):
        FORGED[what] = FORGED.get(what, False) or bool(forged)
        if forged is None:
            continue
        lines = found(forged)
        assert any(words in f"{line.where}: {line.what}" for line in lines), (what, words, lines[:5])


def rewrite(kept: dict, live: Path) -> None:
    """Who knows the seed writes a command's time anew, seals and chains everything: what was kept earlier tells."""
    forged, times = copy.deepcopy(kept), [entry["recorded_at"] for entry in kept["commits"]]
    at = next(at for at in range(5, 20) if times[at] != times[at + 1])
    for side in filter(None, (forged["commits"][at], forged["public"][at])):
        side["recorded_at"] = times[at + 1]
    forgeries.seal_anew(forged)
    earlier = record.load(live)
    assert not found(forged), found(forged)
    assert found(forged, earlier)[0].where == f"commit {at + 1}", found(forged, earlier)
    assert not found(kept, earlier), found(kept, earlier)


def what_if(match: str) -> None:
    """Analyses from a seed and from given outcomes, and a fresh start position."""
    log = ask(f"/v1/matches/{match}/commits?limit=1000")["items"]
    version = DICE.choice([entry["last_version"] for entry in log[:-3]])
    position = ask(f"/v1/matches/{match}/position?at={version}")
    commands, game = [], position["game"]
    seed = {"seed": DICE.randbytes(32).hex()}
    for _ in range(10):
        answer = ask(f"/v1/games/{game}/analysis", {"position": position, "commands": commands, "chance": seed})
        commands += [choose(answer["legal_commands"])] if answer["legal_commands"] else []
    request = {"position": position, "commands": commands, "chance": seed}
    answer = ask(f"/v1/games/{game}/analysis", request)
    draws = drawn(request, answer)
    forced = request | {"chance": {"outcomes": [draw["outcome"] for draw in draws]}}
    assert not checked(forced, ask(f"/v1/games/{game}/analysis", forced)).findings
    fresh = {"seats": 3 if game != "rosenkoenig" else 2, "chance": None}
    drawn(fresh, ask(f"/v1/games/{game}/positions", fresh))
    if game == "delphi":
        mapped = fresh | {"options": {"map": "random", "map_seed": 42}}
        answer_mapped = ask(f"/v1/games/{game}/positions", mapped)
        drawn(mapped, answer_mapped)
        assert checked(fresh | {"options": {"map": "random"}}, answer_mapped).findings
        assert checked(fresh | {"options": mapped["options"] | {"start_seat": 1}}, answer_mapped).findings
    # Candidates can be alike, and the seed then tells of nothing: the server says whether another seed draws something else.
    for _ in range(8):
        other = DICE.randbytes(32).hex()
        lines = checked(request, {**answer, "seed": other}).findings
        SEEN.add((game, bool(lines)))
        assert bool(lines) == draws_else(request, answer, other), (request, other, lines)


def draws_else(request: dict, answer: dict, seed: str) -> bool:
    try:
        return {**ask(f"/v1/games/{request['position']['game']}/analysis", request | {"chance": {"seed": seed}}), "seed": None} \
            != {**answer, "seed": None}
    except RuntimeError:
        return True  # a command is not legal after what it draws


def checked(request: dict, answer: dict):
    path = WORK / "answer.json"
    path.write_bytes(canonical({"request": request, "answer": answer}))
    return verify_match.check_answer(path)


def drawn(request: dict, answer: dict) -> list:
    report = checked(request, answer)
    assert not report.findings, report.findings
    return report.draws


def units() -> None:
    """The example of RFC 8785, 3.2.3, and the vectors of the maps."""
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    order = [names[place] for place in (1, 3, 5, 6, 0, 4, 2)]
    assert list(parse(canonical(dict.fromkeys(names)))) == order
    assert canonical(parse('{"b": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/", "a": [true, 0]}')) == \
        '{"a":[true,0],"b":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'.encode()
    for text in ['{"a":1,"a":1}', "1.0", "1e2", "-0", "NaN", "9007199254740993", '"\\ud800"']:
        try:
            canonical(parse(text))
        except ValueError:
            continue
        raise AssertionError(text)
    # A list that damaged matches are not in is not all of it.
    ids, told, pages = [], "", [{"items": [{"match": "a"}], "next": "a", "damaged": 2}, {"items": [{"match": "b"}], "next": None, "damaged": 2}]
    server = record.Server("http://127.0.0.1", None)
    server.get = lambda path: pages.pop(0)
    try:
        ids.extend(record.finished(server, None))
    except record.Unusable as error:
        told = str(error)
    assert ids == ["a", "b"] and "2 damaged" in told, (ids, told)
    for vector in MAPS["generator"]["vector"]:
        laid = [tuple(place[name] for name in ("tile", "q", "r", "rot")) for place in vector["placements"]]
        assert random_map(vector["seed"]) == (laid, vector["attempts"])
    print("numpy:", {None: "not installed", True: "agrees", False: "differs"}[numpy_agrees()])


def prove(game: str, kind: dict) -> None:
    match, kept_live = play(game, kind)
    kept = judge(match)
    print(f"   {game} {kind}: {kept['match']['status']}, {len(kept['commits'])} commits")
    for live in kept_live:
        assert run(str(live)).returncode == 0
        assert run(match, "--earlier", str(live)).returncode == 0
    if kept_live:
        spoil_fields(record.load(kept_live[0]), FLIPS)
    if kept["match"]["status"] != "finished":
        assert kept["match"]["status"] == "abandoned" and kept["match"]["seed"] is None
        return
    nonces = NONCES.get(match, [])
    assert not verify_match.check(kept, None, nonces).findings
    assert [line.where for line in verify_match.check(kept, None, [*nonces, forgeries.NONCE]).findings] == ["nonces"]
    spoil(match, kept)
    if kept_live:
        rewrite(kept, kept_live[0])
    if kind is not KINDS[game][0]:
        return
    unknown(match, kept)
    middle = kept["commits"][len(kept["commits"]) // 2]["last_version"]
    branched = ask(f"/v1/matches/{match}/branches", {"at": middle})
    again, _ = play(game, kind, position=ask(f"/v1/matches/{match}/position?at={middle}"))
    over = ask(f"/v1/matches/{match}/branches", {"at": kept["match"]["version"]})
    assert run(branched["match"], again, over["match"]).returncode == 0


def judge(match: str) -> dict:
    """Checks a match with the script, and reads what it kept."""
    path = WORK / f"{match}.json"
    done = run(match, "--save", str(path), "--draws")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    return record.load(path)


def spoil(match: str, kept: dict) -> None:
    count = max(FLIPS * 100 // max(100, len(kept["commits"])), 8)
    spoil_fields(kept, count)
    spoil_bytes(kept, count)
    spoil_order(kept)
    forge(kept)
    forge_places(kept)
    what_if(match)


def sandbox() -> None:
    """A sandbox says how many of its draws were forced, and which."""
    wished = ["odin", "odin", None, "thor"]
    opened = ask("/v1/matches", {"game": "voluspa", "seats": [{"bot": "greedy"}, {"bot": "greedy"}],
                                 "sandbox": {"outcomes": wished, "fast_forward": {}}})
    kept, told = judge(opened["match"]), run(opened["match"], "--draws").stdout
    assert told.count(", forced\n") == 3 and "this is a sandbox: who opened it knew the seed; 3 draws were forced" in told, told
    forge_places(kept)
    # With a seed alone nothing is forced, but its opener knew all of it.
    opened = ask("/v1/matches", {"game": "delphi", "seats": [{"bot": "greedy"}, {"bot": "greedy"}],
                                 "options": {"map": "random", "map_seed": 42, "fewer_tasks": 4},
                                 "sandbox": {"seed": "07" * 32, "fast_forward": {}}})
    kept, told = judge(opened["match"]), run(opened["match"]).stdout
    assert "this is a sandbox: who opened it knew the seed; 0 draws were forced" in told, told
    assert json.loads(run(opened["match"], "--json").stdout)["sandbox"] is True
    forge_places(kept)


def exits(match: str) -> None:
    """0, 1 and 2, and what a program reads."""
    assert run("--no-such-flag").returncode == run().returncode == run("01234567-0000-7000-8000-000000000000").returncode == 2
    told = json.loads(run(match, "--json").stdout)
    assert told["right"] is True and told["sandbox"] is False, told
    assert run(match, "--nonce", "00").returncode == 2 and run(match, "--nonce", forgeries.NONCE).returncode == 1
    path = WORK / "one.json"
    assert run(match, "--save", str(path)).returncode == 0
    path.write_bytes(path.read_bytes().replace(b'"seat":1', b'"seat":0', 1))
    spoilt = run(str(path), "--json")
    assert spoilt.returncode == 1 and json.loads(spoilt.stdout)["findings"][0]["where"].startswith("commit "), spoilt.stdout
    # What cannot be read hides neither what was found before it nor what comes after it.
    nobody = "01234567-0000-7000-8000-000000000000"
    mixed = run(str(path), nobody, match, "--json")
    assert mixed.returncode == 1 and "404" in mixed.stderr, mixed.stderr
    assert [json.loads(line)["right"] for line in mixed.stdout.splitlines()] == [False, True], mixed.stdout
    mixed = run(nobody, match, "--json")
    assert mixed.returncode == 2 and json.loads(mixed.stdout)["right"] is True, mixed.stdout + mixed.stderr


def unknown(match: str, kept: dict) -> None:
    """Of a game that the script does not know, only what is by game is not checked."""
    path, game, told = WORK / f"{match}.json", kept["match"]["game"], io.StringIO()
    with mock.patch.dict(GAMES):
        del GAMES[game]
        for flags, words in [([], "NOT CHECKED: options, draws"), (["--json"], '"right": false')]:
            with mock.patch.object(sys, "argv", ["verify_match.py", str(path), *flags]), \
                    contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
                assert verify_match.main() == 2, told.getvalue()
            assert words in told.getvalue() and "FOUND" not in told.getvalue(), told.getvalue()
        spoil_order(kept)
        forged = copy.deepcopy(kept)
        forged["commits"][-1]["events"][-1]["type"] += "x"
        assert found(forged)
        report = checked({"seats": 2, "chance": None}, ask(f"/v1/games/{game}/positions", {"seats": 2, "chance": None}))
        assert report.not_checked and not report.findings, report.findings


assert {game["id"] for game in ask("/v1/games")["items"]} == KINDS.keys() == GAMES.keys()
units()
for story in ask("/v1/matches?status=finished&game=delphi")["items"]:
    if 1000 < story["version"] < 5000:
        print(f"   delphi, {len(story['seats'])} seats, from the first turn to the last: {story['version']} versions")
        spoil(story["match"], judge(story["match"]))
        break
for _ in range(ROUNDS):
    for game, kinds in KINDS.items():
        for kind in kinds:
            prove(game, kind)
assert {("voluspa", True), ("copenhagen", True)} <= SEEN, SEEN
everything = run("--all", "--json")
assert everything.returncode == 0, everything.stdout[-3000:]
sandbox()
assert all(FORGED.values()), f"never forged: {[what for what, is_tried in FORGED.items() if not is_tried]}"
one = ask("/v1/matches?status=finished&game=rosenkoenig&limit=1")["items"][0]["match"]
exits(one)
gateway.check(BASE, one, ask(f"/v1/matches/{one}")["commit"])
print(f"{len(everything.stdout.splitlines())} finished matches are right; what was changed was found")
