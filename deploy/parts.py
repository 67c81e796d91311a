#!/usr/bin/env python3
"""The parts of the program: writes muninn.cdx.json (CycloneDX 1.5), THIRD-PARTY-LICENSES.txt and THIRD-PARTY-RUST.html into a folder.

python3 deploy/parts.py FOLDER [PACKAGE...]

PACKAGEs are those for clients (.tgz of npm, .whl and .tar.gz of Python) that are released beside the program: the list has them with their checksums and what
they ask for. The page in the program is built from @muninn/client, so that is a part of the program too.

The parts are what Cargo.lock resolves for the program on this kind of machine, with the features of the program and not those of tests beside it; and
the standard library of Rust, which the compiler puts into every program. Texts of licences are taken from the packages themselves, those of the C
sources in them included; a package without any is named, with its licence and its authors. A tool such as cargo-about would ask a service on the internet
and take minutes to build; this runs in CI.
"""

import email
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import uuid
import zipfile
from pathlib import Path

NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)([-._].*)?", re.IGNORECASE)
# Needed only to build, and yet in the program: the files of Swagger UI, as an archive.
EMBEDDED = {"utoipa-swagger-ui-vendored"}
CODE = {".rs", ".py", ".c", ".h", ".js", ".toml", ".json", ".html", ".yml"}


def resolved(root: Path) -> tuple[dict, list[dict], dict[str, list[str]]]:
    """Our program, all that it is made of beside our own crates, and which part needs which."""
    host = subprocess.check_output(["rustc", "-vV"], text=True).split("host: ")[1].split()[0]
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", host]
    data = json.loads(subprocess.check_output(command, cwd=root))
    packages = {package["id"]: package for package in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    program = next(package for package in packages.values() if package["name"] == "muninn")
    # Metadata unite the features of the whole workspace; this is the program alone.
    command = ["cargo", "tree", "--locked", "-p", "muninn", "-e", "normal", "--target", host, "--prefix", "none", "--format", "{p}"]
    lines = subprocess.check_output(command, cwd=root, text=True).split("\n")
    built = {tuple(line.split()[:2]) for line in lines if line}
    needs, todo = {}, [program["id"]]
    while todo:
        here = todo.pop()
        if here not in needs:
            kinds = [(dep["pkg"], {kind["kind"] for kind in dep["dep_kinds"]}) for dep in nodes[here]["deps"]]
            needs[here] = [one for one, kind in kinds if None in kind and named(packages[one]) in built or packages[one]["name"] in EMBEDDED]
            todo += needs[here]
    parts = [packages[one] for one in needs]
    graph = {purl(packages[one]): sorted(purl(packages[other]) for other in others) for one, others in needs.items()}
    return program, sorted(parts, key=lambda package: (package["name"], package["version"])), graph


def named(package: dict) -> tuple[str, str]:
    return package["name"], f"v{package['version']}"


def purl(package: dict) -> str:
    return f"pkg:cargo/{package['name']}@{package['version']}"


def texts(package: dict) -> list[str]:
    folder = Path(package["manifest_path"]).parent
    found = [path for path in folder.rglob("*") if NAMES.fullmatch(path.name) and path.suffix.lower() not in CODE and path.is_file()]
    found = [path.read_text(errors="replace") for path in sorted(found)]
    for archive in folder.glob("res/*.zip"):
        with zipfile.ZipFile(archive) as files:
            names = [name for name in files.namelist() if name.count("/") == 1 and NAMES.fullmatch(name.split("/")[1])]
            found += [files.read(name).decode(errors="replace") for name in names]
    return [text.strip() for text in found]


def licences(packages: list[dict]) -> str:
    by_text: dict[str, list[str]] = {}
    without = []
    for package in packages:
        name = f"{package['name']} {package['version']}"
        found = texts(package)
        if not found and not re.search("MIT|Apache", package["license"] or ""):
            # Those terms are in no file of ours; another package of the same authors under the same licence brings them.
            others = (other for other in packages if (other["license"], other["authors"]) == (package["license"], package["authors"]))
            found = next((text for other in others if (text := texts(other))), None)
            if not found:
                sys.exit(f"{name}: nobody brings the text of {package['license']}")
        for text in dict.fromkeys(found):
            by_text.setdefault(text, []).append(name)
        if not found:
            without.append(f"{name}: {package['license']}; {', '.join(package['authors']) or package['repository']}")
    lines = ["Muninn contains these packages under their own licences.\n"]
    lines += [f"{package['name']} {package['version']}: {package['license'] or 'see its text'}" for package in packages]
    lines += ["\nIt also contains the standard library of Rust: THIRD-PARTY-RUST.html."]
    lines += ["\nPackages that bring no text of their licence, with their authors; LICENSE-MIT and LICENSE-APACHE have the terms:\n", *without]
    for text, names in by_text.items():
        lines += ["\n" + "=" * 80, ", ".join(names) + "\n", text]
    return "\n".join(lines) + "\n"


def released(path: Path) -> dict:
    """A package for clients, as a part. It is in no registry, so it has no purl: there its name may be another's."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as files:
            name = next(name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
            about = files.read(name).decode()
    else:
        with tarfile.open(path) as files:
            npm = path.suffix == ".tgz"
            name = "package/package.json" if npm else f"{path.name.removesuffix('.tar.gz')}/PKG-INFO"
            about = files.extractfile(name).read().decode()
    if path.suffix == ".tgz":
        manifest = json.loads(about)
        name, version, licence = manifest["name"], manifest["version"], manifest["license"]
        asks = [f"{one}@{range_}" for kind in ("dependencies", "peerDependencies") for one, range_ in manifest.get(kind, {}).items()]
    else:
        metadata = email.message_from_string(about)
        name, version, licence = metadata["Name"], metadata["Version"], metadata["License-Expression"]
        asks = metadata.get_all("Requires-Dist", [])
    if f"-{version}" not in path.name:
        sys.exit(f"{path.name} is of version {version}")
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    entry = {"type": "library", "bom-ref": path.name, "name": name, "version": version, "licenses": [{"expression": licence}]}
    entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    entry["properties"] = [{"name": "muninn:asks-for", "value": one} for one in asks]
    return entry


def sbom(program: dict, packages: list[dict], graph: dict[str, list[str]], sums: dict, clients: list[dict]) -> dict:
    def part(package: dict, kind: str) -> dict:
        name, version = package["name"], package["version"]
        # Old packages write a slash for "or".
        licence = (package["license"] or "NOASSERTION").replace("/", " OR ").replace("  ", " ")
        entry = {"type": kind, "bom-ref": purl(package), "name": name, "version": version, "licenses": [{"expression": licence}]}
        # Ours are in no registry, where others have their names.
        if package["source"]:
            entry["purl"] = purl(package)
        if checksum := sums.get((name, version)):
            entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        return entry

    components = [part(package, "library") for package in packages if package is not program]
    rust = subprocess.check_output(["rustc", "--version"], text=True).split()[1]
    licence = [{"expression": "MIT OR Apache-2.0"}]
    components.append({"type": "library", "bom-ref": "rust-std", "name": "rust-std", "version": rust, "licenses": licence})
    graph[purl(program)] = [*graph[purl(program)], "rust-std", *(client["bom-ref"] for client in clients if client["name"] == "@muninn/client")]
    for client in clients:
        if client["version"] != program["version"]:
            sys.exit(f"{client['bom-ref']} is of another version than the program")
        needs = {entry["value"].split("@")[1] for entry in client["properties"] if entry["value"].startswith("@muninn/")}
        graph[client["bom-ref"]] = [other["bom-ref"] for other in clients if other["name"].removeprefix("@") in needs]
    components += clients
    # The same sources give the same file: its number is made of what it lists.
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(components))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        "metadata": {"component": part(program, "application")},
        "components": components,
        "dependencies": [{"ref": one, "dependsOn": others} for one, others in sorted(graph.items())],
    }


def main() -> None:
    root, out, clients = Path(__file__).resolve().parent.parent, Path(sys.argv[1]), [released(Path(path)) for path in sys.argv[2:]]
    program, packages, graph = resolved(root)
    foreign = [package for package in packages if package["source"]]
    lock = tomllib.loads((root / "Cargo.lock").read_text())["package"]
    sums = {(entry["name"], entry["version"]): entry.get("checksum") for entry in lock}
    out.mkdir(parents=True, exist_ok=True)
    sysroot = subprocess.check_output(["rustc", "--print", "sysroot"], text=True).strip()
    shutil.copyfile(f"{sysroot}/share/doc/rust/COPYRIGHT-library.html", out / "THIRD-PARTY-RUST.html")
    (out / "THIRD-PARTY-LICENSES.txt").write_text(licences(foreign))
    (out / "muninn.cdx.json").write_text(json.dumps(sbom(program, packages, graph, sums, clients), indent=1) + "\n")
    print(f"{len(foreign)} packages of others")


main()
