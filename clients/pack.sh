#!/usr/bin/env bash
# Makes the packages of clients/ and packs them: clients/pack.sh FOLDER [WORK]. In FOLDER are then two .tgz for npm, and for Python a wheel and its
# sources, all of the version of the server. Everything happens in WORK, which stays, by default in a folder of its own, which goes. Needs Node
# with npm and Python 3.11; no server and nothing of Rust.
set -euo pipefail
mkdir -p "$1" && out=$(realpath "$1")
if [ "${2:-}" ]; then work=$(realpath "$2"); else work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT; fi
cd "$(dirname "$0")/.."
root=$PWD
export PIP_DISABLE_PIP_VERSION_CHECK=1

# Packages have the version of the server.
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
for file in clients/typescript/{client,react}/package.json clients/python/pyproject.toml; do
    grep -qE "^ *\"?version\"?( =|:) \"$version\"" "$file" || { echo "$file has another version than $version" >&2; exit 1; }
done
grep -q "\"@muninn/client\": \"$version\"" clients/typescript/react/package.json \
    || { echo "clients/typescript/react/package.json asks for another @muninn/client than $version" >&2; exit 1; }

cp -r clients/typescript clients/python "$work"
for place in typescript/client typescript/react python; do cp clients/CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$work/$place"; done
# A package is read where it is installed: the page of the documents, without links.
for place in typescript/client typescript/react; do sed -E 's/\[([^]]*)\]\([^)]*\)/\1/g' docs/clients.md > "$work/$place/README.md"; done

typescript() {
    cd "$work/typescript"
    npm install --no-audit --no-fund --loglevel=error
    MUNINN_DOCUMENT="$root/openapi/openapi.json" npm run -s generate > /dev/null
    npm run -s build
    npm pack --silent --pack-destination "$out" -w client -w react
}

python() {
    cd "$work/python"
    python3 -m venv made && made/bin/pip install -q openapi-python-client==0.29.1 ruff==0.17.6 hatchling==1.33.0
    PATH="$PWD/made/bin:$PATH" ./generate.sh "$root/openapi/openapi.json" > generated.log 2>&1 || { cat generated.log; return 1; }
    # The generator leaves out what it does not understand, and goes on.
    if grep -A 3 'resulted in the removal' generated.log; then return 1; fi
    made/bin/hatchling build -t sdist -t wheel -d "$out"
}

# In the background, where a failure ends them: after `||` it would not.
typescript > "$work/typescript.log" 2>&1 &
background=$!
python > "$work/python.log" 2>&1 &
failed=
for process in $background $!; do wait "$process" || failed=yes; done
if [ "$failed" ]; then cat "$work/typescript.log" "$work/python.log" >&2; exit 1; fi
# Nothing else is in there, and each has the version in its name.
(cd "$out" && ls "muninn-client-$version.tgz" "muninn-react-$version.tgz" "muninn-$version-py3-none-any.whl" "muninn-$version.tar.gz")
