#!/usr/bin/env python3
"""Was my match fair, and is its history the one that was played? Checks this from what the server shows to everybody.

  python3 verify_match.py MATCH                  a match by its id on http://127.0.0.1:8080, or by its full URL
  python3 verify_match.py --server URL --all     every finished match of a server; --game NAME only those of one game
  python3 verify_match.py MATCH --draws          prints each draw: "draw 3 (harbor_refill): candidate 5 of 31 = red"
  python3 verify_match.py MATCH --save FILE      saves what was checked; FILE instead of MATCH checks it again, without a server
  python3 verify_match.py MATCH --earlier FILE   checks that history and seed are those that were saved then
  python3 verify_match.py MATCH --nonce HEX      checks that the log has the nonce that you sent when you opened it or took a seat
  python3 verify_match.py MATCH --follow         checks each commit of a live match as it arrives, and all of it when it is over
  python3 verify_match.py --answer FILE          the draws of an analysis or a fresh position: {"request": ..., "answer": ...}

A finished match is checked in full: the chain of hashes, every seal, the seed against its commitment, every draw of every
commit, that none was taken back, who gets what is drawn, what is revealed, the sums of points and the final ranking, that the options
are those that were asked for, that the events of the platform stand where they may, the players' names and the hashes of tokens against
theirs, and that the public log hid only what the rules hide.
Who opened a sandbox knew its seed and could force draws: it is named, and forced draws are counted, and marked with --draws.

Of a live match a spectator can check the chain, and with a seat's token (--token, or better MUNINN_TOKEN) also that the seat is told
the same as everybody. Save the match then, and check it with --earlier when it is finished, to prove that nobody has exchanged seed
or history in the meantime.

Not covered: the match's id, which is in no commit; whether every command was legal; and most of what commands lead to: where pieces
go, which hands they leave, what points each line or tile brings, what an effect gives, and whose decision is due. `muninn verify`
and `muninn import` check that, by deciding every command again. No tool checks that a seat which the match calls a bot was played by
that bot; its choices follow from the seed alone, without nonces.

Needs only Python 3.11; if NumPy is installed, its PCG64 is compared too. Exit code 0: everything is right, 1: something was found,
2: nothing was found, but something could not be checked, which is told on standard error. One match that cannot be read does not keep
the others from being checked; with --all, damaged matches that the server does not list are some that could not be checked. Of a game
that this script does not know, only chain, seals, seed, commitments and the events of the platform can be checked (proof/games.py).
"""

import argparse
import json
import os
import sys
from pathlib import Path

from proof import chain, record, replay
from proof.canonical import NotCanonical, parse, same
from proof.chance import numpy_agrees, tell
from proof.games import GAMES
from proof.redaction import differences


def check(kept: dict, earlier: dict | None, nonces: tuple | list = ()) -> chain.Report:
    """All checks of a record; `nonces` are those that its log must have."""
    report, match = chain.Report(), kept["match"]
    is_known = match["game"] in GAMES
    if not is_known:
        report.unknown(match["game"])
    seed = chain.check_seed(match, report)
    head = chain.check_commits(match["game"], kept["commits"], kept["public"], seed, report)
    if all(map(chain.well_formed, kept["commits"])):
        chain.check_match(match, kept["commits"], kept["seats"], head, report)
        if seed is not None and is_known:
            replay.recompute(match["game"], kept["seats"], kept["commits"], seed, report)
    if earlier:
        compare(earlier, kept, report)
    if nonces:
        events = [event for entry in kept["commits"] if chain.well_formed(entry) for event in entry["events"]]
        known = [event.get("nonce") for event in events if event["type"] in ("TableOpened", "SeatTaken")]
        for nonce in nonces:
            report.expect(nonce in known, "nonces", f"no TableOpened and no SeatTaken has {nonce}")
    return report


def compare(then: dict, now: dict, report: chain.Report) -> None:
    """Is what was seen then still what is shown now?"""
    for name in ("game", "edition", "options", "seed_commitment", "created_at"):
        report.expect(same(then["match"][name], now["match"][name]), f"match.{name}", "it was another one then")
    report.expect(len(then["commits"]) <= len(now["commits"]), "record", "commits are missing that were there then")
    logs = zip(then["commits"], then["public"], now["commits"], now["public"])
    for number, (old, old_public, new, new_public) in enumerate(logs, 1):
        where = f"commit {number}"
        if not report.expect(same(old_public or old, new_public or new), where, "its public side was another one then"):
            continue
        if now["match"]["seed"] is not None:
            for line in differences(now["match"]["game"], new["events"], old["events"]):
                report.add(where, f"what the seat was told then differs from what was sealed: {line}")


def follow(server: record.Server, match: str) -> tuple[dict, chain.Report]:
    """Watches a match as a spectator, commit by commit; when it is over, checks all of it, also against what was seen."""
    opening = record.fetch(server, match)
    game, seen = opening["match"]["game"], []
    linked = chain.Chain(game, None, chain.Report())
    for entry in interruptible(record.live(server, match)):
        linked.add(entry)
        seen.append(entry)
        kinds = ", ".join(event["type"] for event in entry["events"])
        print(f"  {entry['recorded_at']} commit {entry['commit']} {entry['hash'][:16]}... {kinds}"[:140], flush=True)
        for found in linked.report.findings:
            print(f"  FOUND in {found.where}: {found.what}", flush=True)
        linked.report.findings.clear()
    kept = record.fetch(server, match)
    return kept, check(kept, opening | {"commits": seen, "public": [None] * len(seen)})


def interruptible(entries):
    """The same until Ctrl-C: then what was seen so far is checked."""
    try:
        yield from entries
    except KeyboardInterrupt:
        print("  not followed any further", flush=True)


def check_answer(path: Path) -> chain.Report:
    """The draws of an analysis or of a fresh start position."""
    report = chain.Report()
    try:
        kept = parse(path.read_bytes())
        replay.recompute_answer(kept["request"], kept["answer"], report)
    except OSError as error:
        raise record.Unusable(str(error)) from error
    except replay.BROKEN as error:
        report.add(str(path), f"it is no answer with its request: {error!r}")
    return report


def summary(name: str, kept: dict | None, report: chain.Report, draws: bool) -> str:
    """What a person reads."""
    if kept:
        match = kept["match"]
        lines = [f"{name}: {match['game']}, {kept['seats']} seats, {match['status']}, {report.commits} commits,"
                 f" {report.events} events"]
        if match["seed"] is not None:
            drawn = len({draw["commit"] for draw in report.draws})
            lines += [f"  {report.sealed} seals opened, {report.hidden} commits had a hidden side",
                      f"  {sum(not draw['forced'] for draw in report.draws)} draws in {drawn} commits recomputed from the seed"]
        else:
            lines.append(f"  the chain from the first commit to {match['head_hash'][:16]}...; the seed is not open")
        if match.get("sandbox"):
            # Of a live match no draw was recomputed.
            forced = f"{sum(draw['forced'] for draw in report.draws)} draws were forced" if match["seed"] else "draws can be forced"
            lines.append(f"  this is a sandbox: who opened it knew the seed; {forced}")
    else:
        lines = [f"{name}: {len(report.draws)} draws recomputed"]
    if draws:
        lines += [f"  commit {draw['commit']}, event {draw['version']}, {tell(draw)}" for draw in report.draws]
    lines += [f"  FOUND in {found.where}: {found.what}" for found in report.findings]
    lines += [f"  NOT CHECKED: {what}" for what in report.not_checked]
    right = "what was checked is right" if report.not_checked else "all of it is right"
    return "\n".join([*lines, f"  {right}" if not report.findings else f"  {len(report.findings)} findings"])


def structured(name: str, kept: dict | None, report: chain.Report) -> dict:
    """What a program reads."""
    match = kept["match"] if kept else {}
    return {"match": name, "game": match.get("game"), "status": match.get("status"),
            "sandbox": bool(match.get("sandbox")), "right": not report.findings and not report.not_checked,
            "commits": report.commits, "events": report.events, "seals_opened": report.sealed,
            "commits_with_hidden_side": report.hidden, "take_backs": report.taken_back, "draws": report.draws,
            "forced": sum(draw["forced"] for draw in report.draws),
            "findings": [found._asdict() for found in report.findings], "not_checked": report.not_checked}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("match", nargs="*", help="ids, addresses .../v1/matches/ID, or files that --save wrote")
    parser.add_argument("--server", default="http://127.0.0.1:8080", help="the server's address (default: %(default)s)")
    parser.add_argument("--token", default=os.environ.get("MUNINN_TOKEN"), help="of a seat; else from MUNINN_TOKEN")
    parser.add_argument("--all", action="store_true", help="every finished match of the server")
    parser.add_argument("--game", help="with --all: only matches of this game")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep what was checked")
    parser.add_argument("--earlier", type=Path, metavar="FILE", help="what was kept while the match was live")
    parser.add_argument("--nonce", action="append", default=[], metavar="HEX",
                        help="what you contributed to chance: the log must have it")
    parser.add_argument("--follow", action="store_true", help="watch a live match, and check it while it is played")
    parser.add_argument("--answer", type=Path, metavar="FILE", help="the draws of an analysis or a fresh position")
    parser.add_argument("--draws", action="store_true", help="tell every draw")
    parser.add_argument("--json", action="store_true", help="one JSON object for each match, a line each")
    args = parser.parse_args()
    if not (args.match or args.all or args.answer):
        parser.error("name a match, or --all, or --answer FILE")
    if args.follow and (args.token or args.earlier or args.all or len(args.match) != 1):
        parser.error("--follow watches one match as a spectator, without a token")
    if not all(map(chain.hexadecimal, args.nonce)):
        parser.error("a nonce has 64 hexadecimal digits, in lower case")
    if args.nonce and (args.all or args.follow or args.answer):
        parser.error("--nonce goes with matches that you name")
    if (args.save or args.earlier) and (args.all or len(args.match) != 1):
        parser.error("--save and --earlier go with one match")
    return args


def kept_records(args: argparse.Namespace):
    """What there is to check: names, with records or what makes one impossible or not to be had."""
    for name in names(args):
        if isinstance(name, Exception):
            yield "", name
            continue
        base, _, id_ = name.rpartition("/v1/matches/")
        try:
            if Path(name).is_file():
                yield name, record.load(Path(name))
            else:
                yield id_, record.fetch(record.Server(base or args.server, args.token), id_)
        except (record.Unusable, NotCanonical) as error:
            yield name, error
            if isinstance(error, record.Away):
                return


def names(args: argparse.Namespace):
    """What to check by its name, and what ends the list of the server, if that is not its end."""
    yield from args.match
    try:
        if args.all:
            yield from record.finished(record.Server(args.server, args.token), args.game)
    except (record.Unusable, NotCanonical) as error:
        yield record.Unusable(str(error))


def main() -> int:
    args, wrong, unreadable = arguments(), False, False

    def missed(error: Exception | str) -> None:
        nonlocal unreadable
        unreadable = True
        print(f"verify_match.py: {error}", file=sys.stderr, flush=True)

    def tell_of(name: str, kept: dict | None, report: chain.Report) -> None:
        nonlocal wrong
        wrong |= bool(report.findings)
        for what in report.not_checked:
            missed(f"{name}: not checked: {what}")
        print(json.dumps(structured(name, kept, report)) if args.json else summary(name, kept, report, args.draws))

    if numpy_agrees() is False:
        print("NumPy's PCG64 gives other numbers than this script", file=sys.stderr)
        wrong = True
    try:
        earlier = record.load(args.earlier) if args.earlier else None
        if args.answer:
            tell_of(str(args.answer), None, check_answer(args.answer))
        if args.follow:
            base, _, id_ = args.match[0].rpartition("/v1/matches/")
            kept, report = follow(record.Server(base or args.server, None), id_)
            if args.save:
                record.save(kept, args.save)
            tell_of(id_, kept, report)
            return 1 if wrong else 2 if unreadable else 0
        for name, kept in kept_records(args):
            if isinstance(kept, record.Unusable):
                missed(kept)
                continue
            if isinstance(kept, NotCanonical):
                report = chain.Report()
                report.add(name, str(kept))
                tell_of(name, None, report)
                continue
            if args.save:
                record.save(kept, args.save)
            tell_of(name, kept, check(kept, earlier, args.nonce))
    except (record.Unusable, NotCanonical) as error:
        missed(error)
    return 1 if wrong else 2 if unreadable else 0


if __name__ == "__main__":
    sys.exit(main())
