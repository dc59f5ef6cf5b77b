"""Devices that are marked: those that sent what none can, by a service that runs."""
import json
import pathlib
import subprocess
import time
import unittest

from service import PATIENCE, PROGRAM, Service, eventually, scratch

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
            self.assertIn("1 devices sent what none can", doctor)
            pages = scratch()
            done = run("report", "--db", str(service.database), "--out", str(pages / "site"), "--now", "2025-02-19T21:20:00Z")
            self.assertEqual(done.returncode, 0, done.stderr)
            written = "".join(page.read_text() for page in pathlib.Path(pages).rglob("*.html"))
            self.assertIn("sent what no device can", written)


if __name__ == "__main__":
    unittest.main()
