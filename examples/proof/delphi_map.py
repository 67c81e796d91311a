"""The map of The Oracle of Delphi: the printed tiles, the predefined maps, and the random maps of D-112."""

from functools import cache

from . import printed

DATA = printed.read("delphi", "delphi_map.toml")
TILES = {tile["name"]: tile for tile in DATA["tile"]}
MASK64 = (1 << 64) - 1
NEAR = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


def around(hex_: tuple) -> list:
    return [(hex_[0] + q, hex_[1] + r) for q, r in NEAR]


def order(hex_: tuple) -> tuple:
    """Map order: by r, then q."""
    return hex_[1], hex_[0]


@cache
def turned(name: str, rot: int) -> tuple:
    """The cells of a tile, turned `rot` times by 60 degrees."""
    cells = [(cell["q"], cell["r"]) for cell in TILES[name]["cells"]]
    for _ in range(rot):
        cells = [(-r, q + r) for q, r in cells]
    return tuple(cells)


def lay(placements: list) -> dict:
    """From the placements (name, q, r, rot) to the ground of each hex, in map order; holes are shallows (D-101)."""
    land = {}
    for name, q, r, rot in placements:
        for (dq, dr), cell in zip(turned(name, rot), TILES[name]["cells"]):
            land[q + dq, r + dr] = cell
    land |= {hole: {"kind": "shallow"} for hole in holes(land)}
    return {at: land[at] for at in sorted(land, key=order)}


def holes(land: dict) -> set:
    qs, rs = {q for q, _ in land}, {r for _, r in land}
    window = {(q, r) for q in range(min(qs) - 1, max(qs) + 2) for r in range(min(rs) - 1, max(rs) + 2)} - land.keys()
    todo = [(min(qs) - 1, min(rs) - 1)]
    window.remove(todo[0])
    while todo:
        free = [at for at in around(todo.pop()) if at in window]
        window.difference_update(free)
        todo += free
    return window


def is_water(land: dict, at: tuple) -> bool:
    return at in land and land[at]["kind"] == "water"


def water_is_connected(land: dict) -> bool:
    water = {at for at in land if is_water(land, at)}
    todo = [next(iter(water))]
    water.discard(todo[0])
    while todo:
        found = [at for at in around(todo.pop()) if at in water]
        water.difference_update(found)
        todo += found
    return not water


def is_valid(land: dict) -> bool:
    """D-103."""
    islands = (at for at, cell in land.items() if cell["kind"] not in ("water", "shallow"))
    return water_is_connected(land) and all(any(is_water(land, near) for near in around(at)) for at in islands)


class Numbers:
    """The generator of D-112."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, n: int) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK64
        z = (self.state ^ self.state >> 30) * 0xBF58476D1CE4E5B9 & MASK64
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK64
        return (z ^ z >> 31) % n

    def shuffle(self, items: list) -> list:
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items


def choices(name: str, occupied: set) -> list:
    """All placements (r, q, rot) that overlap nothing and touch something, ascending, with their contacts."""
    edge = {near for at in occupied for near in around(at)} - occupied
    found = []
    for rot in range(6):
        cells = turned(name, rot)
        for q, r in {(q - dq, r - dr) for q, r in edge for dq, dr in cells}:
            laid = [(q + dq, r + dr) for dq, dr in cells]
            if not occupied.intersection(laid):
                contacts = sum(near in occupied for at in laid for near in around(at))
                found.append(((r, q, rot), contacts))
    return sorted(found)


def attempt(numbers: Numbers) -> list | None:
    names = [tile["name"] for tile in DATA["tile"] if not tile["city"]]
    placements, occupied = [("zeus", 0, 0, 0)], set(turned("zeus", 0))
    for name in numbers.shuffle(names[1:]):
        found = choices(name, occupied)
        most = max(contacts for _, contacts in found)
        kept = [place for place, contacts in found if contacts >= most - 4]
        r, q, rot = kept[numbers.below(len(kept))]
        placements.append((name, q, r, rot))
        occupied.update((q + dq, r + dr) for dq, dr in turned(name, rot))
    land = lay(placements)
    if not water_is_connected(land):
        return None
    placements = place_cities(numbers, placements, occupied, land)
    return placements if placements and is_valid(lay(placements)) else None


def place_cities(numbers: Numbers, placements: list, occupied: set, land: dict) -> list | None:
    sums = len(occupied), sum(q for q, _ in occupied), sum(r for _, r in occupied)
    taken, cities = set(land), []
    for sector, name in enumerate(numbers.shuffle([tile["name"] for tile in DATA["tile"] if tile["city"]])):
        kept = []
        for (r, q, rot), _ in choices(name, occupied):
            laid = [((q + dq, r + dr), cell) for (dq, dr), cell in zip(turned(name, rot), TILES[name]["cells"])]
            city = next(at for at, cell in laid if cell["kind"] == "city")
            margin = in_sector(city, sector, sums)
            if (margin is not None and all(steps(city, other) >= 4 for other in cities)
                    and not any(at in taken for at, _ in laid)
                    and all(any(is_water(land, near) for near in around(at)) for at, cell in laid if cell["kind"] == "water")):
                kept.append((margin, r, q, rot, city, laid))
        if not kept:
            return None
        kept.sort(key=lambda place: place[:4])
        _, r, q, rot, city, laid = kept[numbers.below((len(kept) + 2) // 3)]
        placements.append((name, q, r, rot))
        cities.append(city)
        taken.update(at for at, _ in laid)
    return placements


def in_sector(city: tuple, sector: int, sums: tuple) -> int | None:
    """The second greatest product less the greatest; None for a city of another sector."""
    count, sum_q, sum_r = sums
    x, z = count * city[0] - sum_q, count * city[1] - sum_r
    y = -x - z
    dots = [x * q + z * r + y * (-q - r) for q, r in NEAR]
    return sorted(dots)[4] - max(dots) if dots.index(max(dots)) == sector else None


def steps(one: tuple, other: tuple) -> int:
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def random_map(seed: int) -> tuple[list, int]:
    """The placements of a random map, and how many attempts it took."""
    numbers, attempts = Numbers(seed), 1
    while (placements := attempt(numbers)) is None:
        attempts += 1
    return placements, attempts


@cache
def land_of(name: str, seed: int | None) -> dict:
    if name == "random":
        return lay(random_map(seed)[0])
    laid = next(map_["placements"] for map_ in DATA["map"] if map_["name"] == name)
    return lay([(place["tile"], place["q"], place["r"], place["rot"]) for place in laid])
