#!/usr/bin/env python3
"""A club's evening from one terminal: python3 evening.py https://chpok.example TOKEN CLUB

Holds a Swiss of three rounds for the club with this id, in the name of whom the token (scope organize) belongs to. Players
come from standard input, "Name; rating" or a handle on each line, up to an empty line. Then each line is an order, until
the evening is signed off:

  1 1-0            result of board 1 in the open round: 1-0, 0-1, 1/2-1/2, or +/-, -/+, -/- for those who have not come
  correct 1 2 0-1  what was right at board 2 of round 1
  late NAME; 1500  somebody who comes late
  gone 3           entry 3 has gone home
  bye 3            entry 3 has half a point for the next round
  next             pair and open the next round
  table            show the table
  end              sign the evening off, after the last round

Python 3.8, nothing else.
"""
import json
import sys
import time
import urllib.error
import urllib.request

SITE, TOKEN, CLUB = sys.argv[1].rstrip("/"), sys.argv[2], sys.argv[3]


class Refused(Exception):
    """What the site says against it, in words."""


def ask(method, path, body=None, kind="application/json"):
    """The answer of an operation. A busy site is asked again when it says so."""
    headers = {"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json", "Accept": kind}
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(SITE + "/api/v1" + path, data, headers, method=method)) as answer:
                said = answer.read().decode()
                return json.loads(said) if said and kind == "application/json" else said
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503):
                raise Refused(json.load(error)["title"])
            time.sleep(float(error.headers.get("Retry-After") or 1))


def show(the_round):
    print("Round", the_round["round"])
    for x in the_round["pairings"]:
        print("%3d. %s – %s  %s" % (x["board"], x["first"]["name"], x["second"]["name"], x.get("result") or ""))
    for x in the_round.get("byes") or []:
        print("     %s has a bye" % x["name"])


def evening():
    made = ask("POST", "/tournaments", {"name": time.strftime("Evening of %B %d"), "clubId": CLUB, "format": "swiss", "rounds": 3,
                                        "pace": "manual"})
    here = "/tournaments/" + made["id"]
    print(SITE + here)
    ask("POST", here + "/registration")
    players = []
    for line in sys.stdin:
        if not line.strip():
            break
        players.append(line.strip())
    enter(here, players)
    ask("POST", here + "/start")
    for line in sys.stdin:
        try:
            if order(here, line.split()):
                return
        except Refused as why:
            print("!", why)
        except (ValueError, IndexError):
            print("! I read no order in:", line.strip())


def enter(here, lines):
    for x in ask("POST", here + "/lists", {"list": "\n".join(lines)})["lines"]:
        if x.get("error"):
            print("! line %d: %s" % (x["line"], x["error"]))
    for x in ask("GET", here)["entries"]:
        print("%3d  %s  %s" % (x["entry"], x["name"], x["status"]))


def order(here, words):
    """Carries an order out; true after the last one."""
    what, rest = (words or ["table"])[0], words[1:]
    if what == "next":
        show(ask("POST", here + "/rounds"))
    elif what == "late":
        enter(here, [" ".join(rest)])
    elif what == "gone":
        ask("POST", "%s/entries/%d/withdrawal" % (here, int(rest[0])))
    elif what == "bye":
        now = len(ask("GET", here).get("rounds") or [])
        ask("POST", "%s/entries/%d/byes" % (here, int(rest[0])), {"round": now + 1, "kind": "half"})
    elif what == "correct":
        right = {"round": int(rest[0]), "board": int(rest[1]), "result": rest[2], "reach": "from-now", "reason": "Written down wrongly"}
        seen = "?shown=%d" % ask("GET", here)["version"]
        for x in ask("POST", here + "/corrections" + seen, dict(right, dryRun=True))["standings"]:
            print("%3d. %s  %s" % (x["rank"], x["player"]["name"], x["score"]))
        ask("POST", here + "/corrections" + seen, right)
    elif what == "table":
        print(ask("GET", here + "?csv=standings", kind="text/csv"), end="")
    elif what == "end":
        ask("POST", here + "/steps", {"step": "finalize"})
        print(ask("GET", here + "?csv=standings", kind="text/csv"), end="")
        return True
    else:
        now = len(ask("GET", here)["rounds"])
        show(ask("POST", here + "/results", {"round": now, "board": int(what), "result": rest[0]}))
    return False


evening()
