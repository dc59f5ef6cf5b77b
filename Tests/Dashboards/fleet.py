"""A fleet whose newest events are of this minute, in a database made through the program, and what a test runs beside it."""
import contextlib
import datetime
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

PROGRAM = os.environ["UPTAKE_PROGRAM"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
DASHBOARDS = ROOT / "dashboards"
APP = "com.example.shop"


def run(*arguments, environment=None, check=True, **more):
    """The program as a user calls it, without any setting of this machine."""
    result = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, cwd="/",
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **(environment or {})}, **more)
    if check and result.returncode != 0:
        raise AssertionError(f"{arguments}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result


def ask(database, *arguments):
    """An answer as JSON; a verdict of stop or wait is an answer, too."""
    result = run(*arguments, "--db", database, "--app", APP, "--json", check=False)
    if result.returncode not in (0, 3, 4):
        raise AssertionError(f"{arguments}: {result.returncode}\n{result.stderr}")
    return json.loads(result.stdout)


def simulated(folder, devices=80, scenario="demo", seed=1):
    """A fleet whose last minute is the present one."""
    database, events, publications = (folder / name for name in ("uptake.db", "events.ndjson", "publications.json"))
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    run("simulate", "--scenario", scenario, "--devices", devices, "--seed", seed, "--until", words(now), "--out", events,
        "--publications", publications, "--quiet")
    run("import", events, "--db", database, "--quiet")
    run("release", "publish", "--db", database, "--from", publications)
    events.unlink()
    return database


def words(moment):
    return moment.isoformat().replace("+00:00", "Z")


def get(url, headers=None, body=None, method=None):
    """Status and text."""
    request = urllib.request.Request(url, data=body, headers=headers or {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.read().decode()


def eventually(condition, seconds=120):
    """What the condition gives once it is true; None where it never is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.1)
    return None


def free_port():
    """One that nothing listens on, and that the system gives to no connection: thousands are open beside this while a server starts."""
    chance = random.SystemRandom()
    while True:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", chance.randrange(12_000, 32_000)))
            return probe.getsockname()[1]


class Service:
    """`uptake serve` on a port that the system chose."""

    def __init__(self, database, settings="", environment=None):
        self.folder = tempfile.TemporaryDirectory(prefix="uptake-dashboards-", ignore_cleanup_errors=True)
        (pathlib.Path(self.folder.name) / "uptake.toml").write_text(settings)
        self.log = open(pathlib.Path(self.folder.name) / "log", "w+")
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--db", database, "--listen", "127.0.0.1:0", "--config", self.folder.name + "/uptake.toml"],
            stdout=subprocess.PIPE, stderr=self.log, text=True, cwd="/",
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **(environment or {})})
        line = self.process.stdout.readline()
        if "http://" not in line:
            raise AssertionError("it did not start: " + line + self.said())
        self.url = line.split("listens on ")[1].split(",")[0]

    def send(self, *events):
        return get(self.url + "/v1/events", {"Content-Type": "application/json"}, json.dumps(events).encode())

    def metrics(self):
        status, text = get(self.url + "/metrics")
        assert status == 200, text
        return text

    def said(self):
        self.log.flush()
        return pathlib.Path(self.log.name).read_text()

    def close(self):
        self.process.terminate()
        self.process.wait(60)
        self.process.stdout.close()
        self.log.close()
        self.folder.cleanup()


class Prometheus:
    """Debian's, with the shipped configuration; only who is scraped, and how often, is the test's own."""

    def __init__(self, target):
        self.folder = tempfile.TemporaryDirectory(prefix="uptake-prometheus-", ignore_cleanup_errors=True)
        folder = pathlib.Path(self.folder.name)
        for file in ("prometheus.yml", "recording.yml", "alerts.yml"):
            text = (DASHBOARDS / "prometheus" / file).read_text()
            text = text.replace("127.0.0.1:8787", target)
            (folder / file).write_text(re.sub(r"(_interval): \d+s", r"\1: 1s", text))
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.log = open(folder / "log", "w+")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address=127.0.0.1:{port}"], stdout=self.log, stderr=self.log, cwd="/")
        assert eventually(self.is_ready), self.said()

    def is_ready(self):
        try:
            return get(self.url + "/-/ready")[0] == 200
        except urllib.error.URLError:
            return False

    def api(self, path, **parameters):
        status, text = get(f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(parameters)}")
        answer = json.loads(text)
        assert status == 200 and answer["status"] == "success", (path, parameters, text)
        return answer["data"]

    def query(self, expression):
        return self.api("query", query=expression)["result"]

    def said(self):
        self.log.flush()
        return pathlib.Path(self.log.name).read_text()

    def close(self):
        self.process.terminate()
        self.process.wait(60)
        self.log.close()
        self.folder.cleanup()
