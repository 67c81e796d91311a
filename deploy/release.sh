#!/usr/bin/env bash
# Makes a release: an archive of the program with all that belongs to it, the packages for clients, the list of parts, and their checksums. Needs
# Node with npm and Python 3.11 for the packages.
#
#   deploy/release.sh [FOLDER]      by default target/dist
#
# PROFILE=dev packs the program that tests use: to try this script, not to publish.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/dist} profile=${PROFILE:-shipped}

host=$(rustc -vV | sed -n 's/^host: //p')
if test "$profile" = shipped; then
    git diff --quiet HEAD || { echo "there are changes that are not committed" >&2; exit 1; }
    # No path of the machine that built it is in the program.
    export RUSTFLAGS="--remap-path-prefix=$PWD=. --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
    cargo build -q --locked -p muninn --profile shipped
    program=target/shipped/muninn level=19
    tests/default.sh "$program"
else
    # Built as `.ci/recipes` builds it: with other features nearly all would be built once more.
    cargo build -q --locked --workspace --bin muninn-tested --example first_match
    program=target/debug/muninn-tested level=1
fi
version=$("$program" --version | cut -d ' ' -f 2)
name=muninn-$version-$host

rm -rf "${out:?}/$name"
mkdir -p "$out/$name/completions"
strip -o "$out/$name/muninn" "$program"
for shell in bash zsh fish; do "$out/$name/muninn" completions "$shell" > "$out/$name/completions/muninn.$shell"; done
"$out/$name/muninn" man --out "$out/$name/man"
# The packages are of the same version: what is made says so.
mkdir "$out/$name/packages"
clients/pack.sh "$out/$name/packages" > /dev/null
packages=("muninn-client-$version.tgz" "muninn-react-$version.tgz" "muninn-$version-py3-none-any.whl" "muninn-$version.tar.gz")
for package in "${packages[@]}"; do
    test -s "$out/$name/packages/$package" || { echo "there is no $package: the program and the packages differ in version" >&2; exit 1; }
done
mv "$out/$name/packages"/* "$out"
rmdir "$out/$name/packages"
python3 deploy/parts.py "$out/$name" "${packages[@]/#/$out/}"
cp -r deploy docs LICENSE-MIT LICENSE-APACHE NOTICE ./*.md "$out/$name"
# What these pages link to: rules and examples, without what was installed or generated for the latter.
git ls-files -z domain/*/RULES.md examples | xargs -0 cp --parents -t "$out/$name"
cp "$out/$name/muninn.cdx.json" "$out/$name.cdx.json"

# The same sources give the same archive, byte for byte, as far as the compiler does.
tar --sort=name --mtime="@$(git log -1 --format=%ct)" --owner=0 --group=0 --numeric-owner -C "$out" -c "$name" | zstd -q -f "-$level" -T0 -o "$out/$name.tar.zst"
rm -r "${out:?}/$name"
(cd "$out" && sha256sum "$name.tar.zst" "$name.cdx.json" "${packages[@]}" > SHA256SUMS)
ls -l "$out"
