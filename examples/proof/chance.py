"""The draws of a match: PCG XSL RR 128/64, keyed by SHA-256(seed || number of the commit || nonces)."""

from collections.abc import Sequence
from hashlib import sha256

MULTIPLIER, MASK64, MASK128 = 0x2360ED051FC65DA44385DF649FCCF645, (1 << 64) - 1, (1 << 128) - 1


class Wrong(Exception):
    """An outcome that does not follow from the seed, or that contradicts what was dealt."""


class Generator:
    """The numbers of one commit."""

    def __init__(self, seed: bytes, commit: int, nonces: bytes = b"") -> None:
        digest = sha256(seed + commit.to_bytes(8, "big") + nonces).digest()
        state, stream = (int.from_bytes(half, "big") for half in (digest[:16], digest[16:]))
        self.increment = (stream << 1 | 1) & MASK128
        self.state = (state + self.increment) & MASK128
        self._step()

    def _step(self) -> None:
        self.state = (self.state * MULTIPLIER + self.increment) & MASK128

    def next(self) -> int:
        self._step()
        value, turn = (self.state >> 64) ^ (self.state & MASK64), self.state >> 122
        return (value >> turn | value << (64 - turn)) & MASK64

    def below(self, n: int) -> int:
        """An index below n: the high half of a 64-bit number times n, drawn again where that would be unfair."""
        if n == 1:
            return 0
        while True:
            wide = self.next() * n
            if wide & MASK64 >= (1 << 64) % n:
                return wide >> 64


class Draws:
    """The draws of one commit, from a seed or from outcomes that were given; keeps a log of them."""

    def __init__(self, commit: int, seed: bytes | None, outcomes: list | None = None, nonces: bytes = b"",
                 forced: list | None = None) -> None:
        self.forced = list(forced or [])  # of a sandbox: null, or what is no candidate, follows from the seed
        self.commit, self.version, self.log = commit, 0, []
        self.outcomes = outcomes
        self.generator = None if seed is None else Generator(seed, commit, nonces)

    def pick(self, kind: str, candidates: Sequence):
        """The next draw among `candidates`, which are in the order that the rules name."""
        if not candidates:
            raise Wrong(f"draw {len(self.log) + 1} ({kind}): there is no candidate")
        forced = self.forced.pop(0) if self.forced else None
        is_forced = forced in candidates
        if is_forced:
            index = list(candidates).index(forced)
        elif self.generator:
            index = self.generator.below(len(candidates))
        else:
            index = self._given(kind, candidates)
        self.log.append({"commit": self.commit, "version": self.version, "draw": len(self.log) + 1, "kind": kind,
                         "index": index, "candidates": len(candidates), "outcome": candidates[index], "forced": is_forced})
        return candidates[index]

    def _given(self, kind: str, candidates: Sequence) -> int:
        if not self.outcomes:
            raise Wrong(f"draw {len(self.log) + 1} ({kind}): no outcome is left")
        outcome = self.outcomes.pop(0)
        if outcome not in candidates:
            raise Wrong(f"draw {len(self.log) + 1} ({kind}): the outcome {outcome} is no candidate")
        return candidates.index(outcome)

    def expect(self, kind: str, candidates: Sequence, shown) -> None:
        """Draws, and compares with the outcome that an event shows."""
        drawn = self.pick(kind, candidates)
        if drawn != shown:
            raise Wrong(f"{tell(self.log[-1])} was drawn, but {text(shown)} is shown")

    def same(self, what: str, drawn, shown) -> None:
        """Compares what follows from the draws, or from what came before, with what is shown."""
        if drawn != shown:
            raise Wrong(f"{what}: {text(drawn)} follows, but {text(shown)} is shown")


class Blind(Draws):
    """Draws nothing and believes what is shown: to follow a commit after an outcome in it turned out wrong."""

    def __init__(self) -> None:
        super().__init__(0, None)

    def pick(self, kind: str, candidates: Sequence):
        return candidates[0] if candidates else None

    def expect(self, kind: str, candidates: Sequence, shown) -> None:
        pass

    def same(self, what: str, drawn, shown) -> None:
        pass


def text(value) -> str:
    if isinstance(value, dict):
        return " ".join(text(part) for part in value.values())
    if isinstance(value, list):
        return "[" + ", ".join(map(text, value)) + "]"
    return str(value)


def tell(draw: dict) -> str:
    """A line about a draw: `draw 3 (harbor_refill): candidate 5 of 31 = red`, in a sandbox perhaps with `, forced`."""
    return (f"draw {draw['draw']} ({draw['kind']}): candidate {draw['index'] + 1} of {draw['candidates']}"
            f" = {text(draw['outcome'])}{', forced' if draw['forced'] else ''}")


def numpy_agrees() -> bool | None:
    """Does NumPy's own generator give the same numbers? None where NumPy is not installed."""
    try:
        from numpy.random import PCG64
    except ImportError:
        return None
    mine, theirs = Generator(bytes(range(32)), 7), PCG64()
    theirs.state = {"bit_generator": "PCG64", "state": {"state": mine.state, "inc": mine.increment},
                    "has_uint32": 0, "uinteger": 0}
    return [mine.next() for _ in range(1000)] == theirs.random_raw(1000).tolist()
