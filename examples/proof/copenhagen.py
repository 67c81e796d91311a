"""The chance of Copenhagen: cards come from an unordered deck (C-203 to C-205, C-902 to C-904). The harbor, and who wins."""

from . import printed
from .chance import Draws

DATA = printed.read("copenhagen", "copenhagen.toml")
COLORS, CARDS = DATA["enums"]["colors"], DATA["cards"]
END_CARD, SPACES = "end_card", 45
DEFAULTS = {}
TAKE_BACK = None
HIDDEN = {f"{first}.position.{part}" for first in ("MatchStarted", "PositionLoaded") for part in ("deck", "players.*.hand")}
REVEALS = set()


class Chance:
    """The deck, the discard, the harbor, where the end card is, whose turn it is, and what the seats have reached."""

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
        self.end_card, self.harbor = position["end_card"], list(position["harbor"])
        self.active, self.scores = position["active_seat"], [player["score"] for player in position["players"]]
        self.empty = [SPACES - sum(map(covered, player["tiles"])) for player in position["players"]]

    def follow(self, event: dict, draws: Draws) -> None:
        match event["type"]:
            case "CardDiscarded":
                self.discard.append(event["color"])
            case "CardTaken":
                draws.same("the card of the slot", self.harbor[event["slot"]], event["color"])
                draws.same("who takes the card", self.active, event["seat"])
                self.harbor[event["slot"]] = None
            case "TilePlaced":
                draws.same("who builds", self.active, event["seat"])
                self.discard += event["payment"]
                self.empty[event["seat"]] -= len(event["cells"])
            case "DeckReshuffled":
                draws.same("the number of reshuffled cards", len(self.discard), event["cards"])
                self.deck, self.discard, self.end_card = sorted(self.discard, key=COLORS.index), [], "deck"
            case "HarborCardRevealed":
                draws.same("the slot", self.harbor.index(None), event["slot"])  # the lowest one that is empty (C-305)
                draws.expect("harbor_refill", self._candidates(), event["color"])
                self.deck.remove(event["color"])
                self.harbor[event["slot"]] = event["color"]
            case "EndCardRevealed":
                draws.same("the slot", self.harbor.index(None), event["slot"])
                draws.expect("harbor_refill", self._candidates(), END_CARD)
                self.end_card = "revealed"
            case "ScoreAwarded":
                draws.same("the points", sum(line["points"] for line in event["lines"]), event["points"])
                draws.same("who scores", self.active, event["seat"])
                draws.same("the score", self.scores[event["seat"]] + event["points"], event["total"])
                self.scores[event["seat"]] = event["total"]
            case "TurnEnded":
                turns = [self.active, (self.active + 1) % len(self.scores)]
                draws.same("whose turn it is", turns, [event["seat"], event["next_seat"]])
                self.active = event["next_seat"]
            case "MatchFinished":
                reason = END_CARD if self.end_card == "revealed" else "twelve_points"
                result = [reason, *self._result(reason)]
                draws.same("the result", result, [event["reason"], event["standing"], event["winners"]])

    def _result(self, reason: str) -> list:
        """The standing and the winners (C-905, C-906)."""
        keys = [(-score, empty if reason == END_CARD else 0) for score, empty in zip(self.scores, self.empty)]
        ranks = [1 + sum(other < key for other in keys) for key in keys]
        standing = [{"seat": seat, "rank": ranks[seat], "score": self.scores[seat], "empty_spaces": self.empty[seat]}
                    for seat in sorted(range(len(ranks)), key=lambda seat: (ranks[seat], seat))]
        return [standing, [seat for seat, rank in enumerate(ranks) if rank == 1]]

    def _candidates(self) -> list:
        low = self.end_card == "deck" and len(self.deck) <= CARDS["end_card_bottom"]
        return self.deck + [END_CARD] if low else self.deck


def covered(tile: dict) -> int:
    """How many spaces a tile covers: its name ends with that, unless it is a special tile."""
    size = tile["tile"].rpartition("_")[2]
    return int(size) if size.isdigit() else 1
