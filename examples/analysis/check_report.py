"""The tables of `GET /v1/stats/{game}/report`, computed again from the tables of matches with SciPy and statsmodels, to the digits that the page shows.

    pip install numpy scipy statsmodels
    python3 examples/analysis/check_report.py http://127.0.0.1:8080

docs/statistics.md has the formulas. It needs a store of at most 1000 matches of each game, since the page is of the newest.
"""

import argparse
import json
import re
import urllib.parse
from collections import Counter, defaultdict
from html.parser import HTMLParser

from check_statistics import GAME, Server, chosen, figures, grouped, mean, names, points, rate, read, selected, wins
from scipy import stats

QUERIES = [
    {"players": "all"}, {"players": "bots"}, {"bot": "greedy"}, {"player": "Ada", "players": "all"}, {},
    {"group_by": "players,seats"}, {"group_by": "bot"}, {"group_by": "player", "players": "all"}, {"group_by": "bot", "player": "Ada"},
]
WITH_OPTIONS = [{"group_by": "option.light", "players": "all"}]


class Tables(HTMLParser):
    """The tables of a page: by their heads, the rows of each as texts; and the headings that each stands below."""

    def __init__(self, page):
        super().__init__()
        self.tables, self.cell = [], None
        self.section, self.part, self.places = "", "", []
        self.feed(page)

    def handle_starttag(self, tag, _):
        if tag == "table":
            self.tables.append([])
            self.places.append((self.section, self.part))
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in ("td", "th", "h2", "h3"):
            self.cell = ""

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.tables[-1][-1].append(self.cell)
            self.cell = None
        elif tag == "h2":
            self.section, self.part, self.cell = self.cell, "", None
        elif tag == "h3":
            self.part, self.cell = self.cell, None

    def rows(self, *head):
        """Those of all tables with this head."""
        return [rows for _, rows in self.placed(*head)]

    def placed(self, *head):
        """The same, each with its section and the part of it."""
        return [(place, rows[1:]) for place, rows in zip(self.places, self.tables) if rows[0] == list(head)]


def number(text):
    return None if text == "–" else float(text.rstrip(" %"))


def fits(text, value, place):
    """The value, rounded as the text is."""
    global compared
    compared += 1
    told = number(text)
    if value is None or told is None:
        assert value is None and told is None, f"{place}: {text} instead of {value}"
        return
    digits = len(text.rstrip(" %").partition(".")[2])
    assert abs(told - value) <= 0.5 * 10**-digits + 1e-9, f"{place}: {text} instead of {value}"


def fits_interval(text, figure, scale, place):
    """`middle (low to high)` of a mean or a rate."""
    value = figure["mean" if "mean" in figure else "rate"]
    parts = re.fullmatch(r"(\S+)(?: %)?(?: \((\S+)(?: %)? to (\S+)(?: %)?\))?", text)
    assert parts, f"{place}: {text}"
    known = [value, figure["low"], figure["high"]] if parts[2] else [value]
    assert parts[2] or figure["low"] is None, f"{place}: {text} has no interval"
    for part, of in zip(parts.groups(), known):
        fits(part, None if of is None else scale * of, place)


def check_means(page, own, pairs, place):
    known = {"commands": mean([[m["command_count"]] for m in own]), "events": mean([[m["event_count"]] for m in own]), "points of a seat": points(pairs)}
    sizes = {m["seat_count"] for m in own}
    if len(sizes) > 1:
        known |= {f"commands with {seats} seats": mean([[m["command_count"]] for m in own if m["seat_count"] == seats]) for seats in sizes}
    for table in page.rows("", "matches", "mean (95 % interval)", "least", "quarter below", "median", "quarter above", "most"):
        for name, n, middle, *spread in table:
            figure = known.pop(name)
            fits(n, figure["n"], f"{place} {name}")
            fits_interval(middle, figure, 1, f"{place} {name}")
            for text, which in zip(spread, ["least", "lower_quartile", "median", "upper_quartile", "most"]):
                fits(text, figure[which], f"{place} {name} {which}")
    assert not known, f"{place}: not told are {list(known)}"


def check_seats(page, pairs, place):
    tables = page.rows("", "began", "wins (95 % interval)", "points")
    sizes = sorted({m["seat_count"] for m, seats in pairs if seats})
    assert len(tables) == len(sizes), f"{place}: {len(tables)} tables of seats for {sizes}"
    for seats, table in zip(sizes, tables):
        for label, began, won, of in table:
            at = int(label.split()[-1])
            there = [(m, [seat for seat in chosen if seat["seat"] == at]) for m, chosen in pairs if m["seat_count"] == seats]
            there = [(m, chosen) for m, chosen in there if chosen]
            fits(began, sum(m["start_seat"] == at for m, _ in there), f"{place} seat {at}")
            fits_interval(won, wins(there), 100, f"{place} seat {at} of {seats}")
            fits_interval(of, points(there), 1, f"{place} seat {at} of {seats}")


def check_points(page, own, place):
    sums = defaultdict(lambda: [0, 0])
    for award in (award for m in own for award in m["awards"]):
        sums[award["reason"], award["rule"]][0] += 1
        sums[award["reason"], award["rule"]][1] += award["points"]
    given = sum(points for _, points in sums.values() if points > 0)
    known = sorted((rule, times / len(own), points / len(own), 100 * points / given if points > 0 else None) for (_, rule), (times, points) in sums.items())
    rows = [row for table in page.rows("reason", "rule", "times in a match", "points in a match", "of all that is given") for row in table]
    told = sorted(rows, key=lambda row: (row[1], float(row[2]), float(row[3])))
    assert len(told) == len(known), f"{place}: {len(told)} rows of points instead of {len(known)}"
    for (_, rule, *texts), (of, *values) in zip(told, known):
        assert rule == of, f"{place}: {rule} instead of {of}"
        for text, value in zip(texts, values):
            fits(text, value, f"{place} {rule}")


def check_compared(page, own, pairs, query, place):
    """What options change, how bots fare, and the groups: the rows of each table, and whose wins they have."""
    known, by_option = {}, defaultdict(lambda: defaultdict(list))
    for m, seats in pairs:
        for option, value in m["options"].items():
            by_option[option][json.dumps(value, separators=(",", ":"), ensure_ascii=False)].append((m, seats))
    for option, values in by_option.items():
        if len(values) > 1:
            known["What options change", option] = values, "start_seat"
    is_of_one = bool({"player", "bot"} & {*query})
    by_bot = grouped(own, {"group_by": "bot"})
    if not is_of_one and set(by_bot) != {(None,)}:
        known["How bots fare", ""] = {who or "people": of for (who,), of in by_bot.items()}, "wins"
    by = names(query)
    if by:
        groups = {", ".join("–" if value is None else value for value in key): of for key, of in grouped(own, query).items()}
        known[f"By {', '.join(by)}", ""] = groups, "wins" if is_of_one or {"player", "bot"} & {*by} else "start_seat"
    tables = page.placed("", "matches", "commands", "points of a seat", "wins")
    # The identifier of an option stands behind its name.
    told = {(section, part.rpartition("(")[2].rstrip(")")): rows for (section, part), rows in tables}
    assert set(told) == set(known), f"{place}: {set(told) ^ set(known)}"
    for (section, part), rows in told.items():
        of_rows, whose = known[section, part]
        here = f"{place} {section} {part}"
        # Of many values the rarest are one row, and of many groups the smallest are left out.
        if len(of_rows) > 64 and part:
            rows = [row for row in rows if row[0] != "other"]
        most = 64 if part else 100 if section.startswith("By ") else 1000
        assert len(rows) == min(most, len(of_rows)), f"{here}: {len(rows)} rows of {len(of_rows)}"
        for label, n, took, of, won in rows:
            figure = figures(of_rows[label])
            fits(n, figure["matches"], f"{here} {label}")
            fits_interval(took, figure["commands"], 1, f"{here} {label} commands")
            fits_interval(of, figure["points"], 1, f"{here} {label} points")
            fits_interval(won, figure[whose], 100, f"{here} {label} wins")


def check_moves(page, own, pairs, commands, place):
    seats_of = {m["match_no"]: {seat["seat"] for seat in seats} for m, seats in pairs}
    played = defaultdict(list)
    for m in own:
        first = m["start_seat"]
        of_seat = (row for row in commands[m["match_no"]] if row["acting_seat"] == first and not row["taken_back"])
        row = next(of_seat, None)
        if first in seats_of[m["match_no"]] and not m["loaded"] and row:
            played[m["seat_count"], json.dumps(row["command"], sort_keys=True)].append((m["by_seat"][first]["share"], m["seat_count"]))
    rows = [row for table in page.rows("move", "seats", "matches", "wins (95 % interval)", "command") for row in table]
    often = {key: of for key, of in played.items() if len(of) >= 5}
    assert len(rows) == min(12, len(often)), f"{place}: {len(rows)} moves of {len(often)}"
    above = []
    for _, seats, n, won, command in rows:
        figure = rate(often[int(seats), json.dumps(json.loads(command), sort_keys=True)])
        fits(n, figure["n"], f"{place} {command}")
        fits_interval(won, figure, 100, f"{place} {command}")
        above.append(figure["low"] - figure["even"])
    assert above == sorted(above, reverse=True), f"{place}: not by the lower end"


def check_chance(page, own, draws, place):
    # Of matches that were dealt alike the newest one counts; of those that would go otherwise some draws are not known.
    dealt = {m["seed"]: m["match_no"] for m in own if m["otherwise_count"] == 0}
    counts, outcomes = defaultdict(lambda: defaultdict(Counter)), defaultdict(lambda: defaultdict(set))
    for match in dealt.values():
        for draw in draws[match]:
            if not draw["forced"] and 2 <= draw["candidates"] <= 1000:
                kind = draw["draw_kind"].replace("_", " ")
                counts[kind][draw["candidates"]][draw["drawn_index"]] += 1
                outcomes[kind][draw["drawn_index"]].add(draw["outcome"])
    rows = [row for table in page.rows("draw", "draws", "chi-squared", "degrees", "by chance as far off or more", "") for row in table]
    assert {row[0] for row in rows} == set(counts), f"{place}: {[row[0] for row in rows]} instead of {list(counts)}"
    tests = sum(likely != "–" for _, _, _, _, likely, _ in rows)
    for kind, n, squared, freedom, likely, said in rows:
        by = {candidates: [drawn[at] for at in range(candidates)] for candidates, drawn in counts[kind].items()}
        fits(n, sum(map(sum, by.values())), f"{place} {kind}")
        tested = {candidates: drawn for candidates, drawn in by.items() if sum(drawn) >= 5 * candidates}
        if not tested:
            assert [squared, freedom, likely] == ["–"] * 3, f"{place} {kind}: told of too few"
            continue
        statistic = sum(stats.chisquare(drawn).statistic for drawn in tested.values())
        degrees = sum(candidates - 1 for candidates in tested)
        probability = stats.chi2.sf(statistic, degrees)
        for text, value in [(squared, statistic), (freedom, degrees), (likely, 100 * probability)]:
            fits(text, value, f"{place} {kind}")
        assert (said == "as expected") == (probability >= 0.01 / tests), f"{place} {kind}: {said}"
    check_dice(page, counts, outcomes, place)


def check_dice(page, counts, outcomes, place):
    """Kinds of draws that always have the same few candidates, each with the same name."""
    dice = {}
    for kind, by in counts.items():
        (candidates, drawn), *others = by.items()
        are_named = all(len(of) == 1 for of in outcomes[kind].values())
        if not others and candidates <= 20 and sum(drawn.values()) >= 5 * candidates and are_named:
            name = lambda at: next(iter(outcomes[kind][at]), f"no. {at + 1}").replace("_", " ")
            dice[kind] = [(name(at), drawn[at]) for at in range(candidates)]
    told = {kind: rows for (_, kind), rows in page.placed("outcome", "draws", "of all")}
    assert set(told) == set(dice), f"{place}: outcomes of {set(told)} instead of {set(dice)}"
    for kind, rows in told.items():
        assert [row[0] for row in rows] == [name for name, _ in dice[kind]], f"{place} {kind}: {rows}"
        all_draws = sum(count for _, count in dice[kind])
        for (name, n, part), (_, count) in zip(rows, dice[kind]):
            fits(n, count, f"{place} {kind} {name}")
            fits(part, 100 * count / all_draws, f"{place} {kind} {name}")


compared = 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    server = Server(parser.parse_args().address)
    for game in (game["id"] for game in server.json("/v1/games")["items"]):
        matches = read(server, game)
        assert len(matches) <= 1000, f"{game}: {len(matches)} matches, and the report is of the newest 1000"
        commands, draws = defaultdict(list), defaultdict(list)
        for rows, table in [(commands, "commands"), (draws, "draws")]:
            for row in server.table(table, game):
                rows[row["match_no"]].append(row)
        for query in QUERIES + (WITH_OPTIONS if game == GAME else []):
            own = list(chosen(matches, query))
            pairs = [(m, selected(m, query)) for m in own]
            place = f"{game} {query}"
            page = Tables(server.ask(f"/v1/stats/{game}/report?{urllib.parse.urlencode(query)}").decode())
            if not own:
                assert not page.tables, f"{place}: tables of nothing"
                continue
            check_means(page, own, pairs, place)
            check_seats(page, pairs, place)
            check_points(page, own, place)
            check_compared(page, own, pairs, query, place)
            check_moves(page, own, pairs, commands, place)
            check_chance(page, own, draws, place)
        print(f"{game}: {len(matches)} matches")
    assert compared > 0, "there is nothing to compare"
    print(f"{compared} figures of reports are the same")


if __name__ == "__main__":
    main()
