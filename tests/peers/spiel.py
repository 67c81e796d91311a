"""Random play of a game of OpenSpiel, by its own loop and bots in C++: `spiel.py GAME SECONDS` prints a line of JSON.

Each bot asks for all legal actions before it chooses one. Chance is drawn by the same loop and is no move.
"""

import json
import sys
import time

import pyspiel

game, seconds = pyspiel.load_game(sys.argv[1]), float(sys.argv[2])
bots = [pyspiel.make_uniform_random_bot(player, 7 + player) for player in range(game.num_players())]
moves = matches = 0
used, start = 0.0, time.monotonic()
while time.monotonic() - start < seconds:
    state = game.new_initial_state()
    before = time.process_time()
    returns = pyspiel.evaluate_bots(state, bots, matches)
    used += time.process_time() - before
    # What is looked at from here on is not counted.
    assert state.is_terminal() and sum(returns) == 0 and any(returns), returns
    moves += sum(step.player >= 0 for step in state.full_history())
    matches += 1
print(json.dumps({"done": moves, "matches": matches, "cpu": used, "seconds": time.monotonic() - start}))
