#!/usr/bin/env bash
# The metrics of a server as Prometheus checks them, and the alarms of deploy/prometheus with their tests. Takes the program.
set -euo pipefail
# All clients here come from one address.
export MUNINN_RATE_LIMIT_ADDRESS=0 MUNINN_RATE_LIMIT_TOKEN=0 MUNINN_STREAMS_PER_ADDRESS=0 MUNINN_CONNECTIONS_PER_ADDRESS=0 MUNINN_MATCHES_PER_ADDRESS=0 MUNINN_BOT_MATCHES_PER_ADDRESS=0
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/debug/muninn}")

# The version that the rules and their tests were written with; Debian 12 has it.
PROMTOOL=2.42.0
promtool --version 2>&1 | sed -n 1p
promtool --version 2>&1 | grep -q "^promtool, version $PROMTOOL[+ ]" || { echo "promtool must be of version $PROMTOOL" >&2; exit 1; }

work=$(mktemp -d)
server=
cleanup() {
    test -z "$server" || { kill "$server" && wait "$server"; } || true
    rm -rf "$work"
}
trap cleanup EXIT

promtool check rules deploy/prometheus/alerts.yml
promtool check config deploy/prometheus/prometheus.yml
promtool test rules deploy/prometheus/alerts_test.yml
jq -e '.panels | length > 20 and all(.targets | length > 0)' deploy/grafana/muninn.json

"$program" serve --listen 127.0.0.1:0 --operator-listen "unix:$work/door" --data "$work/data" --query on --log warn > "$work/said" &
server=$!
until grep -q door "$work/said"; do
    kill -0 "$server"
    sleep 0.1
done
address=$(sed -n 's/^listening on //p' "$work/said")
curl -sSf "$address/v1/matches" -H 'content-type: application/json' -d '{"game": "rosenkoenig", "seats": [{"bot": "greedy"}, {"bot": "random"}]}' > /dev/null
metrics() { curl -sSf --unix-socket "$work/door" http://localhost/metrics; }
until metrics | grep -q muninn_bot_commands_total; do sleep 0.1; done
curl -s "$address/v1/matches/x" > /dev/null
# It prints what it would have otherwise, and a warning is a failure too.
metrics > "$work/metrics"
promtool check metrics < "$work/metrics"
echo "$(grep -c '^# TYPE' "$work/metrics") families"
