"""Was the chance of my match fair? Recomputes the setup of finished Rosenkönig matches from what the server shows to everybody.

usage: python3 draws.py [http://127.0.0.1:8080]     needs nothing but Python; with NumPy installed its PCG64 is asked too

A match shows the hash of its seed from the start, and the seed at the end. Commit k draws from a PCG XSL RR 128/64 generator that
follows from SHA-256(seed || k); an index below n is the high half of a 64-bit draw times n, drawn again where that would be unfair.
"""

import hashlib
import json
import sys
import urllib.request

BASE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
MULTIPLIER, MASK64, MASK128 = 0x2360ED051FC65DA44385DF649FCCF645, (1 << 64) - 1, (1 << 128) - 1
CARDS = [direction + distance for direction in "n ne e se s sw w nw".split() for distance in "123"]


class Draws:
    """The draws of one commit."""

    def __init__(self, seed: bytes, commit: int) -> None:
        digest = hashlib.sha256(seed + commit.to_bytes(8, "big")).digest()
        state, stream = (int.from_bytes(half, "big") for half in (digest[:16], digest[16:]))
        self.increment = (stream << 1 | 1) & MASK128
        self.state = (state + self.increment) & MASK128
        self.step()

    def step(self) -> None:
        self.state = (self.state * MULTIPLIER + self.increment) & MASK128

    def next(self) -> int:
        self.step()
        value, turn = (self.state >> 64) ^ (self.state & MASK64), self.state >> 122
        return (value >> turn | value << (64 - turn)) & MASK64

    def below(self, n: int) -> int:
        if n == 1:
            return 0
        while True:
            wide = self.next() * n
            if wide & MASK64 >= (1 << 64) % n:
                return wide >> 64


def get(path: str):
    with urllib.request.urlopen(BASE + path) as answer:
        return json.load(answer)


def check(summary) -> None:
    match = get(f"/v1/matches/{summary['match']}")
    seed = bytes.fromhex(match["seed"])
    assert hashlib.sha256(seed).hexdigest() == match["seed_commitment"], "another seed was promised"
    started = get(f"/v1/matches/{match['match']}/events?limit=1")["items"][0]["event"]
    if started["type"] == "PositionLoaded":
        return print(match["match"], "began from a given position: nothing was drawn")
    draws = Draws(seed, 1)
    options = started["options"]
    start = draws.below(2) if options["start"] == "random" else options["colors"].index("red")
    left = list(CARDS)
    pile = [left.pop(draws.below(len(left))) for _ in CARDS]
    hands = [sorted(pile[:5], key=CARDS.index), sorted(pile[5:10], key=CARDS.index)]
    drawn = {"start_seat": start, "hands": hands, "draw_pile": pile[10:]}
    assert drawn == {name: started[name] for name in drawn}, "the setup does not follow from the seed"
    print(match["match"], "start seat, both hands and the draw pile follow from the promised seed")


def ask_numpy() -> None:
    try:
        from numpy.random import PCG64
    except ImportError:
        return print("NumPy is not installed: its generator was not asked")
    mine, theirs = Draws(bytes(32), 1), PCG64()
    state = {"state": mine.state, "inc": mine.increment}
    theirs.state = {"bit_generator": "PCG64", "state": state, "has_uint32": 0, "uinteger": 0}
    assert [mine.next() for _ in range(1000)] == theirs.random_raw(1000).tolist()
    print("NumPy's PCG64 gives the same numbers")


ask_numpy()
finished = get("/v1/matches?game=rosenkoenig&status=finished&limit=20")["items"]
assert finished, "there is no finished match: muninn simulate --game rosenkoenig --matches 5 --keep ./data"
for item in finished:
    check(item)
