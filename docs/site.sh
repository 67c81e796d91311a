#!/usr/bin/env bash
# The documentation as a site of static files that asks nothing of the internet: docs/site.sh [FOLDER], by default target/site.
# Its first page is docs/clients.md. Every link and anchor is checked.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-target/site}")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q mkdocs==1.6.1
mkdir "$work/pages"
python3 docs/site.py "$work/pages"
cp docs/site.yml "$work/mkdocs.yml"
printf 'docs_dir: pages\nsite_dir: %s\n' "$out" >> "$work/mkdocs.yml"
"$work/venv/bin/mkdocs" build --strict --quiet --clean --config-file "$work/mkdocs.yml"
python3 docs/site.py --finish "$out"

grep -q 'A client in 20 lines' "$out/index.html"
# No page loads anything from elsewhere.
if grep -rlE '<(script|img|iframe)[^>]* src="?(https?:)?//|<link[^>]* rel="?(stylesheet|preload)"?[^>]*(https?:)?//' --include='*.html' "$out"; then
    echo 'these pages load something from elsewhere' >&2
    exit 1
fi
echo "$out/index.html"
