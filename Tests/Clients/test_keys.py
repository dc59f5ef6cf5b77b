"""Who may send in other systems' protocols: strangers cost little, and too many requests are answered as their clients expect."""

import gzip
import json
import socket
import sqlite3
import time
import unittest
import zlib

from google.rpc.status_pb2 import Status

from service import Service, answer, eventually

DEPLOY = json.dumps({"app_version": "1", "deployment_key": "DK", "client_unique_id": "d", "label": "v2",
                     "status": "DeploymentSucceeded"}).encode()
STAT = json.dumps({"app_id": "CG", "device_id": "d", "version_name": "1", "action": "ping"}).encode()
PATCH = json.dumps({"event": {"app_id": "SB", "client_id": "c", "type": "__patch_install__", "patch_number": 2,
                              "release_version": "1", "timestamp": 1750000000}}).encode()
REPORT = json.dumps({"type": "rollback", "hash": "h", "cInfo": {"uuid": "u"}}).encode()
HOT = json.dumps({"type": "UNCHANGED", "installId": "i", "platform": "ios", "appVersion": "1", "channel": "production",
                  "cohort": "1", "toBundleId": "b"}).encode()
OMAHA = b'<request protocol="3.0"><app appid="OM" machineid="m" version="1"><ping/></app></request>'
ENVELOPE = b'{"dsn":"https://SE@uptake.example.com/1"}\n'

#: Dialect and credential, then a request that presents it, then what of an answer to too many its clients understand.
KNOWN = [
    ("codepush:DK", "/reportStatus/deploy", {}, DEPLOY, lambda body: body.startswith(b"too many")),
    ("capgo:CG", "/stats", {}, STAT, lambda body: json.loads(body)["error"] == "limited"),
    ("shorebird:SB", "/api/v1/patches/events", {}, PATCH, lambda body: json.loads(body)["code"] == "limited"),
    ("react-native-update:RN", "/report/RN", {}, REPORT, lambda body: "too many" in json.loads(body)["message"]),
    ("hot-updater:HU", "/events", {"x-api-key": "HU"}, HOT, lambda body: "too many" in json.loads(body)["error"]),
    ("omaha:OM", "/v1/update", {}, OMAHA, lambda body: b'<app status="error-limited"/>' in body),
    ("sentry:SE", "/api/1/envelope/", {}, ENVELOPE, lambda body: json.loads(body)["causes"] == ["limited"]),
    ("sentry:SE", "/api/1/store/?sentry_key=SE", {}, b"{}", lambda body: json.loads(body)["causes"] == ["limited"]),
]
PROTOBUF = {"Content-Type": "application/x-protobuf"}


def answer_to_the_head(service, path, headers, patience):
    """The status of the answer to a request whose body never comes; None where the service waits for it."""
    lines = [f"POST {path} HTTP/1.1", "Host: uptake", "Content-Length: 1000000"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    with socket.create_connection(("127.0.0.1", service.port), timeout=patience) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        try:
            return int(connection.recv(4096).split()[1])
        except TimeoutError:
            return None


def until_limited(ask):
    """All answers up to the first that says that there were too many; a busy machine may ask less than one a second for a while."""
    answers = [ask()]
    while answers[-1][0] != 429 and len(answers) < 200:
        answers.append(ask())
    return answers


class Keys(unittest.TestCase):
    def test_who_has_no_key_beside_the_body_is_turned_away_before_it(self):
        with Service() as service:
            key = service.require_key()
            for path, headers, status in [
                    ("/v1/logs", PROTOBUF, 401), ("/v1/logs", {"Authorization": "Bearer x"}, 401), ("/v1/push-results", {}, 401),
                    ("/events", {"x-api-key": "x"}, 401), ("/report/x", {}, 401), ("/api/1/store/", {}, 403),
                    ("/api/1/envelope/", {"X-Sentry-Auth": "Sentry sentry_key=x"}, 403),
                    ("/v1/logs", {"X-Uptake-Key": key}, None), ("/stats", {"X-Uptake-Key": key}, None)]:
                with self.subTest(path=path, headers=headers):
                    # Who waits is believed after a while; a refusal may take its time.
                    self.assertEqual(answer_to_the_head(service, path, headers, 60 if status else 3), status)

    def test_an_envelope_proves_itself_by_its_first_line(self):
        with Service() as service:
            service.require_key("--for", "sentry:SE")
            event = b'{"type":"event"}\n{"user":{"id":"d"},"breadcrumbs":[{"category":"ota.ready","data":{"release":"h"}}]}\n'
            for first, status in [(ENVELOPE, 200), (ENVELOPE.replace(b"SE", b"XX"), 403), (b"{}\n", 403),
                                  (b"nonsense\n", 403), (b'{"dsn":"' + b"x" * 100_000 + b'"}\n', 403)]:
                self.assertEqual(service.ask("/api/1/envelope/", first + event)[0], status)
            self.assertEqual(service.stored("app, stage"), ["com.example.demo ready"])
            self.assertEqual(service.dropped("sentry"), {"wrong_key": 1, "no_key": 3})

    def test_of_a_strangers_envelope_nothing_but_the_first_line_is_inflated(self):
        import brotli
        with Service() as service:
            service.require_key("--for", "sentry:SE")
            for first, status in [(ENVELOPE, 413), (ENVELOPE.replace(b"SE", b"XX"), 403)]:
                bomb = first + bytes(80 << 20)
                for encoding, body in [("gzip", gzip.compress(bomb, 1)), ("deflate", zlib.compress(bomb, 1)),
                                       ("br", brotli.compress(bomb, quality=1))]:
                    answer = service.ask("/api/1/envelope/", body, {"Content-Encoding": encoding})
                    self.assertEqual(answer[0], status, encoding)

    def test_a_deployment_key_stands_for_a_platform(self):
        """CodePush counts labels anew in each deployment (microsoft/code-push-server, api/script/storage/azure-storage.ts: getNextLabel), and its
        clients do not say their platform: `v2` of both would be one release in every respect."""
        def report(key, device):
            return json.dumps({"app_version": "1", "deployment_key": key, "client_unique_id": device, "label": "v2",
                               "status": "DeploymentSucceeded"}).encode()

        with Service() as service:
            service.require_key("--for", "codepush:IOS", "--platform", "ios")
            for key, platform in [("AND", ("--platform", "android")), ("OLD", ())]:
                service.require_key("--for", f"codepush:{key}", *platform)
            heard = [("IOS", "d1"), ("IOS", "d2"), ("AND", "d3"), ("OLD", "d4")]
            for key, device in heard:
                self.assertTrue(eventually(lambda: service.ask("/reportStatus/deploy", report(key, device))[0] == 200))
            # What a client says itself, in a protocol that has it, goes first.
            own = service.require_key("--platform", "ios")
            self.assertTrue(eventually(lambda: service.ask(
                "/events", HOT.replace(b'"ios"', b'"android"').replace(b'"i"', b'"d5"'), {"X-Uptake-Key": own})[0] < 300))
            with sqlite3.connect(f"file:{service.database}?mode=ro", uri=True) as database:
                counts = dict(database.execute("SELECT platform, count(DISTINCT device) FROM v1_event GROUP BY platform"))
            self.assertEqual(counts, {None: 1, "ios": 2, "android": 2})
            rows = answer(service.database, "adoption", "v2", "--app", "com.example.demo", "--by", "platform")["data"]
            self.assertLessEqual({"ios", "android"}, {(row["group"] or {}).get("platform") for row in rows})

    def test_too_many_with_one_key_are_answered_in_the_protocol(self):
        for credential, path, headers, body, understands in KNOWN:
            with self.subTest(credential=credential), Service("--rate-per-key", "1") as service:
                service.require_key("--for", credential)
                begin = time.monotonic()
                answers = until_limited(lambda: service.ask(path, body, headers))
                seconds = time.monotonic() - begin
                self.assertLess(answers[0][0], 300, answers[0])
                self.assertEqual(answers[-1][0], 429)
                self.assertTrue(understands(answers[-1][2]), answers[-1])
                self.assertGreaterEqual(int(answers[-1][1]["Retry-After"]), 1)
                answers += [service.ask(path, body, headers) for _ in range(5)]
                refused = sum(status == 429 for status, _, _ in answers)
                self.assertEqual(service.dropped(credential.split(":")[0])["limited"], refused)
                # Twenty at once, and one a second.
                self.assertGreater(len(answers) - 5, 18, "each request counts once")
                self.assertLess(len(answers) - 5, 23 + seconds, "each request counts once")

    def test_too_many_logs_are_a_status(self):
        with Service("--rate-per-key", "1") as service:
            headers = PROTOBUF | {"X-Uptake-Key": service.require_key()}
            answers = until_limited(lambda: service.ask("/v1/logs", b"", headers))
            self.assertEqual((answers[0][0], answers[-1][0]), (200, 429))
            self.assertEqual(Status.FromString(answers[-1][2]).code, 8)

    def test_too_many_from_one_address_are_answered_in_the_protocol(self):
        with Service("--rate-per-address", "1", "--trusted-proxy", "127.0.0.1") as service:
            headers = {"X-Forwarded-For": "203.0.113.9"}
            limited = lambda *asked: until_limited(lambda: service.ask(*asked))[-1]
            limited("/healthz", None, headers)
            status, _, body = limited("/v1/logs", b"", headers | PROTOBUF)
            self.assertEqual((status, Status.FromString(body).code), (429, 8))
            status, answered, body = limited("/api/1/envelope/", b"{}\n", headers)
            self.assertEqual((status, json.loads(body)["causes"]), (429, ["limited"]))
            self.assertRegex(answered["X-Sentry-Rate-Limits"], "^[0-9]+::key$")
            self.assertEqual(json.loads(limited("/v1/events", b"{}", headers)[2])["error"]["code"], "too_many_requests")

    def test_a_body_that_is_too_large_is_refused_in_the_protocol(self):
        with Service("--max-body", "1000") as service:
            status, _, body = service.ask("/v1/logs", bytes(2000), PROTOBUF)
            self.assertEqual((status, Status.FromString(body).code), (413, 8))
            status, _, body = service.ask("/api/1/envelope/", bytes(2000))
            self.assertEqual((status, json.loads(body)["causes"]), (413, ["too_large"]))


if __name__ == "__main__":
    unittest.main()
