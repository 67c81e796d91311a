#!/usr/bin/env bash
# The packages of clients/: made, checked, packed, and tried as packed, against the real server and in a real browser. Everything happens in a
# folder of its own; with `--out FOLDER` the packages are left there. Needs Node with npm, Python 3.11 and Chromium, and target/debug/muninn.
set -euo pipefail
# All clients here come from one address.
export MUNINN_RATE_LIMIT_ADDRESS=0 MUNINN_RATE_LIMIT_TOKEN=0 MUNINN_STREAMS_PER_ADDRESS=0 MUNINN_CONNECTIONS_PER_ADDRESS=0 MUNINN_MATCHES_PER_ADDRESS=0 MUNINN_BOT_MATCHES_PER_ADDRESS=0
out=
if [ "${1:-}" = --out ]; then mkdir -p "$2" && out=$(realpath "$2"); fi
cd "$(dirname "$0")/.."
root=$PWD
export MUNINN_PROGRAM="${MUNINN_PROGRAM:-$root/target/debug/muninn}" PIP_DISABLE_PIP_VERSION_CHECK=1
# The largest that @muninn/client may be, all of its modules as they are, gzipped.
BYTES=12000

command -v "${CHROMIUM:-/usr/bin/chromium}" > /dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } > /dev/null
work=$(mktemp -d)
background=
cleanup() {
    for process in $background; do kill "$process" 2> /dev/null || true; done
    rm -rf "$work"
}
trap cleanup EXIT
step() { printf '%4ss %s\n' "$SECONDS" "$*"; }

clients/pack.sh "$work/packed" "$work" > /dev/null
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
step "packed"

# What the documents show is run.
shown() { awk -v fence="^\`\`\`$1\$" '$0 ~ fence { on = 1; next } /^```$/ && on { exit } on' "docs/${2:-clients}.md"; }
cp tests/browser/house.mjs "$work/typescript/test/server.mjs"
cp deploy/cluster/*.http "$work/python/tests"
shown html > "$work/typescript/test/page.html"
shown js > "$work/typescript/test/twenty.mjs"
shown tsx > "$work/typescript/test/shown.tsx"
shown python > "$work/python/tests/twenty.py"
shown python analysis > "$work/python/tests/analyst.py"
shown python ../clients/python/README > "$work/python/tests/readme.py"

typescript() {
    cd "$work/typescript"
    # From here on the packages are what was packed.
    for name in client react; do
        rm "node_modules/@muninn/$name" && mkdir "node_modules/@muninn/$name"
        tar xzf "$work/packed/muninn-$name-$version.tgz" --strip-components=1 -C "node_modules/@muninn/$name"
    done
    size=$(cat node_modules/@muninn/client/src/*.js | gzip -9 | wc -c)
    step "@muninn/client has $size bytes, gzipped"
    [ "$size" -lt "$BYTES" ]
    npm run -s check
    "$MUNINN_PROGRAM" kit --out kit
    npx tsc --noEmit --allowJs --checkJs --strict --noUncheckedIndexedAccess --target es2022 --module nodenext --types node kit/runner.mjs
    step "typescript: checked"
    node --test --test-concurrency=2 test/*.test.mjs
    step "typescript: tested"
}

python() {
    cd "$work/python"
    wheel="$work/packed/muninn-$version-py3-none-any.whl"
    python3 -m venv used && used/bin/pip install -q "$wheel"
    (cd tests && ../used/bin/python -m unittest -v without_extras)
    used/bin/pip install -q "$wheel[tables]" polars==2.1.0 duckdb==2.0.0 pandas==3.1.1 pyarrow==26.0.1
    made/bin/pip install -q mypy==2.4.1
    made/bin/mypy --python-executable used/bin/python src/muninn
    cd tests && ../made/bin/mypy --strict --python-executable ../used/bin/python ./*.py
    "$MUNINN_PROGRAM" kit --out "$work/kit"
    ../made/bin/mypy --strict "$work/kit/runner.py" "$work/kit/client.py"
    step "python: checked"
    TZ=America/St_Johns ../used/bin/python -m unittest -v
    step "python: tested"
}

# In the background, where a failure ends them: after `||` it would not.
typescript > "$work/typescript.log" 2>&1 &
background=$!
python > "$work/python.log" 2>&1 &
background="$background $!"
failed=
for process in $background; do wait "$process" || failed=yes; done
cat "$work/typescript.log" "$work/python.log"
[ ! "$failed" ]
if [ "$out" ]; then cp "$work"/packed/* "$out"; fi
