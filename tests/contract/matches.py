"""Makes matches to ask about, and prints them as variables for a shell: python3 matches.py http://127.0.0.1:8080"""
import json, sys, urllib.request

base = sys.argv[1]


def call(method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if token:
        headers["Authorization"] = "Bearer " + token
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(base + path, data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def opened(name, seats=({}, {}), **more):
    match = call("POST", "/v1/matches", {"game": "rosenkoenig", "seats": list(seats), "take_back": True, **more})
    print(f"export MUNINN_{name}={match['match']}")
    print(f"export MUNINN_{name}_TOKEN={match['seat_tokens'][0]}")
    print(f"export MUNINN_{name}_OWNER={match['owner_token']}")
    return match["match"], match["seat_tokens"]


opened("LIVE", options={"start": "red"})
opened("SPARE")
opened("OPEN", seats=({}, {"open": True}))
match, tokens = opened("FINISHED")
while (seat := call("GET", f"/v1/matches/{match}")["active_seat"]) is not None:
    legal = call("GET", f"/v1/matches/{match}/legal-commands", token=tokens[seat])["items"]
    call("POST", f"/v1/matches/{match}/commands", {"command": legal[len(legal) // 2]}, tokens[seat])
