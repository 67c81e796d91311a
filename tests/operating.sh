#!/usr/bin/env bash
# Runs every `sh` block of docs/operating.md, in order, as one who follows it would: in a folder that stands for the machine. Takes the program.
# The service manager and what needs root are played by small scripts; everything else is real.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/debug/muninn}")

machine=$(mktemp -d)
cleanup() {
    test ! -e "$machine/pid" || kill "$(cat "$machine/pid")" 2> /dev/null || true
    rm -rf "$machine"
}
trap cleanup EXIT
mkdir -p "$machine"/{bin,release,usr/bin,etc/systemd/system,var/lib,var/tmp,var/backups,run/muninn}
ln -s "$program" "$machine/release/muninn"
cp -r deploy "$machine/release"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export MACHINE=$machine PATH=$machine/bin:$machine/usr/bin:$PATH MUNINN_LISTEN=127.0.0.1:$port MUNINN_DATA=$machine/var/lib/muninn
export MUNINN_OPERATOR_LISTEN=unix:$machine/run/muninn/operator.sock

stand_in() { cat > "$machine/bin/$1" && chmod +x "$machine/bin/$1"; }
stand_in useradd <<< '#!/bin/sh'
stand_in chown <<< '#!/bin/sh'
stand_in journalctl << 'PLAYED'
#!/bin/sh
tail -n 20 "$MACHINE/journal"
PLAYED
# Starts what the unit starts, waits until it listens, and stops it as the unit does.
stand_in systemctl << 'PLAYED'
#!/usr/bin/env bash
set -euo pipefail
stop() {
    test -e "$MACHINE/pid" || return 0
    kill -TERM "$(cat "$MACHINE/pid")"
    for _ in $(seq 300); do
        kill -0 "$(cat "$MACHINE/pid")" 2> /dev/null || { rm "$MACHINE/pid"; return; }
        sleep 0.1
    done
    exit 1
}
start() {
    mkdir -p "$MACHINE/var/lib/muninn"
    read -r -a command <<< "$(sed -n "s#^ExecStart=/usr#$MACHINE/usr#; s# /etc# $MACHINE/etc#; s#^$MACHINE#&#p" "$MACHINE/etc/systemd/system/muninn.service")"
    : > "$MACHINE/listening"
    "${command[@]}" > "$MACHINE/listening" 2>> "$MACHINE/journal" &
    echo $! > "$MACHINE/pid"
    for _ in $(seq 300); do
        if grep -q listening "$MACHINE/listening"; then return; fi
        kill -0 "$(cat "$MACHINE/pid")" || exit 1
        sleep 0.1
    done
    exit 1
}
case "$*" in
    daemon-reload | "disable muninn") ;;
    "enable --now muninn" | "start muninn") start ;;
    "restart muninn") stop; start ;;
    "enable --now muninn-backup.timer") test -s "$MACHINE/etc/systemd/system/muninn-backup.timer" ;;
    "start muninn-backup")
        mkdir -p "$MACHINE/var/lib/muninn-backups"
        # What the unit runs, on this machine.
        sed -En "s/^ExecStart=//p" "$MACHINE/etc/systemd/system/muninn-backup.service" \
            | sed -E "s/%%/%/g; s/[$]{2}/$/g; s#(^|[ ':])/(usr|var|run)/#\1$MACHINE/\2/#g" > "$MACHINE/backup"
        bash -exo pipefail "$MACHINE/backup"
        ;;
    "stop muninn") stop ;;
    "status muninn") kill -0 "$(cat "$MACHINE/pid")" ;;
    *) echo "systemctl $*: nobody plays that" >&2; exit 1 ;;
esac
PLAYED

# The blocks, with paths and the port of this machine. A line of its own says where each begins.
awk '/^```sh$/ { block = 1; printf "echo \"# line %d\"\n", NR; next } /^```$/ { block = 0 } block' docs/operating.md \
    | sed -E "s#(^|[ =>:])/(etc|usr|var|run)/#\1$machine/\2/#g; s#127\.0\.0\.1:8080#127.0.0.1:$port#g" > "$machine/commands"
test "$(grep -c '^echo "# line' "$machine/commands")" -gt 8

# Matches that were played before, so that there is something to copy, verify and count.
"$program" simulate --game rosenkoenig --matches 3 --keep "$machine/var/lib/muninn" > /dev/null

cd "$machine/release"
bash -euxo pipefail "$machine/commands" > "$machine/out" 2>&1 || { tail -30 "$machine/out"; exit 1; }
# What was done at the end serves what was there at the beginning.
test "$(curl -sSf "http://127.0.0.1:$port/v1/matches?status=finished" | jq '.items | length')" = 3
systemctl stop muninn
# Of the nightly archives the newest seven stay, however old they are; what was cut off is none.
backups=$machine/var/lib/muninn-backups
rm -f "$backups"/*
for days in $(seq 40 49); do touch -d "$days days ago" "$backups/$days.muninn"; done
touch "$backups/next" "$backups/next.partial"
bash -eo pipefail -c "$(head -n 1 "$machine/backup")"
test "$(cd "$backups" && echo *)" = "$(echo {40..46}.muninn)"
# Those that a clock that was ahead has dated are the latest only until the next one is made, and stay in their order.
for days in 300 301; do touch -d "$days days" "$backups/ahead-$days.muninn"; done
bash -eo pipefail -c "$(head -n 1 "$machine/backup")"
test "$(ls -t "$backups" | head -n 1)" = ahead-301.muninn
test "$(cd "$backups" && echo *)" = "$(echo {40..44}.muninn ahead-30{0,1}.muninn)"
touch "$backups/tonight.muninn"
test "$(ls -t "$backups" | head -n 1)" = tonight.muninn

# Whoever follows the page in a shell goes on after a step that failed: of what replaces a store and starts the server, all is in one block that ends there.
loose=$(awk -v RS='echo "# line ' '/(mv|tar|restore) / && /systemctl (start|restart|enable --now) muninn\n/ && !/set -eu\n/ { print "line " $1 + 0 }' "$machine/commands")
test -z "$loose" || { echo "the block does not end where a step fails: $loose"; exit 1; }
awk -v RS='echo "# line [0-9]+"\n' '/muninn restore [^\n]*var\/lib\/muninn\n/' "$machine/commands" > "$machine/restore"
grep -q 'systemctl start muninn' "$machine/restore"
fails() {
    if bash "$machine/restore" > "$machine/out" 2>&1; then cat "$machine/out"; echo "restored $1"; exit 1; fi
    test ! -e "$machine/pid" || { cat "$machine/out"; echo "a server starts $1"; exit 1; }
}
rm "$backups"/*
fails "without a backup"
echo "no archive" > "$backups/damaged.muninn"
fails "from a damaged backup"
test -e "$machine/var/lib/muninn/HEAD" || { echo "the store was moved, and nothing took its place"; exit 1; }
# Where the restore itself fails, as where something lies in its way.
"$program" backup --data "$machine/var/lib/muninn" --out "$backups/good.muninn" > /dev/null
rm "$backups/damaged.muninn"
touch "$machine/var/lib/muninn.partial"
fails "though the restore fails"
grep -q partial "$machine/out"
echo "$(grep -c '^echo "# line' "$machine/commands") blocks, $(grep -cvE '^(echo "# line|#|$)' "$machine/commands") commands"
