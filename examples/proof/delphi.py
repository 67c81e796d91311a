"""The chance of The Oracle of Delphi: the setup (section 5 of its rules), decks without an order, dice (D-151); and who wins."""

from collections.abc import Iterator

from . import printed
from .chance import Draws
from .delphi_map import land_of

DATA = printed.read("delphi", "delphi.toml")
COLORS = DATA["colors"]["wheel"]
CARDS = [card["id"] for card in DATA["equipment"]]
SHIPS = [ship["id"] for ship in DATA["ship"]]
FACES = [{"color": tile["color"], "letter": tile["letter"]} for tile in DATA["island_tile"]]
TWO_SIDED = [(tile["offering"], tile["monster"]) for tile in DATA["two_sided_tile"]]
DEFAULTS = {"map": "first_journey", "map_seed": None, "ships": "lot", "fewer_tasks": 0, "colors": None, "start_seat": None}
TAKE_BACK = None
HIDDEN = {"MatchStarted.position.islands.*.face", "PositionLoaded.position.islands.*.face", "IslandLookedAt.face"}
REVEALS = {"IslandLookedAt", "IslandRevealed"}


def by_color(colors: list) -> list:
    return sorted(colors, key=[*COLORS, "white"].index)


def at(place: dict) -> tuple:
    return place["q"], place["r"]


class Chance:
    """The decks and the discards, the faces of the islands, and what the seats have."""

    def load(self, position: dict) -> None:
        self.decks = {"oracle": list(position["oracle_deck"]), "injury": list(position["injury_deck"])}
        self.discards = {"oracle": list(position["oracle_discard"]), "injury": list(position["injury_discard"])}
        self.equipment = list(position["equipment_deck"])
        self.card_played = position["turn"]["card_played"]
        self.seats, self.start, self.options = position["seats"], position["start_seat"], position["options"]
        players = position["players"]
        self.ships = {seat: player["ship"] for seat, player in enumerate(players)}
        self.faces = {at(island["at"]): island["face"] for island in position["islands"]}
        self.heroes = {(seat, companion["color"]) for seat, player in enumerate(players)
                       for companion in player["companions"] if companion["kind"] == "hero"}
        self.shields = [player["shield"] for player in players]
        # Before the first turn somebody else may be to choose.
        self.turn, self.struck = position["active_seat"] if position["stage"] in ("upkeep", "main") else None, []
        self.seated = [{"home": player["home"], "fulfilled": sum(map(count, player["fulfilled"].values())),
                        "cards": len(player["cards"]), "favor": player["favor"]} for player in players]

    def order(self) -> list:
        """The seats in turn order."""
        return [(self.start + place) % self.seats for place in range(self.seats)]

    def begin(self, event: dict, seats: int, draws: Draws) -> None:
        position, asked = event["position"], self.asked.get("map_seed")
        self.load(position)
        if position["options"]["map"] == "random":
            seed = position["map"]["seed"]
            if asked is None:
                draws.expect("map_seed", range(1000), seed)
            draws.same("the map_seed", [seed if asked is None else asked] * 2, [seed, position["options"]["map_seed"]])
        self._setup(position, draws)

    def _setup(self, position: dict, draws: Draws) -> None:
        options, seats = position["options"], position["players"]
        land = land_of(options["map"], position["map"]["seed"])
        self._compare_map(land, position, draws)
        if options["start_seat"] is None:
            draws.expect("start_seat", range(len(seats)), position["start_seat"])
        self._lay_out(land, position, draws)
        self._ships(position, draws)
        if options["ships"] == "lot":
            self._compare_areas(self._areas(self.full("injury", []), draws), seats, draws)
            self._first_choice(position, draws)
        for deck, field in [("injury", "injuries"), ("oracle", "cards")]:
            held = [color for seat in seats for color in seat[field]]
            draws.same(f"the {deck} deck", self.full(deck, held), position[f"{deck}_deck"])

    @staticmethod
    def full(deck: str, without: list) -> list:
        left = [color for color in COLORS for _ in range(DATA[f"{deck}_cards"]["per_color"])]
        for color in without:
            left.remove(color)
        return left

    @staticmethod
    def _compare_map(land: dict, position: dict, draws: Draws) -> None:
        hexes = [{"q": q, "r": r, "kind": cell["kind"], "color": cell.get("color") if cell["kind"] == "water" else None}
                 for (q, r), cell in land.items()]
        draws.same("the map", hexes, position["map"]["hexes"])
        places = [(place, cell) for place, cell in land.items()]
        for field, kind in [("cities", "city"), ("islands", "island")]:
            laid = [(place, cell["color"]) for place, cell in places if cell["kind"] == kind]
            draws.same(f"the {field}", laid, [(at(shown["at"]), shown["color"]) for shown in position[field]])
        sites = [(place, color) for place, cell in places if cell["kind"] == "statue" for color in by_color(cell["sites"])]
        draws.same("the building sites", sites, [(at(site["at"]), site["color"]) for site in position["sites"]])

    @staticmethod
    def _lay_out(land: dict, position: dict, draws: Draws) -> None:
        """Steps 3 to 7 of the setup."""
        seats, stocks = position["seats"], {}
        offerings = [place for place, cell in land.items() if cell["kind"] == "offering"]
        for _ in range(seats):
            spread("offering", offerings, stocks, draws)
        Chance._compare_stocks("offerings", offerings, stocks, position, draws)
        left = list(COLORS)
        for temple in position["temples"]:
            draws.expect("temple", left, temple["color"])
            left.remove(temple["color"])
        monsters = [place for place, cell in land.items() if cell["kind"] == "monster"]
        marked, stocks, left = [place for place in monsters if land[place]["marked"]], {}, list(COLORS)
        for place in marked:
            for _ in range(2):
                color = draws.pick("monster", left)
                left = [other for other in left if other != color]
                stocks.setdefault(place, []).append(color)
        for _ in range(seats - 1):
            spread("monster", [place for place in monsters if place not in marked], stocks, draws)
        Chance._compare_stocks("monsters", monsters, stocks, position, draws)
        left = list(FACES)
        for island in position["islands"]:
            draws.expect("face", left, island["face"])
            left.remove(island["face"])
        deck, display = list(CARDS), []
        for _ in range(6):
            display.append(draws.pick("equipment", deck))
            deck = [card for card in deck if card != display[-1]]
        draws.same("the display", sorted(display, key=CARDS.index), position["equipment_display"])
        draws.same("the equipment deck", deck, position["equipment_deck"])

    @staticmethod
    def _compare_stocks(field: str, places: list, stocks: dict, position: dict, draws: Draws) -> None:
        laid = [(place, by_color(stocks.get(place, []))) for place in places]
        draws.same(f"the {field}", laid, [(at(shown["at"]), shown["colors"]) for shown in position[field]])

    def _ships(self, position: dict, draws: Draws) -> None:
        """Step 9 (D-141)."""
        left = list(SHIPS)
        if position["options"]["ships"] == "choice":
            offer = []
            for _ in range(self.seats + 1):
                offer.append(draws.pick("ship", left))
                left = [ship for ship in left if ship != offer[-1]]
            return draws.same("the offer of ships", sorted(offer, key=SHIPS.index), position["ship_offer"])
        for seat in self.order():
            draws.expect("ship", left, self.ships[seat])
            left.remove(self.ships[seat])

    def _areas(self, deck: list, draws: Draws) -> Iterator[tuple]:
        """The draws of step 10 (D-142, D-143): what each seat gets, as (seat, dice, injury, tasks)."""
        dice = {seat: by_color([draws.pick("oracle_die", COLORS) for _ in range(3)]) for seat in self.order()}
        injuries, deck = {}, list(deck)
        for seat in self.order():
            deck = deck or list(COLORS)  # a loaded position may lack the cards
            injuries[seat] = draws.pick("injury_card", list(deck))
            deck.remove(injuries[seat])
        left, monsters, fewer = list(range(4)), [], self.options["fewer_tasks"]
        for _ in range(2):
            tile = draws.pick("turned_tile", left)
            left = [other for other in left if other != tile]
            monsters.append(TWO_SIDED[tile][1])
        monsters, offerings = by_color(monsters), by_color([TWO_SIDED[tile][0] for tile in left])
        if fewer >= 3:
            monsters.remove(draws.pick("removed_monster", list(monsters)))
        if fewer >= 4:
            offerings.remove(draws.pick("removed_offering", list(offerings)))
        tasks = {"shrine": 3 - (fewer >= 2), "statue": ["white"] * (3 - (fewer >= 1)),
                 "offering": [*offerings, "white"], "monster": [*monsters, "white"]}
        for seat in range(self.seats):
            yield seat, dice[seat], injuries[seat], tasks

    @staticmethod
    def _compare_areas(areas: Iterator[tuple], players: list, draws: Draws) -> None:
        for (seat, dice, injury, tasks), shown in zip(areas, players):
            draws.same(f"the dice of seat {seat}", dice, shown["dice"])
            draws.same(f"the first injury of seat {seat}", injury, shown.get("injury") or shown["injuries"][0])
            draws.same(f"the tasks of seat {seat}", tasks, shown["tasks"])

    def _first_choice(self, position: dict, draws: Draws) -> None:
        """D-144: a seat that chooses in the start position already may have drawn an oracle card for its ship."""
        choosing = next((seat for seat in self.order() if self.ships[seat] in ("tasks_11", "equipped")), None)
        if choosing is not None and self.ships[choosing] == "equipped":
            color = draws.pick("oracle_card", self.full("oracle", []))
            draws.same(f"the oracle card of seat {choosing}", [color], position["players"][choosing]["cards"])

    def follow(self, event: dict, draws: Draws) -> None:
        match event["type"]:
            case "ShipChosen":
                self.ships[event["seat"]] = event["ship"]
            case "PlayAreasPrepared":
                self._compare_areas(self._areas(self.decks["injury"], draws), event["areas"], draws)
                for area in event["areas"]:
                    self.shields[area["seat"]], self.seated[area["seat"]]["favor"] = area["shield"], area["favor"]
                    if area["injury"] in self.decks["injury"]:  # a loaded position may lack the cards
                        self.decks["injury"].remove(area["injury"])
            case "TurnStarted":
                self.turn = event["seat"]
            case "OracleCardDrawn":
                draws.same("who draws the card", event["seat"] if self.turn is None else self.turn, event["seat"])
                draws.expect("oracle_card", self.decks["oracle"], event["color"])
                self.decks["oracle"].remove(event["color"])
                self.seated[event["seat"]]["cards"] += 1
            case "InjuryDrawn":
                drawing = self.struck[:1] if event["reason"] == "titan" else [self.turn]
                draws.same("who draws the injury", drawing if drawing != [None] else [event["seat"]], [event["seat"]])
                draws.same("whether it is kept", (event["seat"], event["color"]) not in self.heroes, event["kept"])
                draws.expect("injury_card", self.decks["injury"], event["color"])
                self.struck = self.struck[event["reason"] == "titan":]
                self.decks["injury"].remove(event["color"])
                self.discards["injury"] += [] if event["kept"] else [event["color"]]
            case "InjuriesDiscarded":
                self.discards["injury"] += event["cards"]
            case "DeckReshuffled":
                self.decks[event["deck"]] = by_color(self.discards[event["deck"]])
                self.discards[event["deck"]] = []
            case "CompanionTaken":
                self.heroes |= {(event["seat"], event["color"])} if event["kind"] == "hero" else set()
            case "ShieldRaised":
                self.shields[event["seat"]] = event["to"]
            case "IslandLookedAt" | "IslandRevealed":
                draws.same("the face of the island", self.faces[at(event["at"])], event["face"])
            case "SourceChosen":
                self.seated[event["seat"]]["cards"] -= event["kind"] == "card"
                self.seated[event["seat"]]["favor"] -= event["favor"]
                self.card_played = event["color"] if event["kind"] == "card" else self.card_played
            case "TurnEnded":
                self.discards["oracle"] += [self.card_played] if self.card_played else []
                self.card_played = None
            case "EquipmentTaken":
                if self.equipment:
                    draws.expect("equipment", self.equipment, event["refill"])
                    self.equipment.remove(event["refill"])
                else:
                    draws.same("the refill of the display", None, event["refill"])
            case "OracleConsulted":
                dice = [draws.pick("oracle_die", COLORS) for _ in range(3)]
                draws.same("the oracle's dice", by_color(dice), event["dice"])
            case "TitanRolled":
                draws.expect("titan_die", DATA["titan"]["die"], event["strength"])
                # On a 6 everybody draws two injuries, otherwise whoever has a lower shield draws one (D-251).
                self.struck = [seat for seat in self.order()
                               for _ in range(2 if event["strength"] == 6 else self.shields[seat] < event["strength"])]
            case "BattleRolled":
                draws.same("whether it is won", event["roll"] >= event["strength"], event["won"])
                draws.expect("battle_die", DATA["battle"]["die"], event["roll"])
            case "FavorGained":
                seat = self.seated[event["seat"]]
                seat["favor"] = min(seat["favor"] + event["amount"], 65535)
            case "FavorSpent":
                self.seated[event["seat"]]["favor"] -= event["amount"]
            case "ShipMoved":
                self.seated[event["seat"]]["favor"] -= event["favor"]
            case "TaskFulfilled":
                self.seated[event["seat"]]["fulfilled"] += 1
            case "ZeusReached":
                self.seated[event["seat"]]["home"] = True
            case "MatchFinished":
                draws.same("the standing", self._standing(), event["standing"])

    def _standing(self) -> list:
        """D-802 and D-803."""
        def key(seat: dict) -> tuple:
            return not seat["home"], 0 if seat["home"] else -seat["fulfilled"], -seat["cards"], -seat["favor"]

        keys = list(map(key, self.seated))
        standing = [{"seat": seat, "rank": 1 + sum(other < mine for other in keys)} | self.seated[seat]
                    for seat, mine in enumerate(keys)]
        return sorted(standing, key=lambda place: (place["rank"], place["seat"]))


def count(fulfilled: int | list) -> int:
    return fulfilled if isinstance(fulfilled, int) else len(fulfilled)


def spread(kind: str, places: list, stocks: dict, draws: Draws) -> None:
    """One round of D-133: each place gets a color that is new in the round and there, so that the rest can still be filled."""
    left = list(COLORS)
    for number, place in enumerate(places):
        fitting = [color for color in left if color not in stocks.get(place, [])
                   and fillable(places[number + 1:], stocks, [other for other in left if other != color])]
        color = draws.pick(kind, fitting)
        stocks.setdefault(place, []).append(color)
        left.remove(color)


def fillable(places: list, stocks: dict, left: list) -> bool:
    return not places or any(color not in stocks.get(places[0], [])
                             and fillable(places[1:], stocks, [other for other in left if other != color]) for color in left)
