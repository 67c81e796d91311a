# What up, down and the chaos share; read by their bash with `.`, not run. Six nodes: db1 to db3 (etcd, Patroni, PostgreSQL), app1 and app2
# (HAProxy before the database, Muninn), lb (HAProxy before the Muninns).
#
# MUNINN_CLUSTER   the folder of everything: data, logs, settings with passwords
# MUNINN_PROGRAM   the program, built with the feature `postgres`
# MUNINN_NETWORK   "loopback": each node is an address 127.0.7.x. "namespaces": each has a network namespace, which only root can make

cluster=$(realpath -m "${MUNINN_CLUSTER:-/var/tmp/muninn-cluster}")
network=${MUNINN_NETWORK:-$(cat "$cluster/network" 2> /dev/null || echo loopback)}
case $network in
    loopback) net=127.0.7 clients=127.0.0.0/8 ;;
    namespaces) net=10.77.7 clients=10.77.7.0/24 ;;
    *) echo "MUNINN_NETWORK is loopback or namespaces" >&2; exit 2 ;;
esac
postgres=/usr/lib/postgresql/15/bin
databases="db1 db2 db3"
servers="app1 app2"
nodes="$databases $servers lb"
# PostgreSQL does not run as root, nor need the others.
user=65534
[ "$(id -u)" = 0 ] || user=$(id -u)

address() {
    case $1 in
        db*) echo "$net.1${1#db}" ;;
        app*) echo "$net.2${1#app}" ;;
        lb) echo "$net.31" ;;
        client) echo "$net.41" ;;
    esac
}

# Makes `command` what runs a command as a process of a node: as its user, in its namespace.
wrap() {
    local node=$1; shift
    command=("$@")
    if [ "$(id -u)" = 0 ]; then command=(setpriv --reuid "$user" --regid "$user" --clear-groups "${command[@]}"); fi
    if [ "$network" = namespaces ]; then command=(ip netns exec "muninn-$node" "${command[@]}"); fi
    # Not in the folder of whoever starts it, which may go.
    command=(env -C "$cluster" HOME="$cluster" "${command[@]}")
}
on() {
    local command
    wrap "$@"
    "${command[@]}"
}

# Starts a part of a node; its output goes to logs/NODE-PART.log.
start() {
    local node=$1 part=$2 here command
    here=$(address "$node")
    case $part in
        etcd)
            set -- etcd --name "$node" --data-dir "$cluster/$node/etcd" --listen-peer-urls "http://$here:2380" \
                --initial-advertise-peer-urls "http://$here:2380" --listen-client-urls "http://$here:2379" \
                --advertise-client-urls "http://$here:2379" --initial-cluster-token muninn --initial-cluster "$(members '%s=http://%s:2380')" \
                --heartbeat-interval 100 --election-timeout 1000 --auto-compaction-retention 1 --logger zap --log-level warn
            ;;
        patroni) set -- "$cluster/patroni/bin/patroni" "$cluster/$node/patroni.yml" ;;
        haproxy) set -- haproxy -db -f "$cluster/$node/haproxy.cfg" ;;
        muninn)
            set -- env PGPASSFILE="$cluster/passwords" "$MUNINN_PROGRAM" serve --config "$cluster/$node/muninn.toml"
            ;;
    esac
    wrap "$node" setsid "$@"
    "${command[@]}" >> "$cluster/logs/$node-$part.log" 2>&1 < /dev/null &
    # env, ip, setpriv and setsid all become the program, so this is its number.
    echo $! > "$cluster/run/$node-$part"
    # Whoever is killed is not told of.
    disown
}

# Ends a part of a node, with the signal that it knows best.
stop() {
    local file="$cluster/run/$1-$2" pid
    [ -f "$file" ] || return 0
    pid=$(cat "$file")
    # After a restart of the machine the number may be that of another program.
    grep -aqF "$cluster" "/proc/$pid/cmdline" 2> /dev/null || { rm -f "$file"; return 0; }
    kill "${3:--TERM}" "$pid" 2> /dev/null || true
    for _ in $(seq 300); do
        [ -d "/proc/$pid" ] && ! grep -q '^State:.Z' "/proc/$pid/status" 2> /dev/null || break
        sleep 0.1
    done
    # Whoever waits for a database that hangs does not end by itself.
    kill -KILL "$pid" 2> /dev/null || true
    rm -f "$file"
}

members() {
    local list='' node
    for node in $databases; do
        # shellcheck disable=SC2059
        list="$list,$(printf "$1" "$node" "$(address "$node")")"
    done
    echo "${list#,}"
}

# The node whose PostgreSQL is the primary, by what Patroni says.
primary() {
    local node
    for node in $databases; do
        if on client curl -sf -m 1 -o /dev/null "http://$(address "$node"):8008/primary"; then echo "$node"; return; fi
    done
    return 1
}

soon() {
    local seconds=$1 end; shift
    end=$((SECONDS + seconds))
    until "$@" > /dev/null 2>&1; do
        if [ "$SECONDS" -ge "$end" ]; then
            echo "not within $seconds seconds: $*; see $cluster/logs" >&2
            return 1
        fi
        sleep 0.2
    done
}
