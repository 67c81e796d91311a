#!/usr/bin/env bash
# The traces of a server, as a collector gets them: their spans, whose they are, and that no secret is in them.
# Takes a program with the feature `otel`, and a Python with opentelemetry-proto.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "$1") python=$2

work=$(mktemp -d)
collector= server=
cleanup() {
    local status=$?
    # What the server said last, if something is not as it should be.
    [ $status -eq 0 ] || tail -20 "$work/log" >&2
    for process in $server $collector; do { kill "$process" && wait "$process"; } 2> /dev/null || true; done
    rm -rf "$work"
}
trap cleanup EXIT
begun() {
    until grep -q http "$1"; do
        # Where a function's output is taken, the shell does not end by itself.
        kill -0 "$2" || exit 1
        sleep 0.1
    done
    grep -o 'http:[^ ]*' "$1" | head -1
}
serve() {
    : > "$work/address"
    "$program" serve --listen 127.0.0.1:0 --data "$work/data" --log trace "$@" > "$work/address" 2>> "$work/log" &
    server=$!
    address=$(begun "$work/address" "$server")
}
# Spans are sent at the latest when the server ends.
stop() { kill "$server" && wait "$server" && server=; }
ask() { curl -sSf --max-time 60 -H 'content-type: application/json' "$@"; }
spans() { jq -es --arg match "$match" "$@" "$work/spans" > /dev/null || { cat "$work/spans"; echo "not so: $*"; exit 1; }; }

"$python" tests/traces.py "$work/spans" > "$work/collector" &
collector=$!
endpoint=$(begun "$work/collector" "$collector")

serve --otlp "$endpoint"
trace=0af7651916cd43dd8448eb211c80319c parent=b7ad6b7169203331
opened=$(ask "$address/v1/matches" -d '{"game": "rosenkoenig", "seats": [{}, {}]}')
match=$(jq -r .match <<< "$opened")
token() { jq -r ".seat_tokens[$1]" <<< "$opened"; }
seat=$(ask "$address/v1/matches/$match" | jq .active_seat)
legal=$(ask -H "Authorization: Bearer $(token "$seat")" "$address/v1/matches/$match/legal-commands" | jq -c '.items[0]')
ask "$address/v1/matches/$match/commands" -H "Authorization: Bearer $(token "$seat")" -H "traceparent: 00-$trace-$parent-01" \
    -H 'X-Request-Id: mine-1' -H 'Idempotency-Key: a-secret-of-mine' -d "{\"command\": $legal}" > /dev/null
# A token where none belongs, in a query and in a path.
curl -s "$address/v1/matches/$match?token=$(token 0)" > /dev/null
curl -s "$address/v1/matches/$(token 1)" > /dev/null
stop

spans 'all(.resource["service.name"] == "muninn" and .resource["service.version"] != null and .events == 0)'
spans 'any(.name == "POST /v1/matches" and .kind == 2 and .parent == "" and .attributes["http.response.status_code"] == 201)'
spans 'map(select(.trace == "'$trace'")) as $mine | ($mine | map(.name) | sort) == ["POST /v1/matches/{id}/commands", "decide", "store.write"]
    and ($mine | map(select(.parent == "'$parent'")) | .[0] as $request | $mine - [$request] | all(.parent == $request.span and .nanos <= $request.nanos))'
spans "any(.attributes[\"match.id\"] == \$match and .attributes.seat == $seat and .attributes[\"request.id\"] == \"mine-1\" and .attributes[\"http.route\"] == \"/v1/matches/{id}/commands\")"
spans 'any(.attributes["http.response.status_code"] == 404)'
for secret in "$(token 0)" "$(token 1)" "$(jq -r .owner_token <<< "$opened")" a-secret-of-mine "$(jq -r .type <<< "$legal")" "token="; do
    if grep -qF -- "$secret" "$work/spans"; then echo "$secret is in a span"; exit 1; fi
done
# They are no part of the log.
if grep -q otel "$work/log"; then grep -m 3 otel "$work/log"; exit 1; fi
count=$(wc -l < "$work/spans")

# The variables of OpenTelemetry do the same.
export OTEL_SERVICE_NAME=club
OTEL_EXPORTER_OTLP_ENDPOINT=$endpoint serve
ask "$address/v1/games" > /dev/null
stop
spans 'any(.name == "GET /v1/games" and .resource["service.name"] == "club")'
# Without a collector, and with one that is gone, it serves all the same.
serve
ask "$address/v1/games" > /dev/null
stop
{ kill "$collector" && wait "$collector"; } || true
collector=
serve --otlp "$endpoint"
ask "$address/v1/games" > /dev/null
stop
grep -q 'traces were not sent' "$work/log"
echo "$count spans of one match, no secret in them"
