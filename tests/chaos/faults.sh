# The faults; read by run.sh's bash with `.`, not run. Each is a function that does it, waits, and undoes it, and fails where it could not be done.

# The processes of PostgreSQL on a node, the first one last.
database() {
    local first
    first=$(head -1 "$cluster/$1/postgres/postmaster.pid") || return
    pgrep -P "$first" || true
    echo "$first"
}
of_node() { ip netns pids "muninn-$1"; }
of_part() { cat "$cluster/run/$1-$2"; }
# signal SIGNAL NUMBERS: some of many may have ended meanwhile, not all.
signal() {
    local which=$1 number sent=1
    for number in $2; do ! kill "$which" "$number" 2> /dev/null || sent=0; done
    return $sent
}
paused() { signal -STOP "$2" && sleep "$1" && signal -CONT "$2"; }
follower() {
    local node leader
    leader=$(primary) || return
    for node in $(shuf -e $databases); do [ "$node" = "$leader" ] || { echo "$node"; return; }; done
}
a_database() { shuf -n 1 -e $databases; }
a_server() { shuf -n 1 -e $servers; }
cut_off() { ip -n muninn-switch link set "$1" down && sleep "$2" && ip -n muninn-switch link set "$1" up; }
# Starts whatever of a node does not run.
revive() {
    local node=$1 part
    case $node in db*) set -- etcd patroni ;; app*) set -- haproxy muninn ;; esac
    for part; do
        if ! kill -0 "$(of_part "$node" "$part")" 2> /dev/null || grep -q '^State:.Z' "/proc/$(of_part "$node" "$part")/status"; then
            start "$node" "$part"
        fi
    done
}
# The last megabytes byte by byte: the file system keeps some for its own tables.
fill_disk() {
    local free ballast=$cluster/$1/postgres/ballast
    free=$(df --output=avail -B1M "$cluster/$1/postgres" | tail -1) || return
    fallocate -l "$((free - 64))M" "$ballast" || return
    dd if=/dev/zero bs=1M oflag=append conv=notrunc of="$ballast" 2> /dev/null || true
    sleep "$2"
    rm -f "$ballast"
}
# What etcd says on its ports does not leave the node, nor what is said to the etcds of others.
etcd_ports() {
    local port side
    for port in 2379 2380; do
        for side in sport dport; do ip -n "muninn-$1" rule "$2" ipproto tcp "$side" "$port" blackhole || return; done
    done
}

kill_primary() { local node; node=$(primary) && signal -KILL "$(database "$node")"; }
kill_follower() { local node; node=$(follower) && signal -KILL "$(database "$node")"; }
kill_primary_node() { local node; node=$(primary) && signal -KILL "$(of_node "$node")" && sleep 25 && revive "$node"; }
kill_server() { local node; node=$(a_server); signal -KILL "$(of_part "$node" muninn)" && sleep 3 && revive "$node"; }
pause_primary() { local node; node=$(primary) && paused 30 "$(database "$node")"; }
pause_follower() { local node; node=$(follower) && paused 15 "$(database "$node")"; }
pause_primary_node() { local node; node=$(primary) && paused 35 "$(of_node "$node")"; }
pause_server() { paused 15 "$(of_part "$(a_server)" muninn)"; }
cut_primary() { local node; node=$(primary) && cut_off "$node" 35; }
cut_follower() { local node; node=$(follower) && cut_off "$node" 15; }
cut_server() { cut_off "$(a_server)" 15; }
fill_primary() { local node; node=$(primary) && fill_disk "$node" 25; }
fill_follower() { local node; node=$(follower) && fill_disk "$node" 15; }
# Of etcd: any one, the primary's own, or two of three, which end the lease of whoever is primary.
kill_etcd() { local node; node=$(a_database); signal -KILL "$(of_part "$node" etcd)" && sleep 10 && revive "$node"; }
pause_etcd() { paused 20 "$(of_part "$(a_database)" etcd)"; }
cut_etcd() { local node; node=$(primary) && etcd_ports "$node" add && sleep 30 && etcd_ports "$node" delete; }
kill_etcds() { signal -KILL "$(of_part db1 etcd) $(of_part db2 etcd)" && sleep 15 && revive db1 && revive db2; }

# What an operator does: one server after the other, as for an upgrade; and the primary moved, as before work on its machine.
replace_servers() {
    local node
    for node in $servers; do
        stop "$node" muninn && start "$node" muninn || return
        soon 60 on client curl -sf -m 2 -o /dev/null "http://$(address "$node"):8080/readyz" || return
        sleep 3
    done
}
switch_over() {
    local node
    node=$(primary) && on "$node" "$cluster/patroni/bin/patronictl" -c "$cluster/$node/patroni.yml" switchover muninn --leader "$node" --candidate "$(follower)" --force
}

all_faults="kill_primary kill_server pause_primary cut_primary kill_follower kill_etcd fill_primary cut_follower pause_server cut_etcd kill_primary_node
    cut_server pause_primary_node pause_etcd fill_follower pause_follower kill_primary kill_server kill_etcds replace_servers switch_over"
