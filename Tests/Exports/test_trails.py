"""A device's trail beside a crash: command, route, and many at once."""
import copy
import json

from sentry_relay.processing import StoreNormalizer

from fleet import APP, FleetTest, instant, run, words
from service import Service
from test_sentry import complaints

CRASH = {"event_id": "9ec79c33ec9942ab8353589fcb2e04dc", "platform": "cocoa", "level": "fatal",
         "exception": {"values": [{"type": "EXC_BAD_ACCESS", "value": "boom"}]}}


class Trails(FleetTest):
    @classmethod
    def setUpClass(cls):
        from fleet import Fleet
        cls.shared = Fleet(instant(), devices=48)
        cls.addClassCleanup(cls.shared.close)
        cls.updated, cls.failed = "production-0000", "production-0013"

    def trail(self, device, format, *more, **keywords):
        return run("breadcrumbs", device, "--db", self.shared.database, "--format", format, "--now",
                   words(self.shared.now), *more, **keywords)

    def test_each_crash_reporters_form(self):
        sentry = json.loads(self.trail(self.updated, "sentry", "--limit", "5").stdout)
        self.assertEqual(sentry["tags"], {"ota.release": "2.0.0", "ota.mechanism": "silentPush", "ota.channel": "production"})
        crumbs = sentry["breadcrumbs"]["values"]
        self.assertEqual(len(crumbs), 5)
        applied, = [crumb for crumb in crumbs if crumb["data"]["stage"] == "applied"]
        self.assertEqual((applied["message"], applied["data"]["type"]), ("applied 2.0.0 by foreground", "foreground"))
        bugsnag = json.loads(self.trail(self.failed, "bugsnag").stdout)
        self.assertEqual(bugsnag["metaData"]["ota"]["ota_failed_reason"], "checksum_mismatch")
        failure, = [crumb for crumb in bugsnag["breadcrumbs"] if crumb["type"] == "error"]
        self.assertIn("failed 2.0.0", failure["name"])
        crashlytics = json.loads(self.trail(self.updated, "crashlytics").stdout)
        self.assertEqual(crashlytics["keys"]["ota_mechanism"], "silentPush")
        self.assertLessEqual(len(crashlytics["keys"]), 64)
        self.assertTrue(all(len(value.encode()) <= 1024 for value in crashlytics["keys"].values()))
        unknown = self.trail("nobody", "sentry", check=False)
        self.assertEqual((unknown.stdout, unknown.returncode), ("{}\n", 4))

    def test_after_a_rollback_it_is_the_release_before(self):
        fleet = self.fleet(instant(), devices=24)
        events = [(9, "applied", "1.0.0"), (2, "applied", "2.0.0"), (1.9, "rolledBack", "2.0.0"), (1, "check", "1.0.0")]
        fleet.add("back", events)
        trail = lambda format: json.loads(run("breadcrumbs", "back", "--db", fleet.database, "--format", format).stdout)
        self.assertEqual(trail("sentry")["tags"]["ota.release"], "1.0.0")
        for keys in trail("crashlytics")["keys"], trail("bugsnag")["metaData"]["ota"]:
            self.assertEqual((keys["ota_release"], keys["ota_failed_release"]), ("1.0.0", "2.0.0"))
            self.assertEqual(instant(keys["ota_applied_at"]), instant(fleet.at(9)))

    def test_a_crash_event_with_its_trail_is_one_that_sentry_takes_whole(self):
        own = {"timestamp": self.shared.now.timestamp() - 60, "category": "ui", "message": "tap"}
        event = {**CRASH, "timestamp": self.shared.now.timestamp(), "user": {"id": self.updated},
                 "tags": {"ota.channel": "from the app"}, "breadcrumbs": {"values": [own]}}
        lines = [event, {**CRASH, "device": self.failed, "breadcrumbs": [own]}, {**CRASH, "user": {"id": "nobody"}}]
        result = self.trail("-", "sentry", input="".join(json.dumps(line) + "\n" for line in lines) + "\n" + self.updated + "\nnobody\n")
        first, second, third, listed, missing = map(json.loads, result.stdout.splitlines())
        for enriched in (first, second):
            crumbs = enriched["breadcrumbs"]
            crumbs = crumbs["values"] if isinstance(crumbs, dict) else crumbs
            self.assertIn(own, crumbs)
            times = [crumb["timestamp"] for crumb in crumbs]
            self.assertEqual(times, sorted(times))
            self.assertGreater(len(crumbs), 10)
        self.assertEqual(first["tags"]["ota.channel"], "from the app", "what the event says itself stays")
        self.assertEqual(first["exception"], CRASH["exception"])
        self.assertEqual(third, {**CRASH, "user": {"id": "nobody"}})
        self.assertEqual((listed["id"], listed["found"]), (self.updated, True))
        self.assertEqual(missing, {"id": "nobody", "found": False})
        normal = StoreNormalizer(project_id=7, key="0" * 32, protocol_version="7", client_ip="127.0.0.1",
                                 is_renormalize=False, remove_other=True, normalize_user_agent=False,
                                 max_secs_in_future=60, max_secs_in_past=2592000, enable_trimming=True
                                 ).normalize_event(copy.deepcopy(first))
        self.assertEqual(complaints(normal.get("_meta")), [])
        self.assertFalse(normal.get("errors"))
        self.assertEqual(len(normal["breadcrumbs"]["values"]), len(first["breadcrumbs"]["values"]))
        self.assertEqual(normal["contexts"]["ota"]["ota_mechanism"], "silentPush")

    def test_a_crash_is_told_what_the_device_ran_then(self):
        """A batch that is enriched hours later: whoever went back to 1.0.0 since crashed in 2.0.0 all the same."""
        fleet = self.fleet(instant(), devices=24)
        fleet.add("back", [(9, "applied", "1.0.0"), (3, "applied", "2.0.0"), (1.9, "rolledBack", "2.0.0"), (1, "check", "1.0.0")])
        at = lambda hours: instant(fleet.at(hours))
        lines = [{**CRASH, "user": {"id": "back"}, "timestamp": time}
                 for time in (fleet.at(2), at(2).timestamp(), fleet.at(5), fleet.at(0.5), fleet.at(-9))]
        result = run("breadcrumbs", "-", "--db", fleet.database, "--format", "sentry",
                     input="".join(json.dumps(line) + "\n" for line in lines))
        told = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([event["tags"]["ota.release"] for event in told], ["2.0.0", "2.0.0", "1.0.0", "1.0.0", "1.0.0"])
        for event, hours in zip(told, (2, 2, 5, 0.5, 0)):
            self.assertLessEqual(event["breadcrumbs"]["values"][-1]["timestamp"], at(hours).timestamp())
        self.assertNotIn("ota_failed_release", told[0]["contexts"]["ota"])
        self.assertEqual(told[3]["contexts"]["ota"]["ota_failed_release"], "2.0.0")

    def test_a_named_field_and_lines_that_are_no_crash(self):
        line = json.dumps({"installation": {"key": self.updated}})
        result = self.trail("-", "json", "--device-field", "installation.key", input=line + "\n")
        self.assertEqual(json.loads(result.stdout)["uptake"]["update"]["release"], "2.0.0")
        broken = self.trail("-", "json", input='{"device":\n', check=False)
        self.assertEqual(broken.returncode, 2)
        self.assertIn("is not JSON", broken.stderr)

    def test_the_route_says_what_the_command_says(self):
        service = Service(self.shared.database)
        self.addCleanup(service.close)
        now = words(self.shared.now)
        for format in ("json", "sentry", "bugsnag", "crashlytics"):
            status, text = service.ask(f"/v1/devices/{self.updated}/breadcrumbs?app={APP}&format={format}&now={now}")
            self.assertEqual((status, text), (200, self.trail(self.updated, format, "--app", APP).stdout))
        self.assertEqual(service.ask(f"/v1/devices/x/breadcrumbs?format=tsv")[0], 400)
        self.assertEqual(service.ask(f"/v1/devices/x/breadcrumbs?output=/tmp/x")[0], 400)
        self.assertEqual(service.ask(f"/v1/devices/-/breadcrumbs")[0], 400)
        self.assertEqual(service.ask(f"/v1/devices/--help/breadcrumbs")[0], 200)
        service.stop()
        keys = {scope: run("key", "create", "--db", self.shared.database, "--app", APP, "--scope", scope).stdout.strip()
                for scope in ("read", "ingest")}
        service = Service(self.shared.database)
        self.addCleanup(service.close)
        path = f"/v1/devices/{self.updated}/breadcrumbs"
        self.assertEqual(service.ask(path)[0], 401)
        self.assertEqual(service.ask(path, {"Authorization": f"Bearer {keys['ingest']}"})[0], 403)
        self.assertEqual(service.ask(path, {"Authorization": f"Bearer {keys['read']}"})[0], 200)
        self.assertEqual(service.ask(path + "?app=other", {"Authorization": f"Bearer {keys['read']}"})[0], 403)
        service.stop()
