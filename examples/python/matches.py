"""Can a program play every game to its end with nothing but the generated types? `mypy --strict` agrees that it can."""

import os
import random
import time
from typing import TypeAlias, assert_never
from uuid import UUID, uuid4

from muninn_client import AuthenticatedClient, Client, models as m
from muninn_client.api.analysis import create_position
from muninn_client.api.history import list_events
from muninn_client.api.matches import get_match, open_match
from muninn_client.api.play import get_view, list_legal_commands, submit_command

OpenRequest: TypeAlias = m.RosenkoenigOpenRequest | m.VoluspaOpenRequest | m.CopenhagenOpenRequest | m.DelphiOpenRequest
MatchInfo: TypeAlias = m.RosenkoenigMatchInfo | m.VoluspaMatchInfo | m.CopenhagenMatchInfo | m.DelphiMatchInfo
CommandPage: TypeAlias = m.RosenkoenigCommandPage | m.VoluspaCommandPage | m.CopenhagenCommandPage | m.DelphiCommandPage
NO_TASKS = m.DelphiTasks(shrine=0, statue=[], offering=[], monster=[])

base = os.environ.get("MUNINN", "http://127.0.0.1:8080")
public = Client(base)


def chosen(legal: CommandPage) -> m.CommandRequest:
    """Anything legal; ships sail home where they may."""
    if isinstance(legal, m.DelphiCommandPage):
        moves = [command for command in legal.items if isinstance(command, m.DelphiCommandMoveShip)]
        home = [command for command in moves if (command.to.q, command.to.r) == (0, 0)]
        return m.CommandRequest(command=random.choice(home or legal.items))
    return m.CommandRequest(command=random.choice(legal.items))


def submit(match: UUID, seat: AuthenticatedClient, body: m.CommandRequest) -> m.Accepted:
    """Acts. Under one key a command is carried out once, however often it is asked for: where nobody knows the outcome, ask again."""
    key = str(uuid4())
    while True:
        done = submit_command.sync(match, client=seat, body=body, idempotency_key=key)
        if isinstance(done, m.Accepted):
            return done
        if not isinstance(done, m.Problem) or done.code != m.ProblemCode.OUTCOME_UNKNOWN:
            raise RuntimeError(done)
        time.sleep(5)


def play(request: OpenRequest) -> tuple[MatchInfo, AuthenticatedClient]:
    """Plays a match to its end, each seat with its own token; seat 0 keeps its client to look back."""
    opened = open_match.sync(client=public, body=request)
    assert isinstance(opened, m.Opened), opened
    seats = [AuthenticatedClient(base, token) for token in opened.seat_tokens if token is not None]
    view = get_view.sync(opened.match, client=seats[0])
    while True:
        if view is None or isinstance(view, m.Problem):
            raise RuntimeError(view)
        if view.active_seat is None:
            break
        seat = seats[view.active_seat]
        legal = list_legal_commands.sync(opened.match, client=seat)
        if legal is None or isinstance(legal, m.Problem):
            raise RuntimeError(legal)
        view = submit(opened.match, seat, chosen(legal)).view
    match = get_match.sync(opened.match, client=seats[0])
    if match is None or isinstance(match, m.Problem):
        raise RuntimeError(match)
    return match, seats[0]


def homewards() -> m.DelphiPosition:
    """A match of Delphi played at random goes on for thousands of turns; this one begins where all tasks are done."""
    while True:
        body = m.PositionRequest(seats=3, options=m.DelphiOptions(map_=m.DelphiMapName.RANDOM))
        fresh = create_position.sync("delphi", client=public, body=body)
        assert isinstance(fresh, m.StartPosition), fresh
        assert isinstance(fresh.position, m.DelphiPosition)
        if not fresh.position.pending:
            for player in fresh.position.players:
                player.tasks = NO_TASKS
            return fresh.position


def tell(match: UUID, seat: AuthenticatedClient) -> int:
    """Counts the stones, page by page; says how it ended."""
    stones, after = 0, 0
    while True:
        page = list_events.sync(match, client=seat, after=after, limit=50)
        assert isinstance(page, m.RosenkoenigEventPage), page
        for entry in page.items:
            if isinstance(entry.event, m.RosenkoenigEventStonePlaced):
                stones += 1
            elif isinstance(entry.event, m.RosenkoenigEventMatchFinished):
                print(f"{stones} stones, then the end ({entry.event.reason})")
        if page.next_ is None:
            return stones
        after = int(page.next_)


def result(match: MatchInfo) -> str:
    """Who won, in the words of each game."""
    match match:
        case m.RosenkoenigMatchInfo(standing=[first, *_]):
            return f"{first.color} with {first.points} points"
        case m.VoluspaMatchInfo(standing=[best, *_]):
            return f"seat {best.seat} with {best.display} points"
        case m.CopenhagenMatchInfo(standing=[winner, *_]):
            return f"seat {winner.seat} with {winner.score} points"
        case m.DelphiMatchInfo(standing=[captain, *_]):
            return f"seat {captain.seat}, home {captain.home}"
        case m.RosenkoenigMatchInfo() | m.VoluspaMatchInfo() | m.CopenhagenMatchInfo() | m.DelphiMatchInfo():
            raise RuntimeError(f"{match.match} is {match.status}")
        case other:
            assert_never(other)


def seats(count: int) -> list[m.SeatRequest]:
    return [m.SeatRequest(name=f"player {seat}") for seat in range(count)]


rosenkoenig, seat_0 = play(m.RosenkoenigOpenRequest(game="rosenkoenig", seats=seats(2), options=m.RosenkoenigOptions(light=True)))
assert tell(rosenkoenig.match, seat_0) <= 52
for finished, _ in [
    (rosenkoenig, seat_0),
    play(m.VoluspaOpenRequest(game="voluspa", seats=seats(3), options=m.VoluspaOptionsAsked(set_=m.VoluspaSet.MASTER_OF_RAVENS))),
    play(m.CopenhagenOpenRequest(game="copenhagen", seats=seats(4))),
    play(m.DelphiOpenRequest(game="delphi", seats=seats(3), position=homewards())),
]:
    print(f"{finished.game}: won by {result(finished)}, {finished.commit} commits, {finished.version} events")
