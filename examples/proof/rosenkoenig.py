"""The chance of Rosenkönig: who begins, and the order of the cards (R-08, R-09, R-47); and who wins."""

from . import printed
from .chance import Draws

CARDS = [direction + distance for direction in "n ne e se s sw w nw".split() for distance in "123"]
DEFAULTS = {name: option["default"] for name, option in printed.read("rosenkoenig", "rosenkoenig.toml")["options"].items()}
TAKE_BACK = "light"
HIDDEN = {"MatchStarted.draw_pile", "DrawPileReshuffled.draw_pile", "PositionLoaded.position.draw_pile"}
REVEALS = {"CardDrawn"}


class Chance:
    """The two piles, the hands, the board, and whose turn it is."""

    def begin(self, event: dict, seats: int, draws: Draws) -> None:
        self.pile, self.discard = list(event["draw_pile"]), []
        start = event["start_seat"]
        if event["options"]["start"] == "random":
            draws.expect("start_seat", [0, 1], start)
        else:
            draws.same("start_seat", event["options"]["colors"].index("red"), start)
        pile = shuffled(CARDS, draws)
        for seat in range(seats):
            hand = sorted(pile[5 * seat:5 * seat + 5], key=CARDS.index)
            draws.same(f"the hand of seat {seat}", hand, event["hands"][seat])
        draws.same("the draw pile", pile[5 * seats:], event["draw_pile"])
        self.active, self.board = start, {}
        self.hands, self.colors = [list(hand) for hand in event["hands"]], event["options"]["colors"]

    def load(self, position: dict) -> None:
        self.pile, self.discard = list(position["draw_pile"]), list(position["discard_pile"])
        self.active, self.colors = position["active_seat"], position["options"]["colors"]
        self.hands = [list(hand) for hand in position["hands"]]
        letters = {color[0]: color for color in self.colors}
        self.board = {(x, y): letters[letter] for y, row in enumerate(position["board"])
                      for x, letter in enumerate(row) if letter != "."}

    def follow(self, event: dict, draws: Draws) -> None:
        match event["type"]:
            case "CardPlayed":
                draws.same("who plays", self.active, event["seat"])
                self.hands[event["seat"]].remove(event["card"])
                self.discard.insert(0, event["card"])
            case "StonePlaced" | "StoneFlipped":
                draws.same("the color of the stone", self.colors[self.active], event["color"])
                self.board[event["at"]["x"], event["at"]["y"]] = event["color"]
            case "DrawPileReshuffled":
                left = sorted(self.discard, key=CARDS.index)
                self.pile, self.discard = list(event["draw_pile"]), []
                draws.same("the new draw pile", shuffled(left, draws), event["draw_pile"])
            case "CardDrawn":
                draws.same("who draws", self.active, event["seat"])
                draws.same("the top card of the draw pile", self.pile[0], event["card"])
                self.hands[event["seat"]].append(self.pile.pop(0))
            case "TurnPassed":
                draws.same("who passes", 1 - self.active, event["seat"])
            case "TurnStarted":
                self.active = event["seat"]
            case "ScoreAwarded":
                areas = self._areas(self.colors[event["seat"]])
                points = sum(len(area) ** 2 for area in areas)
                draws.same("the areas", areas, [[(at["x"], at["y"]) for at in area["fields"]] for area in event["breakdown"]])
                draws.same("the points", points, event["points"])
            case "MatchFinished":
                draws.same("the standing", self._standing(), event["standing"])

    def _areas(self, color: str) -> list:
        """R-60: the largest first, then in reading order."""
        left, areas = {at for at, shown in self.board.items() if shown == color}, []
        while left:
            area = [left.pop()]
            for x, y in area:  # it grows meanwhile
                near = left & {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
                left -= near
                area += near
            areas.append(sorted(area, key=reading))
        return sorted(areas, key=lambda area: (-len(area), reading(area[0])))

    def _standing(self) -> list:
        """R-62 and R-63."""
        seats = []
        for seat, color in enumerate(self.colors):
            sizes = [len(area) for area in self._areas(color)]
            seats.append((-sum(size ** 2 for size in sizes), -max(sizes, default=0), -sum(sizes), seat, color))
        rank = {seat: 1 + sum(other[:3] < mine[:3] for other in seats) for mine in seats for seat in mine[3:4]}
        return [{"rank": rank[seat], "seat": seat, "color": color, "points": -points, "largest_area": -largest, "stones": -stones}
                for points, largest, stones, seat, color in sorted(seats)]


def reading(at: tuple) -> tuple:
    return at[1], at[0]


def shuffled(cards: list, draws: Draws) -> list:
    left, pile = list(cards), []
    while left:
        pile.append(draws.pick("power_card", left))
        left.remove(pile[-1])
    return pile
