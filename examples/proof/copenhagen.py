"""The chance of Copenhagen: cards come from an unordered deck (C-203 to C-205, C-902 to C-904)."""

from . import printed
from .chance import Draws

DATA = printed.read("copenhagen", "copenhagen.toml")
COLORS, CARDS = DATA["enums"]["colors"], DATA["cards"]
END_CARD = "end_card"


class Chance:
    """The deck, the discard, and where the end card is."""

    def begin(self, event: dict, seats: int, draws: Draws) -> None:
        position = event["position"]
        self.load(position)
        rules = CARDS["by_players"][str(seats)]
        deck = [color for color in COLORS for _ in range(rules["per_color"])]
        for slot, color in enumerate(position["harbor"]):
            draws.expect("harbor_setup", deck, color)
            deck.remove(color)
        for seat in range(seats):
            hand = []
            for _ in range(CARDS["start_hand_by_seat"][seat]):
                hand.append(draws.pick("hand_setup", deck))
                deck.remove(hand[-1])
            draws.same(f"the hand of seat {seat}", sorted(hand, key=COLORS.index), position["players"][seat]["hand"])
        draws.same("the deck", deck, position["deck"])
        draws.same("the end card", rules["end_card_at_start"], position["end_card"])

    def load(self, position: dict) -> None:
        self.deck, self.discard = list(position["deck"]), list(position["discard"])
        self.end_card = position["end_card"]

    def follow(self, event: dict, draws: Draws) -> None:
        match event["type"]:
            case "CardDiscarded":
                self.discard.append(event["color"])
            case "TilePlaced":
                self.discard += event["payment"]
            case "DeckReshuffled":
                draws.same("the number of reshuffled cards", len(self.discard), event["cards"])
                self.deck, self.discard, self.end_card = sorted(self.discard, key=COLORS.index), [], "deck"
            case "HarborCardRevealed":
                draws.expect("harbor_refill", self._candidates(), event["color"])
                self.deck.remove(event["color"])
            case "EndCardRevealed":
                draws.expect("harbor_refill", self._candidates(), END_CARD)
                self.end_card = "revealed"

    def _candidates(self) -> list:
        low = self.end_card == "deck" and len(self.deck) <= CARDS["end_card_bottom"]
        return self.deck + [END_CARD] if low else self.deck
