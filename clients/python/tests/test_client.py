"""The package against the real server: every game to its end, a stream that is cut, refusals with their rule."""

from __future__ import annotations

import asyncio
import copy
import json
import os
import pickle
import random
import subprocess
import sys
import unittest
from pathlib import Path
from threading import Thread
from uuid import UUID

from muninn import AsyncMatch, AsyncMuninn, Choice, Match, Muninn, OpenRequest, Option, Problem, Unreachable, models as m
from muninn.games import COMMIT_ENTRIES
from muninn.kinds import commit_of
from muninn.rest.api.analysis import create_position
from muninn.rest.api.games import list_games
from server import Proxy, Server, Way, answering

SEATS = [m.SeatRequest(name="Ada"), m.SeatRequest(name="Ben")]
HOME = "hex:0,0"
# One deal for all: after a first move at random, the other seat can sometimes only pass.
DEALT = m.SandboxRequest(seed="5" * 64)


def chosen(choice: Choice) -> Option:
    """By clicks, as a person would, without knowing the game; but ships sail home."""
    while True:
        if len(choice.options) == 1:
            return choice.options[0]
        spots = sorted(choice.spots)
        if HOME in spots:
            choice = choice.click(HOME)
        elif (pick := random.randrange(len(spots) + len(choice.buttons))) < len(spots):
            choice = choice.click(spots[pick])
        else:
            return choice.buttons[pick - len(spots)]


def play(match: Match) -> None:
    for choice in match.turns():
        match.submit(chosen(choice).command)


async def play_async(match: AsyncMatch) -> None:
    async for choice in match.turns():
        await match.submit(chosen(choice).command)


def rosenkoenig(start: m.RosenkoenigStart = m.RosenkoenigStart.RED) -> m.RosenkoenigOpenRequest:
    return m.RosenkoenigOpenRequest(game="rosenkoenig", seats=SEATS, options=m.RosenkoenigOptions(start=start, light=True))


class Games(unittest.TestCase):
    server: Server
    muninn: Muninn

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = cls.enterClassContext(Server())
        cls.muninn = cls.enterClassContext(Muninn(cls.server.address))

    def ada_and_ben(self) -> tuple[Match, Match]:
        request = rosenkoenig()
        request.sandbox = DEALT
        ada, ben = self.muninn.open(request).seats
        assert ada and ben
        return ada, ben

    def homewards(self) -> m.DelphiPosition:
        """A match of Delphi played at random goes on for thousands of turns; this one begins where all tasks are done."""
        while True:
            body = m.PositionRequest(seats=2, options=m.DelphiOptions(map_=m.DelphiMapName.RANDOM))
            fresh = create_position.sync("delphi", client=self.muninn.rest, body=body)
            assert isinstance(fresh, m.StartPosition) and isinstance(fresh.position, m.DelphiPosition)
            if not fresh.position.pending:
                for player in fresh.position.players:
                    player.tasks = m.DelphiTasks(shrine=0, statue=[], offering=[], monster=[])
                return fresh.position

    def test_every_game_to_its_end(self) -> None:
        own: dict[str, OpenRequest] = {
            "rosenkoenig": rosenkoenig(),
            "delphi": m.DelphiOpenRequest(game="delphi", seats=SEATS, position=self.homewards()),
        }
        games = list_games.sync(client=self.muninn.rest)
        assert isinstance(games, m.GamePage)
        self.assertEqual({game.id for game in games.items}, set(COMMIT_ENTRIES))
        for game, entry in COMMIT_ENTRIES.items():
            with self.subTest(game):
                usual = getattr(m, entry.__name__.replace("CommitEntry", "OpenRequest"))
                opened = self.muninn.open(own.get(game) or usual(game=game, seats=SEATS))
                seats = [Thread(target=play, args=(seat,)) for seat in opened.seats]
                for seat in seats:
                    seat.start()
                for seat in seats:
                    seat.join(120)
                info = self.muninn.match(opened.match).info()
                self.assertEqual((info.game, info.status), (game, m.Status.FINISHED))
                commits = list(self.muninn.match(opened.match).follow())
                self.assertEqual([commit.commit for commit in commits], list(range(1, info.commit + 1)))

    def test_the_bot_of_the_documents_plays_to_the_end(self) -> None:
        environment = os.environ | {"MUNINN": self.server.address}
        done = subprocess.run([sys.executable, "twenty.py"], env=environment, capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("rank=1", done.stdout)

    def test_a_stream_that_is_cut_goes_on(self) -> None:
        ada, ben = self.ada_and_ben()
        way = Way(self.server.address)
        watcher = self.enterContext(Muninn(way.address)).match(ada.id)
        commits = watcher.follow()
        seen = [next(commits).commit]
        for number in range(2, 10):
            seat = (ada, ben)[int(str(ada.view().active_seat))]
            if number % 3 == 0:
                # Before it: a commit may arrive at once.
                way.cut()
            seat.submit(random.choice(seat.legal().options).command)
            if number % 3 == 0:
                seen += [next(commits).commit for _ in range(number - len(seen))]
        self.assertEqual(seen, list(range(1, 10)))
        self.assertGreater(way.carried, 2)
        way.close()

    def test_a_refusal_has_its_rule(self) -> None:
        ada, ben = self.ada_and_ben()
        draw = m.RosenkoenigCommandDrawCard(type_="DrawCard")
        for attempt in (ada.submit, ada.preview):
            with self.assertRaises(Problem) as caught:
                attempt(draw)
            problem = caught.exception
            self.assertEqual((problem.code, problem.rule, problem.status), (m.ProblemCode.ILLEGAL_COMMAND, "R-45", 422))
            self.assertIn("five cards", problem.rule_text or "")
        with self.assertRaises(Problem) as caught:
            ben.submit(draw)
        self.assertEqual(caught.exception.code, m.ProblemCode.NOT_ACTIVE_SEAT)
        with self.assertRaises(Problem) as caught:
            ada.submit(draw, expected_version=1)
        self.assertEqual(caught.exception.code, m.ProblemCode.VERSION_CONFLICT)
        self.assertIsInstance(caught.exception.body, m.VersionConflict)
        with self.assertRaises(Problem) as caught:
            next(self.muninn.match(ada.id, "0" * 64).follow())
        self.assertEqual(caught.exception.code, m.ProblemCode.TOKEN_INVALID)
        with self.assertRaises(Unreachable):
            Muninn("http://127.0.0.1:9").open(rosenkoenig())

    def test_a_page_of_a_proxy_is_no_answer_of_the_server(self) -> None:
        proxy = Proxy(self.server.address)
        behind = self.enterContext(Muninn(proxy.address))
        proxy.pages = [(502, {}), (504, {}), (503, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"})]
        opened = behind.open(rosenkoenig())
        assert opened.seats[0]
        self.assertEqual(proxy.pages, [], "what has a key is repeated")
        proxy.pages = [(502, {}), (502, {})]
        with self.assertRaises(Unreachable):
            opened.seats[0].take_back()
        self.assertEqual(len(proxy.pages), 1, "what may have been done is not")
        # Some say that it is a problem, and not which one.
        for page in (b"", b"[]", b'{"title": "Bad Gateway", "status": 502}', b'{"code": 502}', b'{"code": "internal"}'):
            proxy.page, proxy.pages = page, [(502, {"content-type": "application/problem+json"})]
            with self.subTest(page=page), self.assertRaises(Unreachable):
                opened.seats[0].take_back()
        proxy.pages = [(502, {})]
        self.assertEqual(opened.seats[0].info().commit, 1)
        proxy.pages = [(504, {})]
        self.assertRegex(opened.seats[0].board(), "^<svg")
        proxy.pages, proxy.only = [(502, {}), (504, {})], "/stream"
        commits = self.muninn.match(opened.match).follow()
        self.assertEqual(next(behind.match(opened.match).follow()), next(commits))
        self.assertEqual(proxy.pages, [], "a stream connects again")
        proxy.only = ""
        for status, headers in ((403, {}), (429, {"retry-after": "60"})):
            proxy.pages = [(status, headers)]
            with self.assertRaises(Problem) as caught:
                opened.seats[0].info()
            self.assertEqual((caught.exception.status, proxy.pages), (status, []))
        # Of a 408 the server read nothing; a 429 is waited for.
        proxy.pages = [(408, {}), (429, {})]
        self.assertEqual(opened.seats[0].info().commit, 1)
        self.assertEqual(proxy.pages, [])
        proxy.pages = [(408, {}), (408, {})]
        self.assertTrue(behind.open(rosenkoenig()).seats)
        proxy.pages = [(408, {}), (408, {})]
        with self.assertRaises(Unreachable):
            opened.seats[0].take_back()
        self.assertEqual(len(proxy.pages), 1)
        proxy.pages, proxy.only = [(408, {}), (429, {})], "/stream"
        self.assertEqual(next(behind.match(opened.match).follow()), next(self.muninn.match(opened.match).follow()))
        self.assertEqual(proxy.pages, [])
        proxy.close()

    def test_what_may_have_been_done_is_done_once_with_its_key(self) -> None:
        proxy = Proxy(self.server.address)
        behind = self.enterContext(Muninn(proxy.address))
        proxy.pages = [(502, {})] * 5
        with self.assertRaises(Unreachable) as caught:
            behind.open(rosenkoenig())
        key = caught.exception.key
        assert key
        opened = behind.open(rosenkoenig(), key=key)
        self.assertEqual(behind.open(rosenkoenig(), key=key).match, opened.match)
        ada = opened.seats[0]
        assert ada
        command = ada.legal().options[0].command
        proxy.pages = [(502, {})] * 5
        with self.assertRaises(Unreachable) as caught:
            ada.submit(command)
        key = caught.exception.key
        assert key
        done = ada.submit(command, key=key)
        self.assertEqual(ada.submit(command, key=key).version, done.version)
        with self.assertRaises(Problem) as refused:
            ada.submit(command, key="of-my-own-of-my-own-1")
        self.assertEqual((refused.exception.code, refused.exception.key), (m.ProblemCode.NOT_ACTIVE_SEAT, "of-my-own-of-my-own-1"))
        self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).key, key)
        with self.assertRaises(Problem) as refused:
            ada.view(9999)
        self.assertIsNone(refused.exception.key)
        proxy.close()

        async def asynchronous() -> str | None:
            async with AsyncMuninn("http://127.0.0.1:9") as muninn:
                with self.assertRaises(Unreachable) as caught:
                    await muninn.open(rosenkoenig(), key=key)
                return caught.exception.key

        self.assertEqual(asyncio.run(asynchronous()), key)

    def test_what_a_balancer_says_is_a_problem(self) -> None:
        for name in ("unavailable", "unknown"):
            body = Path(f"{name}.http").read_text().partition("\n\n")[2]
            problem = m.Problem.from_dict(json.loads(body))
            self.assertEqual((problem.status, problem.request_id), (503, ""))

    def test_a_problem_of_a_later_server_is_one(self) -> None:
        body = {"type": "/problems/too_early", "title": "Too early", "status": 422, "code": "too_early", "detail": "not yet", "request_id": "x", "rule": "R-1"}
        server = answering(422, "application/problem+json", json.dumps(body).encode())
        later = self.enterContext(Muninn(f"http://127.0.0.1:{server.server_port}")).match(UUID(int=0))
        for ask in (later.info, later.view, later.board, later.legal, lambda: next(later.follow())):
            with self.assertRaises(Problem) as caught:
                ask()
            problem = caught.exception
            self.assertEqual((problem.code, problem.status, problem.rule, str(problem)), (m.ProblemCode.INTERNAL, 422, "R-1", "not yet"))
            self.assertEqual(problem.body.type_, "/problems/too_early")
        server.shutdown()
        server.server_close()

    def test_a_problem_of_a_later_server_is_waited_for_like_others(self) -> None:
        body = {"type": "/problems/moving", "title": "Moving", "status": 503, "code": "moving", "detail": "in a moment", "request_id": "x"}
        headers = {"content-type": "application/problem+json"}
        ada, _ = self.ada_and_ben()
        proxy = Proxy(self.server.address)
        proxy.page = json.dumps(body).encode()
        behind = self.enterContext(Muninn(proxy.address)).match(ada.id)
        proxy.pages = [(503, headers), (503, headers)]
        self.assertEqual(behind.info().version, ada.info().version)
        self.assertEqual(proxy.pages, [], "what reads is repeated")
        proxy.pages, proxy.only = [(503, headers), (503, headers)], "/stream"
        self.assertEqual(next(behind.follow()), next(self.muninn.match(ada.id).follow()))
        self.assertEqual(proxy.pages, [], "a stream connects again")
        proxy.close()

    def test_a_conflict_with_events_of_a_later_server_is_one(self) -> None:
        draw = m.RosenkoenigCommandDrawCard(type_="DrawCard")
        ada, _ = self.ada_and_ben()
        with self.assertRaises(Problem) as caught:
            ada.submit(draw, 1)
        told = caught.exception.body.to_dict()
        events = told["missed"]["items"][0]["events"]
        proxy = Proxy(self.server.address)
        behind = self.enterContext(Muninn(proxy.address)).match(ada.id, ada.token)
        for later in ({"type": "SomethingLater"}, {"type": "MatchClosed", "by": "operator", "reason": "later"}):
            told["missed"]["items"][0]["events"] = [*events, later]
            proxy.page = json.dumps(told).encode()
            for is_taken_back in (False, True):
                proxy.pages = [(409, {"content-type": "application/problem+json"})]
                with self.subTest(later=later["type"]), self.assertRaises(Problem) as caught:
                    behind.take_back() if is_taken_back else behind.submit(draw, 1)
                problem = caught.exception
                self.assertEqual((problem.code, problem.status), (m.ProblemCode.VERSION_CONFLICT, 409))
                self.assertEqual(problem.body.to_dict(), told)
        proxy.pages = [(409, {"content-type": "application/problem+json"})]
        with self.assertRaises(Problem) as caught:
            behind.submit(draw, 1, key="of-my-own-of-my-own-2")
        self.assertEqual(caught.exception.key, "of-my-own-of-my-own-2")
        proxy.close()

    def test_a_problem_is_copied_and_pickled(self) -> None:
        ada, _ = self.ada_and_ben()
        with self.assertRaises(Problem) as caught:
            ada.submit(m.RosenkoenigCommandDrawCard(type_="DrawCard"))
        problem = caught.exception
        problem.retry_after = 1.5
        self.assertTrue(problem.key)
        for other in (copy.copy(problem), copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):
            self.assertIsInstance(other, Problem)
            for field in ("body", "code", "status", "rule", "rule_text", "retry_after", "key", "args"):
                self.assertEqual(getattr(other, field), getattr(problem, field), field)

    def test_a_turn_comes_again_after_a_refusal(self) -> None:
        draw = m.RosenkoenigCommandDrawCard(type_="DrawCard")
        ada, ben = self.ada_and_ben()
        given: list[Choice] = []

        def refused() -> None:
            for choice in ada.turns():
                given.append(choice)
                if len(given) == 3:
                    return
                with self.assertRaises(Problem):
                    ada.submit(draw)

        turns = Thread(target=refused, daemon=True)
        turns.start()
        turns.join(10)
        self.assertFalse(turns.is_alive())
        self.assertEqual(given, [ada.legal()] * 3)

        async def asynchronous() -> int:
            async with AsyncMuninn(self.server.address) as muninn:
                count, seat = 0, muninn.match(ada.id, ada.token)
                async for _ in seat.turns():
                    count += 1
                    if count == 3:
                        break
                    with self.assertRaises(Problem):
                        await seat.submit(draw)
                return count

        self.assertEqual(asyncio.run(asyncio.wait_for(asynchronous(), 10)), 3)

    def test_events_that_nobody_knows_are_passed_over(self) -> None:
        ada, _ = self.ada_and_ben()
        told = next(self.muninn.match(ada.id).follow()).to_dict()
        later = {"type": "SomethingLater", "told": {"by": "a later server"}}
        closed = {"type": "MatchClosed", "by": "operator", "reason": "later"}
        commit = commit_of("rosenkoenig", told | {"events": [later, *told["events"], later, closed]})
        self.assertEqual(commit.to_dict()["events"], told["events"])
        self.assertGreater(len(told["events"]), 1)

    def test_many_handles_share_their_connections(self) -> None:
        ada, _ = self.ada_and_ben()
        before = len(os.listdir("/proc/self/fd"))
        handles = [self.muninn.match(ada.id, ada.token) for _ in range(50)]
        self.assertEqual({handle.info().viewer for handle in handles}, {0})
        self.assertEqual(self.muninn.match(ada.id).info().viewer, "spectator")
        self.assertLess(len(os.listdir("/proc/self/fd")), before + 10)

    def test_a_preview_stores_nothing_and_a_command_is_taken_back(self) -> None:
        ada, ben = self.ada_and_ben()
        before = ada.legal()
        command = before.options[0].command
        preview = ada.preview(command)
        self.assertEqual(ada.legal(), before)
        self.assertEqual(ada.submit(command).version, preview.version)
        self.assertEqual(ada.view().active_seat, 1)
        ada.take_back()
        self.assertEqual(ada.legal(), before)
        with self.assertRaises(Problem) as caught:
            ben.take_back()
        self.assertRegex(caught.exception.rule or "", "^M-8")

    def test_half_a_command_is_completed(self) -> None:
        ada, _ = self.ada_and_ben()
        legal = ada.legal()
        spot = legal.options[0].spots[0]
        ways = ada.complete(m.RosenkoenigHalfCommand(spot=spot))
        self.assertEqual(ways.completions, [option.command for option in legal.options if spot in option.spots])
        card = next(option.command for option in legal.options if isinstance(option.command, m.RosenkoenigCommandPlayCard)).card
        with self.assertRaises(Problem) as caught:
            ada.complete(m.RosenkoenigHalfCommand(type_=m.RosenkoenigHalfCommandType.PLAYCARD, card=card, hero=True))
        self.assertEqual(caught.exception.rule, "R-35")
        # Every field is sent, also one that half a command of another game does not have.
        ways = ada.complete(m.RosenkoenigHalfCommand(spot=f"card:{card}", card=card))
        self.assertEqual([way.card for way in ways.completions or [] if isinstance(way, m.RosenkoenigCommandPlayCard)], [card])
        self.assertEqual(ada.legal(), legal)

    def test_the_table_is_drawn(self) -> None:
        ada, _ = self.ada_and_ben()
        self.assertRegex(ada.board(), '(?s)^<svg.*data-viewer="0"')
        self.assertIn("Ada", ada.board("txt", at=1))
        with self.assertRaises(Problem) as caught:
            ada.board(at=9999)
        self.assertEqual(caught.exception.code, m.ProblemCode.VERSION_UNKNOWN)

    def test_an_open_seat_is_taken_once(self) -> None:
        opened = self.muninn.open(m.VoluspaOpenRequest(game="voluspa", seats=[SEATS[0], m.SeatRequest(open_=True)]))
        self.assertIsNone(opened.seats[1])
        grace = self.muninn.join(opened.match, 1, "Grace")
        self.assertEqual(grace.info().viewer, 1)
        with self.assertRaises(Problem) as caught:
            self.muninn.join(opened.match, 1)
        self.assertEqual(caught.exception.code, m.ProblemCode.SEAT_TAKEN)

    def test_a_seat_of_a_private_match_is_taken_with_a_token(self) -> None:
        seats = [SEATS[0], m.SeatRequest(open_=True), m.SeatRequest(open_=True)]
        opened = self.muninn.open(m.VoluspaOpenRequest(game="voluspa", seats=seats, visibility=m.Visibility.PRIVATE))
        ada = opened.seats[0]
        assert ada
        with self.assertRaises(Problem) as caught:
            self.muninn.join(opened.match, 1, "Grace")
        self.assertEqual(caught.exception.code, m.ProblemCode.TOKEN_REQUIRED)
        for seat, token in ((1, opened.owner_token), (2, ada.token)):
            self.assertEqual(self.muninn.join(opened.match, seat, token=token).info().viewer, seat)

    def test_labels_are_in_the_language_asked_for(self) -> None:
        german = self.enterContext(Muninn(self.server.address, language="de"))
        opened = german.open(rosenkoenig())
        assert opened.seats[0]
        english = self.muninn.match(opened.match, opened.seats[0].token)
        self.assertNotEqual(opened.seats[0].legal().options[0].label, english.legal().options[0].label)

    def test_two_seats_in_one_loop(self) -> None:
        async def table() -> None:
            async with AsyncMuninn(self.server.address) as muninn:
                opened = await muninn.open(m.VoluspaOpenRequest(game="voluspa", seats=[SEATS[0], m.SeatRequest(bot=m.Bot.GREEDY)]))
                assert opened.seats[0]
                await asyncio.wait_for(play_async(opened.seats[0]), 120)
                self.assertEqual((await opened.seats[0].info()).status, m.Status.FINISHED)
                commits = [commit async for commit in opened.seats[0].follow(3)]
                self.assertGreater(len(commits), 5)

        asyncio.run(table())


if __name__ == "__main__":
    unittest.main()
