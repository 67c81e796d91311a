"""The chance of Völuspá: tiles are drawn from an unordered pile (V-103 to V-108); who gets them, and who wins."""

from . import printed
from .chance import Draws

DATA = printed.read("voluspa", "voluspa.toml")
TYPES = [tile["type"] for tile in DATA["tiles"]]
COUNTS = {tile["type"]: tile["count"] for tile in DATA["tiles"]}
BASE = [tile["type"] for tile in DATA["tiles"] if tile["module"] == "base"]
DEFAULTS = {"set": "base", "custom_types": None, "lightning_bolt": False, "no_late_hel": False}
TAKE_BACK = None
HIDDEN = {"TileDrawn.tile", "PositionLoaded.position.pile", "PositionLoaded.position.players.*.hand"}
REVEALS = set()


def types(options: dict) -> list:
    """All types of a match, in enum order."""
    added = options["custom_types"] if options["set"] == "custom" else DATA["sets"][options["set"]]["types"]
    bolts = ["lightning_bolt"] if options["lightning_bolt"] else []
    return [kind for kind in TYPES if kind in BASE + added + bolts]


class Chance:
    """The pile, whose turn it is, and the scores."""

    def begin(self, event: dict, seats: int, draws: Draws) -> None:
        self.pile, self.kind = list(event["pile"]), "hand_tile"
        used = types(event["options"])
        draws.same("the types of the match", used, event["tile_types"])
        full = [kind for kind in used if kind != "hel" for _ in range(COUNTS[kind])]
        draws.same("the pile before the first draw", full, event["pile"])
        draws.same("the number of seats", seats, event["seats"])
        self.seats, self.dealt, self.active, self.begins = seats, 0, None, True
        self.scores, self.reached = [0] * seats, list(range(seats))

    def load(self, position: dict) -> None:
        self.pile, self.kind, self.seats = list(position["pile"]), "draw_tile", position["seats"]
        self.active, self.begins = position["active_seat"], False
        self.scores = [player["score"] for player in position["players"]]
        self.reached = [player["reached"] for player in position["players"]]

    def follow(self, event: dict, draws: Draws) -> None:
        match event["type"]:
            case "TileDrawn":
                # Five for seat 0, then five for seat 1, and so on (V-105); later for the seat whose turn it is.
                receiver = self.dealt // 5 if self.kind == "hand_tile" else self.active
                draws.same("who gets the tile", receiver, event["seat"])
                draws.expect(self.kind, self.pile, event["tile"])
                self.pile.remove(event["tile"])
                self.dealt = self.dealt + 1 if self.kind == "hand_tile" else 0
            case "StartTilePlaced":
                candidates = [kind for kind in self.pile if kind not in DATA["start_tile_excluded"]]
                draws.expect("start_tile", candidates, event["tile"])
                self.pile.remove(event["tile"])
            case "StartSeatChosen":
                draws.expect("start_seat", range(self.seats), event["seat"])
                self.kind, self.active = "draw_tile", event["seat"]
                self.reached = [(seat - event["seat"]) % self.seats for seat in range(self.seats)]
            case "TurnStarted":
                first = self.active if self.begins else self.active + 1
                turns = [(first + place) % self.seats for place in range(len(event["passed"]) + 1)]
                draws.same("whose turn it is", turns, [*event["passed"], event["seat"]])
                self.active, self.begins = event["seat"], False
            case "ScoreAwarded":
                points = sum(part["points"] for part in event["parts"])
                draws.same("the points", max(points, 1), event["points"])
                draws.same("who scores", self.active, event["seat"])
                draws.same("the score", self.scores[event["seat"]] + event["points"], event["total"])
                draws.same("when it was reached", max(self.reached) + 1, event["reached"])
                self.scores[event["seat"]], self.reached[event["seat"]] = event["total"], event["reached"]
            case "MatchFinished":
                draws.same("the ranking", self._ranking(), event["ranking"])

    def _ranking(self) -> list:
        """V-702 and V-703."""
        order = sorted(range(self.seats), key=lambda seat: (-self.scores[seat], self.reached[seat]))
        ranking = []
        for rank, seat in enumerate(order, 1):
            score = self.scores[seat]
            later = sum(self.scores[other] == score for other in order[rank - 1:])
            shared = f".{later}" if self.scores.count(score) > 1 else ""
            ranking.append({"rank": rank, "seat": seat, "score": score, "display": f"{score}{shared}"})
        return ranking
