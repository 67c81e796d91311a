"""Recomputes every draw of a match: the log shows the candidates, and the seed determines which one is drawn."""

from contextlib import suppress
from copy import deepcopy

from . import options
from .chain import Report, hexadecimal
from .chance import Blind, Draws, Wrong
from .games import GAMES

TABLE = {"TableOpened", "SeatTaken", "MatchClosed", "ReplyRefused"}  # these change no position and draw nothing
BROKEN = (AttributeError, IndexError, KeyError, TypeError, ValueError)


def recompute(game: str, seats: int, commits: list, seed: bytes, report: Report) -> None:
    """Follows the commits of a game that is known, and recomputes all their draws."""
    # The opener's nonce counts from the first commit on, that of a seat from the commit after it was taken.
    state, kept, nonces = GAMES[game].Chance(), None, _nonces(commits[0]["events"][-1:], "TableOpened")
    state.asked = commits[0]["events"][-1].get("options") or {}
    for entry, following in zip(commits, [*commits[1:], None]):
        draws = Draws(entry["commit"], seed, nonces=nonces, forced=_forced(commits[0], entry["commit"]))
        nonces += _nonces(entry["events"], "SeatTaken")
        before, kept = kept, None
        if following and following["events"][0]["type"] == "CommandTakenBack":
            kept = deepcopy(state)
        state = _commit(state, entry, seats, draws, before, report)
        report.draws += draws.log
        if kept is not None:
            reveals = any(event["type"] in GAMES[game].REVEALS for event in entry["events"])
            kept = entry["first_version"] - 1, kept, bool(draws.log) or reveals


def _forced(opening: dict, commit: int) -> list:
    """The outcomes that a sandbox says were forced in a commit."""
    sandbox = opening["events"][-1].get("sandbox") or {"forced": []}
    return next((forced["outcomes"] for forced in sandbox["forced"] if forced["commit"] == commit), [])


def _nonces(events: list, kind: str) -> bytes:
    """What the players contributed to chance in those of the events that have this type."""
    given = (event.get("nonce") for event in events if event["type"] == kind)
    return b"".join(bytes.fromhex(nonce) for nonce in given if hexadecimal(nonce))


def _commit(state, entry: dict, seats: int, draws: Draws, before: tuple | None, report: Report):
    source = draws
    for version, event in enumerate(entry["events"], entry["first_version"]):
        where = f"commit {entry['commit']}, event {version}, {event['type']}"
        draws.version = version
        try:
            if event["type"] == "CommandTakenBack":
                report.taken_back += 1
                state, is_final = _taken_back(event, before)
                report.expect(not is_final, where, "the command before it drew, or showed something hidden (M-83)")
            else:
                _event(state, event, seats, source)
        except Wrong as wrong:
            report.add(where, str(wrong))
            source = Blind()  # one finding for a commit: what is drawn after a wrong outcome means nothing
            with suppress(*BROKEN):
                _event(state, event, seats, source)
        except BROKEN as error:
            report.add(where, f"it does not fit what came before: {error!r}")
            source = Blind()
    return state


def _taken_back(event: dict, before: tuple | None) -> tuple:
    """Back to the state before the latest commit (M-80 to M-84), and whether that commit may not be taken back."""
    if before is None or event["to_version"] != before[0]:
        raise Wrong("it does not take back the commit before it")
    return before[1:]


def _event(state, event: dict, seats: int, draws: Draws) -> None:
    if event["type"] == "MatchStarted":
        state.begin(event, seats, draws)
    elif event["type"] == "PositionLoaded":
        state.load(event["position"])
    elif event["type"] not in TABLE:
        state.follow(event, draws)


def recompute_answer(request: dict, answer: dict, report: Report) -> None:
    """The draws of an analysis, or of a fresh start position: from the seed of the answer, or the outcomes of the request."""
    chance, is_fresh = request.get("chance") or {}, "steps" not in answer
    game = (answer if is_fresh else request)["position"]["game"]
    if game not in GAMES:
        report.unknown(game)
        return
    seed = bytes.fromhex(answer["seed"]) if answer["seed"] else None
    outcomes = None if seed else list(chance["outcomes"])
    if is_fresh:
        seats = request["seats"]
        entries, state = [{"commit": 1, "first_version": 1, "events": answer["events"]}], GAMES[game].Chance()
        state.asked = request.get("options") or {}
        for name, what in options.differences(game, state.asked, answer["position"]["options"], False):
            report.add(f"answer.position.options.{name}", what)
    else:
        seats = 0
        entries = [{"commit": number, "first_version": 1, "events": step["events"]}
                   for number, step in enumerate(answer["steps"], 2)]
        state = GAMES[game].Chance()
        state.load(request["position"])
    for entry in entries:
        draws = Draws(entry["commit"], seed, outcomes)
        state = _commit(state, entry, seats, draws, None, report)
        report.draws += draws.log
        outcomes = draws.outcomes
    report.expect(not outcomes, "request.chance.outcomes", f"{len(outcomes or [])} were not drawn")
