"""Whoever may reach the port without having shown anything: what they cost, and what a browser does for other sites."""
import gzip
import itertools
import json
import os
import subprocess
import threading
import time
import unittest

from service import PROGRAM, Client, Gone, Service, read, request, scaled, scratch

DEPLOY = "/v0.1/public/codepush/report_status/deploy"
REPORT = json.dumps({"app_version": "1", "deployment_key": "DK", "client_unique_id": "d", "label": "v2",
                     "status": "DeploymentSucceeded"}).encode()
CHECK = b'{"device":"d","stage":"check","app":"a"}'


def key(directory, *words):
    command = [PROGRAM, "key", "create", "--db", directory / "uptake.db", "--app", "a", "--scope", "ingest", *words]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()


def hold(port, path, size, source, **headers):
    """Sends a body but for its end; answers the connection, or None where it was ended."""
    client = Client(port, source=source)
    head = request("POST", path, **headers).replace(b"Content-Length: 0", b"Content-Length: %d" % (size + 1))
    try:
        client.socket.sendall(head + bytes(size))
        return client
    except OSError:
        return None


class UnfinishedBodies(unittest.TestCase):
    """Holding bodies costs memory; whoever sends a small one is served all the same."""

    def held(self, path, count, size, honest_body, **headers):
        directory = scratch()
        key(directory, "--for", "codepush:DK")
        if path == "/v1/events":
            headers["X_Uptake_Key"] = key(directory)
        with Service("--body-timeout", "60s", directory=directory) as service:
            held = [hold(service.port, path, size, f"127.0.0.{2 + number % 2}", **headers) for number in range(count)]
            self.assertEqual(len(held), count)
            memory = service.status("VmRSS")
            start = time.monotonic()
            answer = service.ask("POST", path, honest_body, Content_Type="application/json", **headers)
            self.assertEqual(answer.status, 200, answer)
            self.assertLess(time.monotonic() - start, 20, "the bodies end after a minute")
            larger = Client(service.port, source="127.0.0.9")
            answer = larger.ask("POST", path, honest_body + b" " * 2_000_000, Content_Type="application/json", **headers)
            self.assertEqual(answer.status, 200, "who holds little is not the one to give way")
            self.assertGreater(service.status("VmRSS"), 0)
        return memory >> 10

    def test_of_strangers_cost_little(self):
        memory = self.held(DEPLOY, 200, 6_000_000, REPORT)
        self.assertLess(memory, 160, "megabytes")

    def test_of_those_with_a_public_key_are_bounded_too(self):
        memory = self.held("/v1/events", 200, 6_000_000, CHECK)
        self.assertLess(memory, 700, "megabytes")


class Nonsense(unittest.TestCase):
    """What costs much to read is bounded, and read beside the requests of others."""

    def beside(self, body, **headers):
        """Six such bodies at once; answers what they were told, how long an honest request took at most, and the memory."""
        with Service() as service:
            answers, slowest = [], 0
            service.ask("POST", "/v1/events", CHECK)

            def send(_):
                client = Client(service.port)
                answers.append(client.ask("POST", "/v1/events", body, **headers))

            threads = [threading.Thread(target=send, args=(number,), daemon=True) for number in range(6)]
            for thread in threads:
                thread.start()
            honest = Client(service.port)
            while any(thread.is_alive() for thread in threads):
                start = time.monotonic()
                self.assertEqual(honest.ask("POST", "/v1/events", CHECK).status, 200)
                slowest = max(slowest, time.monotonic() - start)
                time.sleep(0.02)
            for thread in threads:
                thread.join()
            return [(answer.status, answer.code) for answer in answers], slowest, service.status("VmHWM") >> 10

    def hold_nobody_up(self, body, told, **headers):
        """Within a second in one attempt of three: others may keep the machine busy in between."""
        times = []
        while len(times) < 3 and (not times or times[-1] >= 1):
            answers, slowest, memory = self.beside(body, **headers)
            self.assertEqual(set(answers), {told})
            self.assertLess(memory, 500, "megabytes")
            times.append(slowest)
        self.assertLess(min(times), 1)

    def test_millions_of_refused_items_hold_nobody_up(self):
        for body in [b"{}\n" * 850_000, b"[" + b"0," * 1_250_000 + b"0]"]:
            self.hold_nobody_up(body, (400, "too_many_rejected"))

    def test_millions_of_tiny_events_hold_nobody_up(self):
        events = b"".join(b'{"device":"%d","stage":"check","app":"a"}\n' % number for number in range(950_000))
        self.hold_nobody_up(gzip.compress(events, 1), (413, "too_many_events"), Content_Encoding="gzip")

    def test_nothing_of_such_a_body_is_stored_and_others_are_whole(self):
        with Service() as service:
            some = b"".join(b'{"device":"%d","stage":"check","app":"a"}\n' % number for number in range(30_000))
            self.assertEqual(service.ask("POST", "/v1/events", some + b"{}\n" * 10_000).json["rejected"], 10_000)
            refused = service.ask("POST", "/v1/events", some.replace(b'"app"', b'"id":"1","app"') + b"{}\n" * 10_001)
            self.assertEqual((refused.status, refused.code), (400, "too_many_rejected"))
            self.assertIn("event 30000: ", refused.json["error"]["message"])
            self.assertEqual(read(service.database, "SELECT count(*) FROM event"), [(30_000,)])


class LongWords(unittest.TestCase):
    """What is remembered of requests is bounded in bytes, not in words only."""

    def grown(self, service, send):
        send(0)
        before = service.status("VmRSS")
        for number in range(1, 40):
            send(number)
        return (service.status("VmRSS") - before) >> 10

    def test_a_name_that_no_event_may_have_is_not_remembered(self):
        directory = scratch()
        secret = key(directory)

        def report(number):
            return json.dumps({"action": "download_0", "device_id": f"d{number}", "app_id": "a", "version_build": "1", "platform": "ios",
                               "plugin_version": "7.50.0", "version_name": f"{number}" + "x" * 4_000_000}).encode()

        with Service(directory=directory) as service:
            client = Client(service.port)
            self.assertLess(self.grown(service, lambda number: client.ask(
                "POST", "/stats", report(number), Content_Type="application/json", X_Uptake_Key=secret)), 80, "megabytes of 160")

    def test_combinations_of_long_words_cost_little(self):
        directory = scratch()
        secret = key(directory)
        tags = {f"tag{name:027}": "v" * 32 for name in range(8)}

        def combinations(number):
            return "\n".join(json.dumps({
                "device": "d", "stage": "check", "app": "a", "osVersion": f"{number}-" + "o" * 50, "appVersion": f"{one}" + "a" * 60,
                "sdkVersion": "s" * 64, "arm": "r" * 64, "tags": tags}) for one in range(1000)).encode()

        # Whose own memory would hide what is looked for.
        with Service("--duplicate-window", "1000", "--fold-after", "1h", directory=directory) as service:
            client = Client(service.port)
            self.assertLess(self.grown(service, lambda number: self.assertEqual(200, client.ask(
                "POST", "/v1/events", combinations(number), Content_Type="application/x-ndjson", X_Uptake_Key=secret).status)), 55, "megabytes")


class OtherSites(unittest.TestCase):
    """Without keys this machine may do everything: a page of another site, shown on it, may not."""

    #: Headers that a browser sends, and whether somebody on this machine wants what they ask for.
    ASKED = [
        ({"Host": "localhost"}, True), ({"Host": "127.0.0.1:8787"}, True), ({"Host": "[::1]:8787"}, True),
        ({"Host": "LOCALHOST:1"}, True), ({"Host": "10.0.2.2:8787"}, True),
        ({"Host": "evil.example"}, False), ({"Host": "evil.example:8787"}, False), ({"Host": "localhost.evil.example"}, False),
        ({"Host": "127.0.0.1.evil.example"}, False), ({"Host": ""}, False),
        ({"Host": "localhost:80@evil.example"}, False), ({"Host": "127.0.0.1:80.evil.example"}, False),
        ({"Host": "[::1]evil.example"}, False), ({"Origin": "http://localhost:80@evil.example"}, False),
        ({"Origin": "http://localhost:3000"}, True), ({"Origin": "capacitor://localhost"}, True),
        ({"Origin": "https://evil.example"}, False), ({"Origin": "null"}, False), ({"Origin": "http://localhost.evil.example"}, False),
        ({"Sec-Fetch-Site": "same-origin"}, True), ({"Sec-Fetch-Site": "none"}, True),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, False),
    ]
    ROUTES = [
        ("POST", "/v1/events", CHECK), ("PUT", "/v1/releases/1", b'{"app":"a"}'), ("DELETE", "/v1/devices/d?app=a", b""),
        ("GET", "/v1/answers/releases", b""), ("GET", "/metrics", b""), ("POST", "/stats?app=a", b"{}"),
        ("GET", "/updateCheck?deployment_key=DK&app_version=1&client_unique_id=x&label=v1&app=a", b""), ("POST", DEPLOY, REPORT)]

    def ask(self, port, method, path, body, asked):
        client = Client(port)
        fields = {"Host": "localhost", "Content-Length": len(body), **asked}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        client.send(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        return client.receive()

    def test_neither_its_requests_nor_its_name_bound_to_this_machine_do_anything(self):
        with Service() as service:
            for (method, path, body), (asked, is_wanted) in itertools.product(self.ROUTES, self.ASKED):
                answer = self.ask(service.port, method, path, body, asked)
                refused = answer.status == 403 and answer.code in ("foreign_host", "foreign_origin")
                self.assertEqual(refused, not is_wanted, (method, path, asked, answer))
            self.assertEqual(self.ask(service.port, "GET", "/healthz", b"", {"Host": "evil.example"}).status, 200)

    def test_a_link_shows_something_and_stores_nothing(self):
        with Service() as service:
            link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
            service.ask("POST", "/v1/events", CHECK)
            self.assertEqual(self.ask(service.port, "GET", "/v1/answers/releases?app=a", b"", link).status, 200)
            method, path, body = self.ROUTES[-2]
            self.assertEqual(self.ask(service.port, method, path, body, link).code, "foreign_origin")
            self.assertEqual(read(service.database, "SELECT count(*) FROM event"), [(1,)])

    def test_a_form_cannot_make_events(self):
        with Service() as service:
            for kind, status in [("text/plain", 415), ("text/plain;charset=UTF-8", 415), ("multipart/form-data", 415),
                                 ("application/json", 200), ("application/x-ndjson", 200),
                                 ("application/x-www-form-urlencoded", 200)]:
                self.assertEqual(service.ask("POST", "/v1/events", CHECK, Content_Type=kind).status, status, kind)

    def test_with_keys_names_and_pages_do_not_matter(self):
        directory = scratch()
        secret = key(directory)
        with Service(directory=directory) as service:
            for asked, _ in self.ASKED:
                answer = self.ask(service.port, "POST", "/v1/events", CHECK, {**asked, "X-Uptake-Key": secret})
                self.assertEqual(answer.status, 200, asked)
            self.assertEqual(
                service.ask("POST", "/v1/events", CHECK, X_Uptake_Key=secret, Content_Type="text/plain").status, 200)


class Files(unittest.TestCase):
    """What holds keys or events is its owner's alone, whatever the user's mask says."""

    def modes(self, directory):
        return {str(path.relative_to(directory)): oct(path.stat().st_mode & 0o777)
                for path in directory.rglob("*") if path.is_file()}

    def test_every_file_is_its_owners(self):
        for mask in (0o000, 0o022, 0o077):
            directory = scratch()
            database = directory / "uptake.db"
            old = os.umask(mask)
            try:
                with Service("--reserve", "1MiB", directory=directory) as service:
                    service.ask("POST", "/v1/events", CHECK)
                    self.check(directory, "uptake.db", "uptake.db-wal", "uptake.db-shm", "uptake.db.reserve")
                    self.assertEqual(service.stop(), 0)
                    saved = {path.name: path.read_bytes() for path in directory.iterdir()}
                directory.mkdir()
                (directory / "events.ndjson").write_bytes(CHECK.replace(b"}", b',"at":"2025-01-01T00:00:00Z"}'))
                os.chmod(directory / "events.ndjson", 0o600)
                for words in [["import", directory / "events.ndjson", "--rejects", directory / "refused.ndjson"],
                              ["export", "events", "--format", "parquet", "--output", directory / "events.parquet"],
                              ["backup", directory / "copy.db"],
                              ["retain", "--raw", "1s", "--archive", directory / "archive"], ["forget", "d", "--app", "a"],
                              ["doctor", "--salvage", directory / "saved.db"]]:
                    done = subprocess.run([PROGRAM, *words, "--db", database], capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, (words, done.stderr))
            finally:
                os.umask(old)
            self.check(directory, "uptake.db", "copy.db", "copy.db.sha256", "saved.db", "uptake.db.forgotten")

    def check(self, directory, *expected):
        modes = self.modes(directory)
        for name in expected:
            self.assertIn(name, modes)
        self.assertEqual(set(modes.values()), {"0o600"}, modes)

    def test_one_that_others_may_read_is_named(self):
        directory = scratch()
        key(directory)
        os.chmod(directory / "uptake.db", 0o644)
        done = subprocess.run([PROGRAM, "doctor", "--db", directory / "uptake.db"], capture_output=True, text=True)
        self.assertIn("everybody on this machine may read the keys in it", done.stdout)


if __name__ == "__main__":
    unittest.main()
