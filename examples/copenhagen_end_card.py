"""How does a match of Copenhagen end if nobody reaches twelve points, and who wins a tie?

usage: python3 copenhagen_end_card.py [http://127.0.0.1:8080 [seed]]     needs only Python 3.10

Three seats mostly take cards, and build a small tile now and then. With three players the end card is set aside at first: when
the deck has run out, the discarded cards become the deck, and the end card is shuffled among its lowest ten. The harbor is filled at the
end of each turn; when the end card comes up there, the match is over. Points decide, and the fewest empty spaces break a tie.
The script ranks the seats by itself, from the log alone, and exits with 1 if the server says anything else.
"""

import random
import sys

from asking import ask, check

DICE = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 3)
NAMES = ["Karen", "Nils", "Inger"]
SPACES = 45  # of a board
BUILDS = 0.4  # how often somebody builds who could


def choose(legal: list) -> dict:
    """A small tile, as low as may be, if the dice say so; else a card; else whatever there is."""
    builds = [command for command in legal if command["type"] == "PlaceTile"]
    takes = [command for command in legal if command["type"] in ("TakeCard", "EndTaking", "EndTurn")]
    if builds and (not takes or DICE.random() < BUILDS):
        return max(builds, key=lambda command: (command["y"], -len(command["payment"]), DICE.random()))
    return DICE.choice(takes or legal)


def tell(event, deck: int) -> None:
    who = NAMES[event["seat"]] if "seat" in event else ""
    match event["type"]:
        case "TilePlaced" if event["price"]:
            print(f"{who} pays {', '.join(event['payment']) or 'nothing'}, and places {event['tile']}.")
        case "TilePlaced":
            print(f"{who} places a special tile.")
        case "ScoreAwarded":
            lines = " and ".join(f"{line['kind']} {line['index']}" for line in event["lines"])
            print(f"    {lines} complete: {event['points']} for {who}, who has {event['total']}.")
        case "DeckReshuffled":
            print(f"    The deck has run out. {event['cards']} discarded cards become the deck, the end card among the lowest.")
        case "EndCardRevealed":
            print(f"    Slot {event['slot']} is filled from the deck of {deck} cards and the end card, and the end card comes up.")


def ranked(scores: list, empty: list) -> list:
    """Ranks of the seats: by points, then by fewest empty spaces; who is still tied shares the rank."""
    keys = [(-score, spaces) for score, spaces in zip(scores, empty)]
    return [1 + sum(other < key for other in keys) for key in keys]


def explained(seat: int, scores: list, empty: list) -> str:
    tied = [other for other in range(len(NAMES)) if other != seat and scores[other] == scores[seat]]
    if not tied:
        return "by points"
    names = " and ".join(NAMES[other] for other in tied)
    if all(empty[other] == empty[seat] for other in tied):
        return f"tied with {names}: as many points, as many empty spaces"
    return f"as many points as {names}: the empty spaces decide"


seats = [{"name": name} for name in NAMES]
opened = ask("/v1/matches", {"game": "copenhagen", "options": {}, "seats": seats})
match, tokens = opened["match"], opened["seat_tokens"]
view = ask(f"/v1/matches/{match}/view")
while (seat := view["active_seat"]) is not None:
    legal = ask(f"/v1/matches/{match}/legal-commands", token=tokens[seat])["items"]
    view = ask(f"/v1/matches/{match}/commands", {"command": choose(legal)}, tokens[seat])["view"]

# The story, page by page, as a spectator could see it: points, empty spaces and the deck are counted from the events alone.

scores, empty, deck, taken, events = [0] * len(NAMES), [SPACES] * len(NAMES), 0, 0, []
after = 0
while items := ask(f"/v1/matches/{match}/events?after={after}&limit=100&viewer=spectator")["items"]:
    after = items[-1]["version"]
    for event in (item["event"] for item in items):
        events.append(event)
        tell(event, deck)
        match event["type"]:
            case "MatchStarted":
                deck = event["position"]["deck_size"]
            case "CardTaken":
                taken += 1
            case "HarborCardRevealed":
                deck -= 1
            case "DeckReshuffled":
                deck = event["cards"]
            case "TilePlaced":
                empty[event["seat"]] -= len(event["cells"])
            case "ScoreAwarded":
                scores[event["seat"]] += event["points"]

kinds = [event["type"] for event in events]
check(kinds.count("MatchFinished") == 1 and kinds[-2:] == ["EndCardRevealed", "MatchFinished"], f"it ended with {kinds[-2:]}")
check(kinds.count("DeckReshuffled") == 1, "with three players the deck is made anew once, before the end card comes")
check(deck <= 9, f"the end card came up over {deck} cards: it lies among the lowest")
result = view["result"]
check(result["reason"] == "end_card" and view["end_card"] == "revealed", f"it ended by {result['reason']}")
check(max(scores) < 12, "somebody had twelve points already")

ranks = ranked(scores, empty)
expected = sorted(({"seat": seat, "rank": ranks[seat], "score": scores[seat], "empty_spaces": empty[seat]}
                   for seat in range(len(NAMES))), key=lambda place: (place["rank"], place["seat"]))
check(result["standing"] == expected, f"by the log it is {expected}, by the server {result['standing']}")
check(result["winners"] == [place["seat"] for place in expected if place["rank"] == 1], "others have won")

print(f"\nThe end card ended the match in turn {view['turn']}; {taken} cards were taken.\n")
for place in result["standing"]:
    seat = place["seat"]
    points = f"{place['score']} {'point' if place['score'] == 1 else 'points'}"
    print(f"{place['rank']}. {NAMES[seat]}: {points}, {place['empty_spaces']} spaces empty ({explained(seat, scores, empty)})")
