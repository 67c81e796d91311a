"""The chain of commits: numbers, hashes, seals; and what the match says about itself."""

import re
from hashlib import sha256
from typing import NamedTuple

from . import options
from .canonical import canonical, same
from .games import GAMES
from .redaction import differences

HASHES = ("sealed", "prev_hash", "hash")
FACTS = {"commit", "first_version", "last_version", "seat", "recorded_at", "command", "events"}
FIRST = "00" * 32
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
PLATFORM = {"PositionLoaded", "TableOpened", "SeatTaken", "MatchClosed", "ReplyRefused", "CommandTakenBack"}


class Finding(NamedTuple):
    """A check that failed."""

    where: str
    what: str


class Report:
    """What was checked in a match, what was not, and what was found."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.not_checked: list[str] = []
        self.draws: list[dict] = []
        self.commits = self.events = self.sealed = self.hidden = self.taken_back = 0

    def add(self, where: str, what: str) -> None:
        self.findings.append(Finding(where, what))

    def unknown(self, game) -> None:
        self.not_checked.append(f"options, draws, points and what the public log hides: {game!r} is no game that this script knows")

    def expect(self, true: bool, where: str, what: str) -> bool:
        if not true:
            self.add(where, what)
        return true


def facts(entry: dict) -> dict:
    return {name: entry[name] for name in entry if name not in HASHES}


def digest(*parts: bytes) -> bytes:
    return sha256(b"".join(parts)).digest()


def hexadecimal(value) -> bool:
    """Is it 32 bytes as they are written: 64 digits in lower case, and nothing else?"""
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def well_formed(entry) -> bool:
    """Has it the fields of a commit, with values of their types?"""
    def number(name: str) -> bool:
        return type(entry[name]) is int

    return (isinstance(entry, dict) and entry.keys() == FACTS.union(HASHES)
            and all(map(number, ("commit", "first_version", "last_version")))
            and all(hexadecimal(entry[name]) for name in HASHES)
            and isinstance(entry["recorded_at"], str) and TIME.fullmatch(entry["recorded_at"]) is not None
            and isinstance(entry["events"], list) and len(entry["events"]) > 0
            and all(isinstance(event, dict) and isinstance(event.get("type"), str) for event in entry["events"]))


class Chain:
    """The commits from the first one on, each linked to the one before."""

    def __init__(self, game: str, seed: bytes | None, report: Report) -> None:
        self.game, self.seed, self.report = game, seed, report
        self.number, self.version, self.hash, self.time = 0, 0, FIRST, ""

    def add(self, entry, public=None) -> None:
        """Checks the next commit: as the reader sees it (in full when the seed is open), and as a spectator does if that differs.

        One with a wrong form is reported, and the check goes on with what the next one says of it.
        """
        self.number += 1
        report, where, shown = self.report, f"commit {self.number}", entry if public is None else public
        if not (report.expect(well_formed(entry), where, "it has not the form of a commit")
                and report.expect(well_formed(shown), where, "its public side has not the form of a commit")):
            self.hash = entry.get("hash", FIRST) if isinstance(entry, dict) else FIRST
            return
        try:
            _check_commit(self.number, entry, shown, self.seed, report)
        except ValueError as error:
            report.add(where, f"it has no canonical form: {error}")
        report.expect(entry["prev_hash"] == self.hash, where, "prev_hash is not the hash of the commit before")
        report.expect(self.time <= entry["recorded_at"], where, f"recorded_at is before that of the commit before, {self.time}")
        self.time = entry["recorded_at"]
        follows = entry["first_version"] == self.version + 1
        report.expect(follows, where, f"first_version does not follow version {self.version}")
        if public is not None:
            report.hidden += 1
            for line in differences(self.game, entry["events"], shown["events"]):
                report.add(where, f"what is public differs from what was sealed: {line}")
        self.hash, self.version = entry["hash"], entry["last_version"]
        report.commits, report.events = report.commits + 1, report.events + len(entry["events"])


def check_commits(game: str, commits: list, public: list, seed: bytes | None, report: Report) -> str:
    """Checks a whole log; `public` has None where a spectator sees the same. Returns the hash of the last commit."""
    report.expect(len(commits) == len(public), "record", "the public log has another length than the log")
    chain = Chain(game, seed, report)
    for entry, other in zip(commits, public):
        chain.add(entry, other)
    return chain.hash


def _check_commit(number: int, entry: dict, shown: dict, seed: bytes | None, report: Report) -> None:
    where = f"commit {number}"
    report.expect(entry["commit"] == number, where, "it has another number")
    count = entry["last_version"] - entry["first_version"] + 1
    report.expect(count == len(entry["events"]), where, "its versions and its events do not agree in number")
    for name in ("sealed", "prev_hash", "hash", *FACTS - {"events"}):
        report.expect(same(entry[name], shown[name]), where, f"{name} is not the same on its public side")
    open_ = digest(canonical(facts(shown)))
    linked = digest(bytes.fromhex(entry["prev_hash"]), open_, bytes.fromhex(entry["sealed"]))
    report.expect(linked.hex() == entry["hash"], where, "its hash does not follow from what is public, sealed and prev_hash")
    if seed is not None:
        salt = digest(seed, number.to_bytes(8, "big"), b"salt")
        sealed = digest(salt, canonical(facts(entry)))
        if report.expect(sealed.hex() == entry["sealed"], where, "the opened seal does not fit: its facts were changed"):
            report.sealed += 1


def check_match(match: dict, commits: list, seats: int, head: str, report: Report) -> None:
    """Does the match say of itself what its log says?"""
    first, last = commits[0], commits[-1]
    finish = next((event for event in last["events"] if event["type"] == "MatchFinished"), None)
    finished = match["status"] == "finished"
    for name, value in [("head_hash", head), ("commit", len(commits)), ("version", last["last_version"]),
                        ("created_at", first["recorded_at"]), ("updated_at", last["recorded_at"])]:
        report.expect(same(match[name], value), f"match.{name}", f"{match[name]!r:.80}, but the log says {value!r:.80}")
    # Opened from a position that is finished already, a match has no event that finishes it.
    loaded = first["events"][0]["type"] == "PositionLoaded" and all(entry["command"] is None for entry in commits)
    report.expect(finished == (finish is not None) or loaded, "match.status", "it does not fit the last event")
    report.expect(finished == (match["seed"] is not None), "match.seed", "it is open exactly when a match is finished")
    opening = first["events"][0]
    position = opening.get("position") or opening
    is_known = match["game"] in GAMES
    if is_known:
        count = _seats(position)
        report.expect(same(match["options"], position.get("options")), "match.options", "they are not those of the first event")
        report.expect(same(seats, count), "seats", f"{seats}, but the first event is of {count}")
    game = position.get("game", match["game"])
    report.expect(match["game"] == game, "match.game", f"the first event is of {game}")
    standing = (finish.get("standing") or finish.get("ranking")) if finish else None
    # A game may leave it to the position who has won.
    if not (loaded and finished) and (is_known or finish is None or standing is not None):
        report.expect(same(match["standing"], standing), "match.standing", "it is not that of the last event")
    try:
        _check_order(match, commits, report)
        _check_table(match, commits, report)
        report.expect(same(seats, len(match["seats"])), "seats", f"{seats}, but the match has {len(match['seats'])}")
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        report.add("match.seats", f"they do not fit the log: {error!r}")


def _check_order(match: dict, commits: list, report: Report) -> None:
    """Does each commit stand where it may, and each event of the platform?"""
    opened = commits[0]["events"][-1]
    free = {number for number, seat in enumerate(opened["seats"]) if seat["open"]}
    sandbox = opened.get("sandbox")
    game = GAMES.get(match["game"])  # only the game knows whether an option allows it, too
    may_take_back = opened.get("take_back") is True or not game or (match["options"] or {}).get(game.TAKE_BACK) is True  # M-80
    for number, (before, entry) in enumerate(zip([None, *commits], commits), 1):
        where, kinds = f"commit {number}", [event["type"] for event in entry["events"]]
        event, kind, own = entry["events"][0], kinds[0], [kind for kind in kinds if kind in PLATFORM]
        report.expect("MatchFinished" not in kinds or number == len(commits), where, "there are commits after the match's end")
        if number == 1:
            right = own == ["TableOpened"] == kinds[-1:] or own == kinds == ["PositionLoaded", "TableOpened"]
            right = right and entry["command"] is None and entry["seat"] is None
        elif entry["command"] is not None:
            report.expect(not free, where, "a command stands before all seats are taken")
            right = not own
        else:
            seat = event.get("seat")
            right = len(kinds) == 1 and same(entry["seat"], seat) and (kind == "MatchClosed") == (seat is None)
            match kind:
                case "SeatTaken":
                    right = right and seat in free  # so none is taken after a command
                    free.discard(seat)
                case "MatchClosed":
                    right = right and number == len(commits)
                case "ReplyRefused":
                    right = right and bool(sandbox and sandbox.get("replies"))
                case "CommandTakenBack":
                    # M-80 and M-82
                    right = right and may_take_back and before["command"] is not None and same(before["seat"], seat)
                case _:
                    right = False
        report.expect(right, where, f"it may not stand there: {', '.join(kinds)}")
        for event in entry["events"]:
            if event["type"] in ("TableOpened", "SeatTaken"):
                parts = [event, *event.get("seats", [])]
                written = [part[name] for part in parts for name in part if name == "nonce" or name.endswith("_commitment")]
                right = all(value is None or hexadecimal(value) for value in written)
                report.expect(right, where, "a nonce or a commitment of it is not 64 digits")


def _check_table(match: dict, commits: list, report: Report) -> None:
    """Who sits there, by the names that the log commits to; and how the match is played."""
    opened = commits[0]["events"][-1]
    if not report.expect(opened["type"] == "TableOpened", "commit 1", "its last event does not open a table"):
        return
    for name in ("game", "edition", "visibility", "branched_from", "seed_commitment"):
        report.expect(same(match[name], opened.get(name)), f"match.{name}", "the log says another one")
    loaded = commits[0]["events"][0]["type"] == "PositionLoaded"
    is_known = match["game"] in GAMES
    for name, what in options.differences(match["game"], opened["options"], match["options"], loaded) if is_known else ():
        report.add(f"match.options.{name}", what)
    sandbox = opened.get("sandbox")
    if "sandbox" in match:  # not in a record from before there were sandboxes
        report.expect(same(match["sandbox"], sandbox), "match.sandbox", "the log says another one")
    if sandbox and match["seed"] is not None:
        report.expect(same(sandbox["seed"], match["seed"]), "match.seed", "it is not that of the sandbox")
    seats = [{"bot": seat["bot"], "taken": not seat["open"], "name_commitment": seat["name_commitment"]}
             for seat in opened["seats"]]
    hashes = _header(match, opened, report)
    closed = False
    for event in (event for commit in commits[1:] for event in commit["events"]):
        if event["type"] == "SeatTaken":
            free = not seats[event["seat"]]["taken"]
            report.expect(free, "seats", f"seat {event['seat']} was taken twice")
            seats[event["seat"]] |= {"taken": True, "name_commitment": event["name_commitment"]}
            if hashes is not None:
                hashes[event["seat"]] = event["token_commitment"]
        closed |= event["type"] == "MatchClosed"
    if not report.expect(len(match["seats"]) == len(seats), "match.seats", "the log says another number"):
        return
    for number, (seat, shown) in enumerate(zip(seats, match["seats"])):
        where = f"match.seats.{number}"
        for name, value in seat.items():
            report.expect(same(shown[name], value), f"{where}.{name}", "the log says another one")
        report.expect(same(shown["seat"], number), f"{where}.seat", "it has another number")
        name, salt = shown["name"], shown["name_salt"]
        # A name that was forgotten is null with its salt; the commitment stays.
        known = name is None and salt is None or _commitment(salt, name) == (seat["name_commitment"] or "")
        report.expect(known, f"{where}.name", "it is not the name that the log commits to")
    if hashes is not None:
        _check_tokens(match["token_hashes"], hashes, match["header"]["seat_hashes"], report)
    going_on = "running" if all(seat["taken"] for seat in seats) else "open"
    status = "abandoned" if closed else going_on
    report.expect(match["status"] in ("finished", status), "match.status", f"by the log it is {status}")


def _header(match: dict, opened: dict, report: Report) -> list | None:
    """What commit 1 commits to beside the names, open when a match is finished; returns its hashes of tokens, by seat."""
    header, hashes = match["header"], match["token_hashes"]
    is_open = match["seed"] is not None
    for name, value in [("header", header), ("token_hashes", hashes)]:
        report.expect((value is not None) == is_open, f"match.{name}", "it is open exactly when a match is finished")
    if header is None or hashes is None:
        return None
    right = digest(canonical(header)).hex() == opened["header_commitment"]
    report.expect(right, "match.header", "another one was promised: its SHA-256 is not the commitment")
    report.expect(same(header["seed"], match["seed"]), "match.header.seed", "it is not the seed of the match")
    return list(header["seat_hashes"])


def _check_tokens(shown: list, known: list, opened: list, report: Report) -> None:
    """The hashes of tokens: those of the opening, or of whoever took the seat later, which the log commits to once more."""
    if not report.expect(len(shown) == len(known), "match.token_hashes", "the log says another number"):
        return
    for number, (value, expected) in enumerate(zip(shown, known)):
        taken = expected != opened[number]
        report.expect(value is None or hexadecimal(value), f"match.token_hashes.{number}", "it is no SHA-256")
        if taken and hexadecimal(value):
            value = digest(bytes.fromhex(value)).hex()
        report.expect(same(value, expected), f"match.token_hashes.{number}", "the log commits to another one")


def _commitment(salt, name) -> str | None:
    """SHA-256(salt || name), if these are a salt and a name. The salt has 32 bytes: in a longer one a part of the name could hide."""
    if not (hexadecimal(salt) and isinstance(name, str)):
        return None
    return digest(bytes.fromhex(salt), name.encode(errors="surrogatepass")).hex()


def _seats(position: dict) -> int | None:
    """How many seats a position, or a first event, has."""
    by_seat = position.get("players") or position.get("hands")
    return len(by_seat) if isinstance(by_seat, list) else position.get("seats")


def check_seed(match: dict, report: Report) -> bytes | None:
    """The seed, if it is open and follows the commitment."""
    commitment, seed = match["seed_commitment"], match["seed"]
    report.expect(hexadecimal(commitment), "match.seed_commitment", "it is no SHA-256")
    if seed is None:
        return None
    try:
        opened = bytes.fromhex(seed)
    except (TypeError, ValueError):
        report.add("match.seed", "it is not hexadecimal")
        return None
    right = opened.hex() == seed and len(opened) == 32 and sha256(opened).hexdigest() == commitment
    report.expect(right, "match.seed", "another seed was promised: its SHA-256 is not the commitment")
    return opened
