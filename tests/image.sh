#!/usr/bin/env bash
# The image of deploy/Containerfile where no registry can be reached: its base is made by debootstrap, and the program is one that was built before, so
# only the first stage is not tried. By hand: needs root, debootstrap and buildah, and takes some minutes. Where a registry can be reached, tests/deploy.sh builds all of it.
#
#   tests/image.sh PROGRAM [FOLDER]      FOLDER keeps the base for the next time
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "$1") kept=${2:-}
folder=${kept:-$(mktemp -d)}
work=$(mktemp -d) container='' base=localhost/muninn-test-base
cleanup() {
    test -z "$container" || buildah rm "$container" > /dev/null
    rm -rf "$work"
    test -n "$kept" || rm -rf "$folder"
}
trap cleanup EXIT

if test ! -e "$folder/complete"; then
    mkdir -p "$folder"
    debootstrap --variant=minbase bookworm "$folder/base" > "$folder/debootstrap.log" 2>&1 || { tail "$folder/debootstrap.log"; exit 1; }
    touch "$folder/complete"
fi
container=$(buildah from scratch)
buildah add -q "$container" "$folder/base" / > /dev/null
buildah commit -q "$container" "$base" > /dev/null
buildah rm "$container" > /dev/null
container=

# The stage that compiles gets what it would have made; the other one is as it stands, on this base.
built=$(sed -nE 's#.* cp (target/[^ ]+/muninn) .*#\1#p' deploy/Containerfile)
test -n "$built" || { echo "deploy/Containerfile copies no program"; exit 1; }
mkdir -p "$work/context/$(dirname "$built")"
cp -r LICENSE-MIT LICENSE-APACHE NOTICE deploy "$work/context"
strip -o "$work/context/$built" "$program"
{
    printf 'FROM %s AS build\nWORKDIR /src\nCOPY . .\n' "$base"
    sed -n '/^# A folder that the user/,$p' deploy/Containerfile | sed "/python3 deploy/d; s#^FROM .*#FROM $base#"
} > "$work/Containerfile"
buildah build --isolation chroot --pull-never --format docker -f "$work/Containerfile" -t muninn-test "$work/context" > "$work/log" 2>&1 || { tail -20 "$work/log"; exit 1; }

container=$(buildah from --pull-never localhost/muninn-test)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
inside() { buildah run --isolation chroot --env "MUNINN_LISTEN=127.0.0.1:$port" "$container" -- "$@"; }
inside /usr/bin/muninn serve > "$work/serve" 2>&1 &
until grep -q listening "$work/serve"; do
    kill -0 $!
    sleep 0.2
done
inside /usr/bin/muninn health
inside test -w /var/lib/muninn-backups
user=$(ps -eo uid,args | awk '/[b]uildah-chroot-exec/ {print $1}' | sort -u)
test "$user" = 10001 || { echo "it runs as $user"; exit 1; }
# It stops on the signal that the image names; only our own processes are on this port.
process=$(pgrep -u 10001 -f "^/usr/bin/muninn serve" || pgrep -u 10001 muninn)
kill -TERM "$process"
wait $! || true
grep -q '"message":"stopped"' "$work/serve"
buildah inspect --type image muninn-test \
    | jq -e '.Docker.config | .User == "10001:10001" and .Healthcheck.Test == ["CMD", "/usr/bin/muninn", "health"] and (.Volumes | has("/var/lib/muninn"))'
for file in LICENSE-MIT LICENSE-APACHE NOTICE; do inside test -s "/usr/share/doc/muninn/$file"; done
echo "the image serves, is healthy, and runs as 10001"
