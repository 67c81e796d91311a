"""How long nobody was acknowledged anything, fault by fault, and whether that is too long."""

import statistics
from bisect import bisect_left

# Seconds, by what happens. A process that dies is replaced at once; a machine that vanishes or hangs, when its lease of `ttl` is over; a full disk
# is no fail-over and lasts as long as the fault, here 25 s.
PROCESS, MACHINE, DISK = 15, 30, 40
BOUND = {
    "pause_primary": MACHINE,
    "cut_primary": MACHINE,
    "kill_primary_node": MACHINE,
    "pause_primary_node": MACHINE,
    "cut_etcd": MACHINE,
    "kill_etcds": DISK,
    "fill_primary": DISK,
}


def report(folder, times):
    """Prints a table; the kinds of fault that took too long."""
    faults = [line.split(" ", 1) for line in (folder / "faults").read_text().splitlines()]
    starts = [float(at) for at, _ in faults] + [float("inf")]
    each = {}
    for nth, (_, what) in enumerate(faults):
        first, after = bisect_left(times, starts[nth]), bisect_left(times, starts[nth + 1])
        points = times[max(0, first - 1) : after]
        each.setdefault(what, []).append(max((b - a for a, b in zip(points, points[1:])), default=float("inf")))
    print(f"  {'nothing acknowledged, seconds':30} {'n':>3} {'median':>7} {'max':>7} {'bound':>6}")
    slow = []
    for what, pauses in sorted(each.items()):
        bound = BOUND.get(what, PROCESS)
        if max(pauses) > bound:
            slow.append(what)
        print(f"  {what:30} {len(pauses):3} {statistics.median(pauses):7.1f} {max(pauses):7.1f} {bound:6}{'  TOO LONG' if what in slow else ''}")
    return slow
