"""Counts, deals, means, shares, medians and quartiles of `GET /v1/stats/{game}` with their intervals, and the ratings of its players, computed again from the tables with NumPy, SciPy and statsmodels, to 1e-9.

    pip install numpy scipy statsmodels
    python3 examples/analysis/check_statistics.py http://127.0.0.1:8080 --play 6

`--play N` first plays matches of Rosenkönig on that server, N of each kind: people, bots, both, a variant, from a position, branched, private, closed. The
server wants `--bot-pause 0` then, and no limits. docs/statistics.md has the formulas; here they are those of the libraries.
"""

import argparse
import json
import math
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import defaultdict

import numpy
import statsmodels.api as models
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

GAME = "rosenkoenig"

# What is asked, of every game that has matches; `GAME` alone has options that are asked for.
QUERIES = [
    {}, {"players": "all"}, {"players": "bots"}, {"players": "mixed"}, {"players": "all", "loaded": "all"}, {"loaded": "true"}, {"branched": "true"},
    {"branched": "false", "players": "all"}, {"seats": "2", "players": "all"}, {"seats": "5"}, {"edition": "1", "players": "all"}, {"bot": "greedy"},
    {"bot": "random@1", "loaded": "all"}, {"bot": "greedy@7"}, {"player": "Ada"}, {"player": "Ada", "players": "all", "loaded": "all"},
    {"player": "Ada", "bot": "greedy"}, {"player": "nobody"}, {"until": "2100-01-01", "from": "2000-01-01T00:00:00Z"}, {"from": "2100-01-01"},
    {"group_by": "players"}, {"group_by": "bot"}, {"group_by": "player", "players": "all"}, {"group_by": "seats,edition", "players": "all"},
    {"group_by": "loaded,branched", "players": "all"}, {"group_by": "day,month,year", "players": "all"}, {"group_by": "bot", "player": "Ada"},
    {"group_by": "player", "bot": "greedy"}, {"group_by": "player", "players": "all", "limit": "1"},
]
WITH_OPTIONS = [{"option.light": "true"}, {"option.light": "false", "players": "all"}, {"group_by": "option.light,players"}, {"option.start": "red", "players": "all"}]


class Server:
    def __init__(self, address):
        self.address = address.rstrip("/")
        if "//" not in self.address:
            self.address = f"http://{self.address}"

    def ask(self, path, body=None, token=None):
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers)
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def json(self, path, body=None, token=None):
        return json.loads(self.ask(path, body, token))

    def table(self, name, game):
        return [json.loads(line) for line in self.ask(f"/v1/tables/{name}.ndjson?game={game}").splitlines()]


# Play: matches of each kind.


def finish(server, opened, dice, most=10_000):
    """People's seats by chance; bots play theirs."""
    match, tokens, owner = opened["match"], opened["seat_tokens"], opened["owner_token"]
    while most > 0:
        info = server.json(f"/v1/matches/{match}", token=owner)
        if info["status"] != "running":
            return
        token = tokens[info["active_seat"]]
        if token is None:
            time.sleep(0.002)
            continue
        legal = server.json(f"/v1/matches/{match}/legal-commands", token=token)["items"]
        if legal:
            server.json(f"/v1/matches/{match}/commands", {"command": dice.choice(legal)}, token)
            most -= 1


def play(server, rounds):
    dice = random.Random(7)
    people = [{"name": "Ada"}, {"name": "Ben"}]
    open_ = lambda seats, **more: server.json("/v1/matches", {"game": GAME, "seats": seats, **more})
    for number in range(rounds):
        first = open_(people if number % 2 else people[::-1])
        finish(server, first, dice)
        finish(server, open_([{"name": "Cleo"}, {}], options={"light": True}), dice)
        finish(server, open_([{"name": "Ada"}, {"bot": "greedy"}], options={"start": "red"}), dice)
        finish(server, open_([{"bot": "greedy"}, {"bot": "random"}], options={"light": number % 2 == 0}), dice)
        finish(server, open_(people, visibility="private"), dice)
        finish(server, open_(people, sandbox={}), dice)
        branch = server.json(f"/v1/matches/{first['match']}/branches", {"at": 5, "seats": people})
        finish(server, branch, dice)
        position = server.json(f"/v1/matches/{first['match']}/position?at=9")
        finish(server, open_(people, position=position.get("position", position)), dice)
        left = open_(people)
        finish(server, left, dice, 3)
        server.json(f"/v1/matches/{left['match']}/close", {}, left["owner_token"])


# Compute: the rows of the tables, chosen by what was asked.


def read(server, game):
    """The public matches, each with its seats and its awards."""
    matches = {row["match_no"]: row | {"by_seat": [], "awards": []} for row in server.table("matches", game)}
    for row in server.table("seats", game):
        matches[row["match_no"]]["by_seat"].append(row)
    for row in server.table("awards", game):
        if not row["taken_back"]:
            matches[row["match_no"]]["awards"].append(row)
    kept = [m for m in matches.values() if m["visibility"] == "public" and not m["sandbox"]]
    for m in kept:
        m["by_seat"].sort(key=lambda seat: seat["seat"])
        winners = sum(seat["rank"] == 1 for seat in m["by_seat"])
        for seat in m["by_seat"]:
            seat["share"] = (seat["rank"] == 1) / max(winners, 1)
            seat["who"] = f"{seat['bot']}@{seat['bot_version']}" if seat["played_by"] == "bot" else None
            seat["person"] = seat["name"] if seat["played_by"] == "player" else None
        bots = sum(seat["played_by"] == "bot" for seat in m["by_seat"])
        m["players"] = "people" if bots == 0 else "bots" if bots == m["seat_count"] else "mixed"
        m["options"] = json.loads(m["options"]) if isinstance(m["options"], str) else m["options"]
        m["ended"] = m["finished_at"].replace(" ", "T")
    return sorted(kept, key=lambda m: m["match_no"])


def word(value):
    return value if isinstance(value, str) else json.dumps(value)


def names(query):
    return [name for name in query.get("group_by", "").split(",") if name]


def chosen(matches, query):
    by = names(query)
    of_bots = "bot" in query or "bot" in by or "players" in by
    players = query.get("players", "all" if of_bots else "people")
    from_setup = not {"loaded", "branched"} & ({*query} | {*by})
    loaded = "false" if from_setup else query.get("loaded", "all")
    for m in matches:
        fits = [
            players in ("all", m["players"]),
            "seats" not in query or m["seat_count"] == int(query["seats"]),
            "edition" not in query or m["edition"] == int(query["edition"]),
            "bot" not in query or any(is_bot(seat, query["bot"]) for seat in m["by_seat"]),
            "player" not in query or any(seat["person"] == query["player"] for seat in m["by_seat"]),
            "from" not in query or m["ended"] >= query["from"],
            "until" not in query or m["ended"] < query["until"],
            loaded in ("all", json.dumps(m["loaded"])),
            query.get("branched", "all") in ("all", json.dumps(m["branched_from"] is not None)),
            *(word(m["options"].get(name[7:])) == value for name, value in query.items() if name.startswith("option.")),
        ]
        if all(fits):
            yield m


def is_bot(seat, name):
    return seat["who"] is not None and name in (seat["who"], seat["bot"])


def selected(m, query):
    """The seats whose points and wins are told."""
    if "player" in query:
        return [seat for seat in m["by_seat"] if seat["person"] == query["player"]]
    if "bot" in query:
        return [seat for seat in m["by_seat"] if is_bot(seat, query["bot"])]
    return m["by_seat"]


def grouped(matches, query):
    values = {
        "players": lambda m, seat: m["players"], "seats": lambda m, seat: str(m["seat_count"]), "edition": lambda m, seat: str(m["edition"]),
        "bot": lambda m, seat: seat["who"], "player": lambda m, seat: seat["person"], "loaded": lambda m, seat: json.dumps(m["loaded"]),
        "branched": lambda m, seat: json.dumps(m["branched_from"] is not None),
        "day": lambda m, seat: m["ended"][:10], "month": lambda m, seat: m["ended"][:7], "year": lambda m, seat: m["ended"][:4],
    }
    groups = defaultdict(dict)
    by = names(query)
    for m in matches:
        for seat in m["by_seat"]:
            key = tuple(json.dumps(m["options"].get(n[7:])) if n.startswith("option.") else values[n](m, seat) for n in by)
            groups[key].setdefault(m["match_no"], (m, []))[1].append(seat)
    alone = "player" in query or "bot" in query
    return {key: [(m, selected(m, query) if alone else seats) for m, seats in group.values()] for key, group in groups.items()}


# The figures, by the libraries.


def mean(of_matches):
    """Of the values of each match."""
    of_matches = [values for values in of_matches if values]
    values = numpy.array([value for values in of_matches for value in values], float)
    n = len(of_matches)
    told = dict.fromkeys(["sum", "mean", "standard_error", "low", "high", "deviation", "least", "lower_quartile", "median", "upper_quartile", "most"])
    told |= {"n": n, "values": len(values), "method": "student_t"}
    if n == 0:
        return told
    lower, median, upper = numpy.quantile(values, [0.25, 0.5, 0.75])
    told |= {"sum": values.sum(), "least": values.min(), "most": values.max(), "lower_quartile": lower, "median": median, "upper_quartile": upper}
    told["deviation"] = values.std(ddof=1) if len(values) > 1 else None
    if n == 1:
        return told | {"mean": values.mean()}
    weights = [1 / len(values) for values in of_matches for _ in values]
    clusters = [number for number, values in enumerate(of_matches) for _ in values]
    fit = models.WLS(values, numpy.ones(len(values)), weights=weights).fit(
        cov_type="cluster", cov_kwds={"groups": numpy.array(clusters), "use_correction": True, "df_correction": True}, use_t=True)
    low, high = fit.conf_int()[0]
    # The same, where each match has one value.
    means = numpy.array([numpy.mean(values) for values in of_matches])
    by_t = stats.t.interval(0.95, n - 1, means.mean(), stats.sem(means)) if means.std() > 0 else (means.mean(), means.mean())
    assert numpy.allclose([low, high], by_t, rtol=0, atol=1e-8), (low, high, by_t)
    return told | {"mean": fit.params[0], "standard_error": fit.bse[0], "low": low, "high": high}


def rate(shares):
    """Of the part of the win that counts, with the number of seats, of each match."""
    n = len(shares)
    if n == 0:
        return {"n": 0, "count": None, "rate": None, "low": None, "high": None, "even": None, "method": "wilson"}
    count = sum(share for share, _ in shares)
    low, high = proportion_confint(count, n, 0.05, method="wilson")
    return {"n": n, "count": count, "rate": count / n, "low": low, "high": high, "even": numpy.mean([1 / seats for _, seats in shares]), "method": "wilson"}


def wins(pairs):
    return rate([(numpy.mean([seat["share"] for seat in seats]), m["seat_count"]) for m, seats in pairs if seats])


def start(matches):
    return rate([(m["by_seat"][m["start_seat"]]["share"], m["seat_count"]) for m in matches if m["start_seat"] is not None])


def points(pairs):
    return mean([[seat["final_points"] for seat in seats] for _, seats in pairs])


def figures(pairs):
    matches = [m for m, _ in pairs]
    return {
        "matches": len(matches), "commands": mean([[m["command_count"]] for m in matches]), "events": mean([[m["event_count"]] for m in matches]),
        "points": points(pairs), "wins": wins(pairs), "start_seat": start(matches),
    }


def tables(pairs):
    for seats in sorted({m["seat_count"] for m, _ in pairs}):
        own = [(m, chosen) for m, chosen in pairs if m["seat_count"] == seats]
        by_seat = []
        for number in range(seats):
            at = [(m, [seat for seat in chosen if seat["seat"] == number]) for m, chosen in own]
            at = [(m, chosen) for m, chosen in at if chosen]
            by_seat.append({"seat": number, "points": points(at), "first": wins(at), "started": sum(m["start_seat"] == number for m, _ in at)})
        yield {"seats": seats, "commands": mean([[m["command_count"]] for m, _ in own]), "start_seat": start([m for m, _ in own]), "by_seat": by_seat}


def awards(matches, keys):
    sums = defaultdict(lambda: [0, 0])
    for m in matches:
        for award in m["awards"]:
            for key in keys(award):
                sums[key][0] += 1
                sums[key][1] += award["points"]
    return [(*key, *sums[key]) for key in sorted(sums)]


def words(award):
    pieces = json.loads(award["pieces"]) if isinstance(award["pieces"], str) else award["pieces"] or {}
    return [(field, value) for field, value in pieces.items() if isinstance(value, str)]


compared = 0


def same(told, known, place):
    global compared
    if isinstance(known, dict):
        for name in known:
            same(told[name], known[name], f"{place}.{name}")
    elif isinstance(known, list):
        assert len(told) == len(known), f"{place}: {len(told)} instead of {len(known)}"
        for number, (one, other) in enumerate(zip(told, known)):
            same(one, other, f"{place}[{number}]")
    elif known is None or isinstance(known, str):
        assert told == known, f"{place}: {told} instead of {known}"
        compared += 1
    else:
        assert told is not None and abs(told - known) <= 1e-9 * max(1, abs(known)), f"{place}: {told} instead of {known}"
        compared += 1


# Ratings: Weng and Lin's Bradley-Terry model, by the formulas of docs/statistics.md.


def millionths(number):
    """As whole numbers of millionths: rounded half away from zero, as Rust does."""
    return math.floor(abs(number) * 1e6 + 0.5) * (1 if number >= 0 else -1)


def identity(seat):
    if seat["played_by"] == "bot":
        return seat["bot"], "bot", seat["bot_version"]
    return (seat["name"], "player", None) if seat["name"] is not None else None


def rated(ratings, m):
    """Rates those with a name who have one seat, against each other."""
    at = defaultdict(list)
    for seat in m["by_seat"]:
        if who := identity(seat):
            at[who].append(seat["rank"])
            ratings.setdefault(who, (0, millionths(25), millionths(25 / 3)))
    ranks = {who: ranks[0] for who, ranks in at.items() if len(ranks) == 1}
    if len(ranks) < 2:
        return
    before = {who: (ratings[who][1] / 1e6, ratings[who][2] / 1e6) for who in ranks}
    for i, (mu, sigma) in before.items():
        omega = delta = 0.0
        for q, (other, its) in before.items():
            if q == i:
                continue
            c = math.sqrt(sigma**2 + its**2 + 2 * (25 / 6) ** 2)
            p = math.exp(mu / c) / (math.exp(mu / c) + math.exp(other / c))
            s = 1.0 if ranks[i] < ranks[q] else 0.5 if ranks[i] == ranks[q] else 0.0
            omega += sigma**2 / c * (s - p)
            delta += sigma / c * (sigma / c) ** 2 * p * (1 - p)
        ratings[i] = ratings[i][0] + 1, millionths(mu + omega), millionths(sigma * math.sqrt(max(1 - delta, 1e-6)))


def players(matches):
    """By who they are, what is told of them; the strongest first."""
    ratings = {}
    for m in matches:
        if m["loaded"]:
            for who in filter(None, map(identity, m["by_seat"])):
                ratings.setdefault(who, (0, millionths(25), millionths(25 / 3)))
        else:
            rated(ratings, m)
    told = []
    for who, (count, rating, uncertainty) in ratings.items():
        pairs = [(m, [seat for seat in m["by_seat"] if identity(seat) == who]) for m in matches if not m["loaded"]]
        pairs = [(m, seats) for m, seats in pairs if seats]
        name, played_by, version = who
        told.append({
            "name": name, "played_by": played_by, "bot_version": version, "first": wins(pairs), "points": points(pairs), "rated": count,
            "rating": rating / 1e6, "uncertainty": uncertainty / 1e6, "least": (rating - 3 * uncertainty) / 1e6,
        })
    return told


def check_players(server, game, matches):
    known = {(player["name"], player["played_by"], player["bot_version"]): player for player in players(matches)}
    for which, kinds in {"people": ["player"], "bots": ["bot"], "all": ["player", "bot"]}.items():
        own = [player for player in known.values() if player["played_by"] in kinds]
        told, after = [], ""
        while after is not None:
            page = server.json(f"/v1/stats/{game}/players?players={which}&limit=3{after and '&after='}{after}")
            assert page["players"] == which, page["players"]
            told, after = told + page["items"], page["next"]
        assert [player["least"] for player in told] == sorted((player["least"] for player in told), reverse=True), "the strongest first"
        assert len(told) == len(own), f"{game}: {len(told)} players instead of {len(own)}"
        for player in told:
            of = known[player["name"], player["played_by"], player["bot_version"]]
            same(player, of, f"{game} {which} {player['name']}")


def check(server, game, matches, query):
    told = server.json(f"/v1/stats/{game}?{urllib.parse.urlencode(query)}")["finished"]
    own = list(chosen(matches, query))
    pairs = [(m, selected(m, query)) for m in own]
    place = f"{game} {query}"
    same(told, figures(pairs), place)
    same(told["deals"], len({m["seed"] for m in own}), f"{place} deals")
    # However they began.
    fitting = list(chosen(matches, {name: value for name, value in query.items() if name != "branched"} | {"loaded": "all"}))
    same(told["left_out"], len(fitting) - len(own), f"{place} left out")
    same(told["tables"], list(tables(pairs)), f"{place} tables")
    options = defaultdict(list)
    for m, seats in pairs:
        for name, value in m["options"].items():
            options[name, json.dumps(value, separators=(",", ":"), ensure_ascii=False)].append((m, seats))
    few = defaultdict(int)
    for name, _ in options:
        few[name] += 1
    for item in told["options"]:
        if few[item["option"]] <= 64:
            found = figures(options.pop((item["option"], item["value"])))
            same(item, {name: found[name] for name in ["commands", "points", "start_seat"]}, f"{place} {item['option']}={item['value']}")
    assert all(few[name] > 64 for name, _ in options), f"{place}: not told are {list(options)}"
    given = [(item["reason"], item["rule"], item["awards"], item["points"]) for item in told["awards"]]
    assert given == awards(own, lambda award: [(award["reason"], award["rule"])]), f"{place} awards"
    given = [(item["field"], item["value"], item["awards"], item["points"]) for item in told["pieces"]]
    assert given == awards(own, words), f"{place} pieces"
    groups = {tuple(by["value"] for by in group["by"]): group for group in told["groups"]}
    known = grouped(own, query) if names(query) else {}
    assert set(groups) <= set(known), f"{place}: {set(groups) - set(known)}"
    assert len(groups) == min(int(query.get("limit", 100)), len(known)), f"{place}: {len(groups)} groups of {len(known)}"
    same(told["groups_left_out"], len(known) - len(groups), f"{place} groups left out")
    sizes = {True: [], False: []}
    for key, group in known.items():
        sizes[key in groups].append(len(group))
        if key in groups:
            same(groups[key], figures(group), f"{place} {key}")
    assert min(sizes[True], default=0) >= max(sizes[False], default=0), f"{place}: a larger group is left out"
    return len(own)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--play", type=int, default=0)
    asked = parser.parse_args()
    server = Server(asked.address)
    play(server, asked.play)
    games = [game["id"] for game in server.json("/v1/games")["items"]]
    while not server.json(f"/v1/stats/{GAME}")["finished"]["complete"]:
        time.sleep(0.2)
    most = 0
    for game in games:
        matches = read(server, game)
        for query in QUERIES + (WITH_OPTIONS if game == GAME else []):
            most = max(most, check(server, game, matches, query))
        check_players(server, game, matches)
        print(f"{game}: {len(matches)} matches")
    assert most > 0, "there is nothing to compare"
    print(f"{compared} figures are the same")


if __name__ == "__main__":
    main()
