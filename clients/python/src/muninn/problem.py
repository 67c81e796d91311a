"""What may go wrong."""

from typing import Any, TypeVar

import httpx

from .rest import models as m

T = TypeVar("T")


class Problem(Exception):
    """The server refused a request (RFC 9457). Programs branch on `code` and `rule`; the text is for people."""

    def __init__(self, body: m.Problem | m.VersionConflict, retry_after: float | None = None) -> None:
        super().__init__(body.detail)
        self.body = body
        self.retry_after = retry_after
        self.key: str | None = None
        """The idempotency key of the request, if it had one: with it, the same request is carried out once."""

    def __reduce__(self) -> tuple[Any, ...]:
        # As between processes. What a body does not have is one object, which would be another one there.
        return _of, (type(self), type(self.body), self.body.to_dict(), self.retry_after), {"key": self.key}

    @property
    def code(self) -> m.ProblemCode:
        """The kind of problem; `INTERNAL` for one that only a later server knows, which `body.type_` names."""
        return self.body.code

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.body.status

    @property
    def rule(self) -> str | None:
        """The number of the rule that was broken, such as `R-45`, where there is one."""
        return self.body.rule if isinstance(self.body.rule, str) else None

    @property
    def rule_text(self) -> str | None:
        """The text of that rule."""
        return self.body.rule_text if isinstance(self.body.rule_text, str) else None


def problem_of(response: httpx.Response) -> m.Problem | None:
    """The problem that a response tells, which was read; None for a page of a proxy, also one that has the type of a problem and not its fields."""
    if "problem+json" not in response.headers.get("content-type", ""):
        return None
    try:
        told: dict[str, Any] = response.json()
        if not isinstance(told["code"], str):
            return None
        return m.Problem.from_dict(told if told["code"] in list(m.ProblemCode) else told | {"code": "internal"})
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _of(kind: type[Problem], body: type[m.Problem] | type[m.VersionConflict], told: dict[str, Any], retry_after: float | None) -> Problem:
    return kind(body.from_dict(told), retry_after)


class Unreachable(Exception):
    """There was no answer of the server, or it broke off. Whether a command was carried out is not known."""

    key: str | None = None
    """The idempotency key of the request, if it had one: with it, the same request is carried out once."""
