#!/usr/bin/env bash
# deploy/ is what it says: the unit, the proxies, the image. Takes the program to test; CI gives it target/debug/muninn.
# What cannot be tested on this machine is said in a line that begins with NOT TESTED.
set -euo pipefail
cd "$(dirname "$0")/.."
muninn=$(realpath "${1:-target/debug/muninn}")

work=$(mktemp -d)
# The workers of nginx run as another user.
chmod 755 "$work"
processes=()
cleanup() {
    for process in "${processes[@]}"; do kill "$process" 2> /dev/null || true; done
    wait
    rm -rf "$work"
}
trap cleanup EXIT

has() { command -v "$1" > /dev/null; }
not_tested() { printf '   NOT TESTED: %s\n' "$*"; }
failed() { printf '   FAILED: %s\n' "$*"; exit 1; }
# Waits ten seconds at most until a command succeeds.
soon() {
    for _ in $(seq 100); do
        if "$@" > /dev/null 2>&1; then return; fi
        sleep 0.1
    done
    failed "in ten seconds: $*"
}

unit() {
    local name
    for name in muninn muninn-backup; do
        sed "s#/usr/bin/muninn#$muninn#" "deploy/$name.service" > "$work/$name.service"
        systemd-analyze security --offline=true --no-pager --threshold=15 "$work/$name.service" > "$work/security" || {
            tail -1 "$work/security"
            failed "$name.service exposes more than 1.5"
        }
    done
    cp deploy/*.timer "$work"
    systemd-analyze verify --man=no "$work"/*.service "$work"/*.timer
    grep -qx KillMode=mixed deploy/muninn.service || failed "a stop is told to the processes of queries too"
}

# The system calls that a unit allows: what its lines add and take away, one after the other.
allowed() {
    list() { systemd-analyze syscall-filter "$1" | sed -n 's/^    \([a-z@].*\)/\1/p'; }
    # Names of other groups are followed until none is left.
    expand() {
        local name
        for name; do
            # shellcheck disable=SC2046
            case $name in @*) expand $(list "$name") ;; *) echo "$name" ;; esac
        done
    }
    local line
    : > "$work/allowed"
    while read -r line; do
        # shellcheck disable=SC2086
        case $line in
            "~"*) expand ${line#"~"} | sort -u | comm -23 "$work/allowed" - > "$work/changed" ;;
            *) expand $line | sort -u - "$work/allowed" > "$work/changed" ;;
        esac
        mv "$work/changed" "$work/allowed"
    done < <(sed -n 's/^SystemCallFilter=//p' "deploy/$1.service")
    cat "$work/allowed"
}

# What was traced is what the unit allows.
compare() {
    local unit=$1 trace=$2
    sed -nE 's/^[0-9]+ +([a-z_0-9]+)\(.*/\1/p' "$trace" | sort -u > "$work/called"
    test "$(wc -l < "$work/called")" -gt "$3" || failed "strace saw too little of $unit"
    # SQLite gives its files away only when it is root, which it is not under this unit.
    test "$(id -u)" -ne 0 || sed -i '/^fchown$/d' "$work/called"
    allowed "$unit" | comm -13 - "$work/called" > "$work/beyond"
    test ! -s "$work/beyond" || failed "system calls that $unit.service forbids: $(tr '\n' ' ' < "$work/beyond")"
    if grep -E 'PROT_WRITE\|PROT_EXEC' "$trace"; then failed "memory that can be written and executed"; fi
}

# A server that strace watches, with these arguments for strace; it is stopped by `unwatched`.
watched() {
    strace -f -qq "$@" "$muninn" serve --listen 127.0.0.1:0 --data "$work/traced" --query on --log warn \
        --operator-listen "unix:$work/traced.sock" > "$work/traced.out" 2> "$work/traced.log" &
    server=$!
    processes+=("$server")
    soon grep -q 'door on' "$work/traced.out"
    address=$(sed -n 's/^listening on //p' "$work/traced.out")
}

unwatched() {
    # The signal is for the server, not for strace.
    kill -TERM "$(pgrep -P "$server")"
    wait "$server" || failed "the traced server ended with $?"
}

verified() { curl -sSf --unix-socket "$work/traced.sock" -X POST http://localhost/verify | grep -q '"type":"end"'; }

# Plays and stops a server, has it backed up and verified, and compares its system calls, and those of the backup, with those that the units allow.
calls() {
    local server address
    watched -o "$work/trace"
    curl -sSf "$address/v1/matches" -H 'content-type: application/json' \
        -d '{"game": "rosenkoenig", "seats": [{"bot": "greedy"}, {"bot": "random"}]}' > /dev/null
    soon curl -sSf "$address/v1/query" -H 'content-type: application/json' -d '{"sql": "SELECT count(*) FROM matches"}'
    curl -sSf "$address/v1/tables.tar" "$address/v1/events.ndjson" "$address/watch" > /dev/null
    strace -f -qq -o "$work/backup.trace" "$muninn" backup --operator "unix:$work/traced.sock" --out "$work/traced.muninn" > /dev/null
    strace -f -qq -A -o "$work/backup.trace" "$muninn" backup --verify "$work/traced.muninn" > /dev/null
    verified
    unwatched
    compare muninn "$work/trace" 40
    compare muninn-backup "$work/backup.trace" 20
    if grep -oE 'socket\(AF_[A-Z0-9]+' "$work/trace" | sort -u | grep -vE 'AF_(INET|INET6|UNIX)$'; then failed "sockets"; fi
    # Who has stepped back, and who runs a query.
    sed -nE 's/^([0-9]+) +setpriority\(PRIO_PROCESS, 0, 10.*/\1/p' "$work/trace" | sort > "$work/stepped"
    sed -nE 's/^([0-9]+) +execve\(.*"run-query".*/\1/p' "$work/trace" | sort -u > "$work/queries"
    # Of the server the thread that packs its backup, once; and its queries, each at most once.
    test "$(comm -23 "$work/stepped" "$work/queries" | wc -l)" = 1 || { cat "$work/stepped" "$work/queries"; failed "the server has not stepped back"; }
    comm -12 "$work/stepped" "$work/queries" | grep -q . || failed "no query has stepped back"
    test -z "$(uniq -d "$work/stepped")" || failed "somebody has stepped back twice"
    test "$(grep -c 'setpriority(PRIO_PROCESS, 0, 10' "$work/backup.trace")" = 2 || failed "the backup has not stepped back"
    if grep 'setpriority.* = -1' "$work/trace" "$work/backup.trace"; then failed "a lower priority was refused"; fi
}

# Where it is forbidden to step back, both say so, the server once, and go on.
forbidden() {
    local server address refused=(-o "$work/refused" -e inject=setpriority:error=EPERM)
    watched "${refused[@]}"
    for name in once twice; do "$muninn" backup --operator "unix:$work/traced.sock" --out "$work/$name.muninn" > /dev/null; done
    unwatched
    test "$(grep -c 'the priority of backups cannot be lowered' "$work/traced.log")" = 1 || { cat "$work/traced.log"; failed "the log of a server that cannot step back"; }
    strace -f -qq "${refused[@]}" "$muninn" backup --verify "$work/traced.muninn" 2>&1 > /dev/null | grep -q 'the priority of this command cannot be lowered' \
        || failed "a backup that cannot step back does not say so"
}

certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=muninn.example.org \
        -addext subjectAltName=DNS:muninn.example.org -keyout "$work/key.pem" -out "$work/cert.pem" 2> /dev/null
}

# A free port for a proxy, whose settings know no port 0: below those that the system gives to whoever asks for any, so that nobody takes it meanwhile.
free() {
    python3 - << 'PYTHON'
import random, socket
while True:
    port = random.randrange(20000, 32000)
    with socket.socket() as free:
        if free.connect_ex(("127.0.0.1", port)):
            print(port)
            break
PYTHON
}

# A server on this port, or on any.
behind() {
    # What the one before said.
    rm -f "$work/address"
    "$muninn" serve --config deploy/muninn.toml --listen "127.0.0.1:${1:-0}" --data "$work/data$RANDOM" --rate-limit-address 10 --heartbeat 1 \
        --query on --query-seconds 30 --operator-listen "unix:$work/operator$RANDOM" --log warn > "$work/address" &
    served=$!
    processes+=("$served")
    soon grep -q listening "$work/address"
    backend=$(sed -n 's#^listening on http://##p' "$work/address")
}

# What a proxy says itself, a page of another site can read as it can what Muninn says. Takes the head of that answer.
readable() {
    local line
    for line in 'access-control-allow-origin: \*' 'access-control-expose-headers: retry-after' 'cache-control: no-store' 'retry-after: 1'; do
        grep -qi "^$line" "$1" || { cat "$1"; failed "the head of an answer has no $line"; }
    done
}

# Who hangs up ends its query: the proxy tells Muninn. Takes the command of a client that posts a query; its limit is that of another address.
hangs_up() {
    local asking endless='{"sql": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"}'
    local json=(-H 'content-type: application/json')
    runs() { pgrep -P "$served" -f run-query; }
    is_over() { if runs; then return 1; fi; }
    soon "$@" -f --interface 127.0.0.3 "${json[@]}" -d '{"sql": "SELECT 1"}'
    "$@" --interface 127.0.0.4 "${json[@]}" -d "$endless" > /dev/null 2>&1 &
    asking=$!
    soon runs
    # By itself it would end after thirty seconds.
    kill "$asking" || failed "the query ended by itself"
    soon is_over
}

# What holds behind every proxy: TLS, a stream that arrives as it is written, one limit for each client, nothing of the operators, an end for what nobody waits for.
proxied() {
    local port=$1 site=https://muninn.example.org:$1 json=(-H "content-type: application/json") opened id token
    ask() { curl -sS --resolve "muninn.example.org:$port:127.0.0.1" --cacert "$certificate" "$@"; }
    soon ask -f "$site/readyz"
    opened=$(ask -f "$site/v1/matches" "${json[@]}" -d '{"game": "rosenkoenig", "options": {"start": "red"}, "seats": [{"name": "Ada"}, {"name": "Ben"}]}')
    id=$(jq -r .match <<< "$opened")
    token="authorization: Bearer $(jq -r '.seat_tokens[0]' <<< "$opened")"
    ask -N -m 30 "$site/v1/matches/$id/stream" > "$work/stream" 2> /dev/null &
    local stream=$!
    soon grep -q TableOpened "$work/stream"
    ask -f "$site/v1/matches/$id/legal-commands" -H "$token" | jq '{command: .items[0]}' > "$work/command"
    ask -f "$site/v1/matches/$id/commands" -H "$token" "${json[@]}" -d "@$work/command" > /dev/null
    # What is written into the open stream arrives at once: nothing collects it until the stream ends.
    soon grep -q 'CardPlayed\|CardDrawn' "$work/stream"
    soon grep -q '^:' "$work/stream"
    kill "$stream" || failed "the stream ended by itself"
    test "$(ask -o /dev/null -w '%{http_code}' "$site/metrics")" = 404 || failed "the metrics are public"
    # Muninn counts for the address that the proxy has seen, whatever the client claims: matches are opened, five at once, then no more.
    costly() { ask -o /dev/null -w '%{http_code}\n' "${json[@]}" -d '{"game": "rosenkoenig", "seats": [{}, {}]}' "$@" "$site/v1/matches"; }
    for n in $(seq 20); do costly -H "X-Forwarded-For: 192.0.2.$n"; done > "$work/codes"
    grep -q 429 "$work/codes" || failed "a forged X-Forwarded-For passes the rate limit"
    test "$(costly --interface 127.0.0.2)" != 429 || failed "two clients share one limit"
    hangs_up curl -sS --resolve "muninn.example.org:$port:127.0.0.1" --cacert "$certificate" "$site/v1/query"
}

through_nginx() {
    local port plain id site certificate=$work/cert.pem
    port=$(free) plain=$(free)
    site=https://muninn.example.org:$port
    mkdir "$work/nginx"
    sed -e "s#127.0.0.1:8080#$backend#" -e "s#limit_conn muninn_addresses 256;#limit_conn muninn_addresses 4;#" -e "s#listen \(\[::\]:\)\?443 #listen \1$port #" -e "s#listen \(\[::\]:\)\?80;#listen \1$plain;#" \
        -e "s#/etc/letsencrypt/live/muninn.example.org/fullchain.pem#$work/cert.pem#" \
        -e "s#/etc/letsencrypt/live/muninn.example.org/privkey.pem#$work/key.pem#" deploy/nginx.conf > "$work/nginx/site.conf"
    # Where there is no IPv6 nginx does not start with these lines.
    test -e /proc/net/if_inet6 || sed -i '/\[::\]/d' "$work/nginx/site.conf"
    cat > "$work/nginx/nginx.conf" << CONF
pid $work/nginx/pid;
error_log $work/nginx/error.log;
events {}
http { access_log off; include $work/nginx/site.conf; }
CONF
    nginx -q -t -c "$work/nginx/nginx.conf"
    nginx -c "$work/nginx/nginx.conf" -g 'daemon off;' &
    processes+=($!)
    proxied "$port"
    test "$(curl -sS -o /dev/null -w '%{http_code}' "http://127.0.0.1:$plain/watch")" = 308 || failed "plain HTTP is no redirection"
    # Of one address nginx takes four requests at once here, and refuses the next itself.
    id=$(ask -f --interface 127.0.0.5 "$site/v1/matches" -H 'content-type: application/json' \
        -d '{"game": "rosenkoenig", "seats": [{"name": "Ada"}, {"name": "Ben"}]}' | jq -r .match)
    for n in 1 2 3 4; do
        ask -N -m 60 --interface 127.0.0.5 "$site/v1/matches/$id/stream" > "$work/held$n" 2> /dev/null &
        soon grep -q TableOpened "$work/held$n"
    done
    refused() { ask --interface 127.0.0.5 -D "$work/head" -o "$work/body" "$site/healthz" && jq -e '.detail == "this address has as many requests and streams at once as it may have"' "$work/body"; }
    soon refused
    readable "$work/head"
    grep -qi '^strict-transport-security: max-age' "$work/head" || failed "a refusal of nginx lets browsers come without TLS"
    id=$(jq -r .request_id "$work/body")
    grep -qi "^x-request-id: ${id:?}" "$work/head" || failed "a refusal of nginx has another id than $id"
}

through_caddy() {
    local port
    port=$(free)
    sed -e "s#127.0.0.1:8080#$backend#" -e "s#^muninn.example.org {#muninn.example.org:$port {\n\ttls $work/cert.pem $work/key.pem#" \
        -e "0,/^{/s##{\n\tadmin off\n\tauto_https disable_redirects#" deploy/Caddyfile > "$work/Caddyfile"
    HOME=$work caddy validate --adapter caddyfile --config "$work/Caddyfile" > "$work/caddy.log" 2>&1 || { cat "$work/caddy.log"; failed "Caddyfile"; }
    HOME=$work caddy run --adapter caddyfile --config "$work/Caddyfile" > "$work/caddy.log" 2>&1 &
    processes+=($!)
    local certificate=$work/cert.pem
    proxied "$port"
}

# Where no server is ready, a request with a key may repeat one that was stored; one without was never sent.
balancer() {
    local port ports code
    port=$(free) ports=$(free)
    mkdir "$work/balancer"
    cp deploy/cluster/*.http "$work/balancer"
    sed -e "s#@ADDRESS@:8080#127.0.0.1:$port#" -e "s#@FOLDER@#$work/balancer#" -e "s#@CONNECTIONS@#8#" -e "s#@SERVERS@#    server app1 127.0.0.1:$ports check#" \
        -e "s#@KEYED@#    server app1 127.0.0.1:$ports track servers/app1#" deploy/cluster/balancer.cfg > "$work/balancer/haproxy.cfg"
    haproxy -c -q -f "$work/balancer/haproxy.cfg" || failed "deploy/cluster/balancer.cfg"
    haproxy -db -f "$work/balancer/haproxy.cfg" > "$work/balancer/log" 2>&1 &
    processes+=($!)
    code() { curl -sS "http://127.0.0.1:$port/v1/matches" -d '{}' "$@" | jq -r .code; }
    soon code
    test "$(code)" = unavailable || failed "the balancer without a server: $(code)"
    code=$(code -H "Idempotency-Key: 0b1f6a5e-7a51-4b62-b8a3-0d6d3b4a2c11")
    test "$code" = outcome_unknown || failed "the balancer without a server, and a key: $code"
    code -D "$work/head" > /dev/null
    readable "$work/head"
    code -D "$work/head" -H "Idempotency-Key: 0b1f6a5e-7a51-4b62-b8a3-0d6d3b4a2c11" > /dev/null
    readable "$work/head"
    # Of one address the first eight are held, and others are closed.
    python3 - "$port" << 'PYTHON' || failed "the balancer does not count the connections of an address"
import select, socket, sys

held = []
for _ in range(12):
    try:
        held.append(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10))
    except ConnectionError:
        pass
# One that is closed can be read to its end; one that waits for a request cannot.
while closed := select.select(held, [], [], 1)[0]:
    held = [connection for connection in held if connection not in closed]
print(len(held), "are held")
held[0].sendall(b"GET /readyz HTTP/1.1\r\nHost: muninn\r\n\r\n")
sys.exit(not (len(held) == 8 and held[0].recv(7) == b"HTTP/1."))
PYTHON
    test -S "$work/balancer/haproxy.sock" || failed "the balancer has no socket for its figures"
    behind "$ports"
    hangs_up curl -sS "http://127.0.0.1:$port/v1/query"
}

image() {
    local builder format=
    for builder in podman buildah docker; do
        if has "$builder" && "$builder" info > /dev/null 2>&1; then break; fi
        builder=
    done
    if test -z "$builder"; then
        not_tested "deploy/Containerfile: no podman, buildah or docker works here"
    elif ! timeout 120 "$builder" pull -q docker.io/library/debian:bookworm-slim > /dev/null 2>&1; then
        not_tested "deploy/Containerfile: $builder cannot fetch the images that it is built from"
    else
        # Only this format has health checks; docker knows no other.
        test "$builder" = docker || format="--format docker"
        # shellcheck disable=SC2086
        "$builder" build $format -f deploy/Containerfile -t muninn-test . > "$work/image.log" 2>&1 || { tail -40 "$work/image.log"; failed "the image"; }
    fi
}

# The packages for clients, of the version of the program, each with its licences and in the list of parts with its checksum.
packages() {
    local name=$1 version=$2 file
    for file in "muninn-client-$version.tgz" "muninn-react-$version.tgz" "muninn-$version-py3-none-any.whl" "muninn-$version.tar.gz"; do
        grep -q "  $file\$" "$work/dist/SHA256SUMS" || failed "no checksum of $file"
        jq -e --arg file "$file" --arg sum "$(sha256sum < "$work/dist/$file" | cut -d ' ' -f 1)" --arg version "$version" \
            '[.components[] | select(.["bom-ref"] == $file and .version == $version and .licenses[0].expression == "MIT OR Apache-2.0") | .hashes[].content] == [$sum]' \
            "$work/$name/muninn.cdx.json" > /dev/null || failed "the list of parts does not say what $file is"
        python3 - "$work/dist/$file" << 'PYTHON' || failed "$file has not both licences"
import sys, tarfile, zipfile
path = sys.argv[1]
names = zipfile.ZipFile(path).namelist() if path.endswith(".whl") else tarfile.open(path).getnames()
sys.exit(not all(any(name.endswith(licence) for name in names) for licence in ("LICENSE-MIT", "LICENSE-APACHE")))
PYTHON
    done
    # The client runs as it is packed, and is what the page in the program is built from.
    mkdir "$work/client"
    tar -C "$work/client" --strip-components=1 -xzf "$work/dist/muninn-client-$version.tgz"
    (cd "$work/client" && node --input-type=module -e 'import { Muninn } from "./src/index.js"; new Muninn("http://127.0.0.1:1")')
    test -s "$work/client/types/index.d.ts" || failed "@muninn/client has no types"
    diff -r "$work/client/src" clients/typescript/client/src || failed "@muninn/client is not its sources"
    jq -e --arg file "muninn-client-$version.tgz" '.metadata.component["bom-ref"] as $program
        | .dependencies[] | select(.ref == $program) | .dependsOn | index($file)' "$work/$name/muninn.cdx.json" > /dev/null || failed "the page is built from nothing"
    # What is generated is in both distributions of Python.
    python3 - "$work/dist/muninn-$version" << 'PYTHON' || failed "the wheel and the sources of muninn differ"
import sys, tarfile, zipfile
wheel = {name for name in zipfile.ZipFile(sys.argv[1] + "-py3-none-any.whl").namelist() if name.startswith("muninn/")}
members = (name.partition("/src/")[2] for name in tarfile.open(sys.argv[1] + ".tar.gz").getnames())
sources = {name for name in members if name.endswith((".py", ".typed"))}
print(sorted(wheel ^ sources)[:5])
sys.exit(not (wheel == sources and "muninn/_sync.py" in wheel and len(wheel) > 100))
PYTHON
    # A package of another version is none of this release.
    mkdir "$work/other"
    cp -r Cargo.toml clients docs LICENSE-MIT LICENSE-APACHE "$work/other"
    sed -i 's/^version = .*/version = "9.9.9"/' "$work/other/clients/python/pyproject.toml"
    if "$work/other/clients/pack.sh" "$work/none" > "$work/other.log" 2>&1; then failed "a package of another version is packed"; fi
    grep -q 'clients/python/pyproject.toml has another version' "$work/other.log" || failed "nobody says which version is wrong"
}

# A release of the program that tests use: complete, what its sums say, and the program in it runs.
release() {
    local name
    PROFILE=dev deploy/release.sh "$work/dist" > "$work/dist.log" 2>&1 || { cat "$work/dist.log"; failed "deploy/release.sh"; }
    (cd "$work/dist" && sha256sum --quiet -c SHA256SUMS)
    name=$(basename "$work"/dist/*.tar.zst .tar.zst)
    tar -C "$work" --zstd -xf "$work/dist/$name.tar.zst"
    test "$name" = "muninn-$("$work/$name/muninn" --version | cut -d ' ' -f 2)-$(rustc -vV | sed -n 's/^host: //p')" || failed "the name $name"
    for file in LICENSE-MIT LICENSE-APACHE NOTICE THIRD-PARTY-LICENSES.txt THIRD-PARTY-RUST.html muninn.cdx.json completions/muninn.zsh man/muninn-serve.1 \
        deploy/muninn.service docs/operating.md; do
        test -s "$work/$name/$file" || failed "the release has no $file"
    done
    # Its pages find every document that they link to.
    (cd "$work/$name" && for page in *.md docs/*.md docs/adr/*.md examples/*.md; do
        { grep -oE '\]\([^):#]+\.md' "$page" || true; } | cut -c 3- | while read -r link; do
            test -s "$(dirname "$page")/$link" || echo "$page: $link"
        done
    done) > "$work/links"
    test ! -s "$work/links" || { cat "$work/links"; failed "the release lacks documents"; }
    jq -e '[.components[] | select(.purl and (.hashes | length) != 1)] == [] and (.components | length) > 200' "$work/$name/muninn.cdx.json" > /dev/null \
        || failed "a part without a checksum"
    # What is in the program, and nothing that only tests need.
    cargo tree --locked -q -p muninn -e normal --prefix none --format '{p}' | awk 'NF && $1 != "muninn" {print $1, substr($2, 2)}' | sort -u > "$work/built"
    jq -r '.components[] | select(.name != "rust-std" and .name != "utoipa-swagger-ui-vendored" and (.["bom-ref"] | test("[.](tgz|whl|tar[.]gz)$") | not)) | .name + " " + .version' "$work/$name/muninn.cdx.json" \
        | sort -u | diff "$work/built" - || failed "the list of parts is not what the program is built of"
    packages "$name" "$("$work/$name/muninn" --version | cut -d ' ' -f 2)"
}

if has zstd && has strip && has npm; then release; else not_tested "deploy/release.sh: no zstd, strip or npm here"; fi
if has systemd-analyze; then unit; else not_tested "deploy/muninn.service: no systemd-analyze here"; fi
if has systemd-analyze && has strace && strace -o /dev/null true 2> /dev/null; then calls; forbidden; else not_tested "the system calls of the units: no strace here"; fi
certificate
if has nginx; then behind; through_nginx; else not_tested "deploy/nginx.conf: no nginx here"; fi
if has caddy; then behind; through_caddy; else not_tested "deploy/Caddyfile: no caddy here"; fi
if has haproxy; then balancer; else not_tested "deploy/cluster/balancer.cfg: no haproxy here"; fi
image
