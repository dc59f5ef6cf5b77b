"""A service that says go on, one that says stop and one that says wait, and a server that tests answer for."""
import atexit
import datetime
import functools
import http.server
import json
import pathlib
import subprocess
import tempfile
import threading
import unittest

from fleet import ROOT, Service, ask, get, simulated, words

RECIPES = ROOT / "docs/recipes"
PATH = "/usr/bin:/bin"


@functools.cache
def deciding():
    """A folder, and the service by decision; made once, gone with the process."""
    folder, services = tempfile.TemporaryDirectory(prefix="uptake-recipes-", ignore_cleanup_errors=True), {}
    for decision, scenario, devices in (("goOn", "healthy", 700), ("stop", "crashes-on", 700), ("wait", "demo", 40)):
        services[decision] = Service(decided(pathlib.Path(folder.name), decision, scenario, devices))
        atexit.register(services[decision].close)
    return folder, services


def decided(folder, decision, scenario, devices):
    """A fleet that is judged so at this minute, and for as long as the tests take: a small one is not at all times of day what its
    scenario is in the large."""
    for seed in range(1, 17):
        place = folder / f"{decision}-{seed}"
        place.mkdir()
        database = simulated(place, devices, scenario, seed)
        present = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        if {judged(database, present + datetime.timedelta(minutes=minutes)) for minutes in (0, 5, 10, 20)} == {decision}:
            return database
    raise AssertionError(f"no fleet of {scenario} is judged as {decision}")


def judged(database, moment):
    return ask(database, "verdict", "--channel", "production", "--now", words(moment))["data"][0]["decision"]


class Services(unittest.TestCase):
    """For all tests; what they register changes no decision."""

    @classmethod
    def setUpClass(cls):
        cls.folder, cls.services = deciding()

    def place(self, decision):
        """The service that decides so, and the release it says that of."""
        service = self.services[decision]
        found = json.loads(get(service.url + "/v1/answers/verdict?channel=production")[1])["data"][0]
        self.assertEqual(found["decision"], decision)
        return service, found["release"]

    def wait(self, service, release, *arguments, url=None, channel="production", **environment):
        return subprocess.run(
            [ROOT / "scripts/wait-for-verdict", "--release", release, "--channel", channel, "--wait", "2s", "--every", "1s", *arguments],
            capture_output=True, text=True, timeout=180,
            env={"PATH": PATH, "UPTAKE_URL": url or service.url, **environment})


def listening(test, answer):
    """A server that answers with status, headers and JSON."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            length = int(self.headers.get("Content-Length") or 0)
            self.body = json.loads(self.rfile.read(length)) if length else None
            status, headers, body = answer(self)
            data = json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_PATCH = do_PUT = do_GET

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    return server
