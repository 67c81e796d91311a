"""The games that these checks know, each by a module of its own. Of any other game only what holds for every game is checked.

A module says what chance and scores follow from (`Chance`), the options of a match that asks for none (`DEFAULTS`), the option that allows
to take back (`TAKE_BACK`, M-80), which paths in an event a spectator, or another seat, does not see, with * for any index (`HIDDEN`), and
which events show their seat something hidden, though nothing is drawn (`REVEALS`).
"""

from . import copenhagen, delphi, rosenkoenig, voluspa

GAMES = {"copenhagen": copenhagen, "delphi": delphi, "rosenkoenig": rosenkoenig, "voluspa": voluspa}
