#!/bin/sh
# Makes what is in no commit: the operations and models of the document (muninn.rest), names for what has a model in each game (muninn/games.py), and
# the client without `await` (muninn/_sync.py).
# Needs openapi-python-client and ruff in PATH. The first argument is the document, by default that of this repository.
set -eu
cd "$(dirname "$0")"
document=${1:-../../openapi/openapi.json}
openapi-python-client generate --path "$document" --config config.yaml --meta none --output-path src/muninn/rest --overwrite
python3 - "$document" > src/muninn/games.py <<'PROGRAM'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as document:
    requests = json.load(document)["components"]["schemas"]["OpenRequest"]["discriminator"]["mapping"]
games = {game: schema.rsplit("/", 1)[1].removesuffix("OpenRequest") for game, schema in requests.items()}
print('"""Made by generate.sh of the document: names for what has a model in each game."""\n')
print("from typing import TypeAlias\n\nfrom .rest import models as m\n")
for name in ["OpenRequest", "MatchInfo", "View", "CommitEntry", "CommandPage", "HalfCommand"]:
    print(f"{name}: TypeAlias = {' | '.join(f'm.{game}{name}' for game in games.values())}")
print("\nCOMMIT_ENTRIES: dict[str, type[CommitEntry]] = {")
for game, model in games.items():
    print(f'    "{game}": m.{model}CommitEntry,')
print("}")
PROGRAM
sed -e '1s/.*/"""Made by generate.sh of _async.py: change that one."""/' \
    -e 's/\basync def/def/g; s/\basync with/with/g; s/\basync for/for/g; s/\bawait //g; s/asyncio_detailed/sync_detailed/g; s/asyncio\.sleep/time.sleep/g; s/import asyncio/import time/' \
    -e 's/\bAsync\(Muninn\|Match\|Opened\)/\1/g; s/AsyncGenerator\[\(.*\), None\]/Generator[\1, None, None]/; s/AsyncGenerator/Generator/; s/AbstractAsyncContextManager/AbstractContextManager/g; s/AsyncClient/Client/g; s/\([gs]et\)_async_httpx/\1_httpx/g' \
    -e 's/__aenter__/__enter__/g; s/__aexit__/__exit__/g; s/__anext__/__next__/g; s/\baiter_/iter_/g; s/\baread/read/g; s/\baclos/clos/g' \
    -e 's/Awaitable\[Response\[T\]\]/Response[T]/g; s/, Awaitable//' \
    src/muninn/_async.py > src/muninn/_sync.py
