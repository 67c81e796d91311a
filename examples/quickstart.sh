#!/bin/sh
# How do I play a move with nothing but curl? Needs a running server (muninn serve).
# usage: sh quickstart.sh [http://127.0.0.1:8080]
set -eu
url="${1:-http://127.0.0.1:8080}/v1/matches"
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
json='Content-Type: application/json'

opened=$(curl -sSf "$url" -H "$json" -d '{"game": "rosenkoenig", "seats": [{"name": "Ada"}, {"name": "Grace"}], "options": {"start": "red"}}')
match="$url/$(printf '%s' "$opened" | field match)"
token=$(printf '%s' "$opened" | sed 's/.*"seat_tokens":\["\([^"]*\)".*/\1/') # red is seat 0, and begins
echo "opened $match"

legal=$(curl -sSf "$match/legal-commands" -H "Authorization: Bearer $token")
command=$(printf '%s' "$legal" | sed 's/.*"items":\[\({[^}]*}\).*/\1/')
echo "plays  $command"

curl -sSf "$match/commands" -H "$json" -H "Authorization: Bearer $token" -d "{\"command\": $command}" > /dev/null
curl -sSf "$match/view" | sed 's/.*"board":\[\([^]]*\)\].*/\1/' | tr ',' '\n' | tr -d '"'
echo
