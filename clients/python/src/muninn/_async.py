"""The asynchronous client. `generate.sh` makes the synchronous one of this file: nothing here may need more than leaving out `await`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType
from typing import Any, Literal, TypeVar, cast
from uuid import UUID, uuid4

import httpx

from .choice import Choice
from .games import CommitEntry, HalfCommand, MatchInfo, OpenRequest, View
from .kinds import Accepted, Command, commit_of
from .picture import Picture
from .problem import Problem, Unreachable, problem_of
from .rest import AuthenticatedClient, models as m
from .rest.api.matches import get_match, open_match, take_seat
from .rest.api.play import get_view, list_legal_commands, submit_command, take_back
from .rest.types import UNSET, Response

T = TypeVar("T")
ATTEMPTS = 5
LONGEST_WAIT = 10.0
SILENCE = 50.0  # The server sends a comment every 15 seconds, or as its operator has set it: at most 40.


async def _of_the_server(response: httpx.Response) -> None:
    """A page of a proxy is no answer of the server; what is wrong with the request may be told by one. A later server may know more problems, and more events in what a conflict tells."""
    status = response.status_code
    if status < 400:
        return
    if "problem+json" in response.headers.get("content-type", ""):
        await response.aread()
        if sent := problem_of(response):
            kind: type[m.Problem] | type[m.VersionConflict] = m.VersionConflict if status == 409 else m.Problem
            try:
                kind.from_dict(response.json())
            except (ValueError, KeyError, TypeError, AttributeError):
                raise Problem(sent, _seconds(response.headers.get("retry-after"))) from None
            return
    told = f"status {status} {response.reason_phrase}"
    # Of a 408 nothing was read.
    if status >= 500 or status == 408:
        raise httpx.RemoteProtocolError(told, request=response.request)
    code = m.ProblemCode.RATE_LIMITED if status == 429 else m.ProblemCode.INTERNAL
    problem = m.Problem(type_="about:blank", title=response.reason_phrase, status=status, code=code, detail=told, request_id="")
    raise Problem(problem, _seconds(response.headers.get("retry-after")))


def _request(command: Command | HalfCommand) -> m.CommandRequest:
    """A request of a command as it is: one that is read again from its JSON may become that of another game."""
    return m.CommandRequest(command=cast(Any, command))


def _seconds(header: str | None) -> float | None:
    """What the server says so: a number. A date is what a proxy may say."""
    return float(header) if header and header.isdecimal() else None


def _known(parsed: T | m.Problem | m.VersionConflict | None, wait: float | None) -> T:
    if isinstance(parsed, (m.Problem, m.VersionConflict)):
        raise Problem(parsed, wait)
    if parsed is None:
        raise Unreachable("the response is none that the document knows")
    return parsed


async def _ask(call: Callable[[], Awaitable[Response[T]]], safe: bool) -> tuple[T | None, float | None]:
    """Asks, and again after a short wait where the server says so; where it is `safe` also if nobody knows the outcome."""
    for attempt in range(1, ATTEMPTS + 1):
        wait = attempt / 4
        try:
            response = await call()
        except Problem as problem:
            wait = problem.retry_after or wait
            again = problem.status == 429 or (safe and problem.status in (408, 503))
            if not again or attempt == ATTEMPTS or wait > LONGEST_WAIT:
                raise
        except httpx.TransportError as error:
            if not safe or attempt == ATTEMPTS:
                raise Unreachable(str(error)) from error
        else:
            limited = isinstance(response.parsed, m.Problem) and response.parsed.code == m.ProblemCode.RATE_LIMITED
            again = limited or (safe and response.status_code in (408, 503))
            told = _seconds(response.headers.get("retry-after"))
            wait = told or wait
            if not again or attempt == ATTEMPTS or wait > LONGEST_WAIT:
                return response.parsed, told
        await asyncio.sleep(wait)
    raise AssertionError("the last attempt returns or raises")


@dataclass(frozen=True)
class AsyncOpened:
    """A match that was opened."""

    match: UUID
    owner_token: str
    """May close the match. It is told only this once, like the tokens of `seats`."""
    seats: list[AsyncMatch | None]
    """None for open seats and those of bots."""


class _As:
    """The connections of all, with headers of one's own: the token of a seat."""

    def __init__(self, client: httpx.AsyncClient, token: str) -> None:
        self._client = client
        self.headers = httpx.Headers({"authorization": f"Bearer {token}"})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    async def request(self, *args: Any, **kwargs: Any) -> httpx.Response:
        kwargs["headers"] = {**self.headers, **(kwargs.get("headers") or {})}
        return await self._client.request(*args, **kwargs)

    def stream(self, *args: Any, **kwargs: Any) -> AbstractAsyncContextManager[httpx.Response]:
        return self._client.stream(*args, headers=self.headers, **kwargs)


class AsyncMuninn:
    """A server."""

    def __init__(self, server: str, *, language: str | None = None, timeout: float = 30.0) -> None:
        self._server = server.rstrip("/")
        headers = {"accept-language": language} if language else {}
        hooks = {"response": [_of_the_server]}
        # Each stream holds a connection.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)
        self._client = httpx.AsyncClient(base_url=self._server, headers=headers, timeout=httpx.Timeout(timeout), limits=limits, event_hooks=hooks)
        self.rest = self._rest("")
        """For all operations of `muninn.rest.api`."""

    async def __aenter__(self) -> AsyncMuninn:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._client.aclose()

    def _rest(self, token: str) -> AuthenticatedClient:
        client = _As(self._client, token) if token else self._client
        return AuthenticatedClient(self._server, token).set_async_httpx_client(cast(httpx.AsyncClient, client))

    async def open(self, request: OpenRequest, *, key: str | None = None) -> AsyncOpened:
        """Opens a match, exactly once for a `key` of at least 20 characters; by default each call has a new one.

        Raises `Problem`, for instance `invalid_options` or `quota_reached`, or `Unreachable`, with the `key`: with it, ask again.
        """
        used = str(uuid4()) if key is None else key
        try:
            opened = _known(*await _ask(lambda: open_match.asyncio_detailed(client=self.rest, body=request, idempotency_key=used), True))
        except (Problem, Unreachable) as failure:
            failure.key = used
            raise
        seats = [self.match(opened.match, token) if token else None for token in opened.seat_tokens]
        return AsyncOpened(opened.match, opened.owner_token, seats)

    async def join(self, match: UUID, seat: int, name: str | None = None, *, token: str = "") -> AsyncMatch:
        """Takes an open seat; in a private match with a `token` of it, that of its owner or of another seat.

        Raises `Problem`, `seat_taken` where somebody was faster, or `Unreachable`.
        """
        body, rest = m.JoinRequest(name=name), self._rest(token)
        taken = _known(*await _ask(lambda: take_seat.asyncio_detailed(match, seat, client=rest, body=body), False))
        return self.match(match, taken.seat_token)

    def match(self, id: UUID, token: str = "") -> AsyncMatch:
        """A match as the seat of a token, or without one as a spectator."""
        return AsyncMatch(id, token, self._rest(token))


class AsyncMatch:
    """A match as its viewer sees it. Every method raises `Problem` where the server refuses, and `Unreachable` where it does not answer."""

    def __init__(self, id: UUID, token: str, rest: AuthenticatedClient) -> None:
        self.id = id
        self.token = token
        self.rest = rest
        """For all operations of `muninn.rest.api`."""
        self._refused = 0

    async def info(self) -> MatchInfo:
        """Seats, status, version and, when it is over, the standing."""
        info: MatchInfo = _known(*await _ask(lambda: get_match.asyncio_detailed(self.id, client=self.rest), True))
        return info

    async def view(self, at: int | None = None) -> View:
        """What the viewer sees, at a version or now. Raises `version_unknown` beyond the latest one."""
        asked = UNSET if at is None else at
        view: View = _known(*await _ask(lambda: get_view.asyncio_detailed(self.id, client=self.rest, at=asked), True))
        return view

    async def board(self, form: Literal["svg", "txt"] = "svg", at: int | None = None) -> Picture:
        """The picture of the table, which a notebook shows, or its text for a terminal, at a version or now. Raises as `view` does."""
        client = self.rest.get_async_httpx_client()
        query = {} if at is None else {"at": at}

        async def call() -> Response[Picture | m.Problem]:
            answer = await client.request("GET", f"/v1/matches/{self.id}/board.{form}", params=query)
            parsed = Picture(answer.text) if answer.is_success else m.Problem.from_dict(answer.json())
            return Response(HTTPStatus(answer.status_code), answer.content, answer.headers, parsed)

        return _known(*await _ask(call, True))

    async def legal(self, at: int | None = None) -> Choice:
        """The legal commands, with their spots and labels; none while it is somebody else's turn."""
        asked = UNSET if at is None else at
        include = "spots,labels"
        return Choice.of(_known(*await _ask(lambda: list_legal_commands.asyncio_detailed(self.id, client=self.rest, at=asked, include=include), True)))

    async def submit(self, command: Command, expected_version: int | None = None, *, key: str | None = None) -> Accepted:
        """Carries out a command, exactly once whatever happens to the connection, and once for a `key`; by default each call has a new one.

        Raises `Problem`: `illegal_command` with its `rule`, `not_active_seat`, or `version_conflict` where the match is at another version.
        It and `Unreachable` have the `key`: with it, ask again where the outcome is not known.
        """
        used = str(uuid4()) if key is None else key
        body = _request(command)
        if expected_version is not None:
            body.expected_version = expected_version
        try:
            done = _known(*await _ask(lambda: submit_command.asyncio_detailed(self.id, client=self.rest, body=body, idempotency_key=used), True))
        except (Problem, Unreachable) as failure:
            failure.key = used
            self._refused += 1
            raise
        assert isinstance(done, m.Accepted)
        return done

    async def preview(self, command: Command) -> m.DryRun:
        """What a command would do, up to the first event that is drawn by chance or reveals something hidden. Nothing is stored. Raises as `submit` does."""
        return await self._dry_run(command)

    async def _dry_run(self, command: Command | HalfCommand) -> m.DryRun:
        body = _request(command)
        done = _known(*await _ask(lambda: submit_command.asyncio_detailed(self.id, client=self.rest, body=body, dry_run=True), True))
        assert isinstance(done, m.DryRun)
        return done

    async def complete(self, half: HalfCommand) -> m.DryRun:
        """What would complete half a command, such as `RosenkoenigHalfCommand(spot=...)`: `completions`, and in `refused` the rules against other ways.

        Raises `Problem` with the rule against most of them where no way is legal.
        """
        return await self._dry_run(half)

    async def take_back(self) -> Accepted:
        """Takes back one's own latest command. Raises `illegal_command` with a rule from M-80 to M-84 where that is not possible."""
        return _known(*await _ask(lambda: take_back.asyncio_detailed(self.id, client=self.rest), False))

    async def follow(self, after: int = 0) -> AsyncGenerator[CommitEntry, None]:
        """Every commit after a version, for as long as the match is played.

        Connects again when the connection breaks, and goes on behind the last commit that arrived: none is missed, none comes twice.
        Raises `Problem` where waiting does not help.
        """
        game = (await self.info()).game
        wait = 0.25
        while True:
            try:
                timeout = httpx.Timeout(10.0, read=SILENCE)
                client = self.rest.get_async_httpx_client()
                async with client.stream("GET", f"/v1/matches/{self.id}/stream", params={"after": after}, timeout=timeout) as response:
                    if response.status_code == 204:
                        return
                    if 400 <= response.status_code < 500 and response.status_code != 429:
                        raise Problem(m.Problem.from_dict(json.loads(await response.aread())))
                    if response.status_code == 200:
                        wait = 0.25
                        data, named = "", False
                        async for line in response.aiter_lines():
                            # A commit is one line of data, in a message without a name; an empty line ends a message.
                            if line.startswith("data:"):
                                data = line[5:]
                            named = named or line.startswith("event:")
                            if line:
                                continue
                            if data and not named:
                                commit = commit_of(game, json.loads(data))
                                after = commit.last_version
                                yield commit
                            data, named = "", False
                    else:
                        wait = max(wait, _seconds(response.headers.get("retry-after")) or 0)
            except httpx.TransportError:
                pass
            except Problem as problem:
                if problem.status < 500 and problem.status != 429:
                    raise
                wait = max(wait, problem.retry_after or 0)
            await asyncio.sleep(wait)
            wait = min(wait * 2, 8.0)

    async def turns(self) -> AsyncGenerator[Choice, None]:
        """One's own turns: the legal commands at each decision, again after a refusal, until the match is over. Raises as `follow` does."""
        seen, refused = 0, 0
        while True:
            info = await self.info()
            if info.status in (m.Status.FINISHED, m.Status.ABANDONED):
                return
            mine = info.status == m.Status.RUNNING and info.active_seat == info.viewer
            if mine and (info.version > seen or self._refused > refused):
                seen, refused = info.version, self._refused
                yield await self.legal(info.version)
            else:
                await self._later(info.version)

    async def _later(self, version: int) -> None:
        """Waits until the match is beyond a version, or over."""
        async with aclosing(self.follow(version)) as commits:
            async for _ in commits:
                return
