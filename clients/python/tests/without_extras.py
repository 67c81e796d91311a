"""The package alone, where no library for tables is installed."""

from __future__ import annotations

import tempfile
import unittest

import muninn
from server import Server


class Alone(unittest.TestCase):
    def test_what_is_missing_is_named(self) -> None:
        with Server() as server, tempfile.TemporaryDirectory() as cache, muninn.open(server.address, cache=cache) as tables:
            self.assertIn("seats", tables.names)
            self.assertIn("bot", tables.columns("seats"))
            for extra, read in (("polars", tables.polars), ("pandas", tables.pandas), ("duckdb", tables.duckdb), ("duckdb", tables.sql)):
                with self.assertRaises(muninn.MissingExtra) as caught:
                    read("seats")
                self.assertEqual(str(caught.exception), f"this needs {extra}: pip install 'muninn[{extra}]'")


if __name__ == "__main__":
    unittest.main()
