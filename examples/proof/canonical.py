"""JSON as it is hashed: read strictly, written canonically (RFC 8785)."""

import json

MOST = 2**53 - 1  # beyond, a JSON number is not exact in every language


class NotCanonical(ValueError):
    """The text is not JSON with a single canonical form."""


def _object(pairs: list) -> dict:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        raise NotCanonical(f"a field is given twice: {next(name for name in names if names.count(name) > 1)!r}")
    return value


def _integer(text: str) -> int:
    value = int(text)
    if abs(value) > MOST or text == "-0":
        raise NotCanonical(f"{text} is no integer that every language reads alike")
    return value


def _no(text: str) -> None:
    raise NotCanonical(f"{text} is no integer")


def parse(text: str | bytes):
    """Reads JSON: integers only, no field twice. Raises ValueError."""
    return json.loads(text, object_pairs_hook=_object, parse_int=_integer, parse_float=_no, parse_constant=_no)


def _sorted(value):
    if isinstance(value, dict):
        # RFC 8785 sorts names by UTF-16 code units, Python by code points: they differ beyond U+FFFF.
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return {name: _sorted(value[name]) for name in names}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value


def canonical(value) -> bytes:
    """The canonical JSON of a value that `parse` returned. Raises ValueError for half a surrogate pair.

    Python's own writer escapes as RFC 8785 wants it: the quote, the backslash, \\b \\t \\n \\f \\r, other control characters as
    \\u00xx in lower case, and nothing else.
    """
    return json.dumps(_sorted(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def same(one, other) -> bool:
    """Equal as JSON: unlike Python's ==, it tells true from 1."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other
