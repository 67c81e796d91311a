#!/usr/bin/env bash
# The program with its default features knows no PostgreSQL: it says so in one line, without the password. Takes the program; `deploy/release.sh`
# tries the one that it packs.
set -euo pipefail
program=$(realpath "${1:-target/debug/muninn}")
cd "$(mktemp -d)"

for command in serve migrate verify; do
    code=0
    "$program" "$command" --store postgres://me:hunter2@db/muninn > out 2> said || code=$?
    [ "$code" = 1 ] && [ ! -s out ] && [ "$(wc -l < said)" = 1 ] || { echo "$command: exit code $code"; cat out said; exit 1; }
    grep -q '^error: this program was built without PostgreSQL' said || { cat said; exit 1; }
    ! grep hunter2 said
done
rm -r "$PWD"
