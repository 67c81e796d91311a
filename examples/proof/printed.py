"""The printed data of the games: the project's own files, so that the server need not be trusted for them."""

import tomllib
from pathlib import Path


def read(game: str, file: str) -> dict:
    path = Path(__file__).parents[2] / "domain" / game / "data" / file
    return tomllib.loads(path.read_text(encoding="utf-8"))
