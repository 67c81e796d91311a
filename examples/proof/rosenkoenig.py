"""The chance of Rosenkönig: who begins, and the order of the cards (R-08, R-09, R-47)."""

from .chance import Draws

CARDS = [direction + distance for direction in "n ne e se s sw w nw".split() for distance in "123"]


class Chance:
    """The two piles."""

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

    def load(self, position: dict) -> None:
        self.pile, self.discard = list(position["draw_pile"]), list(position["discard_pile"])

    def follow(self, event: dict, draws: Draws) -> None:
        match event["type"]:
            case "CardPlayed":
                self.discard.insert(0, event["card"])
            case "DrawPileReshuffled":
                left = sorted(self.discard, key=CARDS.index)
                self.pile, self.discard = list(event["draw_pile"]), []
                draws.same("the new draw pile", shuffled(left, draws), event["draw_pile"])
            case "CardDrawn":
                draws.same("the top card of the draw pile", self.pile[0], event["card"])
                self.pile.pop(0)


def shuffled(cards: list, draws: Draws) -> list:
    left, pile = list(cards), []
    while left:
        pile.append(draws.pick("power_card", left))
        left.remove(pile[-1])
    return pile
