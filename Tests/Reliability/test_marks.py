"""Devices that are marked by a service that runs: those that sent what none can, and those that their platform vouched for."""
import json
import pathlib
import re
import sqlite3
import subprocess
import time
import unittest

from service import PATIENCE, PROGRAM, Client, Service, eventually, scratch

DAY = 86_400_000
NOW = 1_740_000_000_000


def event(device, number, at, stage="check", release="1.0", **more):
    return {"device": device, "id": f"{device}-{number}", "app": "a", "platform": "ios", "stage": stage, "release": release, "at": at, **more}


def fleet():
    """Ten phones of which five updated."""
    for number in range(10):
        yield event(f"d{number}", 0, NOW - 5 * DAY)
        yield event(f"d{number}", 1, NOW - 3 * DAY, *(["applied", "2.0"] if number < 5 else []))
        yield event(f"d{number}", 2, NOW - DAY, release="2.0" if number < 5 else "1.0")


def flood(device):
    """More than 2,000 events of one minute, the last of them an update."""
    for number in range(2500):
        yield event(device, number, NOW - 4 * DAY + number)
    yield event(device, 2500, NOW - 3 * DAY, "applied", "2.0")


def send(service, events, **headers):
    lines = [json.dumps(one) for one in events]
    for start in range(0, len(lines), 1000):
        body = "\n".join(lines[start:start + 1000]).encode()
        answer = service.ask("POST", "/v1/events", body, Content_Type="application/x-ndjson", **headers)
        assert answer.status == 200, answer


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=PATIENCE)


class Impossible(unittest.TestCase):
    def test_a_flood_of_one_device_is_set_aside(self):
        with Service("--fold-after", "100ms") as service:
            run("release", "publish", "2.0", "--app", "a", "--channel", "production", "--at", "2025-02-15T00:00:00Z", "--db", str(service.database))
            send(service, fleet())
            time.sleep(1)
            asked = "/v1/answers/reach?release=2.0&now=2025-02-19T21:20:00Z"
            before = service.ask("GET", asked).json
            self.assertEqual(before["warnings"], [])
            send(service, flood("script"))
            self.assertTrue(eventually(lambda: service.logged("devices_set_aside")))
            [said] = service.logged("devices_set_aside")
            self.assertEqual(said["devices"], 1)
            counted = service.ask("GET", asked).json
            [warning] = [one for one in counted["warnings"] if one["code"] == "impossible_histories"]
            self.assertIn("1 device", warning["message"])
            self.assertIn("--without-impossible", warning["message"])
            self.assertNotEqual(counted["data"], before["data"])
            left_out = service.ask("GET", asked + "&without-impossible=true").json
            self.assertEqual(left_out["data"], before["data"])
            self.assertIs(left_out["query"].pop("withoutImpossible"), True)
            self.assertEqual(left_out["query"], counted["query"])
            self.assertEqual(left_out["warnings"], [])
            doctor = run("doctor", "--db", str(service.database), "--format", "json").stdout
            self.assertIn("1 device sent what none can", doctor)
            pages = scratch()
            done = run("report", "--db", str(service.database), "--out", str(pages / "site"), "--now", "2025-02-19T21:20:00Z")
            self.assertEqual(done.returncode, 0, done.stderr)
            written = "".join(page.read_text() for page in pathlib.Path(pages).rglob("*.html"))
            self.assertIn("sent what no device can", written)


HOOK = """#!/usr/bin/env python3
import json, os, sys, time
mode = open({mode!r}).read().strip()
with open({starts!r}, "a") as starts:
    starts.write("x")
if mode == "hangs":
    time.sleep(3600)
if mode == "leaves its group and hangs":
    os.setpgid(0, os.getpgid(os.getppid()))
    time.sleep(3600)
if mode == "floods":
    while True:
        sys.stdout.write("nonsense\\n" * 1000)
if mode == "endless line":
    while True:
        sys.stdout.write("n" * 65536)
for line in sys.stdin:
    asked = json.loads(line)
    if mode == "dies":
        os.kill(os.getpid(), 9)
    trusted = asked["token"] == "signed " + asked["device"]
    print(json.dumps({{"id": asked["id"], "trusted": trusted}}), flush=True)
"""


class Hook:
    """The operator's command; `mode` says how it behaves from its next start on."""

    def __init__(self, mode="answers"):
        self.directory = scratch()
        self.mode, self.starts, program = (self.directory / name for name in ("mode", "starts", "hook.py"))
        self.be(mode)
        self.starts.write_text("")
        program.write_text(HOOK.format(mode=str(self.mode), starts=str(self.starts)))
        self.options = ["--fold-after", "100ms", "--attest", f"exec python3 {program}"]

    def be(self, mode):
        self.mode.write_text(mode)


def present(service, device, token, number=0, **headers):
    body = json.dumps(event(device, f"token-{number}", NOW - 2 * DAY)).encode()
    return service.ask("POST", "/v1/events", body, X_Uptake_Device=device, X_Uptake_Attestation=token, **headers)


def reachable(answer):
    return sum(part["devices"] for part in answer["data"][0]["running"])


def outcomes(service):
    text = service.ask("GET", "/metrics").body.decode()
    return {found[1]: int(found[2]) for found in re.finditer(r'uptake_attestation_tokens_total{outcome="(\w+)"} (\d+)', text)}


class Attestation(unittest.TestCase):
    ASKED = "/v1/answers/reach?release=2.0&now=2025-02-19T21:20:00Z"

    def come_to(self, service, expected):
        self.assertTrue(eventually(lambda: outcomes(service) == expected), f"{outcomes(service)} and not {expected}")

    def marked(self, service):
        with sqlite3.connect(f"file:{service.database}?mode=ro", uri=True) as file:
            return file.execute("SELECT count(*) FROM attested").fetchone()[0]

    def test_answers_count_those_that_the_command_vouched_for(self):
        hook = Hook()
        with Service(*hook.options) as service:
            run("release", "publish", "2.0", "--app", "a", "--channel", "production", "--at", "2025-02-15T00:00:00Z", "--db", str(service.database))
            send(service, fleet())
            nobody = service.ask("GET", self.ASKED + "&only-attested=true").json
            self.assertEqual([one["code"] for one in nobody["warnings"]], ["nobody_attested"])
            for number in range(4):
                self.assertEqual(present(service, f"d{number}", f"signed d{number}").status, 200)
            self.assertEqual(present(service, "d7", "signed d0").status, 200)
            # Of another device than the events, without one, and too long.
            body = json.dumps(event("d8", "x", NOW - 2 * DAY)).encode()
            for headers in [{"X_Uptake_Device": "d1"}, {}, {"X_Uptake_Device": "d8", "X_Uptake_Attestation": "t" * 12500}]:
                answer = service.ask("POST", "/v1/events", body, **{"X_Uptake_Attestation": "signed d1", **headers})
                self.assertEqual(answer.status, 200)
            self.come_to(service, {"accepted": 4, "refused": 1, "unfitting": 3})
            self.assertTrue(eventually(lambda: self.marked(service) == 4))
            # Whoever is marked is not verified again for a day, from a moment after the mark is stored.
            def is_known():
                present(service, "d0", "signed d0", 2)
                return outcomes(service).get("known", 0) > 0
            self.assertTrue(eventually(is_known), outcomes(service))
            told = outcomes(service)
            self.assertEqual((told["refused"], told["unfitting"]), (1, 3))
            self.assertEqual(self.marked(service), 4)
            asked = service.ask("GET", self.ASKED + "&only-attested=true").json
            self.assertEqual((reachable(asked), asked["warnings"]), (4, []))
            self.assertIs(asked["query"]["onlyAttested"], True)
            everybody = service.ask("GET", self.ASKED).json
            self.assertNotIn("onlyAttested", everybody["query"])
            self.assertEqual(reachable(everybody), 10)
            self.assertEqual(hook.starts.read_text(), "x")
            site = scratch()
            run("report", "--db", str(service.database), "--out", str(site / "site"), "--now", "2025-02-19T21:20:00Z")
            self.assertTrue(any("Attested devices: 4;" in page.read_text() for page in pathlib.Path(site).rglob("*.html")))
            # Whoever is forgotten is not marked any more, and nobody marks them again by what was under way.
            self.assertEqual(service.ask("DELETE", "/v1/devices/d0?app=a").status, 200)
            self.assertEqual(self.marked(service), 3)
            children = pathlib.Path(f"/proc/{service.pid}/task/{service.pid}/children")
            self.assertEqual(service.stop(), 0)
            self.assertFalse(children.exists())

    def test_without_the_option_nobody_looks_at_tokens(self):
        with Service() as service:
            self.assertEqual(present(service, "d0", "signed d0").status, 200)
            self.assertNotIn("attestation", service.ask("GET", "/metrics").body.decode())

    def fails(self, mode, expected, patience=PATIENCE):
        """Events are stored all the time, nobody is marked, and once the command works again devices are."""
        hook = Hook(mode)
        with Service(*hook.options) as service:
            begun = time.monotonic()
            slowest = 0
            for number in range(100):
                before = time.monotonic()
                self.assertEqual(present(service, f"d{number}", f"signed d{number}").status, 200)
                slowest = max(slowest, time.monotonic() - before)
            self.assertLess(slowest, 9, "an answer waited for the command, which has ten seconds")
            self.assertTrue(eventually(lambda: outcomes(service).get(expected, 0) > 0, patience), outcomes(service))
            self.assertEqual(self.marked(service), 0)
            self.assertEqual(service.metric("uptake_ingest_events_total"), 100)
            hook.be("answers")
            new = iter(range(1000, 100_000))

            def is_marked():
                present(service, f"d{(number := next(new))}", f"signed d{number}")
                time.sleep(0.1)
                return self.marked(service) > 0

            self.assertTrue(eventually(is_marked, patience), outcomes(service))
            self.assertTrue(service.logged("attestation_command_ended"))
            self.assertGreaterEqual(len(hook.starts.read_text()), 2)
            self.assertLess(service.status("VmRSS"), 200_000)
            return time.monotonic() - begun

    def test_a_command_that_dies_is_started_again(self):
        self.fails("dies", "unanswered")

    def test_a_command_that_hangs_is_ended(self):
        self.fails("hangs", "unanswered")

    def test_a_command_that_left_its_group_is_ended(self):
        self.fails("leaves its group and hangs", "unanswered")

    def test_a_command_that_floods_is_ended(self):
        self.fails("floods", "unreadable")

    def test_a_command_whose_line_never_ends_is_ended(self):
        self.fails("endless line", "unanswered")

    def test_a_command_that_is_not_there_harms_nobody(self):
        with Service("--attest", "/nowhere/hook") as service:
            for number in range(5):
                self.assertEqual(present(service, f"d{number}", "signed").status, 200)
            self.assertTrue(eventually(lambda: service.logged("attestation_command_ended")))
            self.assertEqual(service.metric("uptake_ingest_events_total"), 5)

    def test_a_flood_of_tokens_is_bounded(self):
        hook = Hook("hangs")
        with Service(*hook.options) as service:
            events = [event(f"d{number}", 0, NOW) for number in range(3000)]
            client = Client(service.port)
            for one in events:
                answer = client.ask("POST", "/v1/events", json.dumps(one).encode(), X_Uptake_Device=one["device"], X_Uptake_Attestation="t" * 4000)
                self.assertEqual(answer.status, 200)
            client.close()
            self.assertGreater(outcomes(service).get("full", 0), 0)
            self.assertEqual(service.metric("uptake_ingest_events_total"), 3000)
            self.assertLess(service.status("VmRSS"), 200_000)


if __name__ == "__main__":
    unittest.main()
