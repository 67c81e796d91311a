"""From zero to a played move, every field typed. See the README beside it."""

import os

from muninn_client import AuthenticatedClient, Client
from muninn_client.api.matches import open_match
from muninn_client.api.play import list_legal_commands, submit_command
from muninn_client.models import CommandPage, CommandRequest, Accepted, Opened, OpenRequest, SeatRequest

base = os.environ.get("MUNINN", "http://127.0.0.1:8080")

request = OpenRequest(game="rosenkoenig", seats=[SeatRequest(name="Ada"), SeatRequest(name="Grace")])
opened = open_match.sync(client=Client(base), body=request)
assert isinstance(opened, Opened), opened

for token in opened.seat_tokens:
    assert token is not None
    client = AuthenticatedClient(base, token)
    legal = list_legal_commands.sync(opened.match, client=client)
    if isinstance(legal, CommandPage):  # else it is the other seat's turn
        command = legal.items[0]
        played = submit_command.sync(opened.match, client=client, body=CommandRequest(command=command))
        assert isinstance(played, Accepted), played
        print(command, "then version", played.version)
