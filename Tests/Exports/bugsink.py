"""A real Bugsink on loopback: it speaks Sentry's protocol, and can be asked what it understood."""
import contextlib
import http.client
import json
import os
import pathlib
import random
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

TOOLS = pathlib.Path(sys.executable).parent

SETTINGS = """
import os as _os
_here = _os.path.dirname(_os.path.abspath(__file__))
DATABASES["default"]["NAME"] = _os.path.join(_here, "db.sqlite3")
DATABASES["snappea"]["NAME"] = _os.path.join(_here, "snappea.sqlite3")
ALLOWED_HOSTS = ["127.0.0.1"]
BUGSINK.update({"PHONEHOME": False, "VALIDATE_ON_DIGEST": "strict", "KEEP_ENVELOPES": 1000,
                "MAX_EVENTS_PER_PROJECT_PER_5_MINUTES": %d, "INGEST_STORE_BASE_DIR": _os.path.join(_here, "ingestion")})
"""


def free_port():
    """One that nothing listens on, and that the system gives to no connection: thousands are open beside this while a server starts."""
    chance = random.SystemRandom()
    while True:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", chance.randrange(12_000, 32_000)))
            return probe.getsockname()[1]


class Bugsink:
    def __init__(self, quota):
        self.folder = tempfile.TemporaryDirectory(prefix="uptake-bugsink-", ignore_cleanup_errors=True)
        self.path = pathlib.Path(self.folder.name)
        self.port = free_port()
        self.environment = {**os.environ, "HOME": self.folder.name, "DJANGO_SETTINGS_MODULE": "bugsink_conf",
                            "PYTHONPATH": self.folder.name}
        self.tool("bugsink-create-conf", "--template=local", "--host", "127.0.0.1", "--port", str(self.port))
        with open(self.path / "bugsink_conf.py", "a") as settings:
            settings.write(SETTINGS % quota)
        self.tool("bugsink-manage", "migrate", "--no-input")
        self.tool("bugsink-manage", "migrate", "--no-input", "--database=snappea")
        self.token = self.tool("bugsink-manage", "create_auth_token").split()[-1]
        self.log = open(self.path / "server.log", "w")
        self.process = subprocess.Popen(
            [TOOLS / "gunicorn", "--workers", "1", "--threads", "2", "--no-control-socket", "--bind",
             f"127.0.0.1:{self.port}", "bugsink.wsgi"],
            cwd=self.path, env=self.environment, stdout=self.log, stderr=self.log)
        self.wait()

    def tool(self, name, *arguments):
        result = subprocess.run([TOOLS / name, *arguments], cwd=self.path, env=self.environment, capture_output=True,
                                text=True, timeout=300)
        if result.returncode != 0:
            raise AssertionError(f"{name}: {result.stdout[-2000:]}{result.stderr[-2000:]}")
        return result.stdout

    def wait(self):
        end = time.monotonic() + 120
        while time.monotonic() < end and self.process.poll() is None:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                connection.request("GET", "/health/ready")
                if connection.getresponse().status == 200:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise AssertionError("Bugsink did not start: " + (self.path / "server.log").read_text()[-2000:])

    def close(self):
        self.process.terminate()
        self.process.wait(60)
        self.log.close()
        self.folder.cleanup()

    def ask(self, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/canonical/0{path}", None if body is None else json.dumps(body).encode(),
            {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def rows(self, sql, *values):
        with sqlite3.connect(f"file:{self.path}/db.sqlite3?mode=ro", uri=True) as database:
            return database.execute(sql, values).fetchall()

    def project(self, name):
        """Makes one; its number and its DSN."""
        team = self.ask("/teams/", {"name": name})["id"]
        number = self.ask("/projects/", {"name": name, "team": team})["id"]
        return number, self.ask(f"/projects/{number}/")["dsn"]

    def events(self, project):
        """What it understood of a project's events, with their tags."""
        events = []
        for issue in self.ask(f"/issues/?project={project}")["results"]:
            for event in self.ask(f"/events/?issue={issue['id']}")["results"]:
                data = self.ask(f"/events/{event['id']}/")["data"]
                data["issue"] = issue["id"]
                data["indexed"] = dict(self.rows(
                    "SELECT k.key, v.value FROM tags_eventtag e JOIN tags_tagvalue v ON v.id = e.value_id"
                    " JOIN tags_tagkey k ON k.id = v.key_id JOIN events_event n ON n.id = e.event_id"
                    " WHERE n.event_id = ?", event["event_id"].replace("-", "")))
                events.append(data)
        return events

    def releases(self, project):
        return [release["version"] for release in self.ask(f"/releases/?project={project}")["results"]]
