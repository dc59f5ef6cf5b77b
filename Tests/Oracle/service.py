"""One database with all fleets, and the program that answers about it."""
import http.client
import json
import os
import pathlib
import subprocess
import tempfile
import urllib.parse

from fleets import rfc3339

PROGRAM = os.environ.get("UPTAKE_PROGRAM", "uptake")
SPELLED = {"emulators": lambda _: [("emulators", "true")], "window": lambda s: [("reach-window", f"{s // 3600}h")], "level": lambda n: [("ci", n)],
           "where": lambda w: [("where", f"{field}={','.join(values)}") for field, values in w.items()]}
FREE = ("push", "wakeups", "channels", "releases")


class Service:
    def __init__(self, fleets):
        self.folder = tempfile.TemporaryDirectory(prefix="uptake-oracle-", ignore_cleanup_errors=True)
        events, self.database = pathlib.Path(self.folder.name, "events.ndjson"), pathlib.Path(self.folder.name, "uptake.db")
        events.write_text("".join(json.dumps(line) + "\n" for fleet in fleets for line in fleet.lines()))
        subprocess.run([PROGRAM, "import", events, "--db", self.database, "--strict", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        listen = [PROGRAM, "serve", "--db", self.database, "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(listen, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        port = next(json.loads(line)["port"] for line in self.process.stderr if '"listening"' in line)
        self.line = http.client.HTTPConnection("127.0.0.1", port)
        for fleet in fleets:
            self.publish(fleet)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.line.close()
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()

    def send(self, method, address, body=None):
        self.line.request(method, address, body)
        return json.loads(self.line.getresponse().read() or "{}")

    def publish(self, fleet):
        for release, time, steps in fleet.published:
            body = {"app": fleet.app, "publishedAt": rfc3339(time), "rollout": [{"at": rfc3339(at), "percent": percent} for at, percent in steps]}
            self.send("PUT", f"/v1/releases/{release}", json.dumps(body))

    def ask(self, question, fleet, release, options):
        return self.send("GET", f"/v1/answers/{question}?{urllib.parse.urlencode(parameters(question, fleet, release, options))}")


def parameters(question, fleet, release, options):
    words = [("app", fleet.app), ("now", rfc3339(fleet.now))] + ([] if "channel" in options else [("channel", "production")])
    words += [] if question in FREE else [("release", release)]
    for name, value in options.items():
        words += SPELLED.get(name, lambda word, name=name: [(name, word)])(value)
    return words + ([("baseline", "none")] if question == "adoption" else [])
