"""The chance of Völuspá: tiles are drawn from an unordered pile (V-103 to V-108)."""

from . import printed
from .chance import Draws

DATA = printed.read("voluspa", "voluspa.toml")
TYPES = [tile["type"] for tile in DATA["tiles"]]
COUNTS = {tile["type"]: tile["count"] for tile in DATA["tiles"]}
BASE = [tile["type"] for tile in DATA["tiles"] if tile["module"] == "base"]


def types(options: dict) -> list:
    """All types of a match, in enum order."""
    added = options["custom_types"] if options["set"] == "custom" else DATA["sets"][options["set"]]["types"]
    bolts = ["lightning_bolt"] if options["lightning_bolt"] else []
    return [kind for kind in TYPES if kind in BASE + added + bolts]


class Chance:
    """The pile."""

    def begin(self, event: dict, seats: int, draws: Draws) -> None:
        self.pile, self.kind = list(event["pile"]), "hand_tile"
        used = types(event["options"])
        draws.same("the types of the match", used, event["tile_types"])
        full = [kind for kind in used if kind != "hel" for _ in range(COUNTS[kind])]
        draws.same("the pile before the first draw", full, event["pile"])
        draws.same("the number of seats", seats, event["seats"])
        self.seats = seats

    def load(self, position: dict) -> None:
        self.pile, self.kind, self.seats = list(position["pile"]), "draw_tile", position["seats"]

    def follow(self, event: dict, draws: Draws) -> None:
        match event["type"]:
            case "TileDrawn":
                draws.expect(self.kind, self.pile, event["tile"])
                self.pile.remove(event["tile"])
            case "StartTilePlaced":
                candidates = [kind for kind in self.pile if kind not in DATA["start_tile_excluded"]]
                draws.expect("start_tile", candidates, event["tile"])
                self.pile.remove(event["tile"])
            case "StartSeatChosen":
                draws.expect("start_seat", range(self.seats), event["seat"])
                self.kind = "draw_tile"
