#!/usr/bin/env bash
# A short chaos on the cluster of deploy/cluster: cluster.sh [program]
# Five minutes of faults under writers, by the debug build that the tests have made. Installs what it needs. Where it cannot run, since it is not
# root or may make no network namespaces or loop devices, it says so and passes.
# CLUSTER_MINUTES  5
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/debug/muninn-tested}

skip() { echo "NOT TESTED: the cluster, since $*" >&2; exit 0; }
[ "$(id -u)" = 0 ] || skip "this is not root"
probe=muninn-probe-$$
ip netns add "$probe" 2> /dev/null || skip "network namespaces cannot be made"
ip netns delete "$probe"
losetup -f > /dev/null 2>&1 || skip "there is no loop device"
[ -x "$program" ] || cargo build -q --locked -p acceptance --bin muninn-tested

missing=
need() { command -v "$1" > /dev/null || missing="$missing $2"; }
need /usr/lib/postgresql/15/bin/postgres postgresql-15
need etcd etcd-server
need haproxy haproxy
need curl curl
need mkfs.ext4 e2fsprogs
/usr/bin/python3 -c 'import ensurepip, venv' 2> /dev/null || missing="$missing python3-venv"
if [ -n "$missing" ]; then
    # Only the programs: the recipe starts its own.
    mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf
    # shellcheck disable=SC2086
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } > /dev/null
fi

folder=$(mktemp -d /var/tmp/muninn-cluster.XXXXXX)
trap 'rm -rf "$folder"' EXIT
# Whoever runs the parts is not root.
chmod 755 "$folder"
install -m 755 "$program" "$folder/muninn"
MUNINN_CLUSTER=$folder/chaos MUNINN_PAUSES=${MUNINN_PAUSES:-told} MUNINN_WRITERS=${MUNINN_WRITERS:-4} MUNINN_REPEATED=${MUNINN_REPEATED:-2000} \
    tests/chaos/run.sh "$folder/muninn" "${CLUSTER_MINUTES:-5}" kill_primary kill_server cut_server kill_etcd pause_follower fill_follower
