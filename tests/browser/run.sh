#!/usr/bin/env bash
# The pages in a real browser: installs what it needs into a folder of its own, runs every test there, and leaves nothing behind.
# WHOLE=1 plays the long games to their end too.
set -euo pipefail
# All clients here come from one address.
export MUNINN_RATE_LIMIT_ADDRESS=0 MUNINN_RATE_LIMIT_TOKEN=0 MUNINN_STREAMS_PER_ADDRESS=0 MUNINN_CONNECTIONS_PER_ADDRESS=0 MUNINN_MATCHES_PER_ADDRESS=0 MUNINN_BOT_MATCHES_PER_ADDRESS=0
cd "$(dirname "$0")"

need() {
    command -v "$1" > /dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${@:2}"; } > /dev/null
}
need chromium chromium fonts-dejavu-core

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp ./*.mjs package.json ../../examples/clicks.html "$work"
export MUNINN_ROOT="$PWD/../.."
export MUNINN_PROGRAM="${MUNINN_PROGRAM:-$PWD/../../target/debug/muninn}"
cd "$work"
npm install --no-audit --no-fund --silent
node --test --test-concurrency=2 "${@:-.}"
