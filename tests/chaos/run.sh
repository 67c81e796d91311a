#!/usr/bin/env bash
# The cluster of deploy/cluster under kills, pauses, cuts and full disks, while 64 writers play: run.sh PROGRAM [minutes [faults...]]
# Needs root, for network namespaces and small disks of its own. Then: every 201 is there, once, in its place; the feed has no gap, and is the same
# at both servers; `verify` finds nothing; whoever repeats a request with its key is answered alike, at once and in the end. Prints what was
# acknowledged, lost, and how long each kind of fault held up all (pauses.py has the bounds). Fails where anything of that is wrong, where a fault
# could not be done, and where one did not heal.
#
# MUNINN_WRITERS        64
# MUNINN_GOAL           go on beyond the minutes until so many are acknowledged, for at most twice the time
# MUNINN_PAUSES         `told`: how long faults held up all is told, and fails nothing; for a machine that does other work too
# MUNINN_REPEATED       20000; so many of the acknowledged requests are sent again in the end
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")"
chaos=$PWD deploy=$(realpath ../../deploy/cluster)
minutes=${2:-30}
shift $(($# < 2 ? $# : 2))
export MUNINN_CLUSTER=${MUNINN_CLUSTER:-/var/tmp/muninn-chaos} MUNINN_NETWORK=namespaces MUNINN_PROGRAM=$program
# All writers come from one address.
export MUNINN_RATE_LIMIT_ADDRESS=0 MUNINN_RATE_LIMIT_TOKEN=0 MUNINN_CONNECTIONS_PER_ADDRESS=0 MUNINN_MATCHES_PER_ADDRESS=0
. "$deploy/nodes.sh"
. "$chaos/faults.sh"
account=$cluster/account
[ ! -e "$account" ] || { echo "$cluster is of an earlier run: remove it" >&2; exit 2; }
faults=("$@")
[ ${#faults[@]} -gt 0 ] || read -ra faults -d '' <<< "$all_faults" || true
for fault in "${faults[@]}"; do declare -F "$fault" > /dev/null || { echo "there is no fault $fault" >&2; exit 2; }; done

writers=
cleanup() {
    [ -z "$writers" ] || pkill -KILL -P "$writers" || true
    for node in $nodes; do ip netns pids "muninn-$node" 2> /dev/null | xargs -r kill -CONT 2> /dev/null || true; done
    "$deploy/down" > /dev/null 2>&1 || true
    for node in $nodes client; do ip netns pids "muninn-$node" 2> /dev/null | xargs -r kill -KILL 2> /dev/null || true; done
    for node in $databases; do umount "$cluster/$node/postgres" 2> /dev/null || true; done
    for node in $nodes client switch; do ip netns delete "muninn-$node" 2> /dev/null || true; done
}
trap cleanup EXIT
say() { printf '%s %s\n' "$(date -u +%T)" "$*"; }

# Each PostgreSQL on a disk of its own, which can be filled.
mkdir -p "$account"
for node in $databases; do
    mkdir -p "$cluster/$node/postgres"
    truncate -s 6G "$cluster/$node/disk"
    mkfs.ext4 -q -m 0 "$cluster/$node/disk"
    mount -o loop "$cluster/$node/disk" "$cluster/$node/postgres"
    rmdir "$cluster/$node/postgres/lost+found"
    chmod 700 "$cluster/$node/postgres"
done
chown "$user:$user" "$account"
"$deploy/up" "$program"

# One leads, and either of the others counts for the quorum: a fault is to strike a whole cluster.
healthy() {
    local node standbys=0
    primary > /dev/null || return 1
    for node in $databases; do ! on client curl -sf -m 2 -o /dev/null "http://$(address "$node"):8008/quorum" || standbys=$((standbys + 1)); done
    [ $standbys = 2 ] || return 1
    for node in $servers; do on client curl -sf -m 2 -o /dev/null "http://$(address "$node"):8080/readyz" || return 1; done
}
acknowledged() { wc -l < "$account/acknowledged"; }
going_on() {
    [ $SECONDS -lt $((began + minutes * 60)) ] && return
    [ $SECONDS -lt $((began + minutes * 120)) ] && [ "$(acknowledged)" -lt "${MUNINN_GOAL:-0}" ]
}

began=$SECONDS
on client /usr/bin/python3 "$chaos/client.py" "$account" $((minutes * 120 + 600)) "${MUNINN_WRITERS:-64}" "http://$(address lb):8080" > "$account/writers" 2>&1 &
writers=$!
: > "$account/faults"
turn=0 failed=0
while going_on; do
    sleep 10
    fault=${faults[$((turn++ % ${#faults[@]}))]}
    echo "$(date +%s.%N) $fault" >> "$account/faults"
    say "$fault, the primary is $(primary || echo nowhere), $(acknowledged) acknowledged"
    "$fault" || { say "  IT COULD NOT BE DONE"; failed=1; }
    # Bounded: what does not heal by itself is a finding, and the run ends with it.
    soon 300 healthy || { say "NOT HEALED after $fault"; failed=1; break; }
done
sleep 5
touch "$account/stop"
wait $writers || { say "the writers ended with an error"; failed=1; }
say "$turn faults in $(((SECONDS - began) / 60)) minutes"
cat "$account/writers"
say "checking"
# shellcheck disable=SC2046
on client /usr/bin/python3 "$chaos/check.py" "$account" "${MUNINN_REPEATED:-20000}" $(for node in $servers; do echo "http://$(address "$node"):8080"; done) || failed=1
on app1 env PGPASSFILE="$cluster/passwords" "$program" verify --store "postgres://muninn@$(address app1):5432/muninn" || failed=1
[ $failed = 0 ] && say "passed" || say "FAILED"
exit $failed
