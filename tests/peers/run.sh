#!/usr/bin/env bash
# Muninn beside what one would use instead, on this machine, in turns. docs/performance.md says what is compared, and gets the tables.
#
#   tests/peers/run.sh                               all of it: about 15 minutes, and as long again the first time, to install and build
#   tests/peers/run.sh network random appends sql    some of it: told, and not written down
#   tests/peers/run.sh --check                       were the tables in docs/performance.md made by these scripts?
#
# Needs Rust with a C compiler, Node with npm, and Python with venv; installs from the registries of the three, at fixed versions, into target/peers.
# Everything listens on loopback addresses alone. PEERS_SECONDS (4): how long each measurement takes; PEERS_ROUNDS (5); PEERS_MATCHES (4000), for SQL;
# MUNINN_PROGRAM: a program that is built already; PEERS_PROFILE (release): of the peers in Rust.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "${1:-}" = --check ]; then exec python3 tests/peers/report.py --check; fi

export PEERS_WORK=$PWD/target/peers PEERS_PROFILE=${PEERS_PROFILE:-release}
mkdir -p "$PEERS_WORK/missing" "$PEERS_WORK/node"
rm -f "$PEERS_WORK/missing/"*

# A peer that cannot be installed is in the tables with the reason, and no more.
peer() {
    echo "installing $1" >&2
    "${@:2}" > "$PEERS_WORK/$1.log" 2>&1 \
        || { grep -im 1 -E 'error|not ok|not found' "$PEERS_WORK/$1.log" || tail -n 1 "$PEERS_WORK/$1.log"; } | tr -d '|' | cut -c 1-160 > "$PEERS_WORK/missing/$1"
}
boardgame() (
    cp tests/peers/boardgame/* "$PEERS_WORK/node" && cd "$PEERS_WORK/node" \
        && { cmp -s package-lock.json installed.json || { npm ci --ignore-scripts --no-audit --no-fund --loglevel error && cp package-lock.json installed.json; }; } \
        && PEERS_RULES=$OLDPWD/domain/rosenkoenig/RULES.md node --test rules.test.mjs
)
python() {
    { test -x "$PEERS_WORK/venv/bin/python" || python3 -m venv "$PEERS_WORK/venv"; } \
        && "$PEERS_WORK/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: --requirement "tests/peers/$1.txt"
}
peer boardgame boardgame
peer spiel python spiel
peer duckdb python duckdb

echo "building" >&2
if [ -z "${MUNINN_PROGRAM:-}" ]; then
    cargo build --release --locked
    MUNINN_PROGRAM=${CARGO_TARGET_DIR:-target}/release/muninn
fi
MUNINN_PROGRAM=$(realpath "$MUNINN_PROGRAM")
export MUNINN_PROGRAM
CARGO_TARGET_DIR=$PEERS_WORK/cargo cargo build --manifest-path tests/peers/Cargo.toml --profile "$PEERS_PROFILE" --locked

exec python3 tests/peers/compare.py "$@"
