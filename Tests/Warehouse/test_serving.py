"""`serve --db clickhouse://…`: answers and pages of a warehouse by a service that stores nothing."""

import json
import pathlib
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from cluster import PASSWORD, shared
from program import NOW, Ended, Files, done, run, start
from proxy import Proxy


class Serving(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files, server = Files(), shared().servers[0]
        cls.addClassCleanup(cls.files.remove)
        cls.proxy = Proxy(server.http)
        cls.address = shared().address("serving", servers=[cls.proxy])
        done("warehouse", "init", "--db", cls.address)
        cls.file = cls.files.database("serving", cls.files.lines)
        done("ship", "--db", cls.file, "--to", cls.address)

    def serve(self, place, *more):
        service = start("serve", "--db", place, "--listen", "127.0.0.1:0", *more)
        self.addCleanup(service.communicate)
        self.addCleanup(service.kill)
        line = service.stdout.readline()
        self.assertNotIn(PASSWORD, line)
        return service, line.split("listens on ")[1].split(",")[0]

    def ask(self, url, method="GET", body=None, **headers):
        request = urllib.request.Request(url, body and body.encode(), headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read().decode()

    def data(self, url):
        status, _, body = self.ask(url)
        self.assertEqual(status, 200, body)
        return json.loads(body)["data"]

    def test_the_next_command_names_the_warehouse_and_no_password(self):
        # Ages are in seconds: both are asked as of one.
        ended = run("releases", "--now", NOW, "--db", self.address)
        self.assertIn(f" --db {self.address}", ended.errors.splitlines()[-1])
        self.assertTrue(ended.errors.splitlines()[-1].startswith("next: uptake "), ended.errors)
        told = run("releases", "--now", NOW, "--db", self.address.replace("uptake@", f"uptake:{PASSWORD}@"))
        self.assertEqual(told.output, ended.output)
        self.assertNotIn("next: ", told.errors)
        self.assertNotIn(PASSWORD, told.errors)

    def test_answers_and_pages(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        _, ours = self.serve(self.file)
        service, theirs = self.serve(self.address, "--reports", folder.name)
        for question in "channels", "funnel?release=4.4.0", "mechanisms?release=4.4.0", "failures?release=4.4.0":
            path = f"/v1/answers/{question}{'&' if '?' in question else '?'}now={NOW}"
            self.assertEqual(self.data(theirs + path), self.data(ours + path), question)
        self.assertEqual(self.data(theirs + "/v1/releases"), self.data(ours + "/v1/releases"))
        self.assertEqual(self.ask(theirs + "/readyz")[0], 200)
        deadline = time.monotonic() + 180
        while "4.4.0" not in (page := self.ask(theirs + "/index.html"))[2]:
            self.assertLess(time.monotonic(), deadline, page)
            time.sleep(0.5)
        service.terminate()
        ended = Ended(service)
        self.assertEqual(ended.status, 0, ended.errors)
        self.assertNotIn(PASSWORD, ended.errors)

    def test_stores_nothing(self):
        """Who sends something is told where to; what comes by mistake is not thrown away by its client."""
        _, url = self.serve(self.address)
        for method, path, body in (
            ("POST", "/v1/events", self.files.lines[0]), ("PUT", "/v1/releases/9.9.9", '{"channel":"beta"}'),
            ("DELETE", "/v1/devices/x?app=com.example.shop", None),
        ):
            status, headers, text = self.ask(url + path, method, body, **{"Content-Type": "application/json"})
            self.assertEqual((status, json.loads(text)["error"]["code"]), (503, "only_answers"), path)
            self.assertTrue(headers["Retry-After"])
        for path in "/v1/pulse", "/v1/answers/breadcrumbs?device=x&app=com.example.shop":
            status, _, text = self.ask(url + path)
            self.assertEqual((status, json.loads(text)["error"]["code"]), (404, "only_in_files"), path)

    def test_warehouse_is_gone(self):
        """No answer, soon, and no word about where it was; the service goes on."""
        proxy = Proxy(shared().servers[0].http)
        service, url = self.serve(shared().address("serving", servers=[proxy]))
        self.assertGreater(len(self.data(url + "/v1/answers/channels")), 0)
        proxy.stop()
        status, headers, text = self.ask(url + "/v1/answers/channels")
        self.assertEqual((status, headers["Retry-After"]), (503, "5"), text)
        self.assertNotIn("127.0.0.1", text)
        self.assertEqual(self.ask(url + "/healthz")[0], 200)

    def test_keys(self):
        """Of a file that has them; without any only this machine may ask."""
        keys = self.files.folder / "keys.db"
        secret = done("key", "create", "--app", "com.example.shop", "--scope", "read", "--db", keys).output.strip().splitlines()[-1]
        _, url = self.serve(self.address, "--keys", keys)
        self.assertEqual(self.ask(url + "/v1/answers/channels")[0], 401)
        self.assertEqual(self.ask(url + "/v1/answers/channels", **{"X-Uptake-Key": secret.split()[-1]})[0], 200)
        for code, words in {
            "no_keys": ["--db", self.address, "--listen", "0.0.0.0:0"],
            "keys_unused": ["--db", self.file, "--keys", keys],
            "for_nodes": ["--db", self.address, "--ship", self.address],
        }.items():
            ended = run("serve", *words)
            self.assertEqual((ended.status, json.loads(ended.errors.splitlines()[-1])["code"]), (2, code), ended.errors)
        self.assertEqual(list(pathlib.Path(tempfile.gettempdir()).glob("uptake-keys.*/*.reserve")), [])


if __name__ == "__main__":
    unittest.main()
