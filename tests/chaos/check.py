"""Holds the account of client.py against what the servers tell. Needs only Python 3.10.

check.py FOLDER REPEATED URL...        reads the whole feed from each server, and sends REPEATED of the acknowledged requests once more with their
                                       keys; prints a report, exits with 1 if anything is wrong
"""

import collections
import itertools
import json
import os
import pathlib
import sys
import threading

import pauses
from client import Caller, digest, headers_of

Line = collections.namedtuple("Line", "at match commit version answer path body key token")


def main(folder, repeated, *urls):
    folder = pathlib.Path(folder)
    acknowledged = [Line(*json.loads(line)) for line in (folder / "acknowledged").open()]
    wrong = []
    feeds = [feed(url, acknowledged, wrong) for url in urls]
    wrong += [f"{url}: another feed than {urls[0]}" for url, of_this in zip(urls, feeds) if of_this != feeds[0]]
    twice = [name for name, times in collections.Counter((line.match, line.commit) for line in acknowledged).items() if times > 1]
    wrong += [f"acknowledged twice: {name}" for name in twice]
    again = repeat(acknowledged, int(repeated), urls, wrong)
    written = json.loads((folder / "written").read_text())
    wrong += written["wrong"]
    print(f"acknowledged {len(acknowledged)}, sent again with the same key {written['repeated']} at once and {again} in the end, wrong {len(wrong)}")
    slow = pauses.report(folder, sorted(line.at for line in acknowledged))
    is_bounded = os.environ.get("MUNINN_PAUSES") != "told"
    for line in wrong[:30]:
        print("  " + line)
    sys.exit(1 if wrong or (slow and is_bounded) else 0)


def feed(url, acknowledged, wrong):
    """Reads it all; the digests of its pages, which are the same at every server."""
    caller, after, places, versions, last, pages = Caller(url), "0", {}, {}, 0, []
    while True:
        status, _, text, _ = caller.ask("GET", f"/v1/events?after={after}&limit=1000")
        page = json.loads(text)
        assert status == 200, text
        pages.append(digest(json.dumps(page["items"]).encode()))
        for item in page["items"]:
            position, name = item["position"], (item["match"], item["commit"])
            if position not in (last, last + 1):
                wrong.append(f"{url}: position {position} after {last}")
            last = position
            if places.setdefault(name, position) != position:
                wrong.append(f"{url}: {name} is at {places[name]} and {position}")
            versions[name] = item["version"]
        if not page["items"] or not page.get("next"):
            break
        after = page["next"]
    missing = [line for line in acknowledged if (line.match, line.commit) not in places]
    moved = [line for line in acknowledged if line.version and versions.get((line.match, line.commit), line.version) != line.version]
    # Of each match: 1, 2, 3 in the order of the feed.
    seen = {}
    for match, number in sorted(places, key=places.get):
        if number != seen.get(match, 0) + 1:
            wrong.append(f"{url}: commit {number} of {match} after {seen.get(match, 0)}")
        seen[match] = number
    wrong += [f"{url}: LOST {line}" for line in missing] + [f"{url}: another version than {line}" for line in moved]
    print(f"{url}: feed to {last}, {len(places)} commits, {len(acknowledged)} acknowledged, {len(missing)} lost, {len(moved)} moved")
    return pages


def repeat(acknowledged, count, urls, wrong):
    """Sends as many of the requests again, spread over the run: the same 201, byte for byte, at any server, and whatever came after it."""
    chosen = acknowledged[:: max(1, len(acknowledged) // count)] if count else []
    waiting, threads = iter(enumerate(chosen)), 8
    lock = threading.Lock()

    def work():
        callers = [Caller(url) for url in urls]
        while True:
            with lock:
                nth, line = next(waiting, (0, None))
            if line is None:
                return
            try:
                status, _, text, _ = callers[nth % len(callers)].ask("POST", line.path, line.body, headers_of(line.key, line.token))
            except TimeoutError as error:
                status, text = 0, repr(error).encode()
            if (status, digest(text)) != (201, line.answer):
                wrong.append(f"{line.path} {line.key} was answered with {line.answer}, then with {status} {text[:300]}")

    working = [threading.Thread(target=work) for _ in itertools.repeat(None, threads)]
    for thread in working:
        thread.start()
    for thread in working:
        thread.join()
    return len(chosen)


if __name__ == "__main__":
    main(*sys.argv[1:])
