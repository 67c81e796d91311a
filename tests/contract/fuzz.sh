#!/usr/bin/env bash
# Fuzzes a server of its own with what its OpenAPI document says, by schemathesis: `tests/contract/fuzz.sh [SECONDS]`, default 60.
# Needs `muninn` built (cargo build; or MUNINN_PROGRAM), curl, python3, and `st` (pip install schemathesis) in the PATH.
set -euo pipefail
# All clients here come from one address.
export MUNINN_RATE_LIMIT_ADDRESS=0 MUNINN_RATE_LIMIT_TOKEN=0 MUNINN_STREAMS_PER_ADDRESS=0 MUNINN_CONNECTIONS_PER_ADDRESS=0 MUNINN_MATCHES_PER_ADDRESS=0 MUNINN_BOT_MATCHES_PER_ADDRESS=0
cd "$(dirname "$0")/../.."

seconds=${1:-60}
work=$(mktemp -d)
server=
cleanup() {
    [ -z "$server" ] || kill "$server" 2> /dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT

"${MUNINN_PROGRAM:-./target/debug/muninn}" serve --listen 127.0.0.1:0 --data "$work/data" --heartbeat 1 --query on --log warn > "$work/address" 2> "$work/log" &
server=$!
until grep -q listening "$work/address"; do
    kill -0 "$server"
    sleep 0.1
done
address=$(sed 's/listening on //' "$work/address")

python3 tests/contract/matches.py "$address" > "$work/matches"
. "$work/matches"
# Right after the start the tables are not filled yet, and a query is honestly refused (503, Retry-After).
curl -sSf --retry 20 --retry-all-errors --retry-delay 1 "$address/v1/query" -H 'content-type: application/json' -d '{"sql": "SELECT 1"}' > /dev/null

# Its cache of failures would be kept in the folder that it runs in.
config=$PWD/tests/contract/schemathesis.toml
(cd "$work" && st --config-file "$config" run "$address/openapi.json" --max-time "$seconds" "${@:2}")

# Whatever was sent: the server is well, and logged no failure.
curl -sf "$address/healthz" > /dev/null
if grep -E 'ERROR|panicked' "$work/log"; then exit 1; fi
