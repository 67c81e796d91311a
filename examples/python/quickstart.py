"""From zero to a played move, every field typed. How to generate `muninn_client` is in the README one folder up."""

import os

from muninn_client import AuthenticatedClient, Client
from muninn_client.api.matches import open_match
from muninn_client.api.play import list_legal_commands, submit_command
from muninn_client.models import Accepted, CommandRequest, Opened, Problem, RosenkoenigCommandPage, RosenkoenigOpenRequest
from muninn_client.models import RosenkoenigOptions, RosenkoenigStart, SeatRequest

base = os.environ.get("MUNINN", "http://127.0.0.1:8080")

options = RosenkoenigOptions(start=RosenkoenigStart.RED)
request = RosenkoenigOpenRequest(game="rosenkoenig", options=options, seats=[SeatRequest(name="Ada"), SeatRequest(name="Grace")])
match = open_match.sync(client=Client(base), body=request)
assert isinstance(match, Opened), match
token = match.seat_tokens[0]
assert token is not None  # the seat is not open for others
seat = AuthenticatedClient(base, token)

legal = list_legal_commands.sync(match.match, client=seat)
assert isinstance(legal, RosenkoenigCommandPage), legal

played = submit_command.sync(match.match, client=seat, body=CommandRequest(command=legal.items[0]))
assert isinstance(played, Accepted), played.detail if isinstance(played, Problem) else played
print(legal.items[0], "is done: the match is at version", played.version)
