"""Who may do what, and what nobody learns."""
import json
import os
import pathlib
import signal
import ssl
import statistics
import subprocess
import time
import unittest
import urllib.parse

from fleet import Fleet, lines
from service import PROGRAM, Client, Service, eventually, request, scratch

NOW = "2025-03-08T00:00:00Z"
QUESTIONS = [
    "releases", "adoption?release=1.0", "reach?release=1.0", "reach?release=1.0&by=platform", "time-to-update?release=1.0",
    "mechanisms?release=1.0", "failures?release=1.0", "forecast?release=1.0", "funnel?release=1.0", "push", "wakeups", "diagnose",
    "compare?release=1.0&baseline=1.1", "adoption?release=only-b", "adoption?release=1.0&platform=tvos",
    "adoption?release=1.0&channel=secret", "push?channel=secret", "wakeups?platform=tvos", "releases?platform=tvos",
    "releases?channel=secret", "adoption?release=1.0&app=b", "adoption?release=1.0&app=nobody"]


def key(database, app, scope):
    words = [PROGRAM, "key", "create", "--db", database, "--scope", scope] + (["--app", app] if app else [])
    return subprocess.run(words, capture_output=True, check=True, text=True).stdout.strip()


def with_app(number, app, **fields):
    return json.dumps({"id": f"{app}{number}", "device": f"d{app}{number}", "app": app, "stage": "applied", "release": "1.0",
                       "trigger": "silentPush", "at": "2025-03-01T08:00:00Z", **fields})


class Isolation(unittest.TestCase):
    """The same app alone and beside another one: whoever holds its key sees no difference, not in one byte."""

    def start(self, others):
        directory = scratch()
        database = directory / "uptake.db"
        keys = {scope: key(database, "a", scope) for scope in ("ingest", "read", "admin")}
        events = [with_app(number, "a", platform="ios", channel="production") for number in range(30)]
        for app in others:
            events += [with_app(number, app, release="only-b", platform="tvos", channel="secret") for number in range(30)]
            key(database, app, "read")
        file = directory / "events.ndjson"
        file.write_text("\n".join(events))
        subprocess.run([PROGRAM, "import", "--db", database, "--quiet", file], check=True, capture_output=True)
        return Service(directory=directory), keys

    def test_a_key_of_one_app_cannot_tell_whether_there_is_another(self):
        (alone, keys), (beside, other_keys) = self.start([]), self.start(["b"])
        with alone, beside:
            for question in QUESTIONS:
                path = f"/v1/answers/{question}{'&' if '?' in question else '?'}now={NOW}"
                one = alone.ask("GET", path, X_Uptake_Key=keys["read"])
                two = beside.ask("GET", path, X_Uptake_Key=other_keys["read"])
                self.assertEqual((one.status, one.body), (two.status, two.body), question)
            for method, path, body in [
                    ("GET", "/v1/releases", b""), ("GET", "/v1/releases?app=b", b""), ("GET", "/metrics", b""),
                    ("PUT", "/v1/releases/1", b'{"app":"b"}'), ("PUT", "/v1/releases/1", b'{"app":"nobody"}'),
                    ("POST", "/v1/events", with_app(1, "b").encode()), ("POST", "/v1/events", with_app(1, "nobody").encode())]:
                for scope in keys:
                    one = alone.ask(method, path, body, X_Uptake_Key=keys[scope])
                    two = beside.ask(method, path, body, X_Uptake_Key=other_keys[scope])
                    self.assertEqual((one.status, one.body), (two.status, two.body), (method, path, scope))

    def test_an_app_without_events_is_not_told_of_the_others(self):
        directory = scratch()
        empty, read = scratch() / "uptake.db", key(directory / "uptake.db", "new", "read")
        (directory / "events.ndjson").write_text(with_app(1, "b"))
        subprocess.run([PROGRAM, "import", "--db", directory / "uptake.db", "--quiet", directory / "events.ndjson"],
                       check=True, capture_output=True)
        lonely = key(empty, "new", "read")
        with Service(directory=directory) as beside, Service(directory=empty.parent) as alone:
            for question in ["releases", "adoption?release=1.0", "push"]:
                one = alone.ask("GET", "/v1/answers/" + question, X_Uptake_Key=lonely)
                two = beside.ask("GET", "/v1/answers/" + question, X_Uptake_Key=read)
                self.assertEqual((one.status, one.body), (two.status, two.body))
                self.assertNotIn(b'"b"', two.body)

    def test_the_refusal_of_another_app_takes_as_long_as_that_of_none(self):
        service, keys = self.start(["b"])
        with service:
            # Whoever keeps the machine busy does so in one of three attempts at most.
            ratios = [self.ratio(service, keys["read"]) for _ in range(3)]
            self.assertTrue(any(0.5 < ratio < 2 for ratio in ratios), f"the medians differ by {ratios}")

    def ratio(self, service, key):
        """Of the times that both refusals take."""
        client, times = Client(service.port), {"b": [], "nobody": []}
        for _ in range(100):
            for app, taken in times.items():
                start = time.perf_counter()
                answer = client.ask("GET", f"/v1/answers/adoption?release=1.0&app={app}", X_Uptake_Key=key)
                taken.append(time.perf_counter() - start)
                self.assertEqual((answer.status, answer.code), (403, "wrong_app"))
        return statistics.median(times["b"]) / statistics.median(times["nobody"])


class Keys(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()
        self.database = self.directory / "uptake.db"
        self.keys = {scope: key(self.database, "a", scope) for scope in ("ingest", "read", "admin")}
        self.keys["metrics"] = key(self.database, None, "metrics")
        self.service = Service(directory=self.directory)

    def tearDown(self):
        self.service.end()

    def test_counts_of_all_apps_are_for_the_key_of_none(self):
        statuses = {scope: self.service.ask("GET", "/metrics", X_Uptake_Key=word).status for scope, word in self.keys.items()}
        self.assertEqual(statuses, {"ingest": 403, "read": 403, "admin": 403, "metrics": 200})
        for method, path in [("POST", "/v1/events"), ("GET", "/v1/releases"), ("GET", "/v1/answers/push"), ("PUT", "/v1/releases/1")]:
            answer = self.service.ask(method, path, b"{}" if method != "GET" else b"", X_Uptake_Key=self.keys["metrics"])
            self.assertEqual(answer.status, 403, path)

    def test_a_key_is_replaced_without_a_pause(self):
        event = b'{"device":"d","stage":"check"}'
        fresh = key(self.database, "a", "ingest")
        self.assertTrue(eventually(lambda: self.service.ask("POST", "/v1/events", event, X_Uptake_Key=fresh).status == 200))
        self.assertEqual(self.service.ask("POST", "/v1/events", event, X_Uptake_Key=self.keys["ingest"]).status, 200)
        subprocess.run([PROGRAM, "key", "revoke", "1", "--db", self.database], check=True, capture_output=True)
        self.assertTrue(
            eventually(lambda: self.service.ask("POST", "/v1/events", event, X_Uptake_Key=self.keys["ingest"]).status == 401))
        self.assertEqual(self.service.ask("POST", "/v1/events", event, X_Uptake_Key=fresh).status, 200)

    def test_an_idle_key_is_told_from_one_in_use(self):
        listed = lambda: json.loads(subprocess.run(
            [PROGRAM, "key", "list", "--json", "--db", self.database], check=True, capture_output=True, text=True).stdout)
        self.assertTrue(eventually(lambda: listed()["usesKnownSince"] is not None))
        fresh = [key(self.database, "a", scope) for scope in ("publish", "devices")]
        self.service.ask("POST", "/v1/events", b'{"device":"d","stage":"check"}', X_Uptake_Key=self.keys["ingest"])
        self.service.ask("GET", "/metrics", X_Uptake_Key=self.keys["metrics"])
        self.assertTrue(eventually(lambda: self.service.ask("GET", "/v1/releases", X_Uptake_Key=fresh[0]).status == 200))
        self.service.ask("GET", "/v1/answers/releases", X_Uptake_Key=self.keys["metrics"])
        # What came within the last second as well.
        self.assertEqual(self.service.stop(), 0)
        rows = listed()["data"]
        self.assertEqual(
            [(row["scope"], row["lastUsedReason"], row["lastUsed"] is None) for row in rows],
            [("ingest", None, False), ("read", "notKnown", True), ("admin", "notKnown", True), ("metrics", None, False),
             ("publish", None, False), ("devices", "never", True)])
        self.assertRegex(rows[0]["lastUsed"], "T[0-9]{2}:00:00Z$")

    def test_no_secret_is_in_a_log_a_list_of_processes_a_metric_or_the_file(self):
        for word in self.keys.values():
            for path in ["/v1/answers/push?app=a", "/v1/events", "/metrics", f"/v1/answers/push?release={word}"]:
                self.service.ask("GET", path, X_Uptake_Key=word)
                self.service.ask("GET", path, Authorization=f"Bearer {word}x")
        metrics = self.service.ask("GET", "/metrics", X_Uptake_Key=self.keys["metrics"]).body
        line = pathlib.Path(f"/proc/{self.service.pid}/cmdline").read_bytes()
        environment = pathlib.Path(f"/proc/{self.service.pid}/environ").read_bytes()
        self.service.stop()
        files = b"".join(path.read_bytes() for path in self.directory.iterdir() if path.is_file())
        for word in self.keys.values():
            secret = word.encode().split(b"_")[-1]
            for name, text in [("log", self.service.log.read_bytes()), ("metrics", metrics), ("command line", line),
                               ("environment", environment), ("files", files)]:
                self.assertNotIn(secret, text, name)

    def test_what_clients_send_cannot_drive_the_terminal_that_shows_the_log(self):
        label = "1\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnp\n{\"event\":\"forged\"}\u2028"
        path = "/v1/releases/" + urllib.parse.quote(label)
        channel = json.dumps({"channel": "c\x1b[31m\n\u202e"}).encode()
        for target, body in [(path, b"{}"), ("/v1/releases/2", channel)]:
            self.service.ask("PUT", target, body, X_Uptake_Key=self.keys["admin"])
        self.service.stop()
        log = self.service.log.read_text()
        for line in log.splitlines():
            self.assertFalse([one for one in line if ord(one) < 0x20 or 0x7F <= ord(one) < 0xA0 or one in "\u2028\u202e"], line)
        self.assertFalse(self.service.logged("forged"))


class Headers(unittest.TestCase):
    def test_every_answer_tells_browsers_to_run_and_embed_nothing(self):
        with Service() as service:
            for method, path in [("GET", "/healthz"), ("GET", "/readyz"), ("GET", "/metrics"), ("GET", "/nothing"),
                                 ("POST", "/v1/events"), ("DELETE", "/v1/events"), ("GET", "/v1/answers/push"),
                                 ("GET", "/openapi.json"), ("HEAD", "/healthz")]:
                headers = service.ask(method, path).headers
                self.assertEqual(headers.get("x-content-type-options"), "nosniff", path)
                self.assertIn("default-src 'none'", headers.get("content-security-policy", ""), path)
                self.assertEqual(headers.get("referrer-policy"), "no-referrer", path)
                self.assertEqual(headers.get("cache-control"), "no-store", path)
                self.assertNotIn("server", headers, path)


class Encrypted(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()
        self.pair = [self.directory / "cert.pem", self.directory / "key.pem"]
        self.certify(self.pair)

    def certify(self, pair, kind="rsa:2048"):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", *kind.split(), "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=IP:127.0.0.1", "-out", pair[0], "-keyout", pair[1]], check=True, capture_output=True)

    def serve(self):
        return Service("--tls-cert", str(self.pair[0]), "--tls-key", str(self.pair[1]), directory=self.directory)

    def client(self, service):
        """Trusts the certificate that lies there now, and no other."""
        trust = ssl.create_default_context(cafile=self.pair[0])
        client = Client(service.port)
        client.socket = trust.wrap_socket(client.socket, server_hostname="127.0.0.1")
        return client

    def shakes_hands(self, service, *options):
        """Whether there is a connection, with a client that would take anything."""
        done = subprocess.run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{service.port}", "-brief", *options], input=b"", capture_output=True)
        return b"CONNECTION ESTABLISHED" in done.stderr

    def test_events_travel_over_tls_and_plain_text_does_not(self):
        with self.serve() as service:
            client = self.client(service)
            fleet = Fleet()
            self.assertEqual(fleet.send(client).status, 200)
            self.assertIn(client.socket.version(), ("TLSv1.2", "TLSv1.3"))
            self.assertIn("max-age=", client.ask("GET", "/healthz").headers.get("strict-transport-security", ""))
            plain = Client(service.port)
            plain.send(request("GET", "/healthz"))
            self.assertTrue(plain.is_ended())
            self.assertNotIn(b"ok", plain.rest)
            fleet.check(self, service.database)

    def test_old_versions_and_ciphers_are_refused(self):
        for kind in ["rsa:2048", "ec -pkeyopt ec_paramgen_curve:prime256v1"]:
            self.certify(self.pair, kind)
            with Service("--tls-cert", str(self.pair[0]), "--tls-key", str(self.pair[1])) as service:
                anything = "ALL:@SECLEVEL=0"
                for version, is_taken in [("-tls1", False), ("-tls1_1", False), ("-tls1_2", True), ("-tls1_3", True)]:
                    self.assertEqual(self.shakes_hands(service, version, "-cipher", anything), is_taken, version)
                for ciphers in ["AES128-SHA", "AES128-GCM-SHA256", "ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA",
                                "ECDHE-RSA-AES256-SHA384:ECDHE-ECDSA-AES256-SHA384", "aNULL", "3DES"]:
                    taken = self.shakes_hands(service, "-tls1_2", "-cipher", ciphers + ":@SECLEVEL=0")
                    self.assertFalse(taken, ciphers)
                for digest, is_taken in [("RSA+SHA1:ECDSA+SHA1", False), ("RSA+SHA256:ECDSA+SHA256", True)]:
                    taken = self.shakes_hands(service, "-tls1_2", "-cipher", anything, "-sigalgs", digest)
                    self.assertEqual(taken, is_taken, digest)

    def test_a_renewed_certificate_is_taken_without_a_restart(self):
        with self.serve() as service:
            before = self.client(service)
            self.assertEqual(before.ask().status, 200)
            for _ in range(3):
                self.certify(self.pair)
                with self.assertRaises(ssl.SSLError):
                    self.client(service)
                os.kill(service.pid, signal.SIGHUP)
                self.assertTrue(eventually(lambda: self.is_trusted(service)))
            self.assertEqual(before.ask().status, 200, "who is connected stays connected")
            self.assertEqual(self.client(service).ask().status, 200)
            before.close()

    def test_one_that_cannot_be_used_changes_nothing(self):
        with self.serve() as service:
            good = self.pair[0].read_bytes()
            self.certify([self.pair[0], self.directory / "other.pem"])
            os.kill(service.pid, signal.SIGHUP)
            self.assertTrue(eventually(lambda: service.logged("certificate_not_read")))
            self.pair[0].write_bytes(good)
            self.assertEqual(self.client(service).ask().status, 200)

    def expired(self):
        """A pair in place of the one that lies there, which was over a week ago."""
        offset, clock = self.directory / "offset", self.directory / "clock.so"
        offset.write_text(str(-10 * 86_400))
        source = pathlib.Path(__file__).parent / "clock.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", clock, source, "-ldl"], check=True)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-out", self.pair[0], "-keyout", self.pair[1]], check=True, capture_output=True,
            env={**os.environ, "LD_PRELOAD": str(clock), "CLOCK_OFFSET_FILE": str(offset)})

    def test_an_expired_one_does_not_take_the_place_of_a_valid_one(self):
        with self.serve() as service:
            self.assertTrue(eventually(lambda: service.logged("certificate_expires")), "two days are left")
            trust = self.directory / "trusted.pem"
            trust.write_bytes(self.pair[0].read_bytes())
            self.expired()
            os.kill(service.pid, signal.SIGHUP)
            self.assertTrue(eventually(lambda: service.logged("certificate_refused")))
            trust.replace(self.pair[0])
            self.assertTrue(self.is_trusted(service), "the valid one stays")

    def test_an_expired_one_is_told_at_the_start(self):
        self.expired()
        with self.serve() as service:
            self.assertTrue(eventually(lambda: service.logged("certificate_expires")))
            self.assertEqual(service.logged("certificate_expires")[0]["level"], "error")

    def test_doctor_asks_a_service_with_tls(self):
        words = [PROGRAM, "doctor", "--db", None, "--format", "json", "--listen", None]
        with self.serve() as service:
            words[3], words[7] = str(service.database), f"127.0.0.1:{service.port}"
            for named in [{}, {"UPTAKE_TLS_CERT": str(self.pair[0])}]:
                found = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **named})
                checks = {row["check"]: row for row in json.loads(found.stdout)["data"]}
                self.assertEqual(checks["service"]["verdict"], "ok", checks["service"])
                self.assertEqual(checks.get("certificate", {}).get("verdict"), "warn" if named else None)
            other = self.directory / "other-key.pem"
            self.certify([self.directory / "other.pem", other])
            both = {"UPTAKE_TLS_CERT": str(self.pair[0]), "UPTAKE_TLS_KEY": str(other)}
            found = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **both})
            checks = {row["check"]: row for row in json.loads(found.stdout)["data"]}
            self.assertEqual(checks["certificate"]["verdict"], "fail", checks["certificate"])
            self.assertIn("cannot be used with its key", checks["certificate"]["found"])

    def is_trusted(self, service):
        try:
            return self.client(service).ask().status == 200
        except ssl.SSLError:
            return False

    def test_a_key_that_others_may_read_is_named_at_the_start(self):
        for mode, is_named in [(0o600, False), (0o640, False), (0o644, True)]:
            self.certify(self.pair)
            self.pair[1].chmod(mode)
            with Service("--tls-cert", str(self.pair[0]), "--tls-key", str(self.pair[1])) as service:
                self.assertTrue(eventually(lambda: service.logged("listening")))
                self.assertEqual(f"chmod o= -- {self.pair[1]}" in service.log.read_text(), is_named, oct(mode))


if __name__ == "__main__":
    unittest.main()
