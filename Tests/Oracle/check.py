"""Holds the program's answers against the oracle's, on many fleets in one database behind one service."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime

import questions
from fleets import DAY, Fleet, rfc3339

PROGRAM = os.environ["UPTAKE_PROGRAM"]
OPTIONS = {
    "adoption": [{}, {"emulators": True}, {"window": 2 * DAY}, {"clock": "release-age"}],
    "reach": [{}, {"emulators": True}, {"window": 2 * DAY}],
}
SPELLED = {"emulators": lambda _: ("emulators", "true"), "window": lambda s: ("reach-window", f"{s // 3600}h"), "clock": lambda w: ("clock", w)}


class Service:
    """One database with all fleets, and the program that answers about it."""
    def __init__(self, fleets):
        self.folder = tempfile.TemporaryDirectory(prefix="uptake-oracle-")
        events, database = pathlib.Path(self.folder.name, "events.ndjson"), pathlib.Path(self.folder.name, "uptake.db")
        events.write_text("".join(json.dumps(line) + "\n" for fleet in fleets for line in fleet.lines()))
        subprocess.run([PROGRAM, "import", events, "--db", database, "--strict", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        socket = subprocess.Popen([PROGRAM, "serve", "--db", database, "--listen", "127.0.0.1:0"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.process = socket
        self.port = next(json.loads(line)["port"] for line in socket.stderr if '"listening"' in line)
        for fleet in fleets:
            self.publish(fleet)

    def publish(self, fleet):
        for release, time, steps in fleet.published:
            body = {"app": fleet.app, "publishedAt": rfc3339(time), "rollout": [{"at": rfc3339(at), "percent": percent} for at, percent in steps]}
            request = urllib.request.Request(f"http://127.0.0.1:{self.port}/v1/releases/{release}", json.dumps(body).encode(), method="PUT")
            urllib.request.urlopen(request).read()

    def ask(self, question, fleet, release, options):
        words = {"app": fleet.app, "release": release, "now": rfc3339(fleet.now), "channel": "production"}
        words |= dict(SPELLED[name](value) for name, value in options.items())
        if question == "adoption":
            words["baseline"] = "none"
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/v1/answers/{question}?{urllib.parse.urlencode(words)}") as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def find(row, name):
    for step in name.split("."):
        row = row[int(step)] if isinstance(row, list) else (row or {}).get(step)
    return row


def same(one, other):
    if isinstance(one, float) and isinstance(other, (int, float)):
        return abs(one - other) <= 1e-9
    return one == other


def differences(service, fleet, question, release, options):
    answer = service.ask(question, fleet, release, options)
    if not answer.get("data"):
        return [("data", "an answer", answer)]
    cut_off = int(datetime.fromisoformat(answer["query"]["cutOff"]).timestamp())
    own = getattr(questions, question)(fleet, release, cut_off, **options)
    return [(name, value, found) for name, value in own if not same(value, found := find(answer["data"][0], name))]


def everything(service, fleet):
    """Every question as it is, and with one of its options."""
    for question, sets in OPTIONS.items():
        for options in (sets[0], fleet.pick.choice(sets[1:])):
            for release, _, _ in fleet.published:
                for difference in differences(service, fleet, question, release, options):
                    yield question, release, options, difference


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--fleets", type=int, default=200)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--returns", action="store_true", help="devices come back to a channel where they ran the release: see README.md")
    asked = words.parse_args()
    fleets = [Fleet(seed, asked.returns) for seed in range(asked.seed, asked.seed + asked.fleets)]
    service, wrong = Service(fleets), 0
    try:
        for seed, fleet in enumerate(fleets, asked.seed):
            found = list(everything(service, fleet))
            wrong += bool(found)
            for question, release, options, (name, own, answered) in found[:3]:
                print(f"seed {seed}, {len(fleet.devices)} devices: {question} {release} {options}: {name}: the oracle says {own}, the program {answered}")
    finally:
        service.end()
    print(f"{asked.fleets} fleets, {wrong} disagree")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
