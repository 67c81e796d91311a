#!/usr/bin/env bash
# The cluster of deploy/cluster under kills, pauses, cuts and full disks, while 64 writers play: run.sh PROGRAM [minutes [faults...]]
# Needs root, for network namespaces and small disks of its own. Then: every 201 is there, once, in its place; the feed has no gap; `verify`
# finds nothing; whoever repeated a request with its key was answered alike. Prints what was acknowledged, lost, and how long each fault held up all.
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
account=$cluster/account
[ ! -e "$account" ] || { echo "$cluster is of an earlier run: remove it" >&2; exit 2; }
faults=("$@")
[ ${#faults[@]} -gt 0 ] || faults=(kill_primary kill_server pause_primary cut_primary kill_follower kill_etcd fill_primary cut_follower
    pause_server kill_primary_node cut_server pause_primary_node fill_follower pause_follower kill_server)

cleanup() {
    for node in $nodes; do ip netns pids "muninn-$node" 2> /dev/null | xargs -r kill -CONT 2> /dev/null || true; done
    "$deploy/down" > /dev/null 2>&1 || true
    for node in $nodes; do ip netns pids "muninn-$node" 2> /dev/null | xargs -r kill -KILL 2> /dev/null || true; done
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

# The processes of PostgreSQL on a node, the first one last.
database() {
    local first
    first=$(head -1 "$cluster/$1/postgres/postmaster.pid")
    pgrep -P "$first" || true
    echo "$first"
}
of_node() { ip netns pids "muninn-$1"; }
signal() { xargs -r kill "$1" 2> /dev/null || true; }
follower() { for node in $databases; do [ "$node" = "$(primary)" ] || { echo "$node"; return; }; done; }
cut_off() { ip -n muninn-switch link set "$1" down; }
healthy() {
    local node
    primary > /dev/null || return 1
    for node in $databases; do on client curl -sf -m 1 -o /dev/null "http://$(address "$node"):8008/health" || return 1; done
    for node in $servers; do on client curl -sf -m 2 -o /dev/null "http://$(address "$node"):8080/readyz" || return 1; done
}
# Starts whatever of a node does not run.
revive() {
    local node=$1 part
    case $node in db*) set -- etcd patroni ;; app*) set -- haproxy muninn ;; esac
    for part; do
        if ! kill -0 "$(cat "$cluster/run/$node-$part")" 2> /dev/null || grep -q '^State:.Z' "/proc/$(cat "$cluster/run/$node-$part")/status"; then
            start "$node" "$part"
        fi
    done
}
# The last megabytes byte by byte: the file system keeps some for its own tables.
fill_disk() {
    local free
    free=$(df --output=avail -B1M "$cluster/$1/postgres" | tail -1)
    fallocate -l "$((free - 64))M" "$cluster/$1/postgres/ballast"
    dd if=/dev/zero bs=1M oflag=append conv=notrunc of="$cluster/$1/postgres/ballast" 2> /dev/null || true
}

kill_primary() { database "$(primary)" | signal -KILL; }
kill_follower() { database "$(follower)" | signal -KILL; }
kill_primary_node() { local node; node=$(primary); of_node "$node" | signal -KILL; sleep 25; revive "$node"; }
kill_etcd() { local node; node=$(primary); kill -KILL "$(cat "$cluster/run/$node-etcd")"; sleep 10; revive "$node"; }
kill_server() { local node=app$((RANDOM % 2 + 1)); kill -KILL "$(cat "$cluster/run/$node-muninn")"; sleep 3; revive "$node"; }
pause_primary() { local paused; paused=$(database "$(primary)"); signal -STOP <<< "$paused"; sleep 30; signal -CONT <<< "$paused"; }
pause_follower() { local paused; paused=$(database "$(follower)"); signal -STOP <<< "$paused"; sleep 15; signal -CONT <<< "$paused"; }
pause_primary_node() { local paused; paused=$(of_node "$(primary)"); signal -STOP <<< "$paused"; sleep 35; signal -CONT <<< "$paused"; }
pause_server() { local node=app$((RANDOM % 2 + 1)) pid; pid=$(cat "$cluster/run/$node-muninn"); kill -STOP "$pid"; sleep 15; kill -CONT "$pid"; }
cut_primary() { local node; node=$(primary); cut_off "$node"; sleep 35; ip -n muninn-switch link set "$node" up; }
cut_follower() { local node; node=$(follower); cut_off "$node"; sleep 15; ip -n muninn-switch link set "$node" up; }
cut_server() { local node=app$((RANDOM % 2 + 1)); cut_off "$node"; sleep 15; ip -n muninn-switch link set "$node" up; }
fill_primary() { local node; node=$(primary); fill_disk "$node"; sleep 25; rm -f "$cluster/$node/postgres/ballast"; }
fill_follower() { local node; node=$(follower); fill_disk "$node"; sleep 15; rm -f "$cluster/$node/postgres/ballast"; }

until=$((SECONDS + minutes * 60))
on client /usr/bin/python3 "$chaos/client.py" write "$account" $((minutes * 60 + 600)) "${MUNINN_WRITERS:-64}" "http://$(address lb):8080" > "$account/writers" 2>&1 &
writers=$!
: > "$account/faults"
turn=0
while [ $SECONDS -lt $until ]; do
    sleep 10
    fault=${faults[$((turn++ % ${#faults[@]}))]}
    echo "$(date +%s.%N) $fault" >> "$account/faults"
    say "$fault, the primary is $(primary || echo nowhere), $(wc -l < "$account/acknowledged") acknowledged"
    "$fault" || say "  it could not be done"
    # Bounded: what does not heal by itself is a finding, and the run ends with it.
    soon 240 healthy || { say "NOT HEALED after $fault"; break; }
done
sleep 5
touch "$account/stop"
wait $writers || true
cat "$account/writers"
say "checking"
ok=0
on client /usr/bin/python3 "$chaos/client.py" check "$account" $(for node in $servers; do echo "http://$(address "$node"):8080"; done) || ok=1
on app1 env PGPASSFILE="$cluster/passwords" "$program" verify --store "postgres://muninn@$(address app1):5432/muninn" || ok=1
say "$turn faults in $((SECONDS / 60)) minutes"
exit $ok
