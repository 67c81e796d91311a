"""Tables of an export, of an unpacked archive and of a server, with the real program."""

from __future__ import annotations

import errno
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any
from unittest import mock
from uuid import UUID

import httpx
import muninn
import polars
from duckdb import DuckDBPyRelation
from muninn import NoTables, OtherStore, Problem, Tables, Unreachable
from muninn.tables import cache as tables_cache
from server import PROGRAM, Proxy, Server, Way, answering


def simulate(data: Path, game: str, matches: int, seed: int = 1, seats: int = 2) -> None:
    arguments = ["--game", game, "--seats", str(seats), "--matches", str(matches), "--seed", str(seed), "--bot", "greedy", "--keep", str(data)]
    subprocess.run([PROGRAM, "simulate", *arguments], check=True, capture_output=True)


def export(data: Path, out: Path, *more: str) -> None:
    subprocess.run([PROGRAM, "export", "--data", str(data), "--out", str(out), *more], check=True, capture_output=True)


class Folders(unittest.TestCase):
    """What `muninn export` wrote, and what an archive had."""

    work: Path
    data: Path
    out: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.work = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.data, cls.out = cls.work / "data", cls.work / "out's"
        simulate(cls.data, "rosenkoenig", 3)
        simulate(cls.data, "voluspa", 2)
        export(cls.data, cls.out)

    def tables(self, folder: Path | None = None) -> Tables:
        return self.enterContext(muninn.open(folder or self.out))

    def test_three_libraries_read_the_same(self) -> None:
        tables = self.tables()
        self.assertEqual((tables.complete, tables.server), (True, None))
        self.assertIn("delphi_battle_rolled", tables.names)
        for name in tables.names:
            columns = tables.columns(name)
            lazy, frame, relation = tables.polars(name), tables.pandas(name), tables.duckdb(name)
            self.assertEqual(columns, lazy.collect_schema().names(), name)
            self.assertEqual(columns, list(frame.columns), name)
            self.assertEqual(columns, relation.columns, name)
            rows = lazy.collect().rows()
            self.assertEqual(len(rows), len(frame), name)
            # A time has its zone in Polars alone.
            known = [tuple(value.replace(tzinfo=None) if hasattr(value, "tzinfo") else value for value in row) for row in rows]
            self.assertEqual(sorted(map(repr, known)), sorted(map(repr, relation.fetchall())), name)

    def test_folders_above_mean_nothing(self) -> None:
        here = self.tables()
        for above in ("game=foo", "date=2026-07-01", "month=2001-01/game=voluspa", "a[b]c", "[ab]*?", "lines{1,2}"):
            there = self.tables(Path(shutil.copytree(self.out, self.work / above / "out")))
            for name in ("matches", "seats", "rosenkoenig_card_played", "delphi_battle_rolled"):
                with self.subTest(above=above, table=name):
                    self.assertTrue(there.polars(name).collect().equals(here.polars(name).collect()))
                    self.assertEqual(there.polars(name).collect_schema(), here.polars(name).collect_schema())
                    self.assertTrue(there.pandas(name).equals(here.pandas(name)))
                    self.assertEqual(there.duckdb(name).types, here.duckdb(name).types)
                    self.assertEqual(there.duckdb(name).fetchall(), here.duckdb(name).fetchall())
            with muninn.open(there.folder, game="voluspa") as one:
                self.assertEqual(one.sql("SELECT DISTINCT game FROM matches").fetchall(), [("voluspa",)])
        self.assertEqual(here.sql("SELECT DISTINCT regexp_full_match(month, '[0-9]{4}-[0-9]{2}') FROM matches").fetchall(), [(True,)])

    def test_columns_are_as_the_dictionary_says(self) -> None:
        tables = self.tables()
        duck = {"integer": "BIGINT", "boolean": "BOOLEAN", "time": "TIMESTAMP", "integers": "BIGINT[]", "texts": "VARCHAR[]"}
        duck |= {"text": "VARCHAR", "JSON": "VARCHAR"}
        kinds = set()
        for name in tables.names:
            described = tables.describe(name)
            schema = tables.polars(name).collect_schema()
            for column, kind in zip(described.columns, tables.duckdb(name).types):
                kinds.add(column.kind)
                # Files and tables without files have the same types.
                self.assertEqual(str(kind), duck[column.kind], f"{name}.{column.name}")
                lists = {"integers": polars.List(polars.Int64), "texts": polars.List(polars.String)}
                if column.kind in lists:
                    self.assertEqual(schema[column.name], lists[column.kind])
        self.assertEqual(kinds, set(duck))
        with self.assertRaisesRegex(KeyError, "no table nothing.*there are awards"):
            tables.polars("nothing")

    def test_sql_over_all_tables(self) -> None:
        tables = self.tables()
        counted = tables.sql("SELECT game, count(*) FROM Matches GROUP BY game ORDER BY game").fetchall()
        self.assertEqual(counted, [("rosenkoenig", 3), ("voluspa", 2)])
        self.assertEqual(tables.sql("SELECT count(*) FROM delphi_battle_rolled").fetchall(), [(0,)])
        self.assertEqual(tables.sql("SELECT count(*) FROM seats WHERE bot = ? AND game = ?", ["greedy", "voluspa"]).fetchall(), [(4,)])
        self.assertEqual(tables.sql("SELECT count(*) FROM seats WHERE game = $game", {"game": "rosenkoenig"}).fetchall(), [(6,)])
        tables.define("ours", "SELECT * FROM matches WHERE game = 'voluspa'")
        self.assertEqual(tables.sql("SELECT count(*) FROM ours JOIN seats USING (match_no)").fetchall(), [(4,)])
        for name in ("matches", "Matches", "a b", 'a"'):
            with self.assertRaises(ValueError):
                tables.define(name, "SELECT 1")
        # The points of a seat are its awards; the last state has them too.
        unexplained = tables.sql("""
            SELECT count(*) FROM seats s LEFT JOIN (SELECT match_no, seat, sum(points) AS points FROM awards WHERE NOT taken_back GROUP BY ALL) a
            USING (match_no, seat) JOIN (SELECT match_no, arg_max(scores, commit_no) AS scores FROM states GROUP BY ALL) USING (match_no)
            WHERE s.final_points <> coalesce(a.points, 0) OR s.final_points <> scores[s.seat + 1]""")
        self.assertEqual(unexplained.fetchall(), [(0,)])

    def test_names_of_a_stranger_are_no_sql(self) -> None:
        foreign, written = self.work / "foreign", self.work / "written"
        shutil.copytree(self.out, foreign)
        told = json.loads((foreign / "_dictionary.json").read_text())
        statement = f"COPY (SELECT 1) TO '{written}'"
        odd = f'x" WHERE false; {statement}; SELECT 1 AS "y'
        empty = next(item for item in told["items"] if item["name"] == "delphi_battle_rolled")
        empty["columns"][-1]["name"] = odd
        (foreign / "_dictionary.json").write_text(json.dumps(told))
        tables = self.tables(foreign)
        self.assertIn(odd, tables.duckdb(empty["name"]).columns)
        self.assertFalse(written.exists())

    def test_columns_of_a_large_table_for_pandas(self) -> None:
        frame = self.tables().pandas("events", ["game", "event_type"])
        self.assertEqual(list(frame.columns), ["game", "event_type"])
        self.assertEqual(list(self.tables().pandas("delphi_battle_rolled", ["seat"]).columns), ["seat"])

    def test_an_export_that_went_on_is_seen_after_a_refresh(self) -> None:
        data, out = self.work / "more", self.work / "grown"
        simulate(data, "rosenkoenig", 1)
        export(data, out)
        tables = self.tables(out)
        before = tables.position
        relation = tables.duckdb("matches")
        simulate(data, "rosenkoenig", 2, seed=2)
        export(data, out)
        self.assertEqual((len(relation.fetchall()), tables.position), (1, before))
        self.assertGreater(tables.refresh(), before)
        self.assertEqual(tables.sql("SELECT count(*) FROM matches").fetchall(), [(3,)])
        self.assertEqual(len(tables.polars("matches").collect()), 3)

    def test_relations_of_before_a_refresh_see_what_they_saw(self) -> None:
        data, out = self.work / "followed", self.work / "following"
        simulate(data, "rosenkoenig", 1)
        export(data, out)
        tables = self.tables(out)
        tables.define("ours", "SELECT * FROM matches")
        tables.define("seated", "SELECT * FROM ours JOIN seats USING (match_no)")
        tables.define("Ours", "SELECT * FROM matches WHERE game = 'voluspa'")
        tables.define("ours", "SELECT * FROM matches WHERE game = 'rosenkoenig'")

        def asked() -> list[DuckDBPyRelation]:
            table, named = tables.duckdb("matches"), tables.sql("SELECT * FROM seated")
            query = tables.sql("SELECT count(*) FROM matches WHERE game = ?", ["rosenkoenig"])
            return [table.count("*"), table.filter("match_no > 0").count("*"), query, named.count("*"), tables.sql("SELECT count(*) FROM ours")]

        def counts(relations: list[DuckDBPyRelation]) -> list[object]:
            return [relation.fetchall()[0][0] for relation in relations]

        before, table, lazy = asked(), tables.duckdb("matches"), tables.polars("matches")
        for again in range(2):
            simulate(data, "rosenkoenig", 1, seed=again + 2)
            export(data, out)
            tables.refresh()
        self.assertEqual(counts(asked()), [3, 3, 3, 6, 3])
        self.assertEqual(counts(before), [1, 1, 1, 2, 1])
        self.assertEqual((len(table.fetchall()), len(lazy.collect())), (1, 1))
        # Where nothing was added, they are of one time.
        seats = tables.duckdb("seats")
        tables.refresh()
        self.assertEqual(len(seats.join(tables.duckdb("matches"), "match_no").fetchall()), 6)

    def test_an_export_of_a_store_without_matches(self) -> None:
        data, out = self.work / "nothing", self.work / "none"
        with Server(data):
            pass
        export(data, out)
        tables = self.tables(out)
        self.assertEqual(tables.sql("SELECT count(*) FROM matches").fetchall(), [(0,)])
        self.assertEqual((len(tables.pandas("seats")), tables.polars("states").collect().height), (0, 0))
        self.assertEqual(tables.names, self.tables().names)

    def test_what_is_no_folder_of_tables_is_refused(self) -> None:
        for folder, why in ((self.work / "nowhere", "there is no folder"), (self.work, "not a folder of tables.*muninn export"), (self.data, "not a folder")):
            with self.subTest(folder), self.assertRaisesRegex(NoTables, why):
                muninn.open(folder)
        csv = self.work / "csv"
        export(self.data, csv, "--format", "csv")
        with self.assertRaisesRegex(NoTables, "an export as csv.*Parquet"):
            muninn.open(csv)

    def test_an_export_that_is_older_newer_or_damaged_is_refused(self) -> None:
        told = json.loads((self.out / "_export.json").read_text())
        gone = {"path": "seats/game=voluspa/month=2026-11/part-9.parquet", "rows": 1, "bytes": 1}
        cases: list[tuple[dict[str, object] | str, str]] = [
            (told | {"tables": 1}, "version 1, which do not say which seats are bots.*export again"),
            (told | {"tables": 3}, "version 3.*install a later"),
            (told | {"files": told["files"] + [gone]}, "part-9.parquet is missing"),
            ("{", "damaged"),
            ("[]", "damaged"),
            ({}, "damaged"),
        ]
        for number, (manifest, why) in enumerate(cases):
            folder = self.work / f"bad{number}"
            shutil.copytree(self.out, folder)
            (folder / "_export.json").write_text(manifest if isinstance(manifest, str) else json.dumps(manifest))
            with self.subTest(why), self.assertRaisesRegex(NoTables, why):
                muninn.open(folder)
        folder = self.work / "without"
        shutil.copytree(self.out, folder)
        (folder / "_dictionary.json").write_text("{")
        with self.assertRaisesRegex(NoTables, "damaged"):
            muninn.open(folder)
        (folder / "_dictionary.json").unlink()
        with self.assertRaisesRegex(NoTables, "no _dictionary.json.*the same folder"):
            muninn.open(folder)
        export(self.data, folder)
        self.assertEqual(self.tables(folder).names, self.tables().names)

    def test_an_archive_is_read_where_it_was_unpacked(self) -> None:
        with Server(self.data) as server:
            dictionary = httpx.get(f"{server.address}/v1/tables?hashes=true").content
            for query in ("", "?hashes=true"):
                folder = self.work / f"archive{len(query)}"
                folder.mkdir()
                data = httpx.get(f"{server.address}/v1/tables.tar{query}").content
                with tarfile.open(fileobj=io.BytesIO(data)) as tar:
                    tar.extractall(folder, filter="data")
                tables = self.tables(folder)
                self.assertIsNone(tables.complete, "the archive does not say it")
                counted = tables.sql("SELECT count(*) FROM matches").fetchall()
                self.assertEqual(counted, [(5,)])
                with self.assertRaisesRegex(KeyError, "has no dictionary"):
                    tables.describe("matches")
                self.assertNotIn("delphi_battle_rolled", tables.names)
                columns = tables.columns("commits")
                self.assertEqual("hash" in columns, query != "")
                (folder / "_dictionary.json").write_bytes(dictionary)
                tables = self.tables(folder)
                self.assertEqual(set(tables.columns("commits")), set(columns))
                self.assertEqual(len(tables.pandas("delphi_battle_rolled")), 0)
                # Of an archive that was cut off, the last group is not whole, and neither is its last file.
                position = (folder / "_position").read_text()
                file = min((folder / "matches").rglob("*.parquet"))
                whole = file.read_bytes()
                (folder / "_position").write_text("1")
                file.write_bytes(whole[:-20])
                tables = self.tables(folder)
                self.assertEqual((tables.sql("SELECT count(*) FROM matches").fetchall(), len(tables.pandas("seats"))), ([(0,)], 0))
                self.assertEqual(tables.polars("events").collect().height, 0)
                (folder / "_position").write_text(position)
                file.write_bytes(whole)
                file.write_bytes(file.read_bytes().replace(b"muninn.tables\x18\x012", b"muninn.tables\x18\x011"))
                with self.assertRaisesRegex(NoTables, "version 1"):
                    muninn.open(folder)
                file.write_bytes(file.read_bytes()[:-20])
                with self.assertRaisesRegex(NoTables, "no whole Parquet file"):
                    muninn.open(folder)


class Servers(unittest.TestCase):
    """What a server has, kept in a folder."""

    def setUp(self) -> None:
        self.work = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.data, self.cache = self.work / "data", self.work / "cache"
        simulate(self.data, "rosenkoenig", 2)
        simulate(self.data, "voluspa", 1)

    def tables(self, address: str, **more: str) -> Tables:
        return self.enterContext(muninn.open(address, cache=self.cache, **more))

    def files(self) -> set[str]:
        return {file.relative_to(self.cache).as_posix() for file in self.cache.rglob("*.parquet")}

    def told(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads((self.cache / "_tables.json").read_text())
        return told

    def now(self) -> Path:
        """Where the files are that the cache has now."""
        return self.cache / str(self.told()["folder"])

    def play(self, server: Server) -> str:
        """A match between bots, which ends by itself. Returns its id."""
        with muninn.Muninn(server.address) as client:
            seat = muninn.models.SeatRequest(bot=muninn.models.Bot.GREEDY)
            opened = client.open(muninn.models.RosenkoenigOpenRequest(game="rosenkoenig", seats=[seat, seat]))
            for _ in client.match(opened.match).follow():
                pass
        return str(opened.match)

    def test_a_server_is_followed(self) -> None:
        with Server(self.data) as server:
            tables = self.tables(server.address)
            self.assertEqual(tables.sql("SELECT count(*) FROM matches").fetchall(), [(3,)])
            self.assertEqual(tables.complete, True)
            before, relation = self.files(), tables.duckdb("matches")
            match = self.play(server)
            self.assertEqual(len(relation.fetchall()), 3)
            position = tables.refresh()
            self.assertLess(before, self.files(), "what is there stays")
            self.assertEqual(tables.sql("SELECT count(*) FROM matches WHERE match_id = ?", [match]).fetchall(), [(1,)])
            seat = tables.sql("SELECT name, played_by, bot FROM seats WHERE match_id = ? AND seat = 0", [match])
            self.assertEqual(seat.fetchall(), [("greedy", "bot", "greedy")])
            after = self.files()
            self.assertEqual((tables.refresh(), self.files()), (position, after))
            # Another program goes on with the folder, also without a server.
            self.assertEqual(self.tables(server.address).position, position)
        alone = self.enterContext(muninn.open(self.cache))
        self.assertEqual((alone.position, len(alone.pandas("matches"))), (position, 4))

    def test_the_cache_has_what_an_export_has(self) -> None:
        with Server(self.data) as server:
            tables = self.tables(server.address + "/")
        export(self.data, self.work / "out")
        out = self.enterContext(muninn.open(self.work / "out"))
        self.assertEqual(tables.names, out.names)
        for name in out.names:
            self.assertEqual(tables.describe(name), out.describe(name))
            self.assertEqual(tables.columns(name), out.columns(name))
            rows = [sorted(map(repr, one.duckdb(name).fetchall())) for one in (tables, out)]
            self.assertEqual(rows[0], rows[1], name)

    def test_one_game(self) -> None:
        with Server(self.data) as server:
            tables = self.tables(server.address, game="voluspa")
            self.assertEqual(tables.sql("SELECT DISTINCT game FROM events").fetchall(), [("voluspa",)])
            with self.assertRaisesRegex(OtherStore, "of voluspa, not of all"):
                self.tables(server.address)
            with self.assertRaises(Problem) as caught:
                muninn.open(server.address, cache=self.work / "other", game="chess")
            self.assertEqual(caught.exception.status, 404)

    def test_a_folder_of_somebody_else_is_no_cache(self) -> None:
        out, dist = self.work / "an-export", self.work / "dist"
        export(self.data, out)
        dist.mkdir()
        (dist / "thesis.txt").write_text("mine")
        with Server(self.data) as server:
            for folder in (out, dist):
                before = sorted(path for path in folder.rglob("*") if path.is_file())
                with self.subTest(folder), self.assertRaisesRegex(OtherStore, "is no cache of tables: it contains"):
                    muninn.open(server.address, cache=folder)
                self.assertEqual(sorted(path for path in folder.rglob("*") if path.is_file()), before)

    def test_one_game_of_a_folder(self) -> None:
        out = self.work / "of-one-game"
        export(self.data, out)
        with muninn.open(out, game="voluspa") as tables:
            self.assertEqual(tables.sql("SELECT DISTINCT game FROM events").fetchall(), [("voluspa",)])
        with self.assertRaisesRegex(NoTables, "no tables of the game chess"):
            muninn.open(out, game="chess")

    def test_another_store_is_not_mixed_in(self) -> None:
        with Server(self.data) as server:
            self.tables(server.address)
        before = self.files()
        other = self.work / "other"
        simulate(other, "copenhagen", 1)
        with Server(other) as server, self.assertRaisesRegex(OtherStore, "remove the folder"):
            self.tables(server.address)
        # Longer than the first.
        simulate(other, "rosenkoenig", 4, seed=9)
        with Server(other) as server, self.assertRaisesRegex(OtherStore, "another store"):
            self.tables(server.address)
        self.assertEqual(self.files(), before)

    def test_a_store_that_was_restored_is_not_mixed_in(self) -> None:
        backup = Path(shutil.copytree(self.data, self.work / "backup"))
        # The files of the cache begin before the end of the backup, and go beyond it.
        simulate(self.data, "voluspa", 1, seed=5)
        with Server(self.data) as server:
            self.tables(server.address)
        before, position = self.files(), self.told()["position"]
        simulate(backup, "rosenkoenig", 5, seed=9)
        with Server(backup) as server:
            self.assertGreater(httpx.get(f"{server.address}/v1/tables").json()["position"], position)
            with self.assertRaisesRegex(OtherStore, "another store: what stands at feed position"):
                self.tables(server.address)
            # Also if it was another one only when it was asked first.
            with mock.patch.object(tables_cache._Refresh, "_mark", return_value=self.told()["mark"]), self.assertRaises(OtherStore):
                self.tables(server.address)
        self.assertEqual(self.files(), before)

    def test_a_cache_without_matches_is_of_no_store(self) -> None:
        simulate(self.data, "rosenkoenig", 6, seed=3)
        with Server(self.data) as server:
            self.assertEqual(len(self.tables(server.address, game="copenhagen").polars("matches").collect()), 0)
        other = self.work / "other"
        simulate(other, "copenhagen", 1)
        simulate(other, "rosenkoenig", 16, seed=9)
        with Server(other) as server:
            tables = self.tables(server.address, game="copenhagen")
            self.assertGreater(tables.position, int(tables.pandas("matches")["match_no"][0]))

    def test_an_interrupted_download_leaves_what_was_there(self) -> None:
        with Server(self.data) as server:
            proxy = Proxy(server.address)
            proxy.only = "after=0"
            first = self.work / "first"
            proxy.pages = [(502, {})] * 6
            with self.assertRaises(Unreachable):
                muninn.open(proxy.address, cache=first)
            with self.assertRaisesRegex(NoTables, "first download was interrupted"):
                muninn.open(first)
            with muninn.open(proxy.address, cache=first) as tables:
                self.assertEqual((len(tables.pandas("matches")), tables.complete), (3, True))
            tables = self.tables(proxy.address)
            before, relation, lazy = self.files(), tables.duckdb("events"), tables.polars("events")
            rows = relation.fetchall()
            # As if the server had other columns now.
            told = self.told()
            told["items"][0]["columns"].pop()
            (self.cache / "_tables.json").write_text(json.dumps(told))
            proxy.pages = [(502, {})] * 6
            with self.assertRaises(Unreachable):
                tables.refresh()
            with muninn.open(self.cache) as alone:
                self.assertEqual((len(alone.pandas("matches")), alone.complete), (3, True))
            self.assertEqual(tables.duckdb("events").fetchall(), rows)
            tables.refresh()
            self.assertLess(before, self.files(), "somebody may read what was there")
            self.assertEqual((relation.fetchall(), len(lazy.collect())), (rows, len(rows)))
            self.assertEqual(tables.duckdb("events").fetchall(), rows)
            tables.refresh()
            self.assertEqual(len(self.files()), len(before))
            self.assertTrue(before.isdisjoint(self.files()))
            proxy.close()

    def test_a_download_that_was_interrupted_goes_on(self) -> None:
        cut = mock.patch.object(tables_cache._Refresh, "_more", side_effect=Unreachable("cut"))
        with Server(self.data) as server:
            self.tables(server.address)
            # As if a first download had come so far.
            (self.cache / "_tables.json").rename(self.cache / "_filling.json")
            with cut, self.assertRaises(Unreachable):
                self.tables(server.address)
            before = self.files()
            self.assertEqual(len(self.tables(server.address).pandas("matches")), 3)
            self.assertEqual(self.files(), before)
            self.assertFalse((self.cache / "_filling.json").exists())
        # Of another store it is dropped.
        (self.cache / "_tables.json").rename(self.cache / "_filling.json")
        other = self.work / "other"
        simulate(other, "rosenkoenig", 5, seed=9)
        with Server(other) as server:
            self.assertEqual(len(self.tables(server.address).pandas("matches")), 5)
        self.assertTrue(before.isdisjoint(self.files()))

    def test_another_sentence_about_a_column_changes_nothing(self) -> None:
        with Server(self.data) as server:
            about = self.tables(server.address).describe("matches")
            told = self.told()
            for item in told["items"]:
                item["about"] = "before"
                for column in item["columns"]:
                    column["about"] = "before"
            (self.cache / "_tables.json").write_text(json.dumps(told))
            before = self.files()
            self.assertEqual(self.tables(server.address).describe("matches"), about)
            self.assertEqual(self.files(), before)

    def test_where_nothing_can_be_compared(self) -> None:
        with Server(self.data) as server:
            proxy = Proxy(server.address)
            proxy.damaged = []
            self.tables(proxy.address)
            before = self.files()
            archive = io.BytesIO()
            with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as tar:
                tar.addfile(tarfile.TarInfo("_position"), io.BytesIO())
            # What stands there is damaged: nothing speaks against it.
            proxy.damaged, proxy.page, proxy.only = ["a"], archive.getvalue(), "until="
            proxy.pages = [(200, {"content-type": "application/x-tar", "damaged": "1"})]
            tables = self.tables(proxy.address)
            self.assertEqual((proxy.pages, self.files(), len(tables.pandas("matches"))), ([], before, 3))
            # A server that says nothing although nothing is damaged is an earlier one: filled anew.
            proxy.damaged = []
            proxy.pages = [(200, {"content-type": "application/x-tar", "damaged": "0"})]
            tables = self.tables(proxy.address)
            self.assertNotEqual(self.files(), before)
            self.assertEqual(len(tables.pandas("matches")), 3)
            proxy.close()

    def test_a_cache_that_somebody_else_fills_is_waited_for(self) -> None:
        tries = 0

        def locking(file: int, how: str, size: int) -> None:
            nonlocal tries
            tries += 1
            # As Windows says it after ten tries, of a second each, or at once.
            if tries < 50:
                raise PermissionError(errno.EACCES, "Permission denied")

        windows = SimpleNamespace(LK_LOCK="lock", LK_NBLCK="at once", locking=locking)
        patched = mock.patch.dict(sys.modules, {"msvcrt": windows}), mock.patch.object(sys, "platform", "win32"), mock.patch("time.sleep")
        with patched[0], patched[1], patched[2] as slept, tables_cache._locked(self.work / "_lock"):
            pass
        self.assertEqual((tries, slept.call_count), (50, 49))

    def test_a_damaged_cache_is_filled_anew(self) -> None:
        harms: list[Callable[[Path], object]] = [
            lambda cache: (cache / "_tables.json").write_text("{"),
            lambda cache: next(self.now().rglob("*.parquet")).unlink(),
            lambda cache: next(self.now().rglob("*.parquet")).write_bytes(b""),
        ]
        with Server(self.data) as server:
            rows = self.tables(server.address).duckdb("events").fetchall()
            for harm in harms:
                harm(self.cache)
                self.assertEqual(self.tables(server.address).duckdb("events").fetchall(), rows)

    def test_a_cache_is_filled_anew_when_some_of_what_is_damaged_was_repaired(self) -> None:
        with Server(self.data) as server:
            proxy = Proxy(server.address)
            for damaged, anew in [(["a", "b"], True), (["a", "b"], False), (["a", "b", "c"], False), (["b", "c", "d"], True), (["b", "c", "d"], False), ([], True), ([], False)]:
                with self.subTest(damaged=damaged):
                    proxy.damaged, proxy.paths = damaged, []
                    tables = self.tables(proxy.address)
                    self.assertEqual(tables.complete, not damaged)
                    self.assertEqual(any(path.startswith("/v1/tables.tar") and path.endswith("after=0") for path in proxy.paths), anew)
                    self.assertEqual(len(tables.pandas("matches")), 3)
            proxy.close()

    def test_a_download_that_is_cut_goes_on(self) -> None:
        with Server(self.data) as server:
            self.tables(server.address)
            way = Way(server.address)
            tables = self.tables(way.address)
            for _ in range(3):
                self.play(server)
                cut = Thread(target=way.cut)
                cut.start()
                tables.refresh()
                cut.join()
            self.assertEqual(tables.sql("SELECT count(*), count(DISTINCT match_id) FROM matches").fetchall(), [(6, 6)])
            way.close()

    def test_a_group_that_is_not_whole_is_not_there(self) -> None:
        with Server(self.data) as server:
            self.tables(server.address)
            # As if it had been killed between the files of a group and the manifest.
            file = next((self.now() / "matches").rglob("*.parquet"))
            shutil.copy(file, file.with_name("part-000000999999.parquet"))
            (self.cache / "_incoming").mkdir(exist_ok=True)
            (self.cache / "_incoming" / "half").write_text("x")
            tables = self.enterContext(muninn.open(self.cache))
            self.assertEqual(tables.sql("SELECT count(*) FROM matches").fetchall(), [(3,)])
            self.tables(server.address)
            self.assertFalse((self.cache / "_incoming").exists())
            self.assertFalse(file.with_name("part-000000999999.parquet").exists())

    def test_a_proxy_that_answers_for_a_moment(self) -> None:
        with Server(self.data) as server:
            proxy = Proxy(server.address)
            proxy.pages = [(502, {}), (503, {"retry-after": "0"})]
            self.assertEqual(len(self.tables(proxy.address).pandas("matches")), 3)
            self.assertEqual(proxy.pages, [])
            # Some say that it is a problem, and not which one.
            for page in (b"", b"[]", b'{"title": "Bad Gateway", "status": 502}', b'{"code": 502}'):
                proxy.page, proxy.pages = page, [(502, {"content-type": "application/problem+json"})]
                self.assertEqual(len(self.tables(proxy.address).pandas("matches")), 3)
                self.assertEqual(proxy.pages, [])
            proxy.close()
            gateway = answering(502, "application/problem+json", b"")
            folder = self.enterContext(muninn.open(self.cache, server=f"http://127.0.0.1:{gateway.server_port}"))
            with self.assertRaisesRegex(Unreachable, "502"):
                folder.board(UUID(int=0))
            gateway.shutdown()
            gateway.server_close()

    def test_what_is_no_server_with_tables(self) -> None:
        older = {"version": 1, "position": 0, "damaged": 0, "items": []}
        for status, kind, body, why in [
            (404, "text/html", b"<h1>nothing</h1>", "no server of Muninn"),
            (200, "text/html", b"<h1>hello</h1>", "no server of Muninn"),
            (200, "application/json", b"[]", "no server of Muninn"),
            (200, "application/json", json.dumps(older).encode(), "version 1.*a later one"),
        ]:
            server = answering(status, kind, body)
            with self.subTest(body), self.assertRaisesRegex(NoTables, why):
                self.tables(f"http://127.0.0.1:{server.server_port}")
            server.shutdown()
            server.server_close()
        with self.assertRaises(Unreachable):
            self.tables("http://127.0.0.1:9")
        later = {"type": "/problems/too_early", "title": "Too early", "status": 422, "code": "too_early", "detail": "not yet", "request_id": "x"}
        server = answering(422, "application/problem+json", json.dumps(later).encode())
        with self.assertRaisesRegex(Problem, "not yet"):
            self.tables(f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
        server.server_close()

    def test_boards_are_drawn(self) -> None:
        with Server(self.data) as server:
            tables = self.tables(server.address)
            match, version = tables.sql("SELECT match_id, event_count FROM matches WHERE game = 'voluspa'").fetchall()[0]
            end = tables.board(match)
            self.assertRegex(end._repr_svg_() or "", "^<svg")
            self.assertNotEqual(tables.board(match, 1), end)
            self.assertEqual(tables.board(match, version), end)
            self.assertIn('data-viewer="1"', tables.board(match, viewer=1, theme="dark", shape="board"))
            with self.assertRaises(Problem) as caught:
                tables.board(match, 99999)
            self.assertEqual(caught.exception.code, muninn.models.ProblemCode.VERSION_UNKNOWN)
            folder = self.enterContext(muninn.open(self.cache, server=server.address))
            self.assertEqual(folder.board(match), end)
        with self.assertRaisesRegex(NoTables, "name the server"):
            self.enterContext(muninn.open(self.cache)).board(match)
        with self.assertRaises(Unreachable):
            folder.board(match)

    def test_the_page_of_the_documents_runs(self) -> None:
        export(self.data, self.work / "tables")
        with Server(self.data) as server:
            shown = Path("analyst.py").read_text().replace("http://127.0.0.1:8080", server.address)
            environment = os.environ | {"XDG_CACHE_HOME": str(self.cache)}
            done = subprocess.run([sys.executable, "-c", shown], cwd=self.work, env=environment, capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("voluspa", done.stdout)
        self.assertTrue(list(self.cache.rglob("_tables.json")), "the cache is where the user's are")

    def test_where_tables_are_kept_by_default(self) -> None:
        one, other = tables_cache.default_folder("http://a", None), tables_cache.default_folder("http://b", None)
        self.assertNotEqual(one, other)
        self.assertEqual(one.parent.name, "muninn")


if __name__ == "__main__":
    unittest.main()
