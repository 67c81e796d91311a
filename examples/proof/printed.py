"""The printed data of the games: the project's own files, so that nothing of it has to be taken from the server."""

import tomllib
from pathlib import Path


def read(game: str, file: str) -> dict:
    path = Path(__file__).parents[2] / "domain" / game / "data" / file
    return tomllib.loads(path.read_text(encoding="utf-8"))
