#!/usr/bin/env python3
"""A bot for a Chpok site, in one file: python3 bot.py https://chpok.example TOKEN

It accepts challenges, bids on White and calls costly features, and moves at random. Python 3.8, nothing else.
"""
import http.client
import json
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

SITE, TOKEN = sys.argv[1].rstrip("/"), sys.argv[2]
BROKEN = (urllib.error.URLError, http.client.HTTPException, OSError, ValueError)  # what a cut network looks like


def request(method, path, body=None, accept="application/json"):
    headers = {"Authorization": "Bearer " + TOKEN, "Accept": accept, "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.Request(SITE + "/api/v1" + path, data, headers, method=method)


def ask(method, path, body=None):
    """The answer and None, or None and the refusal. What gets no answer is asked again."""
    wait = 0.25
    while True:
        try:
            with urllib.request.urlopen(request(method, path, body), timeout=30) as answer:
                return json.loads(answer.read() or "null"), None
        except urllib.error.HTTPError as refused:
            if refused.code < 500 and refused.code != 429:
                return None, json.load(refused)
            wait = max(wait, float(refused.headers.get("Retry-After") or 0))
        except BROKEN as cut:
            print("trying again:", cut, flush=True)
        time.sleep(wait)
        wait = min(wait * 2, 15)


def happenings():
    """The events of the account, one after another, for ever: a stream that ends or breaks is opened where it was."""
    last, known = "", set()  # after a break the last seconds are told again
    while True:
        try:
            at = "/me/events" + ("?since=" + urllib.parse.quote(last) if last else "")
            with urllib.request.urlopen(request("GET", at, accept="application/x-ndjson"), timeout=60) as lines:
                for line in lines:  # an empty one says that the site is alive
                    if line.strip():
                        event = json.loads(line)
                        if event["id"] not in known:
                            yield event
                        last = event["id"]
                        known.add(last)
        except BROKEN as cut:
            print("trying again:", cut, flush=True)
        time.sleep(1)


def bid(state, me):
    """A bid that is always possible: call what the opponent pays too much for, take White, then spend the rest."""
    other, chips = "AB"[me == "A"], state["chips"][me]
    mine, seat = "AB".index(me), {"A": 0, "B": 1}
    gap = {target: stake[seat[other]] - stake[mine] for target, stake in state["stakes"].items()}
    if 0 < gap["features"] <= min(3, chips):
        return {"target": "features", "chips": gap["features"]}  # exactly the gap is a call: the usual features return
    if state["white"] != me and gap["white"] < chips and state["stakes"]["white"][mine] + gap["white"] < 9:
        return {"target": "white", "chips": max(1, gap["white"] + 1)}  # more than the gap is a raise
    in_force = {"homeRow": {"row": state["row"]}, "features": {"features": state["features"]}, "white": {}}
    for target in sorted(in_force, key=lambda t: abs(gap[t])):
        if gap[target] < chips:  # a raise that changes nothing but who has the last word
            return {"target": target, "chips": max(1, gap[target] + 1), **in_force[target]}
        if gap[target] == chips:
            return {"target": target, "chips": chips}


def act(state, me):
    claims = state["claims"]
    if claims["win"] == me:
        return "claim win"
    if claims["draw"]:
        return "claim draw"
    return random.choice(state["legal"]) if state["legal"] else "resign"


def turn(match):
    view, refused = ask("GET", "/matches/" + match)
    if refused or view["status"] == "over":
        return
    state, me = view["state"], view["you"]
    if view["status"] == "waiting":
        command = {"ready": True}
    elif state.get("turn") != me:
        return  # that was quick: another event will tell
    else:
        command = {"bid": bid(state, me)} if state["phase"] == "bidding" else {"act": act(state, me)}
    name = "%s-%d" % (me, view["seq"])  # the same command twice, after a cut network, is done once
    _, refused = ask("POST", "/matches/%s/commands" % match, {**command, "seq": view["seq"], "id": name})
    if refused and refused["code"] not in ("stale", "over"):
        print("refused:", command, refused, flush=True)


def main():
    me, refused = ask("GET", "/me")
    print("playing as", me["handle"] if me else refused, flush=True)
    for event in happenings() if me else ():
        if event["kind"] == "challenge" and event["challenge"]["opponent"] == me["handle"]:
            at = "/challenges/" + event["challenge"]["id"]
            if event["challenge"]["status"] == "open" and ask("POST", at + "/accept")[1]:
                ask("POST", at + "/decline", {"why": "later"})
        elif event["kind"] == "turn":
            turn(event["match"]["id"])
        elif event["kind"] == "result":
            print(event["match"]["opponent"]["handle"], event["match"]["result"], flush=True)


if __name__ == "__main__":
    main()
